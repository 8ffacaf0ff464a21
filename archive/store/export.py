"""Exporting deals: records without loss, as JSON lines or TOML; `outcomes` as CSV or Parquet; deals judged."""

import csv
import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import BinaryIO, TextIO

from msgspec.structs import replace

from archive.judge import Judgement
from archive.notation import HASH, write_line, write_toml
from archive.notation.identities import numbered_line
from archive.play.types import DEALT_AGAIN
from archive.record import Deal, Session
from archive.store.compression import unpack_record
from archive.store.load import deals_taken_back, load_deal, load_judgement
from archive.store.record_lines import UNREADABLE, damaged_deal
from archive.store.records import OF_DEAL, OF_SESSION, UNTOUCHED
from archive.store.resettle import judge_session_again
from archive.store.seal import one_moment

THROWN_IN = "thrown-in"
FORMULA = ("=", "+", "-", "@", "\t")  # how a text begins that Excel takes for a formula, but behind an apostrophe
BATCH = 10_000  # rows of a Parquet file that are held at a time
# Columns of `outcomes` that are 1, 0 or NULL.
FLAGS = ("tout", "won", "schneider", "schwarz", "runners_paid", "muss", "alone", "partner_inferred", "annulled")

SESSIONS = f"""SELECT s.id, {UNTOUCHED} FROM (SELECT DISTINCT session_id AS id FROM records
    WHERE session_id = :session OR :session IS NULL) s ORDER BY s.id"""
# `d.id + f.id`: a deal whose sources are all gone has no row in `deals`; each record has one in `sources`.
LINES = f"""SELECT r.id, d.id + f.id, r.record, s.head, r.number, r.hash FROM records r
    LEFT JOIN sessions s ON s.id = r.session_id LEFT JOIN sources f ON f.id = r.source_id
    LEFT JOIN deals d ON d.id = r.id WHERE {OF_SESSION} ORDER BY coalesce(d.position, r.id)"""

# A deal as it was recorded: its id, the head, which is one object for all deals of a session, its number and itself.
ExportRow = tuple[int, Session, int, Deal]


# --- records --------------------------------------------------------------------------------------------------------


def export_lines(conn: sqlite3.Connection, session: int | None = None, as_of: str | None = None) -> Iterator[bytes]:
    """Yield the records of a session, or all of them, in order, one line each with its line break; `as_of`: as the
    archive stood then.

    Every line carries the number of its deal, which its position does not tell outside its file. So the SHA-256 of a
    line, without the line break and without its corrections and rulings, begins with the hash in `records` (or in
    `copies`, if that record is in force).
    """
    with one_moment(conn):
        refuse_without_record(conn)
        for key, untouched in conn.execute(SESSIONS, {"session": session}):
            for deal, counts, *packed in conn.execute(LINES, (key,)):
                if line := kept_line(*packed) if untouched and counts and as_of is None else None:
                    yield line + b"\n"
                    continue
                for _, head, number, recorded in _deals_in(conn, OF_DEAL, (deal,), as_of):
                    yield write_line(head, replace(recorded, no=number)) + b"\n"


def kept_line(packed: bytes, head: str, number: int, digest: bytes) -> bytes | None:
    """Return the line of a record as it is kept, with its number; None if its hash is not of these very bytes: an older
    version wrote it, a name was erased, or it is damaged."""
    try:
        line = numbered_line(unpack_record(packed, head), len(head.encode()) - 1, number)
    except UNREADABLE:
        return None
    return line if hashlib.sha256(line).digest()[:HASH] == digest else None


def export_toml(conn: sqlite3.Connection, session: int, as_of: str | None = None) -> str | None:
    """Return a session as a session file; None if there is none. A deal has its number if its position does not tell
    it."""
    deals = list(_deals(conn, session, as_of))
    return write_toml(deals[0][1], with_numbers(each[2:] for each in deals)) if deals else None


def with_numbers(deals: Iterable[tuple[int, Deal]]) -> Iterator[Deal]:
    """Yield the deals of a session; those whose position does not tell their number have it written in them."""
    for position, (number, deal) in enumerate(deals, 1):
        yield deal if number == position else replace(deal, no=number)


def session_lines(deals: Iterable[tuple[Session, tuple[int, Deal]]]) -> Iterator[bytes]:
    """Yield JSON lines of numbered deals, each with the head of its session. A reader of lines takes successive
    sessions with the same head for one, so their positions run on."""
    for _, group in groupby(deals, key=lambda each: replace(each[0], source=None)):
        pairs = list(group)
        for (head, _), deal in zip(pairs, with_numbers(each for _, each in pairs), strict=True):
            yield write_line(head, deal) + b"\n"


def export_judged(
    conn: sqlite3.Connection, session: int | None, as_of: str | None
) -> Iterator[tuple[Session, Judgement]]:
    """Yield deals judged again, but for those that were taken back, each with the head of its session; each session is
    its own Session object."""
    if as_of is not None:
        for key in [session] if session is not None else [row[0] for row in conn.execute("SELECT id FROM sessions")]:
            gone, every = deals_taken_back(conn, key), judge_session_again(conn, key, as_of)
            for each, judged in every:
                game = judged.deal.game
                if each.id not in gone or (game and game.contract != DEALT_AGAIN):  # as it was before that
                    yield every[0][0].record.head, judged
        return
    gone = deals_taken_back(conn, session)
    for key, head, *_ in _deals(conn, session):
        if key not in gone and (judgement := load_judgement(conn, key)):
            yield head, judgement


def _deals(conn: sqlite3.Connection, session: int | None, as_of: str | None = None) -> Iterator[ExportRow]:
    """Yield deals session by session. Raises ArchiveError if a record is lost or damaged."""
    refuse_without_record(conn)
    return _deals_in(conn, "1" if session is None else OF_SESSION, () if session is None else (session,), as_of)


def refuse_without_record(conn: sqlite3.Connection) -> None:
    """Raise ArchiveError if a record is lost."""
    bare = conn.execute("SELECT min(id) FROM deals WHERE id NOT IN (SELECT id FROM records)").fetchone()[0]
    if bare is not None:
        raise damaged_deal("record-lost", bare)


def _deals_in(conn: sqlite3.Connection, where: str, values: tuple[int, ...], as_of: str | None) -> Iterator[ExportRow]:
    sql = f"""SELECT r.id, r.session_id, r.number FROM records r LEFT JOIN deals d ON d.id = r.id
        WHERE {where} ORDER BY r.session_id, coalesce(d.position, r.id)"""
    session_head: tuple[int, Session] | None = None
    for deal, of, number in conn.execute(sql, values):
        loaded = load_deal(conn, deal, as_of)
        if loaded:
            session_head = session_head if session_head and session_head[0] == of else (of, loaded[0])
            at = loaded[1].source
            recorded = loaded[1].no or (at.deal if at else None) or number
            yield deal, session_head[1], recorded, loaded[1]


# --- the table of outcomes ------------------------------------------------------------------------------------------


def export_outcomes(
    conn: sqlite3.Connection, file: TextIO, session: int | None = None, for_excel: bool = False
) -> None:
    """Write the view `outcomes` as CSV with a head. NULL is an empty field; a game that was thrown in is `thrown-in`,
    since csvkit and others take the word `none` for NULL. `for_excel`: with semicolons, since Excel reads CSV so
    wherever the comma is the decimal sign, and no text begins like a formula. Open the file with newline=""."""
    outcomes = _outcomes(conn, session)
    names = [column[0] for column in outcomes.description]
    contract = names.index("contract")
    writer = csv.writer(file, delimiter=";" if for_excel else ",")
    writer.writerow(names)
    for row in outcomes:
        values = [*row[:contract], THROWN_IN if row[contract] == "none" else row[contract], *row[contract + 1 :]]
        if for_excel:
            values = [f"'{each}" if isinstance(each, str) and each.startswith(FORMULA) else each for each in values]
        writer.writerow(values)


def export_parquet(conn: sqlite3.Connection, file: BinaryIO, session: int | None) -> None:
    """Write the view `outcomes` as Parquet: whole numbers, texts, and true or false; NULL stays null. Raises
    ImportError if pyarrow is not installed."""
    import pyarrow  # type: ignore[import-untyped]  # it ships no types
    from pyarrow import parquet

    kinds = {"INTEGER": pyarrow.int64()}
    columns = {row[1]: kinds.get(row[2], pyarrow.string()) for row in conn.execute("PRAGMA table_info(outcomes)")}
    schema = pyarrow.schema(columns | dict.fromkeys(FLAGS, pyarrow.bool_()))
    outcomes = _outcomes(conn, session)
    with parquet.ParquetWriter(file, schema) as writer:
        while rows := outcomes.fetchmany(BATCH):
            by_column = dict(zip(columns, zip(*rows, strict=True), strict=True))
            typed = {name: _flags(values) if name in FLAGS else values for name, values in by_column.items()}
            writer.write_batch(pyarrow.RecordBatch.from_pydict(typed, schema))


def _flags(values: tuple[int | None, ...]) -> tuple[bool | None, ...]:
    return tuple(None if value is None else bool(value) for value in values)


def _outcomes(conn: sqlite3.Connection, session: int | None) -> sqlite3.Cursor:
    where, values = ("", ()) if session is None else (" WHERE session = ?", (session,))
    return conn.execute(f"SELECT * FROM outcomes{where} ORDER BY deal", values)
