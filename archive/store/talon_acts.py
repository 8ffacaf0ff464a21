"""Draws and acts at talons, filled into an archive that was made without."""

from sqlite_utils import Database

from archive.stats.database import ArchiveError
from archive.store.resettle import judge_session_again
from archive.store.tables import column_names, insert_sql
from archive.store.talon_rows import talon_rows

WITH_TALON = """SELECT DISTINCT d.session_id FROM deals d JOIN rulesets r ON r.id = d.ruleset_id
    WHERE json_extract(r.house, '$.talon') IS NOT NULL ORDER BY 1"""


def add_talon_acts(db: Database) -> None:
    """Fills `talon_acts`. A session whose rules or records cannot be read any more has no rows."""
    for (session,) in db.execute(WITH_TALON).fetchall():
        try:
            judged = judge_session_again(db.conn, session)
        except ArchiveError:
            continue
        rows = [(stored.id, *row.values()) for stored, judgement in judged for row in talon_rows(judgement)]
        db.conn.executemany(insert_sql("talon_acts", column_names("talon_acts")), rows)
