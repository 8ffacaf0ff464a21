"""Lines of words at a table whose players are known: each is a deal, a finding, talk, a sum or a correction, or goes on
with the line before."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from msgspec.structs import replace

from archive.notation.game_words import FILLERS, NO_GAME, usual_words
from archive.notation.list_marks import DEAL, without_pictures
from archive.notation.seated_deal import seated_deal
from archive.notation.spoken_deal import SpokenDeal, read_spoken_deal
from archive.notation.spoken_line import (
    ARTICLES,
    LONGEST,
    LONGEST_INITIAL,
    RESULTS,
    bare_text,
    begins_like_deal,
    begins_with_game,
    begins_with_name,
    game_names,
    known_words,
    length_of_name,
    names_player_and_game,
    words_of_line,
)
from archive.notation.spoken_people import ENDS, GIVES, MOST_AT_PLAY, ON
from archive.notation.spoken_results import RESULT_LETTERS
from archive.notation.tariff import is_paid
from archive.record import Deal, Finding, Source, finding
from archive.record.names import name_key
from archive.say import message
from importers.chat_messages import TypedLine
from importers.player_lines import AFTER_NAME, IS_AMOUNT, UNSIGNED, count_paid, is_ranking, with_signs_behind
from importers.player_lists import FEWEST, ONE_AMOUNT, head_pair
from importers.typed_heads import COMPOUNDED, SIGNED, Evening, is_paid_to, paid_names, with_amounts_behind

MONEY = re.compile(r"\d[.,]\d\d?(?!\d)|\d ?€|\d Euro?s?\b", re.IGNORECASE)
ON_DAY = re.compile(r"\d\.\s?\d\d?\.|(?<!\S)20\d\d$")  # `Anna, Ben, Cem, Dora 20.11.`
SIGNS = re.compile(r"\s*[,;:.!(]|\s[-–—]\s|\s/")  # that part what follows
DETAIL = re.compile(
    r"(?:ergebnis|preis|betrag|resultat|result|ausgang|farbe|suit|spielart|art)\s*[:=]\s*(?=\S)", re.IGNORECASE
)
OF_TALK = ("weiter", "kein spiel", "koa spiel", "koa spui", "no game", "passed", "vergeben", "nobody plays")
MOST_WORDS = 6  # of a message that is hardly talk, since it says who won what
OF_GAME = ("a", "an", "ein", "einen", "den", "das", "der", "die")  # articles before a game
WRITER = frozenset(("ich", "i", "hab", "habe", "hob", "my"))  # before his game, in a message
GOING_ON = (*RESULTS, "no", "with", "without", "against", "partner")  # how a second line of a deal begins
OF_ROW = rf"(?:\d{{1,3}}[.):]\s+|{DEAL}\.?\s?\d{{1,3}}[.):]?\s+)?"  # the number of its deal
ROW = re.compile(  # of amounts in the order of the players
    rf"{OF_ROW}(?P<amounts>{ONE_AMOUNT}(?:(?:\s?[,;|/]?\s+|[;|/]){ONE_AMOUNT}){{2,8}})"
)
LIKE_AMOUNT = re.compile(r"[+\-−–]?(?=\S*\d)[\dOoIlSB]{1,6}(?:[.,][\dOoIl]{1,2})?,?")
TIGHT = re.compile(r"\d[;|/]\d")
BETWEEN = re.compile(r"\s*[;|/]\s*|,\s+|\s+")
NUMBER = re.compile(r"\d+(?:[.,]\d\d?)?")
SIGNED_NUMBER = re.compile(  # `-50`, `0,50-`, `(50)`
    rf"[+\-−–]\s?{NUMBER.pattern}(?!\d)|(?<![\d.,]){NUMBER.pattern}\s?€?[+\-−–](?=[\s,;]|$)|\({NUMBER.pattern}\)"
)


def may_tell_deal(line: TypedLine, evening: Evening) -> bool:
    """Return whether a line is to be read: it begins with a player or a game, or names both, or nobody played; not if
    it was spoken or quoted."""
    words = words_of_line(line.text)
    if line.is_left_out or is_ranking(words, evening.words, evening.players):
        return False
    return (
        nobody_played(line)
        or amount_row(line, evening) is not None
        or bool(paid_names(line.text))
        or is_unread_row(line, evening)
        or begins_with_name(words, evening.players)
        or begins_with_game(words, evening.words)
        or (not line.is_chat and names_player_and_game(words, evening.words, evening.players))
        or (not line.is_chat and names_suit_and_result(words, evening))
        or (not line.is_chat and names_unknown_game(words, evening))
        or (line.is_chat and (may_begin_otherwise(words, evening) or tells_of_writer(words, evening)))
        or (not line.is_chat and begins_with_initial(line.text, words, evening))
        or (not line.is_chat and (line.is_numbered or begins_like_deal(line.text, evening.words, None)))
    )


def nobody_played(line: TypedLine) -> bool:
    """Return whether a line says that nobody played, alone or before a sign and more words: `alle weiter, neu gegeben`.
    A word that is said of other things too does so only alone, or in a text."""
    text = " ".join(bare_text(without_pictures(line.text)).casefold().strip(" .,;!").split())
    text = text if line.is_chat else re.sub(r"^(\w+)(?: \1){2,3}$", r"\1", text)  # each of the players
    first, *others = map(str.strip, SIGNS.split(text))
    if text in usual_words()["no-game"]:
        return not (line.is_chat and text == "weiter")
    if not line.is_chat and not usual_words()["no-game"].keys().isdisjoint({*others} - {"weiter"}):
        return True
    return first in usual_words()["no-game"] and not (line.is_chat and first in OF_TALK)


def begins_with_initial(text: str, words: Sequence[str], evening: Evening) -> bool:
    """Return whether a line begins with letters that can only be the beginning of one player's name, and says who won:
    `St W verl`."""
    token = next(iter(bare_text(text).split()), "").strip(" .,:")
    small = token.casefold()
    is_short = token[:1].isupper() and token.isalpha() and len(token) <= LONGEST_INITIAL
    if not is_short or (len(token) > 1 and small in known_words(evening.words)):
        return False
    called = [name for name in evening.players if any(part.startswith(small) for part in name_key(name).split())]
    return len(called) == 1 and any(usual_words()["deal"].get(word) in ("won", "lost") for word in words[1:])


def deal_of_line(line: TypedLine, evening: Evening, at: Source | None) -> SpokenDeal | Finding | None:
    """Return the deal that a line tells, a finding if it plainly tells one and cannot be read, None for talk."""
    if not may_tell_deal(line, evening):
        return None
    row = amount_row(line, evening)
    by_name = with_amounts_behind(line.text) if paid_names(line.text) else ""
    text = row or (AFTER_NAME.sub("+", by_name) if by_name else with_signs_behind(line.text, evening.players))
    spoken = read_spoken_deal(text, evening.words, evening.players, at)
    if text != line.text and isinstance(spoken, Finding) and "entry" in spoken.facts:
        spoken = replace(spoken, facts=spoken.facts | {"entry": line.text})
    is_plain = begins_like_deal(line.text, evening.words, evening.players if line.is_chat else None)
    if isinstance(spoken, Finding) and (
        row or (is_unread_row(line, evening) and not begins_like_deal(line.text, evening.words, None))
    ):
        why = message("notation.amount-for-each", players=len(evening.players))
        return finding("bad-entry", at, key="deal", entry=line.text, expected=why)
    if line.is_quoted and isinstance(spoken, SpokenDeal):
        return finding("bad-entry", at, key="deal", entry=line.text, expected=message("importers.quoted-otherwise"))
    if isinstance(spoken, SpokenDeal) and "?" in line.text and is_whole(spoken):
        return finding("bad-entry", at, key="deal", entry=line.text, expected=message("importers.question"))
    if not isinstance(spoken, Finding):
        if (is_whole(spoken) and not is_everyday(spoken, line, evening)) or (is_plain and not line.is_chat):
            return spoken
        why = message("notation.name-behind", word=" ".join(line.text.split()[:1]))  # a chat's `Wenz gewonnen`
        asked = (is_plain or words_of_line(line.text)[0] in WRITER) and "won" in spoken.stated
        return finding("bad-entry", at, key="deal", entry=line.text, expected=why) if asked else None
    words = words_of_line(line.text)
    if is_plain or (line.is_numbered and not line.is_chat) or is_paid_to(line.text, evening.players):
        return spoken
    paid = 0 if ON_DAY.search(line.text) else count_paid(words, evening.words, evening.players)
    if paid > line.is_chat and (SIGNED.search(line.text) or not line.is_chat):  # in a chat `Anna und Ben +1` come too
        why = message("notation.amount-for-each", players=len(evening.players))
        return finding("bad-entry", at, key="deal", entry=line.text, expected=why)
    if nobody_played(line) or (not line.is_chat and begins_with_initial(line.text, words, evening)):
        return spoken
    if line.is_chat:
        return spoken if "?" not in line.text and tells_in_other_words(words, evening) else None
    of_player = begins_with_name(words, evening.players) and (
        any(may_be_of_deal(word, evening) for word in words[1:]) or words[-1] in "+-–−"  # `Toni W+`
    )
    named = names_player_and_game(words, evening.words, evening.players) or names_suit_and_result(words, evening)
    return spoken if of_player or named or names_unknown_game(words, evening) else None


def is_everyday(spoken: SpokenDeal, line: TypedLine, evening: Evening) -> bool:
    """Return whether a message may be talk: it says neither how it ended nor with whom, and its game is an everyday
    word: `Toni hat a Sau`."""
    told = spoken.stated or spoken.payments or spoken.partner or not spoken.game or spoken.game.suit
    named = names_player_and_game(words_of_line(line.text), evening.words, evening.players)
    return line.is_chat and not (told or named or (spoken.game and spoken.game.contract in NO_GAME))


def names_unknown_game(words: Sequence[str], evening: Evening) -> bool:
    """Return whether a player and who won stand behind one word that may be the game: `Pflichtspiel Toni verloren`."""
    behind = words[2:] if words[1:2] == [":"] else words[1:]
    ended = any(usual_words()["deal"].get(word) in ("won", "lost") for word in behind)
    return ended and begins_with_name(behind, evening.players)


def may_begin_otherwise(words: Sequence[str], evening: Evening) -> bool:
    """Return whether a message that begins with neither player nor game may tell a deal: it begins with a round, who
    dealt or knocked, or `heute`, or is short and says who won."""
    first = words[0] if words else ""
    is_said = usual_words()["deal"].get(first) in ("dealer", "knocks") or first in usual_words()["rounds"]
    is_before = is_said or first in ("heut", "heute", "jetzt")
    named = names_player_and_game(words, evening.words, evening.players)
    return ((is_before or is_short(words)) and named) or plays_unknown(words, evening)


def tells_of_writer(words: Sequence[str], evening: Evening) -> bool:
    """Return whether a short message says of its writer what he played, and who won: `Hab Solo verloren`."""
    return bool(words) and words[0] in WRITER and names_player_and_game(words, evening.words, words[:1])


def plays_unknown(words: Sequence[str], evening: Evening) -> bool:
    """Return whether a short message begins with a word of no deal, and goes on with a game: `Resi Geier verloren`."""
    if not is_short(words) or words[0] in known_words(evening.words) or not words[0].isalpha():
        return False
    return names_player_and_game(words[:2], evening.words, words[:1])


def is_short(words: Sequence[str]) -> bool:
    """Return whether a message of few words says who won, and does not begin like a question: `Hat Toni …`."""
    kinds = [usual_words()["deal"].get(word) for word in words]
    ended = "won" in kinds or "lost" in kinds
    return ended and sum(map(str.isalpha, words)) <= MOST_WORDS and not words[0].startswith(("ha", "ho"))


def names_suit_and_result(words: Sequence[str], evening: Evening) -> bool:
    """Return whether words name a suit, and say who won: `T/K Eichel gewonnen`."""
    suit = any(len(word) > 1 and word in evening.words.words.suits for word in words)
    return suit and any(usual_words()["deal"].get(word) in ("won", "lost") for word in words)


def may_be_of_deal(word: str, evening: Evening) -> bool:
    """Return whether a word behind the name of a player says what he played, or how it ended."""
    return (
        usual_words()["deal"].get(word) in (*RESULTS, "calls")
        or word in usual_words()["doubles"]
        or word in RESULT_LETTERS
        or usual_words()["unclear"].get(word) == "what-march"
        or word in game_names(evening.words)
        or (len(word) > 1 and word in evening.words.words.suits)
    )


def with_line_below(line: TypedLine, below: TypedLine, evening: Evening) -> TypedLine | None:
    """Return a line that tells a deal together with the line below, if that goes on with it: `gewonnen mit 67`, `mit
    Lois, 2 Laufende`; None if it does not. In a chat it does only if the deal does not say yet how it ended and both
    are understood; in a text both belong together then even if they are not."""
    if is_game_alone(line, evening) and not (below.is_left_out or below.is_numbered):
        words = words_of_line(below.text)
        of_deal = begins_with_name(words, evening.players)
        is_whole = names_player_and_game(words, evening.words, evening.players)
        return line._replace(text=f"{line.text.rstrip(' :')} {below.text}") if of_deal and not is_whole else None
    if row := amount_row(below, evening) or row_of_names(below, evening):
        return with_row_below(line, below, row, evening)
    bare = bare_text(below.text)
    text = DETAIL.sub("", bare, count=1)
    is_detail, words = text != bare, words_of_line(text)
    kinds, doubles = usual_words()["deal"], usual_words()["doubles"]
    kinds_of = {word: kinds.get(word, "filler" * (word in FILLERS or word in "+&" or word.isdigit())) for word in words}
    empty = {word for word, kind in kinds_of.items() if kind in ("and", "filler")}
    first = next((word for word in words if word not in empty), "")
    goes_on = is_detail or doubles_first(words, evening) or kinds.get(first) in (*GOING_ON, "price") or first in doubles
    if below.is_numbered or below.is_left_out or not goes_on or first == words[0] == "l":
        return None
    is_game = begins_with_game(words, evening.words) and kinds.get(first) != "partner"
    if not is_detail and (head_pair(below.text) or is_game):
        return None
    if begins_with_name(words, evening.players) and not doubles_first(words, evening):
        return None
    if names_player_and_game(words, evening.words, evening.players):
        return None  # a deal of its own: `Kontra Lois, Sepp Wenz`
    spoken = deal_of_line(line, evening, None)
    if not isinstance(spoken, SpokenDeal) or (line.is_chat and (spoken.payments or "?" in below.text)):
        return None
    if line.is_chat and spoken.stated and not all(adds_fact(word) for word in words):
        return None
    whole = f"{line.text.rstrip(' ,;.')}, {text}"
    is_price = kinds.get(first) == "price"
    goes_on = not line.is_chat and not spoken.stated and not is_price  # else it must be understood
    if goes_on or isinstance(read_spoken_deal(whole, evening.words, evening.players), SpokenDeal):
        return line._replace(text=whole)
    return None


def row_of_names(below: TypedLine, evening: Evening) -> str | None:
    """Return a line of a text that has a name and an amount for each player and nothing else, if the deal before has
    such amounts too, so that these are no sums below all deals; None for any other line."""
    goes_on = not evening.deals or (SIGNED.search(evening.last) and not paid_names(evening.last))
    is_row = goes_on and not below.is_chat and len(paid_names(below.text)) == len(evening.players)
    return with_amounts_behind(below.text) if is_row else None


def with_row_below(line: TypedLine, below: TypedLine, row: str, evening: Evening) -> TypedLine | None:
    """Return a line that tells a deal without its amounts together with a row of them that has no number of its own."""
    is_behind_row = evening.last and amount_row(line._replace(text=evening.last), evening)  # whose deal may be this one
    is_own = below.is_numbered or re.sub(OF_ROW, "", below.text, count=1) != below.text
    spoken = None if is_own or is_behind_row else deal_of_line(line, evening, None)
    if not isinstance(spoken, SpokenDeal) or spoken.game is None or spoken.payments or "price" in spoken.stated:
        return None
    whole = f"{line.text.rstrip(' ,;.')}, {row}"
    joined = read_spoken_deal(whole, evening.words, evening.players)
    paid = (isinstance(joined, SpokenDeal) and joined.payments) or ()
    paid = tuple(paid.values()) if isinstance(paid, dict) else paid
    is_of_deal = is_paid(paid) and spoken.game.contract not in NO_GAME
    return line._replace(text=whole) if is_of_deal or (paid and not any(paid)) else None


def is_game_alone(line: TypedLine, evening: Evening) -> bool:
    """Return whether a line of a text has nothing but a game, whose players are in the line below: `Herz-Solo:`."""
    if line.is_chat or line.is_left_out or not begins_with_game(words_of_line(line.text), evening.words):
        return False
    spoken = read_spoken_deal(line.text.rstrip(" :"), evening.words, evening.players)
    return isinstance(spoken, SpokenDeal) and not (
        spoken.declarer or spoken.partner or spoken.stated or spoken.payments
    )


def doubles_first(words: Sequence[str], evening: Evening) -> bool:
    """Return whether words begin with a player who says Kontra or Re: `Sepp Kontra`, `Sepp gibt Re`."""
    length = length_of_name(words, 0, evening.players)
    behind = [word for word in words[length:] if word not in GIVES]
    return length > 0 and behind[:1] != [] and behind[0] in usual_words()["doubles"]


def adds_fact(word: str) -> bool:
    """Return whether a word can only add to a deal that is told to its end, and to no other: `und Schneider`, `3
    Laufende`."""
    is_sign = not word[0].isalpha() or word in usual_words()["doubles"]
    return is_sign or usual_words()["deal"].get(word) in (*ENDS, "no-schneider", "runners", "no", "and")


def amount_row(line: TypedLine, evening: Evening) -> str | None:
    """Return the amounts of a line of a text that has one for each player and nothing else but the number of its deal,
    each with its sign; None for any other line."""
    match = None if line.is_chat else ROW.fullmatch(line.text)
    if match and TIGHT.search(line.text) and not SIGNED.search(line.text):
        return None  # `10/20/50` is a tariff
    amounts = UNSIGNED.sub("+", BETWEEN.sub(" ", match["amounts"])) if match else ""
    cells, players = amounts.split(), len(evening.players)
    if len(cells) == players + 1 and cells[0] == f"+{evening.deals + 1}":
        amounts = amounts.split(maxsplit=1)[1]
    return amounts if len(amounts.split()) == players else None


def is_unread_row(line: TypedLine, evening: Evening) -> bool:
    """Return whether a line of a text has nothing but amounts, if not one for each player, or some of them with a
    letter that the text of a photo has for a digit (`-2O 20 -20 20`); or as many numbers as there are players, some
    of them signed amounts in whatever way: `L -50 B +150 …`, `0,50-`, `(50)`."""
    if line.is_chat or line.is_left_out or line.text.startswith("|") or len(line.text) > LONGEST:
        return False  # a row of a table tells whatever the heads say
    signed, numbers = (len(each.findall(line.text)) for each in (SIGNED_NUMBER, NUMBER))
    if signed > 1 and numbers == max(FEWEST, min(len(evening.players), MOST_AT_PLAY)):
        return True
    cells = re.sub(OF_ROW, "", line.text, count=1).replace(";", " ").replace("|", " ").split()
    if cells == [*map(str, range(1, len(cells) + 1))]:
        return False  # numbers of deals, above columns
    numbers = sum(IS_AMOUNT(cell.strip(",")) is not None for cell in cells)
    return len(cells) >= FEWEST and numbers * 2 > len(cells) and all(map(LIKE_AMOUNT.fullmatch, cells))


def tells_in_other_words(words: list[str], evening: Evening) -> bool:
    """Return whether a message that is not understood is no talk: it begins with a player and his game, or with whom he
    called and how it ended, or with a Ramsch of somebody."""
    if may_begin_otherwise(words, evening) and is_short(words):
        return True
    if not begins_with_name(words, evening.players):
        contract = evening.words.phrases.get(tuple(words[:1]), ("", None))[0]
        named = any(length_of_name(words, at, evening.players) for at in range(1, len(words)))
        return named and not evening.words.words.declarer.get(contract, True)
    kinds = [usual_words()["deal"].get(word, "calls" * (word in ON)) for word in words]
    ended = "calls" in kinds and ("won" in kinds or "lost" in kinds)
    ended |= not {"gew", "verl"}.isdisjoint([word for word in words if word.isalpha()][-1:])
    return ended or plays_at_once(words, evening)


def plays_at_once(words: list[str], evening: Evening) -> bool:
    """Return whether a message begins with a player and goes on with his game: `Sepp Wenz`, `Sepp spielt an Wenz`."""
    begin = 1 if words and words[0] in ARTICLES else 0
    length = length_of_name(words, begin, evening.players) or length_of_name(words, 0, evening.players)
    after = [
        word for word in words[begin + length :] if usual_words()["deal"].get(word) != "filler" and word not in OF_GAME
    ]
    if after and length and after[0].endswith(COMPOUNDED):
        return True
    return length > 0 and names_player_and_game(
        [*words[begin : begin + length], *after[:1]], evening.words, evening.players
    )


def sums_below(line: TypedLine, below: Iterable[TypedLine], evening: Evening) -> int:
    """Return how many lines below one belong to it, if all of these are of one player and his amount each, those of all
    players, and add up to zero: what each has won in all, behind the deals."""
    block = [line, *islice(below, len(evening.players) - 1)]
    if not evening.deals or not all(is_paid_to(UNSIGNED.sub("+", each.text), evening.players) for each in block):
        return 0
    names = paid_names(" ".join(each.text for each in block))
    return len(block) - 1 if set(map(str.casefold, names)) == set(map(str.casefold, evening.players)) else 0


def is_sum(spoken: SpokenDeal | Finding, evening: Evening) -> bool:
    """Return whether amounts without a game are those of all deals before, added up: a line under them."""
    if isinstance(spoken, Finding) or spoken.game or evening.deals < 2 or evening.sums is None:
        return False
    paid = seated_deal(spoken, evening.players, evening.whole_euros, None).stated
    return paid is not None and paid.payments == evening.sums


def added_deal(deal: Deal, evening: Evening) -> Deal:
    """Return the deal, after adding its amounts to those of the evening."""
    paid = deal.stated.payments if deal.stated else None
    before = evening.sums if evening.deals > 1 else (0,) * len(evening.players)
    whole = paid is not None and None not in paid and before is not None
    evening.sums = tuple(a + (b or 0) for a, b in zip(before or (), paid or (), strict=True)) if whole else None
    return deal


def is_whole(spoken: SpokenDeal) -> bool:
    """Return whether a line of a chat says who played, so that it is no talk about a game."""
    if spoken.game is None or spoken.game.contract in NO_GAME:
        return True
    return bool(spoken.declarer or "loser" in spoken.stated or isinstance(spoken.stated.get("points"), dict))
