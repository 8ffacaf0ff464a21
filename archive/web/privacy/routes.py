"""`/privacy` in the application: the restrictions, and the form by which a keeper changes them."""

from flask import Flask, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from archive.stats.database import ArchiveError
from archive.store.privacy import AUDIENCES, SUBJECTS, Restriction, deals_told_again, restrictions, set_audience
from archive.store.row_values import row_number
from archive.text.dates import format_day
from archive.text.wording import Texts
from archive.web.doors.guard import demands, visitor, writing_archive
from archive.web.queries import Facts, title_of
from archive.web.request import connection, has_archive, raise_fault, request_texts

PAGES = {"session": "session", "player": "player"}  # the page of a subject, by its number


def setup(app: Flask) -> None:
    @app.get("/privacy", endpoint="privacy")
    @demands("keeper")
    def privacy() -> str:
        return privacy_page()

    @app.post("/privacy", endpoint="set_privacy")
    @demands("keeper")
    def set_privacy() -> AnyResponse | tuple[str, int]:
        t, form, who = request_texts(), request.form, visitor()
        assert who is not None
        subject = next((name for name in SUBJECTS if name == form.get("subject")), None)
        if subject is None:
            abort(400, t["vis_no_subject"])
        number = row_number(form.get("number", "").strip())
        if number is None:
            return privacy_page(t["vis_no_number"]), 422
        audience = next((name for name in AUDIENCES if name == form.get("audience")), None)
        if audience is None and form.get("audience") != "everybody":
            abort(400, t["vis_no_audience"])
        try:
            with writing_archive() as db:
                set_audience(db, subject, number, audience, who.name)
        except ArchiveError as error:
            raise_fault(error)
            return privacy_page(t["vis_not_there"]), 422
        return redirect(url_for("privacy"), 303)


def privacy_page(refused: str = "") -> str:
    """Return the page; the address holds the first values of its form, by numbers alone."""
    t, conn = request_texts(), connection() if has_archive() else None
    rows = [facts_of(row, title_of(conn, row.subject, row.id), t) for row in restrictions(conn)] if conn else []
    asked = next(((name, request.args[name]) for name in SUBJECTS if request.args.get(name, "").isdecimal()), None)
    subject, number = asked or (SUBJECTS[0], "")
    return render_template(
        "privacy/privacy.html", rows=rows, refused=refused, subject=subject, number=number,
        again=deals_told_again(conn) if conn else [], subjects=SUBJECTS, audiences=("everybody", *AUDIENCES),
    )  # fmt: skip


def facts_of(row: Restriction, title: str, t: Texts) -> Facts:
    """Return a restriction in the words of the reader, with the address of its subject."""
    address = url_for(PAGES[row.subject], number=row.id) if row.subject in PAGES else None
    said = t["vis_said"].format(author=row.author, day=format_day(row.made_at[:10], t))
    own = {"address": address, "audience": t[f"vis_{row.audience}"], "said": said}
    return {"subject": row.subject, "id": row.id, "title": title, **own}
