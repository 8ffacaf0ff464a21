"""Writers of values: from the record's types to a value of a file. A writer takes the forms of players' names, and the
value."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from msgspec import Struct

from archive import record
from archive.notation import game_words
from archive.notation.names import player_labels

OPEN = "open"  # after cards that were passed face up


class Writer(Struct, frozen=True):
    """The forms of players' names: alone, and at the beginning of a string. `nulls`: whether the encoding has null."""

    players: tuple[str, ...]
    labels: tuple[str, ...]
    nulls: bool


Write = Callable[[Writer, Any], Any]


@lru_cache(maxsize=4096)
def writer_for(players: tuple[str, ...], nulls: bool) -> Writer:
    """Return the writer for some players; cached, as most deals have the same."""
    return Writer(players, player_labels(players), nulls)


def list_of(write: Write) -> Write:
    """Return a writer of tuples of what `write` writes; a number stays one."""
    return lambda to, value: value if isinstance(value, int) else [write(to, entry) for entry in value]


def write_evidence(_to: Writer, entries: tuple[record.Evidence, ...]) -> tuple[str, ...]:
    return tuple([record.evidence_text(entry) for entry in entries])


def write_name(to: Writer, seat: int) -> str:
    return to.players[seat]


def write_per_seat(to: Writer, value: tuple[int | None, ...] | int) -> Any:
    if isinstance(value, int):
        return value
    if to.nulls or None not in value:
        return list(value)
    return {player: entry for player, entry in zip(to.players, value, strict=False) if entry is not None}


def write_cards(_to: Writer, value: tuple[str, ...]) -> str:
    return " ".join(value)


def write_hands(to: Writer, value: tuple[tuple[str, ...] | None, ...]) -> list[str | None]:
    if to.nulls:
        return [None if hand is None else " ".join(hand) for hand in value]
    return [_after_label(to, seat, hand) for seat, hand in enumerate(value) if hand is not None]


def _after_label(to: Writer, seat: int, cards: tuple[str, ...]) -> str:
    return f"{to.labels[seat]}: {' '.join(cards)}".rstrip()


def write_call(to: Writer, value: record.Call) -> str:
    return f"{to.labels[value.seat]} {value.call}"


def write_game(to: Writer, value: record.Game) -> str:
    text = game_words.contract_text(value)
    return text if value.declarer is None else f"{to.labels[value.declarer]} {text}"


def write_draw(to: Writer, value: record.Draw) -> str:
    return f"{to.labels[value.seat]} {value.card}"


def write_exchange(to: Writer, value: record.Exchange) -> str:
    giver, taker = ("blind" if seat is None else to.labels[seat] for seat in (value.giver, value.taker))
    return f"{giver} > {taker}: {' '.join(value.cards)}".rstrip() + (f" {OPEN}" if value.is_open else "")


def write_double(to: Writer, value: record.Double) -> str:
    moment = ".".join(str(part) for part in (value.trick, value.card) if part is not None)
    return f"@{moment} {to.labels[value.seat]} {value.word}".removeprefix("@ ")


def write_event(to: Writer, value: record.Event) -> str:
    moment = None if value.moment is None else f"@{value.moment}"
    by = None if value.by is None else f"by {to.labels[value.by]}"
    return " ".join(part for part in (moment, to.labels[value.seat], value.verb, value.arg, by) if part is not None)


def write_trick(to: Writer, value: record.Trick) -> str:
    return " ".join(value.cards) if value.leader is None else _after_label(to, value.leader, value.cards)


def write_turn(to: Writer, value: record.Turn) -> str:
    who = None if value.seat is None else to.labels[value.seat]
    parts = (who, value.source, f"> {value.target}" if value.target else None, *value.cards)
    return " ".join(part for part in parts if part is not None)


def write_step(_to: Writer, value: record.PriceStep) -> str:
    text = " ".join(str(part) for part in (value.kind, value.count, value.amount) if part is not None)
    return f"{text}: {value.text}" if value.text else text
