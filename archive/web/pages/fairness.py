"""`/stats/fairness`: whether the cards lie as chance deals them, in all files or in one."""

from typing import Any

from flask import Flask, Response, abort, render_template, request, url_for

from archive.audit.dealing import LEAST, Trials, tried
from archive.store import dealing
from archive.web import fairness
from archive.web.asked import archive, texts_of_request


def setup(app: Flask) -> None:
    @app.get("/stats/fairness", endpoint="fairness")
    def shown() -> str:
        t, known = texts_of_request(), _files()
        source = _source(known)
        groups, found = _found(source)
        page: dict[str, Any] = {"files": [(key, fairness.file_name(path)) for key, path in known.items()]}
        page |= {"source": source, "few": groups.few, "more": groups.more, "least": LEAST, "page": None, "plot": None}
        page["cannot"] = fairness.CANNOT
        if found.trials:
            people = {each.group.key for each in found.trials if each.group.kind in fairness.PEOPLE}
            names = fairness.Names(known, dealing.names(archive(), people))
            page["page"] = fairness.page(found, names, t)
            page["plot"] = fairness.picture(found, url_for("fairness_plot", source=source), t)
        return render_template("fairness.html", **page)

    @app.get("/stats/fairness/plot.json")
    def fairness_plot() -> Response:
        t = texts_of_request()
        _, found = _found(_source(_files()))
        if not found.trials:
            abort(404, t["no_plot"])
        return Response(fairness.file(found, t), content_type="application/json")

    def _files() -> dict[int, str]:
        return dealing.sources(archive()) if app.config["ARCHIVE"].exists() else {}

    def _found(source: int | None) -> tuple[dealing.Groups, Trials]:
        if not app.config["ARCHIVE"].exists():
            return dealing.Groups((), 0, 0), Trials((), 0)
        groups = dealing.groups(archive(), source)
        return groups, tried(groups.tested, groups.besides)


def _source(known: dict[int, str]) -> int | None:
    """The file that is asked for, from the address."""
    asked = request.args.get("source") or None
    if asked is None:
        return None
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 19 else None
    return number if number in known else abort(404, texts_of_request()["fn_no_file"])
