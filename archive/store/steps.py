"""The steps that older archives take, in the order of `schema.STEPS`: each computes what rows have in them that were
there before it, and one that was released is never edited."""

import json
from pathlib import Path

from archive.notation import HASH
from archive.rules import load
from archive.stats.database import ArchiveError
from archive.store._sqlite_utils import Database
from archive.store.compression import unpack_record
from archive.store.ledger_states import PLAIN, UNTOLD
from archive.store.resettle import judge_session_again
from archive.store.rows import SETTLED, deal_row, seat_rows, sides_by_payment, talon_rows
from archive.store.stored_messages import add_facts
from archive.store.tables import column_names, create_sql, insert_sql
from archive.store.writer import add_contract

WITHOUT_CARDS = """SELECT DISTINCT session_id FROM deals
    WHERE basis IN ('facts', 'amounts') OR (basis IS NULL AND declarer IS NOT NULL) ORDER BY 1"""
# If a record can no longer be judged as it was, what it states is all that is known.
STATED_ALONE = """UPDATE deals SET (schneider, schwarz, runners, runner_count, runners_paid, schneider_amount,
        schwarz_amount, runners_amount, multiplier) = (SELECT max(t.schneider), max(t.schwarz),
            max(nullif(t.runners, 0)), max(nullif(t.runner_count, 0)), NULL, NULL, NULL, NULL, NULL
        FROM stated t WHERE t.deal_id = deals.id)
    WHERE basis = 'facts' AND id = ?"""
DEAL = f"UPDATE deals SET {', '.join(f'{name} = ?' for name in SETTLED)} WHERE id = ?"
SEAT = "UPDATE seats SET declaring = ?, won = ? WHERE deal_id = ? AND seat = ?"
UNTOLD_SEAT = """UPDATE seats SET declaring = coalesce(declaring, ?), won = coalesce(won, amount > 0)
    WHERE deal_id = ? AND seat = ? AND amount <> 0"""


def keep_known_columns(db: Database) -> None:
    """Remove from deals without cards what was assumed for their price, and fill in the sides of their seats as an
    import does today."""
    for (session,) in db.execute(WITHOUT_CARDS).fetchall():
        sql = "SELECT id, verdict, basis FROM deals WHERE session_id = ?"
        stored = {deal: (verdict, basis) for deal, verdict, basis in db.execute(sql, (session,))}
        try:
            judged = {each.id: judgement for each, judgement in judge_session_again(db.conn, session)}
        except ArchiveError:  # a record that cannot be read
            judged = {}
        for deal, (verdict, basis) in stored.items():
            judgement = judged.get(deal)
            if judgement and (judgement.verdict, judgement.basis) == (verdict, basis):
                row = deal_row(judgement, 0, None, ("", ""))
                db.execute(DEAL, (*(row[name] for name in SETTLED), deal))
                seats = seat_rows(judgement, [0] * len(judgement.session.players))
                db.conn.executemany(SEAT, [(row["declaring"], row["won"], deal, row["seat"]) for row in seats])
            else:
                db.execute(STATED_ALONE, (deal,))
                if judgement:
                    # it gets another verdict today, such as a called ace of three: nothing that is there is changed
                    amounts = db.execute("SELECT amount FROM seats WHERE deal_id = ? ORDER BY seat", (deal,))
                    sides = enumerate(sides_by_payment(judgement, tuple(amount for (amount,) in amounts)), 1)
                    db.conn.executemany(UNTOLD_SEAT, [(side, deal, seat) for seat, side in sides if side is not None])


# --- trumps of contracts and hands, and acts at talons --------------------------------------------------------------


# The contracts that were played, each with a file whose folder may hold its rules.
PLAYED = """SELECT r.id, r.rules, r.overrides, r.digest, d.contract, d.suit, min(f.path)
    FROM deals d JOIN rulesets r ON r.id = d.ruleset_id
    JOIN records e ON e.id = d.id JOIN sources f ON f.id = e.source_id
    GROUP BY r.id, d.contract, d.suit"""
# A hand that is not among those held is the one dealt, unless unrecorded cards may have been passed on.
HANDS = """UPDATE seats SET trumps = h.trumps, lords = h.lords FROM (
        SELECT s.deal_id, s.seat, count_top(coalesce(s.held, s.dealt), t.trumps, 36) AS trumps,
            count_top(coalesce(s.held, s.dealt), t.trumps, t.lords) AS lords
        FROM seats s JOIN deals d ON d.id = s.deal_id
        JOIN contracts t ON t.ruleset_id = d.ruleset_id AND t.contract = d.contract AND t.suit = coalesce(d.suit, '')
        WHERE s.held IS NOT NULL OR (t.exchange = 'none' AND d.rounds = '')
            OR EXISTS (SELECT 1 FROM exchanges WHERE deal_id = d.id)
    ) h WHERE seats.deal_id = h.deal_id AND seats.seat = h.seat"""


def fill_trump_counts(db: Database) -> None:
    """Fill `contracts`, and the trumps and lords of known hands. If rules can no longer be read as they were, or it is
    not certain which cards were held, the columns are NULL until `audit compare --write`."""
    for key, rules, overrides, digest, contract, suit, path in db.execute(PLAYED).fetchall():
        ruleset, _ = load(rules, json.loads(overrides) if overrides else None, Path(path).parent)
        if ruleset is not None and ruleset.digest == digest and contract in ruleset.contracts:
            add_contract(db, key, ruleset, contract, suit)
    db.register_function(count_top, name="count_top", deterministic=True)
    db.execute(HANDS)


def count_top(hand: str | None, trumps: str | None, first: int | None) -> int | None:
    """Return how many of the first so many trumps a hand has; None if a card of it is not known."""
    if hand is None or trumps is None or first is None or "?" in hand:
        return None
    return len({*trumps.split()[:first]}.intersection(hand.split()))


WITH_TALON = """SELECT DISTINCT d.session_id FROM deals d JOIN rulesets r ON r.id = d.ruleset_id
    WHERE json_extract(r.house, '$.talon') IS NOT NULL ORDER BY 1"""


def add_talon_acts(db: Database) -> None:
    """Fill `talon_acts`. A session whose rules or records can no longer be read has no rows."""
    for (session,) in db.execute(WITH_TALON).fetchall():
        try:
            judged = judge_session_again(db.conn, session)
        except ArchiveError:
            continue
        rows = [(stored.id, *row.values()) for stored, judgement in judged for row in talon_rows(judgement)]
        db.conn.executemany(insert_sql("talon_acts", column_names("talon_acts")), rows)


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
