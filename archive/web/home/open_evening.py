"""The evening that is under way, for the front page: its title, the leader, the number of deals."""

import sqlite3

from msgspec import Struct

from archive.settle.rulings import totals_with_rulings
from archive.store.live_evenings import is_stale, live_evening
from archive.text.dates import format_day
from archive.text.wording import Texts
from archive.web.evening.page import amount_words, unit_in_force
from archive.web.evening.queries import evening_rows


class OpenEvening(Struct, frozen=True):
    """An evening by its number; `day` is empty if that is its title, `leads` if the leader with the
    total is not known."""

    id: int
    title: str
    day: str
    leads: str
    deals: int


def open_evening(conn: sqlite3.Connection, t: Texts) -> OpenEvening | None:
    """Return the newest evening that is open; None if none is, or nothing has been written there for hours."""
    row = next((row for row in evening_rows(conn, 1) if row["closed_at"] is None), None)
    found = live_evening(conn, row["id"]) if row else None
    if found is None or is_stale(found):
        return None
    day, table = format_day(found.head.date or "", t), found.state.table
    here = zip(found.state.players, totals_with_rulings(table) or (), strict=False)
    totals = dict(table.away) | dict(table.settled_away) | dict(here)
    best = max((total for total in totals.values() if total is not None), default=0)
    first = [name for name, total in totals.items() if best and total == best]
    leads = f"{', '.join(first)} {amount_words(best, unit_in_force(found), t)}" if first else ""
    title, day = (found.head.event, day) if found.head.event else (t["ev_title"].format(day=day), "")
    return OpenEvening(found.id, title, day, leads, found.counted)
