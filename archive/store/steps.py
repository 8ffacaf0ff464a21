"""The steps that older archives take, in the order of `schema.STEPS`: each computes what rows have in them that were
there before it, and one that was released is never edited."""

import json

from archive.notation import HASH
from archive.store._sqlite_utils import Database
from archive.store.compression import unpack_record
from archive.store.filled_columns import add_talon_acts, fill_trump_counts, keep_known_columns
from archive.store.ledger_states import PLAIN, UNTOLD
from archive.store.stored_messages import add_facts
from archive.store.tables import column_names, create_sql

# The statements that fill `seats.amount` and `deals.basis` of rows that were there before them.
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


def tables_are_declared(db: Database) -> None:
    """A step whose tables and columns are declared; rows that were there have nothing to be computed for it."""


m001_first = m002_phases = m003_marks = m004_evidence = m007_facts = tables_are_declared
m006_questions, m010_messages = fill_trump_counts, add_facts
m012_talon_acts, m013_known = add_talon_acts, keep_known_columns


def m005_notes(db: Database) -> None:
    """The note of a deal as a column, so that it can be searched: of its first record, else of another source's, with
    what corrections say of it."""
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
        if isinstance(note := json.loads(after).get("note"), str) or note == {}:  # which takes it away
            notes[deal] = note or None
    db.conn.executemany("UPDATE deals SET note = ? WHERE id = ?", [(note, deal) for deal, note in notes.items()])


def m008_smaller(db: Database) -> None:
    """States that say nothing new are `{}`, which until then were those that are not known."""
    for column in ("state", "state_after"):
        db.execute(f"UPDATE deals SET {column} = ? WHERE {column} = ?", (UNTOLD, PLAIN))


def m009_shorter(db: Database) -> None:
    """Hashes of 16 bytes. A CHECK says how long they are, which `transform` would keep, so the tables are made anew."""
    for table in ("records", "copies"):
        if f"length(hash) = {HASH}" not in db.table(table).schema:
            names, anew = column_names(table), f"{table}_anew"
            db.execute(create_sql(table, anew))
            rows = ", ".join(f"substr(hash, 1, {HASH})" if name == "hash" else name for name in names)
            db.execute(f"INSERT INTO {anew} ({', '.join(names)}) SELECT {rows} FROM {table}")
            last = "SELECT max(seq) FROM sqlite_sequence WHERE name IN (?, ?)"
            db.execute(f"UPDATE sqlite_sequence SET seq = ({last}) WHERE name = ?", (table, anew, anew))
            db.execute(f"DROP TABLE {table}")  # others may refer to it, so foreign keys are off
            db.execute(f"ALTER TABLE {anew} RENAME TO {table}")


def m011_basis(db: Database) -> None:
    """On what the amounts of deals rest, and which are in force: as ruled, else as computed, else as written."""
    for statement in AMOUNTS_IN_FORCE:
        db.execute(statement)
