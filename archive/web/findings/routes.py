"""`/findings`: errors and things worth knowing, in deals and in files that gave none."""

from collections import Counter
from typing import Any

from flask import Flask, render_template

from archive.web.findings.queries import finding_rows, rule_counts
from archive.web.findings.views import finding_line
from archive.web.queries import people_of_deals
from archive.web.request import connection, has_archive, has_deals, page_offset, pagination, request_texts
from archive.web.search.form import search_form
from archive.web.search.queries import FINDINGS, all_player_names
from archive.web.search.routes import NAMES, request_search, search_names
from archive.web.stored import remedy_of

PAGE = 50  # findings on a page of the list
RULES = 8  # of the most frequent ones that are listed open


def setup(app: Flask) -> None:
    @app.get("/findings")
    def findings() -> str:
        t, search, start = request_texts(), request_search(FINDINGS), page_offset()
        rules = rule_counts(connection(), search) if has_archive() else []
        total = sum(rule["count"] for rule in rules)
        if not has_archive() or (not total and not search):
            return render_template("findings/findings.html", total=None, any=has_deals())
        rows = finding_rows(connection(), search, PAGE, start)
        people = people_of_deals(connection(), [row["deal_id"] for row in rows if row["deal_id"]])
        by_severity = Counter[str]()
        for rule in rules:
            by_severity[rule["severity"]] += rule["count"]
        told = [rule | {"do": remedy_of(rule["rule"], t)} for rule in rules]
        values: dict[str, Any] = dict(search.given)
        return render_template(
            "findings/findings.html",
            total=total,
            severities=[(key, by_severity[key]) for key in FINDINGS["severity"].options],
            rules=told[:RULES],
            more_rules=told[RULES:],
            lines=[finding_line(row, people.get(row["deal_id"], {}), t) for row in rows],
            form=search_form(search, search_names(search), t, FINDINGS),
            names=all_player_names(connection(), NAMES),
            search=values,
            **pagination("findings", PAGE, start, total, values),
        )
