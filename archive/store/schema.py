"""The tables and their migrations. What each table and column means stands in descriptions.toml.

Seats count from 1 as on the score sheet, amounts are integers of the record's unit, true and false are 1 and 0, NULL is
*not recorded* or *not decidable*. Cards of a hand or a trick are one text, `S8 S9 SA SK`; so are they read, searched
with LIKE, and kept small. A deal has the number of its record. A migration that has been released is never edited: a
change is one more step. Steps are SQL, since `table.transform()` drops generated columns, triggers and WITHOUT ROWID.
"""

import json

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from archive.store.packing import unpack_record
from archive.store.questions import FACTS, TABLES, rebuild
from archive.store.ranked import RANKED, rank
from archive.store.search import NOTED, rebuild_notes
from archive.store.views import VIEWS

APPLICATION_ID = 0x5363686B  # "Schk", in the file's header: an archive is told from any other SQLite file
MIGRATIONS = Migrations("archive")

EVIDENCE = (
    """
    CREATE TABLE sources (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        path TEXT NOT NULL,
        sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
        size INTEGER NOT NULL,
        format TEXT NOT NULL,
        engine TEXT NOT NULL,
        imported_at TEXT NOT NULL,
        deals INTEGER NOT NULL,
        raw BLOB NOT NULL
    ) STRICT""",
    """
    CREATE TABLE sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        source_id INTEGER NOT NULL REFERENCES sources (id),
        line INTEGER,
        event TEXT,
        date TEXT,
        place TEXT,
        recorder TEXT,
        unit TEXT,
        rules TEXT NOT NULL,
        list TEXT,
        origin TEXT,
        licence TEXT,
        url TEXT,
        note TEXT,
        inferred TEXT,
        head TEXT NOT NULL
    ) STRICT""",
    """
    CREATE TABLE records (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id INTEGER NOT NULL REFERENCES sessions (id),
        number INTEGER NOT NULL,
        own_id TEXT,
        source_id INTEGER NOT NULL REFERENCES sources (id),
        line INTEGER,
        end_line INTEGER,
        hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
        play_hash BLOB CHECK (length(play_hash) = 8),
        record BLOB NOT NULL
    ) STRICT""",
    """
    CREATE TABLE corrections (
        id INTEGER PRIMARY KEY,
        deal_id INTEGER NOT NULL REFERENCES records (id) ON DELETE CASCADE,
        author TEXT NOT NULL,
        made_at TEXT NOT NULL,
        why TEXT NOT NULL,
        before TEXT,
        after TEXT NOT NULL
    ) STRICT""",
    """
    CREATE TABLE rulings (
        id INTEGER PRIMARY KEY,
        deal_id INTEGER NOT NULL REFERENCES records (id) ON DELETE CASCADE,
        author TEXT NOT NULL,
        made_at TEXT NOT NULL,
        why TEXT NOT NULL,
        payments TEXT NOT NULL,
        cite TEXT
    ) STRICT""",
)

DERIVED = (
    "CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
    """
    CREATE TABLE rulesets (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        digest TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        unit TEXT NOT NULL,
        rules TEXT NOT NULL,
        overrides TEXT,
        house TEXT NOT NULL
    ) STRICT""",
    """
    CREATE TABLE deals (
        id INTEGER PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE,
        viewer INTEGER GENERATED ALWAYS AS (id) VIRTUAL,
        session_id INTEGER NOT NULL REFERENCES sessions (id),
        number INTEGER NOT NULL,
        ruleset_id INTEGER REFERENCES rulesets (id),
        engine TEXT NOT NULL,
        contract TEXT,
        suit TEXT,
        called TEXT,
        tout INTEGER CHECK (tout IN (0, 1)),
        words TEXT,
        bid INTEGER,
        round TEXT,
        players INTEGER,
        dealer INTEGER,
        declarer INTEGER,
        partner INTEGER,
        loser INTEGER,
        knocks INTEGER,
        doubles INTEGER,
        won INTEGER CHECK (won IN (0, 1)),
        side_points INTEGER,
        side_tricks INTEGER,
        schneider INTEGER CHECK (schneider IN (0, 1)),
        schwarz INTEGER CHECK (schwarz IN (0, 1)),
        runners INTEGER,
        runners_paid INTEGER CHECK (runners_paid IN (0, 1)),
        base INTEGER,
        schneider_amount INTEGER,
        schwarz_amount INTEGER,
        runners_amount INTEGER,
        multiplier INTEGER,
        price INTEGER,
        pot INTEGER,
        verdict TEXT NOT NULL CHECK (verdict IN ('agrees', 'differs', 'undecidable', 'unplayable')),
        reason TEXT,
        missing TEXT,
        state TEXT NOT NULL
    ) STRICT""",
    """
    CREATE TABLE seats (
        deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        player_id INTEGER NOT NULL REFERENCES players (id),
        place INTEGER,
        dealt TEXT,
        held TEXT,
        declaring INTEGER CHECK (declaring IN (0, 1)),
        points INTEGER,
        tricks INTEGER,
        won INTEGER CHECK (won IN (0, 1)),
        payment INTEGER,
        total INTEGER,
        PRIMARY KEY (deal_id, seat)
    ) STRICT, WITHOUT ROWID""",
    """
    CREATE TABLE calls (
        deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE,
        n INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        call TEXT NOT NULL,
        PRIMARY KEY (deal_id, n)
    ) STRICT, WITHOUT ROWID""",
    """
    CREATE TABLE exchanges (
        deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE,
        n INTEGER NOT NULL,
        giver INTEGER,
        taker INTEGER,
        cards TEXT NOT NULL,
        PRIMARY KEY (deal_id, n)
    ) STRICT, WITHOUT ROWID""",
    """
    CREATE TABLE doubles (
        deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE,
        n INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        word TEXT NOT NULL,
        trick INTEGER,
        card INTEGER,
        PRIMARY KEY (deal_id, n)
    ) STRICT, WITHOUT ROWID""",
    """
    CREATE TABLE events (
        deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE,
        n INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        verb TEXT NOT NULL,
        moment TEXT,
        arg TEXT,
        by_seat INTEGER,
        PRIMARY KEY (deal_id, n)
    ) STRICT, WITHOUT ROWID""",
    """
    CREATE TABLE tricks (
        deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE,
        trick INTEGER NOT NULL,
        leader INTEGER,
        winner INTEGER,
        points INTEGER,
        cards TEXT NOT NULL,
        PRIMARY KEY (deal_id, trick)
    ) STRICT, WITHOUT ROWID""",
    """
    CREATE TABLE stated (
        deal_id INTEGER PRIMARY KEY REFERENCES deals (id) ON DELETE CASCADE,
        points INTEGER,
        points_against INTEGER,
        seat_points TEXT,
        tricks INTEGER,
        seat_tricks TEXT,
        winners TEXT,
        won INTEGER CHECK (won IN (0, 1)),
        partner INTEGER,
        loser INTEGER,
        virgins TEXT,
        schneider INTEGER CHECK (schneider IN (0, 1)),
        schwarz INTEGER CHECK (schwarz IN (0, 1)),
        runners INTEGER,
        steps TEXT,
        price INTEGER,
        payments TEXT,
        totals TEXT,
        stock INTEGER,
        marks TEXT,
        result TEXT
    ) STRICT""",
    """
    CREATE TABLE findings (
        id INTEGER PRIMARY KEY,
        source_id INTEGER NOT NULL REFERENCES sources (id),
        deal_id INTEGER REFERENCES deals (id) ON DELETE CASCADE,
        rule TEXT NOT NULL,
        severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'note')),
        message TEXT NOT NULL,
        line INTEGER,
        moment TEXT
    ) STRICT""",
)

# Joins, the cascades of a file taken back, and the columns that are offered as facets.
INDEXES = (
    "CREATE INDEX sessions_source ON sessions (source_id)",
    "CREATE INDEX records_source ON records (source_id)",
    "CREATE INDEX records_session ON records (session_id)",
    "CREATE INDEX records_own_id ON records (own_id) WHERE own_id IS NOT NULL",
    "CREATE INDEX records_play ON records (play_hash) WHERE play_hash IS NOT NULL",
    "CREATE INDEX corrections_deal ON corrections (deal_id)",
    "CREATE INDEX rulings_deal ON rulings (deal_id)",
    "CREATE INDEX deals_session ON deals (session_id)",
    "CREATE INDEX deals_ruleset ON deals (ruleset_id)",
    "CREATE INDEX deals_contract_verdict ON deals (contract, verdict)",
    "CREATE INDEX deals_doubtful ON deals (verdict) WHERE verdict <> 'agrees'",
    "CREATE INDEX seats_player ON seats (player_id)",
    "CREATE INDEX findings_source ON findings (source_id)",
    "CREATE INDEX findings_deal ON findings (deal_id)",
    "CREATE INDEX findings_rule ON findings (rule)",
)


@MIGRATIONS()
def m001_first(db: Database) -> None:
    """The schema of version 1."""
    for statement in (*EVIDENCE, *DERIVED, *INDEXES, *VIEWS.values()):
        db.execute(statement)


PHASES = (
    "ALTER TABLE sessions ADD COLUMN table_name TEXT",
    "ALTER TABLE deals ADD COLUMN cut TEXT",
    "ALTER TABLE deals ADD COLUMN rounds TEXT",
    "ALTER TABLE deals ADD COLUMN state_after TEXT",
)


@MIGRATIONS()
def m002_phases(db: Database) -> None:
    """What happens before play and what a deal leaves on the table; tables of a tournament and their standings.

    Views hold nothing, so each is made anew as it is now.
    """
    for name in VIEWS:
        db.execute(f"DROP VIEW IF EXISTS {name}")
    for statement in (*PHASES, *VIEWS.values()):
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
    for name in VIEWS:
        db.execute(f"DROP VIEW IF EXISTS {name}")
    for statement in (*MARKS, *VIEWS.values()):
        db.execute(statement)


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
    """
    CREATE TABLE copies (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        deal_id INTEGER NOT NULL REFERENCES records (id) ON DELETE CASCADE,
        source_id INTEGER NOT NULL REFERENCES sources (id),
        number INTEGER NOT NULL CHECK (number > 0),
        own_id TEXT,
        line INTEGER,
        end_line INTEGER,
        hash BLOB NOT NULL CHECK (length(hash) = 32),
        play_hash BLOB,
        head TEXT,
        record BLOB
    ) STRICT""",
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
    for name in VIEWS:
        db.execute(f"DROP VIEW IF EXISTS {name}")
    for statement in (*EVIDENCE_KEPT, *VIEWS.values()):
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
    """The standard questions as views, over facts that are counted once; what the rules say of each contract, and how
    many trumps each hand has by it."""
    for name in VIEWS:
        db.execute(f"DROP VIEW IF EXISTS {name}")
    for statement in (*RANKED, *TABLES, *NOTED, *VIEWS.values()):
        db.execute(statement)
    rank(db.conn)
    rebuild(db.conn, FACTS)
    rebuild_notes(db.conn)
