"""`/sessions`: all sessions; `/sessions/<id>`: the score sheet of one, its plot, and the proof that it adds up."""

import re
from typing import Any

from flask import Flask, Response, abort, render_template, request, url_for

from archive.store import first_break, session_row, session_rows, session_verdicts, standing_rows
from archive.web import evenings, lists, totals
from archive.web.asked import archive, first_row, texts_of_request, turns
from archive.web.pages import NUMBER
from archive.web.pages.stats import asked_of
from archive.web.wording import Texts

SHEET = 200  # deals on a page of a session
PAGE = 50  # sessions on a page of the list
DAY = re.compile(r"\d{4}(-\d\d(-\d\d)?)?", re.ASCII)


def setup(app: Flask) -> None:
    @app.get("/sessions")
    def sessions() -> str:
        start, t, wanted = first_row(), texts_of_request(), _wanted()
        found, total = evenings.sessions_of(archive(), wanted, PAGE, start)
        kept = {"event": wanted.word, "since": wanted.since, "until": wanted.until}
        return render_template(
            "sessions.html",
            sessions=[lists.held(row, t) for row in found],
            chosen=kept,
            first=start + 1,
            last=start + len(found),
            total=total,
            db_name=app.config["ARCHIVE"].name,
            **turns("sessions", PAGE, start, total, {key: text for key, text in kept.items() if text}),
        )

    @app.get(f"/sessions/{NUMBER}")
    def session(number: int) -> str:
        start, t = first_row(), texts_of_request()
        head, verdicts = _session(number, t)
        rows, standing = session_rows(archive(), number, SHEET, start), standing_rows(archive(), number)
        sheet = lists.sheet(head, rows, t, first_break(archive(), number), standing, verdicts, start)
        seats, near = evenings.seated(archive(), number), evenings.beside(archive(), head)
        people = evenings.numbers_of(archive(), [row.player for row in sheet.standings])
        course = _course(number, seats, t)
        address = url_for("session_plot", number=number)
        return render_template(
            "session.html",
            session=sheet,
            seats_of=[list(seats.get(seat, {}).items()) for seat in range(1, len(sheet.names) + 1)],
            people=people,
            near=[each and lists.held(each, t) for each in near],
            plot=totals.plot(course, address, t) if course else None,
            questions=asked_of("session", number, sheet.count, t),
            **turns("session", SHEET, start, sheet.count, {"number": number}),
        )

    @app.get(f"/sessions/{NUMBER}/plot.json")
    def session_plot(number: int) -> Response:
        t = texts_of_request()
        _session(number, t)
        course = _course(number, evenings.seated(archive(), number), t) or abort(404, t["no_plot"])
        return Response(totals.file(course, t), content_type="application/json")


def _session(number: int, t: Texts) -> tuple[dict[str, Any], dict[str, int]]:
    """The row of a session, and the verdicts of its deals; of a file that was taken back there is nothing to add up."""
    head, verdicts = session_row(archive(), number), session_verdicts(archive(), number)
    if head is None or not verdicts:
        abort(404, t["no_session"].format(number=number))
    return head, verdicts


def _course(number: int, seats: dict[int, dict[str, int]], t: Texts) -> totals.Course | None:
    names = {seat: " / ".join(names) for seat, names in seats.items()}
    broken = first_break(archive(), number)
    return totals.course(evenings.totals_of(archive(), number), names, broken, t)


def _wanted() -> evenings.Wanted:
    """What is asked of the list, from the address."""
    since, until = request.args.get("since", ""), request.args.get("until", "")
    for text in filter(None, (since, until)):
        if not DAY.fullmatch(text):
            abort(400, texts_of_request()["no_day"].format(text=text))
    return evenings.Wanted(request.args.get("event", "").strip(), since, until)
