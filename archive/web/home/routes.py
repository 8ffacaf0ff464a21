"""`/`: the evening under way, a deal chosen among the newest ones, the newest deals, those that fit a search, and those
of them that need attention."""

import sqlite3
from typing import Any

from flask import Flask, render_template

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
from archive.web.findings.routes import doubtful_deal
from archive.web.home.queries import featured_rows
from archive.web.queries import Facts, people_of_deals
from archive.web.request import connection, has_deals, page_offset, pagination, request_texts
from archive.web.search import queries
from archive.web.search.filters import search_query
from archive.web.search.routes import NAMES, request_search, search_form, search_names
from archive.web.stats.glances import home_charts

PAGE = queries.DEALS_A_PAGE
LOOKS = 6  # deals that need attention


def setup(app: Flask) -> None:
    @app.get("/")
    def home() -> str:
        t, search, start = request_texts(), request_search(), page_offset()
        if not has_deals():
            return render_template("home/home.html", fit=None)
        conn = connection()
        fit = queries.fitting_deals(conn, search, PAGE, start, LOOKS)
        values: dict[str, Any] = dict(search.given)
        doubtful = sum(number for verdict, number in fit.verdicts.items() if verdict != "agrees")
        known = (
            start + len(fit.deals) + (len(fit.deals) == PAGE) if fit.more else fit.count
        )  # which shows that there is another page
        featured = None if values or start else featured_deal(conn, t)
        people = people_of_deals(conn, [*fit.deals, *fit.looks, *([featured["row"].id] if featured else [])])
        return render_template(
            "home/home.html",
            fit=fit,
            doubtful=min(doubtful, queries.MOST) if fit.more else doubtful,
            more_doubtful=fit.more and doubtful > queries.MOST,
            share=share_that_agrees(fit, t),
            looks=[
                doubtful_deal(row, people.get(row["deal"], {}), t) for row in queries.doubtful_rows(conn, fit.looks)
            ],
            form=search_form(search, search_names(search), t),
            names=queries.all_player_names(conn, NAMES),
            search=values,
            in_list=search_query(search) or None,
            people=people,
            deals=[deal_row(row, t) for row in queries.deal_rows(conn, fit.deals)],
            featured=featured,
            now=None if values or start else open_evening(conn, t),
            charts={} if values or start else home_charts(t),
            **pagination("home", PAGE, start, known, values),
        )


def share_that_agrees(fit: queries.FittingDeals, t: Texts) -> str:
    """Return how many of a hundred deals agree with their record; never a hundred if one does not."""
    tenths = 1000 * fit.verdicts.get("agrees", 0) // max(fit.count, 1)
    return t["q_percent"].format(whole=tenths // 10, tenth=tenths % 10)


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
