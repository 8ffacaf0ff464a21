"""What is found, as a line of a list: the deals that need a look, findings, and what the findings of a rule mean."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from archive.audit.german import reason_in_german
from archive.record import Finding, in_german, remedy
from archive.record.findings import severities
from archive.say import outline
from archive.text.deal_row import row_game_title
from archive.text.wording import Texts, sentence, session_title

Facts = dict[str, Any]


class DoubtfulDeal(Struct, frozen=True):
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


class FindingLine(Struct, frozen=True):
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


class RuleSummary(Struct, frozen=True):
    """A rule of findings: what it says, an ellipsis for what differs, and what to do about it."""

    rule: str
    severity: str
    says: str
    do: str
    count: int
    deals: int


def doubtful_deal(row: Facts, deciding: Sequence[str], t: Texts) -> DoubtfulDeal:
    """A row of `outcomes` with the `findings` of the deal and its `players`."""
    findings = tuple(finding_from_row(each) for each in row["findings"])
    reason, names = row["reason"] or "", row["players"]
    first = next((each for each in findings if each.at and f"{sentence(each.message)}." == reason), None)
    first = first or next((each for each in findings if each.at and each.severity == "error"), None)
    return DoubtfulDeal(
        deal=row["deal"],
        number=row["number"],
        event=session_title(row["event"], row["session"], t),
        date=row["date"],
        game=row_game_title(row, t),
        verdict=row["verdict"],
        reason=reason_in_german(reason, findings, names) if t["lang"] == "de" else reason,
        deciding=tuple(deciding),
        moment=move_anchor(first.at if first else None),
    )


def finding_line(row: Facts, t: Texts) -> FindingLine:
    """A row of `findings` with its deal, if any, and its file."""
    finding = finding_from_row(row)
    finding = in_german(finding, row["players"]) if t["lang"] == "de" else finding
    return FindingLine(
        rule=row["rule"],
        severity=row["severity"],
        message=sentence(finding.message),
        do=_remedy(row["rule"], t),
        deal=row["deal_id"],
        number=row["number"] or row["deal_number"],
        session=row["session"],
        event=session_title(row["event"], row["session"], t) if row["session"] else "",
        date=row["date"],
        moment=move_anchor(row["moment"]),
        place=f"{row['path']}:{row['line']}" if row["line"] else row["path"],
    )


def rule_summary(row: Facts, t: Texts) -> RuleSummary:
    """A rule with its `count` of findings and of `deals`."""
    says = outline(f"findings.{row['rule']}", t["lang"]) if row["rule"] in severities() else row["rule"]
    return RuleSummary(
        rule=row["rule"],
        severity=row["severity"],
        says=sentence(says),
        do=_remedy(row["rule"], t),
        count=row["count"],
        deals=row["deals"],
    )


def finding_from_row(row: Facts) -> Finding:
    return Finding(row["rule"], row["severity"], text=row["message"], at=row["moment"])


def move_anchor(moment: str | None) -> str:
    """The id of a moment on the page of its deal; empty where it is none of the play."""
    if not moment or not moment[0].isdigit():
        return ""
    return f"t{moment}" if "." in moment else f"t{moment}.1"


def _remedy(rule: str, t: Texts) -> str:
    return remedy(rule, t["lang"]) if rule in severities() else ""
