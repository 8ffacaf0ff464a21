"""`/`: the newest deals, those that fit a search, and what of them needs a look."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from flask import Flask, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from archive.audit.deciding import deciding_in
from archive.store import ArchiveError, judged, session_row
from archive.text.deal_row import deal_row
from archive.text.wording import Texts, session_title
from archive.web.findings.views import DoubtfulDeal, doubtful_deal
from archive.web.request import CHOICES, connection, page_offset, pagination, request_texts
from archive.web.search.filters import (
    DEALS,
    FINDINGS,
    Filters,
    Search,
    SearchNote,
    parse_search,
    search_query,
    shortened,
)
from archive.web.search.form import SearchNames, search_form
from archive.web.search.queries import (
    DEALS_A_PAGE,
    FittingDeals,
    all_player_names,
    deal_rows,
    doubtful_rows,
    find_players_by_name,
    fitting_deals,
    is_archive_empty,
    played_contracts,
    player_name,
    ruleset_titles,
)
from archive.web.stats.page import HOME_QUESTIONS
from archive.web.stats.routes import home_charts

PAGE = DEALS_A_PAGE
LOOKS = 6  # deals that need a look; of the undecidable ones it is worked out what would decide them
NAMES = 300  # players up to which the form offers every name
OFFERED = 50  # players of a name to choose from


def setup(app: Flask) -> None:
    path: Path = app.config["ARCHIVE"]

    @app.get("/")
    def home() -> str:
        t, search = request_texts(), request_search()
        start = page_offset()
        if not path.exists():
            return render_template("home/home.html", fit=None, db_name=path.name)
        fit = fitting_deals(connection(), search, PAGE, start, LOOKS)
        if not fit.count and is_archive_empty(connection()):
            return render_template("home/home.html", fit=None, db_name=path.name)
        kept: dict[str, Any] = dict(search.given)
        return render_template(
            "home/home.html",
            fit=fit,
            doubtful=fit.count - fit.verdicts.get("agrees", 0),
            share=share_that_agrees(fit, t),
            looks=[doubtful_with_facts(row, t) for row in doubtful_rows(connection(), fit.looks)],
            sought=search_form(search, search_names(search), t),
            names=all_player_names(connection(), NAMES),
            search=kept,
            in_list=search_query(search) or None,
            deals=[deal_row(row, t) for row in deal_rows(connection(), fit.deals)],
            first=start + 1,
            last=start + len(fit.deals),
            charts={} if kept or start else home_charts(HOME_QUESTIONS, t),
            **pagination("home", PAGE, start, fit.count, kept),
        )

    @app.get("/search")
    def find() -> Response | str:
        """The form of a search: an address without what is empty, and with the number of the player of that name."""
        of, filters = ("findings", FINDINGS) if request.args.get("of-findings") else ("home", DEALS)
        name = " ".join(request.args.get("name", "").split())
        kept: dict[str, Any] = {key: text for key, text in request.args.items() if key in filters and text.strip()}
        kept.pop("player", None)
        people = find_players_by_name(connection(), name) if name and path.exists() else []
        if name and len(people) != 1:
            return render_template(
                "search/players_found.html",
                name=shortened(name),
                people=people[:OFFERED],
                count=len(people),
                kept=kept,
                of=of,
            )
        for person in people:
            kept["player"] = person["id"]
        if kept.get("role") == "table":  # where everybody is
            del kept["role"]
        order = (key for key in filters if key in kept)
        return redirect(url_for(of, **{key: kept[key] for key in order}))


def request_search(filters: Filters = DEALS) -> Search:
    """The search of this request."""
    search = parse_search(((key, text) for key, text in request.args.items(multi=True) if key not in PAGED), filters)
    start = request.args.get("start", "0")
    ill = [] if start.isascii() and start.isdecimal() else [SearchNote("q_wrong_start", "start", start)]
    return Search(search.given, (*search.told, *ill))


PAGED = {*CHOICES, "start"}


def search_names(search: Search) -> SearchNames:
    """What a search names by number."""
    given = search.given
    session = session_row(connection(), int(given["session"])) if "session" in given else None
    return SearchNames(
        player=player_name(connection(), int(given["player"])) if "player" in given else None,
        session=session_title(session["event"], session["id"], request_texts()) if session else None,
        contracts=played_contracts(connection()),
        rulesets=ruleset_titles(connection()),
    )


def doubtful_with_facts(row: Mapping[str, Any], t: Texts) -> DoubtfulDeal:
    """A deal that needs a look; what would decide it is tried out, where it can be read."""
    deciding: Iterable[str] = ()
    if row["verdict"] == "undecidable":
        try:
            again = judged(connection(), row["deal"])
        except ArchiveError:
            again = None
        deciding = deciding_in(again, t["lang"]) if again else ()
    return doubtful_deal(dict(row), tuple(deciding), t)


def share_that_agrees(fit: FittingDeals, t: Texts) -> str:
    """How many of a hundred agree with their record; never a hundred where one does not."""
    tenths = 1000 * fit.verdicts.get("agrees", 0) // max(fit.count, 1)
    return t["q_percent"].format(whole=tenths // 10, tenth=tenths % 10)
