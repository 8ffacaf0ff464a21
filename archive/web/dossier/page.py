"""The dispute file of a deal: all that is known of it on paper, so that people who disagree look at the same facts."""

import shlex
import sqlite3
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from archive.analysis.proofs import Proof, proofs
from archive.analysis.solver import Solver
from archive.explain import Explained
from archive.explain.repair import repair
from archive.judge import Judgement
from archive.judge.judge_deal import errors_in
from archive.judge.sentences import faces_of, say_line
from archive.judge.set_right import what_sets_right
from archive.judge.types import ENGINE, Case, case_of
from archive.record import evidence_text
from archive.resources import resource_dir
from archive.rules import HERE
from archive.rules.titles import flatten
from archive.say import say
from archive.say import sentence as say_sentence
from archive.store import load_judgement
from archive.store.cases import DisputeCase, cases_of_deal
from archive.text.analysis import proof_messages
from archive.text.dates import format_day, format_moment
from archive.text.numbers import format_signed
from archive.text.session_sheet import table_and_list
from archive.text.wording import Texts, finding_words, sentence, texts_of
from archive.web.case.page import case_facts
from archive.web.deal.history import deal_history, zone_of_files
from archive.web.deal.queries import column_rows, deal_position, record_hash, session_of_deal, source_files
from archive.web.deal.receipt import ShownDeal, shown_deal
from archive.web.deal.settlement import disputed_line, likely_causes, tricks_proving
from archive.web.queries import Facts
from archive.web.rulesets.page import own_values
from archive.web.stored import explain_stored

MOST = 40  # deals of the column, the last of them the disputed one


def column_of(conn: sqlite3.Connection, session: int, deal: int, name: str) -> Facts:
    """Return the column of a player up to a deal; each sum goes on from the total that was written before it. `brought`
    is the total written before its first row, empty if there was none; of a row `beside` is what was ruled beside the
    payment (a penalty), `sum` that of both and of the total before, `off` whether another total is written."""
    total, rows, brought = 0, list[Facts](), [""]
    for number, payment, beside, written in column_rows(conn, session, name, deal):
        alone = total + (payment or 0)
        total = alone if written == alone else alone + (beside or 0)  # a sheet may leave out what was ruled beside
        rows.append(
            {
                "number": number,
                "payment": "" if payment is None else format_signed(payment),
                "beside": format_signed(beside) if beside else "",
                "sum": format_signed(total),
                "written": "" if written is None else format_signed(written),
                "off": written is not None and written != total,
            }
        )
        total = total if written is None else written  # whoever adds up goes on from the total as written
        brought.append(format_signed(total))
    return {"player": name, "brought": brought[max(0, len(rows) - MOST)], "rows": rows[-MOST:]}


Prove = Callable[[Case], tuple[Proof, ...]]


def dossier(
    conn: sqlite3.Connection, deal: int, t: Texts, prove: Prove = lambda case: proofs(case, Solver(fast=False))
) -> Facts | None:
    """Return everything that the dispute file of a deal of the archive shows, worded; None if there is no such deal.
    `disputed` is the place of the line in dispute among the lines of the settlement, `signers` sign a decision beside
    the referee."""
    judgement = load_judgement(conn, deal)
    if judgement is None:
        return None
    t, players = texts_of(judgement.ruleset, t), judgement.session.players
    # Everything that is read from the archive comes first, since a page may read from it for a limited time only.
    page = shown_deal(judgement, deal_position(conn, deal), t, deal_history(conn, deal, t))
    page = replace(
        page, settlement=replace(page.settlement, ruleset="", documents={})
    )  # it leads nowhere but into itself
    sources, record, rules = tuple(source_files(conn, deal)), record_hash(conn, deal), judgement.ruleset
    zone = zone_of_files(sources)
    cases, session = cases_of_deal(conn, deal), session_of_deal(conn, deal)
    off = next((each.off for each in what_sets_right(judgement) if each.key == "totals"), (0,) * len(players))
    names = [name for name, wrong in zip(players, off, strict=True) if wrong]  # whose totals no payment explains
    columns = tuple(column_of(conn, session, deal, name) for name in names)
    explained = explain_stored(conn, deal, judgement)
    origin = {"d_number": str(deal), "d_hash": record, "d_ruleset": f"{rules.id} {rules.digest}" if rules else "",
              "d_engine": ENGINE}  # fmt: skip
    place = disputed_line(judgement, explained)
    case = case_of(judgement)
    found = prove(case) if case else ()
    return {
        "page": page,
        "players": players,
        "facts": [*_facts(judgement, page, t)],
        # as they are written if the rules cannot be read
        "settings": [(each.says, each.value) for each in own_values(rules, t)]
        if rules
        else [*flatten(judgement.session.house or {})],
        "inferred": [evidence_text(each, t["lang"]) for each in judgement.session.inferred or ()],
        "disputed": place,
        "question": trick_in_question(judgement, None if columns else place, t),
        "why": likely_causes(explained, t),
        "mended": _repair_advice(judgement, t),
        "proved": tuple(
            say(each, t["lang"], faces_of(judgement)) for each in proof_messages(judgement, found, t["lang"])
        ),
        "cited": [*citations(judgement, explained, t)],
        "sources": [
            source
            | {
                "imported_at": format_moment(source["imported_at"], t, zone),
                "acts": [act | {"made_at": format_moment(act["made_at"], t, zone)} for act in source["acts"]],
            }
            for source in sources
        ],
        "cases": [case_facts(each, t, zone) for each in cases],
        "columns": columns,
        "signers": signers(cases, players),
        "origin": [(t[key], text) for key, text in origin.items() if text],
    }


def signers(cases: list[DisputeCase], players: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sides of the last case, all players if there is none."""
    if not cases:
        return players
    return tuple(name for name in (cases[-1].claimant, cases[-1].respondent) if name)


def stylesheet() -> str:
    """Return the style of the file, which is complete in itself."""
    return (resource_dir() / "static" / "dossier.css").read_text("utf-8")


# --- what is in question ----------------------------------------------------------------------------------------------


def trick_in_question(judgement: Judgement, place: int | None, t: Texts) -> Facts | None:
    """Return the trick of the first error in the play, else the one that proves the line in dispute; its cards as they
    were `laid`, and `why` it is in question."""
    broken = next((each for each in errors_in(judgement.findings) if each.at and each.at[0].isdigit()), None)
    if broken and broken.at:
        number, reason = int(broken.at.partition(".")[0]), sentence(finding_words(broken, t["lang"]))
    else:
        line = judgement.settlement.lines[place] if judgement.settlement and place is not None else None
        tricks = tricks_proving(line) if line else []
        if not tricks or line is None:
            return None
        number, reason = tricks[0], t["d_proves"].format(line=say_line(judgement, line, t["lang"]))
    steps = [step for step in (judgement.replay.steps if judgement.replay else ()) if step.trick == number]
    if not steps or judgement.replay is None:
        return None
    last = steps[-1].winner if len(steps) == len(judgement.replay.playing) else None
    points = judgement.replay.trick_points[number - 1] if number <= len(judgement.replay.trick_points) else None
    return {"number": number, "why": reason, "laid": steps, "winner": last, "points": points}


# --- facts ------------------------------------------------------------------------------------------------------------


def _facts(judgement: Judgement, page: ShownDeal, t: Texts) -> Iterator[tuple[str, str]]:
    session, deal = judgement.session, judgement.deal
    names, seats = session.players, judgement.replay
    dealer = seats.dealer if seats else deal.dealer
    won = {None: "", True: t["won"], False: t["lost"]}[page.heading.won]
    at = format_day(session.date, t), *table_and_list(session.table, session.list, t)
    fields = {
        "d_event": ", ".join(filter(None, (session.event, session.place, *at))),
        "d_deal": t["of"].format(position=page.heading.place.position, count=page.heading.place.count),
        "d_players": ", ".join(names),
        "dealer": names[dealer] if dealer is not None else "",
        "declarer": " ".join(
            filter(None, (page.heading.declarer, page.heading.partner and f"{t['with']} {page.heading.partner}"))
        ),
        "result": " ".join(filter(None, (won, page.heading.score, *page.heading.extras))),
        "d_table": ", ".join(page.heading.conditions),
        "d_rules": page.heading.rules,
        "d_recorder": session.recorder or "",
        "d_id": deal.id or "",
        "d_url": deal.url or session.url or "",
        "note": deal.note or "",
    }
    yield from ((t[key], text) for key, text in fields.items() if text)


def _repair_advice(judgement: Judgement, t: Texts) -> Facts | None:
    """Return how many single changes would make the record legal, and of the only one its words, the `verdict` then
    with its reason, and its entries, quoted for a shell; None if it is legal."""
    case = case_of(judgement)
    if case is None or not errors_in(case.replay.findings):
        return None
    result = repair(judgement.session, judgement.deal, judgement.number, judgement.before)
    language, faces = t["lang"], faces_of(judgement)
    says = say_sentence(say(result.message, language, faces))
    if (proposal := result.proposal) is None:
        return {"says": says, "verdict": None}
    change, reason = say(proposal.message, language, faces), say_sentence(say(proposal.reason, language, faces))
    entries = [*map(shlex.quote, proposal.entries)]
    return {"says": says, "change": change, "verdict": proposal.verdict, "reason": reason, "entries": entries}


def citations(judgement: Judgement, explained: Explained, t: Texts) -> Iterator[tuple[str, str, str]]:
    """Yield the sources of the lines of the settlement, of the explanations and of the rulings, each once: the place,
    the title of its document, the heading in it."""
    cites = [line.cite for line in (judgement.settlement.lines if judgement.settlement else ())]
    cites += [change.cite for explanation in explained.explanations for change in explanation.changes]
    cites += [row.cite or "" for row in judgement.deal.ruling or ()]
    titles = judgement.ruleset.sources if judgement.ruleset else {}
    own = own_values(judgement.ruleset, t) if judgement.ruleset else ()
    for cite in dict.fromkeys(filter(None, cites)):
        if cite.startswith(f"{HERE}: "):
            key = cite.removeprefix(f"{HERE}: house.")
            says = (each.says for each in own if f"{each.key}.".startswith(f"{key}."))
            yield t["rules_this_table"], t["d_settings"], next(says, t["cite_ruled"])
        else:
            number, _, heading = cite.partition(" ")
            title = titles.get(number, "") if heading else ""
            yield cite, title, heading if title else cite
