"""The tables and their migrations. What each table and column means stands in descriptions.toml.

Seats count from 1 as on the score sheet, amounts are integers of the record's unit, true and false are 1 and 0, NULL is
*not recorded* or *not decidable*. Cards of a hand or a trick are one text, `S8 S9 SA SK`; so are they read, searched
with LIKE, and kept small. A deal has the number of its record. A migration that has been released is never edited: a
change is one more step. Steps are SQL, since `table.transform()` drops generated columns, triggers and WITHOUT ROWID.
"""

import json

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from archive.notation import HASH
from archive.store.packing import unpack_record
from archive.store.questions import FACTS, WAITING, created, rebuild
from archive.store.ranked import RANKED, rank
from archive.store.search import NOTED, rebuild_notes
from archive.store.states import PLAIN, UNTOLD
from archive.store.tables import DERIVED, EVIDENCE, INDEXES, begins
from archive.store.views import VIEWS

APPLICATION_ID = 0x5363686B  # "Schk", in the file's header: an archive is told from any other SQLite file
MIGRATIONS = Migrations("archive")


def migrate(db: Database) -> None:
    """Takes the steps that an archive has not taken yet. Views hold nothing, so each is made anew as it is now."""
    for name in VIEWS:
        db.execute(f"DROP VIEW IF EXISTS {name}")
    MIGRATIONS.apply(db)
    for statement in VIEWS.values():
        db.execute(statement)


# --- steps ----------------------------------------------------------------------------------------------------------


@MIGRATIONS()
def m001_first(db: Database) -> None:
    """The schema of version 1."""
    for statement in (*EVIDENCE, *DERIVED, *INDEXES):
        db.execute(statement)


PHASES = (
    "ALTER TABLE sessions ADD COLUMN table_name TEXT",
    "ALTER TABLE deals ADD COLUMN cut TEXT",
    "ALTER TABLE deals ADD COLUMN rounds TEXT",
    "ALTER TABLE deals ADD COLUMN state_after TEXT",
)


@MIGRATIONS()
def m002_phases(db: Database) -> None:
    """What happens before play and what a deal leaves on the table; tables of a tournament and their standings."""
    for statement in PHASES:
        db.execute(statement)


MARKS = (
    "ALTER TABLE deals ADD COLUMN marks INTEGER",
    "ALTER TABLE deals ADD COLUMN chalk INTEGER",
    "ALTER TABLE seats ADD COLUMN marks INTEGER",
    "ALTER TABLE seats ADD COLUMN marks_total INTEGER",
    "ALTER TABLE rulesets ADD COLUMN faces TEXT",
    "ALTER TABLE rulesets ADD COLUMN incomplete TEXT",
)


@MIGRATIONS()
def m003_marks(db: Database) -> None:
    """Games that are scored in marks, the faces of the pack, and what a ruleset's sources do not tell."""
    for statement in MARKS:
        db.execute(statement)


COPIES = """
    CREATE TABLE {name} (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        deal_id INTEGER NOT NULL REFERENCES records (id) ON DELETE CASCADE,
        source_id INTEGER NOT NULL REFERENCES sources (id),
        number INTEGER NOT NULL CHECK (number > 0),
        own_id TEXT,
        line INTEGER,
        end_line INTEGER,
        hash BLOB NOT NULL CHECK (length(hash) = {hash}),
        play_hash BLOB,
        head TEXT,
        record BLOB
    ) STRICT"""
EVIDENCE_KEPT = (
    "ALTER TABLE sources ADD COLUMN version TEXT",
    "ALTER TABLE sources ADD COLUMN licence TEXT",
    "ALTER TABLE sources ADD COLUMN origin TEXT",
    "ALTER TABLE sources ADD COLUMN time_zone TEXT",
    "ALTER TABLE sources ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1))",
    "ALTER TABLE sources ADD COLUMN redacted_sha256 BLOB",
    "ALTER TABLE sessions ADD COLUMN judged_by TEXT",
    "ALTER TABLE players ADD COLUMN alias_of INTEGER REFERENCES players (id)",
    "ALTER TABLE findings ADD COLUMN deal_number INTEGER",
    COPIES.format(name="copies", hash=32),
    """
    CREATE TABLE acts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        act TEXT NOT NULL CHECK (act IN ('withdraw', 'restore', 'merge', 'split', 'erase')),
        source_id INTEGER REFERENCES sources (id),
        player_id INTEGER REFERENCES players (id),
        into_id INTEGER REFERENCES players (id),
        author TEXT NOT NULL,
        made_at TEXT NOT NULL,
        why TEXT NOT NULL,
        facts TEXT
    ) STRICT""",
    "CREATE INDEX sources_path ON sources (path)",
    "CREATE INDEX copies_deal ON copies (deal_id)",
    "CREATE INDEX copies_source ON copies (source_id)",
    "CREATE INDEX copies_hash ON copies (hash)",
    "CREATE INDEX copies_own_id ON copies (own_id) WHERE own_id IS NOT NULL",
    "CREATE INDEX copies_play ON copies (play_hash) WHERE play_hash IS NOT NULL",
    "CREATE INDEX acts_source ON acts (source_id)",
    "CREATE INDEX acts_player ON acts (player_id)",
    "CREATE INDEX acts_into ON acts (into_id)",
    "CREATE INDEX players_alias ON players (alias_of)",
    "CREATE INDEX players_known ON players (coalesce(alias_of, id))",  # the views look a player up by it
)


@MIGRATIONS()
def m004_evidence(db: Database) -> None:
    """Several sources of one deal, what was taken back or merged, and the terms of a source."""
    for statement in EVIDENCE_KEPT:
        db.execute(statement)


@MIGRATIONS()
def m005_notes(db: Database) -> None:
    """The note of a deal as a column, so that it can be searched: of its first record, else of another source's, with
    what corrections say of it."""
    db.execute("ALTER TABLE deals ADD COLUMN note TEXT")
    records = """SELECT t.deal_id, t.record, t.head FROM (
        SELECT c.deal_id, c.id, c.record, c.head FROM copies c WHERE c.record IS NOT NULL
        UNION ALL SELECT r.id, 0, r.record, s.head FROM records r JOIN sessions s ON s.id = r.session_id
        ) t ORDER BY t.deal_id, t.id DESC"""
    found = {}
    for deal, packed, head in db.execute(records):
        line = unpack_record(packed, head)
        if b'"note":' in line and (note := json.loads(line).get("note")) is not None:
            found[deal] = note
    for deal, after in db.execute("SELECT deal_id, after FROM corrections ORDER BY id"):
        if isinstance(told := json.loads(after).get("note"), str) or told == {}:  # which takes it away
            found[deal] = told or None
    db.conn.executemany("UPDATE deals SET note = ? WHERE id = ?", [(note, deal) for deal, note in found.items()])


@MIGRATIONS()
def m006_questions(db: Database) -> None:
    """What the rules say of each contract, and how many trumps each hand has by it; notes that can be searched."""
    for statement in (*RANKED, *NOTED, WAITING, "CREATE INDEX sessions_event ON sessions (event)"):
        db.execute(statement)
    rank(db.conn)
    rebuild_notes(db.conn)


@MIGRATIONS()
def m007_facts(db: Database) -> None:
    """The facts of the standard questions, counted once. They hold nothing of their own, so they are made anew as they
    are now."""
    for facts in FACTS:
        db.execute(f"DROP TABLE IF EXISTS {facts.name}")
    made = [statement for facts in FACTS for statement in created(facts)]
    for statement in (*made, "CREATE INDEX deals_verdict ON deals (verdict)"):
        db.execute(statement)
    rebuild(db.conn, FACTS)


# Records without an index of whole hashes, since the first eight bytes find one, and of sources, since their sessions
# do. The parts of the texts of large files, and what a transaction left to be done by a later one.
RECORDS = """
    CREATE TABLE records_anew (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id INTEGER NOT NULL REFERENCES sessions (id),
        number INTEGER NOT NULL,
        own_id TEXT,
        source_id INTEGER NOT NULL REFERENCES sources (id),
        line INTEGER,
        end_line INTEGER,
        hash BLOB NOT NULL CHECK (length(hash) = {hash}),
        play_hash BLOB CHECK (length(play_hash) = 8),
        record BLOB NOT NULL
    ) STRICT"""


def records_anew(size: int) -> tuple[str, ...]:
    """Makes the table of records anew, with so many bytes of each hash; the indexes of hashes are yet to come."""
    return (
        RECORDS.format(hash=size),
        f"""INSERT INTO records_anew SELECT id, session_id, number, own_id, source_id, line, end_line,
            substr(hash, 1, {size}), play_hash, record FROM records""",
        "UPDATE sqlite_sequence SET seq = (SELECT max(seq) FROM sqlite_sequence WHERE name LIKE 'records%')"
        " WHERE name = 'records_anew'",
        "DROP TABLE records",
        "ALTER TABLE records_anew RENAME TO records",
        "CREATE INDEX records_session ON records (session_id)",
        "CREATE INDEX records_own_id ON records (own_id) WHERE own_id IS NOT NULL",
    )


SMALLER = (
    "DROP INDEX deals_verdict",
    f"UPDATE deals SET state = '{UNTOLD}' WHERE state = '{PLAIN}'",
    f"UPDATE deals SET state_after = '{UNTOLD}' WHERE state_after = '{PLAIN}'",
    *records_anew(32),
    "CREATE INDEX records_play ON records (play_hash) WHERE play_hash IS NOT NULL",
    "CREATE INDEX records_hash ON records (substr(hash, 1, 8))",
    """
    CREATE TABLE source_parts (
        source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
        part INTEGER NOT NULL,
        size INTEGER NOT NULL,
        raw BLOB NOT NULL,
        PRIMARY KEY (source_id, part)
    ) STRICT""",
    "CREATE TABLE unfinished (work TEXT PRIMARY KEY, facts TEXT) STRICT, WITHOUT ROWID",
)


@MIGRATIONS()
def m008_smaller(db: Database) -> None:
    """What takes fewer bytes a deal, and large files that are imported in several transactions. Foreign keys are off
    meanwhile, since a table is made anew that others refer to; see `open_archive`."""
    for statement in SMALLER:
        db.execute(statement)


SHORTER = (
    *records_anew(HASH),
    f"CREATE INDEX records_play ON records ({begins('play_hash')}) WHERE play_hash IS NOT NULL",
    f"CREATE INDEX records_hash ON records ({begins('hash')})",
    COPIES.format(name="copies_anew", hash=HASH),
    f"""INSERT INTO copies_anew SELECT id, deal_id, source_id, number, own_id, line, end_line, substr(hash, 1, {HASH}),
        play_hash, head, record FROM copies""",
    "UPDATE sqlite_sequence SET seq = (SELECT max(seq) FROM sqlite_sequence WHERE name LIKE 'copies%')"
    " WHERE name = 'copies_anew'",
    "DROP TABLE copies",
    "ALTER TABLE copies_anew RENAME TO copies",
    *(each for each in EVIDENCE_KEPT if " ON copies " in each),
)


@MIGRATIONS()
def m009_shorter(db: Database) -> None:
    """Hashes of 16 bytes, of which 4 are in an index. Foreign keys are off meanwhile, as in the step before."""
    for statement in SHORTER:
        db.execute(statement)
