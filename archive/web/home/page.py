"""Above the lists of the front page: the evening that is under way, and a deal chosen among the newest ones."""

import sqlite3

from archive.cards import is_known
from archive.notation.corrections import apply_corrections
from archive.settle.rulings import totals_with_rulings
from archive.store import load_deal
from archive.store.live_evenings import is_stale, live_evening
from archive.text.dates import format_day
from archive.text.deal_row import deal_row
from archive.text.wording import Texts, shown_faces
from archive.web.evening.page import amount_words, unit_in_force
from archive.web.evening.queries import evening_rows
from archive.web.home.queries import featured_rows
from archive.web.queries import Facts


def open_evening(conn: sqlite3.Connection, t: Texts) -> Facts | None:
    """Return the newest evening that is open: `id`, `title`, `day` (empty if that is the title), who `leads` with the
    total (empty if not known), how many `deals`. None if none is, or nothing has been written there for hours."""
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
    return {"id": found.id, "title": title, "day": day, "leads": leads, "deals": found.counted}


def featured_deal(conn: sqlite3.Connection, t: Texts) -> Facts | None:
    """Return the first deal, of the first kind that has one, whose hand is known: `why` it is shown, its `row` and
    `faces`, the declarer's `hand` as it was dealt. None if there is none."""
    for why, row in featured_rows(conn):
        loaded, seat = load_deal(conn, row["deal"]), row["seat"]
        if loaded is None or seat is None:
            continue
        head, recorded, _ = loaded
        dealt = apply_corrections(head, recorded)[0].hands
        hand = tuple(dealt[seat - 1] or ()) if dealt else ()
        if hand and all(is_known(card) for card in hand):
            return {"why": t[why], "row": deal_row(row, t), "faces": shown_faces(row["faces"], t), "hand": hand}
    return None
