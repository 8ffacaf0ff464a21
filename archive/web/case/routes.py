"""`/cases`: the cases of an archive, the open ones first; `/cases/<id>`: one with everything that was brought
forward."""

from flask import Flask, abort, render_template

from archive.store.cases import all_cases, load_case
from archive.web.case.page import case_view, split_by_state
from archive.web.request import NUMBER, connection, has_archive, request_texts

MOST_CLOSED = 200  # closed cases that are listed, the last first


def setup(app: Flask) -> None:
    @app.get("/cases")
    def cases() -> str:
        t = request_texts()
        still_open, closed = split_by_state(all_cases(connection()) if has_archive() else [], t)
        return render_template("case/cases.html", open=still_open, closed=closed[:MOST_CLOSED], count=len(closed))

    @app.get(f"/cases/{NUMBER}", endpoint="case")
    def dispute_case(number: int) -> str:
        t = request_texts()
        found = load_case(connection(), number) if has_archive() else None
        if found is None:
            abort(404, description=t["cs_none"].format(number=number))
        return render_template("case/case.html", case=case_view(found, t))
