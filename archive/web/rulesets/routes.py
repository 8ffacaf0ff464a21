"""`/rulesets`: the rules by which deals are judged, every value with its source."""

import json

from flask import Flask, abort, render_template, request

from archive.rules import Ruleset, flatten, installed_rulesets, load
from archive.store.row_values import row_number
from archive.text.wording import contract_title, rules_title, texts_of, unit_of
from archive.web.request import connection, has_archive, request_texts
from archive.web.rulesets.page import by_rank, rulebook, size_words
from archive.web.rulesets.queries import newest_ruleset, ruleset_tables, table_overrides, used_rulesets

LONGEST = 60  # letters of an unknown name that a refusal repeats


def setup(app: Flask) -> None:
    @app.get("/rulesets")
    def rulesets() -> str:
        used = used_rulesets(connection()) if has_archive() else {}
        t = request_texts()
        books = [
            {
                "rules": rules,
                "title": rules_title(rules, t),
                "size": size_words(rules, t),
                "games": [
                    contract_title(name, rules, t) for name, _ in by_rank(rules) if name in rules.house.contracts
                ],
            }
            for rules in map(_ruleset_of, installed_rulesets())
        ]
        own = sorted((name, *used[name]) for name in used.keys() - set(installed_rulesets()))
        deals = {name: count for name, (_, count) in used.items()}
        return render_template("rulesets/rulesets.html", books=books, own=own, deals=deals)

    @app.get("/rulesets/<name>")
    def ruleset(name: str) -> str:
        t, text = request_texts(), request.args.get("table", "")
        table = row_number(text) or 0
        if text and not table:
            abort(404, t["no_page"])
        if name not in installed_rulesets():
            row = newest_ruleset(connection(), name) if has_archive() else None
            if row is None:
                abort(404, t["no_rules"].format(name=name[:LONGEST]))
            house = flatten(json.loads(row["house"]))
            return render_template("rulesets/ruleset.html", book=None, row=row, house=house)
        own = table_overrides(connection(), table, name) if table and has_archive() else None
        if table and own is None:
            abort(404, t["no_rules"].format(name=f"{name}, {t['rules_this_table']} {table}"))
        rules, _ = load(name, json.loads(own) if own else None)
        book = rulebook(rules or _ruleset_of(name), texts_of(rules, t))
        rows = ruleset_tables(connection(), name) if has_archive() else []
        tables = [row | {"own": flatten(json.loads(row["overrides"]))} for row in rows]
        unit = unit_of(book["rules"].house.unit, t, True)
        return render_template("rulesets/ruleset.html", book=book, tables=tables, table=table, unit=unit)


def _ruleset_of(name: str) -> Ruleset:
    rules, _ = load(name)
    assert rules is not None  # a test loads every one of them
    return rules
