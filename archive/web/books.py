"""The books of a session: what each deal found on the table and left there, whether it adds up, and the standings."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from archive.audit.types import Table
from archive.web.wording import Texts

Facts = dict[str, Any]
# How house.standings tells equal totals apart, as columns of the view `standings`.
TIE_BREAKS = {"wins": "won", "solos": "solos_won", "touts": "touts_won", "best-deal": "best_deal"}


class Column(Struct, frozen=True):
    """Something that lies on the table between deals: a cell for each deal, before and after it."""

    title: str
    cells: tuple[str, ...]


class Break(Struct, frozen=True):
    """The first deal at which the books do not add up."""

    deal: int
    number: int
    message: str


class Standing(Struct, frozen=True):
    place: int
    player: str
    facts: tuple[str, ...]


def columns(tables: Sequence[tuple[Table, Table | None]], t: Texts) -> tuple[Column, ...]:
    """What was on the table before and after each deal; only what was there at all."""
    kinds: dict[str, Callable[[Table], str]] = {
        "k_stock": lambda table: _number(table.stock),
        "k_rounds": _rounds,
        "k_queue": _queue,
        "k_hausbock": lambda table: _number(table.hausbock),
        "k_stake": lambda table: _number(table.stake),
        "k_list": lambda table: _number(table.list_deals) if table.list_name else "",
    }
    known = [(before, before if after is None else after) for before, after in tables]
    found = []
    for key, told in kinds.items():
        both = [(told(before), told(after)) for before, after in known]
        if any(text for pair in both for text in pair):
            found.append(Column(t[key], tuple(_change(before, after) for before, after in both)))
    return tuple(found)


def _change(before: str, after: str) -> str:
    return before if before == after else f"{before or '0'} → {after or '0'}"


def _rounds(table: Table) -> str:
    """Rounds under way, with the deals left of each: `bock 3, kreuz 4`."""
    return "?" if table.rounds is None else ", ".join(f"{name} {left}" for name, left in table.rounds)


def _queue(table: Table) -> str:
    """Rounds to come: `2 bock, 1 kreuz`."""
    return "?" if table.queue is None else ", ".join(f"{n} {name}" for name, n in Counter(table.queue).items())


def _number(amount: int | None) -> str:
    return "?" if amount is None else str(amount or "")


def standings(rows: Sequence[Facts], keys: Sequence[str]) -> tuple[Standing, ...]:
    """Players by their totals, equal ones by what the house says; who is still equal shares the place."""
    order = ["total", *(TIE_BREAKS[key] for key in keys if key in TIE_BREAKS)]

    def worth(row: Facts) -> tuple[int, ...]:
        return tuple(row[key] or 0 for key in order)

    ranked = sorted(rows, key=worth, reverse=True)
    return tuple(
        Standing(
            place=1 + sum(worth(other) > worth(row) for other in rows),
            player=row["player"],
            facts=tuple(str(row[key] or 0).replace("-", "−") for key in STANDING_FACTS),
        )
        for row in ranked
    )


STANDING_FACTS = ("deals", "total", "won", "solos_won", "touts_won", "best_deal")
