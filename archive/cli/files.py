"""Files in: which there are, who reads them, what they yield."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from archive.record import Deal, Finding, Session, Source, finding
from importers import IMPORTERS, Importer, find

EXPECTATION = ".expected"  # beside a sample: what reading it must give


class File(Struct, frozen=True):
    """A file that was read, and who reads it. `items` yields what it holds; `findings` say why it cannot be read."""

    source: Source
    data: bytes
    importer: Importer | None
    findings: tuple[Finding, ...]

    def items(self) -> Iterator[Session | Deal | Finding]:
        """What the file holds, with a finding where that is no deal at all."""
        yield from self.findings
        if self.importer is None:
            return
        said = False
        for item in self.importer.read(self.data, self.source):
            said = said or isinstance(item, Deal | Finding)
            yield item
        if not said:
            yield finding("no-deals", self.source)


def paths(given: tuple[str, ...]) -> Iterator[Path]:
    """The files that are named, and those in the folders that are named, in the order of their names."""
    for path in map(Path, given):
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        for each in inside:
            hidden = any(part.startswith(".") for part in each.relative_to(path).parts)
            if not each.is_dir() and not (path.is_dir() and (hidden or each.suffix == EXPECTATION)):
                yield each


def open_file(path: Path, format_name: str | None) -> File:
    """Reads a file and finds its importer: by `format_name` where it is given, else by its content."""
    try:
        data = path.read_bytes()
    except OSError as error:
        source = Source(str(path))
        return File(source, b"", None, (finding("file-unreadable", source, why=error.strerror or str(error)),))
    source = Source(str(path), 1, None, hashlib.sha256(data).hexdigest())
    claimed = tuple(i for i in IMPORTERS if format_name == i.NAME) if format_name else find(path.name, data)
    if len(claimed) == 1:
        return File(source, data, claimed[0], ())
    if claimed:
        names = ", ".join(importer.NAME for importer in claimed)
        return File(source, data, None, (finding("two-importers", source, claimed=names),))
    tried = ", ".join(importer.NAME for importer in IMPORTERS)
    return File(source, data, None, (finding("no-importer", source, tried=tried),))
