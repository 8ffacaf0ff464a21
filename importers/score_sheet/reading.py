"""From the bytes of a score sheet to its sessions and deals.

The bytes become rows in `tables`, the columns get their meaning in `columns`, a row is read in `rows`, and `evenings`
makes sessions of them."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from archive.notation.game_words import is_contract, other_game
from archive.record import Deal, Finding, Session, Source, finding
from archive.say import message
from importers.score_sheet.amount_columns import SUM_BEHIND, cell_text
from importers.score_sheet.blocks import blocks_of
from importers.score_sheet.cells import normalize, sheet_words
from importers.score_sheet.columns import (
    HEAD_ROWS,
    MAPPING_NAME,
    SEATS,
    ColumnMapping,
    Layout,
    MappingFile,
    find_layout,
    has_amounts_of_names,
    head_twice,
    letter_of,
    mapping_findings,
    missing_columns,
    read_mapping,
    read_mapping_file,
    row_text,
)
from importers.score_sheet.doubts import are_all_noughts, rows_of_sums
from importers.score_sheet.evenings import evenings
from importers.score_sheet.html_tables import has_table, html_sheets, may_have_sheet
from importers.score_sheet.json_tables import is_json_table, json_sheet
from importers.score_sheet.mappings import mapping_for
from importers.score_sheet.punkteliste import program_evenings
from importers.score_sheet.round_tables import find_round_list
from importers.score_sheet.rounds import read_round_list
from importers.score_sheet.rows import row_reader_for
from importers.score_sheet.schafkopfauswerter import is_saved_session, session_sheets
from importers.score_sheet.season_tables import (
    evenings_as_columns,
    find_season_table,
    find_tally,
    is_title_of_sums,
    why_no_table,
)
from importers.score_sheet.shapes import usual_shape
from importers.score_sheet.tables import (
    BLANK,
    DELIMITERS,
    EVEN,
    WIDE,
    Sheet,
    csv_sheet,
    letters_of_old_program,
    source_of,
    unreadable,
)
from importers.score_sheet.titles import name_of_file, unit_above
from importers.score_sheet.tournament_exports import program_lists
from importers.score_sheet.workbook_kinds import is_workbook
from importers.text import on_one_line

HEAD, LINES = 65_536, 100  # bytes and lines that show the delimiter
OF_SUMS = message("importers.of-sums")  # contents other than deals, below also by the kinds of titles
OF = {"prices": message("importers.of-prices"), "notes": message("importers.of-notes")}
OBJECTS = 40  # objects of JSON that show whether it is a sheet
AMOUNT = rb"[+\-]?\d[\d.,]{0,8}"
# Lines of amounts between blanks; lines of words and amounts with two and more blanks between them.
QUOTED = rb'\s*"[^"\r\n]*" "'  # heads with blanks between them, as R writes tables
AMOUNTS = rb"(?m)^[ \t>]*(?:\"[^\"\r\n]*\" )?(?:%b[ \t]+){2,8}%b[ \t\r]*$" % (AMOUNT, AMOUNT)
WORDS_AND_AMOUNTS = rb"(?m)^[^\r\n]*\S[ \t]{2,}(?:%b[ \t]{2,}){2,8}%b[ \t\r]*$" % (AMOUNT, AMOUNT)


def matches(name: str, head: bytes) -> bool:
    """Return whether a file is a workbook, a web page or JSON with a sheet's table, or rows of text with its head."""
    if is_workbook(head) or is_saved_session(head):
        return True
    if has_table(head):
        sheets = html_sheets(head, Source("")) if may_have_sheet(head) else ()
        return any(_has_head(sheet, ColumnMapping()) for sheet in sheets)
    if is_json_table(head):
        return _has_head(json_sheet(head, Source(""), OBJECTS), ColumnMapping())
    return _usual_delimiter(head) is not None


class OpenSheets(NamedTuple):
    """The sheets of a file as rows of text, with the mapping that lies beside it."""

    mapping_file: MappingFile
    sheets: list[Sheet]
    source: Source


def open_sheets(data: bytes, source: Source, mapping: str = "") -> OpenSheets:
    """Return the sheets of a file, with the mapping in the text `mapping`, or else the one that lies beside it; no
    sheets if the mapping has an error."""
    mapping_file = read_mapping(mapping.encode(), Source(MAPPING_NAME)) if mapping else read_mapping_file(source)
    sheets = [] if mapping_file.findings else list(_sheets(data, mapping_file.mapping, source))
    return OpenSheets(mapping_file, sheets, source)


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Yield a session for each evening of each sheet, with its deals; findings for what is not understood."""
    yield from read_sheets(open_sheets(data, source))


def read_sheets(opened: OpenSheets, language: str = "en") -> Iterator[Session | Deal | Finding]:
    """Yield the evenings of open sheets, or that there is nothing in them. Notes on what was worked out are in the
    language."""
    yield from opened.mapping_file.findings
    empty = not opened.mapping_file.findings
    for sheet in opened.sheets:
        for item in _read_sheet(sheet, opened.mapping_file, opened.source, language):
            empty = empty and isinstance(item, Session)
            yield _with_sheet_title(item, sheet.title) if isinstance(item, Finding) else item
    if empty:
        yield finding("no-deals", opened.source)


def _with_sheet_title(item: Finding, title: str | None) -> Finding:
    """Return a finding of a worksheet with its name too, for every worksheet has a first row."""
    about = next((key for key in ("key", "text", "why", "cells", "columns") if key in item.facts), None)
    if title is None or about is None or item.source is None or item.source.path.endswith(MAPPING_NAME):
        return item
    text = item.facts[about]
    text = f"{title}: {text}" if isinstance(text, str) else message("importers.on-sheet", sheet=title, text=text)
    return finding(item.rule, item.source, **item.facts | {about: text})


def _sheets(data: bytes, mapping: ColumnMapping, source: Source) -> Iterator[Sheet]:
    if is_saved_session(data[:HEAD]):
        yield from session_sheets(data, source)
        return
    if is_workbook(data[:HEAD]):
        from importers.score_sheet.workbooks import workbook_sheets  # here, since most sheets are text

        sheets = workbook_sheets(data, source)
    elif has_table(data[:HEAD]):
        sheets = html_sheets(data, source)
    elif is_json_table(data):
        sheets = iter([json_sheet(data, source)])
    elif misread := letters_of_old_program(data, source):
        sheets = iter([Sheet(None, [], [misread])])
    else:
        sign = _delimiter(data[:HEAD], mapping) if mapping != ColumnMapping() else _usual_delimiter(data[:HEAD])
        sheets = iter(
            [csv_sheet(data, sign or max(DELIMITERS, key=lambda sign: data[:HEAD].count(sign.encode())), source)]
        )
    if mapping.columns or mapping.players:
        yield from (usual_shape(block, mapping) for sheet in sheets for block in blocks_of(sheet, mapping))
        return
    known, others = list[Sheet](), list[Sheet]()
    for sheet in sheets:
        of_program = _sheets_of_program(sheet, source)
        known += of_program
        others += [] if of_program else [sheet]
    unread = [sheet for sheet in others if known and not _has_head(sheet, mapping)]
    names = ", ".join(sheet.title for sheet in unread if sheet.title)  # of those without deals, as settings
    note = (("rows", message("importers.note-sheets-beside", names=names)),) if names else ()
    yield from (sheet._replace(evidence=(*sheet.evidence, *note)) for sheet in known)
    yield from (sheet._replace(rows=[]) for sheet in unread if sheet.findings)
    for sheet in others:
        if sheet not in unread:
            yield from (usual_shape(block, mapping) for block in blocks_of(sheet, mapping))


def _sheets_of_program(sheet: Sheet, source: Source) -> list[Sheet]:
    """Return the sheets that a sheet of a program becomes whose columns are always the same, or [] for any other."""
    return program_lists(sheet, source) or program_evenings(sheet)


@lru_cache(1)  # since a file is recognised by it, and then read
def _usual_delimiter(head: bytes) -> str | None:
    return _delimiter(head, ColumnMapping())


def _delimiter(head: bytes, mapping: ColumnMapping) -> str | None:
    """Return the sign between the cells of a CSV file with which its first rows have a head, or None."""
    whole = head.rpartition(b"\n")[0] if len(head) >= HEAD else head
    bars = any(sign.encode() in whole for sign in "│┃║┆")
    signs = [sign for sign in DELIMITERS if sign.encode() in whole or (sign == "|" and bars)]
    sheets = ((sign, csv_sheet(whole, sign, Source(""), LINES)) for sign in signs)
    if sign := next((sign for sign, sheet in sheets if _has_head(sheet, mapping)), None):
        return sign
    blanks = ((sign, csv_sheet(whole, sign, Source(""), LINES)) for sign in (WIDE, BLANK) if re.search(AMOUNTS, whole))
    if sign := next((sign for sign, sheet in blanks if has_amounts_of_names(sheet.rows)), None):
        return sign
    if re.match(QUOTED, whole) and _has_head(csv_sheet(whole, BLANK, Source(""), LINES), mapping):
        return BLANK
    even = csv_sheet(whole, EVEN, Source(""), LINES) if re.search(WORDS_AND_AMOUNTS, whole) else None
    return EVEN if even and _has_head(even, mapping) else None


def _has_head(sheet: Sheet, mapping: ColumnMapping) -> bool:
    if _sheets_of_program(sheet, Source("")):
        return True
    first = sheet._replace(rows=sheet.rows[:LINES])
    return any(
        find_round_list(each.rows, mapping)
        or find_layout(each.rows, mapping)
        or find_season_table(each.rows, each.title)
        or find_tally(each.rows)
        or evenings_as_columns(each.rows)
        for part in chain([first], (part for part in blocks_of(first, mapping) if part.rows != first.rows))
        for each in _as_it_is_and_shaped(part, mapping)
    )


def _as_it_is_and_shaped(sheet: Sheet, mapping: ColumnMapping) -> Iterator[Sheet]:
    yield sheet
    shaped = usual_shape(sheet, mapping)
    if shaped.rows != sheet.rows:
        yield shaped


def _read_sheet(
    sheet: Sheet, mapping_file: MappingFile, source: Source, language: str
) -> Iterator[Session | Deal | Finding]:
    """Yield the evenings of a sheet, or why its columns are unknown."""
    yield from sheet.findings
    mapping_file = replace(mapping_file, mapping=mapping_for(sheet.mapping, mapping_file.mapping))
    if sheet.title in mapping_file.mapping.skip_sheets:
        return
    if sheet.hidden and sheet.rows and not mapping_file.mapping.deals:
        at = source_of(source, sheet.rows[0], sheet.rows[-1])
        yield finding("row-unclear", at, why=message("importers.hidden-sheet", rows=len(sheet.rows)))
        return
    own = {*sheet_words()["own"]["heads"]}
    if statistics := next((row for row in sheet.rows[:HEAD_ROWS] if len(own.intersection(row.cells)) > 1), None):
        yield unreadable(replace(source, line=statistics.line), message("importers.own-statistics"))
        return
    if rounds := find_round_list(sheet.rows, mapping_file.mapping):
        yield from read_round_list(sheet, rounds, mapping_file, source, language)
        return
    is_mapped = mapping_file.table is not None
    season = None if is_mapped else evenings_as_columns(sheet.rows)
    if season and not find_season_table(sheet.rows, sheet.title):
        why = message("importers.evenings-as-columns", n=season.players)
        yield unreadable(source_of(source, season.head), why)
        return
    layout = find_layout(sheet.rows, mapping_file.mapping)
    if layout is None:
        yield from _why_no_layout(sheet, source)
        return
    at = source_of(source, layout.head)
    if legend := dict(sheet.legend):  # what a file beside the sheet says takes precedence
        mapping, words = mapping_file.mapping, {short: long for short, long in legend.items() if is_contract(long)}
        layout = replace(layout, players=tuple(legend.get(name, name) for name in layout.players))
        mapping = replace(mapping, nicknames=legend | mapping.nicknames, words=words | mapping.words)
        mapping_file = replace(mapping_file, mapping=mapping)
    if refused := [*_why_not_read(sheet, layout, mapping_file, at)]:
        yield from refused
        return
    if layout.others:
        unknown = ", ".join(layout.names(layout.others).values())
        yield finding("unknown-column", at, columns=unknown)
    texts = [on_one_line(text) for row in sheet.rows if row.line <= layout.head.end_line for text in row.cells]
    of_unit = [at for at in layout.others if normalize(cell_text(layout.head, at)) in sheet_words()["above"]["unit"]]
    texts += [f"{cell_text(layout.head, at)}: {cell_text(row, at)}" for at in of_unit for row in layout.body]
    if not layout.units and (above := unit_above(texts)):
        layout = replace(layout, units=frozenset({above[0]}))
        sheet = sheet._replace(
            evidence=(*sheet.evidence, ("unit", message("importers.note-unit-above", text=above[1])))
        )
    reader = row_reader_for(layout, mapping_file.mapping, Path(source.path).parent, language)
    yield from evenings(sheet, reader, mapping_file, source)


def _why_no_layout(sheet: Sheet, source: Source) -> Iterator[Finding]:
    """Yield the findings of a sheet in which no columns of players and amounts are found."""
    if season := find_season_table(sheet.rows, sheet.title):
        at = source_of(source, season.head)
        yield finding("sheet-passed-over", at, rows=season.players, sheet=season.title, of=OF_SUMS)
    elif sheet.title and sheet.rows and (kind := next((of for of in OF if is_title_of_sums(sheet.title, of)), None)):
        at = source_of(source, sheet.rows[0], sheet.rows[-1])
        yield finding("sheet-passed-over", at, rows=len(sheet.rows), sheet=sheet.title, of=OF[kind])
    elif tally := find_tally(sheet.rows):
        yield unreadable(source_of(source, tally), message("importers.tally"))
    elif sheet.rows:
        yield unreadable(replace(source, line=sheet.rows[0].line), why_no_table(sheet.rows))


def _why_not_read(sheet: Sheet, layout: Layout, mapping_file: MappingFile, at: Source) -> Iterator[Finding]:
    """Yield why a sheet with known columns is not read: it has no deals, or may have others than it seems."""
    mapping, title = mapping_file.mapping, sheet.title or ""
    above = [row_text(row) for row in sheet.rows if row.line < layout.head.line]
    places = {place for place in (*layout.payments, *layout.totals) if place is not None}
    if title and layout.roles.keys().isdisjoint(("contract", "declarer", "result")) and is_title_of_sums(title):
        yield finding("sheet-passed-over", at, rows=len(layout.body), sheet=title, of=OF_SUMS)
    elif title and not mapping.deals and is_title_of_sums(title, "samples"):
        yield finding("row-unclear", at, why=message("importers.sample-sheet", rows=len(layout.body)))
    elif problems := missing_columns(mapping, layout):
        yield from mapping_findings(problems, mapping_file)
    elif not SEATS[0] <= len(layout.players) <= SEATS[1]:
        why = message("importers.players-expected", least=SEATS[0], most=SEATS[1], players=", ".join(layout.players))
        yield finding("bad-players", at, why=why)
    elif len(paid := [name for name in layout.players if re.fullmatch(SUM_BEHIND, name)]) > 1:
        yield finding("bad-players", at, why=message("importers.amounts-in-heads", names=", ".join(paid)))
    elif hidden := sheet.hidden_columns & places:
        letters = ", ".join(map(letter_of, sorted(hidden)))
        yield finding("row-unclear", at, why=message("importers.hidden-columns", columns=letters))
    elif twice := head_twice(layout):
        yield finding("bad-players", at, why=message("importers.head-twice", name=twice))
    elif not mapping.rules and (game := other_game([title, name_of_file(at), *above], _words_of_game(layout, mapping))):
        yield finding("row-unclear", at, why=message("importers.titled-other-game", game=game))
    elif noughts := are_all_noughts(layout, mapping.deals):
        yield finding("row-unclear", at, why=message("importers.all-noughts", n=noughts))
    elif sums := rows_of_sums(layout, mapping.deals):
        yield finding("row-unclear", at, why=message("importers.sums-of-evenings", n=sums[0], of=sums[1]))


def _words_of_game(layout: Layout, mapping: ColumnMapping) -> Iterator[str]:
    """Yield the heads of a sheet, and what was played in each row, but for words of its `columns.toml`."""
    yield from layout.head.cells
    yield from (text for row in layout.body if (text := layout.cell(row, "contract")) not in mapping.words)
