"""The canonical line of a record: unpacked, checked against the hash that it is known by, and read."""

import hashlib
import sqlite3
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from archive.notation import HASH, identity, read_lines, write_line
from archive.notation.identities import identity_of_line
from archive.record import Deal, Finding, Session, Source, message_of
from archive.say import message
from archive.stats.database import ArchiveError
from archive.store.compression import unpack_record

# Raised if a packed record is damaged.
UNREADABLE = (ArchiveError, ValueError, LookupError, TypeError, ArithmeticError, AttributeError, zlib.error)
NO_TEXT = (*UNREADABLE, sqlite3.DatabaseError)


class PackedRecord(NamedTuple):
    """A record as stored: packed with the head of its session, under its number, with its hash. A `redacted` one, after
    a name was erased from its file, may rightly have another hash."""

    record: bytes
    head: str
    number: int
    hash: bytes
    redacted: int


def damaged_deal(what: str, deal: int) -> ArchiveError:
    """Return the error that something of a deal, as the row `what` of the catalogue names it, is lost or damaged."""
    return ArchiveError(message("refused.lost", what=message(f"refused.{what}", deal=deal)))


def checked_line(packed: PackedRecord, deal: int) -> bytes:
    """Return the canonical line of the record of a deal. Raises ArchiveError if it is not what was recorded."""
    try:
        line = unpack_record(packed.record, packed.head)
        if packed.redacted or is_as_recorded(line, packed.head, packed.number, packed.hash):
            return line
    except UNREADABLE:
        pass
    raise damaged_deal("record-damaged", deal)


def is_as_recorded(line: bytes, head: str, number: int, digest: bytes) -> bool:
    """Return whether a canonical line, of a session with this head, has the hash `digest` under this number. Raises
    ArchiveError if it is no line of a record."""
    begin = head.encode()[:-1]
    if line.startswith(begin) and identity_of_line(line, len(begin), number) == digest:
        return True
    return digest in known_hashes(*read_record(line, Source(""), number), number)


def known_hashes(session: Session, deal: Deal, number: int) -> Iterator[bytes]:
    """Yield the hash of a record, and the one that archives of the first three schemas gave a record with corrections
    in it."""
    yield bytes.fromhex(identity(session, deal, number))
    if deal.correction or deal.ruling:
        yield hashlib.sha256(write_line(session, replace(deal, no=number))).digest()[:HASH]
        yield hashlib.sha256(write_line(session, replace(deal, no=number, ruling=None))).digest()[:HASH]


def read_record(line: bytes, at: Source, deal: int) -> tuple[Session, Deal]:
    """Return the structs of a canonical line. Raises ArchiveError if it is none."""
    items = list(read_lines(line, at))
    sessions = [item for item in items if isinstance(item, Session)]
    deals = [item for item in items if isinstance(item, Deal)]
    if not sessions or not deals:
        broken = tuple(message_of(item) for item in items if isinstance(item, Finding))
        raise ArchiveError(message("refused.record-unreadable", deal=deal, why=broken))
    return replace(sessions[0], source=at), deals[0]
