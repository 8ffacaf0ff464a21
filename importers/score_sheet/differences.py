"""The payments of each deal in a sheet that has only running totals: the difference to the row before."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from archive.record import Deal, Finding, Stated, finding
from archive.say import Message, message
from importers.score_sheet.amount_columns import AT_TABLE, is_paid
from importers.score_sheet.running import Amounts, is_step, paid_between

MOVED = 3  # players whose totals begin elsewhere than at zero, if they are of an evening before

Items = list[Deal | Finding]


def with_differences(
    evenings: Sequence[tuple[Amounts | None, Items]],
    start: Amounts,
    note: str,
    note_out: str,
    confirmed: Sequence[int] = (),
) -> Iterator[Items]:
    """Yield the deals of each evening with what they paid, by the totals carried into it and its items. An evening goes
    on from the one before or begins anew, depending on how its first deal is paid. A deal whose step does not add up
    keeps only its totals, which are judged. The first also gets a finding if it has no total before it or may have two,
    and so does each whose step no single deal pays. `confirmed` are the lines of deals that are right as they stand."""
    before: Amounts | None = start
    goes_on = _goes_on(evenings, start)
    for carried, items in evenings:
        first = next((item.stated.totals for item in items if isinstance(item, Deal) and item.stated), None)
        was_known = before is not None
        before = carried or _begun_from(before, start, first, goes_on)
        either = was_known and before is None
        whole: Items = []
        for n, item in enumerate(items):
            totals = item.stated.totals if isinstance(item, Deal) and item.stated else None
            seated = _with_sitters(item, before, totals, note_out)
            stepped = _with_payments(seated, before, totals, note)
            is_open = isinstance(seated, Deal) and stepped is not seated and _line(seated) not in confirmed
            if either and not n and isinstance(item, Deal) and _line(item) not in confirmed:
                whole += [item, finding("row-unclear", item.source, why=message("importers.totals-anew"))]
            elif is_open and (why := _why_no_step(stepped, bool(n))):
                whole += [seated, finding("row-unclear", seated.source, why=why)]
            else:
                whole += [stepped] if n or stepped is not seated else [stepped, *_unclear(seated, before, totals)]
            before = totals
        yield whole


def _begun_from(before: Amounts | None, start: Amounts, first: Amounts | None, goes_on: bool | None) -> Amounts | None:
    """Return the totals from which an evening goes on: those before it, or none at all; `goes_on` says which if both
    may be, None if nobody knows, and then there are none to go on from."""
    ways = [each for each in (before, start) if each and first and _is_deal(paid_between(each, first))]
    if len(ways) == len((before, start)) and before != start:
        return None if goes_on is None else before if goes_on else start
    return ways[0] if ways else before


def _goes_on(evenings: Sequence[tuple[Amounts | None, Items]], start: Amounts) -> bool | None:
    """Return whether totals go on from evening to evening, by those that can only do so or only begin anew; None if
    they do both, or neither."""
    ends = [[item.stated.totals for item in items if isinstance(item, Deal) and item.stated] for _, items in evenings]
    ways: set[bool] = set()
    for before, here in pairwise([totals for totals in ends if totals]):
        last, first = before[-1], here[0]
        anew, on = (_is_deal(paid_between(each, first)) if each and first else False for each in (start, last))
        ways |= {on} if anew != on else set()
    return ways.pop() if len(ways) == 1 else None


def _is_deal(paid: Amounts | None) -> bool:
    return paid is not None and is_step([amount or 0 for amount in paid])


def _with_sitters(item: Deal | Finding, before: Amounts | None, totals: Amounts | None, note: str) -> Deal | Finding:
    """Return a deal of more than four with those who sit out, whose totals stay the same, if four have others."""
    if not isinstance(item, Deal) or item.sits_out is not None or before is None or totals is None:
        return item
    out = tuple(seat for seat, (old, new) in enumerate(zip(before, totals, strict=True)) if old == new)
    if not out or len(totals) - len(out) != AT_TABLE:
        return item
    return replace(item, sits_out=out, inferred=(*(item.inferred or ()), note))


def _with_payments(item: Deal | Finding, before: Amounts | None, totals: Amounts | None, note: str) -> Deal | Finding:
    """Return a deal with what it paid, if its totals follow from those before."""
    paid = paid_between(before, totals) if before and totals else None
    if not isinstance(item, Deal) or paid is None:
        return item
    stated = replace(item.stated or Stated(), payments=paid)
    return replace(item, stated=stated, inferred=(*(item.inferred or ()), note))


def _line(item: Deal | Finding) -> int | None:
    return item.source.line if item.source else None


def _why_no_step(item: Deal | Finding, is_later: bool) -> Message | None:
    """Return why the payments of a deal, worked out from totals, are those of no single deal: the first totals of a
    sheet or an evening have others in them, or rows are missing before later ones. None if they are, or if the game may
    explain them."""
    paid = item.stated.payments if isinstance(item, Deal) and item.stated else None
    if not paid or not any(paid) or is_paid([amount or 0 for amount in paid]):
        return None
    if is_later:
        return message("importers.totals-jump") if isinstance(item, Deal) and item.game is None else None
    return message("importers.totals-begin")


def _unclear(item: Deal | Finding, before: Amounts | None, totals: Amounts | None) -> Iterator[Finding]:
    """Yield a finding for a deal whose totals are all there and do not follow from those before."""
    if isinstance(item, Deal) and before and totals and None not in (*before, *totals):
        left_over = sum((new or 0) - (old or 0) for old, new in zip(before, totals, strict=True))
        yield finding("row-unclear", item.source, why=message("importers.totals-step", sum=left_over))


def totals_before(before: Deal | None, deals: Sequence[Deal]) -> Amounts | None:
    """Return the totals from which those of an evening go on, or None: those after its last deal `before`, or, at the
    beginning of a sheet, those of an evening that the sheet does not have. Such are of three players or more and sum to
    zero, and the second deal goes on from the first; with fewer, a total of the first deal may be wrong."""
    if before is not None:
        totals = before.stated.totals if before.stated else None
        return totals if totals and _start_of(deals[0]) == tuple(total or 0 for total in totals) else None
    start = _start_of(deals[0])
    if start is None or sum(start) != 0 or len([*filter(None, start)]) < MOVED or len(deals) == 1:
        return None
    first = deals[0].stated
    return start if first and _start_of(deals[1]) == first.totals else None


def _start_of(deal: Deal) -> tuple[int, ...] | None:
    """Return the totals before a deal, by its totals and payments, or None if it has not both."""
    if not deal.stated or not deal.stated.totals or not deal.stated.payments:
        return None
    return tuple((new or 0) - (paid or 0) for new, paid in zip(deal.stated.totals, deal.stated.payments, strict=True))
