"""Tables with a row for each player of a deal, or of a round of a tournament: each becomes one with a row for each
deal, or for each player."""

from collections.abc import Sequence

from archive.say import message
from importers.score_sheet.amount_columns import cell_text, hundredths_of
from importers.score_sheet.cells import AT_TABLE, NUMBER, is_blank, normalize, parse_amount, sheet_words
from importers.score_sheet.table_parts import FEWEST, MOST, MOSTLY, Shape, Table, with_players
from importers.score_sheet.tables import Row
from importers.text import on_one_line


def _name_and_value(table: Table) -> tuple[int | None, int | None]:
    """Return the places of the names of players and of their amounts, None for one that is not there."""
    words = sheet_words()
    heads = [(at, normalize(text)) for at, text in enumerate(table.head.cells)]
    both = (words["round_list"]["name"], words["columns"]["declarer"])
    name = next((at for names in both for at, text in heads if text in names), None)
    number = next((at for at, text in heads if at != name and text in words["before_names"]["words"]), None)
    return name, table.roles.get("price", table.roles.get("points", number))


def row_of_a_player(table: Table) -> Shape | None:
    """Join rows of a player and deal, with the number of the deal, the name and the amount, to a row for each deal; or
    for each evening, if a date stands in place of the number."""
    number = table.roles.get("number", table.roles.get("date"))
    name, value = _name_and_value(table)
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
    if not FEWEST <= len(players) <= MOST or len(whole) < MOSTLY * len(deals) or 2 * len(zero) < len(whole):
        return None
    amounts_by_line = {
        deal[0].line: {players[normalize(cell_text(row, name))]: cell_text(row, value) for row in deal}
        for deal in whole
    }
    joined = {deal[0].line: [deal[0]._replace(end_line=deal[-1].end_line)] for deal in whole}
    rows = [row for deal in deals for row in joined.get(deal[0].line, deal)]
    return Shape(with_players(table._replace(body=rows), [*players.values()], amounts_by_line, {name, value}))


def rounds_of_a_player(table: Table) -> Shape | None:
    """Join rows of a player and round of a tournament, with the round, the table, the name and the points, to a row for
    each player, as lists of rounds have them; every other column is one of the round too."""
    number, seat = table.roles.get("number"), table.roles.get("table")
    name, value = _name_and_value(table)
    words = sheet_words()
    if number is None or seat is None or name is None or value is None:
        return None
    if normalize(table.head.cells[number]) not in (*words["round_list"]["amount"], *words["columns"]["list"]):
        return None
    players: dict[str, dict[int, Row]] = {}
    tables: dict[tuple[int, str], list[int]] = {}
    for row in table.body:
        match, key = NUMBER.fullmatch(cell_text(row, number)), normalize(cell_text(row, name))
        amount = parse_amount(cell_text(row, value))
        if not match or amount is None or is_blank(key) or is_blank(cell_text(row, seat)):
            return None
        if int(match[1]) in players.setdefault(key, {}):
            return None
        players[key][int(match[1])] = row
        tables.setdefault((int(match[1]), cell_text(row, seat)), []).append(amount.hundredths)
    fit = [points for points in tables.values() if FEWEST <= len(points) <= AT_TABLE and not sum(points)]
    if not fit or 2 * len(fit) < len(tables):
        return None
    rounds = sorted({number for number, _ in tables})
    titles = {at: on_one_line(text) for at, text in enumerate(table.head.cells) if at not in (number, name) and text}
    titles[seat], titles[value] = words["round_list"]["table"][0], words["round_list"]["amount"][0]
    heads = [f"{title.capitalize()} {each}" for each in rounds for title in titles.values()]
    body = [_row_of_player(rows, rounds, name, [*titles]) for rows in players.values()]
    head = table.head._replace(cells=(words["round_list"]["name"][0].capitalize(), *heads))
    return Shape([*table.above, head, *body], message("importers.note-rounds-of-rows"))


def _row_of_player(rows: dict[int, Row], rounds: Sequence[int], name: int, columns: Sequence[int]) -> Row:
    """Return the rows of a player by round as one, from the line of the first to that of the last."""
    cells = (cell_text(rows[each], at) if each in rows else "" for each in rounds for at in columns)
    lines = [*rows.values()]
    return Row(lines[0].line, lines[-1].end_line, (cell_text(lines[0], name), *cells))
