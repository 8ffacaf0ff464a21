"""Files into an archive: each judged, and stored with its verdicts; several small ones in one transaction."""

import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

import click
from msgspec import Struct
from msgspec.structs import replace

from archive.cli.inputs import File
from archive.cli.known_names import path_from
from archive.cli.verdicts import findings_of, split_findings
from archive.judge import Judgement
from archive.judge.judge_stream import judge_with_heads
from archive.record import Finding, Session
from archive.say import Message, message
from archive.store import ArchiveError, Database, FileMeta, SaveResult, save_file
from archive.store.bulk import import_file
from archive.store.bulk.import_file import JsonlFile, fits_bulk, save_lines
from archive.store.gone_deals import Gone
from archive.store.near_names import NearNames, last_player, near_new_names
from archive.store.transaction import changing
from importers import SCORE_SHEET, record_lines

Judged = tuple[File, list[tuple[Session, Judgement]], list[Finding]]  # findings that belong to no deal
FILES, DEALS = 128, 500  # at which small files that wait are stored
SHOWN = 8 << 20  # bytes of a file stored in bulk whose progress is shown, at least


class Imported(Struct, frozen=True):
    """The result of a file: its deals by verdict, findings that belong to none, the judgements that may have some, the
    findings of differences from other sources, what was changed, and, if asked for, the new names that are near-equal
    to others."""

    verdicts: Counter[str]
    lone: list[Finding]
    judged: list[Judgement]
    differing: tuple[Finding, ...]
    parts: list[Message]
    proved: int = 0  # deals that the fast run found clean and that were judged by words as well
    near: list[NearNames] = []

    @property
    def findings(self) -> list[Finding]:
        return findings_of([*self.lone, *self.judged, *self.differing])


def import_each(
    archive: Database,
    files: Iterable[File],
    rules: str | None,
    terms: dict[str, str | None],
    dry_run: bool,
    gone: Gone | None = None,
    with_near: bool = False,
) -> Iterator[tuple[File, Imported]]:
    """Judge and store files that some importer can read, and yield each with its result when it is stored: small ones
    together, a file of many JSON lines in bulk. A score sheet may have the evening of a file before it, and is read
    when that is stored."""
    store = partial(stored_judged, archive, terms, dry_run, gone, with_near)
    waiting: list[Judged] = []
    try:
        for file in files:
            named = rules and path_from(Path(file.source.path).absolute().parent, rules)
            large = max(file.size, len(file.data)) >= import_file.BULK
            alone = large or (file.importer and file.importer.NAME == SCORE_SHEET)
            if alone:
                yield from stored_together(archive.conn, waiting, store)
            if large and file.records().lines is not None:
                lines = JsonlFile(
                    text=None if file.path else file.data, path=file.path, size=file.size,
                    digest=bytes.fromhex(file.source.sha256 or ""), rules=named,
                )  # fmt: skip
                if fits_bulk(archive, file.source.path, lines):
                    last = last_player(archive.conn)
                    result = stored_in_bulk(archive, file, lines, terms, dry_run, gone)
                    yield file, replace(result, near=near_new_names(archive.conn, last) if with_near else [])
                    continue
            waiting.append((file, *split_findings(judge_with_heads(file.items(), named))))
            if alone or len(waiting) >= FILES or sum(len(pairs) for _, pairs, _ in waiting) >= DEALS:
                yield from stored_together(archive.conn, waiting, store)
        yield from stored_together(archive.conn, waiting, store)
    except KeyboardInterrupt:
        yield from stored_together(archive.conn, waiting, store)  # what was judged before is kept
        raise


def stored_together(
    conn: sqlite3.Connection, waiting: list[Judged], store: Callable[[Judged], Imported]
) -> Iterator[tuple[File, Imported]]:
    """Store judged files in one transaction, which counts once what they touch, and yield each with its result; none
    waits then. If that fails each is stored by itself, so that only one at fault is missing."""
    those, results = waiting[:], list[Imported]()
    if len(those) > 1:
        try:
            with changing(conn):
                results = [store(each) for each in those]
        except ArchiveError:
            results = []
    waiting.clear()
    yield from zip((file for file, *_ in those), results or map(store, those), strict=True)


def stored_judged(
    archive: Database,
    terms: dict[str, str | None],
    dry_run: bool,
    gone: Gone | None,
    with_near: bool,
    judged: Judged,
) -> Imported:
    """Store a judged file, if some importer could read it."""
    (file, pairs, lone), last = judged, last_player(archive.conn)
    parts, differing = [message("cli.not-stored")], tuple[Finding, ...]()
    if file.importer is not None:
        meta = FileMeta(file.source.path, file.importer.NAME, **terms)
        saved = save_file(archive, meta, file.data, pairs, lone, gone)
        parts = [*changes(saved, lone, dry_run), *terms_that_stay(archive, saved.source, terms)]
        differing = saved.findings
    near = near_new_names(archive.conn, last) if with_near else []
    judgements = [judgement for _, judgement in pairs]
    return Imported(Counter(each.verdict for each in judgements), lone, judgements, differing, parts, near=near)


def stored_in_bulk(
    archive: Database,
    file: File,
    lines: JsonlFile,
    terms: dict[str, str | None],
    dry_run: bool,
    gone: Gone | None,
) -> Imported:
    """Store a file of many JSON lines, with its progress on a terminal."""
    shown = sys.stderr.isatty() and file.size > SHOWN
    began, deals = time.monotonic(), 0

    def rate(_: object) -> str:
        return f"{deals / max(time.monotonic() - began, 0.1):,.0f} deals/s"

    with click.progressbar(
        length=file.size, label="Importing", file=sys.stderr, hidden=not shown, item_show_func=rate
    ) as bar:

        def advance(size: int, count: int) -> None:
            nonlocal deals
            deals += count
            bar.update(size, count)

        result = save_lines(archive, FileMeta(file.source.path, record_lines.NAME, **terms), lines, advance, gone)
    pairs, lone = split_findings(result.others)
    judged = [judgement for _, judgement in pairs]
    parts = [*changes(result.saved, lone, dry_run), *terms_that_stay(archive, result.saved.source, terms)]
    return Imported(result.verdicts, lone, judged, result.saved.findings, parts, result.proved)


def terms_that_stay(archive: Database, source: int, terms: Mapping[str, str | None]) -> Iterator[Message]:
    """Yield the terms that were said of a file before and stay, though others are given now."""
    for key, given in terms.items():
        (was,) = archive.execute(f"SELECT {key} FROM sources WHERE id = ?", (source,)).fetchone() or (None,)
        if given and was and given != was:
            yield message("cli.term-stays", key=key, option=f"--{key.replace('_', '-')}", was=was)


def changes(saved: SaveResult, lone: list[Finding], dry_run: bool) -> list[Message]:
    """Return the changes that an import made, each with its number."""
    if not saved.stored:
        return [message("cli.not-stored")]
    counts = {
        "known": saved.known,
        "gone": len(saved.gone_deals),
        "retained": saved.retained,
        "changed": len(saved.changed),
        "refused": refused_deals(lone),
        "restored": int(saved.restored),
    }
    parts = [message(f"cli.{key}", n=count) for key, count in counts.items() if count]
    return [message("cli.would-be-added" if dry_run else "cli.added", n=saved.added), *parts]


def refused_deals(lone: list[Finding]) -> int:
    """Return how many deals were refused, each counted once because an error keeps it from being read; none for an
    error of a head or of a whole file."""
    errors = [each for each in lone if each.severity == "error" and each.source]
    of_deals = (each for each in errors if each.source and (each.source.deal or each.rule == "deal-unreadable"))
    places = [(each.source.deal, each.source.end_line) for each in of_deals if each.source]
    headless = sum(int(each.facts["n"]) for each in errors if each.rule == "no-players")
    return headless + sum(1 for place, before in zip(places, [None, *places], strict=False) if place != before)
