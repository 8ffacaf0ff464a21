"""Columns of running totals, recognised by how they change from row to row; the difference is what a deal paid."""

from collections import Counter
from collections.abc import Sequence

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
