"""Rows of sums among the deals of an evening: its totals, those of a page, those carried to the next."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from archive.notation.problem import Problem
from archive.record import Carry, Deal, Finding, Source, Stated, finding
from importers.score_sheet.amount_columns import cell_text
from importers.score_sheet.cells import is_blank, parse_amount
from importers.score_sheet.doubts import RunningSums
from importers.score_sheet.rows import RowReader, only_amounts, sums_of
from importers.score_sheet.tables import Row, source_of
from importers.score_sheet.unplayed_rows import is_carried

Totals = tuple[int | None, ...]


class Evening(NamedTuple):
    """The contents of the rows of an evening: deals and findings in order, the totals carried into it, rows of sums.
    `page` are the totals carried on before the next deal."""

    items: list[Deal | Finding]
    carried: Totals | None
    sums: list[Row]
    passed_over: list[int]  # lines that columns.toml calls no deals
    other_lines: list[int]  # lines that are neither deals nor sums
    page: Totals | None = None

    @property
    def deals(self) -> list[Deal]:
        return [item for item in self.items if isinstance(item, Deal)]


def with_items(evening: Evening, items: Sequence[Deal | Finding]) -> Evening:
    """Return the evening with what a row holds added; its deal begins with the totals carried on before it."""
    page = evening.page
    for item in items:
        if isinstance(item, Deal) and page is not None:
            item, page = replace(item, carry=Carry(totals=page)), None
        evening.items.append(item)
    return evening._replace(page=page)


def adds_up(row: Row, reader: RowReader, above: RunningSums) -> bool:
    """Return whether a row has only the sums of the payments above it."""
    if not only_amounts(row, reader.layout):
        return False
    try:
        return any(above.all_deals) and list(sums_of(row, reader)) in (above.all_deals, above.latest)
    except Problem:
        return False


def with_sums(row: Row, evening: Evening, reader: RowReader, source: Source, above: RunningSums | None) -> Evening:
    """Return the evening after a row of sums: the totals carried into it, those after its last deal, or those carried
    on after them. `above` are the sums of the rows before it; None if the sheet has several evenings."""
    try:
        sums = sums_of(row, reader)
    except Problem as problem:
        texts = (text for at in reader.layout.payments if not is_blank(text := cell_text(row, at)))
        amounts = [*map(parse_amount, texts)]
        in_euros = any(amounts) and all(each and (each.is_money or not each.hundredths) for each in amounts)
        if not reader.money.euros and in_euros:
            return evening._replace(other_lines=[*evening.other_lines, row.line])
        refused = finding(problem.rule, source_of(source, row), **problem.facts)
        return evening._replace(items=[*evening.items, refused])
    with_row = evening._replace(sums=[*evening.sums, row])
    if is_carried(row, reader.layout) and not evening.items:
        return with_row._replace(carried=sums)
    last = evening.items[-1] if evening.items else None
    if not isinstance(last, Deal) or above is None or evening.carried is not None or not reader.layout.payments:
        return with_row
    stated = last.stated or Stated()
    if stated.totals is not None or not any(total is not None for total in sums):
        goes_on = is_carried(row, reader.layout) and None not in sums
        return with_row._replace(page=sums) if goes_on else with_row
    of_page, of_all = (
        sum(paid == total for paid, total in zip(sums, rows, strict=True)) for rows in (above.latest, above.all_deals)
    )
    is_page = not is_carried(row, reader.layout) and of_page > of_all
    whole = tuple(
        None if amount is None else amount + total - page
        for amount, total, page in zip(sums, above.all_deals, above.latest, strict=True)
    )
    note = reader.note("stated.totals", "note-sums-of-page" if is_page else "note-sums", line=row.line)
    deal = replace(
        last, stated=replace(stated, totals=whole if is_page else sums), inferred=(*(last.inferred or ()), note)
    )
    return with_row._replace(items=[*evening.items[:-1], deal])
