"""Which pages `benchmarks/questions.py` asks for, and what it writes of them."""

import re
import sqlite3
from typing import Any
from urllib.parse import quote

import httpx
from msgspec import Struct

from archive.stats import FACTS, QUESTIONS

TIMED_OUT = re.compile(r"These facets timed out: ([^<]*)")
HIDDEN = ("sqlite_", "_sqlite", "notes_fts_")


SHARED = ("player", "regular", "session", "event", "league")  # with what questions are asked of


class Chosen(Struct, frozen=True):
    """What pages are asked of: players and events with usual and with most deals, a session, a deal."""

    player: int
    regular: int
    session: int
    event: str
    league: str
    deal: int


def tables(conn: sqlite3.Connection) -> list[str]:
    """The first page of every table and view, with the facets that it has."""
    facts = {each.name for each in FACTS}
    sql = "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY type, name"
    names = [row[0] for row in conn.execute(sql) if not row[0].startswith(HIDDEN) and row[0] not in facts]
    return ["/data", *(f"/data/{name}" for name in names)]


def viewer(chosen: Chosen) -> list[str]:
    """Pages of the viewer, of what is usual and of what there is most of."""
    event, league = quote(chosen.event), quote(chosen.league)
    return [
        "/",
        "/?contract=solo&result=won",
        "/?contract=rufspiel",
        "/?verdict=look",
        "/?runners=3",
        f"/?player={chosen.player}&role=declarer",
        f"/?player={chosen.regular}&role=declarer",
        f"/?event={event}",
        f"/?event={league}",
        "/?since=2010&until=2012",
        "/?note=garden",
        f"/deals/{chosen.deal}",
        f"/deals/{chosen.deal}?list={quote('contract=solo')}",
        "/sessions",
        "/sessions?event=turnier",
        f"/sessions/{chosen.session}",
        "/players",
        "/players?q=spieler17",
        "/players?by=name",
        f"/players/{chosen.player}",
        f"/players/{chosen.regular}",
        "/findings",
        "/findings?rule=must-follow",
        f"/findings?player={chosen.regular}",
        "/rulesets/bavarian",
        *stats(chosen),
    ]


def stats(chosen: Chosen) -> list[str]:
    """The pages of the standard questions."""
    parts = ("", f"player={chosen.player}", f"player={chosen.regular}", f"session={chosen.session}")
    names = [next(name for name, each in QUESTIONS.items() if each.subject == subject)
             for subject in dict.fromkeys(each.subject for each in QUESTIONS.values())]  # fmt: skip
    return ["/stats", *(f"/stats/{name}{'?' if part else ''}{part}" for name in names for part in parts)]


def missing(answer: httpx.Response) -> tuple[str, ...]:
    """The facets of a table page that were not counted in time."""
    found: Any = TIMED_OUT.search(answer.text)
    return tuple(found.group(1).split(", ")) if found else ()
