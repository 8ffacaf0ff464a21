"""`/`: the newest deals, and those that fit a search."""

from pathlib import Path

from flask import Flask, render_template, request

from archive.store import counts, newest
from archive.web import entries, queries
from archive.web.asked import archive, first_row, texts_of_request, turns

PAGE = 50  # deals on a page of the list


def setup(app: Flask) -> None:
    @app.get("/")
    def home() -> str:
        path: Path = app.config["ARCHIVE"]
        if not path.exists():
            return render_template("home.html", counts=None, db_name=path.name)
        chosen = {key: request.args.get(key, "") for key in ("contract", "verdict")}
        start, t = first_row(), texts_of_request()
        total = queries.fitting(archive(), **chosen)
        found = newest(archive(), chosen["contract"] or None, chosen["verdict"] or None, PAGE, start)
        return render_template(
            "home.html",
            counts=counts(archive()),
            db_name=path.name,
            chosen=chosen,
            deals=[entries.listed(row, t) for row in found],
            first=start + 1,
            last=start + len(found),
            total=total,
            **turns("home", PAGE, start, total, {key: value for key, value in chosen.items() if value}),
        )
