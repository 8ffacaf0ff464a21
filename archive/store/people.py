"""Players of an archive: their names, which of them are one person, and everybody else who is named in a field.

A merge changes no record. `players.alias_of` leads from another name directly to the main name, which the views show.
Each act says who did it, and a split takes it back.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from archive.notation.names import players_set
from archive.record.names import forms_of_before
from archive.say import message
from archive.stats.database import ArchiveError
from archive.store._sqlite_utils import Database
from archive.store.compression import unpack_record
from archive.store.row_values import to_json
from archive.store.tables import insert_row
from archive.store.transaction import changing, utc_now


class Player(NamedTuple):
    """A player with the number of deals played under all names, and the other names."""

    id: int
    name: str
    deals: int
    aliases: tuple[str, ...]


def players(conn: sqlite3.Connection) -> list[Player]:
    """Return everybody who has a name in the archive, by name."""
    others: dict[int, list[str]] = {}
    for of, name in conn.execute("SELECT alias_of, name FROM players WHERE alias_of IS NOT NULL ORDER BY id"):
        others.setdefault(of, []).append(name)
    sql = """SELECT k.id, k.name, coalesce(sum(f.deals), 0)
        FROM players p JOIN players k ON k.id = coalesce(p.alias_of, p.id) LEFT JOIN result_facts f ON f.player = p.id
        GROUP BY k.id, k.name ORDER BY k.name, k.id"""
    return [Player(key, name, deals, tuple(others.get(key, ()))) for key, name, deals in conn.execute(sql)]


def merged_names(conn: sqlite3.Connection) -> dict[str, str]:
    """Return the names that were merged, each with the name that is shown."""
    sql = "SELECT a.name, k.name FROM players a JOIN players k ON k.id = a.alias_of"
    return dict(conn.execute(sql).fetchall())


def merge_players(db: Database, names: Sequence[str], into: str, author: str, why: str) -> str:
    """Make `names` other names of the player `into`, all of them or none; return the name that is shown, which is
    another one if `into` is itself merged. Raises ArchiveError for an unknown name, for a name that is merged already
    or into which others were, and for names of two people, who sat at one table."""
    with changing(conn := db.conn):
        player, merged = _player(conn, into)
        goal = player if merged is None else merged
        for name in dict.fromkeys(names):
            player, merged = _player(conn, name)
            if player == goal or merged == goal:
                raise ArchiveError(message("refused.one-player", name=name, into=into))
            if merged is not None:
                raise ArchiveError(message("refused.merged-into", name=name, into=_name(conn, merged)))
            below = conn.execute("SELECT name FROM players WHERE alias_of = ? ORDER BY id", (player,)).fetchone()
            if below:
                raise ArchiveError(message("refused.merged-below", below=below[0], name=name))
            _refuse_two_people(conn, player, goal)
            db.table("players").update(player, {"alias_of": goal})
            add_act(db, "merge", player, goal, author, why)
        return _name(conn, goal)


def split_player(db: Database, name: str, author: str, why: str) -> str:
    """Take a merge back, so that everything is as it was before. Return the name that it was merged into. Raises
    ArchiveError if it was not merged."""
    with changing(conn := db.conn):
        player, merged = _player(conn, name)
        if merged is None:
            raise ArchiveError(message("refused.not-merged", name=name))
        db.table("players").update(player, {"alias_of": None})
        add_act(db, "split", player, merged, author, why)
        return _name(conn, merged)


def _refuse_two_people(conn: sqlite3.Connection, player: int, goal: int) -> None:
    """Refuse to merge two names that sat at one table: one person has one seat."""
    sql = """SELECT a.deal_id, k.name FROM seats a JOIN seats b ON b.deal_id = a.deal_id JOIN players k
        ON k.id = b.player_id WHERE a.player_id = ? AND coalesce(k.alias_of, k.id) = ? ORDER BY 1"""
    sessions = conn.execute(sql, (player, goal)).fetchall()
    if sessions:
        deal, other = sessions[0]
        more = message("refused.more-deals", n=len(sessions) - 1) if len(sessions) > 1 else ""
        name = _name(conn, player)
        raise ArchiveError(message("refused.two-people", name=name, other=other, deal=deal, more=more))


# --- names ----------------------------------------------------------------------------------------------------------


NUMBER = "SELECT id, name FROM players WHERE name IN (SELECT value FROM json_each(?1)) ORDER BY name != ?2, id LIMIT 1"


def player_row(conn: sqlite3.Connection, name: str) -> tuple[int, str] | None:
    """Return the number of a player and the name as the archive has it, which an older archive may hold in another
    form; None if nobody has that name."""
    row = conn.execute(NUMBER, (json.dumps(forms_of_before(name)), name)).fetchone()
    return row and (int(row[0]), str(row[1]))


def names_of_player(conn: sqlite3.Connection, name: str) -> list[tuple[int, str]]:
    """Return all names of the player with this one, each with its number, the one that is shown first; none if nobody
    has that name."""
    sql = """SELECT o.id, o.name FROM players p
        JOIN players o ON coalesce(o.alias_of, o.id) = coalesce(p.alias_of, p.id)
        WHERE p.name IN (SELECT value FROM json_each(?)) GROUP BY o.id ORDER BY o.alias_of IS NOT NULL, o.id"""
    return [(key, own_name) for key, own_name in conn.execute(sql, (json.dumps(forms_of_before(name)),))]


ROLES = {  # fields that name people who need not sit at a table, each by its first row
    "Recorder": "SELECT recorder, min(id) FROM sessions WHERE recorder IS NOT NULL GROUP BY recorder ORDER BY 2",
    "Corrector": "SELECT author, min(id) FROM corrections GROUP BY author ORDER BY 2",
    "Referee": "SELECT author, min(id) FROM rulings GROUP BY author ORDER BY 2",
}


def people_without_seat(conn: sqlite3.Connection) -> dict[str, str]:
    """Return who recorded, corrected or ruled and is no player: the name, with a role and a number that stays."""
    people: dict[str, str] = {}
    players = {row[0] for row in conn.execute("SELECT name FROM players")}
    for role, sql in ROLES.items():
        for name, key in conn.execute(sql):
            if name.strip() and name not in players:
                people.setdefault(name, f"{role} {key}")
    return people


class _Seats(Struct, frozen=True):
    players: tuple[str, ...] = ()


class _Line(Struct, frozen=True):
    """The part of a line that names who sits at the table."""

    players: tuple[str, ...] = ()
    head: _Seats = _Seats()
    correction: tuple[dict[str, Any], ...] = ()


def names_without_seat(conn: sqlite3.Connection) -> list[str]:
    """Return names that stand in records and have no seat in the archive: in another source of a deal, or in a
    correction that was not applied."""
    known = {row[0] for row in conn.execute("SELECT name FROM players")}
    return list(dict.fromkeys(name for name in _names_in_records(conn) if name not in known))


def _names_in_records(conn: sqlite3.Connection) -> Iterator[str]:
    decoder = msgspec.json.Decoder(_Line)
    sql = """SELECT r.record, s.head FROM records r JOIN sessions s ON s.id = r.session_id
        UNION ALL SELECT record, head FROM copies WHERE record IS NOT NULL"""
    for packed, head in conn.execute(sql):
        line = decoder.decode(unpack_record(packed, head))
        yield from (*line.players, *line.head.players)
        for row in line.correction:
            yield from players_set(row.get("set"))
    for (after,) in conn.execute("SELECT after FROM corrections ORDER BY id"):
        yield from players_set(json.loads(after))


def add_act(
    db: Database, act: str, player: int, into: int | None, author: str, why: str, facts: dict[str, int] | None = None
) -> None:
    """Add an act on a player, at the present moment."""
    row = {"act": act, "player_id": player, "into_id": into, "author": author, "made_at": utc_now(), "why": why}
    insert_row(db, "acts", {**row, "facts": to_json(facts)})


# --- changing -------------------------------------------------------------------------------------------------------


def _player(conn: sqlite3.Connection, name: str) -> tuple[int, int | None]:
    row = player_row(conn, name)
    if row is None:
        raise ArchiveError(message("refused.no-player", name=name))
    return row[0], conn.execute("SELECT alias_of FROM players WHERE id = ?", row[:1]).fetchone()[0]


def _name(conn: sqlite3.Connection, player: int) -> str:
    return str(conn.execute("SELECT name FROM players WHERE id = ?", (player,)).fetchone()[0])
