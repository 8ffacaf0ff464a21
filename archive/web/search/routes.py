"""The search of a request, and `/search`: the form of a search leads to its list."""

from typing import Any
from urllib.parse import parse_qsl

from flask import Flask, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from archive.say.message import nearest
from archive.store import session_row
from archive.text.wording import session_title
from archive.web.queries import Facts, shown_player
from archive.web.request import CHOICES, connection, has_archive, request_texts
from archive.web.search.asked_words import asked_filters, session_named, with_role
from archive.web.search.filters import Filters, Search, SearchNote, parse_search, shorten
from archive.web.search.form import SearchNames
from archive.web.search.queries import (
    DEALS,
    FINDINGS,
    all_player_names,
    find_players_by_name,
    is_event,
    played_contracts,
    ruleset_titles,
)

NAMES = 300  # players up to which the form offers every name
OFFERED = 50  # players of a name to choose from
PAGED = {*CHOICES, "start"}  # keys of an address that are no filter


def setup(app: Flask) -> None:
    @app.get("/search")
    def find() -> Response | str:
        """Lead from the form of a search to an address without empty values, and with the number of the player of that
        name."""
        if "q" in request.args:
            return _answer_line(" ".join(request.args["q"].split())[:200])
        of, filters = ("findings", FINDINGS) if request.args.get("of-findings") else ("home", DEALS)
        name = " ".join(request.args.get("name", "").split())
        values: dict[str, Any] = {key: text for key, text in request.args.items() if key in filters and text.strip()}
        values.pop("player", None)
        people = find_players_by_name(connection(), name) if name and has_archive() else []
        if name and len(people) != 1:
            return _players_found(name, people, values, of)
        for person in people:
            values["player"] = person["id"]
        if values.get("role") == "table":  # where everybody is
            del values["role"]
        order = (key for key in filters if key in values)
        return redirect(url_for(of, **{key: values[key] for key in order}))


def _answer_line(text: str) -> Response | str:
    """Lead from a line of words to the page of a player if it only names one, to the evenings that it only names, or to
    the deals that it describes."""
    if not text or not has_archive():
        return redirect(url_for("home"))
    if (session := session_named(text)) is not None and session_row(connection(), session):
        return redirect(url_for("session", number=session))
    asked, left = asked_filters(connection(), text)
    filters: dict[str, Any] = dict(asked.items())
    people = find_players_by_name(connection(), left) if left else []
    if len(people) == 1 and not filters:
        return redirect(url_for("player", number=people[0]["id"]))
    if left and not people and is_event(connection(), left):
        return redirect(url_for("home", **filters, event=left) if filters else url_for("sessions", event=left))
    if left and len(people) != 1:
        return _players_found(left, people, with_role(filters, []))
    chosen: dict[str, Any] = with_role(filters, people)
    return redirect(url_for("home", **{key: chosen[key] for key in DEALS if key in chosen}))


def _players_found(name: str, people: list[Facts], kept: dict[str, Any], of: str = "home") -> str:
    """Return the page of the players of a name, of whom one is to be chosen; if nobody has it, of the nearest one."""
    near = nearest(name, all_player_names(connection(), NAMES)) if has_archive() and not people else None
    others = find_players_by_name(connection(), near) if near else people[:OFFERED]
    return render_template(
        "search/players_found.html", name=shorten(name), near=near, people=others, count=len(people), kept=kept, of=of
    )


def request_search(filters: Filters = DEALS) -> Search:
    """Return the search of this request."""
    search = parse_search(((key, text) for key, text in request.args.items(multi=True) if key not in PAGED), filters)
    start = request.args.get("start", "0")
    ill = [] if start.isascii() and start.isdecimal() else [SearchNote("q_wrong_start", "start", start)]
    return Search(search.given, (*search.notes, *ill))


def search_names(search: Search) -> SearchNames:
    """Return the names behind the numbers of a search."""
    values = search.given
    player = shown_player(connection(), int(values["player"])) if "player" in values else None
    session = session_row(connection(), int(values["session"])) if "session" in values else None
    return SearchNames(
        player=player[1] if player else None,
        session=session_title(session["event"], session["id"], request_texts()) if session else None,
        contracts=played_contracts(connection()),
        rulesets=ruleset_titles(connection(), request_texts()["lang"]),
    )


def search_of_list(text: str) -> Search:
    """Return the search of a list that an address names; an empty one if any of it is ill-formed."""
    try:
        search = parse_search(parse_qsl(text, keep_blank_values=True, max_num_fields=len(DEALS)), DEALS)
    except ValueError:  # too many
        return Search()
    return Search() if search.notes else search
