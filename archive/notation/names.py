"""Players and cards in strings: the player with whom a string begins, and the cards that it names."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, TypeVar

from msgspec import Struct

from archive.cards import ALPHABETS, other_alphabet, read_card
from archive.notation import game_words
from archive.notation.problem import Problem
from archive.record.names import is_printed, one_form
from archive.say import Message, message

T = TypeVar("T")
SEAT = re.compile(r"[Ss]eat([1-9]\d?)(?=[ :]|$)")
MOST = 99  # players: their seats have at most two digits
RESERVED = frozenset({"blind", "skat", "by", *game_words.NO_GAME})  # words that can stand in a player's place


class Reader(Struct, frozen=True):
    """The names, the letters and the words that the strings of a deal use."""

    players: tuple[str, ...]
    alphabet: str
    spoken: game_words.ContractWords


# --- players --------------------------------------------------------------------------------------------------------


def check_players(players: Sequence[str], alphabet: str) -> None:
    """Refuse names that strings of the format could not tell apart from each other or from its own words."""
    if not players:
        raise Problem("bad-players", "players", why=message("notation.nobody-named"))
    if len(players) > MOST:
        why = message("notation.too-many-players", players=len(players), most=MOST)
        raise Problem("bad-players", "players", why=why)
    for name, why in _unusable_names(tuple(players), alphabet):
        raise Problem("bad-players", "players", name, why=message("notation.no-name", name=name, why=why))


@lru_cache(maxsize=4096)
def _unusable_names(players: tuple[str, ...], alphabet: str) -> tuple[tuple[str, Message], ...]:
    """Return the names that cannot be used, with the reason; cached, as most files have the same players throughout."""
    twice = message("notation.name-twice")
    reasons = (twice if name in players[:at] else _why_no_name(name, alphabet) for at, name in enumerate(players))
    return tuple((name, why) for name, why in zip(players, reasons, strict=True) if why)


@lru_cache(maxsize=4096)
def _why_no_name(name: str, alphabet: str) -> Message | None:
    if not name or not is_printed(name):
        return message("notation.name-blank")
    if name.casefold() in RESERVED or game_words.is_contract(name):
        return message("notation.name-reserved")
    if name[0] == "@":
        return message("notation.name-moment")
    if SEAT.match(name):
        return message("notation.name-seat")
    if read_card(name, alphabet) or read_card(name):  # records are written with German letters
        return message("notation.name-card")
    return None


def seat_of_name(table: Reader, key: str, text: str) -> int:
    """Return the seat of a player whose name is the whole string. Raise Problem if there is none."""
    text = one_form(text)
    if text in table.players:
        return table.players.index(text)
    label = SEAT.fullmatch(text)
    if label and int(label[1]) <= len(table.players):
        return int(label[1]) - 1
    raise Problem("unknown-player", key, text, players=", ".join(table.players))


def players_at_start(table: Reader, text: str) -> list[tuple[int, str]]:
    """Return the players with whom `text` can begin, each with the rest as it is written, the longest name first."""
    written, text = text, one_form(text)
    matches = [
        (len(name), seat)
        for seat, name in enumerate(table.players)
        if text.startswith(name) and (len(text) == len(name) or text[len(name)] in " :,")
    ]
    label = SEAT.match(text)
    if label and int(label[1]) <= len(table.players):
        matches.append((label.end(), int(label[1]) - 1))
    if len(matches) > 1:
        matches.sort(reverse=True)

    def rest_after(length: int) -> str:
        """Return what follows a name, as it is written: only the name is composed."""
        if written is text or written.startswith(text[:length]):
            return written[length:]
        ends = range(length, len(written) + 1)
        return next((written[end:] for end in ends if one_form(written[:end]) == text[:length]), "")

    return [(seat, re.sub(r"^\s*[:,]?", "", rest_after(length)).strip()) for length, seat in matches]


def read_after_player(
    table: Reader, key: str, text: str, read: Callable[[int, str], T], alone: Callable[[], T] | None = None
) -> T:
    """Read a string that begins with a player by `read(seat, rest)`, or by `alone()` as beginning with none.

    Return the one reading that succeeds. Raise Problem if two differ, or if none does: then the longest name's problem.
    """
    holds: list[tuple[str, T]] = []
    problems: list[Problem] = []  # without tracebacks, which would keep this frame and its callers in memory
    for seat, rest in players_at_start(table, text):
        try:
            holds.append((table.players[seat], read(seat, rest)))
        except Problem as error:
            problems.append(error.with_traceback(None))
    if alone:
        try:
            holds.append(("no player", alone()))
        except Problem as error:
            problems.append(error.with_traceback(None))
    if len(holds) > 1 and holds[0][1] != holds[1][1]:
        raise Problem("ambiguous-player", key, text, first=holds[0][0], second=holds[1][0])
    if holds:
        return holds[0][1]
    raise problems.pop(0) if problems else Problem("unknown-player", key, text, players=", ".join(table.players))


@lru_cache(maxsize=4096)
def player_labels(players: tuple[str, ...]) -> tuple[str, ...]:
    """Return how each player is written at the start of a string: by name, or by seat if the name could mislead."""
    firsts = [re.split("[ :]", name, maxsplit=1)[0] for name in players]
    alike = {first for first in firsts if firsts.count(first) > 1}
    return tuple(
        f"Seat{seat + 1}" if first in alike or _misleads(first) or re.search("[:>]| by |,$", name) else name
        for seat, (name, first) in enumerate(zip(players, firsts, strict=True))
    )


@lru_cache(maxsize=4096)
def _misleads(first: str) -> bool:
    """Return whether a string that begins with this word could begin with no player."""
    return (
        first.casefold() in RESERVED
        or not game_words.split_words(first)
        or any(word in game_words.first_words() for word in game_words.split_words(first))
        or any(read_card(first, alphabet) for alphabet in ALPHABETS)
    )


# --- cards ----------------------------------------------------------------------------------------------------------


@cache
def card_spellings(alphabet: str) -> dict[str, str]:
    """Return every plain spelling of a card in an alphabet, with its code."""
    suits, ranks = ALPHABETS[alphabet]
    written = (cased for suit in suits for rank in ranks for cased in (suit + rank, (suit + rank).lower()))
    return {text: code for text in written if (code := read_card(text, alphabet))}


def read_cards(table: Reader, key: str, text: str | Iterable[str]) -> tuple[str, ...]:
    """Return the codes of written cards: a string, or a list of cards. Raise Problem if one is none."""
    texts = text.replace(",", " ").split() if isinstance(text, str) else list(text)
    codes = card_spellings(table.alphabet)
    try:
        return tuple([codes[card] for card in texts])
    except KeyError:
        return tuple(_read_card(table, key, card) for card in _join_names(texts))


def read_stacked(table: Reader, key: str, text: str | Iterable[str]) -> tuple[str, ...]:
    """Return the codes of a hand, some with the covered card below: `EO/S8`. Raise Problem if one is no card."""
    texts = text.replace(",", " ").split() if isinstance(text, str) else list(text)
    if "/" not in "".join(texts):
        return read_cards(table, key, text)
    stacks = (card.partition("/") for card in texts)
    return tuple("/".join(read_cards(table, key, (top, below) if below else (top,))) for top, _, below in stacks)


def _join_names(texts: Sequence[str]) -> Iterator[str]:
    """Yield written cards, the suit and the rank of a name in two words put together: `Herz 10`."""
    place = 0
    while place < len(texts):
        two = f"{texts[place]}-{texts[place + 1]}" if place + 1 < len(texts) else ""
        yield two if (named := read_card_name(two)) else texts[place]
        place += 2 if named else 1


def read_card_name(text: str) -> str | None:
    """Return the code of a card by its name, `Eichel-Ober`, `Herz-10`, or with the sign of its suit, `♥10`; else None.
    A sign with a letter belongs to another alphabet."""
    words = game_words.usual_words()
    text = text.casefold().replace("\ufe0f", "")
    suit, _, rank = text.partition("-")
    if text[:1] in words["suit-signs"] and (rank := text[1:].strip("-")).isdigit():
        return read_card(words["suit-signs"][text[0]] + rank)
    letter = game_words.contract_words().words.suits.get(suit) if len(suit) > 1 else None
    return read_card(letter + words["ranks"].get(rank, rank)) if letter else None


def _read_card(table: Reader, key: str, text: str) -> str:
    code = read_card(text, table.alphabet) or read_card_name(text)
    if code:
        return code
    other = other_alphabet(text, table.alphabet)
    if other:
        raise game_words.mixed_letters(key, text, text, other, table.alphabet)
    raise Problem("unknown-card", key, text, card=text, alphabet=game_words.letters(table.alphabet))


def begins_with_card(table: Reader, text: str) -> bool:
    """Return whether a string begins with a card (or is empty) and so names no player first."""
    if ":" in text:
        return False
    words = text.replace(",", " ").split(maxsplit=2)[:2]
    if not words or read_card(words[0].partition("/")[0], table.alphabet):
        return True
    return bool(read_card_name(words[0]) or read_card_name("-".join(words)))


def players_set(changes: Any) -> Iterator[str]:
    """Yield the players that a correction names as such: `players`, `players.2`."""
    for key, value in changes.items() if isinstance(changes, dict) else ():
        if key.split(".")[0].strip(" \"'") == "players":
            values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
            yield from (name for name in values if isinstance(name, str))
