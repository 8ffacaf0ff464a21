"""The archive of a shard, in memory: the same as `schafkopf import` makes, by the same code, in one process.

Lines that state no price step by step are judged and stored in bulk; others deal by deal, as in an import.
"""

import sqlite3
from collections.abc import Iterator
from functools import cache

from archive.judge.door import can_judge_lines
from archive.judge.judge_stream import judge_with_heads
from archive.judge.types import Judgement
from archive.notation import read_lines
from archive.record import Finding, Session, Source, finding
from archive.store import FileMeta, save_file
from archive.store._sqlite_utils import Database
from archive.store.bulk.judge_process import JudgeJob, make_chunks
from archive.store.bulk.write_rows import ChunkWriter
from archive.store.save import finish_import, insert_source
from archive.store.schema import migrate
from archive.store.transaction import writing

FORMAT = "record-lines"
# Tables whose indexes an import needs for lookup; all other indexes would only be written.
SOUGHT = ("records", "copies", "sources", "players")


def archive_of(name: str, source: Source, text: bytes | Finding) -> tuple[sqlite3.Connection, bool]:
    """Return an archive with one source, the shard, and whether its lines are its records. `text` may be a finding on
    why there is no text."""
    db = _empty()
    if isinstance(text, Finding):
        save_file(db, FileMeta(name, FORMAT), b"", (), [text])
        return db.conn, False
    if can_judge_lines(text) and text.strip():
        return db.conn, in_bulk(db, name, source, text)
    lone: list[Finding] = []  # filled while the deals are taken
    save_file(db, FileMeta(name, FORMAT), text, judged_pairs(source, text, lone), lone)
    return db.conn, False


def in_bulk(db: Database, name: str, source: Source, text: bytes) -> bool:
    """Store the lines of a shard in bulk, and return whether all of them are canonical records of deals, each new."""
    work = JudgeJob(source=source, path=None, text=text, rules=None, archive=None, before=0, size=len(text))
    lone: list[Finding] = []
    conn = db.conn
    with writing(conn):
        key = insert_source(db, FileMeta(name, FORMAT), bytes.fromhex(source.sha256), len(text))
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
