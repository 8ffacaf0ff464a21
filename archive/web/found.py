"""What is found, as a line of a list: the deals that need a look, findings, and what the findings of a rule mean."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from archive.audit.german import reason_in_german
from archive.record import Finding, in_german, remedy
from archive.record.findings import severities
from archive.say import outline
from archive.web.entries import game_of
from archive.web.view import session_title
from archive.web.wording import Texts, sentence

Facts = dict[str, Any]


class Look(Struct, frozen=True):
    """A deal that needs a look: why, what would decide it, and the moment it is about, or none."""

    deal: int
    number: int
    event: str
    date: str | None
    game: str
    verdict: str
    reason: str
    deciding: tuple[str, ...]
    moment: str


class Line(Struct, frozen=True):
    """A finding, of a deal or of a file that gave none; `number` is that of a deal, also of one that is not there."""

    rule: str
    severity: str
    message: str
    do: str
    deal: int | None
    number: int | None
    session: int | None
    event: str
    date: str | None
    moment: str
    place: str


class Rule(Struct, frozen=True):
    """A rule of findings: what it says, an ellipsis for what differs, and what to do about it."""

    rule: str
    severity: str
    says: str
    do: str
    count: int
    deals: int


def look(row: Facts, deciding: Sequence[str], t: Texts) -> Look:
    """A row of `outcomes` with the `findings` of the deal and its `players`."""
    findings = tuple(finding_of(each) for each in row["findings"])
    reason, names = row["reason"] or "", row["players"]
    first = next((each for each in findings if each.at and f"{sentence(each.message)}." == reason), None)
    first = first or next((each for each in findings if each.at and each.severity == "error"), None)
    return Look(
        deal=row["deal"],
        number=row["number"],
        event=session_title(row["event"], row["session"], t),
        date=row["date"],
        game=game_of(row, t),
        verdict=row["verdict"],
        reason=reason_in_german(reason, findings, names) if t["lang"] == "de" else reason,
        deciding=tuple(deciding),
        moment=anchor(first.at if first else None),
    )


def line(row: Facts, t: Texts) -> Line:
    """A row of `findings` with its deal, if any, and its file."""
    told = finding_of(row)
    told = in_german(told, row["players"]) if t["lang"] == "de" else told
    return Line(
        rule=row["rule"],
        severity=row["severity"],
        message=sentence(told.message),
        do=_remedy(row["rule"], t),
        deal=row["deal_id"],
        number=row["number"] or row["deal_number"],
        session=row["session"],
        event=session_title(row["event"], row["session"], t) if row["session"] else "",
        date=row["date"],
        moment=anchor(row["moment"]),
        place=f"{row['path']}:{row['line']}" if row["line"] else row["path"],
    )


def rule(row: Facts, t: Texts) -> Rule:
    """A rule with its `count` of findings and of `deals`."""
    says = outline(f"findings.{row['rule']}", t["lang"]) if row["rule"] in severities() else row["rule"]
    return Rule(
        rule=row["rule"],
        severity=row["severity"],
        says=sentence(says),
        do=_remedy(row["rule"], t),
        count=row["count"],
        deals=row["deals"],
    )


def finding_of(row: Facts) -> Finding:
    return Finding(row["rule"], row["severity"], text=row["message"], at=row["moment"])


def anchor(moment: str | None) -> str:
    """The id of a moment on the page of its deal; empty where it is none of the play."""
    if not moment or not moment[0].isdigit():
        return ""
    return f"t{moment}" if "." in moment else f"t{moment}.1"


def _remedy(rule: str, t: Texts) -> str:
    return remedy(rule, t["lang"]) if rule in severities() else ""
