"""Tables that tell payments in another shape than a column of amounts for each player: each becomes that.

A shape is a function from the rows of a sheet to rows of the usual shape, or None if the sheet has another. Lines stay
those of the file; what was worked out is a note of the sheet."""

from collections.abc import Callable, Sequence

from archive.say import message
from importers.score_sheet.amount_columns import cell_text
from importers.score_sheet.cells import SIGNS, is_blank, is_one_of, normalize, parse_amount, sheet_words
from importers.score_sheet.columns import ColumnMapping
from importers.score_sheet.joined_columns import (
    crosses_below_games,
    crosses_below_names,
    crosses_below_results,
    day_of_three_columns,
    rounds_of_a_player,
    row_of_a_player,
    surname_and_first_name,
)
from importers.score_sheet.named_cells import (
    amounts_of_seats,
    amounts_with_standing,
    marked_amounts,
    names_below_seats,
    names_in_cells,
    numbers_before_names,
    word_before_names,
)
from importers.score_sheet.sided_tables import (
    amount_of_the_declarer,
    marks_of_players,
    players_of_sides,
    winners_and_losers,
)
from importers.score_sheet.table_parts import FEWEST, MOST, Shape, Table, tables_of, with_cells
from importers.score_sheet.tables import Row, Sheet
from importers.score_sheet.titles import with_legend
from importers.score_sheet.turned import deals_as_columns, deals_downwards
from importers.text import on_one_line


def usual_shape(sheet: Sheet, mapping: ColumnMapping) -> Sheet:
    """Return a sheet in the usual shape, or as it is if columns.toml names columns; a mark is the cell above it."""
    whole: list[Row] = []
    for row in sheet.rows:
        if whole and not whole[-1].broken and any(is_one_of(text, "ditto") for text in row.cells):
            texts = enumerate(row.cells)
            cells = (cell_text(whole[-1], at) if is_one_of(text, "ditto") else text for at, text in texts)
            row = row._replace(cells=tuple(cells))
        whole.append(row)
    sheet = sheet._replace(rows=whole)
    if mapping.columns or mapping.players:
        return sheet
    sheet = with_legend(sheet)
    tables = tables_of(sheet.rows)
    for shape in SHAPES:
        for table in tables:
            if shaped := shape(table):
                tables = tables_of(shaped.rows)
                notes = (*sheet.notes, *([shaped.note] if shaped.note else []))
                sheet = sheet._replace(rows=shaped.rows, notes=notes, shaped=True)
                break
    return sheet


# --- two columns a round ----------------------------------------------------------------------------------------------


def gains_and_losses(table: Table) -> Shape | None:
    """Join the two columns below each head, one for gains and one for losses: `Gut`, `Schlecht`."""
    if not table.body:
        return None
    words = sheet_words()["pairs"]
    lower = table.body[0]
    signs = {
        at: 1 if normalize(text) in words["gains"] else -1
        for at, text in enumerate(lower.cells)
        if normalize(text) in (*words["gains"], *words["losses"])
    }
    pairs = [(at, at + 1) for at in signs if signs[at] != signs.get(at + 1, signs[at]) and cell_text(table.head, at)]
    pairs = [pair for pair in pairs if not cell_text(table.head, pair[1])]
    if not pairs or 2 * len(pairs) != len(signs):
        return None
    head = table.head._replace(end_line=lower.end_line)
    upper = tuple(cell_text(head, at) or ("" if at in signs else cell_text(lower, at)) for at in range(len(head.cells)))
    body = _join_pairs(table.body[1:], pairs, signs)
    return Shape([*table.above, head._replace(cells=upper), *body], message("importers.note-gains"))


def amounts_beside_standings(table: Table) -> Shape | None:
    """Give both columns below each name a head of its own, if the row below the names says that one has what a deal
    paid and one the standing: `Punkte`, `Stand`."""
    if not table.body:
        return None
    words, lower = sheet_words(), table.body[0]
    paid = {*words["columns"]["points"], *words["columns"]["price"], *words["before_names"]["words"]}
    paid |= {*words["pairs"]["gains"]}
    pairs = [at for at in table.free if not cell_text(table.head, at + 1)]
    cells = [*table.head.cells, ""]
    for at in pairs:
        both = [normalize(cell_text(lower, place)) for place in (at, at + 1)]
        standing = next((place for place, text in enumerate(both) if text in words["totals"]["words"]), None)
        if standing is None or both[1 - standing] not in paid:
            return None
        cells[at + 1 - standing], cells[at + standing] = cells[at], f"{both[standing]} {cells[at]}"
    if not FEWEST <= len(pairs) <= MOST:
        return None
    rest = (text or ("" if at - 1 in pairs else cell_text(lower, at)) for at, text in enumerate(cells))
    return Shape([*table.above, table.head._replace(end_line=lower.end_line, cells=tuple(rest)), *table.body[1:]])


def gains_beside_losses(table: Table) -> Shape | None:
    """Join the two columns of each player, or of each round of a list, if each head has the name too: `Anna Plus`,
    `Anna Minus`; `Soll Anna`; `1. Runde +`."""
    sides = {at: side for at in table.free if (side := _name_and_sign(table.head.cells[at]))}
    columns: dict[str, dict[int, int]] = {}
    for at, (name, sign) in sides.items():
        columns.setdefault(normalize(name), {})[sign] = at
    of_list = any(normalize(text) in sheet_words()["round_list"]["name"] for text in table.head.cells)
    whole = 2 * len(columns) == len(sides) and all(len(both) == 2 for both in columns.values())
    if len(columns) < (1 if of_list else FEWEST) or not whole:
        return None
    pairs = [(min(both.values()), max(both.values())) for both in columns.values()]
    names = {pair[0]: sides[pair[0]][0] for pair in pairs} | {pair[1]: "" for pair in pairs}
    head = with_cells(table.head, names)
    body = _join_pairs(table.body, pairs, {at: sign for at, (_, sign) in sides.items()})
    return Shape([*table.above, head, *body], message("importers.note-gains"))


def _name_and_sign(head: str) -> tuple[str, int] | None:
    """Return the player of a head that also says whether it is of gains, 1, or of losses, -1; None if it does not."""
    parts = on_one_line(head).replace("(", " ").replace(")", " ").translate(SIGNS).split()
    for word, name in ((parts[-1], parts[:-1]), (parts[0], parts[1:])) if len(parts) > 1 else ():
        for kind, sign in (("gains", 1), ("losses", -1)):
            if word.casefold().strip(".:") in sheet_words()["pairs"][kind]:
                return " ".join(name).strip(" -:/"), sign
    return None


def _join_pairs(rows: Sequence[Row], pairs: Sequence[tuple[int, int]], signs: dict[int, int]) -> list[Row]:
    """Return the rows with each pair of columns as one, in the place of the first; losses get their minus, unless all
    of them have it."""
    lost = [parse_amount(cell_text(row, at)) for row in rows for pair in pairs for at in pair if signs[at] < 0]
    if all(amount is None or amount.hundredths <= 0 for amount in lost):
        signs = dict.fromkeys(signs, 1)

    def join_cells(row: Row) -> Row:
        cells = [*row.cells, *[""] * (max(map(max, pairs)) + 1 - len(row.cells))]
        for pair in pairs:
            texts = [(cells[at], signs[at]) for at in pair if not is_blank(cells[at])]
            zeros = [text for text, _ in texts if (amount := parse_amount(text)) and not amount.hundredths]
            texts = [each for each in texts if each[0] not in zeros] or texts[:1]
            cells[pair[0]], cells[pair[1]] = " / ".join(text for text, _ in texts), ""
            amount = parse_amount(cells[pair[0]]) if len(texts) == 1 and texts[0][1] < 0 else None
            if amount and amount.hundredths:  # one that has a sign already is left for a finding
                text = cells[pair[0]]
                cells[pair[0]] = f"-{text}" if text[0].isdigit() else f"{text}?"
        return row if row.broken else row._replace(cells=tuple(cells))

    return [*map(join_cells, rows)]


SHAPES: tuple[Callable[[Table], Shape | None], ...] = (
    surname_and_first_name,
    amounts_with_standing,
    marked_amounts,
    day_of_three_columns,
    crosses_below_names,
    crosses_below_games,
    crosses_below_results,
    gains_beside_losses,
    word_before_names,
    numbers_before_names,
    names_below_seats,
    amounts_of_seats,
    deals_as_columns,
    gains_and_losses,
    amounts_beside_standings,
    names_in_cells,
    marks_of_players,
    winners_and_losers,
    row_of_a_player,
    rounds_of_a_player,
    amount_of_the_declarer,
    players_of_sides,
    deals_downwards,
)
