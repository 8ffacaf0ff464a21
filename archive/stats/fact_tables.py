"""Counting the facts of an archive: all of them, or those of the deals that a transaction touched."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from types import MappingProxyType
from typing import Protocol

from archive.stats.sql import days_sql
from archive.stats.types import Cases, Facts

BLOCK = 12  # deals whose ids differ only in so many low bits are counted together
CHUNK = 16  # the same for deals of large parts

IN_SESSION = "d.session_id IN (SELECT id FROM sessions WHERE {})"
# The restrictions of the deals `d` that a question can have; of a player with all names. A deal without a date is in no
# span of days.
WHERE = {
    "player": """d.id IN (SELECT deal_id FROM seats WHERE player_id IN
        (SELECT id FROM players WHERE coalesce(alias_of, id) = :player))""",
    "session": "d.session_id = :session",
    "event": IN_SESSION.format("event = :event"),
    "basis": "d.basis = :basis",
    "since": IN_SESSION.format(days_sql("since")),
    "until": IN_SESSION.format(days_sql("until")),
}
DAYS = ("since", "until")  # a year, a month or a day each, as 2026-11
NO_DAYS: Mapping[str, str] = MappingProxyType({})  # since and until a day, where neither is asked for
PLACES = ("player", "session", "event")  # of which a question is asked of one at most
EVERY = "d.id > 0"  # no restriction, but so SQLite reads deals in their order
OTHER_ROWS = """SELECT EXISTS (SELECT *, sum(side) FROM
    (SELECT 1 AS side, * FROM ({0}) UNION ALL SELECT -1, * FROM ({1}))
    GROUP BY {2} HAVING sum(side) <> 0)"""  # each query runs once, since counting the facts takes longest
PART = {
    "block": f"d.id >> {BLOCK}",
    "player": "s.player_id",
    "person": "k.id",
    "session": "d.session_id",
    "analysed": f"d.id >> {BLOCK}",
}


def parts_sql(*parts: str) -> str:
    """Return the condition that deals `d` are of all these parts."""
    if {*DAYS} <= {*parts}:  # both in one condition, or no index finds what lies in between
        span = IN_SESSION.format(days_sql(*DAYS))
        return " AND ".join((*(WHERE[part] for part in parts if part not in DAYS), span))
    return " AND ".join(WHERE[part] for part in parts)


class Executes(Protocol):
    """A connection to SQLite, or one to DuckDB."""

    def execute(self, sql: str, /) -> object: ...


# What a transaction touched. new: deals that it added; added: players with seats in these alone; block, player,
# session: those of which something else was changed; analysed: the blocks of deals whose analyses came or went.
TOUCHED = """CREATE TEMP TABLE IF NOT EXISTS touched (kind TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (kind, id))
    WITHOUT ROWID"""
_DEAL = f"INSERT OR IGNORE INTO touched VALUES ('block', OLD.id >> {BLOCK}), ('session', OLD.session_id);"
_PLAYERS = "INSERT OR IGNORE INTO touched SELECT 'player', player_id FROM main.seats WHERE deal_id = OLD.id;"
_SEAT = """INSERT OR IGNORE INTO touched SELECT
    CASE WHEN EXISTS (SELECT 1 FROM touched WHERE kind = 'new' AND id = NEW.deal_id) THEN 'added' ELSE 'player' END,
    NEW.player_id;"""
_SEATS = f"""INSERT OR IGNORE INTO touched
    VALUES ('player', OLD.player_id), ('player', NEW.player_id), ('chunk', NEW.deal_id >> {CHUNK});"""
_NAMES = """INSERT OR IGNORE INTO touched
    SELECT 'player', id FROM main.players WHERE id IN (NEW.id, OLD.alias_of, NEW.alias_of);"""
# A deal that goes, as one does that is judged anew, leaves its analysis stale.
_STALE = "UPDATE analyses SET stale = 1 WHERE deal_id = OLD.id;"
_ANALYSED = f"INSERT OR IGNORE INTO touched SELECT 'analysed', {{0}}.deal_id >> {BLOCK} WHERE {{1}};"
_HAS_ANALYSIS = "EXISTS (SELECT 1 FROM main.analyses WHERE deal_id = NEW.deal_id)"
TRIGGERS = {
    "deal_in": """AFTER INSERT ON main.deals BEGIN
        INSERT OR IGNORE INTO touched VALUES ('new', NEW.id), ('session', NEW.session_id); END""",
    "deal_changed": f"AFTER UPDATE ON main.deals BEGIN {_DEAL} {_PLAYERS} END",
    "deal_out": f"BEFORE DELETE ON main.deals BEGIN {_DEAL} {_PLAYERS} {_STALE} END",
    "analysis_in": f"AFTER INSERT ON main.analyses BEGIN {_ANALYSED.format('NEW', 1)} END",
    "analysis_changed": f"AFTER UPDATE ON main.analyses BEGIN {_ANALYSED.format('OLD', 1)} END",
    "analysis_out": f"BEFORE DELETE ON main.analyses BEGIN {_ANALYSED.format('OLD', 1)} END",
    "seat_in": f"AFTER INSERT ON main.seats BEGIN {_SEAT} END",
    "name_shown": f"AFTER UPDATE OF alias_of ON main.players BEGIN {_NAMES} END",
    "seat_changed": f"AFTER UPDATE ON main.seats BEGIN {_SEATS} {_ANALYSED.format('NEW', _HAS_ANALYSIS)} END",
}

# The players touched, by the name shown; a name that was merged just now is there too, and has nothing any more.
NAMES = "('player', 'added', 'waiting')"
PERSONS = f"""SELECT id FROM touched WHERE kind IN {NAMES} UNION
    SELECT alias_of FROM players JOIN touched t ON kind IN {NAMES} AND t.id = players.id WHERE alias_of IS NOT NULL"""
# Facts of persons do not add up, so they take as long as all their deals: of many files they are counted once;
# `waiting` names those to be counted meanwhile.
WAIT = f"INSERT OR IGNORE INTO main.waiting SELECT id FROM touched WHERE kind IN {NAMES}"
# The parts that new deals are added to, where facts add up over the deals of a part; not those of a session, which are
# few.
ADDED = {
    "block": f"SELECT DISTINCT id >> {BLOCK} FROM touched WHERE kind = 'new'",
    "player": "SELECT id FROM touched WHERE kind = 'added'",
}


def count_sql(facts: Facts, where: str = "1", cases: str = "") -> str:
    """Return the query that counts the facts of the deals that fit, without the column of the part; from a table of
    their cases, if there is one."""
    return f"{_filled_sql(facts, where, cases)} GROUP BY {_first_columns(len(facts.keys))}"


def fact_table_sql(facts: Facts) -> tuple[str, str]:
    """Return the table of facts, and the index by which a part of it is found."""
    columns = ", ".join(f"{name} {kind}" for name, kind in facts.keys.items())
    sums = ", ".join(f"{name} INTEGER" for name in facts.sums)
    table = f"CREATE TABLE {facts.name} (part INTEGER NOT NULL, {columns}, {sums}) STRICT"
    return table, f"CREATE INDEX {facts.name}_part ON {facts.name} (part)"


def facts_sql(facts: Facts) -> str:
    """Return all the SQL by which facts are made: if it changes, they have to be counted anew."""
    return "\n".join((*fact_table_sql(facts), part_count_sql(facts), *facts.highest))


def part_count_sql(facts: Facts, where: str = "1", cases: str = "") -> str:
    """Return the query that counts facts, with the columns of their table; from a table of their cases, if there is
    one."""
    part = f"c.{facts.by}" if facts.of else PART[facts.by]
    grouped = _filled_sql(facts, where, cases).replace("SELECT ", f"SELECT {part} AS part, ", 1)
    return f"{grouped} GROUP BY {_first_columns(1 + len(facts.keys))}"


def _filled_sql(facts: Facts, where: str, cases: str) -> str:
    return facts.sql.format(where=where, cases=cases or (f"({facts.of.sql.format(where=where)})" if facts.of else ""))


def insert_counts(conn: sqlite3.Connection, facts: Facts, where: str) -> int:
    """Count facts into their table; return how many rows were added."""
    return conn.execute(f"INSERT INTO {facts.name} {part_count_sql(facts, where)}").rowcount


def merge_sql(facts: Facts, where: str) -> str:
    """Return the query that adds up facts counted in parts, as if they were counted at once."""
    by = _first_columns(1 + len(facts.keys))
    return f"SELECT part, {sums_sql(facts)} FROM {facts.name} WHERE {where} GROUP BY {by}"


def sums_sql(facts: Facts) -> str:
    """Return the columns of facts whose rows with the same keys are added up."""
    sums = (f"{'max' if name in facts.highest else 'sum'}({name}) AS {name}" for name in facts.sums)
    return ", ".join((*facts.keys, *sums))


def case_sums_sql(cases: Cases, where: str = EVERY) -> str:
    """Return the query that makes one row of all cases with the same keys, for the deals that fit."""
    columns = ", ".join((*cases.keys, *(f"sum({name}) AS {name}" for name in cases.sums)))
    return f"SELECT {columns} FROM ({cases.sql.format(where=where)}) GROUP BY {_first_columns(len(cases.keys))}"


def group_by_cases(every: Iterable[Facts]) -> list[list[Facts]]:
    """Return facts in groups that are counted from the same cases; these first, and short ones of single deals last."""
    groups: dict[str, list[Facts]] = {}
    for facts in every:
        groups.setdefault(facts.of.name if facts.of else facts.name, []).append(facts)
    return sorted(groups.values(), key=len)[::-1]


def group_count_sql(
    conn: Executes, group: list[Facts], where: str = EVERY, count: Callable[[Facts, str, str], str] = part_count_sql
) -> Iterator[tuple[Facts, str]]:
    """Yield each facts of a group with the query that counts them over the deals that fit, while the table of their
    cases exists; `count` makes the query."""
    cases = group[0].of
    if cases:
        conn.execute(f"CREATE TEMP TABLE {cases.name} AS {case_sums_sql(cases, where)}")
    for facts in group:
        yield facts, count(facts, where, f"temp.{cases.name}" if cases else "")
    if cases:
        conn.execute(f"DROP TABLE temp.{cases.name}")


def _first_columns(columns: int) -> str:
    """Return the numbers of the first columns of a query, since a name may be that of a column of a table too."""
    return ", ".join(map(str, range(1, columns + 1)))


def recount(conn: sqlite3.Connection, every: Iterable[Facts]) -> None:
    """Count everything anew."""
    conn.execute("DELETE FROM main.waiting")
    for group in group_by_cases(every):
        for facts, sql in group_count_sql(conn, group):
            conn.execute(f"DELETE FROM {facts.name}")
            conn.execute(f"INSERT INTO {facts.name} {sql}")


def track_changes(conn: sqlite3.Connection) -> None:
    """Make the connection note from now on which deals, players and sessions it touches."""
    conn.execute(TOUCHED)
    for name, body in TRIGGERS.items():
        conn.execute(f"CREATE TEMP TRIGGER IF NOT EXISTS {name} {body}")


def count_touched(conn: sqlite3.Connection, every: Iterable[Facts]) -> None:
    """Update the facts of what was touched since the last time, if the connection watches: new deals are added to what
    is counted, parts that changed otherwise are counted again."""
    if not is_there(conn, "touched"):
        return
    if later := is_there(conn, "later"):
        conn.execute(WAIT)
    else:
        conn.execute("INSERT OR IGNORE INTO touched SELECT 'waiting', player FROM main.waiting")
        conn.execute("DELETE FROM main.waiting")
    parts = {by: list(_changed_parts(conn, by)) for by in PART if by != "person" or not later}
    new = conn.execute("SELECT 1 FROM touched WHERE kind = 'new'").fetchone()
    for facts in every:
        for mine, deals in (*parts.get(facts.by, ()), *(parts["analysed"] if facts.of_analyses else ())):
            conn.execute(f"DELETE FROM {facts.name} WHERE part {mine}")
            insert_counts(conn, facts, deals)
        if new and facts.by in ADDED:
            _merge_new(conn, facts)
    conn.execute("DELETE FROM touched")


@contextmanager
def defer_person_facts(conn: sqlite3.Connection) -> Iterator[None]:
    """Make transactions only note in `waiting` whose facts are to be counted; the first one after the end counts them,
    in another process too if this one was killed."""
    conn.execute("CREATE TEMP TABLE IF NOT EXISTS later (id INTEGER)")
    try:
        yield
    finally:
        conn.execute("DROP TABLE temp.later")


def is_there(conn: sqlite3.Connection, table: str) -> bool:
    return bool(conn.execute("SELECT 1 FROM temp.sqlite_master WHERE name = ?", (table,)).fetchone())


def _merge_new(conn: sqlite3.Connection, facts: Facts) -> None:
    """Add the counts of the new deals to those parts that were not counted again."""
    changed = f"SELECT id FROM touched WHERE kind = '{facts.by}'"
    news = "d.id IN (SELECT id FROM touched WHERE kind = 'new')"
    highest = f"SELECT coalesce(max(rowid), 0) FROM {facts.name}"
    last = conn.execute(highest).fetchone()
    if not insert_counts(conn, facts, f"{news} AND {PART[facts.by]} NOT IN ({changed})"):
        return
    parts = f"part IN ({ADDED[facts.by]}) AND part NOT IN ({changed})"
    earlier = f"FROM {facts.name} WHERE {parts} AND +rowid <= ?"  # by the index of parts, hence the plus
    if conn.execute(f"SELECT 1 {earlier} LIMIT 1", last).fetchone():
        last = conn.execute(highest).fetchone()
        conn.execute(f"INSERT INTO {facts.name} {merge_sql(facts, parts)}")
        conn.execute(f"DELETE {earlier}", last)


def _changed_parts(conn: sqlite3.Connection, by: str) -> Iterator[tuple[str, str]]:
    """Yield the parts that are to be counted again, each as a restriction of the facts' column `part`, and of the
    deals."""
    if by == "person":
        if conn.execute(f"SELECT 1 WHERE EXISTS ({PERSONS})").fetchone():
            names = f"SELECT id FROM players WHERE coalesce(alias_of, id) IN ({PERSONS})"
            yield f"IN ({PERSONS})", f"s.player_id IN ({names})"
        return
    ids = [row[0] for row in conn.execute("SELECT id FROM touched WHERE kind = ? ORDER BY id", (by,))]
    if ids and by not in ("block", "analysed"):
        those = f"IN (SELECT id FROM touched WHERE kind = '{by}')"
        yield those, f"{PART[by]} {those}"
    elif ids:
        for first, last in _runs(ids):
            yield f"BETWEEN {first} AND {last}", f"d.id BETWEEN {first << BLOCK} AND {((last + 1) << BLOCK) - 1}"


def _runs(ids: list[int]) -> Iterator[tuple[int, int]]:
    """Yield numbers in order as runs without a gap."""
    for _, run in groupby(enumerate(ids), lambda place: place[1] - place[0]):
        numbers = [number for _, number in run]
        yield numbers[0], numbers[-1]


def have_other_rows(conn: sqlite3.Connection, one: str, other: str) -> bool:
    """Return whether the rows of two queries differ; the order does not matter."""
    columns = conn.execute(f"SELECT * FROM ({one}) LIMIT 0").description
    every = ", ".join(str(place) for place in range(2, 2 + len(columns)))
    return bool(conn.execute(OTHER_ROWS.format(one, other, every)).fetchone()[0])
