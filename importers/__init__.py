"""One module a format, and the list of them. A file is recognised by its content alone, never by its name.

Each reads its format into what the record can hold, and states nothing that the file does not state: a session's head
first, then its deals in order, with findings between them.
"""

from collections.abc import Iterator
from typing import Protocol

from archive.record import Deal, Finding, Session, Source
from importers import netschafkopf, one_line, record_lines, record_toml, score_sheet, typed_lines
from importers.sauspiel import chat, events, game_list, game_page, scraper

HEAD = 65_536  # so many first bytes of a file are looked at to recognise it


class Importer(Protocol):
    """The interface of a format: a module or a package here."""

    NAME: str

    def matches(self, name: str, head: bytes) -> bool:
        """Whether the file is of this format, by its first `HEAD` bytes; not by its name."""

    def read(self, data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
        """A session's head, its deals in order, findings between them; never raises on any data."""


IMPORTERS: tuple[Importer, ...] = (
    record_toml,
    record_lines,
    netschafkopf,
    one_line,
    chat,
    events,
    game_list,
    game_page,
    scraper,
    typed_lines,
    score_sheet,
)
RECORDS: tuple[Importer, ...] = (record_toml, record_lines)  # the record format itself can hold what it says


def find(name: str, head: bytes) -> tuple[Importer, ...]:
    """The importers that claim a file: one, none, or more than one where it is ambiguous."""
    return tuple(importer for importer in IMPORTERS if importer.matches(name, head[:HEAD]))
