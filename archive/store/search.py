"""Full-text search over what people wrote: one table of notes with an index of its words, kept by every import."""

import sqlite3

from archive.store._sqlite_utils import Database

SEARCHED = ("text", "who")  # the columns of `notes` whose words are in the index
TOKENS = "unicode61 remove_diacritics 2"
INDEX_TRIGGERS = ("notes_ai", "notes_ad", "notes_au")  # the only ones that an archive holds

# Of sessions `e` that fit, and the deals `d` that are there. The joins must be done in this order, or SQLite may
# read all events for those of one session.
DEALS = "FROM sessions e CROSS JOIN deals d ON d.session_id = e.id"
THERE = "EXISTS (SELECT 1 FROM deals WHERE session_id = e.id)"
TEXTS = f"""
    SELECT e.id AS session_id, NULL AS deal_id, 'session' AS kind, e.note AS text, e.recorder AS who
    FROM sessions e WHERE e.note IS NOT NULL AND {THERE} AND {{where}}
    UNION ALL SELECT e.id, NULL, 'occasion', trim(coalesce(e.event, '') || coalesce(' ' || e.place, '')
        || coalesce(' ' || e.list, '') || coalesce(' ' || e.table_name, '')), e.recorder
    FROM sessions e WHERE coalesce(e.event, e.place, e.list, e.table_name) IS NOT NULL AND {THERE} AND {{where}}
    UNION ALL SELECT e.id, d.id, 'deal', d.note, NULL {DEALS} WHERE d.note IS NOT NULL AND {{where}}
    UNION ALL SELECT e.id, d.id, 'event', v.verb || coalesce(' ' || v.arg, ''), p.name
    {DEALS} CROSS JOIN events v ON v.deal_id = d.id
    LEFT JOIN seats s ON s.deal_id = d.id AND s.seat = v.seat LEFT JOIN players p ON p.id = s.player_id WHERE {{where}}
    UNION ALL SELECT e.id, d.id, 'correction', c.why, c.author
    {DEALS} CROSS JOIN corrections c ON c.deal_id = d.id WHERE {{where}}
    UNION ALL SELECT e.id, d.id, 'ruling', r.why || coalesce(' (' || r.cite || ')', ''), r.author
    {DEALS} CROSS JOIN rulings r ON r.deal_id = d.id WHERE {{where}}"""
INSERT_NOTES = "INSERT INTO notes (session_id, deal_id, kind, text, who) SELECT * FROM ({texts}) ORDER BY 1, 2, 3, 4, 5"

# Beside what is touched for the facts: sessions of which only words were changed.
_OF_DEAL = "INSERT OR IGNORE INTO touched SELECT 'noted', session_id FROM main.records WHERE id = NEW.deal_id;"
TRIGGERS = {
    "head_changed": "AFTER UPDATE ON main.sessions BEGIN INSERT OR IGNORE INTO touched VALUES ('noted', NEW.id); END",
    "corrected": f"AFTER INSERT ON main.corrections BEGIN {_OF_DEAL} END",
    "ruled": f"AFTER INSERT ON main.rulings BEGIN {_OF_DEAL} END",
}
TOUCHED = "(SELECT id FROM touched WHERE kind IN ('noted', 'session'))"


def refresh_notes(conn: sqlite3.Connection) -> None:
    """Update the notes of what was touched since the last time, if the connection watches."""
    if not conn.execute("SELECT 1 FROM temp.sqlite_master WHERE name = 'touched'").fetchone():
        return
    conn.execute(f"DELETE FROM notes WHERE session_id IN {TOUCHED}")
    conn.execute(INSERT_NOTES.format(texts=TEXTS.format(where=f"e.id IN {TOUCHED}")))


def rebuild_notes(conn: sqlite3.Connection) -> None:
    """Make all notes and their index anew; no word of an earlier note is in the index then."""
    conn.execute("DELETE FROM notes")
    conn.execute(INSERT_NOTES.format(texts=TEXTS.format(where="1")))
    Database(conn, execute_plugins=False).table("notes").rebuild_fts()


def index_notes(db: Database) -> None:
    """Create the index over the table, in place of an earlier one; triggers keep it up to date from then on."""
    for trigger in INDEX_TRIGGERS:
        db.execute(f"DROP TRIGGER IF EXISTS {trigger}")
    db.table("notes").enable_fts(SEARCHED, create_triggers=True, tokenize=TOKENS, replace=True)
