"""Every record of an archive unpacked once, for all checks that read an archive whole."""

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from msgspec import Struct, field

from archive.store.brought_evidence import RecordedEvidence, evidence_of_line
from archive.store.compression import unpack_record
from archive.store.record_lines import UNREADABLE, PackedRecord, is_as_recorded
from archive.store.records import REDACTED

RECORDS = f"""SELECT r.id, r.id, r.source_id, r.line, s.source_id, r.record, s.head, r.number, r.hash, {REDACTED}
    FROM records r LEFT JOIN sessions s ON s.id = r.session_id LEFT JOIN sources f ON f.id = r.source_id
    ORDER BY r.id"""
COPIES = f"""SELECT c.id, c.deal_id, c.source_id, c.line, c.record IS NULL, coalesce(c.record, r.record),
        CASE WHEN c.record IS NULL THEN s.head ELSE c.head END, c.number, c.hash,
        {REDACTED} OR (c.record IS NULL AND first.redacted_sha256 IS NOT NULL)
    FROM copies c LEFT JOIN records r ON r.id = c.deal_id LEFT JOIN sessions s ON s.id = r.session_id
    LEFT JOIN sources f ON f.id = c.source_id LEFT JOIN sources first ON first.id = r.source_id ORDER BY c.id"""
STEP = 500  # records between two reports of progress
KEPT = 100_000  # lines that are remembered, some 70 MB


class SourceText(Struct):
    """The text of a file as its records make it up, line by line: its hash so far, and the last line; `whole`: all its
    lines came in order."""

    digest: Any = field(default_factory=hashlib.sha256)
    line: int = 0
    whole: bool = True

    def add(self, line: int | None, text: bytes | None) -> None:
        """Add the next line; None for one that cannot be unpacked."""
        if line is None or line <= self.line or text is None:
            self.whole = False
            return
        self.line = line
        self.digest.update(text)
        self.digest.update(b"\n")


class RecordPass(Struct):
    """The outcome of a reading: the records and copies that do not agree with their hash, by table, row and deal; how
    many of each file do; the corrections and rulings in them; the texts of files that are made up of records, if there
    are no copies, which have lines of files too; and the lines of the first records that do, for who judges them."""

    damaged: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: {"record": [], "copy": []})
    whole: Counter[int] = field(default_factory=Counter)
    evidence: list[RecordedEvidence] = field(default_factory=list)
    texts: dict[int, SourceText] = field(default_factory=dict)
    lines: dict[int, bytes] = field(default_factory=dict)


def read_records(
    conn: sqlite3.Connection, done: RecordPass | None = None, advance: Callable[[int], None] = lambda deals: None
) -> RecordPass:
    """Read every record and copy, into `done` if it is given, and return that; `advance` gets how many more were
    read."""
    done = done or RecordPass()
    has_copies = conn.execute("SELECT 1 FROM copies LIMIT 1").fetchone() is not None
    for kind, sql in (("record", RECORDS), ("copy", COPIES)):
        for place, (row, deal, source, line, of, *values) in enumerate(conn.execute(sql), 1):
            packed, text, is_whole = PackedRecord(*values), None, False
            with suppress(*UNREADABLE):
                text = unpack_record(packed.record, packed.head)
                is_whole = is_as_recorded(text, packed.head, packed.number, packed.hash)
            done.whole[source] += is_whole
            if not is_whole and (text is None or not packed.redacted):
                done.damaged[kind].append((row, deal))
            if text is not None and is_whole and kind == "record" and len(done.lines) < KEPT:
                done.lines[row] = text
            if kind == "record" and not has_copies and of == source:
                done.texts.setdefault(source, SourceText()).add(line, text)
            if text is not None and not (kind == "copy" and of) and (recorded := evidence_of_line(deal, text, packed)):
                done.evidence.append((source, line or 0, deal, recorded))
            if place % STEP == 0 and kind == "record":
                advance(STEP)
    return done
