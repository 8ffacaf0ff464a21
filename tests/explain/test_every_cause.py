"""Every cause can be the answer: in a dispute that it made, it is among the first three explanations."""

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace
from support import mistakes
from support.mistakes import sums
from support.thorough import examples

from archive import generate
from archive.explain import Explained, explain, explain_session
from archive.explain.account import paid_of
from archive.explain.scene import scene_of
from archive.explain.search import first_steps
from archive.explain.trials import Trials
from archive.explain.types import rows
from archive.judge import Judgement, judge, judge_session
from archive.judge.types import case_of
from archive.record import Deal, Session, Stated
from archive.rules import bundled

FEW = 2  # deals of an evening
RARE: tuple[tuple[str, dict[str, Any], str | None, int], ...] = (
    ("pub", {"cap": 100}, None, 20),
    ("pub", {"levels": {"schneider": 90}}, None, 20),
    ("pub", {"ramsch": {"march": 61}}, "ramsch", 4),
    ("bavarian", {}, None, 32),
    ("three-player-blind", {}, None, 8),
    ("langendorf", {}, None, 4),
    ("bavarian", {"stock": {"amount": 20, "won_by": ["rufspiel", "solo", "wenz"]}}, None, 4),
    ("pub", {"stock": {"amount": 10, "won_by": ["rufspiel"]}, "all_pass": "thrown-in"}, None, 40),
)
"""Tables, perhaps the game that all of their deals are, and how many, at which the rarer causes are possible."""


def evenings() -> Iterator[list[Judgement]]:
    """Judged deals that agree, of every ruleset and then of the tables of rarer causes."""
    for rules in bundled():
        yield of_table(rules, {}, None, FEW)
    for row in RARE:
        yield of_table(*row)
    yield of_table("pub", {}, "ramsch", 100)[80:]  # two who have the most card points are seldom


def of_table(rules: str, house: dict[str, Any], contract: str | None, count: int) -> list[Judgement]:
    head, rng = generate.session(rules, house), Random(7)
    if contract is None:
        parts = [list(generate.deals(rng, head, count, ("payments",)))]
    else:
        parts = [[generate.deal(rng, head, contract, ("payments",))] for _ in range(count)]
    return [found for deals in parts for found in judge_session(head, deals) if found.verdict == "agrees"]


def by_first_steps(found: Judgement, wanted: set[str]) -> Iterator[tuple[str, Judgement]]:
    """Disputes of a deal that states what one of the wanted causes makes of it."""
    case = case_of(found)
    if case is None or paid_of(case) is None or found.deal.stated is None:
        return
    for step in first_steps(Trials(scene_of(found, case, ())), found):
        if step.slip.cause in wanted and step.paid is not None and None not in step.paid:
            stated = replace(found.deal.stated, payments=step.paid)
            made = judge(found.session, replace(found.deal, stated=stated), found.number, found.before)
            if made.verdict == "differs":
                yield step.slip.cause, made


def is_named(cause: str, explained: Explained) -> bool:
    return any(each.changes[0].cause == cause and len(each.changes) == 1 for each in explained.explanations[:3])


def by_steps(pending: set[str]) -> None:
    """Take out of `pending` what is named in deals that state it; each is tried four times an evening."""
    for evening in evenings():
        if not pending:
            return
        tries = dict.fromkeys(pending, 4)
        for found in evening:
            for cause, made in by_first_steps(found, {cause for cause in pending if tries[cause]}):
                if cause in pending and tries[cause]:
                    tries[cause] -= 1
                    if is_named(cause, explain(made)):
                        pending.discard(cause)


def by_kinds(pending: set[str]) -> None:
    """Take out of `pending` what is named in disputes of the kinds that name it, of deals and of amounts alone."""
    pool = list(mistakes.right_deals(mistakes.evenings(Random(1), 46, deals=6), Random(2)))
    for cause in sorted(pending):
        kinds = [kind for kind, (_, names) in mistakes.KINDS.items() if cause in names]
        made = mistakes.disputes(Random(3), 12, pool, kinds) if kinds else ()
        if any(is_named(cause, explain(each.found, each.beside)) for each in made):
            pending.discard(cause)
    for sheet in sums.disputes(Random(4), 2 * len(sums.ALL)):
        if pending & sheet.answers:
            named = explain(sheet.found, sheet.beside)
            pending.difference_update([cause for cause in pending & sheet.answers if is_named(cause, named)])


def by_hand() -> Iterator[tuple[str, Judgement]]:
    """Disputes of causes that no kind makes, or only in deals that are rare."""
    rows_of_sheet = ((20, 20, -20, -20), (-20, 20, -20, 20), (-60, -60, 180, -60))
    for cause, total, other in (  # -60 and -20 are right
        ("total-wrong", -53, -20), ("total-misread", -80, -20), ("total-one-carry-sign", -60, -100),
    ):  # fmt: skip
        totals = ((20, 20, -20, -20), (0, 40, -40, 0), (total, other, 140, -60))
        deals = [Deal(stated=Stated(payments=p, totals=t)) for p, t in zip(rows_of_sheet, totals, strict=True)]
        head = Session(players=("Anni", "Beppo", "Centa", "Dammerl"), house={"tariff": "unknown"}, rules="bavarian")
        yield cause, list(judge_session(head, deals))[2]
    five = generate.session("pub", {"tariff": "10/50"}, players=(*generate.PLAYERS[:4], "Emil"))
    for found in judge_session(five, list(generate.deals(Random(5), five, 10, ("payments",)))):
        paid = mistakes.paid_of(found) or ()
        for cause, columns in (("columns-reversed", paid[::-1]), ("columns-mixed", (*paid[2:3], *paid[:2], *paid[3:]))):
            yield cause, judge(five, replace(found.deal, stated=Stated(payments=columns)), found.number, found.before)


def causes_of_an_evening() -> set[str]:
    """The causes that are named where all amounts of an evening are written in tens."""
    head = generate.session("pub", {"tariff": "10/50"})
    found = list(judge_session(head, list(generate.deals(Random(8), head, 8, ("payments",)))))
    tens = [tuple(own // 10 for own in mistakes.paid_of(each) or ()) for each in found]
    deals = [replace(each.deal, stated=Stated(payments=row)) for each, row in zip(found, tens, strict=True)]
    return {each.change.cause for each in explain_session(list(judge_session(head, deals))).readings[:3]}


def test_every_cause_is_named_in_a_dispute_that_it_made() -> None:
    pending = set(rows().cause) - causes_of_an_evening()
    pending -= {cause for cause, made in by_hand() if is_named(cause, explain(made))}
    pending = set(sorted(pending)[:: examples(15, 1)])
    by_kinds(pending)
    by_steps(pending)
    assert not pending, sorted(pending)
