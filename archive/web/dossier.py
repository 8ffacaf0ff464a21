"""The dispute file of a deal: all that is known of it on paper, so that people who disagree look at the same thing."""

import re
import shlex
import sqlite3
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from archive.audit import Judgement
from archive.audit.explain import Explained, explain
from archive.audit.explain.search import case_of
from archive.audit.german import told_in
from archive.audit.judge import errors_in
from archive.audit.repair import repair
from archive.audit.sentences import faces_of, say_line
from archive.audit.stated import compared
from archive.audit.types import ENGINE, Verdict
from archive.play.types import Step
from archive.resources import resource_dir
from archive.rules.load import HERE
from archive.say import say
from archive.say import sentence as say_sentence
from archive.settle.types import Line
from archive.store import judged, neighbours
from archive.web import queries, view
from archive.web.explained import Why, why
from archive.web.faces import SIGNS
from archive.web.history import history
from archive.web.parts import Page
from archive.web.wording import Texts, cite_words, sentence, texts_of

CITED = re.compile(r"(\w+) (.+)", re.DOTALL)  # a document's number, and the heading in it
INFERRED = re.compile(
    r"(?P<key>house\.\S+): (?P<value>.*), from (?P<fits>\d+) of (?P<count>\d+) places, the first in line (?P<line>\d+)"
)
EXTREMES = ("schneider", "schwarz")


class Laid(Struct, frozen=True):
    """A card of the trick in question. `allowed` and `hand` are as they were before it; None where not known."""

    name: str
    card: str
    lead: bool
    took: bool
    broken: str
    allowed: tuple[str, ...] | None
    hand: tuple[str, ...] | None


class Question(Struct, frozen=True):
    """The trick in question, and why it is."""

    number: int
    why: str
    laid: tuple[Laid, ...]
    points: int | None


class Cited(Struct, frozen=True):
    """A place that is cited: the document's title, and the heading in it."""

    cite: str
    title: str
    heading: str


class Proposed(Struct, frozen=True):
    """The one change that would make a record legal, and what the verdict is then."""

    says: str
    verdict: Verdict
    reason: str


class Mended(Struct, frozen=True):
    """What single changes can do for a record that cannot be played; `entries` are quoted for a shell."""

    says: str
    proposal: Proposed | None
    entries: tuple[str, ...] = ()


class Dossier(Struct, frozen=True, kw_only=True):
    """Everything that the file shows, worded; `disputed` is the place of the line in dispute among the lines of the
    settlement, `facts` and `settings` are pairs to read."""

    page: Page
    facts: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str], ...]
    inferred: tuple[str, ...]
    disputed: int | None
    question: Question | None
    why: Why | None
    mended: Mended | None
    cited: tuple[Cited, ...]
    sources: tuple[dict[str, Any], ...]
    made: tuple[tuple[str, str], ...]
    signs: dict[str, str]  # how the suits are drawn


def dossier(conn: sqlite3.Connection, deal: int, t: Texts) -> Dossier | None:
    """The dispute file of a deal of the archive; None where there is none."""
    found = judged(conn, deal)
    if found is None:
        return None
    t = texts_of(found.ruleset, t)
    # All that is asked of the archive comes first, since a page may read from it for so long only.
    page = view.page(found, queries.place(conn, deal), t, history(conn, deal, t))
    sources, made = tuple(queries.evidence(conn, deal)), tuple(_made(conn, deal, found, t))
    beside = [other for key in neighbours(conn, deal) if key is not None and (other := judged(conn, key))]
    explained = explain(found, beside)
    place, told = disputed(found, explained), told_in(found, t["lang"])
    return Dossier(
        page=page,
        facts=tuple(_facts(found, page, t)),
        settings=tuple(_leaves(found.session.house or {})),
        inferred=tuple(_evidence(each, t) for each in found.session.inferred or ()),
        disputed=place,
        question=question(told, place, t),
        why=why(explained, t),
        mended=_mended(found, t),
        cited=tuple(cited(found, explained, t)),
        sources=sources,
        made=made,
        signs=SIGNS[t["faces"]],
    )


def style() -> str:
    """The style of the file, for one that is complete in itself."""
    return (resource_dir() / "static" / "dossier.css").read_text("utf-8")


# --- what is in question ----------------------------------------------------------------------------------------------


def disputed(found: Judgement, explained: Explained) -> int | None:
    """The line of the settlement in dispute: the one that the likeliest explanation speaks of, else the one that shows
    what is stated otherwise; None where nothing is."""
    lines = found.settlement.lines if found.settlement else ()
    off = {pair.key for pair in compared(found) if pair.differs}
    if not off or not lines:
        return None
    told = {made.cite for each in explained.explanations[:1] for made in each.changes if made.cite}
    cites = [place for place, line in enumerate(lines) if line.cite in told]
    if cites:
        return cites[0]
    played = [place for place, line in enumerate(lines) if _tricks(line)]
    if "runners" in off:
        return next((place for place in played if len(lines[place].proof) > 1), None)
    if off & set(EXTREMES):
        return next((place for place in played[1:] if len(lines[place].proof) == 1), played[0] if played else None)
    return played[0] if played else 0


def _tricks(line: Line) -> list[int]:
    """The tricks that a line is proved by."""
    return [int(at[1:].partition(".")[0]) for at in line.proof if at[:1] == "t"]


def question(found: Judgement, place: int | None, t: Texts) -> Question | None:
    """The trick of the first error in the play, else the one that proves the line in dispute."""
    broken = next((each for each in errors_in(found.findings) if each.at and each.at[0].isdigit()), None)
    if broken and broken.at:
        number, reason = int(broken.at.partition(".")[0]), sentence(broken.message)
    else:
        line = found.settlement.lines[place] if found.settlement and place is not None else None
        tricks = _tricks(line) if line else []
        if not tricks or line is None:
            return None
        number, reason = tricks[0], t["d_proves"].format(line=say_line(found, line, t["lang"]))
    steps = [step for step in (found.replay.steps if found.replay else ()) if step.trick == number]
    if not steps or found.replay is None:
        return None
    last = steps[-1].winner if len(steps) == len(found.replay.playing) else None
    points = found.replay.trick_points[number - 1] if number <= len(found.replay.trick_points) else None
    return Question(number, reason, tuple(_laid(found, step, last) for step in steps), points)


def _laid(found: Judgement, step: Step, winner: int | None) -> Laid:
    name = found.session.players[step.seat]
    return Laid(name, step.card, step.place == 1, step.seat == winner, step.broken or "", step.allowed, step.hand)


# --- facts ------------------------------------------------------------------------------------------------------------


def _facts(found: Judgement, page: Page, t: Texts) -> Iterator[tuple[str, str]]:
    session, deal = found.session, found.deal
    names, seats = session.players, found.replay
    dealer = seats.dealer if seats else deal.dealer
    at = (t["at_table"].format(name=session.table) if session.table else "", session.list or "")
    told = {
        "d_event": ", ".join(filter(None, (session.event, session.place, session.date, *at))),
        "d_deal": t["of"].format(position=page.place.position, count=page.place.count),
        "d_players": ", ".join(names),
        "dealer": names[dealer] if dealer is not None else "",
        "declarer": " ".join(filter(None, (page.declarer, page.partner and f"{t['with']} {page.partner}"))),
        "result": " ".join(filter(None, (_won(page, t), page.score, *page.extras))),
        "d_table": ", ".join(page.chips),
        "d_rules": page.rules,
        "d_recorder": session.recorder or "",
        "d_id": deal.id or "",
        "d_url": deal.url or session.url or "",
        "note": deal.note or "",
    }
    yield from ((t[key], text) for key, text in told.items() if text)


def _won(page: Page, t: Texts) -> str:
    return "" if page.won is None else t["won"] if page.won else t["lost"]


def _leaves(house: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """The settings of a house by dotted key."""
    for key, value in house.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _evidence(inferred: str, t: Texts) -> str:
    """A setting that was read from the record, with what it was read from."""
    facts = INFERRED.fullmatch(inferred)
    return t["d_evidence"].format(**facts.groupdict()) if facts else inferred


def _mended(found: Judgement, t: Texts) -> Mended | None:
    """What would make the record legal; None where it is."""
    case = case_of(found)
    if case is None or not errors_in(case.replay.findings):
        return None
    result = repair(found.session, found.deal, found.number, found.before)
    made, language, faces = result.proposal, t["lang"], faces_of(found)
    how_many = say_sentence(say(result.message, language, faces))
    if made is None:
        return Mended(how_many, None)
    reason = say_sentence(say(made.reason, language, faces))
    proposed = Proposed(say(made.message, language, faces), made.verdict, reason)
    return Mended(how_many, proposed, tuple(map(shlex.quote, made.entries)))


def cited(found: Judgement, explained: Explained, t: Texts) -> Iterator[Cited]:
    """What the lines of the settlement, the explanations and the rulings rest on, each once."""
    cites = [line.cite for line in (found.settlement.lines if found.settlement else ())]
    cites += [made.cite for each in explained.explanations for made in each.changes]
    cites += [row.cite or "" for row in found.deal.ruling or ()]
    titles = found.ruleset.sources if found.ruleset else {}
    for cite in dict.fromkeys(filter(None, cites)):
        if cite.startswith(f"{HERE}: "):
            yield Cited(cite_words(cite, t), t["d_settings"], cite.removeprefix(f"{HERE}: "))
            continue
        parts = CITED.fullmatch(cite)
        title = titles.get(parts[1]) if parts else None
        yield Cited(cite, title, parts[2]) if parts and title else Cited(cite, "", cite)


def _made(conn: sqlite3.Connection, deal: int, found: Judgement, t: Texts) -> Iterator[tuple[str, str]]:
    """Which record, rules and engine this is from."""
    told = {
        "d_number": str(deal),
        "d_hash": queries.hash_of(conn, deal),
        "d_ruleset": f"{found.ruleset.id} {found.ruleset.digest}" if found.ruleset else "",
        "d_engine": ENGINE,
    }
    yield from ((t[key], text) for key, text in told.items() if text)
