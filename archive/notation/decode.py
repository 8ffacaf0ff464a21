"""From the keys of a file to the record's types: a row a key, a reader where its value holds names, cards or calls."""

import datetime
import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from msgspec import UNSET, Struct

from archive import record
from archive.cards import ALPHABETS
from archive.notation import wire, words
from archive.notation.names import (
    Table,
    beginnings,
    begins_with_card,
    check_players,
    led,
    read_cards,
    seat_named,
)
from archive.notation.problem import Problem, bad, wrong

T = TypeVar("T")
Read = Callable[[Table, str, Any], Any]

STEP = re.compile(r"(\S+)(?: +([+-]?\d{1,15}))? +([+-]?\d{1,15})(?::(.*))?", re.DOTALL)
STEPS = ("base", "schneider", "schwarz", "runners", "knocks", "doubles", "tout", "virgins", "thrown-in")
MOMENT = re.compile(r"([1-9]\d{0,2})(?:\.([1-9]\d{0,2}))?")
MOMENTS = ("deal", "end", "next")
BLIND = re.compile(r"(?:blind|skat) *(?=[>:])", re.IGNORECASE)
DEEPEST = 50
# The verbs of events, and what stands after them: text must stand, may stand, cards, a number, all or none.
VERBS = {
    "shows": "all-or-none",
    "offers-surrender": "may",
    "accepts": "may",
    "refuses": "may",
    "gives-up": "may",
    "claims": "must",
    "no-claim": "may",
    "announces": "must",
    "exposes": "cards",
    "out-of-turn": "may",
    "revoke": "may",
    "miscount": "number",
}


# --- readers of values ----------------------------------------------------------------------------------------------


def each(table: Table, key: str, entries: Sequence[Any], read: Callable[[Table, str, Any], T]) -> tuple[T, ...]:
    """Every entry of a list; a problem remembers which entry it was."""
    found = []
    for place, entry in enumerate(entries):
        try:
            found.append(read(table, key, entry))
        except Problem as problem:
            _blame(problem, entries, place)
            raise
    return tuple(found)


def _blame(problem: Problem, entries: Sequence[Any], place: int) -> None:
    """Let a problem point at one entry of a list."""
    if isinstance(entries[place], str):
        problem.entry, problem.nth = entries[place], list(entries[:place]).count(entries[place])


def listed(read: Read) -> Read:
    """A list of what `read` reads; a number where only the count is known."""
    return lambda table, key, value: value if isinstance(value, int) else each(table, key, value, read)


def texts(_table: Table, _key: str, value: list[str]) -> tuple[str, ...]:
    return tuple(value)


def per_seat(table: Table, key: str, value: Any) -> Any:
    """One number a player: a list in seat order, or a table by name; a plain number stays one."""
    if isinstance(value, int):
        return value
    if isinstance(value, list):
        if len(value) != len(table.players):
            wrong(key, f"expected one entry for each of {len(table.players)} players, got {len(value)}")
        return tuple(value)
    return _by_seat(table, key, value, lambda _key, number: number)


def _by_seat(table: Table, key: str, value: dict[str, Any], read: Callable[[str, Any], T]) -> tuple[T | None, ...]:
    found: dict[int, T] = {}
    for name, entry in value.items():
        seat = seat_named(table, key, name)
        if seat in found:
            bad(key, name, "each player once")
        found[seat] = read(f"{key}.{name}", entry)
    return tuple(found.get(seat) for seat in range(len(table.players)))


def hands(table: Table, key: str, value: Any) -> tuple[record.types.Cards | None, ...]:
    """Hands: strings that begin with names, a list in seat order, or a table by name."""
    if isinstance(value, dict):
        return _by_seat(table, key, value, partial(read_cards, table))
    named = [isinstance(hand, str) and not begins_with_card(table, hand) for hand in value]
    if not any(named):
        if len(value) not in (0, len(table.players)):
            wrong(key, f"without names, expected a hand for each of {len(table.players)} players, got {len(value)}")
        read = each(table, key, value, lambda t, k, hand: None if hand is None else read_cards(t, k, hand))
        return read or (None,) * len(table.players)
    found: dict[int, record.types.Cards] = {}
    for place, hand in enumerate(value):
        try:
            if not named[place]:
                bad(key, str(hand), "a name before every hand, or before none")
            seat, cards = led(table, key, hand, lambda seat, rest: (seat, read_cards(table, key, rest)))
            if seat in found:
                bad(key, hand, "one hand for each player")
            found[seat] = cards
        except Problem as problem:
            _blame(problem, value, place)
            raise
    return tuple(found.get(seat) for seat in range(len(table.players)))


def call(table: Table, key: str, text: str) -> record.Call:
    read = partial(words.read_call, alphabet=table.alphabet, of=table.spoken)
    return led(table, key, text, lambda seat, rest: record.Call(seat, read(key, rest)))


def game(table: Table, key: str, text: str) -> record.Game:
    read = partial(words.read_game, alphabet=table.alphabet, of=table.spoken)
    found = beginnings(table, text)
    if not found:
        return read(key, text, None)
    return led(table, key, text, lambda seat, rest: read(key, rest, seat), lambda: read(key, text, None))


def exchange(table: Table, key: str, text: str) -> record.Exchange:
    def taken(giver: int | None, rest: str) -> record.Exchange:
        if not rest.startswith(">"):
            bad(key, text, "FROM > TO: CARDS")
        return from_blind_or(rest[1:].strip(), lambda taker, cards: given(giver, taker, cards))

    def given(giver: int | None, taker: int | None, cards: str) -> record.Exchange:
        return record.Exchange(giver, taker, read_cards(table, key, cards.removeprefix(":")))

    def from_blind_or(start: str, read: Callable[[int | None, str], record.Exchange]) -> record.Exchange:
        blind = BLIND.match(start)
        return read(None, start[blind.end() :]) if blind else led(table, key, start, read)

    return from_blind_or(text, taken)


def moment_of(key: str, text: str) -> tuple[str | None, str]:
    """The moment that a string may begin with (`@3.2 …`) and the rest."""
    if not text.startswith("@"):
        return None, text
    moment, _, rest = text[1:].partition(" ")
    if moment not in MOMENTS and not MOMENT.fullmatch(moment):
        bad(key, text, "a moment: @TRICK.CARD, @deal, @end or @next")
    return moment, rest.strip()


def double(table: Table, key: str, text: str) -> record.Double:
    moment, rest = moment_of(key, text)

    def said(seat: int, word: str) -> record.Double:
        found = MOMENT.fullmatch(moment or "")
        if word.casefold() not in ("kontra", "re", "double") or (moment and not found):
            bad(key, text, "[@TRICK.CARD] PLAYER kontra, re or double")
        trick, card = (int(n) if n else None for n in found.groups()) if found else (None, None)
        return record.Double(seat, word.casefold(), trick, card)

    return led(table, key, rest, said)


def event(table: Table, key: str, text: str) -> record.Event:
    moment, rest = moment_of(key, text)

    def happened(seat: int, rest: str) -> record.Event:
        verb, _, arg = rest.partition(" ")
        before, found, name = f" {arg}".rpartition(" by ")
        by = seat_named(table, key, name.strip()) if found else None
        arg = before if found else arg
        return record.Event(seat, verb.casefold(), moment, _argument(table, key, text, verb, arg.strip()), by)

    return led(table, key, rest, happened)


def _argument(table: Table, key: str, text: str, verb: str, arg: str) -> str | None:
    kind = VERBS.get(verb.casefold()) or bad(key, text, "[@MOMENT] PLAYER VERB, where VERB is " + ", ".join(VERBS))
    if kind == "cards":
        return " ".join(read_cards(table, key, arg)) or bad(key, text, f"{verb} and cards")
    if kind == "number":
        return str(int(arg)) if re.fullmatch(r"[+-]?\d{1,9}", arg) else bad(key, text, f"{verb} and a number")
    if kind == "all-or-none":
        return arg.casefold() if arg.casefold() in ("all", "none") else bad(key, text, f"{verb} all or {verb} none")
    return arg or (bad(key, text, f"{verb} and what") if kind == "must" else None)


def trick(table: Table, key: str, value: str | list[str]) -> record.Trick:
    if isinstance(value, list) or begins_with_card(table, value):
        return record.Trick(read_cards(table, key, value))
    return led(table, key, value, lambda leader, cards: record.Trick(read_cards(table, key, cards), leader))


def step(_table: Table, key: str, text: str) -> record.PriceStep:
    found = STEP.fullmatch(text.strip())
    if not found or found[1] not in STEPS:
        bad(key, text, "KIND [COUNT] AMOUNT [: TEXT], where KIND is " + ", ".join(STEPS))
    count = int(found[2]) if found[2] else None
    return record.PriceStep(found[1], int(found[3]), count, (found[4] or "").strip() or None)


def free(table: Table, key: str, value: Any, depth: int = 0) -> Any:
    """A free table: anything that both TOML and JSON can say."""
    if depth > DEEPEST:
        wrong(key.split(".")[0], f"expected tables and lists nested at most {DEEPEST} deep")
    if isinstance(value, dict):
        for name, entry in value.items():
            free(table, f"{key}.{name}", entry, depth + 1)
    elif isinstance(value, list):
        for entry in value:
            free(table, key, entry, depth + 1)
    elif value is None:
        wrong(key, "null says nothing; leave the key out")
    elif isinstance(value, float) and not math.isfinite(value):
        wrong(key, "expected a finite number")
    elif isinstance(value, int) and abs(value) > 2**53:
        wrong(key, "expected a whole number of at most 2**53")
    return value


def correction(table: Table, key: str, row: wire.Correction) -> record.Correction:
    return record.Correction(row.by, row.when, row.why, free(table, f"{key}.set", row.set))


def ruling(table: Table, key: str, row: wire.Ruling) -> record.Ruling:
    payments = per_seat(table, f"{key}.payments", row.payments)
    return record.Ruling(row.by, row.when, row.why, payments, None if row.cite is UNSET else row.cite)


def named(table: Table, _key: str, value: list[str]) -> tuple[str, ...]:
    check_players(value, table.alphabet)
    return tuple(value)


def date(_table: Table, key: str, value: str) -> str:
    found = re.fullmatch(r"\d{4}(?:-(\d\d)(?:-(\d\d))?)?", value)
    if not found:
        wrong(key, f"expected a date as 2026-11-14, got {value!r}")
    try:
        datetime.date.fromisoformat(value + "-01-01"[len(value) - 4 :])
    except ValueError as error:
        wrong(key, str(error))
    return value


# --- tables of keys -------------------------------------------------------------------------------------------------

SHARED: dict[str, Read] = {
    "players": named,
    "house": lambda table, key, value: None if value is None else free(table, key, value),
    "inferred": texts,
    "carry": lambda table, key, value: inner(table, key, value, record.Carry, CARRY),
    "x": free,
}
CARRY: dict[str, Read] = {"totals": per_seat, "chalk": seat_named, "marks": per_seat, "queue": texts}
STATED: dict[str, Read] = {
    "points": per_seat,
    "tricks": per_seat,
    "winners": listed(seat_named),
    "partner": seat_named,
    "loser": seat_named,
    "virgins": listed(seat_named),
    "steps": listed(step),
    "payments": per_seat,
    "totals": per_seat,
    "marks": per_seat,
}
HEAD: dict[str, Read] = SHARED | {"date": date}
DEAL: dict[str, Read] = SHARED | {
    "dealer": seat_named,
    "sits_out": listed(seat_named),
    "round": texts,
    "hands": hands,
    "held": hands,
    "blind": read_cards,
    "skat": read_cards,
    "knocks": listed(seat_named),
    "auction": listed(call),
    "game": game,
    "with_": seat_named,
    "exchange": listed(exchange),
    "doubles": listed(double),
    "tricks": listed(trick),
    "events": listed(event),
    "stated": lambda table, key, value: inner(table, key, value, record.Stated, STATED),
    "correction": listed(correction),
    "ruling": listed(ruling),
}
RENAMED = {"with_": "partner", "skat": "blind"}
SHOWN = {"with_": "with"}


def inner(table: Table, key: str, value: Struct, kind: type[T], readers: dict[str, Read]) -> T:
    """A table within a deal or a head. Raises Problem at its first wrong key."""
    fields, problems = read_keys(table, value, readers, f"{key}.")
    if problems:
        raise problems[0]
    return kind(**fields)


def read_keys(
    table: Table, value: Struct, readers: dict[str, Read], prefix: str = "", only: Sequence[str] | None = None
) -> tuple[dict[str, Any], list[Problem]]:
    """The fields of a record from the keys that are there, and what is wrong with others."""
    fields: dict[str, Any] = {}
    problems = []
    for name in only or value.__struct_fields__:
        given = getattr(value, name)
        if given is UNSET:
            continue
        read = readers.get(name)
        try:
            found = read(table, prefix + SHOWN.get(name, name), given) if read else given
        except Problem as problem:
            problems.append(problem)
        else:
            fields[RENAMED.get(name, name)] = found
    return fields, problems


def read_deal(table: Table, deal: wire.Deal) -> tuple[dict[str, Any], list[Problem]]:
    """The fields of a Deal, and what is wrong with it."""
    fields, problems = read_keys(table, deal, DEAL, only=wire.Deal.__struct_fields__)
    if deal.blind is not UNSET and deal.skat is not UNSET:
        problems.append(Problem("wrong-type", "skat", why="it is another word for blind, which stands here too"))
    return fields, problems


def read_head(head: wire.Head, beside: Path) -> tuple[record.Session | None, Table | None, list[Problem]]:
    """The Session of a head and the table that its deals are read with, or what is wrong with it. A ruleset that is
    no bundled one lies in the folder `beside`."""
    problems = []
    if head.format != wire.FORMAT:
        value = "not given" if head.format is UNSET else repr(head.format)
        problems.append(Problem("unknown-format", "format", value=value))
    alphabet = "german" if head.cards is UNSET else head.cards
    if alphabet not in ALPHABETS:
        problems.append(Problem("wrong-type", "cards", why=f"expected german, french or english, got {alphabet!r}"))
        alphabet = "german"
    problems.extend(
        Problem("wrong-type", key, why="expected at the head of the file, it is missing")
        for key in ("players", "rules")
        if getattr(head, key) is UNSET
    )
    players = () if head.players is UNSET else tuple(head.players)
    table = Table(players, alphabet, words.spoken(None if head.rules is UNSET else head.rules, beside))
    fields, wrong_keys = read_keys(table, head, HEAD)
    problems += wrong_keys
    if problems:
        return None, None, problems
    for key in ("format", "cards"):
        fields.pop(key, None)
    return record.Session(**fields), table, []
