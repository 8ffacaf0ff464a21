"""From the record's types to the keys of a file, in the order in which they are written."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct, structs

from archive.notation import words
from archive.notation.names import labels
from archive.record import Call, Deal, Double, Event, Exchange, Game, PriceStep, Ruling, Session, Trick

Write = Callable[["Names", Any], Any]

HOLDS = ("rules", "house", "players")  # what a deal can set anew
FREE = ("inferred", "carry", "table", "list", "url", "time", "licence", "origin", "note", "x")
ABOUT = ("event", "date", "place", "recorder", "unit")


class Names(Struct, frozen=True):
    """How players are written: alone, and at the beginning of a string. `nulls`: whether the encoding has null."""

    players: tuple[str, ...]
    labels: tuple[str, ...]
    nulls: bool


def names(session: Session, deal: Deal | None, nulls: bool) -> Names:
    players = deal.players if deal and deal.players else session.players
    return Names(players, labels(players), nulls)


def settled(session: Session, deal: Deal) -> Deal:
    """The deal without settings that its session has anyway."""
    same = {key: None for key in ("rules", "players") if getattr(deal, key) == getattr(session, key)}
    return structs.replace(deal, **same, house=deal.house or None)


def given(value: Struct, keys: Sequence[str]) -> dict[str, Any]:
    """The keys that are recorded, as they are."""
    return {key: entry for key in keys if (entry := getattr(value, key)) is not None}


# --- values ---------------------------------------------------------------------------------------------------------


def name(to: Names, seat: int) -> str:
    return to.players[seat]


def seats(to: Names, value: tuple[int, ...] | int) -> list[str] | int:
    return value if isinstance(value, int) else [to.players[seat] for seat in value]


def per_seat(to: Names, value: tuple[int | None, ...] | int) -> Any:
    if isinstance(value, int):
        return value
    if to.nulls or None not in value:
        return list(value)
    return {player: entry for player, entry in zip(to.players, value, strict=False) if entry is not None}


def cards(_to: Names, value: tuple[str, ...]) -> str:
    return " ".join(value)


def hands(to: Names, value: tuple[tuple[str, ...] | None, ...]) -> list[str | None]:
    if to.nulls:
        return [None if hand is None else " ".join(hand) for hand in value]
    return [_said(to, seat, " ".join(hand)) for seat, hand in enumerate(value) if hand is not None]


def _said(to: Names, seat: int, rest: str) -> str:
    return f"{to.labels[seat]}: {rest}".rstrip()


def call(to: Names, value: Call) -> str:
    return f"{to.labels[value.seat]} {value.call}"


def game(to: Names, value: Game) -> str:
    told = words.contract_text(value)
    return told if value.declarer is None else f"{to.labels[value.declarer]} {told}"


def exchange(to: Names, value: Exchange) -> str:
    giver, taker = ("blind" if seat is None else to.labels[seat] for seat in (value.giver, value.taker))
    return f"{giver} > {taker}: {' '.join(value.cards)}".rstrip()


def double(to: Names, value: Double) -> str:
    moment = ".".join(str(part) for part in (value.trick, value.card) if part is not None)
    return f"@{moment} {to.labels[value.seat]} {value.word}".removeprefix("@ ")


def event(to: Names, value: Event) -> str:
    moment = None if value.moment is None else f"@{value.moment}"
    by = None if value.by is None else f"by {to.labels[value.by]}"
    return " ".join(part for part in (moment, to.labels[value.seat], value.verb, value.arg, by) if part is not None)


def trick(to: Names, value: Trick) -> str:
    return " ".join(value.cards) if value.leader is None else _said(to, value.leader, " ".join(value.cards))


def step(_to: Names, value: PriceStep) -> str:
    told = " ".join(str(part) for part in (value.kind, value.count, value.amount) if part is not None)
    return f"{told}: {value.text}" if value.text else told


def ruling(to: Names, value: Ruling) -> dict[str, Any]:
    return given(value, value.__struct_fields__) | {"payments": per_seat(to, value.payments)}


def many(write: Write) -> Write:
    return lambda to, value: value if isinstance(value, int) else [write(to, entry) for entry in value]


# --- tables of keys -------------------------------------------------------------------------------------------------

CARRY: dict[str, Write] = {"chalk": name, "totals": per_seat, "marks": per_seat}
STATED: dict[str, Write] = {
    "points": per_seat,
    "tricks": per_seat,
    "winners": seats,
    "partner": name,
    "loser": name,
    "virgins": seats,
    "steps": many(step),
    "payments": per_seat,
    "totals": per_seat,
    "marks": per_seat,
}
DEAL: dict[str, Write] = {
    "carry": lambda to, value: keys(to, value, value.__struct_fields__, CARRY),
    "dealer": name,
    "sits_out": seats,
    "hands": hands,
    "held": hands,
    "blind": cards,
    "knocks": seats,
    "auction": many(call),
    "game": game,
    "partner": name,
    "exchange": many(exchange),
    "doubles": many(double),
    "tricks": many(trick),
    "events": many(event),
    "stated": lambda to, value: keys(to, value, value.__struct_fields__, STATED),
    "correction": many(lambda _to, row: structs.asdict(row)),
    "ruling": many(ruling),
}
OWN = tuple(key for key in Deal.__struct_fields__ if key not in ("source", *HOLDS, *FREE))


def keys(to: Names, value: Struct, wanted: Sequence[str], writers: dict[str, Write]) -> dict[str, Any]:
    """The recorded keys of `wanted`, written."""
    found = {}
    for key, entry in given(value, wanted).items():
        write = writers.get(key)
        found[key] = write(to, entry) if write else list(entry) if isinstance(entry, tuple) else entry
    return found


def deal_keys(to: Names, deal: Deal) -> dict[str, Any]:
    """A deal's keys but `rules`, `house`, `players`."""
    found = keys(to, deal, (*OWN, *FREE), DEAL)
    return {"with" if key == "partner" else key: entry for key, entry in found.items()}
