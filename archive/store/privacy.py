"""Who may see what of an archive that is served: sessions that are not for everybody, names that are hidden.

    set_audience(db, "session", 3, "players", "Vroni")     # also "source" (a file, and its sessions to come)
    set_audience(db, "player", 7, "accounts", "Vroni")     # a name, for readers who are not signed in
    set_audience(db, "session", 3, None, "Vroni")          # for everybody again
    hidden = hidden_from(conn, account)                    # None: a stranger

`archive.privacy.public_copy` makes the archive that such a reader sees.
"""

import json
import sqlite3
from collections.abc import Iterator
from typing import Literal, get_args

from msgspec import Struct

from archive.record.names import forms_of_before
from archive.say import message
from archive.stats.database import ArchiveError
from archive.store._sqlite_utils import Database
from archive.store.accounts import Account
from archive.store.gone_deals import states_of
from archive.store.people import names_of_player
from archive.store.source_texts import sessions_of
from archive.store.tables import hash_prefix_sql, insert_row
from archive.store.transaction import changing, utc_now

Audience = Literal["accounts", "players"]
Subject = Literal["session", "source", "player"]
AUDIENCES: tuple[Audience, ...] = get_args(Audience)
SUBJECTS: tuple[Subject, ...] = get_args(Subject)
TABLES: dict[Subject, str] = {"session": "sessions", "source": "sources", "player": "players"}

# Sessions that are not for everybody, with the strictest of what is said of each and of any state of its file.
SESSIONS = """WITH RECURSIVE same(source, state) AS (
        SELECT source_id, source_id FROM privacy WHERE source_id IS NOT NULL
        UNION SELECT same.source, other.id FROM same JOIN sources one ON one.id = same.state
        JOIN sources other ON other.replaced_by = one.id OR other.id = one.replaced_by)
    SELECT s.id, max(p.audience) FROM privacy p JOIN sessions s ON s.id = p.session_id
    OR s.source_id IN (SELECT state FROM same WHERE source = p.source_id) GROUP BY s.id"""
SOURCES = """SELECT source_id FROM sessions WHERE id = ?1
    UNION SELECT source_id FROM records WHERE session_id = ?1
    UNION SELECT c.source_id FROM copies c JOIN records r ON r.id = c.deal_id WHERE r.session_id = ?1"""
# Everybody at the tables of a session, and every name of a player.
AT_TABLE = "SELECT 1 FROM json_each((SELECT head FROM sessions WHERE id = :session), '$.players') WHERE value IN ({})"


class Hidden(Struct, frozen=True):
    """Everything that a reader does not see: sessions, files that hold nothing else, and players whose names are
    hidden. `stranger`: the reader is not signed in."""

    stranger: bool = False
    sessions: frozenset[int] = frozenset()
    sources: frozenset[int] = frozenset()
    players: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.sessions or self.sources or self.players)


SEES_ALL = Hidden()  # a keeper, and whoever has the file of the archive


class Restriction(Struct, frozen=True):
    """A row of the table `privacy`."""

    subject: Subject
    id: int
    audience: Audience
    author: str
    made_at: str


def set_audience(db: Database, subject: Subject, key: int, audience: Audience | None, author: str) -> None:
    """Restrict a session, the sessions of a file, or a name to an audience; None: open it to everybody. Raises
    ArchiveError if there is no such thing, or if a name would be hidden from more than strangers."""
    if subject == "player" and audience == "players":
        raise ArchiveError(message("refused.hidden-from"))
    with changing(db.conn):
        if not db.conn.execute(f"SELECT 1 FROM {TABLES[subject]} WHERE id = ?", (key,)).fetchone():
            raise ArchiveError(message(f"refused.number-of-{subject}", number=key))
        db.conn.execute(f"DELETE FROM privacy WHERE {subject}_id = ?", (key,))
        if audience is not None:
            row = {f"{subject}_id": key, "audience": audience, "author": author, "made_at": utc_now()}
            insert_row(db, "privacy", row)


def restrictions(conn: sqlite3.Connection) -> Iterator[Restriction]:
    """Yield everything that is not for everybody."""
    sql = "SELECT session_id, source_id, player_id, audience, author, made_at FROM privacy ORDER BY id"
    for *keys, audience, author, made_at in conn.execute(sql):
        subject, key = next((name, key) for name, key in zip(SUBJECTS, keys, strict=True) if key is not None)
        yield Restriction(subject, key, audience, author, made_at)


def hidden_from(conn: sqlite3.Connection, account: Account | None) -> Hidden:
    """Return the part of an archive that an account does not see; None is a reader who is not signed in."""
    if account is not None and account.role == "keeper":
        return Hidden()
    if not conn.execute("SELECT 1 FROM privacy").fetchone():
        return Hidden()
    names = [account.player, *(name for _, name in names_of_player(conn, account.player))] if account else []
    own = [form for name in names for form in forms_of_before(name)]
    sessions, files = set(), set()
    for session, audience in conn.execute(SESSIONS).fetchall():
        if account is None or (audience == "players" and not _is_of(conn, session, account, own)):
            sessions.add(session)
            files |= sources_of(conn, session)
    for source, opened_by in conn.execute(
        """SELECT p.source_id, e.opened_by FROM privacy p LEFT JOIN evenings e ON e.source_id = p.source_id
        WHERE p.source_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sessions WHERE source_id = p.source_id)
        AND (? OR p.audience = 'players')""", (account is None,)
    ).fetchall():  # fmt: skip
        if account is None or account.name != opened_by:
            files.add(source)
    players = (
        set() if account else {row[0] for row in conn.execute("SELECT player_id FROM privacy WHERE player_id > 0")}
    )
    whole = {key for key in files if not {*sessions_of(conn, key)} - sessions}
    alone = {key for key in whole if whole.issuperset(states_of(conn, key))}
    return Hidden(account is None, frozenset(sessions), frozenset(alone), frozenset(players))


def _is_of(conn: sqlite3.Connection, session: int, account: Account, names: list[str]) -> bool:
    """Return whether an account sat at the table of a session, or wrote the evening down."""
    sql = "SELECT 1 FROM evenings WHERE session_id = ? AND opened_by = ?"
    if conn.execute(sql, (session, account.name)).fetchone():
        return True
    marks = ", ".join(f":n{place}" for place, _ in enumerate(names))
    values = {f"n{place}": name for place, name in enumerate(names)}
    return conn.execute(AT_TABLE.format(marks), {"session": session} | values).fetchone() is not None


def deals_told_again(conn: sqlite3.Connection) -> list[tuple[int, int]]:
    """Return the deals of restricted sessions, each with another deal of the archive that has the same words or the
    same cards: somebody who may not see the first has recorded it again."""
    sessions = [row[0] for row in conn.execute(SESSIONS)]
    same = (
        f"{hash_prefix_sql(f'b.{key}')} = {hash_prefix_sql(f'a.{key}')} AND b.{key} = a.{key}"
        for key in ("hash", "play_hash")
    )
    sql = " UNION ".join(
        f"""SELECT a.id, b.id FROM records a JOIN records b ON {each} AND b.session_id <> a.session_id
        WHERE a.session_id IN (SELECT value FROM json_each(?1)) AND b.id > a.id"""
        for each in same
    )
    return [(deal, other) for deal, other in conn.execute(f"{sql} ORDER BY 1, 2", (json.dumps(sessions),))]


def is_file_hidden(conn: sqlite3.Connection, source: int, hidden: Hidden) -> bool:
    """Return whether a file is hidden, or has a deal of a hidden session, so that nothing may be said of it."""
    return source in hidden.sources or not hidden.sessions.isdisjoint(sessions_of(conn, source) if hidden else ())


def sources_of(conn: sqlite3.Connection, session: int) -> set[int]:
    """Return the files that have deals of a session, first or after another."""
    return {row[0] for row in conn.execute(SOURCES, (session,))}
