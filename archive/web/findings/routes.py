"""`/findings`: errors and things worth knowing, in deals and in files that gave none; and lines of lists, rows with
words added: deals that need attention, and findings."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from flask import Flask, render_template

from archive.record import message_of
from archive.store.stored_messages import StoredVerdict, finding_from_row
from archive.text.deal_row import row_game_title
from archive.text.file_names import file_place
from archive.text.numbers import with_amounts
from archive.text.wording import Texts, session_title
from archive.web.findings.queries import finding_rows, rule_counts
from archive.web.queries import Facts, people_of_deals
from archive.web.request import connection, has_archive, has_deals, page_offset, pagination, request_texts
from archive.web.search.queries import FINDINGS, all_player_names
from archive.web.search.routes import NAMES, request_search, search_form, search_names
from archive.web.sentences import Sentence, to_sentence, worded_finding
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


def doubtful_deal(row: Facts, people: Mapping[str, int], t: Texts) -> Facts:
    """Return a row of `outcomes` and what is `stored` of its verdict as a line: its `event`, `game` and `reason` in
    words, what would decide it (`deciding`), and the `moment` it is about, or none. `people` are the numbers of its
    players by their names."""
    stored: StoredVerdict = row["stored"]
    reason, moment = reason_and_moment(stored, row["unit"], row["faces"], people, t)
    return row | {
        "event": session_title(row["event"], row["session"], t),
        "game": row_game_title(row, t),
        "reason": reason,
        "deciding": [to_sentence(fact, t, row["faces"], people) for fact in stored.deciding],
        "moment": moment,
    }


def reason_and_moment(
    stored: StoredVerdict, unit: str | None, faces: str, people: Mapping[str, int] | None, t: Texts
) -> tuple[Sentence, str]:
    """Return the reason of a verdict in words, and the move that it is about, as `move_anchor`."""
    at_moment = [finding for finding in stored.findings if finding.at]
    first = next((finding for finding in at_moment if message_of(finding) == stored.reason), None)
    first = first or next((finding for finding in at_moment if finding.severity == "error"), None)
    reason = to_sentence(with_amounts(stored.reason or "", unit, t), t, faces, people, whole=True)
    return reason, move_anchor(first.at if first else None)


def finding_line(row: Facts, people: Mapping[str, int], t: Texts) -> Facts:
    """Return a row of `findings` with its deal, if any, and its file as a line: its `message`, what to `do`, its
    `event` and `place` in words; `number` is that of a deal, also of one that is gone. `people` are the numbers of its
    players by their names."""
    return row | {
        "message": worded_finding(finding_from_row(row), t, people, row["unit"]),
        "do": remedy_of(row["rule"], t),
        "number": row["number"] or row["deal_number"],
        "event": session_title(row["event"], row["session"], t) if row["session"] else "",
        "moment": move_anchor(row["moment"]),
        "place": file_place(row["path"], row["line"]),
    }


def move_anchor(moment: str | None) -> str:
    """Return the id of a moment on the page of its deal; empty if it is no moment of the play."""
    if not moment or not moment[0].isdigit():
        return ""
    return f"t{moment}" if "." in moment else f"t{moment}.1"
