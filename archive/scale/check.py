"""The checking of one shard: it is imported into an archive in memory, as by `schafkopf import`, and written out.

Nothing here knows about Dask. A shard is written aside and moved into place as a whole, with a manifest of its source:
so it is complete or absent, however often and by whomever it is checked, and a run continues where another stopped.
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

from archive.analysis import ENGINE as ANALYSIS
from archive.judge.door import can_judge_lines
from archive.judge.judge_stream import judge_with_heads
from archive.judge.types import ENGINE, Judgement
from archive.notation import read_lines
from archive.record import Finding, Session, Source, finding
from archive.scale.parquet import Shard, Written, write_tables
from archive.scale.shards import ASIDE, folder_of, text_of
from archive.store import FileMeta, save_file
from archive.store._sqlite_utils import Database
from archive.store.analyses import analyse_lacking
from archive.store.bulk.judge_process import JudgeJob, make_chunks
from archive.store.bulk.write_rows import ChunkWriter
from archive.store.save import finish_import, insert_source
from archive.store.schema import STEPS, migrate
from archive.store.tables import TABLES, index_sql
from archive.store.transaction import writing

FORMAT = "schafkopf-scale/1"
MANIFEST = "manifest.json"
TRIES = 5  # attempts to move a shard into place
FINDINGS = """SELECT severity, json_group_object(rule, n) FROM
    (SELECT severity, rule, count(*) AS n FROM findings GROUP BY severity, rule ORDER BY severity, rule)
    GROUP BY severity ORDER BY severity"""


class Job(Struct, frozen=True):
    """A shard to be checked: its name, path and number, and the output folder; `again` repeats finished work, `analyse`
    adds the analyses of its deals."""

    name: str
    path: str
    number: int
    out: str
    again: bool = False
    analyse: bool = False


class Manifest(Struct, frozen=True, kw_only=True):
    """The sources of a shard and its results. `findings` counts them by severity and rule. `known`: it is from an
    earlier run."""

    format: str = FORMAT
    shard: int
    name: str
    sha256: str
    size: int
    engine: str
    schema: int  # number of migration steps
    version: str
    deals: int
    verdicts: dict[str, int]
    findings: dict[str, dict[str, int]]
    analysis: str | None = None  # the version of the analysis of its deals, if they are analysed
    lost: str | None = None  # why the shard could not be read
    tables: dict[str, Written]
    seconds: float
    known: bool = False

    @property
    def is_bad(self) -> bool:
        return any(severity != "note" for severity in self.findings)


def manifest_of(out: Path, number: int) -> Manifest | None:
    """Return the manifest of a shard written by an earlier run; None if the shard is missing or incomplete."""
    folder = out / folder_of(number)
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
        whole = all(
            (folder / f"{table}.parquet").stat().st_size == each.bytes for table, each in manifest.tables.items()
        )
    except (OSError, msgspec.DecodeError):
        return None
    return manifest if whole and manifest.format == FORMAT else None


def check_shard(job: Job) -> Manifest:
    """Check a shard unless it is done already, and return its manifest. Raise OSError if a file cannot be read or
    written, which may pass."""
    begun, out = perf_counter(), Path(job.out)
    data = Path(job.path).read_bytes()
    digest, steps = hashlib.sha256(data), len(STEPS.every)
    earlier = manifest_of(out, job.number)
    lacks = job.analyse and earlier is not None and earlier.analysis != ANALYSIS
    if earlier and not job.again and not lacks and (earlier.sha256, earlier.engine, earlier.schema) == (
        digest.hexdigest(), ENGINE, steps,
    ):  # fmt: skip
        return replace(earlier, known=True)
    source = Source(job.path, sha256=digest.hexdigest())
    text = text_of(job.name, data, source)
    conn, exact = archive_of(job.name, source, text)
    lines = text if exact and isinstance(text, bytes) else None
    with closing(conn), _aside(out, job.number) as folder:
        if job.analyse:
            for table in TABLES:  # the indexes that loading the deals needs
                for statement in index_sql(table).values():
                    conn.execute(statement.replace("INDEX", "INDEX IF NOT EXISTS", 1))
            analyse_lacking(conn)
        manifest = Manifest(
            shard=job.number, name=job.name, size=len(data), sha256=digest.hexdigest(), engine=ENGINE, schema=steps,
            version=version("schafkopf-archive"),
            deals=conn.execute("SELECT count(*) FROM deals").fetchone()[0],
            verdicts=dict(conn.execute("SELECT verdict, count(*) FROM deals GROUP BY verdict ORDER BY verdict")),
            findings={severity: msgspec.json.decode(rules) for severity, rules in conn.execute(FINDINGS)},
            analysis=ANALYSIS if job.analyse else None,
            lost=text.message if isinstance(text, Finding) else None,
            tables=write_tables(conn, folder, Shard(job.number, digest.digest(), len(data)), lines),
            seconds=round(perf_counter() - begun, 3),
        )  # fmt: skip
        (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
        place(folder, out / folder_of(job.number))
    return manifest


# --- into place -------------------------------------------------------------------------------------------------------


@contextmanager
def _aside(out: Path, number: int) -> Iterator[Path]:
    """Yield a folder beside the shards that no other process writes to, and remove what is left of it at the end."""
    folder = out / ASIDE / f"{number}-{os.getpid()}-{uuid4().hex[:8]}"
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def place(folder: Path, at: Path) -> None:
    """Move a folder into place, even if another is there: an older one, or one by an abandoned worker that finished
    after all."""
    for attempt in range(TRIES):
        try:
            folder.rename(at)
            return
        except OSError:
            if not at.exists() or attempt == TRIES - 1:
                raise
            old = folder.with_name(f"{folder.name}-old{attempt}")
            with suppress(FileNotFoundError):  # another process has moved it meanwhile
                at.rename(old)
            shutil.rmtree(old, ignore_errors=True)


IMPORTED_AS = "record-lines"
# Tables whose indexes an import needs for lookup; all other indexes would only be written.
SOUGHT = ("records", "copies", "sources", "players")


def archive_of(name: str, source: Source, text: bytes | Finding) -> tuple[sqlite3.Connection, bool]:
    """Return an archive with one source, the shard, and whether its lines are its records. `text` may be a finding on
    why there is no text."""
    db = _empty()
    if isinstance(text, Finding):
        save_file(db, FileMeta(name, IMPORTED_AS), b"", (), [text])
        return db.conn, False
    if can_judge_lines(text) and text.strip():
        return db.conn, in_bulk(db, name, source, text)
    lone: list[Finding] = []  # filled while the deals are taken
    save_file(db, FileMeta(name, IMPORTED_AS), text, judged_pairs(source, text, lone), lone)
    return db.conn, False


def in_bulk(db: Database, name: str, source: Source, text: bytes) -> bool:
    """Store the lines of a shard in bulk, and return whether all of them are canonical records of deals, each new."""
    work = JudgeJob(source=source, path=None, text=text, rules=None, archive=None, before=0, size=len(text))
    lone: list[Finding] = []
    conn = db.conn
    with writing(conn):
        key = insert_source(db, FileMeta(name, IMPORTED_AS), bytes.fromhex(source.sha256), len(text))
        taking = ChunkWriter(conn, key, name)
        for piece in make_chunks(work):
            lone += [each for each in taking.take(piece) if isinstance(each, Finding)]
        for each in lone:
            taking.deals.writer.finding(each, key)
        taking.deals.flush()
        finish_import(taking.deals)
    return taking.exact and not taking.deals.known


def judged_pairs(source: Source, text: bytes, lone: list[Finding]) -> Iterator[tuple[Session, Judgement]]:
    """Yield the deals of a shard, each with the head of its session; add findings that belong to none to `lone`."""
    is_empty = True
    for item in judge_with_heads(read_lines(text, source)):
        is_empty = False
        if isinstance(item, Finding):
            lone.append(item)
        else:
            yield item
    if is_empty:
        lone.append(finding("no-deals", source))


def _empty() -> Database:
    """Return an archive without what only a lasting one needs: counted facts, and indexes for lookup."""
    db = Database(sqlite3.connect(":memory:"), execute_plugins=False)
    _template().backup(db.conn)
    return db


@cache
def _template() -> sqlite3.Connection:
    db = Database(sqlite3.connect(":memory:", check_same_thread=False), execute_plugins=False)
    with writing(db.conn):
        migrate(db)
        indexes = db.conn.execute("SELECT name, tbl_name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        for name, table in indexes.fetchall():
            if table not in SOUGHT:
                db.conn.execute(f"DROP INDEX {name}")
    return db.conn
