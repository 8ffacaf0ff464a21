"""The standing of an evening: the ranking, the story in sentences, the course of the totals."""

import sqlite3
from functools import partial
from typing import Any

from flask import url_for

from archive.store import session_verdicts
from archive.text.wording import Texts
from archive.web.request import row_address
from archive.web.session.plot import totals_chart, totals_series
from archive.web.session.queries import dearest_deal, players_by_seat, total_rows
from archive.web.session.story import evening_story
from archive.web.vega import draw_plot

FEWEST = 2  # deals that make a course worth drawing


def standing_of(conn: sqlite3.Connection, session: int | None, t: Texts) -> dict[str, Any]:
    """Return the `story` of a session and its `plot`; None before the first deal."""
    if session is None or not (verdicts := session_verdicts(conn, session)):
        return {"story": None, "plot": None}
    seats, rows = players_by_seat(conn, session), total_rows(conn, session)
    series = totals_series(rows, {seat: " / ".join(names) for seat, names in seats.items()}, None, t)
    is_paid = series is not None and not series.tallied
    open_seats = [row["seat"] for row in rows if row["deal"] == rows[-1]["deal"] and row["said"]]
    dearest = dearest_deal(conn, session) if is_paid else None
    unit = series.unit if series else None
    story = evening_story(series if is_paid else None, seats, dearest, verdicts, open_seats, unit, t)
    drawn = series is not None and len(series.numbers) >= FEWEST
    address = url_for("session_plot", number=session)
    return {
        "story": story,
        "plot": draw_plot(totals_chart(series, t, partial(row_address, "deal")), address, t)
        if drawn and series
        else None,
    }
