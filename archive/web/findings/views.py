"""Lines of lists: deals that need a look, findings, and the rules of findings with their meaning."""

from typing import Any

from msgspec import Struct

from archive.record import message_of
from archive.record.findings import severities
from archive.say import outline, say
from archive.store.stored_messages import StoredVerdict, say_stored_reason
from archive.text.deal_row import row_game_title
from archive.text.wording import Texts, finding_words, sentence, session_title
from archive.web.stored import finding_from_row, remedy_of

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


def doubtful_deal(row: Facts, t: Texts) -> DoubtfulDeal:
    """A row of `outcomes` with what is `stored` of its verdict."""
    stored: StoredVerdict = row["stored"]
    at_moment = [finding for finding in stored.findings if finding.at]
    first = next((finding for finding in at_moment if message_of(finding) == stored.reason), None)
    first = first or next((finding for finding in at_moment if finding.severity == "error"), None)
    return DoubtfulDeal(
        deal=row["deal"],
        number=row["number"],
        event=session_title(row["event"], row["session"], t),
        date=row["date"],
        game=row_game_title(row, t),
        verdict=row["verdict"],
        reason=say_stored_reason(stored.reason, t["lang"], row["faces"]),
        deciding=tuple(say(fact, t["lang"], row["faces"]) for fact in stored.deciding),
        moment=move_anchor(first.at if first else None),
    )


def finding_line(row: Facts, t: Texts) -> FindingLine:
    """A row of `findings` with its deal, if any, and its file."""
    finding = finding_from_row(row)
    return FindingLine(
        rule=row["rule"],
        severity=row["severity"],
        message=sentence(finding_words(finding, t["lang"])),
        do=remedy_of(row["rule"], t),
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
        do=remedy_of(row["rule"], t),
        count=row["count"],
        deals=row["deals"],
    )


def move_anchor(moment: str | None) -> str:
    """The id of a moment on the page of its deal; empty where it is none of the play."""
    if not moment or not moment[0].isdigit():
        return ""
    return f"t{moment}" if "." in moment else f"t{moment}.1"
