"""`/sessions/<id>`: the score sheet of a session, and the proof that it adds up."""

from flask import Flask, abort, render_template

from archive.store import first_break, session_row, session_rows, session_verdicts, standing_rows
from archive.web import lists
from archive.web.asked import archive, first_row, texts_of_request, turns
from archive.web.pages import NUMBER

SHEET = 200  # deals on a page of a session


def setup(app: Flask) -> None:
    @app.get(f"/sessions/{NUMBER}")
    def session(number: int) -> str:
        start, t = first_row(), texts_of_request()
        head = session_row(archive(), number)
        verdicts = session_verdicts(archive(), number)
        if head is None or not verdicts:  # of a file that was taken back there is nothing to add up
            abort(404, t["no_session"].format(number=number))
        rows, standing = session_rows(archive(), number, SHEET, start), standing_rows(archive(), number)
        sheet = lists.sheet(head, rows, t, first_break(archive(), number), standing, verdicts, start)
        more = turns("session", SHEET, start, sheet.count, {"number": number})
        return render_template("session.html", session=sheet, **more)
