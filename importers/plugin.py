"""Importers of other packages, each behind a fence, so that whatever it raises is a finding in the file it read."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from archive.plugins import Plugin, error_text
from archive.record import Deal, Finding, Session, Source, finding
from archive.say import message

MEMBERS = ("NAME", "matches", "read")


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
