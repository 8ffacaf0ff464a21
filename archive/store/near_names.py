"""Near-equal names of an archive: those that may be one person, so that somebody should be asked. Nothing is merged
here."""

import json
import shlex
import sqlite3
import unicodedata
from collections.abc import Collection, Iterable
from typing import Any

from msgspec import Struct, to_builtins

from archive.record.names import UMLAUTS, name_key, near_keys
from archive.say import Message, message

MOST = 10  # pairs in one question
SPAN = 6  # letters by which two near-equal names may differ in length
SHOWN = "SELECT coalesce(alias_of, id) FROM players WHERE id = ?"
DEALS = """SELECT count(*) FROM seats s JOIN deals d ON d.id = s.deal_id
    WHERE s.player_id IN (SELECT id FROM players WHERE coalesce(alias_of, id) = ?)
    AND d.session_id NOT IN (SELECT value FROM json_each(?))"""
APART = """SELECT 1 FROM seats a JOIN seats b ON b.deal_id = a.deal_id
    WHERE a.player_id IN (SELECT id FROM players WHERE coalesce(alias_of, id) = ?1)
    AND b.player_id IN (SELECT id FROM players WHERE coalesce(alias_of, id) = ?2)
    UNION ALL SELECT 1 FROM acts WHERE act = 'split' AND ?1 IN (player_id, into_id) AND ?2 IN (player_id, into_id)"""


class NearNames(Struct, frozen=True):
    """Two names that may be one person's, each with its deals; the name with fewer deals first."""

    name: str
    deals: int
    like: str
    like_deals: int

    def command(self, db: str | None = None) -> str:
        """Return the command that merges the two."""
        at = f" --db {shlex.quote(db)}" if db and db != "archive.db" else ""
        names = f"{shlex.quote(self.name)} --into {shlex.quote(self.like)}"
        return f"schafkopf players merge {names} --by … --why …{at}"

    def question(self, db: str | None = None) -> Message:
        facts = {"name": self.name, "n": self.deals, "like": self.like, "m": self.like_deals}
        return message("cli.near-names", **facts, command=self.command(db))

    def as_json(self, db: str | None = None) -> dict[str, Any]:
        return {**to_builtins(self), "command": self.command(db)}


def near_names(
    conn: sqlite3.Connection, players: Iterable[int] | None = None, hidden: Collection[int] = ()
) -> list[NearNames]:
    """Return the pairs of near-equal names in which at least one belongs to `players`, given by number; None: to
    anybody. Left out are names that are merged already, those of two who sat at one table, those that somebody told
    apart, and those that only `hidden` sessions have."""
    unseen = json.dumps(sorted(hidden))
    asked = None if players is None else set(players)
    if asked is not None and not asked:
        return []
    names = dict(conn.execute("SELECT id, name FROM players").fetchall() if asked is None else _candidates(conn, asked))
    by_key: dict[str, list[int]] = {}
    for player, name in names.items():
        for key in near_keys(name):
            by_key.setdefault(key, []).append(player)
    pairs = {
        (min(one, other), max(one, other)): None
        for one in sorted(names if asked is None else asked & names.keys())
        for key in near_keys(names[one])
        for other in by_key[key][: MOST + 1]
        if other != one
    }
    near: dict[tuple[int, int], NearNames] = {}
    for pair in pairs:
        one, other = (conn.execute(SHOWN, (player,)).fetchone()[0] for player in pair)
        if one == other or (one, other) in near or conn.execute(APART, (one, other)).fetchone():
            continue
        counted = sorted(
            (
                (conn.execute(DEALS, (of, unseen)).fetchone()[0], -of, names[player])
                for of, player in zip((one, other), pair, strict=True)
            )
        )
        (few, _, name), (many, _, like) = counted
        if hidden and not few:
            continue
        near[one, other] = NearNames(name, few, like, many)
        if len(near) == MOST:
            break
    return list(near.values())


def _candidates(conn: sqlite3.Connection, asked: set[int]) -> list[tuple[int, str]]:
    """Return the players in question, and those whose names begin like one of their words and are about as long."""
    numbers = json.dumps(sorted(asked))
    own = conn.execute("SELECT name FROM players WHERE id IN (SELECT value FROM json_each(?))", (numbers,)).fetchall()
    words = {word for (name,) in own for word in name_key(name).split()}
    letters = {sign for word in words for first in (word, word.translate(UMLAUTS)) for sign in _letters(first[0])}
    lengths = [len(name) for (name,) in own] or [0]
    sql = """SELECT id, name FROM players WHERE id IN (SELECT value FROM json_each(?1))
        OR (substr(name, 1, 1) IN (SELECT value FROM json_each(?2)) OR unicode(name) > 127)
        AND length(name) BETWEEN ?3 AND ?4"""
    values = (numbers, json.dumps(sorted(letters)), min(lengths) - SPAN, max(lengths) + SPAN)
    return conn.execute(sql, values).fetchall()


def _letters(letter: str) -> tuple[str, str]:
    """Return a letter without its dots and accents, small and large."""
    plain = unicodedata.normalize("NFD", letter)[0]
    return plain, plain.upper()


def last_player(conn: sqlite3.Connection) -> int:
    """Return the highest number of a player, 0 if there is none."""
    return int(conn.execute("SELECT coalesce(max(id), 0) FROM players").fetchone()[0])


def near_new_names(conn: sqlite3.Connection, after: int) -> list[NearNames]:
    """Return the pairs of near-equal names in which one came after the player number `after`."""
    return near_names(conn, [row[0] for row in conn.execute("SELECT id FROM players WHERE id > ?", (after,))])


def players_of_source(conn: sqlite3.Connection, source: int) -> list[int]:
    """Return the numbers of everybody who sat at the tables of a file."""
    sql = """SELECT DISTINCT s.player_id FROM records r JOIN seats s ON s.deal_id = r.id WHERE r.source_id = ?"""
    return [row[0] for row in conn.execute(sql, (source,))]
