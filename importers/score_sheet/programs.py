"""The sheets that programs of this field write: each is known by its columns, which are always the same."""

from collections.abc import Callable

from archive.record import Source
from importers.score_sheet.tables import Sheet
from importers.score_sheet.tournament_exports import program_list

PROGRAMS: tuple[Callable[[Sheet, Source], Sheet | None], ...] = (program_list,)


def sheets_of_program(sheet: Sheet, source: Source) -> list[Sheet]:
    """Return the sheets that a sheet of a known program becomes; none for any other."""
    return [whole for of_program in PROGRAMS if (whole := of_program(sheet, source))]
