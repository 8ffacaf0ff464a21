"""From batches of the judge to pieces: rows, and whatever is judged deal by deal, in the order of the file.

Pieces cross from the judging process to the writing one as MessagePack; judgements, which are few, are pickled.
"""

import hashlib
import pickle
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from archive.bulk import Batch, SessionHead
from archive.engine import columns as c
from archive.judge.door import faults_of, handed_over, judge_batches
from archive.judge.types import Judgement
from archive.notation import write_line
from archive.record import Finding, Session, Source
from archive.say import message
from archive.stats.database import ArchiveError, read_only
from archive.store.bulk.build_rows import (
    CLEAN,
    NOTHING,
    OTHERS,
    CleanDeal,
    RowBuilder,
    SessionRows,
    Tables,
    play_hash,
    plays_of,
)
from archive.store.rows import head_row
from archive.store.tables import INDEXED, hash_prefix_sql

BLOCK = 1 << 19  # bytes of a file that are read together
ASKED = 500  # values of one query


class NewSession(Struct, array_like=True):
    """A session that a piece begins: its number, line and text, and what no session before it had: players by number,
    and its rules by number, pickled with its head."""

    session: int
    line: int | None
    text: str
    columns: dict[str, Any]  # the row of `sessions`, as `head_row` gives it
    players: list[tuple[int, str]]
    rules: tuple[int, bytes] | None


class Chunk(Struct, array_like=True):
    """Some thousand lines. Places count all deals of the piece, those with rows and the others."""

    count: int  # deals
    line: int  # the last one
    size: int  # bytes
    clean: int  # deals with rows
    rows: Tables
    runs: list[tuple[int, int]]  # where clean deals begin, after others or in a session: place and session
    openings: list[NewSession]
    games: list[tuple[int, str, str | None]]  # that were not played before: ruleset, contract, suit
    others: bytes  # pickled: `Other`, in their order
    exact: bool  # whether the lines are the text, byte for byte
    proved: int = 0  # clean deals that were judged by words too


class ScalarItem(Struct, frozen=True):
    """An item that is judged deal by deal: a deal at its place, of a session by number, or a finding that belongs to
    none."""

    place: int
    session: int
    answer: tuple[Session, Judgement] | Finding
    repeated: bool


class JudgeJob(Struct, frozen=True, kw_only=True):
    """The task of the judging process. `text` is the content of a file that is not on disk; `archive` is the file in
    which deals up to the number `before` may be known already."""

    source: Source
    path: str | None
    text: bytes | None
    rules: str | None
    archive: str | None
    before: int
    size: int  # bytes of the text


def blocks(work: JudgeJob) -> Iterator[bytes]:
    """Yield the text in parts that end at line ends. Raises ArchiveError if the file has changed meanwhile."""
    if work.text is not None:
        yield from cut(work.text[at : at + BLOCK] for at in range(0, len(work.text), BLOCK))
    elif work.path is not None:
        digest = hashlib.sha256()
        with Path(work.path).open("rb") as file:
            yield from cut(hash_parts(iter(lambda: file.read(BLOCK), b""), digest))
        if digest.hexdigest() != work.source.sha256:
            raise ArchiveError(message("refused.file-changed", path=work.path))


def hash_parts(parts: Iterable[bytes], digest: "hashlib._Hash") -> Iterator[bytes]:
    for part in parts:
        digest.update(part)
        yield part


def cut(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield parts that end at line ends; the last one ends with the text."""
    left = b""
    for part in parts:
        whole, end, rest = (left + part).rpartition(b"\n")
        left = rest
        if end:
            yield whole + end
    if left:
        yield left


def make_chunks(work: JudgeJob) -> Iterator[Chunk]:
    """Yield the chunks of a file. Raises ArchiveError if the core is found at fault."""
    making, last = ChunkBuilder(work), 0
    for batch in judge_batches(making.read(), work.source, work.rules, work.size):
        if fault := next(faults_of(handed_over(batch)), None):
            raise ArchiveError(message("refused.program-fault", **place_of(fault), **fault.facts))
        piece = making.piece(batch, last)
        piece.proved = batch.proved
        last = piece.line
        yield piece


def place_of(fault: Finding) -> dict[str, Any]:
    """Return the file, line and deal of a finding."""
    where = fault.source
    return {} if where is None else {"path": where.path, "line": where.line, "deal": where.deal}


class ChunkBuilder:
    """Makes pieces of batches, one after another."""

    def __init__(self, work: JudgeJob) -> None:
        self.work, self.maker = work, RowBuilder()
        self.session: Session | None = None
        self.number = -1  # of the session
        self.sitting: SessionRows | None = None  # where a clean deal of it was met
        self.after = OTHERS  # what the deal before was
        self.players: dict[str, int] = {}
        self.rulesets: dict[str, int] = {}
        self.games: set[tuple[int, str, str | None]] = set()
        self.known = Lookup(work.archive, work.before) if work.archive and work.before else None
        self.ended = True  # whether the last line has its end

    def read(self) -> Iterator[bytes]:
        for block in blocks(self.work):
            self.ended = block.endswith(b"\n")
            yield block

    def piece(self, batch: Batch, last: int) -> Chunk:
        """Return the rows of a batch, and whatever goes another way; `last` is the line before it."""
        line = batch.line[-1] if batch.line else last
        size = sum(map(len, batch.raw)) + len(batch.raw)
        chunk = Chunk(0, line, size, 0, {}, [], [], [], b"", self.ended)
        known = self.known.rows(batch) if self.known else frozenset()
        others: list[ScalarItem] = []
        clean: list[CleanDeal] = []
        running, plan = False, batch.column(c.PLAN)
        for row in range(len(batch.raw) + 1):
            for answer in batch.answers.get(row, ()):
                others.append(self._other(chunk, answer))
                running = False
            if row == len(batch.raw):
                break
            chunk.exact = chunk.exact and batch.line[row] == last + 1 and exact(batch, row)
            last = batch.line[row]
            if batch.code[row]:
                continue
            head = batch.heads[batch.head[row]]
            if row in known:
                others.append(self._other(chunk, (head.session, batch.judgement(row))))
                running = False
                continue
            sitting = self.sitting if self.sitting and head.session is self.session else self._sits(chunk, head)
            if not running or self.after == NOTHING:
                chunk.runs.append((chunk.count, self.number))
                running = True
            clean.append(CleanDeal(row, chunk.count, sitting, self.after))
            self.after = CLEAN
            game = batch.plans.every[plan[row]].game
            played = sitting.ruleset, game.contract, game.suit
            if played not in self.games:
                self.games.add(played)
                chunk.games.append(played)
            chunk.count += 1
        chunk.clean, chunk.rows = len(clean), self.maker.rows(batch, clean)
        chunk.others = pickle.dumps(others, pickle.HIGHEST_PROTOCOL) if others else b""
        return chunk

    def _begins(self, session: Session) -> None:
        if session is not self.session:
            self.session, self.sitting, self.after = session, None, NOTHING
            self.number += 1

    def _other(self, chunk: Chunk, answer: tuple[Session, Judgement] | Finding) -> ScalarItem:
        if isinstance(answer, Finding):
            return ScalarItem(chunk.count, self.number, answer, False)
        self._begins(answer[0])
        self.after = OTHERS
        chunk.count += 1
        again = any(finding.rule == "deal-repeated" for finding in answer[1].findings)
        return ScalarItem(chunk.count - 1, self.number, answer, again)

    def _sits(self, chunk: Chunk, head: SessionHead) -> SessionRows:
        """Return the session of a clean deal."""
        self._begins(head.session)
        if self.sitting is None:
            assert head.ruleset
            digest, rules = head.ruleset.digest, None
            if digest not in self.rulesets:
                number = self.rulesets[digest] = len(self.rulesets)
                rules = number, pickle.dumps((head.ruleset, head.judged_as), pickle.HIGHEST_PROTOCOL)
            new = [name for name in head.players if name not in self.players]
            named = [(self.players.setdefault(name, len(self.players)), name) for name in new]
            text = (head.prefix + b"}").decode()
            line = head.session.source.line if head.session.source else None
            columns = head_row(head.session, head.judged_as)
            chunk.openings.append(NewSession(self.number, line, text, columns, named, rules))
            players = [self.players[name] for name in head.players]
            self.sitting = SessionRows(self.number, players, self.rulesets[digest], head)
        return self.sitting


def exact(batch: Batch, row: int) -> bool:
    """Return whether the line of a row is the canonical line of the one deal in it."""
    if batch.code[row] == 0:
        return row not in batch.answers
    answers = batch.answers.get(row, ())
    one = answers[0] if len(answers) == 1 else None
    return isinstance(one, tuple) and write_line(one[0], one[1].recorded) == batch.raw[row]


class Lookup:
    """A search for deals that may be known: by the beginning of a hash, by cards, or by the id that a source gives."""

    def __init__(self, archive: str, before: int) -> None:
        self.conn = sqlite3.connect(read_only(archive), uri=True)
        self.before = before

    def rows(self, batch: Batch) -> frozenset[int]:
        """Return the rows of clean deals that may be known."""
        by: tuple[dict[Any, list[int]], ...] = ({}, {}, {})
        leads = batch.column(c.LEADER)
        for row, deal in enumerate(batch.quick):
            if deal is None or batch.code[row]:
                continue
            head = batch.heads[batch.head[row]]
            known_by = (batch.digest(row), play_hash(deal, plays_of(deal), leads[row], head), deal.id)
            for by_key, key in zip(by, known_by, strict=True):
                if key is not None:
                    by_key.setdefault(key, []).append(row)
        hashes, plays, ids = by
        first, play = by_beginning(hashes), by_beginning(plays)
        met: set[int] = set()
        prefix, play_prefix = hash_prefix_sql("hash"), hash_prefix_sql("play_hash")
        wanted = (
            (first, f"SELECT {prefix} FROM records WHERE {prefix} IN ({{}}) AND id <= {{}}"),
            (hashes, "SELECT hash FROM copies WHERE hash IN ({}) AND deal_id <= {}"),
            (play, f"SELECT {play_prefix} FROM records WHERE {play_prefix} IN ({{}}) AND id <= {{}}"),
            (plays, "SELECT play_hash FROM copies WHERE play_hash IN ({}) AND deal_id <= {}"),
            (ids, "SELECT own_id FROM records WHERE own_id IN ({}) AND id <= {}"),
            (ids, "SELECT own_id FROM copies WHERE own_id IN ({}) AND deal_id <= {}"),
        )
        for by_key, sql in wanted:
            keys = list(by_key)
            for at in range(0, len(keys), ASKED):
                some = keys[at : at + ASKED]
                marks = ",".join("?" * len(some))
                for (key,) in self.conn.execute(sql.format(marks, self.before), some):
                    met.update(by_key[key])
        return frozenset(met)


def by_beginning(rows: dict[bytes, list[int]]) -> dict[bytes, list[int]]:
    """Return the rows by the part of their hash that is indexed."""
    by_prefix: dict[bytes, list[int]] = {}
    for key, each in rows.items():
        by_prefix.setdefault(key[:INDEXED], []).extend(each)
    return by_prefix
