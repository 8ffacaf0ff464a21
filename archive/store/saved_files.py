"""Files as they are imported, without their bytes, and the outcome of an import."""

from msgspec import Struct

from archive.record import Finding


class FileMeta(Struct, frozen=True):
    """A file without its bytes. `format` is the name of the importer that read it; licence, origin and time zone are
    stated by whoever imports it; `author` is who sent it through a server."""

    path: str
    format: str
    licence: str | None = None
    origin: str | None = None
    time_zone: str | None = None
    author: str | None = None


class FilePart(FileMeta, frozen=True):
    """A part of a file, which is no later state of anything known."""


class SaidOfFile(FileMeta, frozen=True):
    """A score sheet of the archive with an added explanation: how it is read now replaces earlier readings."""


class Reading(FileMeta, frozen=True):
    """A score sheet of the archive as it is read by other columns: `of` which file, and its hash."""

    of: int = 0
    known_by: bytes = b""


class SaveResult(Struct, frozen=True):
    """The outcome of an import. `known` deals were in the archive before; the `changed` ones among them are different
    here, and are judged by the record that has more, or is newer in the same file."""

    source: int
    added: int
    known: int
    sessions: int  # new ones
    changed: tuple[int, ...] = ()
    findings: tuple[Finding, ...] = ()  # how the sources of these differ
    restored: bool = False  # the file had been taken back, and is there again
    retained: int = 0  # deals that the file no longer has and that stay because somebody wants it
    stored: bool = True  # False: nothing of it is, because something depends on deals that it no longer has

    @property
    def gone_deals(self) -> tuple[int, ...]:
        """Return the numbers of the deals that the file no longer has."""
        return tuple(int(each.facts["deal"]) for each in self.findings if each.rule == "deal-gone")
