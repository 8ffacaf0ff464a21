"""The archive as a reader sees it who may not see all: a copy without the rest.

Everything that is shown, asked, searched, counted or exported comes from such a copy, so that no page, question, view
or SQL of a reader's own can reveal what is not in it. Numbers of deals, sessions and players are those of the archive.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from archive.privacy.erase import erase_player
from archive.store.connection import copy_pages, open_archive, open_read
from archive.store.privacy import Hidden, sources_of
from archive.store.search import rebuild_notes
from archive.store.transaction import writing

OF_SESSIONS = (  # in this order, since one row refers to another
    "DELETE FROM findings WHERE deal_id IN (SELECT id FROM records WHERE session_id = ?)",
    "DELETE FROM deals WHERE session_id = ?",
    "DELETE FROM deal_authors WHERE deal_id IN (SELECT id FROM records WHERE session_id = ?)",
    "DELETE FROM records WHERE session_id = ?",
    "DELETE FROM notes WHERE session_id = ?",
    "DELETE FROM privacy WHERE session_id = ?",
    "UPDATE evenings SET session_id = NULL WHERE session_id = ?",
    "DELETE FROM sessions WHERE id = ?",
)
OF_SOURCES = (
    "DELETE FROM copies WHERE source_id = ?",
    "DELETE FROM findings WHERE source_id = ?",
    "DELETE FROM source_parts WHERE source_id = ?",
    "DELETE FROM acts WHERE source_id = ?",
    "DELETE FROM evenings WHERE source_id = ?",
    "DELETE FROM privacy WHERE source_id = ?",
    "UPDATE sources SET replaced_by = NULL WHERE replaced_by = ?",
    "UPDATE sources SET read_of = NULL WHERE read_of = ?",
    "DELETE FROM sources WHERE id = ?",
)
# A partly hidden file is there without its text, and without the findings of what could not be read; it has the deals
# that are there, after those of its hidden sessions are gone.
OF_PARTS = (
    "DELETE FROM findings WHERE source_id = ? AND deal_id IS NULL",
    "DELETE FROM source_parts WHERE source_id = ?",
    """UPDATE sources SET raw = x'', deals = (SELECT count(*) FROM records r WHERE r.source_id = sources.id)
        + (SELECT count(*) FROM copies c WHERE c.source_id = sources.id) WHERE id = ?""",
)
# Names without a deal in the copy, of their own or under a name that is shown as this one.
GONE = """SELECT id FROM players WHERE id NOT IN (SELECT player_id FROM seats)
    AND id NOT IN (SELECT alias_of FROM players WHERE alias_of IS NOT NULL AND id IN (SELECT player_id FROM seats))"""
OF_PLAYERS = (
    "DELETE FROM acts WHERE player_id = ?",
    "DELETE FROM acts WHERE into_id = ?",
    "DELETE FROM privacy WHERE player_id = ?",
    "UPDATE players SET alias_of = NULL WHERE alias_of = ?",
    "DELETE FROM players WHERE id = ?",
)
RULES = """SELECT id FROM rulesets WHERE id NOT IN (SELECT ruleset_id FROM deals WHERE ruleset_id IS NOT NULL)"""
# Contracts are there as soon as a deal of the ruleset played them.
CONTRACTS = """SELECT ruleset_id, contract, suit FROM contracts WHERE (ruleset_id, contract, suit) NOT IN (
    SELECT ruleset_id, contract, coalesce(suit, '') FROM deals WHERE ruleset_id IS NOT NULL AND contract IS NOT NULL)"""
OF_RULES = ("DELETE FROM contracts WHERE ruleset_id = ?", "DELETE FROM rulesets WHERE id = ?")
# A stranger reads no drafts, no names of tables, and nobody's reasons for hiding a name.
OF_STRANGERS = (
    "DELETE FROM privacy",
    "DELETE FROM drafts",
    "DELETE FROM table_rules",
    "DELETE FROM acts WHERE act = 'erase'",
)


def write_copy(archive: Path, target: Path, hidden: Hidden) -> None:
    """Write the archive without what is hidden into `target`, in place of an earlier copy, which its readers keep until
    the new one is whole. Raises ArchiveError."""
    work = target.with_name(f"{target.name}.next")
    work.unlink(missing_ok=True)
    try:
        with closing(open_read(archive)) as source, closing(sqlite3.connect(work)) as copy:
            copy_pages(source, copy)
        db = open_archive(work, check_pages=False)  # just copied from an archive whose pages its server has checked
        with closing(db.conn) as conn:
            with writing(conn):
                take_out(conn, hidden)
            for player in sorted(hidden.players):
                row = conn.execute("SELECT name FROM players WHERE id = ?", (player,)).fetchone()
                if row:
                    erase_player(db, row[0], "", "hidden")
            with writing(conn):
                for sql in OF_STRANGERS if hidden.stranger else ():
                    conn.execute(sql)
                forget_last_numbers(conn)
                rebuild_notes(conn)  # the index too: it keeps words of notes that are gone
        with closing(sqlite3.connect(work)) as ready, closing(sqlite3.connect(target)) as copy:
            copy_pages(ready, copy)
    finally:
        for beside in ("", "-wal", "-shm"):
            Path(f"{work}{beside}").unlink(missing_ok=True)


def take_out(conn: sqlite3.Connection, hidden: Hidden) -> None:
    """Delete what is hidden, and what belonged to nothing else, inside a transaction."""
    files = {source for session in hidden.sessions for source in sources_of(conn, session)}
    conn.execute("DELETE FROM cash_book")  # its sums are of all evenings, so that it would reveal hidden ones
    before = {row[0] for row in conn.execute(GONE)}
    rules = {row[0] for row in conn.execute(RULES)}
    contracts = {tuple(row) for row in conn.execute(CONTRACTS)}
    _each(conn, OF_SESSIONS, hidden.sessions)
    _each(conn, OF_PARTS, files - hidden.sources)
    _each(conn, OF_SOURCES, hidden.sources)
    _each(conn, OF_PLAYERS, {row[0] for row in conn.execute(GONE)} - before)
    _each(conn, OF_RULES, {row[0] for row in conn.execute(RULES)} - rules)
    unplayed = {tuple(row) for row in conn.execute(CONTRACTS)} - contracts
    conn.executemany("DELETE FROM contracts WHERE (ruleset_id, contract, suit) = (?, ?, ?)", unplayed)


def forget_last_numbers(conn: sqlite3.Connection) -> None:
    """Let no counter of SQLite say how many rows a table had behind those that are in it."""
    for (table,) in conn.execute("SELECT name FROM sqlite_sequence").fetchall():
        (last,) = conn.execute(f"SELECT max(rowid) FROM {table}").fetchone()
        conn.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        if last:
            conn.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last))


def _each(conn: sqlite3.Connection, statements: Iterable[str], keys: Iterable[int]) -> None:
    for sql in statements:
        conn.executemany(sql, [(key,) for key in keys])
