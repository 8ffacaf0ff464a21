"""`/stats`: all questions; `/stats/<name>`: one with its numbers and pictures, of all deals or of a part of them."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from flask import Flask, Response, abort, current_app, render_template, request, url_for
from msgspec import Struct

from archive.store import session_row
from archive.store.asking import Answer, ask
from archive.store.questions import QUESTIONS, Question
from archive.text.wording import Texts, session_title
from archive.web.players.queries import shown_player
from archive.web.rates import FEW
from archive.web.request import CHOICES, DEADLINE, connection, request_texts
from archive.web.stats.answer import ValueWords, answer_table
from archive.web.stats.charts import chart_file, chart_glance, chart_plot, charts_of_answer
from archive.web.stats.page import (
    GLANCE_QUESTIONS,
    MOST_DEALS,
    MOST_ROWS,
    PART_QUESTIONS,
    SHOWN_ROWS,
    RefusedError,
    data_links,
    other_questions,
    parse_parameters,
    part_parameters,
    question_filters,
    question_reading,
    question_subjects,
    question_title,
    subjects_with_cases,
    terminal_command,
)
from archive.web.stats.queries import value_words
from archive.web.vega import Glance

PICTURE = "picture"  # the parameter of a specification: which one of the page


def setup(app: Flask) -> None:
    @app.get("/stats", endpoint="stats")
    def questions() -> str:
        t = request_texts()
        if has_no_deals():
            return render_template(
                "stats/stats.html", subjects=subjects_with_cases(t), plots={}, empty=True, db_name=db_name()
            )
        try:
            subjects, asked = (
                question_subjects(connection(), t),
                ask_all(GLANCE_QUESTIONS),
            )
        except sqlite3.OperationalError:  # what can be asked stands without a number
            return render_template("stats/stats.html", subjects=subjects_with_cases(t), plots={}, empty=False)
        return render_template("stats/stats.html", subjects=subjects, plots=answer_glances(asked, t), empty=False)

    @app.get("/stats/<name>")
    def question(name: str) -> tuple[str, int] | str:
        t, asked_of = request_texts(), _question(name)
        given = _given(asked_of, t)
        page: dict[str, Any] = {
            "name": name, "title": question_title(name, t), "read": question_reading(name, t), "few": FEW,
            "sql_allowed": current_app.config.get("SQL", True), "db_name": db_name(), "asked_of": given,
        }  # fmt: skip
        if has_no_deals():
            return render_template("stats/question.html", **page, answer=None, late=False, part=None, others=[])
        of = _part(given, t)
        page |= {"part": of, "others": other_questions([name], t) if of else []}
        try:
            found = _found(asked_of, given, value_words(connection(), t))
        except sqlite3.OperationalError:
            command = terminal_command(name, given, db_name())
            return render_template(
                "stats/question.html", **page, answer=None, late=True, seconds=DEADLINE, command=command
            ), 503
        return render_template("stats/question.html", **page, late=False, **found)

    @app.get("/stats/<name>/plot.json")
    def question_plot(name: str) -> Response:
        t, asked_of = request_texts(), _question(name)
        given, nth = _given(asked_of, t), request.args.get(PICTURE, 1, int)
        if has_no_deals():
            abort(404, t["no_plot"])
        _part(given, t)
        drawn = charts_of_answer(ask(connection(), name, given, MOST_ROWS), value_words(connection(), t)).each
        if not 0 < nth <= len(drawn):
            abort(404, t["no_plot"])
        return Response(chart_file(drawn[nth - 1], t), content_type="application/json")


def _found(question: Question, given: dict[str, str | int], words: ValueWords) -> dict[str, Any]:
    """All that a page shows of an answer."""
    t, part = words.t, part_parameters(given)
    answer = ask(connection(), question.name, given, MOST_ROWS)
    whole = answer if given == part else ask(connection(), question.name, part, MOST_ROWS)
    drawn = charts_of_answer(answer, words)
    chosen = [
        key
        for key in question.narrow
        if key in given and len({row[answer.columns.index(key)] for row in answer.rows}) < 2
    ]
    return {
        "answer": answer,
        "table": answer_table(answer, words, SHOWN_ROWS, chosen),
        "cut": len(answer.rows) == MOST_ROWS,
        "filters": question_filters(whole, given, words),
        "pictures": drawn,
        "plots_drawn": [
            chart_plot(each, chart_address(question.name, given, n), t) for n, each in enumerate(drawn.each, 1)
        ],
        "links": data_links(answer),
        "values": {key: value for key, value in answer.parameters.items() if value != ""},
    }


def chart_address(name: str, given: Mapping[str, str | int], nth: int) -> str:
    """Of the specification of a picture with its data."""
    return url_for("question_plot", name=name, **{**given, PICTURE: nth})  # type: ignore[arg-type]


def ask_all(names: tuple[str, ...], part: Mapping[str, str | int] | None = None) -> list[Answer]:
    """Of questions that are asked together of the same deals."""
    return [ask(connection(), name, part, MOST_ROWS) for name in names]


def answer_glances(asked: Iterable[Answer], t: Texts) -> dict[str, Glance]:
    """The first picture of each answer, as far as there is one."""
    words = value_words(connection(), t)
    firsts = {each.question.name: next(iter(charts_of_answer(each, words, 1).each), None) for each in asked}
    return {name: chart_glance(each, t) for name, each in firsts.items() if each}


def home_charts(names: tuple[str, ...], t: Texts) -> dict[str, Glance]:
    """The first pictures of questions over all deals, where there is time for them."""
    try:
        return answer_glances(ask_all(names), t)
    except sqlite3.OperationalError:
        return {}


class PartQuestions(Struct, frozen=True):
    """What is asked of the deals of a player or a session, on its page: small pictures, and the other questions."""

    key: str
    number: int
    plots: dict[str, Glance]
    titles: dict[str, str]
    others: list[tuple[str, str]]


def part_questions(key: str, number: int, deals: int, t: Texts) -> PartQuestions:
    """The questions about a `player` or a `session` with so many deals; where they are too many to be counted at once,
    without pictures."""
    names, part = PART_QUESTIONS[key], {key: number}
    try:
        plots = answer_glances(ask_all(names, part), t) if deals <= MOST_DEALS else {}
    except sqlite3.OperationalError:
        plots = {}
    return PartQuestions(
        key,
        number,
        plots,
        {name: question_title(name, t) for name in plots},
        other_questions([*plots], t),
    )


def has_no_deals() -> bool:
    """Whether there is no archive yet, or nothing in it."""
    path = current_app.config["ARCHIVE"]
    return not path.exists() or not connection().execute("SELECT 1 FROM deals LIMIT 1").fetchone()


def db_name() -> str:
    return str(current_app.config["ARCHIVE"].name)


def _question(name: str) -> Question:
    return QUESTIONS.get(name) or abort(404, request_texts()["st_unknown"].format(name=name[:60]))


def _given(question: Question, t: Texts) -> dict[str, str | int]:
    kept = ((key, text) for key, text in request.args.items(multi=True) if key not in (*CHOICES, PICTURE))
    try:
        return parse_parameters(question, kept, t)
    except RefusedError as refused:
        abort(400, str(refused))


def _part(given: dict[str, str | int], t: Texts) -> tuple[str, str, str, str] | None:
    """What is asked of a part: its kind, its name and address, and how that is said. A player is asked of by
    the number that is shown."""
    if "player" in given:
        number = int(given["player"])
        key, name = shown_player(connection(), number) or abort(404, t["no_player"].format(number=number))
        given["player"] = key
        return "player", name, url_for("player", number=key), t["st_of_player"]
    if "session" in given:
        number = int(given["session"])
        row = session_row(connection(), number) or abort(404, t["no_session"].format(number=number))
        return "session", session_title(row["event"], number, t), url_for("session", number=number), t["st_of_session"]
    if "event" in given:
        return "event", str(given["event"]), url_for("sessions", event=given["event"]), t["st_of_event"]
    return None
