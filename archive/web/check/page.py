"""`/check`: a record that is pasted or dropped is read, judged, shown and forgotten.

Nothing else is sent to the viewer. Nothing of it is kept, no file beside it is read (`NOWHERE`), and its size, its
deals, its time and how many are judged at once are bounded. It needs no secret against forged requests: no cookie names
the visitor and nothing changes, so a request that somebody was lured into does nothing in their name.
"""

import time
from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from archive.explain import Explained, explain
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream, with_neighbours
from archive.notation import write_line
from archive.record import Deal, Finding, Session, finding
from archive.text.understood import Understood, understand
from archive.text.wording import Texts, texts_of
from archive.web.deal.model import DealPage, DealPosition, FindingView, LikelyCauses
from archive.web.deal.permalink import ShareAddresses, judge_permalink, pack_deal, share_addresses
from archive.web.deal.receipt import ShownDeal, shown_deal
from archive.web.deal.settlement import dispute_of, finding_view, likely_causes
from archive.web.sentences import Sentence, SentencePart

MOST_BYTES = 2**20  # of a request
MOST_DEALS = 60  # that are judged and shown
MOST_FINDINGS = 40  # that are shown of a deal, and of what could not be read
MOST_SECONDS = 5.0  # of work, from the first byte read to the last page made
LONGEST_DEAL = 2**13  # bytes of a deal as a line of the record; an evening's longest has some 3000
LONGEST_DEALS = 2**17  # of all that are judged together
LONGEST_TEXT = 2**18  # characters that stand in the form again
LONGEST_NAME = 80  # characters of the name of a file
PLACE = DealPosition(id=0, session=0)

Items = Iterable[Session | Deal | Finding]
Reader = Callable[[str, bytes], Items]  # a path to show, and bytes of any format


class CheckResult(Struct, frozen=True):
    """The judged deals of a text, how many `more` it has, and findings on what could not be read. `late`: the time was
    up before all deals were judged that would be shown."""

    deals: tuple[Judgement, ...] = ()
    findings: tuple[Finding, ...] = ()
    more: int = 0
    late: bool = False


class CheckedDeal(Struct, frozen=True):
    """A deal as it is shown: its page, what would explain it, its addresses to share."""

    page: ShownDeal
    why: LikelyCauses | None
    share: ShareAddresses


def deadline() -> float:
    """Return when an answer has to be ready, on the clock of `time.thread_time`: waiting for others does not count."""
    return time.thread_time() + MOST_SECONDS


# --- reading and judging --------------------------------------------------------------------------------------------


def judge_items(items: Items, end: float) -> CheckResult:
    """Judge the first MOST_DEALS of a stream, or as many as room and time allow; the rest is only counted."""
    items_to_judge, more, late = take_deals(items, end, MOST_DEALS)
    deals: list[Judgement] = []
    findings: list[Finding] = []
    for each in judge_stream(items_to_judge):
        if isinstance(each, Finding):
            findings.append(each)
        else:
            deals.append(each)
        if time.thread_time() > end:
            break
    lost = sum(isinstance(each, Deal) for each in items_to_judge) - len(deals)
    return CheckResult(tuple(deals), tuple(findings), more + lost, late or lost > 0)


def take_deals(items: Items, end: float, most: int) -> tuple[list[Session | Deal | Finding], int, bool]:
    """Return the part of a stream that is judged, how many deals follow it, and whether the time was up. A deal that no
    table can have played is a finding, since a single one would be judged for minutes."""
    items_taken: list[Session | Deal | Finding] = []
    head: Session | None = None
    room, deals, more = LONGEST_DEALS, 0, 0
    for item in items:
        if not isinstance(item, Deal):
            head = item if isinstance(item, Session) else head
            items_taken.append(item)
        elif deals == most or room <= 0 or head is None:
            more += 1
        elif (size := len(write_line(head, item))) > LONGEST_DEAL:
            items_taken.append(
                finding("deal-unreadable", item.source, why=f"it has more than {LONGEST_DEAL // 2**10} KB")
            )
        else:
            items_taken.append(item)
            deals, room = deals + 1, room - size
        if deals and time.thread_time() > end:
            return items_taken, more, True
    return items_taken, more, False


def judge_single(items: Items, beside: str, end: float) -> CheckResult:
    """Judge the one deal of a stream, at the table that comes with it."""
    items_taken, more, _ = take_deals(items, end, 1)
    findings = tuple(each for each in items_taken if isinstance(each, Finding))
    head = next((each for each in items_taken if isinstance(each, Session)), None)
    deal = next((each for each in items_taken if isinstance(each, Deal)), None)
    judgement = judge_permalink(head, deal, beside) if head and deal and not more else None
    return CheckResult(() if judgement is None else (judgement,), findings)


def form_text(data: bytes) -> str:
    """Return a text as it can stand in the form again; empty if the bytes are no text, or too many."""
    if b"\0" in data or data.startswith(b"PK"):
        return ""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    return text if len(text) <= LONGEST_TEXT else ""


# --- showing --------------------------------------------------------------------------------------------------------


def checked_deals(result: CheckResult, t: Texts, end: float) -> tuple[CheckedDeal, ...]:
    """Return the pages of deals without an archive around them: as many as there is time for, and at least one. What
    would explain a deal is searched last, if there is time."""
    count, pages = len(result.deals), []
    for number, each in enumerate(result.deals, 1):
        page = shown_deal(each, replace(PLACE, position=number, count=count), t)
        pages.append(
            replace(page, evidence=replace(page.evidence, findings=page.evidence.findings[:MOST_FINDINGS]))
        )  # such as a person can read
        if time.thread_time() > end:
            break
    return tuple(
        _with_explanation(page, each, explain(each, beside) if time.thread_time() < end else None, t)
        for page, (each, beside) in zip(pages, with_neighbours(result.deals), strict=False)
    )


def _with_explanation(page: ShownDeal, judgement: Judgement, explained: Explained | None, t: Texts) -> CheckedDeal:
    """Return a deal with what would explain it, if its page shows that it differs."""
    if isinstance(page, DealPage):
        amounts, moves = page.table.amounts, tuple(move for frame in page.course.frames for move in frame.moves)
    else:
        amounts, moves = (), page.said
    why = likely_causes(explained, t) if explained else None
    if explained:
        dispute = dispute_of(judgement, explained, amounts, moves, {}, texts_of(judgement.ruleset, t))
        page = replace(page, evidence=replace(page.evidence, dispute=dispute))
    return CheckedDeal(page, why, share_addresses(page, pack_deal(judgement)))


def unread_finding(each: Finding, t: Texts, do: str) -> FindingView:
    """Return a finding on a file. A page says in its own words that no format was recognised, and what to `do` then: it
    has no option to name a format."""
    view = finding_view(each, (), t)
    message = Sentence((SentencePart(t["p_unknown"]),)) if view.rule == "no-importer" else view.message
    own = {"no-importer": do, "foreign-file": do, "two-importers": t["p_two_do"]}
    return replace(view, message=message, do=own.get(view.rule, view.do))


def understood_of(result: CheckResult) -> Understood:
    return understand(result.deals, result.findings, seconds=MOST_SECONDS / 4)


def format_names(t: Texts) -> list[str]:
    """Return the formats that are read, in words, in the order of the file of words."""
    return [text for key, text in t.items() if key.startswith("p_format_")]
