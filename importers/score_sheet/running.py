"""Columns of running totals, recognised by how they change from row to row, and what each deal paid: the difference to
the row before."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from archive.record import Deal, Finding, Stated, finding
from archive.say import Message, message
from importers.dates import DATE
from importers.score_sheet.amount_columns import AT_TABLE, Named, cell_text, is_paid, without_other_unit
from importers.score_sheet.cells import normalize, parse_amount
from importers.score_sheet.tables import Row

RUNNING = 4  # fewest rows that tell running totals from payments
FEW = 3  # fewest if they begin with a purse, or if all steps are payments and not every row is one
OF_A_SUM = 2  # the same, if the last stands there once more as the sums
OF_A_SLIP = 2  # steps that one wrong total breaks: to it, and on from it
RARE = 10  # amounts, one of which may be an empty purse
MOSTLY = 0.75  # of the rows that have the sum of all purses

Amounts = tuple[int | None, ...]
MOVED = 3  # players whose totals begin elsewhere than at zero, if they are of an evening before
Items = list[Deal | Finding]


def full_rows(body: Sequence[Row], places: Sequence[int]) -> list[list[int]]:
    """Return the amounts of the rows that have one in each of the columns, in hundredths."""
    rows = [[parse_amount(cell_text(row, at)) for at in places] for row in body]
    return [[amount.hundredths for amount in row if amount] for row in rows if None not in row]


def purse_of(rows: Sequence[Sequence[int]]) -> int:
    """Return the hundredths that each player begins with if the rows keep the same sum, else 0."""
    sums = Counter(map(sum, rows))
    total, count = sums.most_common(1)[0] if sums else (0, 0)
    if total <= 0 or len(rows) < FEW or count < MOSTLY * len(rows):
        return 0
    empty = sum(amount <= 0 for row in rows for amount in row)
    if empty * RARE > len(rows) * len(rows[0]):
        return 0  # amounts of the winners alone
    each, rest = divmod(total, len(rows[0]))
    return 0 if rest else each


def are_running(body: Sequence[Row], places: Sequence[int]) -> bool:
    """Return whether columns hold running totals, though no head says so: from row to row they change as a deal is
    paid, and in themselves they are no payments."""
    rows, begins = _rows_and_evenings(body, places)
    purse = purse_of(rows)
    if not purse and 2 * sum(min(row, default=0) < 0 for row in rows) < len(rows):
        return False  # in totals some have lost what others won
    before, steps, shaped, count = [purse] * len(places), 0, 0, 0
    sums = [0] * len(places)
    for n, here in enumerate(rows):
        if here != before:
            anew = n in begins and is_step([now - purse for now in here])
            steps += anew or is_step([now - then for now, then in zip(here, before, strict=True)])
            shaped += is_step(here) or not any(here) or (n > 1 and here == sums)  # a deal, thrown in, or sums below
            count, before = count + 1, here
        sums = [total + amount for total, amount in zip(sums, here, strict=True)]
    follow = 4 * steps >= 3 * count or (count > RUNNING and steps >= max(count - OF_A_SLIP, 2 * shaped))
    apart = 2 * shaped <= count or steps == count > shaped  # some totals look like a deal by chance, but not each
    closed = len(rows) > OF_A_SUM and rows[-2] == rows[-1]  # by a row of sums that repeats the last
    fewest = RUNNING if not (purse or steps == count > shaped) else OF_A_SUM if closed and not purse else FEW
    return count >= fewest and follow and apart


def with_both_blocks(
    paid: Named, totals: Named, heads: dict[int, tuple[str, str | None]], body: Sequence[Row]
) -> tuple[Named, Named]:
    """Return the columns of payments and totals: one block if the other has it in another unit; the second first if
    both have bare names and the first is of standings."""
    paid, totals = without_other_unit(paid, totals, {at: unit for at, (_, unit) in heads.items()}, body)
    again = totals and paid.keys() == {normalize(heads[at][0]) for _, at in totals.values()}
    return (totals, paid) if again and are_running(body, [at for _, at in paid.values()]) else (paid, totals)


def _rows_and_evenings(body: Sequence[Row], places: Sequence[int]) -> tuple[list[list[int]], set[int]]:
    """Return the full rows, and which of them begin an evening, by the date in front of the amounts or in a row of its
    own."""
    rows, begins, last, is_new = list[list[int]](), set[int](), "", False
    for row in body:
        day = next((text for text in row.cells[: places[0] + 1] if DATE.match(text)), "")
        is_new |= bool(day) and day != last
        last = day or last
        if full := full_rows((row,), places):
            begins |= {len(rows)} if is_new else set()
            rows.extend(full)
            is_new = False
    return rows, begins


def is_step(amounts: list[int]) -> bool:
    """Return whether amounts are those of one deal; of three or four players each has one."""
    return is_paid(amounts) and (len(amounts) > AT_TABLE or 0 not in amounts)


def paid_between(before: Amounts, after: Amounts) -> Amounts | None:
    """Return the payments of a deal, from the totals before and after it, or None if one is missing or they do not add
    up."""
    if None in before or None in after or len(before) != len(after):
        return None
    paid = tuple((new or 0) - (old or 0) for old, new in zip(before, after, strict=True))
    return None if sum(paid) else paid


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
