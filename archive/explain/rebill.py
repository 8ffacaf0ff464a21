"""Adding a bill up again, with other lines, or with a fact seen otherwise."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from archive.judge.types import Case
from archive.settle.lines import Bill
from archive.settle.settle import settle
from archive.settle.types import Part, SettlementLine


def rebill_lines(case: Case, lines: Sequence[SettlementLine], **facts: Any) -> Case | None:
    """The deal with other lines, added up by the bill; None where that does not tell what each is paid. `facts` are
    what the settlement then has."""
    settled = case.settlement
    if settled.marks is not None:
        return rescore_lines(case, lines)
    was = next((line.running for line in reversed(settled.lines) if line.running is not None), None)
    if not was or settled.payments is None or None in settled.payments:
        return None
    if settled.price is None and [each for each in settled.lines if each.kind != "times"] != [
        each for each in lines if each.kind != "times"
    ]:  # who is paid unlike the others follows the doublings alone
        return None
    bill = Bill(case.ruleset, [])
    for line in lines:
        bill.put(line.part, line.kind, line.message, line.amount, "", line.who)
    if not any(line.kind == "at-most" for line in lines):
        bill.put_cap()
    pot = {seat: line.amount for line in settled.lines if line.kind == "pot" for seat in line.who}
    payments = tuple(
        ((paid or 0) - pot.get(seat, 0)) * bill.running // was + pot.get(seat, 0)
        for seat, paid in enumerate(settled.payments)
    )
    changed = replace(settled, lines=tuple(lines), price=settled.price and bill.running, payments=payments, **facts)
    return replace(case, settlement=changed)


def rescore_lines(case: Case, lines: Sequence[SettlementLine]) -> Case | None:
    """A deal of a game for marks with other lines: the winners score what they add up to."""
    settled = case.settlement
    amount = sum(line.amount for line in lines if line.kind == "marks")
    marks = tuple(amount if seat in settled.winners else 0 for seat in range(len(case.players)))
    return replace(case, settlement=replace(settled, lines=tuple(lines), marks=marks)) if amount else None


def resettle(case: Case, **changes: Any) -> Case | None:
    """The deal settled again with a fact or a setting otherwise."""
    case = replace(case, **changes)
    settled = settle(case.deal, case.players, case.ruleset, case.replay, case.before)
    return None if settled.payments is None else replace(case, settlement=settled)


def without_lines(lines: Sequence[SettlementLine], *left_out: int) -> list[SettlementLine]:
    return [line for place, line in enumerate(lines) if place not in left_out]


def with_amount(lines: Sequence[SettlementLine], place: int, amount: int) -> list[SettlementLine]:
    return [replace(line, amount=amount) if n == place else line for n, line in enumerate(lines)]


def with_line(lines: Sequence[SettlementLine], place: int, line: SettlementLine) -> list[SettlementLine]:
    return [*lines[:place], line, *lines[place:]]


def line_of(case: Case, part: Part) -> int | None:
    """The place of the first line of a part of the settlement."""
    return next((n for n, line in enumerate(case.settlement.lines) if line.part == part), None)
