"""Files that a browser or a program sends: read by the importers, beside what the archive has already."""

import sqlite3
from collections.abc import Iterator
from itertools import starmap

from msgspec.structs import replace

from archive.cli.inputs import open_file, read_pasted
from archive.cli.unpack import Raw, is_archive
from archive.record import Deal, Finding, Session, SheetView, Source
from archive.store.evenings import stored_evenings
from importers import score_sheet
from importers.score_sheet.preview import views_of_sheets
from importers.score_sheet.repeated import Evening, KnownEvenings, Stored, stored_evening


def read_received(
    path: str, data: bytes, conn: sqlite3.Connection, mapping: str = "", language: str = "en"
) -> tuple[str | None, Iterator[Session | Deal | Finding]]:
    """Return the name of the importer that knows a file that was sent, None if none does, and the contents of the file.
    `conn` reads the archive, which may have the evening of a score sheet already; `mapping` is the `columns.toml` of a
    score sheet. Notes on what was inferred are in the language; in English, to be stored."""
    if is_archive(data):
        return None, read_pasted(path, data)
    file = open_file(Raw(path, data), score_sheet.NAME if mapping else None)
    opened = (
        score_sheet.open_sheets(data, file.source, mapping)
        if file.importer and file.importer.NAME == score_sheet.NAME
        else None
    )
    file = replace(file, evenings=KnownEvenings(evenings_in(conn)))
    return file.importer.NAME if file.importer else None, file.items(language, opened)


def columns_received(path: str, data: bytes, mapping: str = "") -> tuple[list[SheetView], str]:
    """Return the columns of a score sheet that was sent, and their `columns.toml`: the one sent with it, else one that
    says what they were taken for, empty if no single text can. None for any other file."""
    file = open_file(Raw(path, data), score_sheet.NAME if mapping else None)
    if is_archive(data) or file.importer is None or file.importer.NAME != score_sheet.NAME:
        return [], ""
    opened = score_sheet.open_sheets(data, file.source, mapping)
    views, text = views_of_sheets(opened.sheets, opened.mapping_file.mapping)
    return views, mapping or text or ""


def evenings_in(conn: sqlite3.Connection) -> Stored:
    """Return the evenings of an archive that a score sheet may have too."""

    def with_players(players: tuple[str, ...], source: Source) -> Iterator[Evening]:
        return starmap(stored_evening, stored_evenings(conn, players, source.path, source.sha256))

    return with_players
