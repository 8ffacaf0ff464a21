"""The sheet into which the web form Schafkopf_Punkteliste writes: a row for each deal, with three or four at the table,
read by the place of its cells, for the heads differ (`docs/formats/schafkopf-punkteliste.md`)."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import NamedTuple

from archive.say import message
from importers.score_sheet.amount_columns import cell_text
from importers.score_sheet.cells import normalize
from importers.score_sheet.mappings import ColumnMapping
from importers.score_sheet.tables import SHOWN, Row, Sheet

GAMES = ("Ruf", "Solo", "Ramsch")
SIDES = {"spieler": "Spieler", "nicht spieler": "Nichtspieler"}
ENDS = {  # whether it was Schneider, and Schwarz
    "normal": ("nein", "nein"), "schneider": ("ja", "nein"), "schwarz": ("ja", "ja"), "jungfrau": ("", ""),
    "": ("", ""),
}  # fmt: skip
MOMENT = (
    r"(?:(?P<day>\d\d?)\.(?P<month>\d\d?)\.(?P<year>(?:19|20)\d\d) (?P<hour>\d\d?):(?P<minute>\d\d)"
    r"|(?P<iso_year>(?:19|20)\d\d)-(?P<iso_month>\d\d)-(?P<iso_day>\d\d)[ T](?P<iso_hour>\d\d):(?P<iso_minute>\d\d))"
    r"(?::\d\d)?"
)  # by the clock at the table; the second form as programs write it if they take it for a moment
MOMENT_PARTS = ("year", "month", "day", "hour", "minute")
NIGHT = timedelta(hours=6)  # after midnight, until which an evening goes on
LOOKED_AT, MOSTLY = 20, 0.75  # rows that show what a sheet is, and the share that must fit
OUT = "/"
HEADS = ("Spiel", "Gewinner", "Laufende", "Spieler", "Mitspieler", "Schneider", "Schwarz", "Datum", "Bedingung")
COLUMNS = ("contract", "result", "runners", "declarer", "partner", "schneider", "schwarz", "date", "note")


class Shape(NamedTuple):
    """The places of a row: where the names begin, how many of them are of the declarer's side, where the day is."""

    first: int
    ours: int
    date: int

    @property
    def runners(self) -> int | None:
        return 3 if self.first == 4 else None  # early sheets have none


SHAPES = (Shape(4, 2, 10), Shape(3, 2, 9), Shape(4, 1, 8), Shape(3, 1, 7))  # four at the table, then three


class FormRow(NamedTuple):
    """A row of the sheet: its moment, the declarer's side, the players against it."""

    row: Row
    moment: datetime | None
    ours: tuple[str, ...]
    theirs: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.ours, *self.theirs)


def program_evenings(sheet: Sheet) -> list[Sheet]:
    """Return a sheet for each evening, or [] for any other sheet."""
    first = [row for row in sheet.rows[:LOOKED_AT] if not row.broken]
    fit = ((shape, sum(_is_deal(row, shape) for row in first)) for shape in SHAPES)
    shape = next((shape for shape, deals in fit if deals > 0 and deals >= MOSTLY * (len(first) - 1)), None)
    if shape is None:
        return []
    head = None if _is_deal(first[0], shape) else first[0]
    deals: list[tuple[object, FormRow]] = []  # each with its evening
    day, sitting = None, frozenset[str]()
    for row in sheet.rows:
        if head and row.cells[: shape.date + 1] == head.cells[: shape.date + 1]:  # again where two files were joined
            continue
        texts = [cell_text(row, at) for at in range(shape.first, shape.date)]
        ours, theirs = (tuple(filter(None, side)) for side in (texts[: shape.ours], texts[shape.ours :]))
        is_cut = cell_text(row, 0) in GAMES and not any(row.cells[shape.date :])
        if is_cut or len({*ours, *theirs}) < len(ours + theirs):  # or somebody plays twice
            row = row._replace(broken=" ".join(row.cells)[:SHOWN])
        each = FormRow(row, _moment(cell_text(row, shape.date)), ours, theirs)
        day = (each.moment - NIGHT).date() if each.moment else day
        if shape.ours == 1 and each.names:
            sitting = frozenset(each.names)  # with three at the table an evening also begins when others sit down
        deals.append(((day, sitting), each))
    evenings = [list(rows) for _, rows in groupby(deals, key=lambda pair: pair[0])]
    return [_evening(sheet, head, [row for _, row in rows], shape, not place) for place, rows in enumerate(evenings)]


def _is_deal(row: Row, shape: Shape) -> bool:
    """Return whether a row has the words of a deal in their places, with a day and a time."""
    game, side, end = (cell_text(row, at) for at in range(3))
    if game not in GAMES:
        return False
    runners = shape.runners is None or re.fullmatch(r"\d", cell_text(row, shape.runners))
    words = normalize(side) in SIDES and end.casefold() in ENDS
    return bool(words and runners and re.fullmatch(MOMENT, cell_text(row, shape.date)))


def _moment(text: str) -> datetime | None:
    match = re.fullmatch(MOMENT, text)
    numbers = [match[key] or match[f"iso_{key}"] for key in MOMENT_PARTS] if match else []
    try:
        return datetime(*map(int, numbers)) if numbers else None  # type: ignore[arg-type]
    except ValueError:
        return None  # there is no such day


def _evening(sheet: Sheet, head: Row | None, deals: Sequence[FormRow], shape: Shape, is_first: bool) -> Sheet:
    """Return the rows of an evening with a column for each player, in which those who sit out are marked."""
    players = [*dict.fromkeys(name for each in deals for name in each.names)]
    every = range(shape.date + 1, max(len(each.row.cells) for each in deals))
    beyond = [at for at in every if any(cell_text(each.row, at) for each in deals)]
    titles = [(head and cell_text(head, at)) or f"Spalte {at + 1}" for at in beyond]
    top = deals[0].row
    rows = [Row(top.line, top.line, (*HEADS, *players, *titles))]
    for each in deals:
        marks = [OUT if each.names and name not in each.names else "" for name in players]
        extra = (cell_text(each.row, at) for at in beyond)
        rows.append(each.row if each.row.broken else each.row._replace(cells=(*_cells(each, shape), *marks, *extra)))
    mapping = ColumnMapping(
        columns={role: place for place, role in enumerate(COLUMNS, 1)},
        players=[str(len(HEADS) + place) for place in range(1, len(players) + 1)],
        names=players,
        skip=[str(len(HEADS) + len(players) + place) for place in range(1, len(titles) + 1)],
    )
    evidence = [("players", message("importers.note-named-order"))]
    if any(len(each.ours) > 1 for each in deals):
        evidence.append(("game", message("importers.app-first-declares")))
    return sheet._replace(
        rows=rows, findings=sheet.findings if is_first else [], mapping=mapping, evidence=tuple(evidence)
    )


def _cells(each: FormRow, shape: Shape) -> tuple[str, ...]:
    """Return the cells of a row in the order of HEADS. The player named in a Ramsch that the others win has lost it;
    else he has made a Durchmarsch."""
    game, side, end = (cell_text(each.row, at) for at in range(3))
    won = SIDES.get(normalize(side), side)
    schneider, schwarz = ENDS.get(end.casefold(), (end, "")) if game != "Ramsch" else ("", "")
    ours = (*each.ours, "", "")
    result = "" if game == "Ramsch" and won == SIDES["nicht spieler"] else won
    runners = cell_text(each.row, shape.runners)
    note = end if end.casefold() == "jungfrau" else ""
    return game, result, runners, ours[0], ours[1], schneider, schwarz, cell_text(each.row, shape.date), note
