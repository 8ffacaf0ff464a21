"""The queries of the page of a deal, of its dispute file, its guesses and puzzles."""

import sqlite3

from archive.say import isolate
from archive.store import deal_sources, neighbours, session_row
from archive.text.file_names import file_place
from archive.web.deal.model import DealPosition
from archive.web.queries import Facts, people_of_deals
from archive.web.search.filters import Search, search_query
from archive.web.search.queries import DEALS_A_PAGE, ListPosition, position_in_list

COLUMN = """SELECT number, coalesce(ruled_payment, payment, stated_payment) paid,
        settled_payment - coalesce(ruled_payment, payment, stated_payment, 0) beside, stated_total
    FROM ledger WHERE session = ?1 AND deal <= ?3 AND player = coalesce(
        (SELECT k.name FROM players a JOIN players k ON k.id = a.alias_of WHERE a.name = ?2), ?2) ORDER BY deal"""


def deal_position(conn: sqlite3.Connection, deal: int, search: Search | None = None) -> DealPosition:
    """Return the place in its session of a deal that is there, or was, and the deals that a reader steps to from it:
    its neighbours in the list of a search that it is in, else in the session."""
    (session,) = conn.execute("SELECT session_id FROM records WHERE id = ?", (deal,)).fetchone()
    head = session_row(conn, session) or {}
    place = position_in_list(conn, search, deal) if search else None
    if place is None:
        sql = "SELECT coalesce(sum(id <= ?), 0), count(*) FROM deals WHERE session_id = ?"
        place = ListPosition(*neighbours(conn, deal), *conn.execute(sql, (deal, session)).fetchone())
        search = None
    sql = "SELECT r.name, r.id, r.overrides FROM deals d JOIN rulesets r ON r.id = d.ruleset_id WHERE d.id = ?"
    people = people_of_deals(conn, (deal,)).get(deal, {})
    rules, table, own = conn.execute(sql, (deal,)).fetchone() or ("", None, None)
    return DealPosition(
        id=deal,
        session=session,
        event=head["event"],
        date=head["date"],
        previous=place.before,
        next=place.after,
        position=place.position,
        count=place.count,
        more=place.more,
        list=search_query(search) if search else "",
        search=search.given if search else {},
        start=(place.position - 1) // DEALS_A_PAGE * DEALS_A_PAGE or None if search and place.position else None,
        rules=rules,
        people={**people, **{isolate(name): player for name, player in people.items()}},
        table=table if own else None,
    )


def source_files(conn: sqlite3.Connection, deal: int) -> list[Facts]:
    """Return the files that have a deal, as `deal_sources`, each with its `place` without folders, its `size` in bytes,
    the `engine` that first judged it, and the hash of its present text if names were erased from it."""
    sql = "SELECT size, engine, lower(hex(redacted_sha256)) FROM sources WHERE id = ?"
    rows = deal_sources(conn, deal)
    more = (conn.execute(sql, (row["id"],)).fetchone() for row in rows)
    return [
        row | {"place": file_place(row["path"], row["line"]), "size": size, "engine": engine, "redacted": now}
        for row, (size, engine, now) in zip(rows, more, strict=True)
    ]


def record_hash(conn: sqlite3.Connection, deal: int) -> str:
    """Return the hash of a record, which can serve as its name."""
    (text,) = conn.execute("SELECT lower(hex(hash)) FROM records WHERE id = ?", (deal,)).fetchone()
    return str(text)


def session_of_deal(conn: sqlite3.Connection, deal: int) -> int:
    """Return the session of a deal that is there."""
    (session,) = conn.execute("SELECT session_id FROM records WHERE id = ?", (deal,)).fetchone()
    return int(session)


def evening_of_session(conn: sqlite3.Connection, session: int) -> int | None:
    """Return the evening that was written at the table as a session; None if the session came from elsewhere."""
    sql = """SELECT e.id FROM evenings e JOIN sources s ON s.id = e.source_id
        WHERE e.session_id = ? AND NOT s.withdrawn LIMIT 1"""
    row = conn.execute(sql, (session,)).fetchone()
    return None if row is None else int(row[0])


def column_rows(
    conn: sqlite3.Connection, session: int, player: str, deal: int
) -> list[tuple[int, int | None, int | None, int | None]]:
    """Return, of each deal of a session up to one, for a player by any name: its number, the payment as ruled, else as
    computed, else as stated, what was ruled beside it, and the running total as written; None if unknown."""
    return conn.execute(COLUMN, (session, player, deal)).fetchall()


def deal_from(conn: sqlite3.Connection, share: float) -> int | None:
    """Return the deal at a share of all row numbers, from 0 to 1, if it was played with cards; else the next one that
    was."""
    (last,) = conn.execute("SELECT max(id) FROM deals").fetchone()
    sql = "SELECT id FROM deals WHERE id >= ? AND basis = 'cards' AND verdict = 'agrees' ORDER BY id LIMIT 1"
    found = conn.execute(sql, (1 + int(share * (last or 0)),)).fetchone()
    return int(found[0]) if found else None
