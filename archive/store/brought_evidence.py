"""Corrections and rulings that records brought with them: which of their rows an archive lacks, and how they come back.

They stand in the records, and in the files that the archive keeps. What was corrected or ruled in the archive itself
stands in its own row alone, unless a file brought it again.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from operator import itemgetter
from typing import NamedTuple

from sqlite_utils import Database

from archive.record import Deal, Source
from archive.store.compression import unpack_record
from archive.store.evidence_numbers import Evidence, Numbers, place_evidence
from archive.store.mend_records import ReadFile, SourceDeal, source_deals, whole_text
from archive.store.record_lines import UNREADABLE, PackedRecord, checked_line, read_record
from archive.store.records import LOST, REDACTED
from archive.store.rows import Row, correction_rows, ruling_rows
from archive.store.source_text import OF_RECORDS
from archive.store.tables import insert_row

COLUMNS = {  # by table, those that say what was corrected or ruled
    "corrections": ("author", "made_at", "why", "after"),
    "rulings": ("author", "made_at", "why", "cite", "payments", "kind"),
}
JSON = ("after", "payments")
KINDS = {"corrections": "correction", "rulings": "ruling"}  # by table, that of its notes
ROWS = f"""SELECT r.source_id, coalesce(r.line, 0), 0, r.id, r.id, r.source_id, r.record, s.head, r.number, r.hash,
        {REDACTED}
    FROM records r JOIN sessions s ON s.id = r.session_id LEFT JOIN sources f ON f.id = r.source_id
    UNION ALL SELECT c.source_id, coalesce(c.line, 0), 1, c.id, c.deal_id, r.source_id, c.record, c.head, c.number,
        c.hash, {REDACTED}
    FROM copies c JOIN records r ON r.id = c.deal_id LEFT JOIN sources f ON f.id = c.source_id
    WHERE c.record IS NOT NULL"""  # a copy without a record of its own has the first one's words
KNOWN = """SELECT hash, line, id, source_id, 1 FROM records WHERE source_id = ?1
    UNION ALL SELECT c.hash, c.line, c.deal_id, r.source_id, 0 FROM copies c JOIN records r ON r.id = c.deal_id
    WHERE c.source_id = ?1"""
KEPT = """SELECT id, path, format, lower(hex(sha256)) FROM sources f WHERE redacted_sha256 IS NULL
    AND (raw <> ? OR EXISTS (SELECT 1 FROM source_parts WHERE source_id = f.id))"""


class DealEvidence(NamedTuple):
    """A deal as a file `source` records it, with corrections or rulings: its number, the file of its first record,
    whether this is the first."""

    source: int
    deal: int
    home: int
    first: bool
    recorded: Deal


class BroughtRow(NamedTuple):
    """A correction or ruling that came with a record, and the number of its row; None: there is no such row."""

    of: DealEvidence
    row: Row
    number: int | None


def brought_evidence(conn: sqlite3.Connection, read: ReadFile | None = None) -> dict[str, list[BroughtRow]]:
    """Corrections and rulings that came with records, by table, in the order in which they were added. `read` reads a
    file of a format: with it the files that are kept beside their records are read again."""
    deals = list(deals_with_evidence(conn, read))
    return {table: list(_brought_rows(conn, table, deals)) for table in COLUMNS}


def _brought_rows(conn: sqlite3.Connection, table: str, deals: Iterable[DealEvidence]) -> Iterator[BroughtRow]:
    there = defaultdict[tuple[int, str], list[int]](list)
    for number, (deal, words, _) in rows_of(conn, table).items():
        there[deal, words].append(number)
    known = set[tuple[int, str]]()
    for each in deals:
        keys = set()
        for row in correction_rows(each.recorded) if table == "corrections" else ruling_rows(each.recorded):
            key = each.deal, words_of(table, row)
            keys.add(key)
            if each.first or key not in known:
                yield BroughtRow(each, row, there[key].pop(0) if there[key] else None)
        known |= keys


def rows_of(conn: sqlite3.Connection, table: str) -> dict[int, tuple[int, str, bool]]:
    """The rows of a table by number: deal, words, and whether it says of itself that it came with a record."""
    came = "before IS NULL" if table == "corrections" else "0"
    sql = f"SELECT id, deal_id, {came}, {', '.join(COLUMNS[table])} FROM {table} ORDER BY id"
    return {
        number: (deal, words_of(table, dict(zip(COLUMNS[table], values, strict=True))), bool(brought))
        for number, deal, brought, *values in conn.execute(sql)
    }


def words_of(table: str, row: Row) -> str:
    """A row as a text that is the same for whatever says the same."""
    values = [row[name] for name in COLUMNS[table]]
    with suppress(ValueError):  # of a row that is damaged
        values = [json.loads(row[name]) if name in JSON else row[name] for name in COLUMNS[table]]
    return json.dumps(values, sort_keys=True)


# --- bringing it back -------------------------------------------------------------------------------------------------


class Trace(NamedTuple):
    """Traces of the rows of a table in a damaged archive: their deals by number, as the index has them, and how many
    rows the notes have."""

    indexed: dict[int, int]
    noted: int


class Restored(NamedTuple):
    """A row that is there again, with its number; `certain`: which can have been no other."""

    table: str
    brought: BroughtRow
    number: int
    certain: bool


def traces_of(damaged: sqlite3.Connection) -> dict[str, Trace]:
    """The traces in a damaged archive, by table."""
    traces = {}
    for table, kind in KINDS.items():
        indexed, noted = {}, 0
        with suppress(sqlite3.DatabaseError):
            indexed = dict(damaged.execute(f"SELECT id, deal_id FROM {table} INDEXED BY {table}_deal").fetchall())
        with suppress(sqlite3.DatabaseError):
            (noted,) = damaged.execute("SELECT count(*) FROM notes WHERE kind = ?", (kind,)).fetchone()
        traces[table] = Trace(indexed, noted)
    return traces


def restore_evidence(db: Database, read: ReadFile, traces: dict[str, Trace]) -> list[Restored]:
    """Writes the rows again that came with records and are not there, or say something else than these."""
    return [
        each
        for table, every in brought_evidence(db.conn, read).items()
        if any(row.number is None for row in every)
        for each in _restore_rows(db, table, every, traces[table])
    ]


def _restore_rows(db: Database, table: str, every: list[BroughtRow], trace: Trace) -> Iterator[Restored]:
    rows = [Evidence(each.of.deal, each.of.source, each.of.home, each.of.first, each.number) for each in every]
    for at, place in place_evidence(rows, known_numbers(db.conn, table, every, trace)).items():
        db.execute(f"DELETE FROM {table} WHERE id = ?", (place.number,))
        insert_row(db, table, {"id": place.number, "deal_id": every[at].of.deal, **every[at].row})
        yield Restored(table, every[at], place.number, place.certain)


def known_numbers(conn: sqlite3.Connection, table: str, every: list[BroughtRow], trace: Trace) -> Numbers:
    """The numbers of a table some rows of which are gone, as far as they are known."""
    there = rows_of(conn, table)
    lacking = {each.of.deal for each in every if each.number is None}
    matched = {each.number for each in every}
    altered = {
        number: deal
        for number, (deal, _, came) in there.items()
        if number not in matched and deal in lacking and (came or table == "rulings")
    }
    gone: dict[int, int | None] = {}
    if trace.indexed.keys() > there.keys():
        gone |= {number: deal for number, deal in trace.indexed.items() if number not in there}
    known = len(there) + max(0, sum(each.number is None for each in every) - len(altered))
    last = max(trace.indexed) if gone else noted_last(conn, trace, known)
    if table == "rulings":  # what was ruled in a case was ruled by hand
        ruled = conn.execute("SELECT ruling_id FROM case_entries WHERE ruling_id IS NOT NULL").fetchall()
        gone |= {number: None for (number,) in ruled if number not in there}
    (earliest,) = conn.execute("SELECT min(source_id) FROM records").fetchone()
    return Numbers(frozenset(there), altered, gone, last, earliest)


def noted_last(conn: sqlite3.Connection, trace: Trace, known: int) -> int | None:
    """The last number that was given, by the number of notes; None where these do not tell it: notes are lost, or are
    left out of files that were taken back."""
    sql = "SELECT EXISTS (SELECT 1 FROM sources WHERE withdrawn OR path = ?)"
    return trace.noted if trace.noted >= known and not conn.execute(sql, (LOST,)).fetchone()[0] else None


# --- where it stands --------------------------------------------------------------------------------------------------


def deals_with_evidence(conn: sqlite3.Connection, read: ReadFile | None) -> Iterator[DealEvidence]:
    """The deals that brought corrections or rulings, file by file in their order: by the file itself where it is kept
    whole beside its records, else by these."""
    every = defaultdict[int, list[tuple[int, int, int, DealEvidence]]](list)
    for source, line, copy, key, deal, home, *packed in conn.execute(ROWS):
        if recorded := _recorded_evidence(deal, PackedRecord(*packed)):
            every[source].append((line, copy, key, DealEvidence(source, deal, home, not copy, recorded)))
    whole = dict(_files_with_evidence(conn, read)) if read else {}
    for source in sorted({*every, *whole}):
        yield from whole.get(source) or (each for *_, each in sorted(every[source], key=itemgetter(0, 1, 2)))


def _recorded_evidence(deal: int, packed: PackedRecord) -> Deal | None:
    """The deal of a record that has corrections or rulings; None: it has none, or is not what was recorded, which is
    damage of its own."""
    with suppress(*UNREADABLE):
        line = unpack_record(packed.record, packed.head)
        if b'"correction":' in line or b'"ruling":' in line:
            return read_record(checked_line(packed, deal), Source(""), deal)[1]
    return None


def _files_with_evidence(conn: sqlite3.Connection, read: ReadFile) -> Iterator[tuple[int, list[DealEvidence]]]:
    """The files that are kept whole beside their records and brought corrections or rulings, each with their deals."""
    for source, path, form, digest in conn.execute(KEPT, (OF_RECORDS,)).fetchall():
        text = whole_text(conn, source) or b""
        if b"correction" not in text and b"ruling" not in text:
            continue
        deals = source_deals(read(form, text, Source(path, 1, None, digest)))
        if marked := [each for each in deals if each.deal.correction or each.deal.ruling]:
            yield source, list(_known_deals(conn, source, marked))


def _known_deals(conn: sqlite3.Connection, source: int, deals: list[SourceDeal]) -> Iterator[DealEvidence]:
    by_hash, by_line = {}, {}
    for digest, line, deal, home, first in conn.execute(KNOWN, (source,)):
        by_hash[digest] = by_line[line] = deal, home, bool(first)
    for each in deals:
        if known := by_hash.get(each.hash) or by_line.get(each.line):
            yield DealEvidence(source, *known, each.deal)
