"""Lines that tell no deal and say something of one before, or of several: corrections, additions, special rounds. Each
is asked about, since it does not say which deal it means."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice, pairwise, product

from archive.notation.game_words import ContractWords, usual_words
from archive.notation.spoken_deal import SpokenDeal, read_spoken_deal
from archive.notation.spoken_facts import HALF, MOST_BARE_RUNNERS, MOST_RUNNERS
from archive.notation.spoken_line import (
    ARTICLES,
    EVERYDAY,
    RESULTS,
    begins_like_deal,
    begins_with_game,
    begins_with_name,
    game_names,
    known_words,
    length_of_name,
    names_player_and_game,
    words_of_line,
)
from archive.notation.spoken_people import GIVES
from archive.record import Finding, finding
from archive.record.names import name_key
from archive.say import Message, message
from importers.chat_messages import TypedLine
from importers.marked_text import STARRED
from importers.player_lists import head_pair
from importers.text import OF_DEAL_NUMBER
from importers.typed_deals import GOING_ON, MONEY, WRITER, begins_with_initial
from importers.typed_heads import Evening

Told = SpokenDeal | Finding | None
MOST_WORDS = 12  # words of a line that says who plays for whom
FACTS = (*RESULTS, "price", "euros")
ENDED = frozenset(("won", "lost"))
BESIDE = ("schneider", "schwarz", "runners", "knocks", "double")  # what a price may stand behind, too


@cache
def words_of_table(of: ContractWords, players: tuple[str, ...]) -> frozenset[str]:
    """Return the words of deals, and those of the names of some players."""
    of_names = (word for name in players for word in name_key(name).split())
    return frozenset((*known_words(of), *game_names(of), *GIVES, *of_names))


@cache
def words_apart() -> frozenset[str]:
    """Return the words of corrections that are none of deals."""
    return frozenset(
        word for key in ("begins", "otherwise", "lacks", "beside") for word in usual_words()["corrections"][key]
    )


def question_about(line: TypedLine, evening: Evening, below: Iterable[TypedLine]) -> Message | None:
    """Return what is to be asked about a line that tells no deal: a correction, who stands in, if the line below names
    nobody, or a round that counts for others."""
    if corrects_deal(line, evening):
        return message("importers.correction")
    if stands_in(line, evening) and not any("players" in (head_pair(each.text) or ()) for each in islice(below, 1)):
        return message("importers.stand-in-line")
    named = names_round(line)
    return message("notation.round-alone", word=named) if named else None


def stands_in(line: TypedLine, evening: Evening) -> bool:
    """Return whether somebody plays for a player of the table from a line on: `Ab jetzt Gerd für Babsi`, `Gerd statt
    Babsi`. `Brezn für Babsi` may be what is paid, and `Jetzt wird es eng für Babsi` is talk: one word alone stands in,
    beside those that say from when."""
    words, of = words_of_line(line.text), usual_words()["stand-in"]
    if line.is_left_out or "?" in line.text or len(words) > MOST_WORDS or (line.is_chat and not evening.deals):
        return False
    for part, word in product(re.split(r"[,;.!–] ", line.text), of["between"]):
        before, _, behind = (each.split() for each in f" {' '.join(words_of_line(part))} ".partition(f" {word} "))
        of_name = length_of_name(behind, 0, evening.players)
        others = [each for each in (*before, *behind[of_name:]) if each not in of["from"]]
        who = [each for each in others if each.isalpha() and each not in of["when"]]
        is_plain = word not in of["for"] or len(others) < len(before) + len(behind[of_name:])
        if of_name and is_plain and len(who) == 1 and who[0] in before:
            return True
    whole = f" {' '.join(words)} "
    takes = re.search(rf" (?:{'|'.join(of['anywhere'])}) (?!d(?:ie|as|en|er) )", whole)
    comes = next((each for each in of["comes"] if f" {each} " in whole), None)
    may_come = comes and not (line.is_chat or begins_like_deal(line.text, evening.words, None))
    who = whole.partition(f" {comes} ")[0].split()[-1:] if may_come else []
    known = words_of_table(evening.words, evening.players).union(usual_words()["never-names"]["words"])
    is_new = bool(who) and evening.deals > 0 and known.isdisjoint(who)
    return is_new or (bool(takes) and any(length_of_name(words, at, evening.players) for at in range(len(words))))


def ask_what_counts(spoken: Told, line: TypedLine, lines: Sequence[TypedLine], evening: Evening) -> Told:
    """Return what a line tells, or the question what a bare number behind the result counts, which was read as card
    points, if such a number of another line can count none, and all may be prices: `Wenz verloren 50` beside `Sauspiel
    gewonnen 20`."""
    _, number = read_bare_result(line) or (True, 0)
    if not number or not isinstance(spoken, SpokenDeal) or spoken.stated.get("points") != number:
        return spoken
    if "price" in spoken.stated or spoken.payments:
        return spoken
    if evening.has_prices is None:
        results = [each for line in lines if (each := read_bare_result(line))]
        may_be = all(price % 5 == 0 for _, price in results)
        evening.has_prices = may_be and not all(may_count for may_count, _ in results)
    why = message("notation.points-or-cents", number=number)
    return finding("bad-entry", key="deal", entry=line.text, expected=why) if evening.has_prices else spoken


def read_bare_result(line: TypedLine) -> tuple[bool, int] | None:
    """Return whether the number behind how a game ended may be the points that it was won or lost with, and the number,
    if no word says what it counts; or None. Those of a Ramsch may be any; the others win with half of them."""
    kinds, words = usual_words()["deal"], [word for word in words_of_line(line.text) if word not in ".,"]
    meanings = [kinds.get(word, "double" * (word in usual_words()["doubles"])) for word in words]
    bare = (
        (before, int(word))
        for before, word, behind in zip(meanings, words[1:], [*meanings[2:], ""], strict=False)
        if word.isdecimal() and behind not in FACTS
    )
    of_result = (
        each
        for before, each in bare
        if (before in BESIDE and each > MOST_RUNNERS)
        or (before in ENDED and (each > MOST_BARE_RUNNERS or each % 5 == 0))  # `gewonnen, 2x Kontra`
    )
    number = next(of_result, None)
    if number is None or ENDED.isdisjoint(meanings) or "uhr" in words:
        return None
    least = HALF if "defence" in meanings else HALF + 1
    return ("won" in meanings) == (number >= least) or "ramsch" in words, number


def names_round(line: TypedLine) -> str:
    """Return the special round that a line names, which tells no deal and nothing else: `Jetzt Bockrunde!`; empty if it
    names none."""
    words = [word for word in words_of_line(line.text) if word.isalpha()] if not line.is_left_out else []
    named = [word for word in words if word in usual_words()["rounds"]]
    others = set(words) - set(named)
    return named[0].capitalize() if named and others.issubset(usual_words()["round-words"]["words"]) else ""


def corrects_deal(line: TypedLine, evening: Evening) -> bool:
    """Return whether a line, though no deal, may correct one before it: `nein, war 2,40`, `sorry, der Sepp wars`, `ne,
    verloren`."""
    words, of = words_of_line(line.text), usual_words()["corrections"]
    if line.is_left_out or not evening.deals or "?" in line.text or not words:
        return False
    kinds = usual_words()["deal"]
    if (words[0] in of["titles"] and words[1:2] == [":"]) or is_about_deal(line, words, evening):
        return True
    if says_otherwise(line, words, evening):
        return True
    if words[0] in of["begins"] and words[0] not in of["mild"]:
        behind = [word for word in words[1:] if word.isalpha()]
        known = words_of_table(evening.words, ())
        only_result = any(kinds.get(word) in ("won", "lost") for word in behind) and known - WRITER >= {*behind}
        fact = any(kinds.get(word) in GOING_ON for word in behind) and not line.is_chat
        if only_result or fact:
            return True
    tells = any(word in of["tells"] for word in words)
    named = any(length_of_name(words, at, evening.players) for at in range(len(words)))
    paid = MONEY.search(line.text) is not None or any(word[0] in "+-−–" and word[1:].isdigit() for word in words)
    paid |= any(one.isdigit() and kinds.get(two) == "price" for one, two in pairwise(words))
    counts = tells and words[-1] != "uhr" and any(word.isdigit() for word in words)
    return words[0] in of["begins"] and (paid or counts or (tells and named))


def says_otherwise(line: TypedLine, words: Sequence[str], evening: Evening) -> bool:
    """Return whether a line of nothing but words of deals and of corrections sets one right, or adds to it: `Des war
    doch verloren`, `Kontra vergessen`, `*Geier`; in a chat also what the last deal does not say."""
    of, kinds = usual_words()["corrections"], usual_words()["deal"]
    bare = [word for word in words if word[0].isalpha() and word not in words_apart()]
    if not words_of_table(evening.words, evening.players).issuperset(bare):
        return False
    if line.is_chat and STARRED.fullmatch(line.text):
        return bool(bare)
    found = [kinds.get(word) for word in words]
    facts = [word for word in bare if kinds.get(word) in FACTS or word in usual_words()["doubles"]]
    games = [word for word in bare if word in game_names(evening.words) and word not in EVERYDAY]
    named = [at for at in range(len(words)) if length_of_name(words, at, evening.players)]
    is_void = any(word in of["voids"] or (word in ("zählt", "gilt", "counts") and "no" in found) for word in words)
    of_writer = not WRITER.isdisjoint(words)  # `nein ich hab gewonnen`: who, of what?
    begins = any(word in of["begins"] and word not in of["mild"] for word in words) and not of_writer
    if is_void or ((games and "no" in found) and not facts):
        return True
    if facts and (
        begins or words[0] in of["beside"] or any(word in of["otherwise"] or word in of["lacks"] for word in words)
    ):
        return True
    if any(word in of["otherwise"] for word in words) and (games or named):
        return True
    if begins and "dealer" not in found and any(words[at - 1] in (*ARTICLES, "nicht", "not") for at in named if at):
        return True
    is_told = of_writer or names_player_and_game(words, evening.words, evening.players)
    if is_told or not (line.is_chat and evening.last and facts and len(set(facts)) == len(facts)):
        return False
    whole = read_spoken_deal(f"{evening.last}, {line.text}", evening.words, evening.players)
    return whole != read_spoken_deal(evening.last, evening.words, evening.players)


def is_about_deal(line: TypedLine, words: Sequence[str], evening: Evening) -> bool:
    """Return whether a line says that a deal is repeated (`dito`), or something of one by its number: `Spiel 4 zählt
    nicht`; in a chat only that it does not count, or was otherwise."""
    of, match = usual_words()["corrections"], OF_DEAL_NUMBER.match(line.text)
    if match is None:
        return not line.is_chat and " ".join(word for word in words if word.isalpha()) in of["again"]
    if line.is_numbered or begins_with_name(words, evening.players) or begins_with_game(words, evening.words):
        return False
    behind = words_of_line(line.text[match.end() :])
    if begins_with_initial(line.text, words, evening) or begins_like_deal(line.text, evening.words, None):
        return False
    says = any(word in of["of_deal"] or usual_words()["deal"].get(word) in RESULTS for word in behind)
    return says or not line.is_chat
