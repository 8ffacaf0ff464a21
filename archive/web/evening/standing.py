"""The standing of an evening: the ranking, the story in sentences, the course of the totals."""

import sqlite3
from functools import partial
from typing import Any

from flask import url_for

from archive.store import session_row, session_verdicts
from archive.text.wording import Texts
from archive.web.request import row_address
from archive.web.session.plot import totals_chart
from archive.web.session.story import story_of_session
from archive.web.vega import draw_plot

FEWEST = 2  # deals that make a course worth drawing


def standing_of(conn: sqlite3.Connection, session: int | None, t: Texts) -> dict[str, Any]:
    """Return the `story` of a session and its `plot`; None before the first deal."""
    head = None if session is None else session_row(conn, session)
    if head is None or not (verdicts := session_verdicts(conn, head["id"])):
        return {"story": None, "plot": None}
    series, story = story_of_session(conn, head, verdicts, t)
    drawn = series is not None and len(series.numbers) >= FEWEST
    address = url_for("session_plot", number=session)
    return {
        "story": story,
        "plot": draw_plot(totals_chart(series, t, partial(row_address, "deal")), address, t)
        if drawn and series
        else None,
    }
