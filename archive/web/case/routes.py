"""`/cases`: the cases of an archive, the open ones first; `/cases/<id>`: one with everything that was brought
forward."""

from flask import Flask, abort, render_template

from archive.store.cases import all_cases, load_case
from archive.web.case.page import case_facts
from archive.web.request import NUMBER, connection, has_archive, request_texts

MOST_CLOSED = 200  # closed cases that are listed, the last first


def setup(app: Flask) -> None:
    @app.get("/cases")
    def cases() -> str:
        found = [case_facts(each, request_texts()) for each in (all_cases(connection()) if has_archive() else ())]
        still_open, closed = ([each for each in found if each["closed"] is which] for which in (False, True))
        waiting = still_open[::-1]  # those first that wait longest
        return render_template("case/cases.html", open=waiting, closed=closed[:MOST_CLOSED], count=len(closed))

    @app.get(f"/cases/{NUMBER}", endpoint="case")
    def dispute_case(number: int) -> str:
        t = request_texts()
        found = load_case(connection(), number) if has_archive() else None
        if found is None:
            abort(404, description=t["cs_none"].format(number=number))
        return render_template("case/case.html", case=case_facts(found, t))
