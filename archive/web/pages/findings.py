"""`/findings`: what is wrong or worth knowing, in deals and in files that gave none."""

from collections import Counter
from pathlib import Path
from typing import Any

from flask import Flask, render_template

from archive.web import found, queries
from archive.web.asked import archive, first_row, texts_of_request, turns
from archive.web.pages.home import NAMES, asked, known
from archive.web.search import FINDINGS
from archive.web.sought import sought

PAGE = 50  # findings on a page of the list
RULES = 8  # of the most frequent ones that stand open


def setup(app: Flask) -> None:
    path: Path = app.config["ARCHIVE"]

    @app.get("/findings")
    def findings() -> str:
        t, search = texts_of_request(), asked(FINDINGS)
        start = first_row()
        if not path.exists():
            return render_template("findings.html", total=None, any=False, db_name=path.name)
        every = [found.rule(row, t) for row in queries.by_rule(archive(), search)]
        total = sum(rule.count for rule in every)
        if not total and not search:
            return render_template("findings.html", total=None, any=not queries.is_empty(archive()), db_name=path.name)
        rows = queries.finding_rows(archive(), search, PAGE, start)
        by_severity = Counter[str]()
        for rule in every:
            by_severity[rule.severity] += rule.count
        kept: dict[str, Any] = dict(search.given)
        return render_template(
            "findings.html",
            total=total,
            severities=[(key, by_severity[key]) for key in FINDINGS["severity"].options],
            rules=every[:RULES],
            more_rules=every[RULES:],
            lines=[found.line(row, t) for row in rows],
            sought=sought(search, known(search), t, FINDINGS),
            names=queries.shown_names(archive(), NAMES),
            search=kept,
            first=start + 1,
            last=start + len(rows),
            **turns("findings", PAGE, start, total, kept),
        )
