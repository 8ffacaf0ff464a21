"""`/rulesets`: the rules that deals are judged by, every value with the place it comes from."""

import json
import sqlite3
from pathlib import Path
from typing import Any

from flask import Flask, abort, render_template, request

from archive.rules import Ruleset, bundled, flat, load
from archive.text.wording import texts_of
from archive.web.request import connection, request_texts
from archive.web.rulesets.page import rulebook

# The rules of each table that played by a ruleset with settings of its own, and in how many deals.
TABLES = """SELECT r.id, r.overrides, count(d.id) AS deals, min(s.id) AS session, min(s.event) AS event
    FROM rulesets r JOIN deals d ON d.ruleset_id = r.id JOIN sessions s ON s.id = d.session_id
    WHERE r.name = ? AND r.overrides IS NOT NULL GROUP BY r.id ORDER BY deals DESC, r.id"""
USED = "SELECT r.name, max(r.title), count(d.id) FROM rulesets r JOIN deals d ON d.ruleset_id = r.id GROUP BY r.name"
MOST = 60  # tables of a ruleset that are listed


def setup(app: Flask) -> None:
    @app.get("/rulesets")
    def rulesets() -> str:
        used = {name: (title, deals) for name, title, deals in _read(app, USED)}
        t = request_texts()
        books = [rulebook(rules, texts_of(rules, t)) for rules in map(_bundled, bundled())]
        own = sorted((name, *used[name]) for name in used.keys() - set(bundled()))
        return render_template(
            "rulesets/rulesets.html", books=books, own=own, deals={name: used[name][1] for name in used}
        )

    @app.get("/rulesets/<name>")
    def ruleset(name: str) -> str:
        t = request_texts()
        if name not in bundled():
            rows = _read(app, "SELECT * FROM rulesets WHERE name = ? ORDER BY id DESC LIMIT 1", name)
            if not rows:
                abort(404, t["no_rules"].format(name=name[:MOST]))
            return render_template(
                "rulesets/ruleset.html", book=None, row=rows[0], house=flat(json.loads(rows[0]["house"]))
            )
        tables = _read(app, f"{TABLES} LIMIT {MOST}", name)
        asked = request.args.get("table", 0, int)
        rows = _read(app, "SELECT overrides FROM rulesets WHERE id = ? AND name = ?", asked, name) if asked else []
        if asked and not rows:
            abort(404, t["no_rules"].format(name=f"{name}, {t['rules_this_table']} {asked}"))
        rules, _ = load(name, json.loads(rows[0][0] or "{}") if rows else None)
        book = rulebook(rules or _bundled(name), texts_of(rules, t))
        told = [dict(row) | {"own": flat(json.loads(row["overrides"]))} for row in tables]
        return render_template("rulesets/ruleset.html", book=book, tables=told, table=asked)


def _bundled(name: str) -> Ruleset:
    rules, _ = load(name)
    assert rules is not None  # a test loads every one of them
    return rules


def _read(app: Flask, sql: str, *facts: Any) -> list[sqlite3.Row]:
    """Rows of the archive; none where there is no archive yet."""
    path: Path = app.config["ARCHIVE"]
    if not path.exists():
        return []
    cursor = connection().cursor()
    cursor.row_factory = sqlite3.Row
    return cursor.execute(sql, facts).fetchall()
