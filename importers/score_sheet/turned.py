"""Sheets whose deals do not stand from the first row to the last. One turned by a right angle has a row for each player
and a column for each deal, in which the players pay each other; a tournament list has sums there. In another the last
deal stands at the top and the numbers go down: each evening is put into the order of play."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from archive.say import message
from importers.score_sheet.amount_columns import cell_text, is_paid
from importers.score_sheet.cells import is_blank, normalize, parse_amount, parse_no, sheet_words
from importers.score_sheet.table_parts import FEWEST, MOST, Shape, Table
from importers.score_sheet.tables import Row

LEAST = 3  # deals
LABELS = ("contract", "suit", "declarer", "partner", "dealer", "result", "date", "time", "note", "doubles", "runners")


class Turned(NamedTuple):
    """The rows of players, those that say something else about each deal, and the columns of deals and of sums."""

    players: list[Row]
    labels: list[Row]
    deals: list[int]
    sums: list[int]


def deals_as_columns(table: Table) -> Shape | None:
    """Return a row for each column that is a deal, below the names of the first column, then the sums; or None."""
    every = (table.head, *table.body)
    margin = min((at for row in every for at, text in enumerate(row.cells) if text), default=0)
    head, *body = (row._replace(cells=row.cells[margin:]) for row in every)
    table = table._replace(head=head, body=body)
    turned = turned_parts(table)
    if turned is None:
        return None
    words = {word for at in turned.deals for word in re.findall(r"[^\W\d_]+", normalize(head.cells[at]))}
    if not turned.labels and words.issubset(sheet_words()["round_list"]["amount"]):
        return None  # neither a row nor a head says more of deals than a number or a round
    first = turned.players[0]
    last = table.body[-1].end_line
    titles = [Row(head.line, head.line, (head.cells[0],))] if head.cells[0] and head.line < first.line else []
    rows = [*turned.labels, *turned.players]
    doubt = next((row.doubt for row in rows if row.doubt), None)
    told = [(at - margin, (place, text)) for place, row in enumerate(rows, 1) for at, text in row.comments]

    def deal(at: int, number: str) -> Row:
        comments = tuple(comment for column, comment in told if column == at)
        return Row(first.line, last, (number, *(cell_text(row, at) for row in rows)), "", doubt, comments)

    numbers = {at: "".join(re.findall(r"\d+", head.cells[at])[:1]) or head.cells[at] for at in turned.deals}
    body = [deal(at, number) for at, number in numbers.items()] + [deal(at, head.cells[at]) for at in turned.sums]
    return Shape([*table.above, *titles, first._replace(cells=("Nr", *(row.cells[0] for row in rows))), *body])


def turned_parts(table: Table) -> Turned | None:
    """Return the parts of a table whose columns are deals, in each of which the players pay each other, or None."""
    head = table.head
    usual = {name for role in LABELS for name in sheet_words()["columns"][role]}
    sums = {*sheet_words()["totals"]["words"], *sheet_words()["columns"]["check"]}
    players, labels = list[Row](), list[Row]()
    for row in table.body:
        name = normalize(cell_text(row, 0))
        amounts = any(parse_amount(text) for text in row.cells[1:])
        if amounts and name not in sums and any(map(str.isalpha, name)):
            players.append(row)
        elif name in usual and not amounts:
            labels.append(row)
        elif row.broken or name not in sums:
            return None
    names = {normalize(cell_text(row, 0)) for row in players}
    columns = [at for at in range(1, len(head.cells)) if head.cells[at]]
    deals = [at for at in columns if normalize(head.cells[at]) not in sums]
    if not FEWEST <= len(players) <= MOST or len(names) < len(players) or len(deals) < LEAST:
        return None
    any_paid = 0
    for at in deals:
        texts = [row.cells[at] if at < len(row.cells) else "" for row in players]
        amounts_of = [parse_amount(text) for text in texts if not is_blank(text)]
        paid = [amount.hundredths for amount in amounts_of if amount]
        if len(paid) < len(amounts_of) or not (is_paid(paid) or (paid and not any(paid))):
            return None
        any_paid += any(paid)
    if any_paid < LEAST:
        return None
    return Turned(players, labels, deals, [at for at in columns if at not in deals])


# --- the last deal at the top -----------------------------------------------------------------------------------------


def deals_downwards(table: Table) -> Shape | None:
    """Return the deals in the order of their numbers, if these go down by one from row to row and none goes up but
    where an evening begins; a date that stands once is that of the rows below it."""
    words = sheet_words()["columns"]["number"]
    for at in (at for at, text in enumerate(table.head.cells) if normalize(text) in words):
        runs = _runs(table.body, at)
        numbers = [[no for row in run if (no := parse_no(cell_text(row, at))) is not None] for run in runs]
        steps = [one - other for each in numbers for one, other in pairwise(each)]
        if len(steps) >= LEAST - 1 and {*steps} == {1} and all(each[-1] == 1 for each in numbers[:-1]):
            date = table.roles.get("date")
            body = [row for run in runs for row in _in_order_of_play(run, at, date)]
            return Shape([*table.above, table.head, *body], message("importers.note-downwards"))
    return None


def _runs(body: Sequence[Row], at: int) -> list[list[Row]]:
    """Return the rows of each evening, which begins where a number is not below the one before."""
    runs: list[list[Row]] = [[]]
    last: int | None = None
    for row in body:
        number = parse_no(cell_text(row, at))
        if number is not None and last is not None and number >= last:
            runs.append([])
        runs[-1].append(row)
        last = last if number is None else number
    return runs


def _in_order_of_play(run: Sequence[Row], at: int, date: int | None) -> list[Row]:
    """Return the rows from the first to the last with a number in turned order, the others where they are."""
    places = [place for place, row in enumerate(run) if parse_no(cell_text(row, at)) is not None]
    first, end = places[0], places[-1] + 1
    whole: list[Row] = []
    for row in run[first:end]:
        dated = row
        if date is not None and whole and not row.broken and not cell_text(row, date) and date < len(row.cells):
            dated = row._replace(cells=(*row.cells[:date], cell_text(whole[-1], date), *row.cells[date + 1 :]))
        whole.append(dated)
    return [*run[:first], *whole[::-1], *run[end:]]
