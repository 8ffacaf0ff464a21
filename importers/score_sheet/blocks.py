"""Several tables in one sheet, each with a head of its own: beside each other, or one below the other. Each is read as
a sheet; its cells stay in their columns, so that letters and lines are those of the file."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from archive.notation.game_words import is_contract
from archive.say import message
from importers.score_sheet.amount_columns import cell_text, head_key, hundredths_of, is_paid, usual_heads
from importers.score_sheet.cells import is_blank, normalize, parse_amount, parse_no, sheet_words
from importers.score_sheet.columns import HEAD_ROWS, TELLING, ColumnMapping, Layout, find_layout, row_text, split_unit
from importers.score_sheet.dates import dates_in
from importers.score_sheet.named_cells import marked_amounts
from importers.score_sheet.table_parts import tables_of
from importers.score_sheet.tables import Row, Sheet

PLAYERS = 3  # fewest heads that name no role
OF_OTHERS = ("partner", "dealer", "sits_out", "knocks", "doubles")  # heads of names that a deal may have once each


def blocks_of(sheet: Sheet, mapping: ColumnMapping) -> Iterator[Sheet]:
    """Yield the tables of a sheet; if columns.toml names columns, the sheet is one."""
    sheet = sheet._replace(rows=_without_marks(sheet.rows))
    if mapping.columns or mapping.players:
        yield sheet
        return
    findings = sheet.findings
    sheet = sheet._replace(rows=_without_heads_beside(sheet.rows))
    parts = [rows for side in _beside_each_other(sheet.rows) for rows in _below_each_other(side)]
    dated = [row for row in _titles(parts[0]) if _has_date(row)]
    for place, rows in enumerate(parts):
        block = rows if place == 0 or any(map(_has_date, _titles(rows))) else dated + rows
        yield _without_list_below(sheet._replace(rows=block, findings=findings))
        findings = []


def _without_list_below(sheet: Sheet) -> Sheet:
    """Return a table without the list below it that says who pays whom, or who came first, and a note on that; as it is
    if amounts of players stand below that."""
    at = next((at for at, row in enumerate(sheet.rows) if _is_of_list(row.cells)), 0)
    layout = find_layout(sheet.rows[:at], ColumnMapping()) if at else None
    paid = [[cell_text(row, place) for place in layout.payments] for row in sheet.rows[at:]] if layout else []
    if layout is None or any(sum(parse_amount(text) is not None for text in texts) >= PLAYERS for texts in paid):
        return sheet
    note = message("importers.note-list-below", line=sheet.rows[at].line, text=row_text(sheet.rows[at]))
    return sheet._replace(rows=sheet.rows[:at], evidence=(*sheet.evidence, ("rows", note)))


def _is_of_list(cells: Sequence[str]) -> bool:
    """Return whether cells are the heads of a list of who pays whom, or who came first."""
    words, heads, texts = sheet_words()["nobody"], sheet_words()["round_list"], {*map(normalize, cells)}
    pairs = ((words["payer"], words["payee"]), (heads["place"], heads["name"]))
    return any(not texts.isdisjoint(one) and not texts.isdisjoint(other) for one, other in pairs)


def _without_marks(rows: list[Row]) -> list[Row]:
    """Return the rows without what stands beside amounts, and without brackets around those without a sign if most rows
    and most columns with brackets have signs in them: else `(30)` is a loss."""
    rows = next((shape.rows for table in tables_of(rows) if (shape := marked_amounts(table))), rows)
    within = [
        (row.line, at, text)
        for row in rows
        for at, text in enumerate(row.cells)
        if text[:1] == "(" and hundredths_of(text)
    ]
    for place in (0, 1):
        signed = {each[place] for each in within if each[2][1] in "+-−–"}
        if 2 * len(signed) <= len({each[place] for each in within}):
            return rows
    bare = {text: text.strip("()") for *_, text in within if text[1] not in "+-−–"}
    return [row._replace(cells=tuple(bare.get(text, text) for text in row.cells)) for row in rows]


def _titles(rows: list[Row]) -> list[Row]:
    """Return the rows above the head."""
    return rows[: next((place for place, row in enumerate(rows) if _is_head(row.cells)), 0)]


def _has_date(row: Row) -> bool:
    return any(True for text in row.cells for _ in dates_in(text))


def _roles_at(cells: Sequence[str]) -> dict[int, str]:
    """Return the places of a row whose text is the usual head of a role, and that text."""
    texts = {at: normalize(split_unit(text)[0]) for at, text in enumerate(cells) if text}
    return {at: text for at, text in texts.items() if text in usual_heads()}


def _is_head(cells: Sequence[str]) -> bool:
    """Return whether a row has the heads of roles, the contract or the declarer among them, beside those of players."""
    roles = _roles_at(cells)
    telling = {name for role in TELLING for name in sheet_words()["columns"][role]}
    others = [text for at, text in enumerate(cells) if text and at not in roles]
    return (
        len(roles) >= 2
        and not telling.isdisjoint(roles.values())
        and len(others) >= PLAYERS
        and not any(parse_amount(text) or is_blank(text) or is_contract(text) for text in others)
    )


def _beside_each_other(rows: list[Row]) -> Iterator[list[Row]]:
    """Yield the rows of each table that stands beside others: the second head repeats a head of the first."""
    head = next((row for row in rows if _is_head(row.cells)), None)
    cut = _second_table(head.cells) if head else _second_group(rows)
    if cut is None:
        yield rows
        return
    both = list[Row](), list[Row]()
    for row in rows:
        cells = row.cells[:cut], ("",) * min(cut, len(row.cells)) + row.cells[cut:]
        for is_right, side in enumerate(both):
            comments = tuple(each for each in row.comments if (each[0] >= cut) == is_right)
            if any(cells[is_right]) or (row.broken and not is_right):
                side.append(row._replace(cells=cells[is_right], comments=comments))
    left, right = both
    second, *others = _beside_each_other(right)
    going_on = _rows_going_on(left, second)
    yield left + going_on
    yield from others if going_on else (second, *others)


def _rows_going_on(left: list[Row], right: list[Row]) -> list[Row]:
    """Return the rows of a second table in the columns of the first, if it only goes on beside it to save paper: with
    the same heads, no day of its own, and the next number; else []."""
    first, second = (find_layout(rows, ColumnMapping()) for rows in (left, right))
    if not first or not second or "number" not in first.roles or first.roles.keys() != second.roles.keys():
        return []
    both = first, second
    at, shift = first.roles["number"], second.roles["number"] - first.roles["number"]
    heads = [[head_key(split_unit(text)[0]) for text in each.head.cells] for each in both]
    pairs = zip(heads[0], heads[1][shift:], strict=False)
    is_other = any(one and other and one != other for place, (one, other) in enumerate(pairs) if place != at)
    is_other |= any(heads[1][:shift]) or {*map(normalize, first.players)} != {*map(normalize, second.players)}
    numbers = [[no for row in each.body if (no := parse_no(each.cell(row, "number"))) is not None] for each in both]
    is_dated = any(row.line < second.head.line and _has_date(row) for row in right)
    if is_other or is_dated or not all(numbers) or numbers[1][0] != numbers[0][-1] + 1:
        return []
    return [
        row._replace(cells=row.cells[shift:], comments=tuple((at - shift, text) for at, text in row.comments))
        for row in right
        if row.line > second.head.end_line
    ]


def _second_table(cells: tuple[str, ...]) -> int | None:
    """Return the place where a second table begins in a head, or None if there is only one."""
    first: dict[str, int] = {}
    for at, text in _roles_at(cells).items():
        if text in first and _is_head(cells[:at]) and _is_head(cells[at:]):
            return at
        first.setdefault(text, at)
    return None


def _second_group(rows: list[Row]) -> int | None:
    """Return the place where a second table of names and amounts begins after an empty column, or with the same names
    once more, or None if there is only one, or the amounts after it are those of the first in another unit, or their
    sums."""
    empty = [(at, at + 1) for at in _empty_columns(rows)]
    for end, start in (*empty, *_names_again(rows)):
        left, right = (
            find_layout([row._replace(cells=cells) for row, cells in sides if any(cells)], ColumnMapping())
            for sides in (
                [(row, row.cells[:end]) for row in rows],
                [(row, ("",) * start + row.cells[start:]) for row in rows],
            )
        )
        if left and right and left.payments and right.payments and not _is_again(left, right):
            return start
    return None


def _names_again(rows: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """Yield where the heads of players begin again, all in the same order and with no column between."""
    for row in rows[:HEAD_ROWS]:
        names = [normalize(text) if parse_amount(text) is None else "" for text in row.cells]
        for at in range(PLAYERS, len(names)):
            first = names.index(names[at])
            block = names[first:at]
            if len(block) >= PLAYERS and "" not in block and block == names[at : at + len(block)]:
                yield at, at
                return


def _empty_columns(rows: Sequence[Row]) -> list[int]:
    """Return the places of columns that hold nothing, between others."""
    width = max((len(row.cells) for row in rows), default=0)
    return [at for at in range(1, width - 1) if not any(cell_text(row, at) for row in rows)]


def _without_heads_beside(rows: list[Row]) -> list[Row]:
    """Return the rows without the heads of a list behind an empty column that tells nothing of the deals beside it. Its
    cells stay, in columns of no name."""
    for at in _empty_columns(rows):
        left = find_layout([row._replace(cells=row.cells[:at]) for row in rows if any(row.cells[:at])], ColumnMapping())
        head = next((row for row in rows if left and row.line == left.head.line), None)
        if left and head and left.payments and any(head.cells[at:]) and _is_list_apart(left, head.cells, at, rows):
            return [row._replace(cells=row.cells[:at]) if row is head else row for row in rows]
    return rows


def _is_list_apart(left: Layout, head: Sequence[str], start: int, rows: Sequence[Row]) -> bool:
    """Return whether the columns from a place on tell nothing of the deals beside them: each player once beside
    numbers, as in a ranking, or in few rows its first places, what they drank or paid, or prices of none; or a tariff,
    which has each game once."""
    columns = sheet_words()["columns"]
    below = [row for row in rows if row.line > left.head.end_line]
    sizes = [{abs(hundredths_of(cell_text(row, place))) for place in left.payments} - {0} for row in below]
    heads = {place: head_key(split_unit(text)[0]) for place, text in enumerate(head) if place >= start}
    texts = {place: [cell_text(row, place) for row in below] for place in heads}
    filled = {place: [*filter(None, each)] for place, each in texts.items()}
    numbers = [place for place, each in filled.items() if each and all(map(parse_amount, each))]
    paid = {  # whether a deal had each of these prices
        at: [abs(hundredths_of(text)) in size for text, size in zip(texts[at], sizes, strict=True) if text]
        for at in numbers
    }
    of_games = {*columns["contract"], *sheet_words()["above"]["tariff"]}
    of_prices = ("", *columns["price"], *sheet_words()["shapes"]["money"], *sheet_words()["nobody"]["heads"])
    games = [text for at in heads if heads[at] in of_games for text in filled[at]]
    rows_beside = [any(row.cells[start:]) for row in below]
    is_short = 0 < 2 * sum(rows_beside) < sum(map(bool, sizes)) and all(rows_beside[: sum(rows_beside)])
    is_tariff = bool(numbers) and 1 < len(games) == len({*games}) and {*heads.values()} <= {*of_games, *of_prices}
    is_tariff = is_tariff and (is_short or "contract" in left.roles or not all(map(is_contract, games)))
    if _is_of_list(head[start:]):
        return True
    if any(map(all, paid.values())) or (any(map(is_contract, games)) and not is_tariff):
        return False
    if is_tariff or len({*numbers}.difference(_roles_at(head))) >= PLAYERS:
        return is_tariff  # or another table of players
    of_deals = {name for role in OF_OTHERS for name in columns[role]}
    again = columns["declarer"] if "declarer" in left.roles else ()
    apart = {*sheet_words()["nobody"]["heads"], *sheet_words()["round_list"]["place"], *again} & {*heads.values()}
    players = sorted(map(normalize, left.players))
    ranked = [at for at in heads if sorted(map(normalize, filled[at])) == players and heads[at] not in of_deals]
    if ranked and numbers and (apart or any(hundredths_of(text) < 0 for at in numbers for text in filled[at])):
        return True
    are_others = apart or any(heads[at] in columns["price"] and not any(paid[at]) for at in numbers)
    return is_short and bool(are_others) and of_deals.isdisjoint(heads.values())


def _is_again(left: Layout, right: Layout) -> bool:
    """Return whether two tables of the same players tell the same deals: in another unit, or one the other's sums."""
    if {*map(normalize, left.players)} != {*map(normalize, right.players)}:
        return False
    both = [
        tuple(hundredths_of(cell_text(row, at)) for at in side.payments) for side in (left, right) for row in side.body
    ]
    first, second = both[: len(left.body)], both[len(left.body) :]
    deals = [amounts for amounts in second if any(amounts)]
    factors = {
        one * 1000 // other if other else None
        for row, again in zip(first, second, strict=False)
        for one, other in zip(row, again, strict=False)
        if one or other
    }
    steps = [
        [new - old for new, old in zip(now, then, strict=True)] == [*paid]
        for then, now, paid in zip(second, second[1:], first[1:], strict=False)
    ]
    if steps and 2 * sum(steps) >= len(steps):
        return True
    return len(factors) == 1 or 2 * sum(is_paid([*amounts]) for amounts in deals) < len(deals)


def _below_each_other(rows: list[Row]) -> Iterator[list[Row]]:
    """Yield the rows of each table that stands below another: from another head, with the titles above it, or from a
    head that is repeated below a title with a date."""
    heads = [place for place, row in enumerate(rows) if _is_head(row.cells)]
    heads = heads or [place for place in range(len(rows) - 1) if _is_head_of_names(rows, place)]
    starts = [0]
    for before, place in pairwise(heads):
        start = place
        while start > before + 1 and _is_title(rows[start - 1]):
            start -= 1
        if rows[place].cells != rows[before].cells or any(map(_has_date, rows[start:place])):
            starts.append(start)
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        yield rows[start:end]


def _is_head_of_names(rows: list[Row], place: int) -> bool:
    """Return whether a row has nothing but words, three of them above amounts, and nothing or a title just above it, or
    a date and names of the first rows: the head of a table without games."""
    row, below = rows[place], rows[place + 1]
    apart = not place or row.line > rows[place - 1].end_line + 1 or _is_title(rows[place - 1])
    if not (apart or _has_date(row)) or row.broken or below.broken:
        return False
    texts = {at: text for at, text in enumerate(row.cells) if text}
    words = all(parse_amount(text) is None and not is_blank(text) for text in texts.values())
    paid = [at for at in texts if parse_amount(cell_text(below, at)) is not None]
    if not words or len(paid) < PLAYERS:
        return False
    first = {text for each in rows[: min(place, HEAD_ROWS)] for text in each.cells}
    return apart or len(first.intersection(texts.values())) > 1


def _is_title(row: Row) -> bool:
    """Return whether a row has a single text, which is no amount."""
    texts = [text for text in row.cells if text]
    return not row.broken and len(texts) == 1 and parse_amount(texts[0]) is None and not is_blank(texts[0])
