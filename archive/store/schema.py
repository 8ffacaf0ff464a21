"""The schema of an archive: what is declared, the steps that older archives take, and what is made of the tables.

Tables and columns are declared in tables.toml, and an archive that lacks one gets it when it is next opened for
writing. A step computes values for rows that were there before it; a released step is never edited. Views, tables of
facts and the index of notes are made of the tables. The archive holds a digest of their SQL, and if it differs they are
made anew.

Seats count from 1 as on the score sheet, amounts are integers of the record's unit, true and false are 1 and 0, NULL is
*not recorded* or *not decidable*. Cards of a hand or a trick are one text, `S8 S9 SA SK`, which is how they are read,
searched with LIKE, and kept small. A deal has the number of its record.
"""

import hashlib
import sqlite3
from functools import cache

from archive.stats import FACTS, drop_parts, fact_table_sql, facts_sql
from archive.stats.catalogue import COUNTED
from archive.stats.part_facts import LARGE_PARTS
from archive.stats.seat_facts import SEAT_FACTS
from archive.store import search
from archive.store._sqlite_utils import Database, Steps
from archive.store.tables import TABLES, create_sql, index_sql
from archive.store.unfinished import note_unfinished
from archive.store.views import VIEWS

APPLICATION_ID = 0x5363686B  # "Schk", in the file's header: an archive is told from any other SQLite file
STEPS = Steps(
    "archive",
    "archive.store.steps",
    """m001_first m002_phases m003_marks m004_evidence m005_notes m006_questions m007_facts m008_smaller m009_shorter
    m010_messages m011_basis m012_talon_acts m013_known""".split(),
)
DERIVED = "_derived"  # by the name of what is made of the tables, a digest of the SQL that made it
COLUMNS = sum(len(table.columns) for table in TABLES.values())


@cache
def digests() -> dict[str, str]:
    """Return the rows of `_derived` in an archive of this version. The digest of the tables begins with the number of
    their columns, which only grows."""
    tables = [create_sql(name) + "".join(index_sql(name).values()) for name in TABLES]
    return {
        "tables": f"{COLUMNS:04}-{_digest(*tables)}",
        "views": _digest(*VIEWS.values()),
        "notes": _digest(search.TEXTS, search.TOKENS, *search.SEARCHED),
        **{facts.name: _digest(facts_sql(facts)) for facts in FACTS},
        LARGE_PARTS: _digest(*map(facts_sql, SEAT_FACTS)),
    }


def _digest(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def digests_in(conn: sqlite3.Connection) -> dict[str, str]:
    """Return the digests that an archive has; none if an earlier version has made it."""
    is_there = conn.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (DERIVED,)).fetchone()
    return {row[0]: row[1] for row in conn.execute(f"SELECT name, digest FROM {DERIVED}")} if is_there else {}


def is_current(conn: sqlite3.Connection) -> bool:
    """Return whether an archive has everything that this version reads and writes."""
    return not STEPS.pending(conn) and digests_in(conn) == digests()


def newer_parts(conn: sqlite3.Connection) -> list[str]:
    """Return the steps and columns of an archive that only a later version can know, in words."""
    steps = sorted({*STEPS.steps_of(conn)} - {*STEPS.every})
    more = int(digests_in(conn).get("tables", "0").partition("-")[0]) - COLUMNS
    return [*steps, *([f"{more} more columns"] if more > 0 else [])]


def migrate(db: Database) -> None:
    """Bring an archive up to what is declared today, or make a new one. Needs an open transaction and foreign keys off.
    Facts of existing deals are left to be counted, see `unfinished`."""
    for name in VIEWS:
        db.execute(f"DROP VIEW IF EXISTS {name}")
    _make_tables(db)
    STEPS.take(db)
    _make_indexes(db)
    _make_facts(db)
    if digests_in(db.conn).get("notes") != digests()["notes"]:
        search.index_notes(db)
        search.rebuild_notes(db.conn)
    for statement in VIEWS.values():
        db.execute(statement)
    rows = [{"name": name, "digest": digest} for name, digest in digests().items()]
    db.table(DERIVED).insert_all(rows, pk="name", replace=True, truncate=True)


def _make_tables(db: Database) -> None:
    """Make the tables and columns that an archive lacks."""
    for name, table in TABLES.items():
        if not db.table(name).exists():
            db.execute(create_sql(name))
            continue
        there = {row[1] for row in db.execute(f"PRAGMA table_xinfo({name})")}  # with those that SQLite computes
        for column, of in table.columns.items():
            if column not in there:
                db.execute(f"ALTER TABLE {name} ADD COLUMN {column} {of.sql}")


def _make_indexes(db: Database) -> None:
    """Make the indexes that are declared, and drop those that are declared otherwise or no longer."""
    for table in TABLES:
        wanted = index_sql(table)
        sql = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL"
        there = dict(db.execute(sql, (table,)).fetchall())
        for name in there:
            if wanted.get(name) != there[name]:
                db.execute(f"DROP INDEX {name}")
        for name, statement in wanted.items():
            if there.get(name) != statement:
                db.execute(statement)


def _make_facts(db: Database) -> None:
    """Make the tables of facts anew whose SQL is another one, and drop those that are counted no more."""
    there, today = digests_in(db.conn), digests()
    changed = [facts for facts in FACTS if there.get(facts.name) != today[facts.name]]
    for name in (*(facts.name for facts in changed), *(there.keys() - today.keys())):
        db.execute(f"DROP TABLE IF EXISTS {name}")
    for facts in changed:
        for statement in fact_table_sql(facts):
            db.execute(statement)
    if changed or there.get(LARGE_PARTS) != today[LARGE_PARTS]:
        drop_parts(db.conn)
    if changed and db.table("deals").count:
        note_unfinished(db.conn, COUNTED)
