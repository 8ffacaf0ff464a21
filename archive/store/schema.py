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
import json
from functools import cache

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from archive.notation import HASH
from archive.stats import FACTS, drop_parts, fact_table_sql, facts_sql
from archive.stats.catalogue import COUNTED
from archive.stats.part_facts import LARGE_PARTS
from archive.stats.seat_facts import SEAT_FACTS
from archive.store import search
from archive.store.compression import unpack_record
from archive.store.known_columns import keep_known_columns
from archive.store.ledger_states import PLAIN, UNTOLD
from archive.store.stored_messages import add_facts
from archive.store.tables import TABLES, column_names, create_sql, index_sql
from archive.store.trump_counts import add_talon_acts, fill_trump_counts
from archive.store.unfinished import note_unfinished
from archive.store.views import VIEWS

APPLICATION_ID = 0x5363686B  # "Schk", in the file's header: an archive is told from any other SQLite file
MIGRATIONS = Migrations("archive")
DERIVED = "_derived"  # the table with a digest of the SQL behind each thing that is made of the tables
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


def digests_in(db: Database) -> dict[str, str]:
    """Return the digests that an archive has; none if an earlier version made it."""
    table = db.table(DERIVED)
    return {row["name"]: row["digest"] for row in table.rows} if table.exists() else {}


def is_current(db: Database) -> bool:
    """Return whether an archive has everything that this version reads and writes."""
    return not MIGRATIONS.pending(db) and digests_in(db) == digests()


def newer_parts(db: Database) -> list[str]:
    """Return the steps and columns of an archive that only a later version can know, in words."""
    known = {step.name for step in MIGRATIONS._migrations}  # the set has no public list of its steps
    steps = sorted({step.name for step in MIGRATIONS.applied(db)} - known)
    more = int(digests_in(db).get("tables", "0").partition("-")[0]) - COLUMNS
    return [*steps, *([f"{more} more columns"] if more > 0 else [])]


def migrate(db: Database) -> None:
    """Bring an archive up to what is declared today, or make a new one. Needs an open transaction and foreign keys off.
    Facts of existing deals are left to be counted, see `unfinished`."""
    for name in VIEWS:
        db.execute(f"DROP VIEW IF EXISTS {name}")
    _make_tables(db)
    MIGRATIONS.apply(db)
    _make_indexes(db)
    _make_facts(db)
    if digests_in(db).get("notes") != digests()["notes"]:
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
    """Make those tables of facts anew whose SQL has changed, and drop those that are no longer counted."""
    there, today = digests_in(db), digests()
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


# The statements that fill `seats.amount` and `deals.basis` of rows older than these columns.
_WRITTEN = "SELECT {} FROM stated t, json_each(t.payments) j WHERE t.deal_id = {} AND t.payments IS NOT NULL"
AMOUNTS_IN_FORCE = (
    f"""UPDATE seats SET amount = coalesce(
        (SELECT json_extract(payments, '$[' || (seats.seat - 1) || ']') FROM rulings WHERE id =
            (SELECT max(id) FROM rulings WHERE deal_id = seats.deal_id)),
        payment, marks, ({_WRITTEN.format("j.value", "seats.deal_id")} AND j.key = seats.seat - 1))""",
    "UPDATE seats SET won = amount > 0 WHERE won IS NULL AND payment IS NULL AND marks IS NULL AND amount <> 0",
    f"""UPDATE deals SET basis = CASE
        WHEN EXISTS (SELECT 1 FROM seats WHERE deal_id = deals.id AND coalesce(payment, marks) IS NOT NULL) THEN CASE
            WHEN EXISTS (SELECT 1 FROM seats WHERE deal_id = deals.id AND coalesce(dealt, held) IS NOT NULL)
                OR EXISTS (SELECT 1 FROM tricks WHERE deal_id = deals.id) THEN 'cards' ELSE 'facts' END
        WHEN ({_WRITTEN.format("count(*) = count(j.value) AND sum(j.value) = 0", "deals.id")}) THEN 'amounts' END""",
)

# --- steps ----------------------------------------------------------------------------------------------------------


def tables_are_declared(db: Database) -> None:
    """Do nothing: the tables and columns of this step are declared, and older rows need no values for them."""


for _name in ("m001_first", "m002_phases", "m003_marks", "m004_evidence"):
    MIGRATIONS(name=_name)(tables_are_declared)


@MIGRATIONS()
def m005_notes(db: Database) -> None:
    """Fill the note of a deal into a column, so that it can be searched: that of its first record, else of another
    source's, with its corrections."""
    records = """SELECT t.deal_id, t.record, t.head FROM (
        SELECT c.deal_id, c.id, c.record, c.head FROM copies c WHERE c.record IS NOT NULL
        UNION ALL SELECT r.id, 0, r.record, s.head FROM records r JOIN sessions s ON s.id = r.session_id
        ) t ORDER BY t.deal_id, t.id DESC"""
    notes = {}
    for deal, packed, head in db.execute(records):
        line = unpack_record(packed, head)
        if b'"note":' in line and (note := json.loads(line).get("note")) is not None:
            notes[deal] = note
    for deal, after in db.execute("SELECT deal_id, after FROM corrections ORDER BY id"):
        if isinstance(note := json.loads(after).get("note"), str) or note == {}:  # {} removes it
            notes[deal] = note or None
    db.conn.executemany("UPDATE deals SET note = ? WHERE id = ?", [(note, deal) for deal, note in notes.items()])


@MIGRATIONS()
def m006_questions(db: Database) -> None:
    """Fill in the contracts by their rules, and the trumps of each hand."""
    fill_trump_counts(db)


MIGRATIONS(name="m007_facts")(tables_are_declared)


@MIGRATIONS()
def m008_smaller(db: Database) -> None:
    """Write states that say nothing new as `{}`, which until then stood for those that are not known."""
    for column in ("state", "state_after"):
        db.execute(f"UPDATE deals SET {column} = ? WHERE {column} = ?", (UNTOLD, PLAIN))


@MIGRATIONS()
def m009_shorter(db: Database) -> None:
    """Shorten hashes to 16 bytes. A CHECK says how long they are, which `transform` would keep, so the tables are made
    anew."""
    for table in ("records", "copies"):
        if f"length(hash) = {HASH}" not in db.table(table).schema:
            _make_anew(db, table, {"hash": f"substr(hash, 1, {HASH})"})


@MIGRATIONS()
def m010_messages(db: Database) -> None:
    """Add facts to findings, reasons and what is missing, if they are judged today as they are stored. Others keep only
    their English text, until `audit compare --write`."""
    add_facts(db)


@MIGRATIONS()
def m011_basis(db: Database) -> None:
    """Fill in on what the amounts of deals rest, and which are in force: as ruled, else as computed, else as
    written."""
    for statement in AMOUNTS_IN_FORCE:
        db.execute(statement)


@MIGRATIONS()
def m012_talon_acts(db: Database) -> None:
    """Fill in the draws and acts of existing deals."""
    add_talon_acts(db)


@MIGRATIONS()
def m013_known(db: Database) -> None:
    """Remove values that were assumed for a price, since they are no facts; fill in the sides of deals without cards,
    by the contract."""
    keep_known_columns(db)


def _make_anew(db: Database, table: str, values: dict[str, str]) -> None:
    """Make a table anew as it is declared, with its rows and the last number that it gave; `values` are the SQL of
    columns whose values change. Others may refer to it, so foreign keys are off."""
    names = column_names(table)
    db.execute(create_sql(table, f"{table}_anew"))
    rows = ", ".join(values.get(name, name) for name in names)
    db.execute(f"INSERT INTO {table}_anew ({', '.join(names)}) SELECT {rows} FROM {table}")
    last = "SELECT max(seq) FROM sqlite_sequence WHERE name IN (?, ?)"
    db.execute(f"UPDATE sqlite_sequence SET seq = ({last}) WHERE name = ?", (table, f"{table}_anew", f"{table}_anew"))
    db.execute(f"DROP TABLE {table}")
    db.execute(f"ALTER TABLE {table}_anew RENAME TO {table}")
