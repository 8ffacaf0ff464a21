"""A line of words that tells a deal, while it is read: its tokens, and what stands at a place among them."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from msgspec import Struct

from archive.cards import read_card
from archive.notation import game_words
from archive.notation.game_words import ContractWords
from archive.notation.list_marks import (
    is_picture,
    with_denials,
    with_pictures_in_words,
    with_results_in_words,
    without_mark,
)
from archive.notation.problem import refuse_entry
from archive.record.names import SMALL, name_key
from archive.say import message

KEY = "deal"
TO = r"(?: ?: ?| (?i:(?:(?:augen|punkte|points) )?(?:zu|gegen|to)) )"  # between the points of both sides
BOTH = rf"(\d{{1,3}}){TO}(\d{{1,3}})"
AS_CLOCK = r"(?:[01]?\d|2[0-4]):[0-5]\d"  # what are points only if they are all
COUNT = r"(?i)\b(mit|m|ohne|o|l)(\d{1,2})\b(?![.,:]\d)"  # `m3`, `o2`, `L3`
TOKEN = (  # this and others are compiled for lines of words alone
    rf"\d{{1,3}}{TO}\d{{1,3}}\b|"
    r"[+\-−–]?\d{1,9}[.,]\d\d?(?!\d)|[+\-−–]\d{1,9}(?!\d)|\d+[.,]\d+|\d+"
    r"|[^\W\d_][\w'’]*|[^\s\w]"
)
ARTICLE = r"^[dD]['’](?=\w)"  # of Bavarian: `d'Alte`
APART = r"(?<=\w )d (?=[A-ZÄÖÜ][a-zäöüß])"  # the same: `Sepp d Alte`
OWNER = r"(?<=\w)['’]s$|(?<=\ws)['’]$"  # `Sepp's`, `Hans'`
SLIP = 0.8  # how alike a word of ours is to one that may be a name, if this is a slip of the pen
SLIP_OF_NAME = 0.84  # the same in a place for a name
LONGEST = 400  # characters of a line
RECENT = 64  # lines whose words are kept, as each is looked at in many ways
LONGEST_INITIAL = 3  # letters of a name that stand for it
ALL_POINTS = 120
TITLES = frozenset(("dr", "prof", "ing", "st"))
ARTICLES = ("der", "die", "da", "de", "d'", "the")
SEAT = r"(?<!\w)([SRGsrg]\d):"  # the mark of a list, or a player called so: `S1: Wenz`
DASHED = r"(?<![\w+\-−–.,:/])(\d{1,3})(?:[-–/]| [-–/] )(\d{1,3})(?![\w:/]|[.,]\d)"
PAYING_ARROW = r"\s*(?:[-–=]>|[→⇒➔])\s*(?=[+\-−–]?\d)"  # before an amount, as `=`
ARROW = r"\s*(?:[-–=]>|[→⇒➔])\s*(?=[^\W\d_])"
CUT = r"(?i)\b((?:(?:au|u|a|aa)ff?|ruff?t|sucht) die (?:alt|blau))(?!\w)"  # as in Franconia
EVERYDAY = frozenset(  # names of games that people say of other things
    "sie as bock simple alte alten ruf rufer dame sau ass ace pig sow kreuz cross krone keni könig koenig bart"
    " hochzeit wedding marriage adler junk blitz jack jacks jäger kugel kugeln solitaire patience 66".split()
)
LEAST_LETTERS = 3  # of a name that stands where none is expected, or with a number behind it
SOON = 5  # words from the beginning of a line, among which the game is
AMOUNT = r"(?P<sign>[+\-−–])?(?P<whole>\d{1,9})(?:[.,](?P<part>\d\d?))?"


class Amount(NamedTuple):
    """An amount of a line in hundredths, whether it is in euros, whether it has a sign, and cents behind it."""

    hundredths: int
    is_money: bool
    is_signed: bool
    in_cents: bool = False


class Line(Struct):
    """A line while it is read: its tokens as written and in lower case, the place reached, what was understood."""

    text: str
    tokens: list[str]
    words: list[str]
    of: ContractWords
    players: tuple[tuple[tuple[str, ...], str], ...] | None  # the words that call each; None: table not known
    names: tuple[str, ...] = ()
    place: int = 0
    game: list[str] = []
    people: dict[str, str] = {}
    knocks: list[str] = []
    knock_count: int | None = None
    doubles: list[tuple[str, str | None]] = []
    no_doubles: bool = False
    stated: dict[str, Any] = {}
    by_name: dict[str, Amount] = {}
    amounts: list[Amount] = []
    is_alone: bool = False  # against all others
    of_defence: bool = False  # it was said how the declarer's opponents came out
    all_runners: bool = False
    all_knocked: bool = False
    against: list[str] = []
    calls: bool = False  # a partner or a suit
    rounds: list[str] = []
    one_virgin: bool | None = None  # of virgins without names or number: whether the word is of one
    role: str | None = None  # of the name that comes next
    titled: tuple[tuple[tuple[str, ...], str], ...] = ()  # names by their shape, if the table is not known
    rest: Amount | None = None  # what each of those not named gets
    out: list[str] = []  # who sits out
    card_points: dict[str, int] = {}  # of each player, in a game that nobody declares
    short: dict[str, str] = {}  # words that call a player by a part of the name, and the whole of it


RESULTS = ("won", "lost", "schneider", "schwarz", "runners", "points", "knocks")
OUTCOMES = (*RESULTS, "price", "euros")


def begins_like_deal(text: str, of: ContractWords, players: Sequence[str] | None) -> bool:
    """Return whether a line names a game, or nearly, and says how it ended: a deal, if a bad one. If `players` are
    given it must begin with one of them, or with a game."""
    words = words_of_line(text)
    kinds, doubles = game_words.usual_words()["deal"], game_words.usual_words()["doubles"]
    if not any(
        kinds.get(word) in OUTCOMES
        or word in doubles
        or (word[0] in "+-−–" and re.fullmatch(AMOUNT, word))
        or (word[0].isdigit() and is_whole_count(word))
        for word in words
    ):
        return False
    if players is not None and not begins_with_name(words, players) and not begins_with_game(words, of):
        return False
    named = any(word in game_names(of) or len(game_words.split_compound(word, of)) > 1 for word in words)
    return named or bool(game_words.hint_of(words[:SOON], game_names(of), same_letter=players is not None))


def words_of_line(text: str) -> list[str]:
    """Return the words of a line in lower case, without the mark of a list before it and without pictures."""
    return [*_words(text[: LONGEST + 1])]


@lru_cache(RECENT)
def _words(text: str) -> tuple[str, ...]:
    tokens = re.findall(TOKEN, bare_text(text))
    return tuple(token.casefold() for token in tokens if token.isascii() or not is_picture(token))


@lru_cache(RECENT)
def bare_text(text: str) -> str:
    """Return a line without the mark of a list before it, with a colon in `74-46` and `74/46`, if these are all points,
    with `mit` for an arrow, or `=` before a number, with a blank in `m3`, with the sign of a suit for its picture
    before a Solo or behind `auf`, and with the word for a tick or a cross."""
    text = without_mark(text if text.isascii() else with_pictures_in_words(text))
    text = re.sub(PAYING_ARROW, " = ", re.sub(ARROW, " mit ", again().sub(", ", with_results_in_words(text))))
    text = with_denials(text)
    text = re.sub(APART, "die ", text) if "d " in text else text
    text = re.sub(CUT, r"\1e", text) if " die " in text.casefold() else text

    def with_colon(both: re.Match[str]) -> str:
        return f"{both[1]}:{both[2]}" if int(both[1]) + int(both[2]) == ALL_POINTS else both[0]

    return re.sub(DASHED, with_colon, re.sub(COUNT, r"\1 \2", text))


@cache
def again() -> re.Pattern[str]:
    """Return the pattern of an arrow before what came of cards that were thrown in: `alle passen -> neu geben`."""
    words = "|".join(map(re.escape, game_words.usual_words()["again"]["words"]))
    return re.compile(rf"\s*(?:[-–=]>|[→⇒➔])\s*(?=(?:{words})\b)", re.IGNORECASE)


def is_whole_count(word: str) -> bool:
    """Return whether a word has the points of both sides, all 120 of them: no clock has."""
    both = re.fullmatch(BOTH, word)
    return both is not None and int(both[1]) + int(both[2]) == ALL_POINTS


def begins_with_game(words: Sequence[str], of: ContractWords) -> bool:
    """Return whether the first of some words names a game or a suit, or is the sign of one."""
    known = (game_names(of), of.words.suits.keys(), game_words.usual_words()["suit-signs"].keys())
    return bool(words) and (any(words[0] in each for each in known) or len(game_words.split_compound(words[0], of)) > 1)


def begins_with_name(words: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether the first of some words, after any article, are the name of a player, or say what is his."""
    first = [re.sub(ARTICLE, "", word) for word in words[:1] if word not in ARTICLES]  # `d'Vroni`
    own = [re.sub(rf"{OWNER}|(?<=\w)s$", "", word) for word in words[:1]]
    return any(length_of_name(each, 0, names) for each in (words, [*first, *words[1:]], [*own, *words[1:]]))


def names_player_and_game(words: Sequence[str], of: ContractWords, names: Sequence[str]) -> bool:
    """Return whether a line names a player of the table, and a game by a word that means nothing else."""
    is_named = begins_with_name(words, names) or any(length_of_name(words, at, names) for at in range(1, len(words)))
    games = (len(game_words.split_compound(word, of)) > 1 or (word,) in of.phrases for word in {*words} - EVERYDAY)
    return is_named and any(games)


def length_of_name(words: Sequence[str], place: int, names: Sequence[str]) -> int:
    """Return how many words from a place on call one of some players; 0 if they call none."""
    own = (each for each, _ in words_of_names(tuple(names)))
    return next((len(each) for each in own if tuple(words[place : place + len(each)]) == each), 0)


@lru_cache(maxsize=1024)
def words_of_names(names: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Return the words by which a line may call each player of a table, the longest first: the name, the name without
    its signs, and each word of it that no other player has and that is not of the game."""
    whole = {
        name: tuple(token.casefold() for token in re.findall(TOKEN, name) if not is_picture(token)) for name in names
    }
    plain = {name: tuple(name_key(name).split()) for name in names}
    count = Counter(word for words in plain.values() for word in words)
    taken = SMALL | TITLES | words_of_games(game_words.contract_words())
    parts = {
        (word,): name
        for name, words in plain.items()
        for word in words
        if count[word] == 1 and word.isalpha() and word not in taken and (word[1:] or f"({word})" in name.casefold())
    }
    unsigned = {words: name for name, words in plain.items() if words[:-1] not in plain.values()}
    called = parts | unsigned | {words: name for name, words in whole.items()}
    return tuple(sorted(((words, name) for words, name in called.items() if words), key=lambda each: -len(each[0])))


@cache
def words_of_games(of: ContractWords) -> frozenset[str]:
    """Return the words of more than one letter that a line may have besides names."""
    ranks = game_words.usual_words()["ranks"]
    return frozenset(word for word in (*known_words(of), *game_names(of), *of.words.suits, *ranks) if len(word) > 1)


@cache
def game_names(of: ContractWords) -> frozenset[str]:
    """Return every word by which a contract is known."""
    return frozenset(word for phrase in of.phrases for word in phrase) - game_words.FILLERS


def tokens_of(text: str, players: Sequence[str]) -> list[str]:
    """Return the words, numbers and signs of a line; `Sepp's` is Sepp, unless that is somebody's name at the table."""
    own = {token.casefold() for name in players for token in re.findall(TOKEN, name)}
    text = re.sub(SEAT, lambda mark: f"{mark[1]} " if mark[1].casefold() in own else mark[0], text)
    tokens = [token for token in re.findall(TOKEN, bare_text(text)) if not is_picture(token)]
    owner = tokens[0] if tokens else ""
    if owner[-1:] == "s" and owner.casefold() not in own and owner[:-1].casefold() in own:
        tokens[0] = owner[:-1]  # `Sepps Wenz`
    return [token if token.casefold() in own else re.sub(ARTICLE, "", re.sub(OWNER, "", token)) for token in tokens]


def kind_at(line: Line, place: int) -> str | None:
    """Return the kind of fact that the word at a place is about, or None for any other word."""
    return game_words.usual_words()["deal"].get(line.words[place]) if 0 <= place < len(line.words) else None


def number_at(line: Line, place: int) -> int | None:
    """Return the number at a place, in digits or as a word, or None."""
    word = line.words[place] if 0 <= place < len(line.words) else ""
    if word.isdecimal() and word.isascii():
        return int(word) if len(word) < 10 else None
    if any(own == (word,) for own, _ in line.players or ()):
        return None  # somebody is called so
    return game_words.number_words().get(word)


def amount_at(line: Line, place: int) -> tuple[Amount, int] | None:
    """Return the amount at a place and the place after it: a number with a sign, with decimals or before `€`; its unit
    belongs to it. None if there is none."""
    match = re.fullmatch(AMOUNT, line.words[place]) if 0 <= place < len(line.words) else None
    unit = kind_at(line, place + 1)
    in_euros = unit == "euros"
    if match is None or not (match["sign"] or match["part"] or in_euros):
        return None
    if "." in match[0] and not (match["sign"] or unit):
        whole, part = map(int, line.words[place].split("."))
        is_day = line.words[place + 1 : place + 2] == ["."] and 0 < whole < 32 and 0 < part < 13
        if place == 0 or is_day or whole in range(13, 25):
            return None  # rather a day or a clock: `14.11.`, `19.30 Toni`, `21.30`
    hundredths = 100 * int(match["whole"]) + int((match["part"] or "0").ljust(2, "0"))
    signed = -hundredths if (match["sign"] or "+") != "+" else hundredths
    in_cents = bool(match["sign"] and unit == "price")
    amount = Amount(signed, bool(match["part"]) or in_euros, bool(match["sign"]), in_cents and not match["part"])
    return amount, place + 1 + (in_euros or in_cents)


def name_at(line: Line, place: int) -> tuple[str, int] | None:
    """Return the player whose name stands at a place, and how many tokens it has (the longest that fits), or None."""
    if line.tokens[place : place + 1] == ["a"] and "A" in line.names:
        return None  # `C won a Wenz`
    called = line.titled if line.players is None else line.players
    fits = ((name, len(own)) for own, name in called if (*line.words[place : place + len(own)],) == own)
    named = next(fits, None)
    return None if named and is_letter_of_game(line, place, named[0]) else named


def is_letter_of_game(line: Line, place: int, name: str) -> bool:
    """Return whether a letter that is a name, or stands behind one, `Hans (H)`, is rather runners, before a number, or
    the suit of a game beside it, if this can have one and none is named. Raise Problem if it may be either: `Wenz H`,
    `Toni ruft H`, `Toni Ruf H` without a partner."""
    word, before, behind, of = line.words[place], line.words[place - 1], (*line.words, "")[place + 1], line.of
    if len(word) > 1 or not place:
        return False
    if word not in of.words.suits:
        is_count = not line.role and len(name) > 1 and word in "lmo"
        return is_count and 0 < (number_at(line, place + 1) or 0) <= game_words.MOST_RUNNERS
    parts = (part for game in line.game for part in game_words.split_compound(game, of))
    named = [of.phrases.get((part,), ("", part in of.words.suits)) for part in parts]
    if any(suit or not of.words.declarer.get(contract, True) for contract, suit in named):
        return False
    at, is_told = place + 1, "declarer" in line.people
    kinds = {kind_at(line, each) for each in range(at, len(line.words))} | line.people.keys()
    calls = kinds.isdisjoint(("with", "partner")) and any(of.words.takes.get(each) == "called" for each, _ in named)
    acts = kind_at(line, at) == "knocks" or behind in game_words.usual_words()["doubles"] or len(name) == 1
    is_beside = not line.role and is_game_word(line, place - 1 - (before == "-"))
    if (is_beside and (not is_told or calls or acts)) or (line.role and kind_at(line, place - 1) == "calls"):
        refuse_entry(KEY, line.text, message("notation.name-or-result", word=line.tokens[place]))
    is_before = is_told and at < len(line.words) and is_game_word(line, at)
    is_before |= before in game_words.FILLERS and before not in ("von", "vo", "of", "der")
    return not line.role and (is_beside or is_before)


def is_name(line: Line, place: int) -> bool:
    """Return whether a word can be somebody's name if the table is not known: no word of ours, nor nearly one."""
    token, word, tables = line.tokens[place], line.words[place], game_words.usual_words()
    may_stand = token[:1].isalpha() and (token[:1].isupper() or line.role or place == 0)
    if line.players is not None or not may_stand:
        return False
    never = tables["never-names"]
    if word in never["words"] or word in game_words.number_words() or word.endswith(tuple(never["endings"])):
        return False
    known = known_words(line.of) | tables["unclear"].keys()
    near = SLIP_OF_NAME if place == 0 or line.role else SLIP
    return (
        not (is_mark(line, place) or is_game_word(line, place))
        and word not in known
        and not (len(word) > 4 and game_words.hint_of([word], meaningful_words(line.of), same_letter=True, near=near))
    )


def is_mark(line: Line, place: int) -> bool:
    """Return whether a word is hardly a name but a mark that tables have: one letter that stands for something there,
    two signs where no name is expected, or up to two letters with a number (`L3`)."""
    token, word = line.tokens[place], line.words[place]
    letters = len(token.rstrip("0123456789"))
    if letters < len(token):
        return letters < LEAST_LETTERS
    if line.role or place == 0:
        return any(word in marks for marks in game_words.usual_words()["letters"].values())
    return letters < LEAST_LETTERS


def is_game_word(line: Line, place: int) -> bool:
    """Return whether a word belongs to what is played; one letter behind the result does not, as it may be a mark."""
    word = line.words[place]
    if len(word) == 1 and word.isalpha() and "won" in line.stated:
        return False
    parts = game_words.split_compound(word, line.of)
    alone = len(word) == 1 and line.tokens[place].isupper() and bool(line.game) and read_card(f"{word}A") is not None
    named = (parts[0] in game_words.contract_names(line.of) and len(word) > 1) or len(parts) > 1
    card = bool(line.game) and bool(read_card(word))
    sign = word in game_words.usual_words()["suit-signs"]
    ace = line.tokens[place] in ("EA", "GA", "HA", "SA") and kind_at(line, place + 1) == "with"  # `Hias EA mit Beni`
    return (named or alone or card or sign or ace) and (word != "schwarz")


@cache
def meaningful_words(of: ContractWords) -> frozenset[str]:
    """Return the words that mean something in a line: a name near one may be a slip of the pen."""
    kinds, unclear = game_words.usual_words()["deal"], game_words.usual_words()["unclear"]
    return frozenset(word for word in (*known_words(of), *unclear) if kinds.get(word) != "filler")


@cache
def known_words(of: ContractWords) -> frozenset[str]:
    """Return every word that a line may have besides names."""
    tables = game_words.usual_words()
    of_games = (*game_words.contract_names(of), *game_words.compounds(of), *game_words.FILLERS)
    usual = (word for name in ("deal", "doubles", "numbers", "tens", "rounds") for word in tables[name])
    return frozenset((*of_games, *usual))
