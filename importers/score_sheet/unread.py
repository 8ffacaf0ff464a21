"""Why a table is not read: what its rows have instead of players and amounts, and what to do about it."""

from collections.abc import Sequence

from archive.say import Message, message
from importers.score_sheet.amount_columns import AT_TABLE, cell_text, mostly
from importers.score_sheet.cells import is_blank, is_one_of, normalize, parse_amount, sheet_words, split_names
from importers.score_sheet.table_parts import FEWEST, Table, tables_of
from importers.score_sheet.tables import CUT, NAMED, SHOWN, Row
from importers.score_sheet.turned import turned_parts
from importers.text import on_one_line

SINGLE = 8  # rows of one word each from which they are no table
SAMPLE = 20  # rows that show what a column holds


def why_no_table(rows: Sequence[Row]) -> Message:
    """Return why no table of players and amounts is found in rows, by the first row that looks like the head of one."""
    if any(row.doubt == CUT for row in rows):
        return CUT
    if len(rows) >= SINGLE and all(len([text for text in row.cells if text]) <= 1 for row in rows):
        return message("importers.word-a-line")
    return next((why for table in tables_of(rows) if (why := _why_none(table))), message("importers.no-head"))


def _why_none(table: Table) -> Message | None:
    """Return why a table below a head is not one of payments, or None if it is no table at all."""
    if turned := turned_parts(table):
        return message("importers.deals-as-columns", n=len(turned.deals))
    if few := _amounts_of_one_side(table):
        return few
    household = {*sheet_words()["nobody"]["household"]}
    if books := [on_one_line(text) for text in table.head.cells if normalize(text) in household]:
        return message("importers.cash-book", names=", ".join(books[:NAMED])) if len(books) > 1 else None
    free = [at for at in table.free if any(map(str.isalpha, table.head.cells[at]))]
    body = [row for row in table.body if not row.broken][:SAMPLE]
    if len(free) < FEWEST or not body or any(parse_amount(text) for text in table.head.cells if text):
        return None
    heads = [on_one_line(table.head.cells[at]) for at in free]
    twice = next((name for name in heads if [*map(normalize, heads)].count(normalize(name)) > 1), None)
    if twice:
        return message("importers.head-twice", name=twice)
    paid = [at for at in free if mostly(body, at, parse_amount)]
    names = ", ".join(on_one_line(table.head.cells[at]) for at in paid[:NAMED])
    if len(paid) >= FEWEST:
        amounts = [[parse_amount(cell_text(row, at)) for at in paid] for row in body]
        sums = [sum(amount.hundredths for amount in row if amount) for row in amounts if any(row)]
        if not any(amount.hundredths < 0 for row in amounts for amount in row if amount):
            return message("importers.table-without-minus", names=names)
        return message("importers.table-apart", names=names, n=sum(map(bool, sums)), of=len(sums))
    others = [at for at in free if at not in paid]
    texts = [text for row in body for at in others if not is_blank(text := cell_text(row, at))]
    shown = ", ".join(dict.fromkeys(f"»{on_one_line(text)[: SHOWN // 4]}«" for text in texts[:NAMED]))
    return message("importers.table-without-amounts", names=", ".join(heads[:NAMED]), texts=shown) if texts else None


def _amounts_of_one_side(table: Table) -> Message | None:
    """Return why a table with the amounts of declarers, or of winners, says too little: it names more players than sit
    at the table, or fewer; None if it is no such table."""
    roles, value = table.roles, table.roles.get("price")
    sides = {"declarers-alone": ("declarer", "partner"), "winners-alone": ("winners",)}
    kind = next((id for id, both in sides.items() if roles.keys() >= {*both}), None)
    if kind is None or value is None or "losers" in roles or not mostly(table.body, value, parse_amount):
        return None
    named = [each for row in table.body for role in sides[kind] for each in split_names(table.cell(row, role))]
    players = {normalize(name): name for name in named if not is_blank(name) and not is_one_of(name, "alone")}
    names = tuple(players.values())
    return None if len(names) == AT_TABLE else message(f"importers.{kind}", n=len(names), names=names)
