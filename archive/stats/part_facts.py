"""Facts of large parts: of a player, an event, a basis of amounts or a year with so many deals that to count them
whenever somebody asks would take too long. They are kept beside the facts of all deals, in tables that only an archive
with such parts has.

A part is kept in chunks of deals whose ids follow each other, and once with all chunks added up, which is read as long
as all of them are there. What touches a deal takes its chunk away, and the deals of a chunk that is not kept, and those
that came in later, are counted when they are asked for: an answer is the same with and without. An import keeps
nothing, which would take longer than all else of it; `recount_archive` does.

    count_large_parts(conn, FACTS)
    is_large_part(conn, {"player": 3})
    large_part_sql(facts, ("player",))                # as `count_sql`, with the parameter :player
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, get_args

from archive.judge.types import Basis
from archive.stats.fact_tables import (
    BLOCK,
    CHUNK,
    DAYS,
    IN_SESSION,
    WHERE,
    count_sql,
    count_touched,
    fact_table_sql,
    group_by_cases,
    group_count_sql,
    have_other_rows,
    is_there,
    parts_sql,
    sums_sql,
)
from archive.stats.types import Facts

WHOLE = -1  # in place of a chunk: the whole part, for facts that do not add up
TOTAL = -2  # in place of a chunk: all chunks of a part added up, for facts that then have fewer rows
LEAST = 20_000  # deals of a part that is kept; for a basis, whose deals no index finds, those of the archive
LARGE_PARTS = "large_parts"
TABLE = f"""CREATE TABLE IF NOT EXISTS {LARGE_PARTS}
    (id INTEGER PRIMARY KEY, kind TEXT, number INTEGER, chunk INTEGER) STRICT"""

DEALS_OF_PART = "CREATE TEMP TABLE IF NOT EXISTS deals_of_part (id INTEGER PRIMARY KEY)"
INSERT_PART = f"INSERT INTO {LARGE_PARTS} (kind, number, chunk) VALUES (?, ?, ?)"
# A row of no part: in place of a chunk, the last deal that was there when parts were counted.
UNTIL = "until"
LAST = f"(SELECT coalesce(max(chunk), 0) FROM {LARGE_PARTS} WHERE kind = '{UNTIL}')"
KINDS_OF_BASIS = get_args(Basis)

# The parts that are kept, each by what a question is restricted to.
KINDS = {("player",): "player", ("event",): "event", ("basis",): "basis", DAYS: "year"}
# The number by which a part is kept: for an event, whose name may change, that of its first session.
NUMBER = {
    "player": ":player",
    "event": "(SELECT min(id) FROM sessions WHERE event = :event)",
    "basis": f"CASE :basis {' '.join(f'WHEN {name!r} THEN {n}' for n, name in enumerate(KINDS_OF_BASIS))} END",
    "year": "CAST(substr(:since, 1, 4) AS INTEGER)",
}
# The ends of a span that is a whole year, and, of those that begin later, the dates of the year before them.
BEGINS = {"{}": (), "{}-01": ("{}",), "{}-01-01": ("{}", "{}-01")}
ENDS = ("{}", "{}-12", "{}-12-31")
NAMES = "SELECT id FROM players WHERE coalesce(alias_of, id) = {}"
OF_EVENT = "SELECT id FROM sessions WHERE event = (SELECT event FROM sessions WHERE id = {})"
OF_BASIS = f"CASE {{}} {' '.join(f'WHEN {n} THEN {name!r}' for n, name in enumerate(KINDS_OF_BASIS))} END"
OF_YEAR = IN_SESSION.format("date >= printf('%04d', {0}) AND date < printf('%04d~', {0})")
OWN = "s.player_id IN ({})"
# The deals of a part in a span of ids, by its number.
SPAN = {
    "player": f"d.id IN (SELECT deal_id FROM seats WHERE player_id IN ({NAMES}) AND deal_id BETWEEN {{}} AND {{}})",
    "event": f"d.session_id IN ({OF_EVENT}) AND d.id BETWEEN {{}} AND {{}}",
    "basis": f"d.basis = {OF_BASIS} AND d.id BETWEEN {{}} AND {{}}",
    "year": f"{OF_YEAR} AND d.id BETWEEN {{1}} AND {{2}}",
}
CHUNKS = {
    "player": f"SELECT DISTINCT deal_id >> {CHUNK} FROM seats WHERE player_id IN ({NAMES.format('?')})",
    "event": f"SELECT DISTINCT id >> {CHUNK} FROM deals WHERE session_id IN ({OF_EVENT.format('?')})",
    "basis": f"SELECT DISTINCT id >> {CHUNK} FROM deals WHERE basis = {OF_BASIS.format('?')}",
    "year": f"SELECT DISTINCT d.id >> {CHUNK} FROM deals d WHERE {OF_YEAR.format('?1')}",
}
EVERY_CHUNK = f"SELECT DISTINCT part >> {CHUNK - BLOCK} FROM main.coverage_facts"
# Parts whose deals no index finds: those that are not kept are looked for in blocks that are not all kept, so that
# chunks without any are kept too.
BY_BLOCKS = ("basis", "year")
# The deals of blocks in which some are not kept.
REST_OF_ALL = f"""SELECT x.id FROM (SELECT DISTINCT part FROM main.coverage_facts
        WHERE part >> {CHUNK - BLOCK} NOT IN {{kept}} OR part >= {LAST} >> {BLOCK}) m
    JOIN deals x ON x.id BETWEEN m.part << {BLOCK} AND ((m.part + 1) << {BLOCK}) - 1"""
LARGE = {
    "player": """SELECT coalesce(p.alias_of, p.id) FROM role_facts f JOIN players p ON p.id = f.player
        GROUP BY 1 HAVING sum(deals) >= ? ORDER BY 1""",
    "event": """SELECT min(e.id) FROM session_facts f JOIN sessions e ON e.id = f.session WHERE e.event IS NOT NULL
        GROUP BY e.event HAVING sum(deals) >= ? ORDER BY 1""",
    "basis": f"""SELECT number FROM ({
        " UNION ALL ".join(
            f"SELECT {n} AS number, sum(on_{name}) AS deals FROM coverage_facts"
            for n, name in enumerate(KINDS_OF_BASIS)
        )
    }) WHERE deals > 0 AND (SELECT sum(deals) FROM coverage_facts) >= ?""",
    "year": """SELECT CAST(substr(month, 1, 4) AS INTEGER) FROM occasion_facts WHERE month IS NOT NULL
        GROUP BY 1 HAVING sum(deals) >= ? ORDER BY 1""",
}
# The chunks that a transaction touched, and the players whose seats it changed. Deals that came in last are counted
# when a question needs them.
TOUCHED_CHUNKS = f"""SELECT id >> {CHUNK - BLOCK} FROM touched WHERE kind IN ('block', 'analysed')
    UNION SELECT id >> {CHUNK} FROM touched WHERE kind = 'new' AND id <= {LAST}
    UNION SELECT id FROM touched WHERE kind = 'chunk'"""
TOUCHED = f"""DELETE FROM main.{LARGE_PARTS} WHERE kind <> '{UNTIL}' AND (chunk IN ({TOUCHED_CHUNKS})
    OR (kind = 'player' AND number IN (SELECT id FROM touched WHERE kind = 'player'))
    OR (chunk = {WHOLE} AND EXISTS (SELECT 1 FROM touched WHERE kind = 'player'))
    OR (chunk = {TOTAL} AND EXISTS ({TOUCHED_CHUNKS})))"""


class Part(NamedTuple):
    """A player, an event, a basis or a year, by its number."""

    kind: str
    number: int

    def has(self, facts: Facts) -> bool:
        """Return whether such facts are kept for the part: those of own seats only for a player."""
        return not facts.own or self.kind == "player"

    def where(self, chunk: int) -> str:
        """Return the condition that deals `d` are of the part and a chunk, or of the whole part."""
        first, last = (0, (1 << 62)) if chunk == WHOLE else (chunk << CHUNK, ((chunk + 1) << CHUNK) - 1)
        return SPAN[self.kind].format(self.number, first, last)


def table_of(facts: Facts) -> str:
    """Return the name of the table in which facts of parts are kept."""
    return f"large_{facts.name}"


# --- asking -----------------------------------------------------------------------------------------------------------


def has_parts(conn: sqlite3.Connection) -> bool:
    """Return whether an archive has large parts."""
    return bool(conn.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (LARGE_PARTS,)).fetchone())


def is_large_part(conn: sqlite3.Connection, asked: Mapping[str, object]) -> bool:
    """Return whether facts are kept for the part that is asked for, and for nothing else: a `player`, an `event`, a
    `basis`, or the ends of a year as `since` and `until`."""
    given = {key: asked[key] for key in WHERE if asked.get(key) not in (None, "")}
    kind = KINDS.get(tuple(given))
    if kind is None or not has_parts(conn) or (kind == "year" and not _is_whole_year(conn, **given)):
        return False
    sql = f"SELECT 1 FROM {LARGE_PARTS} WHERE kind = '{kind}' AND number = {NUMBER[kind]}"
    return bool(conn.execute(sql, given).fetchone())


def _is_whole_year(conn: sqlite3.Connection, since: object, until: object) -> bool:
    """Return whether a span has all sessions of a year and no others, also those with only the year or the month
    recorded."""
    year = str(since)[:4]
    begins = {begin.format(year): [each.format(year) for each in before] for begin, before in BEGINS.items()}
    if since not in begins or until not in [end.format(year) for end in ENDS]:
        return False
    sql = f"SELECT 1 FROM sessions WHERE date IN ({', '.join('?' * len(begins[since]))})"
    return not (begins[since] and conn.execute(sql, begins[since]).fetchone())


def large_part_sql(facts: Facts, parts: tuple[str, ...], merged: bool = True) -> str:
    """Return the query of the facts of a part, by what is asked for: as they are kept, and counted as far as they are
    not; if they are not `merged`, each chunk separately."""
    kind = KINDS[parts]
    columns = ", ".join((*facts.keys, *facts.sums))
    of_part = f"kind = '{kind}' AND number = {NUMBER[kind]}"
    where = _rest_sql(kind, parts_sql(*parts), of_part)
    where += f" AND {OWN.format(NAMES.format(NUMBER[kind]))}" if facts.own else ""
    if not adds_up(facts):  # kept until something is touched
        kept = f"SELECT id FROM {LARGE_PARTS} WHERE {of_part} AND chunk = {WHOLE}"
        again = f"(EXISTS (SELECT 1 FROM rest) OR NOT EXISTS ({kept}))"
        if kind in BY_BLOCKS:  # all deals or none are read: no limit, or a limit of 0
            again = f"d.id IN (SELECT id FROM deals LIMIT -{again})"
        return f"""WITH rest AS (SELECT d.id FROM deals d WHERE {where})
            SELECT {columns} FROM {table_of(facts)} WHERE part IN ({kept}) AND NOT EXISTS (SELECT 1 FROM rest)
            UNION ALL {count_sql(facts, f"{again} AND {parts_sql(*parts)}")}"""
    chunks = "chunk >= 0"
    if has_total(facts):
        total = f"EXISTS (SELECT 1 FROM {LARGE_PARTS} WHERE {of_part} AND chunk = {TOTAL})"
        chunks = f"CASE WHEN {total} THEN chunk = {TOTAL} ELSE {chunks} END"
    kept = f"part IN (SELECT id FROM {LARGE_PARTS} WHERE {of_part} AND {chunks})"
    every = f"SELECT {columns} FROM {table_of(facts)} WHERE {kept} UNION ALL SELECT * FROM ({count_sql(facts, where)})"
    if not merged:
        return every
    return f"SELECT {sums_sql(facts)} FROM ({every}) GROUP BY {', '.join(facts.keys)}"


def _rest_sql(kind: str, where: str, of_part: str) -> str:
    """Return the condition that deals `d` are of a part, which is `where`, and not among what is kept of it."""
    kept = f"(SELECT chunk FROM {LARGE_PARTS} WHERE {of_part})"
    deal = "x.id" if kind in BY_BLOCKS else {"player": "deal_id", "event": "d.id"}[kind]
    rest = f"({deal} >> {CHUNK} NOT IN {kept} OR {deal} > {LAST})"
    if kind in BY_BLOCKS:
        return f"{where} AND d.id IN ({REST_OF_ALL.format(kept=kept)} WHERE {rest})"
    return f"{where[:-1]} AND {rest})" if kind == "player" else f"{where} AND {rest}"


def adds_up(facts: Facts) -> bool:
    """Return whether the facts of chunks, added up, are those of the whole."""
    return facts.by != "person"


def has_total(facts: Facts) -> bool:
    """Return whether facts are kept with all chunks added up: not those of sessions, since hardly any is in two
    chunks."""
    return adds_up(facts) and facts.by != "session"


# --- keeping ----------------------------------------------------------------------------------------------------------


def count_large_parts(conn: sqlite3.Connection, every: Sequence[Facts], least: int = LEAST) -> None:
    """Count and keep the facts of large parts as far as they are not kept. Needs an open transaction."""
    if has_parts(conn) and conn.execute(f"SELECT 1 WHERE (SELECT max(id) FROM deals) > {LAST}").fetchone():
        # the last chunk of each part, which got deals since it was counted
        _drop(conn, f"kind <> '{UNTIL}' AND (chunk >= {LAST} >> {CHUNK} OR chunk = {TOTAL})")
    parts = [Part(kind, row[0]) for kind, sql in LARGE.items() for row in conn.execute(sql, (least,)).fetchall()]
    if not parts:
        return
    conn.execute(TABLE)
    for facts in every:
        table, index = (text.replace(facts.name, table_of(facts)) for text in fact_table_sql(facts))
        conn.execute(table.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS", 1))
        conn.execute(index.replace("CREATE INDEX", "CREATE INDEX IF NOT EXISTS", 1))
    conn.execute(f"DELETE FROM {LARGE_PARTS} WHERE kind = '{UNTIL}'")
    conn.execute(f"INSERT INTO {LARGE_PARTS} (kind, number, chunk) SELECT '{UNTIL}', 0, max(id) FROM deals")
    for part in parts:
        kept = {row[0] for row in conn.execute(f"SELECT chunk FROM {LARGE_PARTS} WHERE kind = ? AND number = ?", part)}
        missing = [row[0] for row in conn.execute(CHUNKS[part.kind], (part.number,)) if row[0] not in kept]
        if part.kind in BY_BLOCKS:
            empty = {row[0] for row in conn.execute(EVERY_CHUNK)} - kept - {*missing}
            conn.executemany(INSERT_PART, [(*part, chunk) for chunk in empty])
        for chunk in missing:
            _count_chunk(conn, part, chunk, [facts for facts in every if adds_up(facts) and part.has(facts)])
        if missing or WHOLE not in kept:
            _drop(conn, f"kind = '{part.kind}' AND number = {part.number} AND chunk = {WHOLE}")
            _count_chunk(conn, part, WHOLE, [facts for facts in every if not adds_up(facts)])
        if missing or TOTAL not in kept:
            _drop(conn, f"kind = '{part.kind}' AND number = {part.number} AND chunk = {TOTAL}")
            number = conn.execute(INSERT_PART, (*part, TOTAL)).lastrowid
            for facts in (each for each in every if has_total(each) and part.has(each)):
                rows = f"SELECT {number}, * FROM ({_part_sql(facts, part, TOTAL)})"
                conn.execute(f"INSERT INTO {table_of(facts)} {rows}")


def _count_chunk(conn: sqlite3.Connection, part: Part, chunk: int, every: Sequence[Facts]) -> None:
    number = conn.execute(INSERT_PART, (*part, chunk)).lastrowid
    conn.execute(DEALS_OF_PART)  # looked up once, not by each query
    conn.execute("DELETE FROM temp.deals_of_part")
    conn.execute(f"INSERT INTO temp.deals_of_part SELECT d.id FROM deals d WHERE {part.where(chunk)}")
    where = "d.id IN (SELECT id FROM temp.deals_of_part)"
    for group in group_by_cases(every):
        own = f" AND {OWN.format(NAMES.format(part.number))}" if group[0].own else ""
        for facts, counted in group_count_sql(conn, group, where + own, count_sql):
            conn.execute(f"INSERT INTO {table_of(facts)} SELECT {number}, * FROM ({counted})")


def wrong_parts(conn: sqlite3.Connection, every: Sequence[Facts]) -> Iterator[str]:
    """Yield the tables of kept facts whose rows are not those that would be counted if nothing were kept."""
    if not has_parts(conn):
        return
    there = {*_tables(conn)}
    parts = conn.execute(f"SELECT id, kind, number, chunk FROM {LARGE_PARTS} WHERE kind <> '{UNTIL}'").fetchall()
    for facts in every:
        table, columns = table_of(facts), ", ".join((*facts.keys, *facts.sums))
        for row, kind, number, chunk in parts if table in there else ():
            part = Part(kind, number)
            if not part.has(facts) or adds_up(facts) == (chunk == WHOLE) or (chunk == TOTAL and not has_total(facts)):
                continue
            stored = f"SELECT {columns} FROM {table} WHERE part = {row}"
            if have_other_rows(conn, stored, _part_sql(facts, part, chunk)):
                yield table
                break


def _part_sql(facts: Facts, part: Part, chunk: int) -> str:
    """Return the query that counts facts of a chunk of a part anew, or adds its kept chunks up."""
    if chunk == TOTAL:
        chunks = f"SELECT id FROM {LARGE_PARTS} WHERE kind = '{part.kind}' AND number = {part.number} AND chunk >= 0"
        sums = f"SELECT {sums_sql(facts)} FROM {table_of(facts)} WHERE part IN ({chunks})"
        return f"{sums} GROUP BY {', '.join(facts.keys)}"
    own = f" AND {OWN.format(NAMES.format(part.number))}" if facts.own else ""
    return count_sql(facts, f"{part.where(chunk)} AND d.id <= {LAST}{own}")


def count_changes(conn: sqlite3.Connection, every: Sequence[Facts]) -> None:
    """Update the facts after what a connection touched, if it notes that: those of all deals are counted, and the kept
    chunks of these deals are deleted."""
    if is_there(conn, "touched") and has_parts(conn) and conn.execute(TOUCHED).rowcount:
        _drop(conn, "0")
    count_touched(conn, every)


def drop_parts(conn: sqlite3.Connection) -> None:
    """Delete all parts, with their tables."""
    for name in (*_tables(conn), LARGE_PARTS):
        conn.execute(f"DROP TABLE IF EXISTS main.{name}")


def _drop(conn: sqlite3.Connection, which: str) -> None:
    """Delete parts, and the facts of all that are no longer there."""
    conn.execute(f"DELETE FROM {LARGE_PARTS} WHERE {which}")
    for name in _tables(conn):
        conn.execute(f"DELETE FROM {name} WHERE part NOT IN (SELECT id FROM {LARGE_PARTS})")


def _tables(conn: sqlite3.Connection) -> list[str]:
    sql = "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name LIKE 'large\\_%' ESCAPE '\\' AND name <> ?"
    return [row[0] for row in conn.execute(sql, (LARGE_PARTS,))]
