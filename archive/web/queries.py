"""What the viewer asks of the archive beyond what `archive.store` lists."""

import sqlite3
from typing import Any

from archive.store import deal_sources, neighbours, session_row
from archive.web.parts import Place


def fitting(conn: sqlite3.Connection, **wanted: str) -> int:
    """How many deals have these values; empty ones do not count."""
    given = {key: value for key, value in wanted.items() if value}
    where = " AND ".join(f"{key} = ?" for key in given) or "1"
    (count,) = conn.execute(f"SELECT count(*) FROM deals WHERE {where}", (*given.values(),)).fetchone()
    return int(count)


def place(conn: sqlite3.Connection, deal: int) -> Place:
    """Where a deal that is there, or was, stands in its session."""
    (session,) = conn.execute("SELECT session_id FROM records WHERE id = ?", (deal,)).fetchone()
    head = session_row(conn, session) or {}
    before, after = neighbours(conn, deal)
    sql = "SELECT coalesce(sum(id <= ?), 0), count(*) FROM deals WHERE session_id = ?"
    position, count = conn.execute(sql, (deal, session)).fetchone()
    return Place(
        id=deal,
        session=session,
        event=head["event"],
        date=head["date"],
        previous=before,
        next=after,
        position=position,
        count=count,
    )


def evidence(conn: sqlite3.Connection, deal: int) -> list[dict[str, Any]]:
    """The files that tell a deal, as `deal_sources`, with their `size` in bytes, the `engine` that first judged them
    and the hash of the text as it is now, where names were erased from it."""
    sql = "SELECT size, engine, lower(hex(redacted_sha256)) FROM sources WHERE id = ?"
    rows = deal_sources(conn, deal)
    more = (conn.execute(sql, (row["id"],)).fetchone() for row in rows)
    return [
        row | {"size": size, "engine": engine, "redacted": now}
        for row, (size, engine, now) in zip(rows, more, strict=True)
    ]


def hash_of(conn: sqlite3.Connection, deal: int) -> str:
    """The hash of a record, by which it can be named."""
    (found,) = conn.execute("SELECT lower(hex(hash)) FROM records WHERE id = ?", (deal,)).fetchone()
    return str(found)
