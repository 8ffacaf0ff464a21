"""Files in: which there are, who reads them, what they yield."""

import hashlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import Struct

from archive.record import Deal, Finding, Session, Source, finding
from importers import IMPORTERS, Importer, find

EXPECTATION = ".expected"  # beside a sample: what reading it must give
CLEAR = "\r\x1b[K"  # erases the line of the progress bar, which draws itself again
C = TypeVar("C", bound=Callable[..., Any])


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


def reading_options(command: C) -> C:
    """What every command that reads files is given."""
    options = (
        click.argument("given", metavar="PATH…", nargs=-1, required=True, type=click.Path(exists=True)),
        click.option("--rules", help="Judge by this ruleset instead of the one that the record names."),
        click.option("--format", "format_name", help="Read the files in this format instead of recognising it."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def opened(given: tuple[str, ...], format_name: str | None) -> Iterator[File]:
    """The files one after another, with a progress bar on a terminal and silence in a pipe."""
    every = list(paths(given))
    if len(every) < 2 or not sys.stderr.isatty():
        yield from (open_file(path, format_name) for path in every)
        return
    with click.progressbar(every, label="Reading", file=sys.stderr, item_show_func=_name) as bar:
        for path in bar:
            file = open_file(path, format_name)
            sys.stderr.write(CLEAR)
            sys.stderr.flush()
            yield file


def _name(path: Path | None) -> str | None:
    return path.name if path else None
