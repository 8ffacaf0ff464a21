"""The head of lines of words that tell deals: who plays, by which rules, when; also if no line is marked as one."""

import datetime
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import takewhile
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from archive.notation.game_words import ContractWords, contract_words, ruleset_called, usual_words, words_of_rules
from archive.notation.list_marks import without_mark
from archive.notation.spoken_line import (
    LONGEST,
    OUTCOMES,
    game_names,
)
from archive.notation.tariff import usual_tariff
from archive.record import Session, Source
from archive.record.names import NAME
from importers.chat_messages import TypedLine
from importers.player_lists import AROUND, as_players, day_in, players_of

RULES = "pub"  # if nobody names any
EUROS = ("€", "eur", "euro", "euros")
CENTS = "unit: amounts have decimals or a € sign, so that they are euros, and are kept in cents"
THREE = {"seats": 3, "deck": 24}  # the pack of a table of three
THREE_SEATS = "house.seats: three sit at the table, who play with 24 cards"
UNNAMED = f"rules: nobody names any; {RULES} is what most tables play"
GIVEN = "players: given beside the file"
BY_AMOUNTS = "players: the order in which the lines name them; who sits where is not told"
WORDS = re.compile(r"[^\W\d_]+")
COMPOUNDED = ("solo", "wenz", "geier", "tout")
BOTH_SIDES = re.compile(r"\d ?: ?\d|\d zu \d")
SIGNED = re.compile(r"[+\-−–]\d")
BEFORE_NAME = r"([+\-−–]\s?\d{1,6}(?:[.,]\d\d?)?(?: ?(?:€|ct)\b)?)\s+([^\W\d_].*)"
SIGNED_OR_NOUGHT = r"[+\-−–]\s?\d{1,6}(?:[.,]\d\d?)?|0"
PAID, PAID_WITHOUT_PLUS = (
    re.compile(rf"(?P<name>{NAME})\s*[:=]?\s*(?P<amount>{amount})(?:\s?(?:€|ct|P\b))?[,;|/\s]*")
    for amount in (SIGNED_OR_NOUGHT, rf"{SIGNED_OR_NOUGHT}|\d{{1,6}}(?:[.,]\d\d?)?")
)


class Evening(Struct):
    """A session while its lines are read. `notes` are what was inferred about its head."""

    head: dict[str, str]
    line: int
    players: tuple[str, ...]
    words: ContractWords
    deals: int = 0
    night: datetime.date | None = None  # of the last deal, in a chat
    notes: tuple[str, ...] = ()
    sums: tuple[int, ...] | None = None  # of all amounts so far
    last: str = ""  # the line of the deal before, if it was read
    has_prices: bool | None = None  # whether a bare number behind a result counts no card points; None: not asked

    @property
    def whole_euros(self) -> bool:
        """Return whether amounts without decimals are euros too."""
        return self.head.get("unit", "").casefold() in EUROS


def with_head(evening: Evening | None, pair: tuple[str, str], line: TypedLine, folder: Path) -> Evening:
    """Return the evening as a line of the head changes it; after deals the line begins another."""
    key, value = pair
    head = dict(evening.head) if evening else {}
    if evening is None or evening.deals or key == "players":
        head.pop("date", None)
        head |= {"date": line.day} if line.day else {}
        players, words = (evening.players, evening.words) if evening else ((), contract_words())
        notes = evening.notes if evening and key != "players" else ()
        evening = Evening(head, line.number, players, words, notes=notes)
    if key == "players":
        evening.players = players_of(f"players: {value}")
    elif key == "date":
        evening.head |= {"date": day} if (day := day_in(value)) else {}
    elif key == "rules":
        evening.head[key] = ruleset_called(value) or value
        evening.words = words_of_rules(evening.head[key], folder)
    else:
        evening.head[key] = usual_tariff(value) if key == "tariff" else value
    return evening


def session_of(evening: Evening, source: Source, euros: bool) -> Session:
    head = evening.head
    inferred = [*evening.notes, *([] if "rules" in head else [UNNAMED])]
    inferred += [CENTS] if euros and not evening.whole_euros else []
    of_three = "rules" not in head and len(evening.players) == THREE["seats"]
    inferred += [THREE_SEATS] if of_three else []
    return Session(
        source=replace(source, line=evening.line, end_line=evening.line),
        players=evening.players,
        rules=head.get("rules", RULES),
        house={"tariff": head.get("tariff", "unknown"), **(THREE if of_three else {})},
        date=head.get("date"),
        place=head.get("place"),
        event=head.get("event"),
        unit="ct" if euros else head.get("unit"),
        inferred=tuple(inferred) or None,
    )


# --- amounts and words ------------------------------------------------------------------------------------------------


def names_by_amounts(lines: Sequence[TypedLine]) -> tuple[str, ...]:
    """Return the players of lines that have an amount for each and nothing else, in the order of the first, or () if
    fewer than two lines agree about them, or amounts do not add up to zero."""
    first: tuple[str, ...] = ()
    for names in (paid_names(line.text) for line in lines if not line.is_left_out):
        if names and not first:
            first = names
        elif names and set(names) == set(first):
            return first
    return ()


def is_paid_to(text: str, players: Sequence[str]) -> bool:
    """Return whether a line begins with a player and a signed amount: `Anna +150, alle anderen -50`."""
    match = PAID.match(text)
    name = match["name"].casefold() if match else ""
    return bool(match and match["amount"][0] in "+-−–" and name in map(str.casefold, players))


def day_before(lines: Sequence[TypedLine]) -> dict[str, str]:
    """Return the date that the lines of a text, which is no chat, have before the first amounts, by its key in a head;
    nothing if they have none or two."""
    above = [*takewhile(lambda line: not paid_names(line.text), lines)][-AROUND:]
    days = {day for line in above if not line.is_chat and (day := day_in(line.text))}
    return {"date": days.pop()} if len(days) == 1 else {}


def paid_names(text: str) -> tuple[str, ...]:
    """Return the players of a line of names with amounts that add up to zero, or () if it is no such line. A number
    without a sign, which may belong to a name (`Toni 2 +20`), is an amount only if that makes the line add up."""
    if not SIGNED.search(text.replace(" ", "")):
        return ()
    text = with_amounts_behind(text)
    text = text if text[0].isalpha() else without_mark(text)
    return next((names for pattern in (PAID, PAID_WITHOUT_PLUS) if (names := names_paid_by(pattern, text))), ())


@lru_cache(1024)
def with_amounts_behind(text: str) -> str:
    """Return a line whose amounts are before the names, in brackets or without a blank, `+20 Hias`, `Hias (+20)`,
    `Hias+20`, or have a point between thousands, as a line of names with amounts behind them."""
    if len(text) > LONGEST:
        return text
    if text[0] in "+-−–" and not text[-1].isdecimal():
        parts = [re.fullmatch(BEFORE_NAME, part) for part in re.split(r"[,;/|\s]*(?=[+\-−–]\s?\d)", text) if part]
        text = " ".join(f"{part[2]} {part[1]}" for part in parts if part) if all(parts) else text
    text = re.sub(r"\(([+\-−–]\s?\d[\d.,]{0,8}(?: ?(?:€|ct))?)\)", r"\1", text)
    text = re.sub(r"(?<=[^\W\d_])(?=[+\-−–]\d)", " ", text)
    return re.sub(r"(?<![\d.,])([1-9]\d{0,2})\.(\d{3})(?![\d.,])", r"\1\2", text)


def names_paid_by(pattern: re.Pattern[str], text: str) -> tuple[str, ...]:
    """Return the names of a line made of names with amounts as in the pattern, which add up to zero, else ()."""
    names, total, place = list[str](), 0, 0
    while match := pattern.match(text, place):
        whole, _, part = (
            match["amount"].replace(" ", "").replace("−", "-").replace("–", "-").replace(",", ".").partition(".")
        )
        hundredths = 100 * abs(int(whole)) + int(part.ljust(2, "0") if part else 0)
        total += -hundredths if whole.startswith("-") else hundredths
        names, place = [*names, match["name"]], match.end()
    return as_players(names) if place == len(text) and total == 0 else ()


@cache
def telling_words() -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that say how a deal ended, and those that name a game or a suit."""
    of = contract_words()
    ends = {word for word, kind in usual_words()["deal"].items() if kind in OUTCOMES}
    return frozenset(ends | set(usual_words()["doubles"])), game_names(of) | frozenset(of.words.suits)


def may_tell_deals(lines: Sequence[TypedLine]) -> bool:
    """Return whether some lines together have words for a game and for how it ended, or amounts after names: asked
    before they are looked at one by one."""
    text = "\n".join(line.text for line in lines)
    ends, games = telling_words()
    words = set(WORDS.findall(text.casefold()))
    named = not words.isdisjoint(games) or any(word.endswith(COMPOUNDED) for word in words)
    ended = named and (not words.isdisjoint(ends) or BOTH_SIDES.search(text))
    return bool(ended) or bool(SIGNED.search(text))
