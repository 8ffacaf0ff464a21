"""Input files: which there are, which importer reads them, what they contain."""

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import Struct
from msgspec.structs import replace

from archive.cli.known_names import FILE, JUDGED_BY
from archive.cli.language import wrong_use
from archive.cli.saved_pages import page_in
from archive.cli.terminal import clear_progress
from archive.cli.unpack import (
    STDIN,
    Raw,
    is_archive,
    is_beside,
    is_beside_page,
    is_foreign,
    is_packed,
    is_skipped,
    print_passed_over,
    printable,
    raw_files,
)
from archive.judge.door import Records, can_judge_lines
from archive.notation import drop_unwritable
from archive.record import Deal, Finding, Session, Source, finding
from archive.say import message
from importers import (
    HEAD,
    RECORDS,
    SCORE_SHEET,
    TYPED_LINES,
    Importer,
    claims_of_packages,
    find,
    importer_named,
    most_like,
    record_lines,
    score_sheet,
    usable_names,
)
from importers.score_sheet.repeated import KnownEvenings, Stored
from importers.score_sheet.workbook_kinds import is_workbook
from importers.text import decode_file, without_margin

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MAGIC = r"[*?\[]"  # what makes a pattern of a path
LARGE = 64 << 20  # bytes; a larger file of lines is read in parts
SMALL = 1 << 20  # bytes; a smaller file is read twice, to print what was understood
OVERLAP = 1 << 10  # bytes of one part that are looked at again with the next
BY_HAND = {TYPED_LINES, SCORE_SHEET}  # formats that may both claim a text
COMPLAINED = 4 << 20  # bytes; a larger text in no format is not read for what it lacks: lines of one sign take 4 s a MB
INSTEAD = ("undo", "redo")  # options that need no path
C = TypeVar("C", bound=Callable[..., Any])


class File(Struct, frozen=True):
    """A file that was read, and its importer. `items` yields its contents; `findings` say why it cannot be read. A
    large file of records is not read whole: then `data` is empty, and it lies at `path`."""

    source: Source
    data: bytes
    importer: Importer | None
    findings: tuple[Finding, ...]
    path: str | None = None
    size: int = 0
    evenings: KnownEvenings | None = None  # those of score sheets read before

    @property
    def is_small(self) -> bool:
        """Return whether it was read, and may be read twice to print what was understood."""
        return self.importer is not None and self.size <= SMALL

    @property
    def is_by_hand(self) -> bool:
        """Return whether people write such files by hand, so that what was understood is always printed."""
        return self.importer is not None and self.importer.NAME in (SCORE_SHEET, TYPED_LINES)

    def items(
        self, language: str = "en", opened: "score_sheet.OpenSheets | None" = None
    ) -> Iterator[Session | Deal | Finding]:
        """Yield the heads and deals in the file that an archive can hold, with a finding if there is no deal at all.
        Notes on what was inferred from a score sheet are in the language, to be read and not to be stored; `opened` are
        its sheets, if they are open already."""
        yield from self.findings
        if self.importer is None:
            return
        items = self.importer.read(self.data, self.source)
        if self.importer.NAME == TYPED_LINES and (players := given_players()):
            from importers import typed_lines  # here, as below, since most files are none

            items = typed_lines.read(self.data, self.source, players)
        if self.importer.NAME == SCORE_SHEET:
            items = score_sheet.read_sheets(opened or score_sheet.open_sheets(self.data, self.source), language)
            items = (self.evenings or KnownEvenings()).without_repeated(items)
        empty = True
        for item in items if self.importer in RECORDS else drop_unwritable(items):
            empty = empty and isinstance(item, Session)
            yield item
        if empty:
            yield finding("no-deals", self.source)

    def records(self) -> Records:
        """Return the file as it is judged: if it is a deal on each line, by its bytes, without its importer."""
        of_lines = self.importer is record_lines and not self.findings and record_lines.has_lines(self.data)
        return Records(self.source, self.items, self.data if of_lines else None)


# --- which there are --------------------------------------------------------------------------------------------------


def paths(given: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files that are named, those in named folders, and those that a pattern fits, in the order of their
    names; `-` is standard input. Raises click.UsageError if there is none."""
    for text in given:
        path = Path(text)
        if text == "-":
            yield STDIN
        elif os.path.lexists(text):
            skipped = len(given) > 1 and is_beside(path.name)  # a shell fits a pattern without asking
            yield from _inside(path) if path.is_dir() else () if skipped else (path,)
        else:
            fits = _fitting(path) if re.search(MAGIC, text) else []
            if not fits:
                raise wrong_use("no-path", text=text)
            yield from fits


def paths_there(given: tuple[str, ...]) -> list[Path]:
    """Return those files. Raises click.UsageError if there is none, or something named is not there."""
    every = list(paths(given))
    if not every:
        raise wrong_use("empty-folder", text=given[0])
    return every


def is_alone(given: tuple[str, ...]) -> bool:
    """Return whether one file is given, small enough to be read twice, and no archive of several; it is unpacked."""
    path = Path(given[0])
    try:
        is_small = len(given) == 1 and path.is_file() and path.stat().st_size <= SMALL
        return is_small and len([*islice(raw_files(path), 2)]) < 2
    except OSError:
        return True  # its finding is all there is


def _inside(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder and its subfolders; a folder that cannot be listed is yielded as if it were a
    file."""
    unlisted: list[Path] = []
    listing = os.walk(folder, onerror=lambda error: unlisted.append(Path(error.filename)))
    files = [Path(place, name) for place, _, names in listing for name in names]
    yield from sorted([path for path in files if not is_skipped(path.relative_to(folder).as_posix())] + unlisted)


def _fitting(pattern: Path) -> list[Path]:
    """Return the files that a pattern fits, and those in folders that it fits."""
    fixed = next(place for place, part in enumerate(pattern.parts) if re.search(MAGIC, part))
    folder = Path(*pattern.parts[:fixed])
    try:
        fits = sorted(folder.glob(str(Path(*pattern.parts[fixed:]))))
    except (ValueError, OSError):
        return []
    inside = [file for path in fits for file in (_inside(path) if path.is_dir() else (path,))]
    return [path for path in dict.fromkeys(inside) if not is_skipped(path.relative_to(folder).as_posix())]


# --- who reads them ---------------------------------------------------------------------------------------------------


def open_files(
    path: Path, format_name: str | None, in_parts: bool = False, evenings: KnownEvenings | None = None
) -> Iterator[File]:
    """Read a file, or the files in an archive, and find the importer of each: by `format_name` if it is given, else by
    content. `in_parts`: only the beginning of a large file of JSON lines is read. `evenings` are those of the score
    sheets read before."""
    large = _large(path, format_name) if in_parts and path is not STDIN else None
    if large:
        yield large
        return
    for raw in raw_files(path):
        yield replace(open_file(raw, format_name), evenings=evenings)


def _large(path: Path, format_name: str | None) -> File | None:
    """Return a large file of JSON lines that can be judged line by line; None for any other."""
    digest, before, size = hashlib.sha256(), b"", 0
    try:
        if not path.is_file() or path.stat().st_size < LARGE:
            return None
        with path.open("rb") as file:
            while data := file.read(LARGE // 4):
                if not size and (is_packed(data) or not _of_lines(str(path), data, format_name)):
                    return None
                if not can_judge_lines(before + data):
                    return None
                digest.update(data)
                before, size = data[-OVERLAP:], size + len(data)
    except OSError:
        return None
    return File(Source(printable(str(path)), 1, None, digest.hexdigest()), b"", record_lines, (), str(path), size)


def _of_lines(path: str, data: bytes, format_name: str | None) -> bool:
    named = format_name == record_lines.NAME if format_name else find(path, data) == (record_lines,)
    return named and record_lines.has_lines(data)


def open_file(raw: Raw, format_name: str | None) -> File:
    """Return a file with the importer that reads it, or with the finding why none does. From a page that a phone saved
    as MHTML or .webarchive, the page itself is taken."""
    if (page := page_in(raw.data)) is not None:
        raw = Raw(f"{raw.path}/page.html", page)
    source = Source(raw.path, 1, None, hashlib.sha256(raw.data).hexdigest())
    if raw.finding:
        return File(source, b"", None, (raw.finding,))
    claimed = (importer_named(format_name),) if format_name else find(raw.path, raw.data)
    by_hand = BY_HAND.issuperset(importer.NAME for importer in claimed) and len(raw.data) <= COMPLAINED
    is_open = not claimed or (not format_name and (by_hand or raw.data.startswith(b"```")))
    if is_open and (inner := without_margin(raw.data)) and (of_inner := find(raw.path, inner)):
        is_log = BY_HAND.isdisjoint(importer.NAME for importer in of_inner)
        raw, claimed = (Raw(raw.path, inner), of_inner) if is_log or not claimed else (raw, claimed)
    if len(claimed) > 1 and BY_HAND & {importer.NAME for importer in claimed} and len(raw.data) <= COMPLAINED:
        claimed = better_readers(claimed, raw.data, source)
    if len(claimed) == 1:
        return File(source, raw.data, claimed[0], (), None, len(raw.data))
    if claimed:
        names = ", ".join(importer.NAME for importer in claimed)
        return File(source, raw.data, None, (finding("two-importers", source, claimed=names),))
    from archive.cli.foreign_files import describe_foreign  # here, since most files are claimed

    if what := describe_foreign(raw.data):
        return File(source, raw.data, None, (finding("foreign-file", source, what=what),))
    like = most_like(raw.data)
    failed = {plugin: f"{plugin} ({why})" for plugin, why in claims_of_packages(raw.path, raw.data).items() if why}
    tried = ", ".join(failed.get(name, name) for name in usable_names())
    facts = {"tried": tried, "like": like.NAME, "failed": "; " * bool(failed) + ", ".join(failed.values())}
    unknown = finding("no-importer", source, at=None, **facts)
    items = like.read(raw.data, source) if like in RECORDS or len(raw.data) <= COMPLAINED else ()
    complaints = islice((each for each in items if isinstance(each, Finding) and is_error(each)), 1)
    return File(source, raw.data, None, (unknown, *complaints))


def is_error(item: Session | Deal | Finding) -> bool:
    """Return whether something that was read is a finding of an error."""
    return isinstance(item, Finding) and item.severity == "error"


def better_readers(claimed: Sequence[Importer], data: bytes, source: Source) -> tuple[Importer, ...]:
    """Return the importer that reads more deals of a text and asks no more, or all if that is none or several: a note
    with a table below its lines, or a table with a line of players above it."""
    read = [(importer, list(importer.read(data, source))) for importer in claimed]
    deals = {importer: sum(isinstance(each, Deal) for each in items) for importer, items in read}
    asked = {importer: sum(map(is_error, items)) for importer, items in read}
    with_deals = [each for each in claimed if deals[each]]
    if not with_deals:  # the one of a program says line by line what it does not know
        with_deals = [each for each in claimed if each.NAME not in BY_HAND]
    best = [each for each in with_deals if deals[each] == max(deals.values()) and asked[each] == min(asked.values())]
    return next((tuple(some) for some in (with_deals, best) if len(some) == 1), tuple(claimed))


def read_pasted(path: str, data: bytes) -> Iterator[Session | Deal | Finding]:
    """Yield the heads and deals in a text without a file, recognised by its content; an archive is not unpacked."""
    if is_archive(data):
        yield finding("not-unpacked", Source(path), why=message("cli.from-disk-only"))
    else:
        yield from open_file(Raw(path, data), None).items()


class PlayerNames(click.ParamType[Any]):
    """The names of players, which are kept for `given_players`."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from importers.player_lists import players_of

        players = players_of(f"players: {value}")
        if value and not players:
            raise wrong_use("no-players", names=value)
        if ctx:
            ctx.meta[PLAYERS] = players
        return players


class FormatName(click.ParamType[str]):
    """The name of a format; checked when the option is used, since importers of other packages take time to load."""

    name = "format"

    def names(self) -> click.Choice[str]:
        return click.Choice(usable_names())

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        return self.names().get_metavar(param, ctx)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return self.names().convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        return self.names().shell_complete(ctx, param, incomplete)


FORMAT = FormatName()


def paths_and_format(command: C) -> C:
    """Return a command with the paths and the format that every command reading files has."""
    form = click.option("--format", "format_name", type=FORMAT, help="Read in this format instead of recognising it.")
    names = click.option(
        "--players", metavar="NAMES", expose_value=False, type=PlayerNames(),
        help='Who plays in a chat, or a text of lines, that does not say it: "Anna, Ben, Cem, Dora".',
    )  # fmt: skip
    return click.argument("given", type=FILE, metavar="PATH…", nargs=-1, callback=_there)(form(names(command)))


PLAYERS = f"{__name__}.players"  # the place in a running command of the names given


def given_players() -> tuple[str, ...]:
    """Return the players given beside the files of the running command, for a chat or a text of lines that names
    none."""
    context = click.get_current_context(silent=True)
    return context.meta.get(PLAYERS, ()) if context else ()


def reading_options(command: C) -> C:
    """Return a command with the paths and options of every command that judges files by one ruleset."""
    rules = click.option(
        "--rules", type=JUDGED_BY, help="Judge by this ruleset instead of the one that the record names."
    )
    return paths_and_format(rules(command))


def _there(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Return the paths. Raises UsageError, before anything is done, for a path that leads nowhere, and for none at all
    unless another option says what to do (`--undo`)."""
    if not given and not any(context.params.get(other) for other in INSTEAD):
        raise click.MissingParameter(ctx=context, param=option)
    list(paths(given))
    return given


def files_with_progress(
    given: tuple[str, ...], format_name: str | None, in_parts: bool = False, stored: Stored | None = None,
    passed_over: list[str] | None = None,
) -> Iterator[File]:  # fmt: skip
    """Yield the files one after another, with a progress bar on a terminal and silence in a pipe; see `open_files`.
    `stored` are the evenings of an archive that a score sheet may have too. Files passed over are named at the end, or
    added to a list. Raises UsageError if there is no file."""
    every, evenings, named = paths_there(given), KnownEvenings(stored), {STDIN, *map(Path, given)}
    foreign = [] if passed_over is None else passed_over
    if folders := [path for path in map(Path, given) if path.is_dir()]:
        below = [(folder, Path(at, name)) for folder in folders for at, _, names in os.walk(folder) for name in names]
        foreign += sorted([path.name for folder, path in below if is_foreign(path.relative_to(folder).as_posix())])
    hidden = len(every) < 2 or not sys.stderr.isatty()
    with (
        nullcontext(every)
        if hidden
        else click.progressbar(every, label="Reading", file=sys.stderr, item_show_func=lambda path: path and path.name)
    ) as bar:
        for path in bar:
            for file in open_files(path, format_name, in_parts, evenings):
                inside = file.source.path.removeprefix(printable(str(path)))  # of an archive
                if (path not in named or (inside and is_beside_page(inside))) and _is_no_record(file):
                    foreign.append(file.source.path.rpartition("/")[2])
                    continue
                if not hidden:
                    clear_progress()
                yield file
    if passed_over is None and foreign:
        print_passed_over(foreign)


def _is_no_record(file: File) -> bool:
    """Return whether nobody would take a file in a folder for games: it belongs to another program, or is a text or
    workbook that no importer knows and that names no game."""
    from archive.cli.foreign_files import mentions_game  # here, since files that are named are not asked

    if file.importer is not None and file.importer.NAME == SCORE_SHEET:
        sheets = score_sheet.open_sheets(file.data, file.source).sheets if is_workbook(file.data) else ()
        cells = (cell for sheet in sheets for row in sheet.rows for cell in row.cells)
        return is_workbook(file.data) and not mentions_game(" ".join(cells))
    rules = {each.rule for each in file.findings}
    return "foreign-file" in rules or ("no-importer" in rules and not mentions_game(decode_file(file.data[:HEAD])))
