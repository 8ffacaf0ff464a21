"""The pages and parts of an archive that `processor_time` and `questions` ask for."""

import re
import sqlite3
from typing import Any

from msgspec import Struct

from archive.stats import FACTS

TIMED_OUT = re.compile(r"These facets timed out: ([^<]*)")
HIDDEN = ("sqlite_", "_sqlite", "notes_fts_", "large_")


class Choice(Struct, frozen=True):
    """The subjects of the questions: the rules and contract that most deals have, players, sessions, events."""

    rules: str
    contract: str
    player: int  # one with as many deals as half of them have
    regular: int  # the one with most
    session: int
    event: str  # the middle one by its deals
    league: str  # the largest
    deal: int

    def parts(self) -> dict[str, dict[str, str | int]]:
        """Return parameters of a question, by the part of the archive that they select."""
        return {"session": {"session": self.session}, "player": {"player": self.player}, "event": {"event": self.event},
                "regular": {"player": self.regular}, "league": {"event": self.league}}  # fmt: skip


def choose(conn: sqlite3.Connection) -> Choice:
    """Return subjects chosen by their numbers of deals."""

    def of(sql: str, at: float) -> Any:
        rows = conn.execute(sql).fetchall()
        return rows[int(at * (len(rows) - 1))][0]

    players = "SELECT player FROM player_facts GROUP BY player ORDER BY sum(deals), player"
    events = """SELECT e.event FROM session_facts f JOIN sessions e ON e.id = f.session WHERE e.event IS NOT NULL
        GROUP BY e.event ORDER BY sum(f.deals), e.event"""
    session = of("SELECT session FROM session_facts GROUP BY session ORDER BY sum(deals), session", 0.5)
    rules, contract = (
        of(f"SELECT {name} FROM contract_facts GROUP BY {name} ORDER BY sum(deals)", 1)
        for name in ("rules", "contract")
    )
    (deal,) = conn.execute("SELECT id FROM deals WHERE session_id = ?", (session,)).fetchone()
    return Choice(rules, contract, of(players, 0.5), of(players, 1), session, of(events, 0.5), of(events, 1), deal)


def table_pages(conn: sqlite3.Connection) -> list[str]:
    """Return the first page of every table and view, with the facets that it has."""
    facts = {table.name for table in FACTS}
    sql = "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY type, name"
    names = [row[0] for row in conn.execute(sql) if not row[0].startswith(HIDDEN) and row[0] not in facts]
    return ["/data", *(f"/data/{name}" for name in names)]


def missing_facets(text: str) -> tuple[str, ...]:
    """Return the facets of a table page that were not counted in time."""
    match = TIMED_OUT.search(text)
    return tuple(match[1].split(", ")) if match else ()
