"""`/`: the newest deals, those that fit a search, and what of them needs a look."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from flask import Flask, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from archive.audit.deciding import deciding_in
from archive.store import ArchiveError, judged, session_row
from archive.web import entries, found, queries, stats
from archive.web.asked import CHOICES, archive, first_row, texts_of_request, turns
from archive.web.pages.stats import charts
from archive.web.search import DEALS, FINDINGS, Filters, Search, Told, query, read, short
from archive.web.sought import Known, sought
from archive.web.view import session_title
from archive.web.wording import Texts

PAGE = queries.PAGE
LOOKS = 6  # deals that need a look; of the undecidable ones it is worked out what would decide them
NAMES = 300  # players up to which the form offers every name
OFFERED = 50  # players of a name to choose from


def setup(app: Flask) -> None:
    path: Path = app.config["ARCHIVE"]

    @app.get("/")
    def home() -> str:
        t, search = texts_of_request(), asked()
        start = first_row()
        if not path.exists():
            return render_template("home.html", fit=None, db_name=path.name)
        fit = queries.fitting(archive(), search, PAGE, start, LOOKS)
        if not fit.count and queries.is_empty(archive()):
            return render_template("home.html", fit=None, db_name=path.name)
        kept: dict[str, Any] = dict(search.given)
        return render_template(
            "home.html",
            fit=fit,
            doubtful=fit.count - fit.verdicts.get("agrees", 0),
            share=share(fit, t),
            looks=[look(row, t) for row in queries.told_of(archive(), fit.looks)],
            sought=sought(search, known(search), t),
            names=queries.shown_names(archive(), NAMES),
            search=kept,
            in_list=query(search) or None,
            deals=[entries.listed(row, t) for row in queries.deal_rows(archive(), fit.deals)],
            first=start + 1,
            last=start + len(fit.deals),
            charts={} if kept or start else charts(stats.OF_HOME, t),
            **turns("home", PAGE, start, fit.count, kept),
        )

    @app.get("/search")
    def find() -> Response | str:
        """The form of a search: an address without what is empty, and with the number of the player of that name."""
        of, filters = ("findings", FINDINGS) if request.args.get("of-findings") else ("home", DEALS)
        name = " ".join(request.args.get("name", "").split())
        kept: dict[str, Any] = {key: text for key, text in request.args.items() if key in filters and text.strip()}
        kept.pop("player", None)
        people = queries.people(archive(), name) if name and path.exists() else []
        if name and len(people) != 1:
            return render_template(
                "players_found.html", name=short(name), people=people[:OFFERED], count=len(people), kept=kept, of=of
            )
        for person in people:
            kept["player"] = person["id"]
        if kept.get("role") == "table":  # where everybody is
            del kept["role"]
        order = (key for key in filters if key in kept)
        return redirect(url_for(of, **{key: kept[key] for key in order}))


def asked(filters: Filters = DEALS) -> Search:
    """The search of this request."""
    search = read(((key, text) for key, text in request.args.items(multi=True) if key not in PAGED), filters)
    start = request.args.get("start", "0")
    ill = [] if start.isascii() and start.isdecimal() else [Told("q_wrong_start", "start", start)]
    return Search(search.given, (*search.told, *ill))


PAGED = {*CHOICES, "start"}


def known(search: Search) -> Known:
    """What a search names by number."""
    given = search.given
    session = session_row(archive(), int(given["session"])) if "session" in given else None
    return Known(
        player=queries.name_of(archive(), int(given["player"])) if "player" in given else None,
        session=session_title(session["event"], session["id"], texts_of_request()) if session else None,
        contracts=queries.contracts(archive()),
        rulesets=queries.rulesets(archive()),
    )


def look(row: Mapping[str, Any], t: Texts) -> found.Look:
    """A deal that needs a look; what would decide it is tried out, where it can be read."""
    deciding: Iterable[str] = ()
    if row["verdict"] == "undecidable":
        try:
            again = judged(archive(), row["deal"])
        except ArchiveError:
            again = None
        deciding = deciding_in(again, t["lang"]) if again else ()
    return found.look(dict(row), tuple(deciding), t)


def share(fit: queries.Fitting, t: Texts) -> str:
    """How many of a hundred agree with their record; never a hundred where one does not."""
    tenths = 1000 * fit.verdicts.get("agrees", 0) // max(fit.count, 1)
    return t["q_percent"].format(whole=tenths // 10, tenth=tenths % 10)
