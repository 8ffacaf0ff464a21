"""One module a format, and the list of them; other packages add theirs by the entry point `schafkopf.importers`. A file
is recognised by its content alone, never by its name.

Each reads its format into what the record can hold, and states nothing that the file does not state: a session's head
first, then its deals in order, with findings between them.
"""

# A package of schafkopf-archive: archive/own_files.py looks for this line.

import re
from collections.abc import Iterator
from functools import cache
from typing import Protocol

from archive import plugins
from archive.record import Deal, Finding, Session, Source
from importers import (
    netschafkopf,
    one_line,
    record_lines,
    record_toml,
    schafkopf_tracker,
    schafkopf_zaehler,
    score_sheet,
    typed_lines,
)
from importers.plugin import FencedImporter as FencedImporter
from importers.plugin import fence
from importers.sauspiel import chat, events, game_list, game_page, scraper
from importers.text import decode_file

TOML_KEY = re.compile(r"\s*(?:[\w.]+\s*=|\[\[?[^\W\d])")
MOMENT = re.compile(r"\[\d{1,4}[./-]")  # before a message of a chat
A_WORD_A_LINE = 8  # lines of a text, a third of them numbers alone, as the photo of a sheet becomes
CELLS = 3  # signs between cells at least in a row of a table
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
    schafkopf_tracker,
    schafkopf_zaehler,
    typed_lines,
    score_sheet,
)
RECORDS: tuple[Importer, ...] = (record_toml, record_lines)  # the record format itself can hold what it says


@cache
def plugin_importers() -> tuple[FencedImporter | str, ...]:
    """The importers of other packages, in the order of `plugins.plugins`; or why one of them cannot be used."""
    every: list[FencedImporter | str] = []
    for plugin in plugins.plugins(plugins.IMPORTERS):
        taken = {importer.NAME for importer in (*IMPORTERS, *every) if not isinstance(importer, str)}
        every.append(fence(plugin, frozenset(taken)))
    return tuple(every)


def of_packages() -> tuple[FencedImporter, ...]:
    """The importers of other packages that can be used."""
    return tuple(importer for importer in plugin_importers() if isinstance(importer, FencedImporter))


def usable() -> tuple[Importer, ...]:
    """All importers: ours, then those of other packages."""
    return (*IMPORTERS, *of_packages())


def find(name: str, head: bytes) -> tuple[Importer, ...]:
    """The importers that claim a file: one, none, or more than one where it is ambiguous. Where one of ours claims it,
    those of other packages are not asked; where it is plainly a record, the other formats are not."""
    records = tuple(importer for importer in RECORDS if importer.matches(name, head[:HEAD]))
    if records:
        return records
    ours = tuple(importer for importer in IMPORTERS[len(RECORDS) :] if importer.matches(name, head[:HEAD]))
    return ours or tuple(importer for importer in of_packages() if importer.matches(name, head[:HEAD]))


def most_like(data: bytes) -> Importer:
    """Return the importer of the format that a text which none claims is most like, whose first complaint tells what is
    missing: the record format by its signs, a score sheet by rows of cells, else lines of words."""
    start = decode_file(data[:HEAD]).lstrip()
    if start.startswith(("{", "[")) and not MOMENT.match(start) and "=" not in start.partition("\n")[0]:
        return record_lines
    lines = [line for line in start.splitlines() if line.strip()]
    if sum(TOML_KEY.match(line) is not None for line in lines) * 2 > len(lines):
        return record_toml
    if len(lines) >= A_WORD_A_LINE and sum(line.strip().lstrip("+-").isdecimal() for line in lines) * 3 > len(lines):
        return score_sheet
    celled = sum(max(map(line.count, ";\t,|")) >= CELLS for line in lines)
    return score_sheet if celled * 2 > len(lines) else typed_lines


def failed_claims(name: str, head: bytes) -> str:
    """Return the importers of other packages that failed when they looked at a file, each with its error."""
    claims = ((importer.NAME, importer.claims(name, head[:HEAD])) for importer in of_packages())
    return ", ".join(f"{own} ({answer})" for own, answer in claims if isinstance(answer, str))


def tried_names(name: str, head: bytes) -> str:
    """The names of all importers; with that of another package what it raised when it looked at the file."""
    claims = [(importer.NAME, importer.claims(name, head[:HEAD])) for importer in of_packages()]
    theirs = [f"{own} ({answer})" if isinstance(answer, str) else own for own, answer in claims]
    return ", ".join([*(importer.NAME for importer in IMPORTERS), *theirs])
