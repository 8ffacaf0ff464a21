"""The role of each column of a score sheet: by its head, by a `columns.toml` beside the sheet, by what it holds."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.cards import ALPHABETS
from archive.notation.convert import convert_table
from archive.notation.problem import Problem
from archive.notation.toml_blocks import Block, BrokenBlock, parse_block, problem_lines
from archive.record import NOWHERE, Finding, Source, finding
from archive.say import message
from importers.dates import DATE
from importers.score_sheet.amount_columns import (
    amount_columns,
    are_dealers,
    are_numbers,
    by_name,
    cell_text,
    columns_of_players,
    head_key,
    mostly,
    plain_name,
    pot_among,
    price_of_points,
    seats_below,
    split_units,
    without_total,
)
from importers.score_sheet.amount_columns import split_unit as split_unit
from importers.score_sheet.cells import normalize, parse_amount, sheet_words
from importers.score_sheet.game_cells import are_games, is_suit
from importers.score_sheet.mappings import ColumnMapping as ColumnMapping
from importers.score_sheet.running import are_running, full_rows, purse_of, with_both_blocks
from importers.score_sheet.tables import COLUMNS, Row
from importers.text import on_one_line

MAPPING_NAME = "columns.toml"
LARGEST = 65_536  # bytes of such a file
HEAD_ROWS = 15  # first rows among which the head is
SAMPLE = 50  # rows below a head that show what it is
TELLING = ("contract", "declarer")  # a column that nobody filled in tells nothing
FEWEST_HEADS = 3  # of two players and the contract, or of three players, in one row or in two that are joined
SIDE = re.compile(r"(?i)mit|ohne|with|without")  # of runners, whose count stands below another head
SEATS = (3, 7)  # players at a table, and those who sit out

Rows = Sequence[Row]


class Layout(Struct, frozen=True):
    """The columns of a sheet by their places, and the players as the sheet orders them."""

    head: Row
    body: tuple[Row, ...]
    roles: dict[str, int]
    players: tuple[str, ...]
    payments: tuple[int, ...]  # one for each player, or none at all
    totals: tuple[int | None, ...]  # one for each player
    running: bool  # the totals are recognised by what they hold
    others: tuple[int, ...]  # unknown columns
    skipped: tuple[int, ...]
    units: frozenset[str]  # named in the heads of amounts
    purse: int = 0  # in hundredths, what each begins with if there are only totals

    def cell(self, row: Row, role: str) -> str:
        return cell_text(row, self.roles.get(role))

    def title(self, role: str) -> str:
        return on_one_line(cell_text(self.head, self.roles.get(role)))

    def names(self, places: tuple[int, ...]) -> dict[int, str]:
        """Return the names of columns by place: their heads, with the place if that is not enough."""
        heads = Counter(self.head.cells)
        named = {at: cell_text(self.head, at) for at in places}
        alone = {at: bool(text) and heads[text] == 1 for at, text in named.items()}
        return {at: on_one_line(text if alone[at] else f"{text or 'column'} {at + 1}") for at, text in named.items()}


def row_text(row: Row) -> str:
    """Return the cells of a row as one text."""
    return on_one_line(row.broken or " ".join(cell_text(row, place) for place in range(len(row.cells))))


# --- columns.toml -----------------------------------------------------------------------------------------------------


class MappingFile(Struct, frozen=True):
    """The `columns.toml` beside a sheet: typed, as plain tables, as bytes with its place, and its findings."""

    mapping: ColumnMapping = ColumnMapping()
    table: dict[str, Any] | None = None
    block: Block = Block(b"", 1, 0)
    source: Source = Source("")
    findings: tuple[Finding, ...] = ()
    passed_over: bool = False  # there is a `columns.toml` of the whole folder too, which is not read


def read_mapping_file(sheet: Source) -> MappingFile:
    """Return the `columns.toml` of a sheet, or an empty one if there is none."""
    file = _find_mapping_file(Path(sheet.path))
    if file is None:
        return MappingFile()
    path, data = file
    of_folder = Path(sheet.path).with_name(MAPPING_NAME)
    return replace(read_mapping(data, Source(str(path))), passed_over=path != of_folder and of_folder.is_file())


def read_mapping(data: bytes, source: Source) -> MappingFile:
    """Return a `columns.toml` from its bytes."""
    mapping_file = MappingFile(block=Block(data, 1, 0), source=source)
    try:
        table = parse_block(mapping_file.block)
        mapping, problems = convert_table(table, ColumnMapping)
    except BrokenBlock as error:
        at = replace(mapping_file.source, line=error.line)
        return replace(mapping_file, findings=(finding(error.rule, at, **error.facts),))
    if mapping is None:
        return replace(mapping_file, findings=mapping_findings([*map(_with_example, problems)], mapping_file))
    findings = mapping_findings(list(_wrong_entries(mapping)), mapping_file)
    return replace(mapping_file, mapping=mapping, table=table, findings=findings)


def _find_mapping_file(sheet: Path) -> tuple[Path, bytes] | None:
    """Return the file for a sheet, `<its name without the ending>.columns.toml`, else `columns.toml`, or None."""
    name, names = sheet.name, []
    while "." in name:
        name = name.rpartition(".")[0]
        names.append(f"{name}.{MAPPING_NAME}")
    for candidate in (*names, MAPPING_NAME) if sheet.parent != NOWHERE else ():
        try:
            with sheet.with_name(candidate).open("rb") as file:
                return sheet.with_name(candidate), file.read(LARGEST)
        except (OSError, ValueError):  # a sheet from a pipe has a name that is no path
            continue
    return None


def mapping_findings(problems: list[Problem], mapping_file: MappingFile) -> tuple[Finding, ...]:
    """Return the findings of problems in a `columns.toml`, each at its line."""
    lines = problem_lines(mapping_file.block, problems)
    return tuple(
        finding(problem.rule, replace(mapping_file.source, line=line), **problem.facts)
        for problem, line in zip(problems, lines, strict=True)
    )


def _wrong_entries(mapping: ColumnMapping) -> Iterator[Problem]:
    """Yield the problems of a mapping in itself."""
    for role in mapping.columns.keys() - sheet_words()["columns"].keys():
        yield Problem(
            "unknown-key", f"columns.{role}", hint=message("importers.roles", roles=tuple(sheet_words()["columns"]))
        )
    for key, entries in (("totals", mapping.totals), ("names", mapping.names)):
        if entries and (mapping.players or key == "names") and len(entries) != len(mapping.players):
            yield Problem("wrong-type", key, why=message("importers.one-for-each", players=len(mapping.players)))
    if mapping.cards not in ALPHABETS:
        yield Problem("wrong-type", "cards", why=message("notation.alphabet-expected", alphabet=mapping.cards))


def _with_example(problem: Problem) -> Problem:
    """Return a problem of a value of another kind with a line that has the right one."""
    example = sheet_words()["examples"].get(problem.key.partition(".")[0])
    if problem.rule != "wrong-type" or example is None:
        return problem
    return Problem(problem.rule, problem.key, why=message("importers.as-in", why=problem.facts["why"], example=example))


def missing_columns(mapping: ColumnMapping, layout: Layout) -> list[Problem]:
    """Return the problems of columns that a mapping names and the sheet does not have."""
    named: list[tuple[str, str | int]] = [(f"columns.{role}", name) for role, name in mapping.columns.items()]
    named += [(key, name) for key in ("players", "totals", "skip") for name in getattr(mapping, key)]
    heads = (on_one_line(cell_text(layout.head, at)) for at in range(len(layout.head.cells)))
    expected = message("importers.column", columns=", ".join(filter(None, heads)))
    width = max(len(row.cells) for row in (layout.head, *layout.body))
    missing = [(key, str(name)) for key, name in named if (at := place_of(layout.head, name)) is None or at >= width]
    return [Problem("bad-entry", key, name, expected=expected) for key, name in missing]


def place_of(head: Row, name: str | int) -> int | None:
    """Return the place of a column by its head, else by its letter or its number, from A and 1, or None."""
    text = str(name)
    by_head = {normalize(cell): at for at, cell in reversed(list(enumerate(head.cells))) if cell}
    if text and normalize(text) in by_head:
        return by_head[normalize(text)]
    if not re.fullmatch(r"[A-Z]{1,2}|[1-9]\d{0,2}", text):
        return None
    at = int(text) if text.isdigit() else sum((ord(sign) - 64) * 26**power for power, sign in enumerate(text[::-1]))
    return at - 1 if at <= COLUMNS else None


def letter_of(place: int) -> str:
    """Return the letter of a column by its place from 0: A, B, …, Z, AA, …"""
    first, second = divmod(place, 26)
    return (chr(64 + first) if first else "") + chr(65 + second)


# --- the head row -----------------------------------------------------------------------------------------------------


def find_layout(rows: Rows, mapping: ColumnMapping) -> Layout | None:
    """Return the columns by the first row that can be a head, or None if none of the first rows can. A row with all the
    columns that columns.toml names comes before others."""
    named = bool(mapping.columns or mapping.players or mapping.totals)
    whole = _find_head(rows, mapping, 0, True) if named else None
    return whole or _find_head(rows, mapping, 0 if named else FEWEST_HEADS)


def _find_head(rows: Rows, mapping: ColumnMapping, fewest: int, whole: bool = False) -> Layout | None:
    """Return the columns by the first head with this many names, or by one with more columns before the first amounts
    below it, as under a row `Spieler: Anna, Ben`; if `whole`, with all columns that are named."""
    best: tuple[Layout, Rows, int] | None = None
    for place in range(min(HEAD_ROWS, len(rows))):
        amounts = [at for at in (*best[0].payments, *best[0].totals) if at is not None] if best else []
        if best and not (amounts and not any(parse_amount(cell_text(rows[place - 1], at)) for at in amounts)):
            break
        texts = [(at, text) for row in rows[place : place + 2] for at, text in enumerate(row.cells) if text]
        may_be = not (best and fewest) or mapping.names or len({at for at, _ in texts}) > _size(best[0])  # a larger one
        if rows[place].broken or not may_be or len({at for at, text in texts if any(map(str.isalpha, text))}) < fewest:
            continue
        for is_joined in (False, True):
            each = _with_joined_head(rows, place, mapping) if is_joined else rows
            first = each and _layout(each, place, mapping, SAMPLE)
            if each and first and _is_head(first, mapping) and not (whole and missing_columns(mapping, first)):
                if not best or (_size(first) > _size(best[0]) and best[0].head.end_line < first.head.line):
                    best = first, each, place
                break
    if best is None:
        return None
    layout, each, at = best
    return _with_short_heads(layout if len(each) <= SAMPLE else _layout(each, at, mapping, len(each)))


def _size(layout: Layout) -> int:
    """Return how many columns of a head are known."""
    return len(layout.roles) + len(layout.players)


def _with_joined_head(rows: Rows, place: int, mapping: ColumnMapping) -> Rows | None:
    """Return the rows with two of them as one head, if only both together name every column: the upper has what the
    lower leaves empty, as with merged cells; else None."""
    if place + 1 >= len(rows) or rows[place + 1].broken or not any(rows[place + 1].cells):
        return None
    upper, lower = rows[place], rows[place + 1]
    width = max(len(upper.cells), len(lower.cells))
    cells = tuple(cell_text(lower, at) or cell_text(upper, at) for at in range(width))
    joined = [*rows[:place], Row(upper.line, lower.end_line, cells), *rows[place + 2 :]]
    if cells == lower.cells or not _is_head(both := _layout(joined, place, mapping, SAMPLE), mapping):
        return None
    return joined if len(both.roles) > len(_layout(rows, place + 1, mapping, SAMPLE).roles) else None


def _is_head(layout: Layout, mapping: ColumnMapping) -> bool:
    """Return whether a row names the contract or the declarer and two players, or players whose payments add up."""
    players = len(layout.players)
    if not layout.roles.keys().isdisjoint(TELLING):
        return players >= 2
    return players >= SEATS[0] and is_table_of_amounts(layout)


def is_table_of_amounts(layout: Layout) -> bool:
    """Return whether columns of names have the shape of amounts that players pay each other, row by row or as running
    totals: not whether all rows add up, for a slip in one is what somebody wants to find."""
    places = layout.payments or tuple(at for at in layout.totals if at is not None)
    household = {normalize(text) for text in layout.head.cells} & set(sheet_words()["nobody"]["household"])
    rows = [[parse_amount(cell_text(row, at)) for at in places] for row in layout.body]
    pot = layout.roles.get("stock")
    paid = [amounts for row in rows if any(amounts := [amount.hundredths for amount in row if amount])]
    paid = [amounts for amounts in paid if len(amounts) >= SEATS[0]]
    if household or not paid:
        return False
    if layout.running or (not layout.payments and purse_of(full_rows(layout.body, places))):
        return True
    into_pot = pot is not None and any(parse_amount(cell_text(row, pot)) for row in layout.body)
    zero = sum(not sum(amounts) or (into_pot and len({*amounts}) == 1) for amounts in paid)
    both = sum(min(amounts) < 0 < max(amounts) for amounts in paid)
    numbered = "number" in layout.roles and len(paid) >= SEATS[0]
    return 2 * zero >= len(paid) or (numbered and 3 * zero >= len(paid) and both >= 0.9 * len(paid))


def has_amounts_of_names(rows: Rows) -> bool:
    """Return whether words of a text, as cells, are a table: names, no word before them, and below each amounts."""
    layout = find_layout(rows, ColumnMapping())
    if layout is None or layout.head.cells[0].endswith(":"):
        return False
    return len(layout.payments) >= SEATS[0] and set(layout.roles) <= {"number"}


def head_twice(layout: Layout) -> str:
    """Return the head of a player that occurs twice if those of others do not, or ""."""
    heads, names = layout.head.cells, {normalize(name) for name in layout.players}
    again = [at for at in layout.totals if at is not None and normalize(plain_name(split_unit(heads[at])[0])) in names]
    alone = layout.payments and 0 < len(again) < len(layout.players) and not layout.running
    return heads[again[0]] if alone else ""


def _take_usual(roles: dict[str, int], free: dict[int, str], body: Rows, head: Row) -> None:
    """Add the usual heads to the roles: `Runde` behind another head of numbers, `Tag` behind the one of the dates."""
    words, keys = sheet_words()["columns"], {at: head_key(name) for at, name in free.items()}
    places = sorted(keys, key=lambda at: (keys[at] in words["list"], not mostly(body, at, DATE.match)))
    for role, names in words.items():
        fit = (at for at in places if at in free and keys[at] in names)
        if role == "number":
            fit = (at for at in fit if are_numbers(body, at, head))
        elif role == "runners":
            fit = (at for at in fit if not mostly(body, at, SIDE.fullmatch))
        if role not in roles and (at := next(fit, None)) is not None:
            roles[role] = at
            del free[at]


def _layout(rows: Rows, place: int, mapping: ColumnMapping, size: int) -> Layout:
    head, body = rows[place], tuple(rows[place + 1 : place + 1 + size])
    heads = split_units(head)
    free = {at: name for at, (name, _) in heads.items()}

    def take(names: Sequence[str | int]) -> list[int]:
        places = [at for name in names if (at := place_of(head, name)) is not None]
        for at in places:
            free.pop(at, None)
            heads.setdefault(at, ("", None))
        return places

    roles = {role: at for role, name in mapping.columns.items() for at in take([name])}
    skipped, own, own_totals = (take(names) for names in (mapping.skip, mapping.players, mapping.totals))
    _take_usual(roles, free, body, head)
    if "time" in roles and "date" not in roles and mostly(body, roles["time"], DATE.match):
        roles["date"] = roles.pop("time")
    paid, totals = amount_columns(free, roles, body)
    if names := columns_of_players(paid, {role: at for role, at in roles.items() if role not in mapping.columns}, body):
        free |= {at: heads[at][0] for role in names if (at := roles.pop(role)) is not None}
        paid, totals = amount_columns(dict(sorted(free.items())), roles, body)
    if not own and "stock" not in roles and (pot := pot_among(paid, body)):
        free.pop(at := paid.pop(pot)[1])
        roles["stock"] = at
    paid = by_name([(heads[at][0], at) for at in own]) or paid
    if own_totals:
        named = [(without_total(heads[at][0]), at) for at in own_totals]
        totals = dict(zip(paid or [normalize(name) for name, _ in named], named, strict=False))
    elif not own:
        paid, totals = with_both_blocks(paid, totals, heads, body)
    for role in {"points", "result"} & roles.keys() - mapping.columns.keys():
        kind = price_of_points(body, roles[role], [at for _, at in paid.values()], heads[roles[role]][0])
        if kind is not None:
            at = roles.pop(role)
            roles, free = (roles | {"price": at}, free) if kind and "price" not in roles else (roles, free | {at: role})
    players = paid or totals
    headless = {at for row in body for at, text in enumerate(row.cells) if text and not cell_text(head, at)}
    used = {at for _, at in (*paid.values(), *totals.values())}
    amounts = {*used, *(roles[role] for role in ("price", "stock") if role in roles)}
    payments = tuple(paid[name][1] for name in players) if paid else ()
    running = bool(payments) and not totals and not own and are_running(body, payments)
    standing = payments if running else () if payments else tuple(at for _, at in totals.values())
    return Layout(
        purse=purse_of(full_rows(body, standing)) if standing else 0,
        head=head,
        body=body,
        roles=roles,
        players=tuple(mapping.names) or tuple(name for name, _ in players.values()),
        payments=() if running else payments,
        totals=payments if running else tuple(totals[name][1] if name in totals else None for name in players),
        running=running,
        others=tuple(at for at in sorted({*free, *headless}) if at not in used),
        skipped=tuple(skipped),
        units=frozenset(unit for at in amounts if (unit := heads[at][1])),
    )


def _with_short_heads(layout: Layout) -> Layout:
    """Return the columns with those below short heads, or below none, whose cells tell which is meant: `G`, `Sp.`."""
    words, body = sheet_words()["short"], layout.body
    unused = {role for role in TELLING if not any(layout.cell(row, role) for row in body)}
    roles = {role: at for role, at in layout.roles.items() if role not in unused or not body}
    amounts = layout.payments or [at for at in layout.totals if at is not None]

    def rises(at: int) -> bool:
        numbers = [int(text) for row in body if (text := cell_text(row, at)).isdecimal()]
        return all(before < number for before, number in pairwise(numbers))

    apart = {at for at in layout.others if at and not any(cell_text(row, at - 1) for row in (layout.head, *body))}
    holds: dict[str, Callable[[int], bool]] = {
        "date": lambda at: mostly(body, at, DATE.match) and at < min(amounts, default=COLUMNS),
        "contract": lambda at: at not in apart and are_games(body, at) and is_table_of_amounts(layout),
        "dealer": lambda at: are_dealers(body, at, layout.players),
        "declarer": lambda at: bool(seats := seats_below(body, at, layout.players)) and None not in seats,
        "number": lambda at: are_numbers(body, at, layout.head) and rises(at),
        "result": lambda at: mostly(body, at, lambda text: text in "+-"),
        "suit": lambda at: mostly(body, at, is_suit),
    }
    for at in layout.others:
        head = cell_text(layout.head, at)
        may_be = words.get("" if DATE.fullmatch(head) else normalize(head), ())
        if role := next((role for role in may_be if role not in roles and holds[role](at)), ""):
            roles[role] = at
    return replace(layout, roles=roles, others=tuple(at for at in layout.others if at not in roles.values()))
