"""Corrections and rulings that came with records, and for which an archive has no row.

They stand in the records, and in the files that the archive keeps. What was corrected or ruled in the archive itself
stands only in its own row, unless a file brought it again.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from operator import itemgetter

from archive.record import Deal, Source
from archive.store.mend_records import ReadFile, read_source_deals, whole_text
from archive.store.record_lines import UNREADABLE, PackedRecord, checked_line, read_record
from archive.store.rows import Row, correction_rows, ruling_rows
from archive.store.source_texts import OF_RECORDS

COLUMNS = {  # by table, those that say what was corrected or ruled
    "corrections": ("author", "made_at", "why", "after"),
    "rulings": ("author", "made_at", "why", "cite", "payments", "kind"),
}
JSON = ("after", "payments")
KNOWN = """SELECT hash, line, id FROM records WHERE source_id = ?1
    UNION ALL SELECT hash, line, deal_id FROM copies WHERE source_id = ?1"""
KEPT = """SELECT id FROM sources f WHERE redacted_sha256 IS NULL
    AND (raw <> ? OR EXISTS (SELECT 1 FROM source_parts WHERE source_id = f.id))"""


RecordedEvidence = tuple[int, int, int, Deal]  # file, line, number of the deal, the deal with its evidence


# A row that a table lacks: the table, the file that brought it, the deal, and whether that has no other row there.
BroughtRow = tuple[str, int, int, Row, bool]


def missing_evidence(
    conn: sqlite3.Connection, read: ReadFile | None, of_records: Iterable[RecordedEvidence]
) -> Iterator[BroughtRow]:
    """Return the corrections and rulings that came with records and have no row, or a different one, each once, in the
    order of the files. `of_records` are those in the records; `read` reads a file of a format, and with it stored files
    are read again."""
    there = {table: _stored_words(conn, table) for table in COLUMNS}
    corrected = {table: {deal for deal, _ in words} for table, words in there.items()}
    every = list(of_records)
    if read is not None:
        for (source,) in conn.execute(KEPT, (OF_RECORDS,)).fetchall():
            every += _evidence_of_file(conn, source, read)
    for source, _, deal, recorded in sorted(every, key=itemgetter(0, 1)):
        for table, rows in (("corrections", correction_rows(recorded)), ("rulings", ruling_rows(recorded))):
            for row in rows:
                if (key := (deal, _words(table, row))) not in there[table]:
                    there[table].add(key)
                    yield table, source, deal, row, deal not in corrected[table]


def _stored_words(conn: sqlite3.Connection, table: str) -> set[tuple[int, str]]:
    """Return what the rows of a table say, each with its deal."""
    names = COLUMNS[table]
    rows = conn.execute(f"SELECT deal_id, {', '.join(names)} FROM {table}")
    return {(deal, _words(table, dict(zip(names, values, strict=True)))) for deal, *values in rows}


def _words(table: str, row: Row) -> str:
    """Return a row as a text that is equal for equal evidence."""
    values = [row[name] for name in COLUMNS[table]]
    with suppress(ValueError, TypeError):  # of a row that is damaged
        values = [json.loads(row[name]) if name in JSON else row[name] for name in COLUMNS[table]]
    return json.dumps(values, sort_keys=True, default=str)


# --- where it stands --------------------------------------------------------------------------------------------------


def evidence_of_line(deal: int, line: bytes, packed: PackedRecord) -> Deal | None:
    """Return the deal of a record by its canonical line; None if it has no corrections or rulings, or if the line is
    not what was recorded, which is reported as damage elsewhere."""
    with suppress(*UNREADABLE):
        if b'"correction":' in line or b'"ruling":' in line:
            return read_record(checked_line(packed, deal), Source(""), deal)[1]
    return None


def _evidence_of_file(conn: sqlite3.Connection, source: int, read: ReadFile) -> Iterator[RecordedEvidence]:
    """Return the deals with corrections or rulings of a file that is kept whole beside its records."""
    text = whole_text(conn, source) or b""
    if b"correction" in text or b"ruling" in text:
        known = {key: deal for digest, line, deal in conn.execute(KNOWN, (source,)) for key in (digest, line)}
        for each in read_source_deals(conn, source, read):
            deal = known.get(each.hash) or known.get(each.line)
            if deal and (each.deal.correction or each.deal.ruling):
                yield source, each.line or 0, deal, each.deal
