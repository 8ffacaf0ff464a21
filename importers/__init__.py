"""The importers, a module for each format, and the list of them; other packages add theirs by the entry point
`schafkopf.importers`. A file is recognised by its content alone, never by its name.

Each turns its format into what the record can hold, and states nothing that the file does not state: a session's head
first, then its deals in order, with findings between them."""

# A package of schafkopf-archive: archive/own_files.py looks for this line.

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from msgspec import Struct

from archive import plugins
from archive.plugins import Plugin, error_text
from archive.record import Deal, Finding, Session, Source, finding
from archive.say import message
from importers import record_lines, record_toml
from importers.text import PROBE, as_utf8, decode_file

MEMBERS = ("NAME", "matches", "read")
TOML_KEY = r"\s*(?:[\w.]+\s*=|\[\[?[^\W\d])"
MOMENT = re.compile(r"\[\d{1,4}[./:-]")  # before a message of a chat
A_WORD_A_LINE = 8  # lines of a text, a third of them only numbers: the photo of a sheet turned into text
OWN_PROTOCOL = ("═" * 78).encode()  # how a protocol of ours begins
NO_RECORDS = (  # beginnings of formatted text, and of a table of outcomes and a protocol, which we write ourselves
    *(b"{\\rtf", b"deal,viewer,session,", b"deal;viewer;session;", OWN_PROTOCOL),
)
YAML = (  # a record in a language that is not read, behind nothing else than other keys and remarks
    rb"\A(?:[ \t]*(?:[#%-][^\n]*|[\w\"'][\w\"'.-]*:[^\n]*)?\r?\n)*[ -]*[\"']?format[\"']?:[ \t]+[\"']?schafkopf-record/"
)
OWN_PAGE = " · Schafkopf-Archiv</title>".encode()  # of the viewer, or written by `export --html`, to be looked at
CELLS = 3  # fewest signs between cells in a row of a table
HEAD = 65_536  # bytes of a file that are looked at to recognise it
BULK = (  # what a page holds besides its words: styles, scripts, pictures; compiled for a long page alone
    rb"(?is)<(?P<raw>style|script)\b(?:.*?</(?P=raw)\s*>|.*\Z)|data:[\w/+.-]{0,80};base64,[\w+/=%]+"
)
MOST_OF_PAGE = 8 << 20  # bytes of a page that are looked at for its words


class FencedImporter(Struct):
    """The importer of a plug-in. It claims no file if looking at it fails; if reading one fails, everything before
    stays, and a finding says so."""

    NAME: str
    own: Any
    package: str

    def matches(self, name: str, head: bytes) -> bool:
        return self.claims(name, head) is True

    def claims(self, name: str, head: bytes) -> bool | str:
        """Return whether it claims a file, or the error that it raises when it looks at it."""
        try:
            return bool(self.own.matches(name, head))
        except Exception as error:
            return error_text(error)

    def read(self, data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
        try:
            for item in self.own.read(data, source):
                if not isinstance(item, Session | Deal | Finding):
                    raise TypeError(f"it gives {type(item).__name__}, no Session, Deal or Finding")
                yield item
        except Exception as error:
            why = message("importers.plugin-failed", name=self.NAME, package=self.package, why=error_text(error))
            yield finding("file-unreadable", source, why=why)


def fence(plugin: Plugin, taken: frozenset[str]) -> FencedImporter | str:
    """Return the importer of a plug-in, or why it is none; `taken` are the names of other importers."""
    importer = plugin.value
    if plugin.error:
        return plugin.error
    if lacking := [member for member in MEMBERS if not hasattr(importer, member)]:
        return f"it lacks {', '.join(lacking)}"
    if not isinstance(importer.NAME, str) or not importer.NAME:
        return "its NAME is no text"
    if importer.NAME in taken:
        return f"there is an importer {importer.NAME} already"
    return FencedImporter(importer.NAME, importer, plugin.package)


if TYPE_CHECKING:
    IMPORTERS: tuple["Importer", ...]


class Importer(Protocol):
    """The interface of a format: a module or a package here."""

    NAME: str

    def matches(self, name: str, head: bytes) -> bool:
        """Return whether the file is of this format, by its first `HEAD` bytes; not by its name."""

    def read(self, data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
        """Yield a session's head, its deals in order, findings between them; never raise on any data."""


class Format(NamedTuple):
    """A format other than the record's own: the NAME of its importer, its module, which is imported for a file whose
    first bytes as UTF-8 match `sign`. The importer itself decides about files without a sign."""

    name: str
    module: str
    sign: bytes

    def importer(self) -> Importer:
        return cast("Importer", import_module(self.module))


TYPED_LINES, SCORE_SHEET = "typed-lines", "score-sheet"  # what people write by hand
RECORDS: tuple[Importer, ...] = (record_toml, record_lines)  # the record format itself
FORMATS = (
    Format("netschafkopf", "importers.netschafkopf", rb"Geber:|gespielt von "),
    Format("one-line", "importers.one_line", rb":"),
    Format("sauspiel-chat", "importers.sauspiel.chat", rb"Spiel\W{1,2}#"),
    Format("sauspiel-events", "importers.sauspiel.events", rb'"type"'),
    Format("sauspiel-list", "importers.sauspiel.game_list", rb"\A\s*<"),
    Format("sauspiel-page", "importers.sauspiel.game_page", rb"\A\s*<"),
    Format("sauspiel-scraper", "importers.sauspiel.scraper", rb'"game_id"'),
    Format("schafkopf-tracker", "importers.schafkopf_tracker", rb"\ASQLite format 3|\A\s*[\[{]"),
    Format("schafkopf-zaehler", "importers.schafkopf_zaehler", rb"\A\s*[\[{]"),
    Format(TYPED_LINES, "importers.typed_lines", rb""),
    Format(SCORE_SHEET, "importers.score_sheet", rb""),
)
NAMES = (*(importer.NAME for importer in RECORDS), *(each.name for each in FORMATS))


def __getattr__(name: str) -> Any:
    """Return `IMPORTERS`, all of them, or an importer of the folder `sauspiel`. Raise AttributeError for others."""
    if name == "IMPORTERS":
        return (*RECORDS, *(each.importer() for each in FORMATS))
    module = f"importers.sauspiel.{name}"
    if module not in {each.module for each in FORMATS}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(module)


@cache
def plugin_importers() -> tuple[FencedImporter | str, ...]:
    """Return the importers of other packages, in the order of `plugins.plugins`, or why one of them cannot be used."""
    every: list[FencedImporter | str] = []
    for plugin in plugins.plugins(plugins.IMPORTERS):
        taken = {importer.NAME for importer in every if not isinstance(importer, str)}
        every.append(fence(plugin, frozenset((*NAMES, *taken))))
    return tuple(every)


def of_packages() -> tuple[FencedImporter, ...]:
    """Return the usable importers of other packages."""
    return tuple(importer for importer in plugin_importers() if isinstance(importer, FencedImporter))


def usable_names() -> tuple[str, ...]:
    """Return the names of all importers: ours, then those of other packages."""
    return (*NAMES, *(importer.NAME for importer in of_packages()))


def importer_named(name: str) -> Importer:
    """Return the importer of that name. Raise StopIteration if there is none."""
    formats = (each.importer() for each in FORMATS if each.name == name)
    return next(formats, None) or next(each for each in (*RECORDS, *of_packages()) if name == each.NAME)


def find(name: str, head: bytes) -> tuple[Importer, ...]:
    """Return the importers that claim a file: one, none, or several if it is ambiguous. If one of ours claims it, those
    of other packages are not asked; if it is plainly a record, the other formats are not. A long web page is looked at
    without its styles, scripts and pictures, which browsers that save it as one file put before its words."""
    first = head[:HEAD]
    if len(head) > HEAD and head[:PROBE].removeprefix(BOM_UTF8).lstrip().startswith(b"<"):
        first = re.sub(BULK, b"", head[:MOST_OF_PAGE])[:HEAD]
    start = as_utf8(first)
    if start.startswith(NO_RECORDS) or OWN_PAGE in start:
        return ()
    records = tuple(importer for importer in RECORDS if importer.matches(name, first))
    if records or (b"schafkopf-record/" in start and re.search(YAML, start)):
        return records
    likely = [each for each in FORMATS if re.search(each.sign, start)]
    lines = [each for each in likely if each.name == TYPED_LINES and is_table(start)]  # asked if no other claims it
    for formats in ([each for each in likely if each not in lines], lines):
        importers = (each.importer() for each in formats)
        if ours := tuple(importer for importer in importers if importer.matches(name, first)):
            return ours
    return tuple(importer for importer in of_packages() if importer.matches(name, first))


def is_table(start: bytes) -> bool:
    """Return whether all lines of a text, but the last, which may be cut off, have as many separators of cells, so that
    it is no list of lines in words."""
    rows = start.splitlines()
    counts = {(row.count(b";"), row.count(b"\t")) for row in (rows[:-1] if len(rows) > CELLS else rows) if row.strip()}
    return len(counts) == 1 and max(counts.pop()) > 1


def most_like(data: bytes) -> Importer:
    """Return the importer of the format that an unclaimed text most resembles, whose first complaint tells what is
    missing: the record format by its signs, a score sheet by rows of cells, else lines of words."""
    start = decode_file(data[:HEAD]).lstrip()
    if start.startswith(("{", "[")) and not MOMENT.match(start) and "=" not in start.partition("\n")[0]:
        return record_lines
    lines = [line for line in start.splitlines() if line.strip()]
    if sum(re.match(TOML_KEY, line) is not None for line in lines) * 2 > len(lines):
        return record_toml
    if len(lines) >= A_WORD_A_LINE and sum(line.strip().lstrip("+-").isdecimal() for line in lines) * 3 > len(lines):
        return importer_named(SCORE_SHEET)
    celled = sum(max(map(line.count, ";\t,|")) >= CELLS for line in lines)
    return importer_named(SCORE_SHEET if celled * 2 > len(lines) else TYPED_LINES)


def claims_of_packages(name: str, head: bytes) -> dict[str, str]:
    """Return the importers of other packages, each with the error that it raised when it looked at a file, or ""."""
    claims = ((importer.NAME, importer.claims(name, head[:HEAD])) for importer in of_packages())
    return {plugin: answer if isinstance(answer, str) else "" for plugin, answer in claims}
