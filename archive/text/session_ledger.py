"""The books of a session: the table before and after each deal, whether it adds up, and the standings."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from archive.judge.types import LedgerState
from archive.stats.event_standings import rank_rows
from archive.text.ledger_state import round_title
from archive.text.numbers import format_entry, format_money, format_signed
from archive.text.wording import Texts

Facts = dict[str, Any]


class LedgerColumn(Struct, frozen=True):
    """Something that lies on the table between deals: a cell for each deal, before and after it."""

    title: str
    cells: tuple[str, ...]


class LedgerBreak(Struct, frozen=True):
    """The first deal at which the books do not add up."""

    deal: int
    number: int
    message: str


class Standing(Struct, frozen=True):
    place: int
    player: str
    total: str
    facts: tuple[str, ...]  # deals, deals won, won alone, won as Touts
    best: str
    undecided: int
    shared: bool = False  # another has the same place
    lists: int = 0
    bases: tuple[int, ...] = ()  # numbers of deals and lists whose amounts rest on cards, on facts, or are as written
    unit: str | None = None


def ledger_columns(
    tables: Sequence[tuple[LedgerState, LedgerState | None]],
    t: Texts,
    write: Callable[[int | None], str] = format_signed,
) -> tuple[LedgerColumn, ...]:
    """Return what was on the table before and after each deal, amounts written by `write`; only what there was at
    all."""

    def amount(of: int | None) -> str:
        return write(of).removeprefix("+") if of else _number(of)

    kinds: dict[str, Callable[[LedgerState], str]] = {
        "k_stock": lambda table: amount(table.stock),
        "k_rounds": _rounds,
        "k_queue": _queue,
        "k_hausbock": lambda table: _number(table.hausbock),
        "k_stake": lambda table: _number(table.stake),
        "k_list": lambda table: _number(table.list_deals) if table.list_name else "",
    }
    pairs = [(before, before if after is None else after) for before, after in tables]
    columns = []
    for key, cell_text in kinds.items():
        both = [(cell_text(before), cell_text(after)) for before, after in pairs]
        if any(text for pair in both for text in pair):
            cells = (old if old == new else f"{old or '0'} → {new or '0'}" for old, new in both)
            columns.append(LedgerColumn(t[key], tuple(cells)))
    return tuple(columns)


def _rounds(table: LedgerState) -> str:
    """Return the rounds under way, with the deals left of each: `Bock 3, Kreuz 4`."""
    return "?" if table.rounds is None else ", ".join(f"{round_title(name)} {left}" for name, left in table.rounds)


def _queue(table: LedgerState) -> str:
    """Return the rounds to come: `2 Bock, 1 Kreuz`."""
    waiting = Counter(table.queue)
    return "?" if table.queue is None else ", ".join(f"{n} {round_title(name)}" for name, n in waiting.items())


def _number(amount: int | None) -> str:
    return "?" if amount is None else str(amount or "")


def ranked_standings(rows: Sequence[Facts], by: Sequence[str], t: Texts | None = None) -> tuple[Standing, ...]:
    """Return the rows of the view in order, amounts of different units apart; with `t`, cents as euros."""
    return tuple(
        Standing(
            place=each.rank,
            player=each.player,
            total=format_money(each.total, each.unit, t)
            if t
            else f"{format_signed(each.total)} {each.unit or ''}".strip(),
            facts=tuple(str(fact) for fact in (each.deals, each.wins, each.solos, each.touts)),
            best=format_entry(each.best, each.unit if t else None, t or {}),
            undecided=each.undecided,
            shared=each.shared,
            lists=each.lists,
            bases=(each.on_cards, each.on_facts, each.on_amounts),
            unit=each.unit,
        )
        for each in rank_rows(rows, by)
    )
