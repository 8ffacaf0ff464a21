"""From deal n on: what is otherwise in a part of an evening, and what other deals say of a reading."""

from collections.abc import Sequence
from random import Random

import pytest
from msgspec.structs import replace
from support import mistakes
from support.mistakes import midway
from support.thorough import examples

from archive.explain import Change, SessionReading, explain, explain_session
from archive.explain.house_variants import with_setting
from archive.explain.scene import Slip, change_of
from archive.explain.session import result_of_session
from archive.judge import Judgement, judge
from archive.judge.judge_stream import with_neighbours
from archive.record import Stated
from archive.say import say


@pytest.fixture(scope="module")
def pool() -> list[list[Judgement]]:
    return list(mistakes.shared_evenings())


def named(each: midway.Midway) -> list[midway.Reading]:
    return [midway.said(one) for one in explain_session(each.found).readings]


def midway_of(kind: str, pool: Sequence[list[Judgement]]) -> midway.Midway:
    return next(midway.evenings(Random(2), 1, pool, [kind]))


def test_what_is_otherwise_in_a_part_of_an_evening_is_named_with_that_part(pool: list[list[Judgement]]) -> None:
    kinds = [kind for kind in midway.KINDS if kind not in midway.ASIDE]
    made = list(midway.evenings(Random(3), examples(8, 16), pool, kinds[::3]))
    assert len(made) >= examples(4, 8)
    assert sum(midway.place(named(each), each) == 1 for each in made) >= len(made) - examples(1, 2)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("kind", "english", "german"),
    [
        ("from: tariff 5/10", "if from deal {n} on the table plays 5/10, not", "wenn ab Spiel {n} der Tisch 5/10"),
        ("until: tariff 5/25", "if up to deal {n} the table plays 5/", "wenn bis Spiel {n} der Tisch 5/"),
        ("from: no runners", "if no runners were counted from deal {n} on.", "wenn ab Spiel {n} keine Laufenden"),
        ("until: all signs", "if all signs were turned up to deal {n}.", "wenn bis Spiel {n} alle Vorzeichen"),
        ("from: two names mixed up", "were taken for each other from deal {n} on.", "ab Spiel {n} verwechselt wurden."),
        ("from: rows one down", "the deal before it from deal {n} on.", "in jeder Zeile die Beträge des Spiels davor"),
        ("until: rows one up", "the deal after it up to deal {n}.", "in jeder Zeile die Beträge des Spiels danach"),
        (
            "from: amounts in fives",
            "in another unit from deal {n} on: 1 in place of 5.",
            "alle Beträge ab Spiel {n} in",
        ),
        ("until: signs lost", "the signs were left out up to deal {n}.", "wenn bis Spiel {n} die Vorzeichen"),
        (
            "from: columns from the right",
            "the other end from deal {n} on.",
            "wenn die Spalten ab Spiel {n} vom anderen",
        ),
    ],
)
def test_a_part_of_an_evening_is_said_by_its_deal(
    kind: str, english: str, german: str, pool: list[list[Judgement]]
) -> None:
    each = midway_of(kind, pool)
    explained = explain_session(each.found)
    best = next(
        one for one in explained.readings if {one.change.cause, one.change.setting} & each.answers and not one.breaks
    )
    number = best.since or best.until
    assert number == each.differ[0 if kind.startswith("from") else -1]
    assert english.format(n=number) in say(best.change.message)
    assert german.format(n=number) in say(best.change.message, "de")


def test_a_reading_that_leaves_deals_and_breaks_others_says_both() -> None:
    change = change_of(Slip("tariff", {"value": "20/50", "was": "10/20"}))
    text = result_of_session([SessionReading(change, (3, 4, 5), (6, 7), (10,))], (3, 4, 5, 6, 7))
    assert say(text).endswith("3 deals of 5. Deals 6 and 7 still differ, and deal 10 would then differ too.")
    assert say(text, "de").endswith("Abweichend bleiben die Spiele 6 und 7, und dann wiche auch Spiel 10 ab.")


def refuting(change: Change, beside: Sequence[Judgement], number: int) -> int:
    """How many of the five deals above and below would differ by a reading."""
    near = [other for other in beside if abs(other.number - number) <= 5]
    heads = [with_setting(other.session, change.setting, change.value) for other in near]
    both = zip(heads, near, strict=True)
    return sum(judge(head, each.deal, each.number, each.before).verdict == "differs" for head, each in both)


def test_a_reading_that_five_other_deals_refute_is_not_offered(pool: list[list[Judgement]]) -> None:
    """One deal paid twice as high as those around it, by the table's own tariff: it alone was reckoned wrongly."""
    looked_at = 0
    for found in pool[:: examples(16, 2)]:
        for each, beside in with_neighbours(found):
            paid = mistakes.paid_of(each)
            if paid is None or (each.settlement and each.settlement.marks is not None):
                continue
            deal = replace(each.deal, stated=Stated(payments=tuple(2 * own for own in paid)))
            wrong = judge(each.session, deal, each.number, each.before)
            if wrong.verdict != "differs":
                continue
            for explanation in explain(wrong, beside).explanations[:3]:
                change = explanation.changes[0]
                if change.setting and len(explanation.changes) == 1:
                    assert refuting(change, beside, each.number) < 5
            offered = [change for one in explain(wrong).explanations[:3] for change in one.changes]
            looked_at += any(each.setting and refuting(each, beside, wrong.number) >= 5 for each in offered)
    assert looked_at > examples(2, 20)


def test_a_reading_that_other_deals_need_too_stays_first(pool: list[list[Judgement]]) -> None:
    each = midway_of("from: tariff 5/25", pool)
    named_first = 0
    for found, beside in with_neighbours(each.found):
        if found.number in each.differ[1:]:
            named_first += any(
                change.setting == "tariff" for one in explain(found, beside).explanations[:3] for change in one.changes
            )
    assert named_first >= 0.6 * (len(each.differ) - 1)
