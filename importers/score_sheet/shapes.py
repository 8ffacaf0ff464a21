"""Tables that tell payments in another shape than a column of amounts for each player: each becomes that.

A shape is a function from the rows of a sheet to rows of the usual shape, or None if the sheet has another. Lines stay
those of the file; what was worked out is a note of the sheet."""

from collections.abc import Callable, Sequence

from archive.say import message
from importers.score_sheet.amount_columns import AT_TABLE, cell_text, hundredths_of
from importers.score_sheet.cells import (
    SIGNS,
    is_blank,
    is_one_of,
    normalize,
    parse_amount,
    sheet_words,
    split_names,
)
from importers.score_sheet.columns import ColumnMapping, on_one_line
from importers.score_sheet.joined_columns import day_of_three_columns, surname_and_first_name
from importers.score_sheet.marked_amounts import amounts_with_standing, marked_amounts
from importers.score_sheet.named_cells import amounts_of_seats, names_below_seats, names_in_cells, word_before_names
from importers.score_sheet.sides import Side, calls_partner, may_be_of_one, payments_of_sides, result_of, side_of_mark
from importers.score_sheet.table_parts import FEWEST, MOST, MOSTLY, Shape, Table, tables_of, with_players
from importers.score_sheet.tables import Row, Sheet
from importers.score_sheet.turned import deals_as_columns


def usual_shape(sheet: Sheet, mapping: ColumnMapping) -> Sheet:
    """Return a sheet in the usual shape, or unchanged if columns.toml names columns."""
    if mapping.columns or mapping.players:
        return sheet
    sheet = sheet._replace(rows=_without_dittos(sheet.rows))
    tables = tables_of(sheet.rows)
    for shape in SHAPES:
        for table in tables:
            if shaped := shape(table):
                tables = tables_of(shaped.rows)
                notes = (*sheet.notes, *([shaped.note] if shaped.note else []))
                sheet = sheet._replace(rows=shaped.rows, notes=notes)
                break
    return sheet


def _without_dittos(rows: list[Row]) -> list[Row]:
    """Return the rows with the cell above in place of each mark that stands for it."""
    whole: list[Row] = []
    for row in rows:
        above = whole[-1] if whole else None
        if above and not above.broken and any(is_one_of(text, "ditto") for text in row.cells):
            cells = (cell_text(above, at) if is_one_of(text, "ditto") else text for at, text in enumerate(row.cells))
            row = row._replace(cells=tuple(cells))
        whole.append(row)
    return whole


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


def gains_beside_losses(table: Table) -> Shape | None:
    """Join the two columns of each player if each head has the name too: `Anna Plus`, `Anna Minus`; `Soll Anna`."""
    sides = {at: side for at in table.free if (side := _name_and_sign(table.head.cells[at]))}
    columns: dict[str, dict[int, int]] = {}
    for at, (name, sign) in sides.items():
        columns.setdefault(normalize(name), {})[sign] = at
    if len(columns) < FEWEST or 2 * len(columns) != len(sides) or any(len(both) != 2 for both in columns.values()):
        return None
    pairs = [(min(both.values()), max(both.values())) for both in columns.values()]
    names = {pair[0]: sides[pair[0]][0] for pair in pairs} | {pair[1]: "" for pair in pairs}
    head = table.head._replace(cells=tuple(names.get(at, text) for at, text in enumerate(table.head.cells)))
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
            cells[pair[0]] = _with_sign(*texts[0]) if len(texts) == 1 else " / ".join(text for text, _ in texts)
            cells[pair[1]] = ""
        return row if row.broken else row._replace(cells=tuple(cells))

    return [*map(join_cells, rows)]


def _with_sign(text: str, sign: int) -> str:
    """Return an amount below a head of losses with its sign; one that has a sign already is left for a finding."""
    if sign > 0:
        return text
    amount = parse_amount(text)
    return text if amount is None or not amount.hundredths else f"-{text}" if text[0].isdigit() else f"{text}?"


# --- who won, and how much --------------------------------------------------------------------------------------------


def marks_of_players(table: Table) -> Shape | None:
    """Read a column for each player with marks of won and lost, and one value a row: `+`, `-`, `+`, `-` and 20."""
    value = table.roles.get("price")
    columns = [] if value is None else [at for at in table.free if _are_marks(table, at)]
    if value is None or not FEWEST <= len(columns) <= MOST:
        return None
    players = [on_one_line(table.head.cells[at]) for at in columns]
    texts = [[cell_text(row, at) for at in columns] for row in table.body]
    cells = {text for row in texts for text in row if text}
    ticked = all(is_one_of(text, "ticks") or side_of_mark(text) is False for text in cells)
    crossed = not ticked and any(is_one_of(text, "crosses") for text in cells)
    if crossed and not any(sum(map(bool, row)) == len(row) - 1 for row in texts):
        return None  # crosses may mark those who played

    def sides(row: Row) -> Side:
        marks = {name: cell_text(row, at) for name, at in zip(players, columns, strict=True)}
        won = [name for name, text in marks.items() if side_of_mark(text) or is_one_of(text, "crosses")]
        lost = [name for name, text in marks.items() if side_of_mark(text) is False or (crossed and not text)]
        return Side(won, lost)

    return _by_sides(table, sides, {*columns, value}, value, players)


def _are_marks(table: Table, at: int) -> bool:
    """Return whether a column has marks of won and lost, and hardly anything else."""
    texts = [text for row in table.body if (text := cell_text(row, at))]
    marks = [text for text in texts if side_of_mark(text) is not None or is_one_of(text, "crosses")]
    return bool(marks) and len(marks) >= MOSTLY * len(texts)


def winners_and_losers(table: Table) -> Shape | None:
    """Read a column of winners, one of losers, and one value a row: `Anna + Cem`, `Ben + Dora`, 20. Without the losers'
    column, they are the others of four."""
    won, lost, value = (table.roles.get(role) for role in ("winners", "losers", "price"))
    if won is None or value is None:
        return None
    names = {normalize(name): name for row in table.body for name in split_names(cell_text(row, won))}
    if lost is None and (len(names) != AT_TABLE or names.keys() & set(map(normalize, table.head.cells))):
        return None

    def sides(row: Row) -> Side:
        winners = split_names(cell_text(row, won))
        others = [name for key, name in names.items() if key not in set(map(normalize, winners))]
        return Side(winners, others if lost is None else split_names(cell_text(row, lost)))

    return _by_sides(table, sides, {at for at in (won, lost, value) if at is not None}, value)


def amount_of_the_declarer(table: Table) -> Shape | None:
    """Read declarer, partner, and the amount of each of them, whose sign or whose result says whether they won, if
    players have no columns."""
    declarer, partner, value = (table.roles.get(role) for role in ("declarer", "partner", "price"))
    if declarer is None or partner is None or value is None or "contract" not in table.roles:
        return None
    players = [cell_text(row, at) for row in table.body for at in (declarer, partner)]
    names = {normalize(name): name for name in players if not is_blank(name) and not is_one_of(name, "alone")}
    named = [at for at in range(len(table.head.cells)) if normalize(cell_text(table.head, at)) in names]
    if named or len(names) != AT_TABLE:
        return None
    table = table._replace(body=[_with_doubt(table, row, value) for row in table.body])
    valued = [row for row in table.body if cell_text(row, value)]
    if sum(_declarer_won(table, row, value) is not None for row in valued) < MOSTLY * len(valued):
        return None

    def sides(row: Row) -> Side:
        ours = [key for at in (declarer, partner) if (key := normalize(cell_text(row, at))) in names]
        won = _declarer_won(table, row, value)
        if won is None or (len(ours) == 1 and calls_partner(table.cell(row, "contract"))):
            return Side([], [])
        both = [[names[key] for key in keys] for keys in (ours, [key for key in names if key not in ours])]
        return Side(*(both if won else reversed(both)))

    return _by_sides(table, sides, {value}, value)


def _declarer_won(table: Table, row: Row, value: int) -> bool | None:
    """Return whether the declarer's side won a row, by the sign of its amount, else by its result; None if neither says
    so."""
    sign = cell_text(row, value)[:1]
    return sign == "+" if sign in tuple("+-−–") else result_of(table.cell(row, "result"))


def _with_doubt(table: Table, row: Row, value: int) -> Row:
    """Return a row, in doubt if the sign of its amount and its result contradict each other."""
    result = result_of(table.cell(row, "result"))
    if result in (None, _declarer_won(table, row, value)):
        return row
    facts = {"amount": cell_text(row, value), "result": table.cell(row, "result")}
    return row._replace(doubt=row.doubt or message("importers.sign-and-result", **facts))


def _by_sides(
    table: Table, sides: Callable[[Row], Side], drop: set[int], value: int, players: Sequence[str] = ()
) -> Shape | None:
    """Return the rows with what each side was paid, or None if the names are not those of one table, or most do not
    fit. If the value of a lone player may be that from each or that from all, the row is in doubt."""
    names = {normalize(name): name for name in players}
    amounts_by_line = {}
    read: dict[int, tuple[Side, str]] = {}
    for row in table.body:
        side = sides(row)
        side = Side(*([names.setdefault(normalize(name), name) for name in party] for party in side))
        if paid := payments_of_sides(side, cell_text(row, value)):
            amounts_by_line[row.line], read[row.line] = paid, (side, cell_text(row, value))
    if not amounts_by_line or len(amounts_by_line) < MOSTLY * len(table.body) or not FEWEST <= len(names) <= MOST:
        return None
    if may_be_of_one(read.values()):
        doubt = message("importers.value-of-one")
        lone = {line for line, (side, _) in read.items() if 1 in map(len, side)}
        table = table._replace(
            body=[row._replace(doubt=row.doubt or doubt) if row.line in lone else row for row in table.body]
        )
    shaped = with_players(table, [*names.values()], amounts_by_line, drop)
    return Shape(shaped, message("importers.note-value-of-sides"))


# --- a row a player ---------------------------------------------------------------------------------------------------


def row_of_a_player(table: Table) -> Shape | None:
    """Join rows of a player and deal, with the number of the deal, the name and the amount, to a row for each deal."""
    number, value = table.roles.get("number"), table.roles.get("price", table.roles.get("points"))
    words = sheet_words()["round_list"]["name"]
    name = next((at for at, text in enumerate(table.head.cells) if normalize(text) in words), None)
    if number is None or value is None or name is None:
        return None
    deals: list[list[Row]] = []
    for row in table.body:
        number_text = cell_text(row, number)
        if deals and (not number_text or number_text == cell_text(deals[-1][0], number)):
            deals[-1].append(row)
        else:
            deals.append([row])
    players = {normalize(text): text for row in table.body if (text := cell_text(row, name))}
    whole = [deal for deal in deals if FEWEST <= len({normalize(cell_text(row, name)) for row in deal}) == len(deal)]
    zero = [deal for deal in whole if not sum(hundredths_of(cell_text(row, value)) for row in deal)]
    if (
        not FEWEST <= len(players) <= MOST
        or not whole
        or len(whole) < MOSTLY * len(deals)
        or 2 * len(zero) < len(whole)
    ):
        return None
    amounts_by_line = {
        deal[0].line: {players[normalize(cell_text(row, name))]: cell_text(row, value) for row in deal}
        for deal in whole
    }
    rows = [row for deal in deals for row in ([_row_of_deal(deal)] if deal[0].line in amounts_by_line else deal)]
    return Shape(with_players(table._replace(body=rows), [*players.values()], amounts_by_line, {name, value}))


def _row_of_deal(deal: Sequence[Row]) -> Row:
    """Return the first row of a deal, up to the line of its last."""
    return deal[0]._replace(end_line=deal[-1].end_line)


# --- sides without amounts --------------------------------------------------------------------------------------------


def players_of_sides(table: Table) -> Shape | None:
    """Read columns of the players of both sides, without amounts: `Spieler 1`, `Spieler 2`, `Gegner 1`."""
    words = sheet_words()["sides"]
    heads = [(at, normalize(text)) for at, text in enumerate(table.head.cells)]
    ours, theirs = (
        [at for at, text in heads if text[:-1].strip() in words[key] and text[-1:].isdecimal()]
        for key in ("ours", "theirs")
    )
    if len(ours) < 2 or len(theirs) < 2 or "contract" not in table.roles:
        return None
    places = (*ours[:2], *theirs)
    cells = {at: {normalize(text): text for row in table.body if (text := cell_text(row, at))} for at in places}
    players = [*{key: name for at in places for key, name in cells[at].items()}.values()]
    if not FEWEST <= len(players) <= MOST:
        return None
    renamed = {ours[0]: words["ours"][0], ours[1]: words["mates"][0], **dict.fromkeys(theirs, "")}
    head = tuple(renamed.get(at, text) for at, text in enumerate(table.head.cells))
    no_amounts: dict[int, dict[str, str]] = {row.line: {} for row in table.body}
    return Shape(with_players(table._replace(head=table.head._replace(cells=head)), players, no_amounts, {*theirs}))


SHAPES: tuple[Callable[[Table], Shape | None], ...] = (
    surname_and_first_name,
    amounts_with_standing,
    marked_amounts,
    day_of_three_columns,
    gains_beside_losses,
    word_before_names,
    names_below_seats,
    amounts_of_seats,
    deals_as_columns,
    gains_and_losses,
    names_in_cells,
    marks_of_players,
    winners_and_losers,
    row_of_a_player,
    amount_of_the_declarer,
    players_of_sides,
)
