"""`/`: the evening under way, the newest deals, those that fit a search, and those of them that need attention."""

from typing import Any

from flask import Flask, render_template

from archive.text.deal_row import deal_row
from archive.text.wording import Texts
from archive.web.findings.views import doubtful_deal
from archive.web.home.page import featured_deal, open_evening
from archive.web.queries import people_of_deals
from archive.web.request import connection, has_deals, page_offset, pagination, request_texts
from archive.web.search.filters import search_query
from archive.web.search.form import search_form
from archive.web.search.queries import (
    DEALS_A_PAGE,
    MOST,
    FittingDeals,
    all_player_names,
    deal_rows,
    doubtful_rows,
    fitting_deals,
)
from archive.web.search.routes import NAMES, request_search, search_names
from archive.web.stats.glances import home_charts
from archive.web.stats.page import HOME_QUESTIONS

PAGE = DEALS_A_PAGE
LOOKS = 6  # deals that need attention


def setup(app: Flask) -> None:
    @app.get("/")
    def home() -> str:
        t, search, start = request_texts(), request_search(), page_offset()
        if not has_deals():
            return empty_page()
        conn = connection()
        fit = fitting_deals(conn, search, PAGE, start, LOOKS)
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
            doubtful=min(doubtful, MOST) if fit.more else doubtful,
            more_doubtful=fit.more and doubtful > MOST,
            share=share_that_agrees(fit, t),
            looks=[doubtful_deal(row, people.get(row["deal"], {}), t) for row in doubtful_rows(conn, fit.looks)],
            form=search_form(search, search_names(search), t),
            names=all_player_names(conn, NAMES),
            search=values,
            in_list=search_query(search) or None,
            people=people,
            deals=[deal_row(row, t) for row in deal_rows(conn, fit.deals)],
            featured=featured,
            now=None if values or start else open_evening(conn, t),
            charts={} if values or start else home_charts(HOME_QUESTIONS, t),
            **pagination("home", PAGE, start, known, values),
        )


def empty_page() -> str:
    """Return the page of an archive that is not there yet, or has no deals."""
    return render_template("home/home.html", fit=None)


def share_that_agrees(fit: FittingDeals, t: Texts) -> str:
    """Return how many of a hundred deals agree with their record; never a hundred if one does not."""
    tenths = 1000 * fit.verdicts.get("agrees", 0) // max(fit.count, 1)
    return t["q_percent"].format(whole=tenths // 10, tenth=tenths % 10)
