"""The text of a file that was imported, byte for byte.

If the lines of a file are the canonical records of deals that it was the first to have, only these are stored: the text
is made of them again. The text of a large file is stored in parts.
"""

import sqlite3
import zlib
from collections.abc import Iterator

from archive.store.compression import unpack_record

# Whether the file ?1 was the first to tell the deal of the record `r`. The sessions of such are its own, or those of an
# earlier state of it, of which it tells deals too.
OF_SOURCE = """r.source_id = ?1 AND r.session_id IN (SELECT id FROM sessions WHERE source_id = ?1
    UNION SELECT o.session_id FROM copies c JOIN records o ON o.id = c.deal_id WHERE c.source_id = ?1)"""
OF_BOTH = f"""SELECT r.session_id FROM records r WHERE {OF_SOURCE}
    UNION SELECT r.session_id FROM copies c JOIN records r ON r.id = c.deal_id WHERE c.source_id = ?1"""
OF_RECORDS = b""  # in place of a packed text, which is never empty: the lines of the records, or the parts


def sessions_of(conn: sqlite3.Connection, source: int) -> list[int]:
    """Return the sessions of which a file has deals, first or after another."""
    return [row[0] for row in conn.execute(OF_BOTH, (source,))]


def source_text(conn: sqlite3.Connection, source: int) -> bytes | None:
    """Return the text of a file as it stands in the archive; None if there is no such source."""
    row = conn.execute("SELECT raw FROM sources WHERE id = ?", (source,)).fetchone()
    if row is None:
        return None
    return zlib.decompress(row[0]) if row[0] != OF_RECORDS else b"".join(source_pieces(conn, source))


def source_of_session(conn: sqlite3.Connection, session: int) -> bytes:
    """Return the text of the newest state of the file in which a session was first read. Raises TypeError if there is
    no such session."""
    sql = """WITH RECURSIVE states(id) AS (SELECT source_id FROM sessions WHERE id = ? UNION ALL
        SELECT o.replaced_by FROM states s JOIN sources o ON o.id = s.id WHERE o.replaced_by IS NOT NULL)
        SELECT max(id) FROM states"""
    (source,) = conn.execute(sql, (session,)).fetchone()
    return source_text(conn, source) or b""


def source_pieces(conn: sqlite3.Connection, source: int) -> Iterator[bytes]:
    """Yield the text of a file that is kept in parts or in its records, piece by piece."""
    parts = conn.execute("SELECT raw FROM source_parts WHERE source_id = ? ORDER BY part", (source,)).fetchall()
    for (raw,) in parts:
        yield zlib.decompress(raw)
    if not parts:
        sql = f"""SELECT r.record, s.head FROM records r JOIN sessions s ON s.id = r.session_id
            WHERE {OF_SOURCE} ORDER BY r.line"""
        for packed, head in conn.execute(sql, (source,)):
            yield unpack_record(packed, head) + b"\n"


def store_text(conn: sqlite3.Connection, source: int, text: bytes) -> None:
    """Store another text of a file, for example after a name was erased from it."""
    conn.execute("UPDATE sources SET raw = ? WHERE id = ?", (zlib.compress(text), source))
    conn.execute("DELETE FROM source_parts WHERE source_id = ?", (source,))


# --- the lines of one deal --------------------------------------------------------------------------------------------


# Where the deal ?2 stands in the file ?1: the first line of its session there, of the first deal of that session, its
# own first and last line.
PLACES = """SELECT s.line, (SELECT min(t.line) FROM (
        SELECT line FROM records WHERE source_id = ?1 AND session_id = r.session_id
        UNION ALL SELECT c.line FROM copies c JOIN records o ON o.id = c.deal_id
            WHERE c.source_id = ?1 AND o.session_id = r.session_id) t), p.line, p.end_line
    FROM (SELECT line, end_line FROM records WHERE id = ?2 AND source_id = ?1
        UNION ALL SELECT line, end_line FROM copies WHERE deal_id = ?2 AND source_id = ?1) p
    JOIN records r ON r.id = ?2 JOIN sessions s ON s.id = r.session_id"""


def lines_of_deal(conn: sqlite3.Connection, source: int, deal: int, text: bytes) -> bytes | None:
    """Return the text with every line blank except those of the deal and of the head of its session, so that line
    numbers stay; None if the file is no text, or if the place of the deal in it is not known."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return None
    lines = text.splitlines(keepends=True)
    shown = set[int]()
    for begins, first, line, end in conn.execute(PLACES, (source, deal)):
        if line is None:
            return None
        head = range(begins, first) if begins is not None and first is not None else range(0)
        shown |= {*head, *range(line, (end or line) + 1)}
    return (
        b"".join(line if number in shown else ending(line) for number, line in enumerate(lines, 1)) if shown else None
    )


def ending(line: bytes) -> bytes:
    """Return the line break of a line."""
    return line[len(line.rstrip(b"\r\n")) :]
