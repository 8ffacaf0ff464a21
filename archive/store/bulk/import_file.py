"""A file of JSON lines into the archive in bulk: one process judges and makes rows, this one writes them.

A file is one transaction. A file of more than `CHUNK` deals is several, and a row in `unfinished` says how far it is;
importing the file again goes on there. If the archive was empty before a large load, its secondary indexes are built at
the end. The facts are counted at the end in any case. `unfinished` says so meanwhile, and the next process that opens
the archive for writing does what is left.
"""

import ctypes
import gc
import multiprocessing
import os
import signal
import sqlite3
import threading
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from archive.judge.door import can_judge_lines
from archive.judge.judge_stream import gc_paused
from archive.judge.types import Judgement
from archive.record import Finding, Session, Source
from archive.say import message
from archive.stats import counting_processes
from archive.stats.database import ArchiveError, file_of
from archive.stats.parallel_count import end_with_parent, starting_apart
from archive.store import record_codec
from archive.store._sqlite_utils import Database
from archive.store.bulk.judge_process import Chunk, JudgeJob, blocks, make_chunks
from archive.store.bulk.load_progress import (
    LARGE,
    ImportProgress,
    fill_pages,
    triggers_paused,
)
from archive.store.bulk.write_rows import ChunkWriter, scalar_items
from archive.store.file_states import earlier_states
from archive.store.gone_deals import Gone, HeldBackError
from archive.store.save import KNOWN, finish_import, insert_source, know_again, written_path
from archive.store.saved_files import FileMeta, SaveResult
from archive.store.source_texts import store_text
from archive.store.transaction import checkpoint, refusal, writing
from archive.store.unfinished import finish_work, last_record, note_finished, note_unfinished

BULK = 128 << 10  # bytes of a file that is stored in bulk, at least
CHUNK = 250_000  # deals of one transaction
PART = 16 << 20  # bytes of a file that are packed together
AHEAD = 2  # pieces made in advance
Moved = Callable[[int, int], None]
DECODER, ENCODER = msgspec.msgpack.Decoder(Chunk), msgspec.msgpack.Encoder()


class JsonlFile(Struct, frozen=True, kw_only=True):
    """A file of JSON lines: its bytes, or its path on disk; its size and SHA-256. `rules`: judge by these instead."""

    text: bytes | None = None
    path: str | None = None
    size: int
    digest: bytes
    rules: str | None = None


# --- the judging process --------------------------------------------------------------------------------------------


@contextmanager
def judging_process(work: JudgeJob) -> Iterator[Iterator[Chunk]]:
    """Give the pieces of a file, made by another process if there is a second core.

    If that process looks deals up in the archive, it is started afresh: SQLite does not survive a fork of a process
    that has the same file open.
    """
    if (os.cpu_count() or 1) < 2:
        yield make_chunks(work)
        return
    copied = not work.before and threading.active_count() == 1 and "fork" in multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("fork" if copied else "spawn")
    with ProcessPoolExecutor(1, context, _begin, (work,)) as pool:
        yield received_pieces(pool)
        pool.shutdown(wait=False, cancel_futures=True)


def received_pieces(pool: ProcessPoolExecutor) -> Iterator[Chunk]:
    """Yield the pieces that the process of a pool makes, two of them in advance, so that nobody waits. Raises
    ArchiveError if the process fails or is killed."""
    try:
        with starting_apart():
            waiting = deque(pool.submit(_next) for _ in range(AHEAD))
        while data := waiting.popleft().result():
            waiting.append(pool.submit(_next))
            yield DECODER.decode(data)
    except BrokenProcessPool:
        raise ArchiveError(message("refused.judge-ended")) from None
    except (ArchiveError, sqlite3.Error):
        raise
    except Exception as error:
        raise ArchiveError(message("refused.judge-failed", kind=type(error).__name__, why=error)) from error


_pieces: list[Iterator[Chunk]] = []  # that this process makes


def _begin(work: JudgeJob) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process stops this one
    end_with_parent()
    gc.disable()  # rows are many, and none of them refers to itself
    _pieces[:] = [make_chunks(work)]


def _next() -> bytes:
    """Return the next piece, empty after the last."""
    piece = next(_pieces[0], None)
    if piece is None:
        return b""
    if piece.others:  # judged one by one, which leaves garbage; clean deals leave none
        gc.collect(0)
    return ENCODER.encode(piece)


# --- the file -------------------------------------------------------------------------------------------------------


def fits_bulk(db: Database, path: str, text: JsonlFile) -> bool:
    """Return whether a file of this path is many JSON lines that can be judged one by one and is no later state of a
    known file: such a state is compared with the earlier one as a whole, and stored in one transaction."""
    if text.size < BULK or (text.text is not None and not can_judge_lines(text.text)):
        return False
    known = db.conn.execute("SELECT id FROM sources WHERE sha256 = ?", (text.digest,)).fetchone()
    if not known and earlier_states(db.conn, 0, path)[0]:
        return False
    there = db.conn.in_transaction and db.conn.execute("SELECT 1 FROM records LIMIT 1").fetchone()
    return not there  # a rehearsal does not show other processes what it has stored


def save_lines(
    db: Database, file: FileMeta, text: JsonlFile, moved: Moved = lambda size, deals: None, gone: Gone | None = None
) -> "FileImport":
    """Store a file of JSON lines as `save_file` would; `moved` gets how many more bytes and deals are done.

    Raises ArchiveError if the archive cannot be written; then nothing of the file has been stored, or whole chunks of
    it, and the same import goes on after them.
    """
    conn = db.conn
    try:
        row = conn.execute("SELECT facts FROM unfinished WHERE work = ?", (text.digest.hex(),)).fetchone()
        left, known = msgspec.json.decode(row[0], type=ImportProgress) if row else None, None
        try:
            with writing(conn):
                row = conn.execute(KNOWN, (text.digest,)).fetchone()
                known = know_again(db, row, file, gone) if row and left is None else None
        except HeldBackError as held:
            known = SaveResult(0, 0, 0, 0, findings=held.findings, stored=False)
        stored = FileImport(db, file, text)
        stored.run(known, left, moved)
        checkpoint(conn)
    except sqlite3.Error as error:
        raise refusal(conn, error, "not-stored", path=file.path) from error
    return stored


class FileImport:
    """A file on its way into the archive, and the outcome: what was changed (`saved`), its deals by verdict, and those
    that do not simply agree, in order."""

    saved: SaveResult

    def __init__(self, db: Database, file: FileMeta, text: JsonlFile) -> None:
        self.db, self.conn, self.file, self.text = db, db.conn, file, text
        conn, self.path = db.conn, written_path(file)
        self.verdicts: Counter[str] = Counter()
        self.others: list[tuple[Session, Judgement] | Finding] = []
        self.proved = 0  # clean deals that were judged by words too
        self.inside = conn.in_transaction
        self.work = JudgeJob(
            source=Source(self.path, 1, None, text.digest.hex()), path=text.path, text=text.text, rules=text.rules,
            archive=file_of(conn) or None, before=last_record(conn), size=text.size,
        )  # fmt: skip

    def run(self, known: SaveResult | None, left: ImportProgress | None, moved: Moved) -> None:
        """Judge a file, and store it unless it is `known`."""
        work = replace(self.work, before=0) if known else self.work
        with gc_paused(), judging_process(work) as stream:
            chunks = self._counted_chunks(stream, moved)
            if known:
                for piece in chunks:
                    self._others(item.answer for item in scalar_items(piece))
                self.saved = known
            else:
                self.saved = self._save_stream(chunks, left)

    def _counted_chunks(self, stream: Iterator[Chunk], moved: Moved) -> Iterator[Chunk]:
        for piece in stream:
            self.verdicts["agrees"] += piece.clean
            self.proved += piece.proved
            yield piece
            moved(piece.size, piece.count)

    def _save_stream(self, stream: Iterator[Chunk], left: ImportProgress | None) -> SaveResult:
        taking = None
        if left:
            taking = ChunkWriter(self.conn, left.source, self.path)
            for piece in stream:
                self._others(taking.skip(piece))
                if piece.line >= left.line:
                    break
            left.put_back(taking)
        ended, digest, size = False, self.text.digest, self.text.size
        with ExitStack() as stack:
            alone = size >= LARGE and not self.inside
            pool = stack.enter_context(counting_processes()) if alone else None  # it begins while rows are made
            while not ended:
                with writing(self.conn):
                    if taking is None:
                        source = insert_source(self.db, self.file, digest, size)
                        taking = ChunkWriter(self.conn, source, self.path)
                    if last_record(self.conn) != taking.deals.last:
                        raise ArchiveError(message("refused.other-import", path=self.path))
                    with triggers_paused(self.conn, size, taking.deals.before):
                        ended, line = self._chunk(taking, stream)
                    if ended:
                        saved = self._end(taking)
                        note_finished(self.conn, digest.hex())
                    else:
                        note_unfinished(self.conn, digest.hex(), ImportProgress.of(taking, line))
                checkpoint(self.conn)
            if pool:
                del taking
                fill_pages(self.conn)
                # memory that the counting processes need: phrases, pages, freed blocks of the C library
                record_codec.clear_caches()
                self.conn.execute("PRAGMA shrink_memory")
                with suppress(AttributeError, OSError, TypeError):  # another C library than that of Linux
                    ctypes.CDLL(None).malloc_trim(0)
            finish_work(self.conn, pool)
        return saved

    def _chunk(self, taking: ChunkWriter, stream: Iterator[Chunk]) -> tuple[bool, int]:
        """Write pieces up to a chunk; return whether these were the last, and the number of the last line."""
        deals, line = 0, 0
        for piece in stream:
            self._others(taking.take(piece))
            deals, line = deals + piece.count, piece.line
            if deals >= CHUNK:
                return False, line
        return True, line

    def _others(self, answers: Iterator[tuple[Session, Judgement] | Finding]) -> None:
        for answer in answers:
            self.others.append(answer)
            if not isinstance(answer, Finding):
                self.verdicts[answer[1].verdict] += 1

    def _end(self, taking: ChunkWriter) -> SaveResult:
        """Store what comes after the last deal: findings that belong to none, the text, sessions that are settled
        again."""
        deals = taking.deals
        for each in self.others:
            if isinstance(each, Finding):
                deals.writer.finding(each, deals.source)
        deals.flush()
        if deals.known or not taking.exact:
            keep_parts(self.conn, deals.source, blocks(self.work))
        return finish_import(deals)


def keep_parts(conn: sqlite3.Connection, source: int, parts: Iterator[bytes]) -> None:
    """Store the text of a file that its records do not make up: a small one in one piece, a large one in parts."""
    held, number = bytearray(), 0
    sql = "INSERT INTO source_parts (source_id, part, size, raw) VALUES (?, ?, ?, ?)"
    for part in parts:
        held += part
        if len(held) >= PART:
            number += 1
            conn.execute(sql, (source, number, len(held), zlib.compress(held)))
            held.clear()
    if not number:
        store_text(conn, source, bytes(held))
    elif held:
        conn.execute(sql, (source, number + 1, len(held), zlib.compress(held)))
