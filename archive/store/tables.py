"""The tables and indexes of the first version. Whatever came later stands with its step in `schema.py`."""

INDEXED = 4  # bytes of a hash that are in an index: enough to find few


def begins(value: str) -> str:
    """The SQL of the part of a hash that is indexed."""
    return f"substr({value}, 1, {INDEXED})"


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
