"""`/stats`: all questions; `/stats/<name>`: one with its numbers and pictures, of all deals or of a part of them;
`/stats/year-YYYY.html`: the report of a year as one page, to print or to send."""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Any, get_args

from flask import Flask, Response, abort, current_app, render_template, request, url_for
from msgspec.structs import replace

from archive.judge.types import Basis
from archive.say import say
from archive.stats import QUESTIONS, Question
from archive.stats.coverage import ask_coverage, coverage_notes
from archive.stats.fact_tables import DAYS, PLACES, WHERE
from archive.stats.query import Answer, answer_by_narrowing, answer_question
from archive.stats.texts import all_texts as question_words
from archive.store import read_once, session_row
from archive.store.row_values import row_number
from archive.text.season_report import season_html, season_report, season_word, years_of
from archive.text.wording import Texts, session_title
from archive.web import request as requests
from archive.web.api.problem import RETRY
from archive.web.queries import has_event, shown_player, unknown_name
from archive.web.rates import FEW
from archive.web.stats import page as views
from archive.web.stats.answer import Facts, ValueWords
from archive.web.stats.glances import answer_glances, ask_all, charts_of_answer
from archive.web.stats.queries import fact_cases, value_words
from archive.web.vega import chart_file, draw_plot

PICTURE = "picture"  # the parameter of a specification: which one of the page
YEARS = 3  # with reports on offer
VIEW = ("sort", "rows", "start")  # parameters of the table alone


def setup(app: Flask) -> None:
    @app.get("/stats", endpoint="stats")
    def questions() -> str:
        t, cases, plots = requests.request_texts(), None, {}
        if requests.has_deals():
            with suppress(sqlite3.OperationalError):  # then the questions stand without their numbers of cases
                counted = None if requests.is_uncounted() else fact_cases(requests.connection())
                cases, plots = counted, answer_glances(ask_all(views.GLANCE_QUESTIONS), t)
        years = years_of(requests.connection())[:YEARS] if cases else []
        seasons = [(year, season_word("download", t["lang"], year=year)) for year in years]
        subjects = views.question_subjects(t, cases)
        return render_template(
            "stats/stats.html", subjects=subjects, plots=plots, empty=not requests.has_deals(), seasons=seasons
        )

    @app.get("/stats/<name>")
    def question(name: str) -> tuple[str, int, dict[str, str]] | str:
        t, asked_of = requests.request_texts(), _question(name)
        given, words = _request_parameters(asked_of, t), question_words().questions[name]
        page: dict[str, Any] = {
            "name": name, "title": words.title.of(t["lang"]), "read": words.read.of(t["lang"]), "few": FEW,
            "sql_allowed": current_app.config.get("SQL", True), "asked_of": given, "part": None, "span": "",
            "parts": {}, "others": [], "filters": [], "view": {}, "answer": None, "late": False,
        }  # fmt: skip
        if not requests.has_deals():
            return render_template("stats/question.html", **page)
        page |= {"part": _request_part(given, t), "span": views.span_words(given, t) if given.keys() & {*DAYS} else ""}
        if parts := views.part_parameters(given):
            page |= {
                "parts": parts,
                "others": [(each, views.question_title(each, t)) for each in QUESTIONS if each != name],
            }
        try:
            page |= _answer_facts(asked_of, given, value_words(requests.connection(), t))
        except sqlite3.OperationalError:
            page |= {
                "late": True,
                "filters": [views.basis_filter(given, t)],
                "seconds": requests.DEADLINE,
                "command": views.terminal_command(name, given, current_app.config["ARCHIVE"].name),
            }
            return render_template("stats/question.html", **page), 503, RETRY
        return render_template("stats/question.html", **page)

    @app.get("/stats/<name>/plot.json")
    def question_plot(name: str) -> Response:
        t, asked_of = requests.request_texts(), _question(name)
        given, nth = _request_parameters(asked_of, t), request.args.get(PICTURE, 1, int)
        if not requests.has_deals():
            abort(404, t["no_plot"])
        _request_part(given, t)
        drawn = charts_of_answer(
            answer_question(requests.connection(), name, given, views.MOST_ROWS), value_words(requests.connection(), t)
        ).charts
        if not 0 < nth <= len(drawn):
            abort(404, t["no_plot"])
        return Response(chart_file(drawn[nth - 1], t), content_type="application/json")

    setup_year(app)


def setup_year(app: Flask) -> None:
    """Add the report of a year."""

    @app.get("/stats/year-<int(fixed_digits=4):year>.html")
    def season(year: int) -> Response:
        language = requests.request_texts()["lang"]
        if str(year) not in years_of(requests.connection()):
            abort(404, season_word("nothing", language))
        page = season_html(
            season_report(requests.connection(), str(year), None, language), date.today().isoformat(), language
        )
        return requests.download(page, f"{year}.html", requests.HTML)


def _answer_facts(question: Question, given: dict[str, str | int], words: ValueWords) -> dict[str, Any]:
    """Return everything that a page shows of an answer."""
    t, part = words.t, views.part_parameters(given)
    deals_at = partial(deals_address, question.name, given, {})
    words = replace(words, deals_at=deals_at, mark_at=partial(mark_address, deals_at, given))
    answer = answer_question(requests.connection(), question.name, given, views.MOST_ROWS)
    whole = answer
    if given != part:
        conn, key = requests.connection(), ("narrowed", question.name, *part.items())
        whole = read_once(conn, key, lambda: answer_by_narrowing(conn, question.name, part, views.MOST_ROWS))
    drawn, kept = charts_of_answer(answer, words), dict[str, Any](name=question.name, **given)
    return {
        "answer": answer,
        **_table_facts(answer, given, words),
        "cut": len(answer.rows) == views.MOST_ROWS,
        "filters": [*views.question_filters(whole, given, words), views.basis_filter(given, t)],
        "notes": [
            say(note, t["lang"]) for note in coverage_notes(ask_coverage(requests.connection(), question.name, given))
        ],
        "pictures": drawn,
        "plots_drawn": [
            draw_plot(each, url_for("question_plot", **(kept | {PICTURE: n})), t, len(drawn.charts) == 1)
            for n, each in enumerate(drawn.charts, 1)
        ],
        "links": views.data_links(answer, f"{request.script_root}/data"),
        "values": {key: value for key, value in answer.parameters.items() if value != ""},
    }


def _table_facts(answer: Answer, given: Mapping[str, str | int], words: ValueWords) -> dict[str, Any]:
    """Return the table of an answer in the order and on the page that the address names, with the addresses of the
    other rows."""
    name, count = answer.question.name, len(answer.rows)
    sort, whole = request.args.get("sort", ""), request.args.get("rows") == "all"
    shown = [column for column in answer.columns if views.is_shown(column, answer.columns)]
    if sort and sort.removeprefix("-") not in shown:
        abort(400, words.t["st_no_column"].format(name=sort[:40], can=", ".join(shown)))
    start, length = (0, views.ALL_ROWS) if whole else (requests.page_offset(), views.PAGE_ROWS)
    start = start if start < count else 0
    parameters = {"name": name, **given}

    def sort_at(order: str) -> str:
        return url_for("question", **parameters, sort=order, rows="all" if whole else None)  # type: ignore[arg-type]

    table = views.answer_table(answer, words, views.TableView(sort, start, length), sort_at)
    kept = parameters | ({"sort": sort} if sort else {})
    return {
        "table": table,
        "view": {"sort": sort, "rows": "all" if whole else ""},
        "all_rows": None if whole else url_for("question", **kept, rows="all"),  # type: ignore[arg-type]
        "page_rows": url_for("question", **kept) if whole and count > views.PAGE_ROWS else None,  # type: ignore[arg-type]
        **requests.pagination("question", length, start, min(count, views.ALL_ROWS) if whole else count, kept),
    }


def deals_address(
    name: str, given: Mapping[str, str | int], known: dict[tuple[tuple[str, str], ...], str], row: Facts
) -> str:
    """Return the address of the list of the deals that a row of an answer counts; empty if there is none. `known` are
    those of the rows before, which the table and the pictures of a page share."""
    search = views.deals_search(name, row, given)
    if (key := tuple(search.items())) not in known:
        known[key] = url_for("home", **search) if search else ""  # type: ignore[arg-type]
    return known[key]


def mark_address(deals_at: Callable[[Facts], str], given: Mapping[str, str | int], row: Facts) -> str:
    """Return the address that the mark of a row leads to: its deals, else the deal that it begins with, else its
    session or player."""
    if address := deals_at(row):
        return address
    for column, endpoint in (("first_deal", "deal"), ("session", "session"), ("player", "player")):
        if row.get(column) is not None and column not in given:
            return requests.row_address(endpoint, row[column])
    return ""


def _question(name: str) -> Question:
    return QUESTIONS.get(name) or abort(404, requests.request_texts()["st_unknown"].format(name=name[:60]))


def _request_parameters(question: Question, t: Texts) -> dict[str, str | int]:
    """Return the parameters of a question, from the address."""
    parameters: dict[str, str | int] = {}
    known = (*question.narrow, *WHERE)
    for key, text in request.args.items(multi=True):
        if key in (*requests.CHOICES, *VIEW, PICTURE):
            continue
        if key not in known:
            abort(400, t["st_ill"].format(key=key[:40], can=", ".join(known)))
        value = row_number(text) if key in ("player", "session") else text
        if text and value is None:
            abort(400, t["st_no_number"].format(key=key))
        if text and value is not None:
            parameters[key] = value
    if len(parameters.keys() & {*PLACES}) > 1:
        abort(400, t["st_one"])
    if requests.has_deals() and (found := unknown_name(requests.connection(), parameters)):
        abort(404, t["st_no_name"].format(name=parameters[found[0]], can=found[1]))
    if (basis := parameters.get("basis", "cards")) not in get_args(Basis):
        abort(400, t["rk_no_basis"].format(basis=basis))
    return parameters | {key: day for key, day in zip(DAYS, requests.asked_days(), strict=True) if day}


def _request_part(given: dict[str, str | int], t: Texts) -> tuple[str, str, str, str] | None:
    """Return the part of the archive in the address: kind, name, address, and its title. The number of a player is the
    one that is shown."""
    if "player" in given:
        number = int(given["player"])
        key, name = shown_player(requests.connection(), number) or abort(404, t["no_player"].format(number=number))
        given["player"] = key
        return "player", name, url_for("player", number=key), t["st_of_player"]
    if "session" in given:
        number = int(given["session"])
        row = session_row(requests.connection(), number) or abort(404, t["no_session"].format(number=number))
        return "session", session_title(row["event"], number, t), url_for("session", number=number), t["st_of_session"]
    if "event" in given:
        if not has_event(requests.connection(), str(given["event"])):
            abort(404, t["no_event"].format(event=given["event"]))
        return "event", str(given["event"]), url_for("sessions", event=given["event"]), t["st_of_event"]
    if "basis" in given:
        basis = str(given["basis"])
        return "basis", t[f"basis_{basis}"], url_for("home", basis=basis), t["st_of_basis"]
    return None
