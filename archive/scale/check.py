"""Checking one shard: it is imported into an archive in memory, as `schafkopf import` does, and that is written out.

Nothing here knows of Dask. A shard is written aside and moved into place as a whole, with a manifest of what it came
from: so it is there or it is not, however often and by whomever it is done, and a run goes on where another stopped.
"""

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from uuid import uuid4

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlite_utils import Database

from archive.audit.stream import with_heads
from archive.audit.types import ENGINE, Judgement
from archive.notation import read_lines
from archive.record import Deal, Finding, Session, Source, finding
from archive.scale.shards import ASIDE, UnreadableError, folder_of, text_of
from archive.scale.tables import Written, write_tables
from archive.store import FileMeta, save_file
from archive.store.opening import writing
from archive.store.schema import MIGRATIONS

FORMAT = "schafkopf-scale/1"
MANIFEST = "manifest.json"
TRIES = 5  # to move a shard into place
# Indexes that an import looks deals up by; all others would only be written.
SOUGHT = ("records", "copies", "sources", "players")


class Job(Struct, frozen=True):
    """A shard to be checked: its name and path, its number, and the folder for all; `again` even where it is there."""

    name: str
    path: str
    number: int
    out: str
    again: bool = False


class Manifest(Struct, frozen=True, kw_only=True):
    """What a shard came from and what it came to. `findings` counts them by severity and rule. `known`: it was there
    from an earlier run."""

    format: str = FORMAT
    shard: int
    name: str
    sha256: str
    size: int
    engine: str
    schema: int  # steps
    version: str
    deals: int
    verdicts: dict[str, int]
    findings: dict[str, dict[str, int]]
    lost: str | None = None  # why the shard could not be read
    tables: dict[str, Written]
    seconds: float
    known: bool = False

    @property
    def is_bad(self) -> bool:
        return any(severity != "note" for severity in self.findings)


def manifest_of(out: Path, number: int) -> Manifest | None:
    """What an earlier run wrote of a shard; None where it is not there as it was written."""
    folder = out / folder_of(number)
    try:
        found = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
        whole = all((folder / f"{table}.parquet").stat().st_size == each.bytes for table, each in found.tables.items())
    except (OSError, msgspec.DecodeError):
        return None
    return found if whole and found.format == FORMAT else None


def check_shard(job: Job) -> Manifest:
    """Checks a shard unless it is there already. Raises OSError where a file cannot be read or written, which may help
    itself."""
    begun, out = perf_counter(), Path(job.out)
    data = Path(job.path).read_bytes()
    told = (hashlib.sha256(data).hexdigest(), ENGINE, len(MIGRATIONS._migrations))
    earlier = manifest_of(out, job.number)
    if earlier and not job.again and (earlier.sha256, earlier.engine, earlier.schema) == told:
        return replace(earlier, known=True)
    conn, lost = archive_of(job, data)
    with closing(conn), _aside(out, job.number) as folder:
        manifest = Manifest(
            shard=job.number, name=job.name, size=len(data), sha256=told[0], engine=told[1], schema=told[2],
            version=version("schafkopf-archive"),
            deals=conn.execute("SELECT count(*) FROM deals").fetchone()[0],
            verdicts=dict(conn.execute("SELECT verdict, count(*) FROM deals GROUP BY verdict ORDER BY verdict")),
            findings=_findings(conn), lost=lost, tables=write_tables(conn, folder, job.number),
            seconds=round(perf_counter() - begun, 3),
        )  # fmt: skip
        (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
        place(folder, out / folder_of(job.number))
    return manifest


# --- the archive of a shard -------------------------------------------------------------------------------------------


def archive_of(job: Job, data: bytes) -> tuple[sqlite3.Connection, str | None]:
    """An archive in memory with one source, the shard; and why that could not be read, where it could not."""
    db, lost = _empty(), None
    try:
        items = _items(job, text_of(job.name, data))
    except UnreadableError as error:
        lost = error.why
        items = iter([finding(error.rule, Source(job.path), why=lost)])
    lone: list[Finding] = []  # is filled while the deals are taken
    save_file(db, FileMeta(job.name, "record-lines"), b"", _deals(items, lone), lone)
    db.execute("UPDATE sources SET sha256 = ?, size = ?", (hashlib.sha256(data).digest(), len(data)))
    return db.conn, lost


def _items(job: Job, text: bytes) -> Iterator[Session | Deal | Finding]:
    source, said = Source(job.path), False
    for item in read_lines(text, source):
        said = said or not isinstance(item, Session)
        yield item
    if not said:
        yield finding("no-deals", source)


def _deals(items: Iterator[Session | Deal | Finding], lone: list[Finding]) -> Iterator[tuple[Session, Judgement]]:
    for each in with_heads(items):
        if isinstance(each, Finding):
            lone.append(each)
        else:
            yield each


def _empty() -> Database:
    """An archive without what only a lasting one needs: counted facts, and indexes to look things up by."""
    db = Database(sqlite3.connect(":memory:"), execute_plugins=False)
    _template().backup(db.conn)
    return db


@cache
def _template() -> sqlite3.Connection:
    db = Database(sqlite3.connect(":memory:", check_same_thread=False), execute_plugins=False)
    with writing(db.conn):
        MIGRATIONS.apply(db)
        indexes = db.conn.execute("SELECT name, tbl_name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        for name, table in indexes.fetchall():
            if table not in SOUGHT:
                db.conn.execute(f"DROP INDEX {name}")
    return db.conn


def _findings(conn: sqlite3.Connection) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    counts = "SELECT severity, rule, count(*) FROM findings GROUP BY severity, rule ORDER BY severity, rule"
    for severity, rule, count in conn.execute(counts):
        found.setdefault(severity, {})[rule] = count
    return found


# --- into place -------------------------------------------------------------------------------------------------------


@contextmanager
def _aside(out: Path, number: int) -> Iterator[Path]:
    """A folder beside the shards that no other work writes to; what is still there at the end is removed."""
    folder = out / ASIDE / f"{number}-{os.getpid()}-{uuid4().hex[:8]}"
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def place(folder: Path, at: Path) -> None:
    """Moves a folder into place, where another may stand: an older one, or that of a worker that was given up and came
    to its end all the same."""
    for attempt in range(TRIES):
        try:
            folder.rename(at)
            return
        except OSError:
            if not at.exists() or attempt == TRIES - 1:
                raise
            old = folder.with_name(f"{folder.name}-old{attempt}")
            with suppress(FileNotFoundError):  # moved away by somebody else meanwhile
                at.rename(old)
            shutil.rmtree(old, ignore_errors=True)
