"""`/sessions`: all sessions; `/sessions/<id>`: the score sheet of one, its plot, and the proof that it adds up."""

import sqlite3
from functools import partial
from io import StringIO
from typing import Any

from flask import Flask, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from archive.record import say_finding
from archive.rules import UNKNOWN, installed_rulesets
from archive.store import (
    export_outcomes,
    export_toml,
    first_break,
    session_bases,
    session_row,
    session_rows,
    session_verdicts,
    standing_rows,
)
from archive.store.readings import SHEET as SCORE_SHEET
from archive.store.readings import sheet_of_session
from archive.store.resettle import judge_session_again
from archive.store.save import save_file
from archive.store.saved_files import SaidOfFile
from archive.text.file_names import file_name
from archive.text.session_ledger import ranked_standings
from archive.text.session_sheet import deals_by_person, in_euros, names_by_seat, session_line, session_sheet
from archive.text.understood import understand
from archive.text.wording import Texts
from archive.web import request as requests
from archive.web.doors.guard import author, demands, doors, hidden_from_visitor, may, writing_archive
from archive.web.findings.routes import reason_and_moment
from archive.web.queries import Facts, people_of_deals, player_numbers
from archive.web.session import queries
from archive.web.session.closing import closing_of, story_of_session
from archive.web.session.plot import totals_chart
from archive.web.stats.glances import part_questions
from archive.web.upload.page import HEAD, SECONDS, Upload, head_question, mapping_text, read_upload
from archive.web.vega import chart_file, draw_plot

SHEET = 200  # deals on a page of a session
PAGE = 50  # sessions on a page of the list


def setup(app: Flask) -> None:
    @app.get("/sessions")
    def sessions() -> str:
        start, t = requests.page_offset(), requests.request_texts()
        days = dict(zip(("since", "until"), requests.asked_days(), strict=True))
        parameters = {"event": request.args.get("event", "").strip(), **days}
        rows, total = queries.find_sessions(requests.connection(), parameters, PAGE, start)
        return render_template(
            "session/sessions.html",
            sessions=[session_line(row, t) for row in rows],
            events=_events(rows),
            chosen=parameters,
            total=total,
            **requests.pagination(
                "sessions", PAGE, start, total, {key: text for key, text in parameters.items() if text}
            ),
        )

    @app.get(f"/sessions/{requests.NUMBER}")
    def session(number: int) -> str:
        return session_page(number)

    @app.get(f"/sessions/{requests.NUMBER}/end", endpoint="session_end")
    def end(number: int) -> str:
        t = requests.request_texts()
        session_or_404(number)
        closing = closing_of(requests.connection(), number, t)
        return render_template("session/end.html", number=number, closing=closing)

    setup_files(app)
    setup_rules(app)


def session_page(number: int) -> str:
    """Return the page of a session: its sheet, its standings, its story and its plot."""
    start, t = requests.page_offset(), requests.request_texts()
    head, verdicts = session_or_404(number)
    rows = deals_by_person(session_rows(requests.connection(), number, SHEET, start))
    broken, bases = first_break(requests.connection(), number), session_bases(requests.connection(), number)
    sheet = session_sheet(head, rows, in_euros(t), broken, verdicts, start, bases)
    address = url_for("session_plot", number=number)
    near, sitting = queries.neighbour_sessions(requests.connection(), head), names_by_seat(rows)
    numbers = player_numbers(requests.connection(), [name for each in sitting for name in each])
    standings = ranked_standings(*standing_rows(requests.connection(), number), t)
    course, story = story_of_session(requests.connection(), head, verdicts, t)
    unit = next((row["unit"] for deal in rows for row in deal["ledger"]), head["unit"])
    doubtful = [entry.deal.id for entry in sheet.entries if entry.deal.verdict != "agrees"]
    people_of = people_of_deals(requests.connection(), [entry.deal.id for entry in sheet.entries])
    reasons = {
        deal: reason_and_moment(
            each, unit, next((finding.faces for finding in each.findings), "german"), people_of.get(deal), t
        )
        for deal, each in queries.stored_reasons(requests.connection(), doubtful).items()
    }
    return render_template(
        "session/session.html",
        session=sheet,
        standings=standings,
        story=story,
        reasons=reasons,
        people_of=people_of,
        event=head["event"],
        seats_of=[[(name, numbers[name]) for name in each] for each in sitting],
        people=player_numbers(requests.connection(), [row.player for row in standings]),
        near=[each and session_line(each, t) for each in near],
        kept=sheet_question(requests.connection(), number, t),
        rules=installed_rulesets(),
        plot=draw_plot(totals_chart(course, t, partial(requests.row_address, "deal")), address, t) if course else None,
        questions=part_questions("session", number, sheet.count, t),
        **requests.pagination("session", SHEET, start, sheet.count, {"number": number}),
    )


def setup_files(app: Flask) -> None:
    """Add a session as files, and the data of its plot."""

    @app.get(f"/sessions/{requests.NUMBER}.toml")
    def session_toml(number: int) -> Response:
        session_or_404(number)
        text = export_toml(requests.connection(), number) or abort(404)
        return requests.download(text, f"session-{number}.toml", "application/toml; charset=utf-8")

    @app.get(f"/sessions/{requests.NUMBER}.csv")
    def session_csv(number: int) -> Response:
        session_or_404(number)
        text = StringIO()
        export_outcomes(requests.connection(), text, number)
        return requests.download(text.getvalue(), f"session-{number}.csv", "text/csv; charset=utf-8")

    @app.get(f"/sessions/{requests.NUMBER}/plot.json")
    def session_plot(number: int) -> Response:
        t = requests.request_texts()
        course, _ = story_of_session(requests.connection(), *session_or_404(number), t)
        chart = totals_chart(course or abort(404, t["no_plot"]), t)
        return Response(chart_file(chart, t), content_type="application/json")


def session_or_404(number: int) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the row of a session, and the verdicts of its deals. Ends the request if its file was taken back: then
    there is nothing to add up."""
    head, verdicts = session_row(requests.connection(), number), session_verdicts(requests.connection(), number)
    if head is None or not verdicts:
        abort(404, requests.request_texts()["no_session"].format(number=number))
    return head | {"path": file_name(head["path"])}, verdicts


def _events(rows: list[dict[str, Any]]) -> list[str]:
    """Return the events that sessions are tables or lists of."""
    return list(dict.fromkeys(row["event"] for row in rows if row["event"] and (row["table_name"] or row["list"])))


LONGEST = 60  # characters of an answer


def sheet_question(conn: sqlite3.Connection, session: int, t: Texts) -> Facts | None:
    """Return the question about the sheet of a session, with its name and how many sessions it tells, if the visitor
    may answer it; None otherwise."""
    here = doors()
    if here is None or here.receive is None or here.writer is None or not may("writer"):
        return None
    sheet = sheet_of_session(conn, session)
    if sheet is None:
        return None
    tariffs = queries.tariffs_of_session(conn, session)
    # by the columns of the sheet, or the same one by the rules of all deals; then none has to be looked for
    is_named = "tariff" in sheet.columns or (len(tariffs) == 1 and tariffs[0] not in (None, UNKNOWN))
    judged = () if is_named else judge_session_again(conn, session)
    what = understand([each for _, each in judged], (), (), SECONDS)
    rules = next((each.session.rules for _, each in judged), "")
    head = head_question(sheet.columns, rules, what, t)
    return {"head": head, "name": file_name(sheet.path), "sessions": sheet.sessions}


def setup_rules(app: Flask) -> None:
    """Add the answer about a kept score sheet: its rules, tariff and unit. The sheet is read once more by them, as an
    import with another `columns.toml` would read it; what was read before is kept."""

    @app.post(f"/sessions/{requests.NUMBER}/rules", endpoint="say_rules")
    @demands("writer")
    def say_rules(number: int) -> AnyResponse:
        t, here = requests.request_texts(), doors()
        sheet = sheet_of_session(requests.connection(), number)
        if sheet is None or here is None or here.receive is None:
            abort(404, t["no_session"].format(number=number))
        said = {key: text for key in HEAD if (text := request.form.get(key, "").strip()[:LONGEST])}
        if said.get("rules", "pub") not in installed_rulesets():
            abort(422, t["se_no_rules"].format(rules=said["rules"]))
        upload = Upload(sheet.path, sheet.raw, mapping_text(sheet.columns | said))
        read = read_upload(upload, here, requests.connection())
        judged = [judgement for _, judgement in read.pairs]
        ill = [each for judgement in judged for each in judgement.findings if each.rule == "bad-setting"]
        errors = [each for each in read.lone if each.severity == "error" and (not judged or each.rule == "bad-setting")]
        why = " ".join(dict.fromkeys(say_finding(each, t["lang"]) for each in (*errors, *ill)))
        if why or not judged:
            abort(422, why or t["up_no_deals"])
        with writing_archive() as db:
            meta, hidden = SaidOfFile(sheet.path, SCORE_SHEET, author=author()), hidden_from_visitor(db.conn)
            save_file(db, meta, sheet.raw, read.pairs, read.lone, "keep", hidden)
        return redirect(url_for("session", number=number), 303)
