"""The sheets that programs of this field write: each is recognised by its columns, which are always the same."""

from collections.abc import Iterable, Iterator

from archive.record import Source
from archive.say import message
from importers.score_sheet.punkteliste import program_evenings
from importers.score_sheet.tables import Sheet
from importers.score_sheet.tournament_exports import program_list


def sheets_of_program(sheet: Sheet, source: Source) -> list[Sheet]:
    """Return the sheets that a sheet of a known program becomes, or [] for any other."""
    players = program_list(sheet, source)
    return [players] if players else program_evenings(sheet)


def split_by_program(sheets: Iterable[Sheet], source: Source) -> tuple[list[Sheet], list[Sheet]]:
    """Return the sheets that those of known programs become, and the others unchanged."""
    known: list[Sheet] = []
    others: list[Sheet] = []
    for sheet in sheets:
        shaped = sheets_of_program(sheet, source)
        known += shaped
        others += [] if shaped else [sheet]
    return known, others


def with_note_of(unread: list[Sheet], known: list[Sheet]) -> Iterator[Sheet]:
    """Return the sheets of a program, with a note that names those of its workbook without deals, as settings."""
    names = ", ".join(sheet.title for sheet in unread if sheet.title)
    note = (("rows", message("importers.note-sheets-beside", names=names)),) if names else ()
    return (sheet._replace(evidence=(*sheet.evidence, *note)) for sheet in known)
