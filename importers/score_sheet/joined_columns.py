"""Columns that are one together: a surname and a first name; the day, the month and the year of a date; a cross below
one of the players, or of the games. Rows that are one together: of the players of a deal, or of one in a tournament."""

from archive.say import message
from importers.score_sheet.amount_columns import cell_text, hundredths_of, mostly
from importers.score_sheet.cells import (
    AT_TABLE,
    is_blank,
    is_one_of,
    normalize,
    parse_amount,
    parse_no,
    sheet_words,
    split_names,
)
from importers.score_sheet.sided_tables import contract_of, result_of
from importers.score_sheet.table_parts import FEWEST, MOST, MOSTLY, Shape, Table, with_cells, with_players
from importers.score_sheet.tables import Row
from importers.text import on_one_line

PAIR = 2  # columns


def surname_and_first_name(table: Table) -> Shape | None:
    """Join a column of surnames and one of first names to one of names."""
    surname, first = (table.roles.get(role) for role in ("surname", "first_name"))
    if surname is None or first is None:
        return None
    left, right = sorted((surname, first))

    def join_cells(row: Row) -> Row:
        cells = [*row.cells, *[""] * (right + 1 - len(row.cells))]
        cells[left], cells[right] = f"{cells[left]} {cells[right]}".strip(), ""
        return row if row.broken else row._replace(cells=tuple(cells))

    head = with_cells(join_cells(table.head), {left: "Name"})
    return Shape([*table.above, head, *map(join_cells, table.body)])


def day_of_three_columns(table: Table) -> Shape | None:
    """Join the columns of the day, the month and the year to one of dates."""
    heads = [normalize(text) for text in table.head.cells]
    words = sheet_words()["days"]
    places = [
        next((at for at, text in enumerate(heads) if text in words[key]), None) for key in ("day", "month", "year")
    ]
    if None in places or not all(mostly(table.body, at or 0, str.isdecimal) for at in places):
        return None
    day, month, year = (at or 0 for at in places)

    def join_cells(row: Row) -> Row:
        parts = [cell_text(row, at) for at in (day, month, year)]
        return with_cells(row, {day: ".".join(parts) if all(parts) else "", month: "", year: ""})

    head = with_cells(table.head, {month: "", year: ""})
    return Shape([*table.above, head, *map(join_cells, table.body)])


def crosses_below_games(table: Table) -> Shape | None:
    """Join columns whose heads are games to one. Each row has a cross below one, or the declarer, or the suit if there
    is a column of declarers."""
    free = [] if "contract" in table.roles else [at for at in table.free if not mostly(table.body, at, parse_amount)]
    heads = {at: text for at in free if len(text := table.head.cells[at]) >= FEWEST}
    games = {at: text for at, text in heads.items() if contract_of(text)}
    return _crosses_below(table, games, "Spielart", "" if "declarer" in table.roles else "Spieler")


def crosses_below_results(table: Table) -> Shape | None:
    """Join columns whose heads are won and lost, with a cross below one of them in each row, to one."""
    filled = {at: {text for row in table.body if (text := cell_text(row, at))} for at in range(len(table.head.cells))}
    crossed = [at for at, texts in filled.items() if texts and all(is_one_of(text, "yes") for text in texts)]
    ends = {at: result_of(table.head.cells[at]) for at in crossed}
    words = {at: "gewonnen" if won else "verloren" for at, won in ends.items() if won is not None}
    return _crosses_below(table, words, "Ergebnis", None)


def _crosses_below(table: Table, words: dict[int, str], head: str, names: str | None) -> Shape | None:
    """Return a table with the word of the column in which each row has a cross, below one head; `names`: the head of
    what may stand there in place of crosses, "" if that belongs to the word, or None if there are only crosses."""
    filled = [[(at, text) for at in words if not is_blank(text := cell_text(row, at))] for row in table.body]
    texts = {text for row in filled for _, text in row}
    crossed = all(is_one_of(text, "crosses") or is_one_of(text, "yes") for text in texts)
    if len({*words.values()}) < PAIR or not texts or any(len(row) > 1 for row in filled):
        return None
    if not crossed and (names is None or any(map(parse_amount, texts)) or not _fit_games(table, words, filled, names)):
        return None
    first, second = [*words][:PAIR]
    beside = "" if crossed else names

    def whole(row: Row, word: str, name: str) -> Row:
        cells = dict.fromkeys(words, "") | {first: word, second: name}
        return row._replace(cells=tuple(cells.get(at, text) for at, text in enumerate((*row.cells, ""))))

    rows = list[Row]()
    for row, cross in zip(table.body, filled, strict=True):
        at, text = cross[0] if cross else (first, "")
        word = words[at] if crossed or beside else f"{words[at]} {text}"
        rows.append(whole(row, word if cross else "", text if beside else ""))
    return Shape([*table.above, whole(table.head, head, beside or ""), *rows])


def _fit_games(table: Table, words: dict[int, str], filled: list[list[tuple[int, str]]], names: str) -> bool:
    """Return whether what stands below games belongs to them: names, all or none of which are heads; without `names`,
    what makes another game with the head."""
    if not names:
        return all(contract_of(f"{words[at]} {text}") for row in filled for at, text in row)
    players = {normalize(name) for row in filled for _, text in row for name in split_names(text)}
    return len(players & set(map(normalize, table.head.cells))) in (0, len(players))


def crosses_below_names(table: Table) -> Shape | None:
    """Join columns with the names of the players below one head, `Geber`, and one mark below a name in each row, to one
    of names."""
    named, body = table.body[0] if table.body else table.head, table.body[1:]
    for role in ("dealer", "declarer", "partner"):
        if (first := table.roles.get(role)) is None:
            continue
        columns = [first]
        while not cell_text(table.head, columns[-1] + 1) and cell_text(named, columns[-1] + 1):
            columns.append(columns[-1] + 1)
        crosses = [[at for at in columns if cell_text(row, at)] for row in body]
        marks = {cell_text(row, at) for row, places in zip(body, crosses, strict=True) for at in places}
        is_mark = all(is_one_of(text, "crosses") or (len(marks) == 1 and not parse_amount(text)) for text in marks)
        if not FEWEST <= len(columns) <= MOST or not marks or not is_mark:
            continue
        if not all(cell_text(named, at) for at in columns) or any(len(places) > 1 for places in crosses):
            continue

        def join_cells(row: Row, name: str, columns: list[int] = columns) -> Row:
            return with_cells(row, dict.fromkeys(columns, "") | {columns[0]: name})

        rows = [join_cells(row, cell_text(named, at[0]) if at else "") for row, at in zip(body, crosses, strict=True)]
        names = [row for row in (join_cells(named, ""),) if any(row.cells)]
        return Shape([*table.above, table.head, *names, *rows])
    return None


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
    amounts_by_row = {
        deal[0].key: {players[normalize(cell_text(row, name))]: cell_text(row, value) for row in deal} for deal in whole
    }
    joined = {deal[0].key: [deal[0]._replace(end_line=deal[-1].end_line)] for deal in whole}
    rows = [row for deal in deals for row in joined.get(deal[0].key, deal)]
    return Shape(with_players(table._replace(body=rows), [*players.values()], amounts_by_row, {name, value}))


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
        nth, key = parse_no(cell_text(row, number)), normalize(cell_text(row, name))
        amount = parse_amount(cell_text(row, value))
        if nth is None or amount is None or is_blank(key) or is_blank(cell_text(row, seat)):
            return None
        if nth in players.setdefault(key, {}):
            return None
        players[key][nth] = row
        tables.setdefault((nth, cell_text(row, seat)), []).append(amount.hundredths)
    fit = [points for points in tables.values() if FEWEST <= len(points) <= AT_TABLE and not sum(points)]
    if not fit or 2 * len(fit) < len(tables):
        return None
    rounds = sorted({number for number, _ in tables})
    titles = {at: on_one_line(text) for at, text in enumerate(table.head.cells) if at not in (number, name) and text}
    titles[seat], titles[value] = words["round_list"]["table"][0], words["round_list"]["amount"][0]
    heads = [f"{title.capitalize()} {each}" for each in rounds for title in titles.values()]
    body = []
    for rows in players.values():  # as one, from the line of the first to that of the last
        lines = [*rows.values()]
        cells = (cell_text(rows[each], at) if each in rows else "" for each in rounds for at in titles)
        body.append(Row(lines[0].line, lines[-1].end_line, (cell_text(lines[0], name), *cells)))
    head = table.head._replace(cells=(words["round_list"]["name"][0].capitalize(), *heads))
    return Shape([*table.above, head, *body], message("importers.note-rounds-of-rows"))
