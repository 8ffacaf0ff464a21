"""Whether an archive is whole: its pages, its keys, each record and each file against the hash that it is known by."""

import hashlib
import sqlite3
import zlib
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace
from sqlite_utils import Database

from archive.notation import write_line
from archive.notation.identities import HASH, identity
from archive.record import Deal, Session, Source
from archive.say import Message, message
from archive.stats.database import ArchiveError
from archive.store.compression import unpack_record
from archive.store.records import read_record
from archive.store.schema import digests, digests_in
from archive.store.source_text import source_text

NO_TEXT = (ArchiveError, ValueError, IndexError, KeyError, TypeError, OverflowError, zlib.error, sqlite3.DatabaseError)
RECORDS = """SELECT r.id, r.id, r.number, r.hash, r.record, s.head, f.redacted_sha256 IS NOT NULL
    FROM records r JOIN sessions s ON s.id = r.session_id JOIN sources f ON f.id = r.source_id ORDER BY r.id"""
COPIES = """SELECT c.id, c.deal_id, c.number, c.hash, coalesce(c.record, r.record), coalesce(c.head, s.head),
        f.redacted_sha256 IS NOT NULL OR (c.record IS NULL AND first.redacted_sha256 IS NOT NULL)
    FROM copies c JOIN records r ON r.id = c.deal_id JOIN sessions s ON s.id = r.session_id
    JOIN sources f ON f.id = c.source_id JOIN sources first ON first.id = r.source_id ORDER BY c.id"""
SOURCES = "SELECT id, path, coalesce(redacted_sha256, sha256) FROM sources ORDER BY id"
WITHOUT_ROWS = """SELECT r.id FROM records r JOIN sources f ON f.id = r.source_id LEFT JOIN deals d ON d.id = r.id
    WHERE d.id IS NULL AND NOT f.withdrawn ORDER BY r.id"""
MOST = 100  # faults that SQLite is asked to list

Kind = Literal["pages", "key", "record", "copy", "source", "rows", "derived"]


class Damage(Struct, frozen=True):
    """A fault of an archive: what of it, and as a sentence. `derived` and `rows` can be made again from the records,
    everything else is lost here, and stands in a backup or in the file that was imported."""

    kind: Kind
    says: Message


def find_damage(conn: sqlite3.Connection) -> Iterator[Damage]:
    """The faults of an archive, by reading all of it."""
    checks = (page_faults, key_faults, record_faults, source_faults, missing_rows, derived_faults)
    for check in checks:
        try:
            yield from check(conn)
        except sqlite3.DatabaseError as error:
            yield Damage("pages", message("store.damage-pages", why=str(error)))


def page_faults(conn: sqlite3.Connection) -> Iterator[Damage]:
    """Faults of pages and indexes, as SQLite sees them."""
    for (why,) in conn.execute(f"PRAGMA integrity_check({MOST})"):
        if why != "ok":
            yield Damage("pages", message("store.damage-pages", why=str(why)))


def key_faults(conn: sqlite3.Connection) -> Iterator[Damage]:
    """Rows that refer to rows which are not there."""
    for table, row, other, _ in conn.execute("PRAGMA foreign_key_check"):
        yield Damage("key", message("store.damage-key", table=table, row=row or 0, other=other))


def record_faults(conn: sqlite3.Connection) -> Iterator[Damage]:
    """Records that are not what their hash says. One from which a name was erased has another hash rightly."""
    for kind, rows in (("record", conn.execute(RECORDS)), ("copy", conn.execute(COPIES))):
        for row, deal, number, digest, packed, head, redacted in rows:
            fault = message("store.damage-record" if kind == "record" else "store.damage-copy", deal=deal, copy=row)
            try:
                session, recorded = read_record(unpack_record(packed, head), Source(""), deal)
                whole = redacted or digest in known_hashes(session, recorded, number)
            except NO_TEXT:
                whole = False
            if not whole:
                yield Damage("record" if kind == "record" else "copy", fault)


def known_hashes(session: Session, deal: Deal, number: int) -> Iterator[bytes]:
    """The hash of a record, and that which archives of the first three schemas gave one with corrections in it."""
    yield bytes.fromhex(identity(session, deal, number))
    if deal.correction or deal.ruling:
        yield hashlib.sha256(write_line(session, replace(deal, no=number))).digest()[:HASH]
        yield hashlib.sha256(write_line(session, replace(deal, no=number, ruling=None))).digest()[:HASH]


def source_faults(conn: sqlite3.Connection) -> Iterator[Damage]:
    """Files that cannot be given back byte for byte."""
    for source, path, digest in conn.execute(SOURCES):
        try:
            whole = hashlib.sha256(source_text(conn, source) or b"").digest() == digest
        except NO_TEXT:
            whole = False
        if not whole:
            yield Damage("source", message("store.damage-source", source=source, path=path))


def missing_rows(conn: sqlite3.Connection) -> Iterator[Damage]:
    """Records that are there, but in no table of deals."""
    for (deal,) in conn.execute(WITHOUT_ROWS):
        yield Damage("rows", message("store.damage-rows", deal=deal))


def derived_faults(conn: sqlite3.Connection) -> Iterator[Damage]:
    """Views, facts and indexes that another version has made."""
    there = digests_in(Database(conn, execute_plugins=False))
    for name, digest in digests().items():
        if there.get(name) != digest:
            yield Damage("derived", message("store.damage-derived", name=name))
