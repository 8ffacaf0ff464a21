"""Laws of the search: an explanation gives everything that is stated; the sentence says how many others fit; a session
has habits."""

from functools import cache
from math import log
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support import mistakes
from support.outcomes import gives_all, outcomes
from support.thorough import examples

from archive import generate
from archive.explain import Explained, explain, explain_session
from archive.explain.house_variants import UNUSUAL
from archive.explain.scene import AGAIN, TARIFFS, Slip, change_of, cost_of, scene_of
from archive.explain.session import result_of_session
from archive.explain.types import SessionReading, rows
from archive.explain.writing_slips import number_slips
from archive.judge import Judgement, judge, judge_session
from archive.judge.from_facts import with_plainest_play
from archive.judge.types import case_of
from archive.say import say


@cache
def deals() -> list[mistakes.Right]:
    rng = Random(27)
    return list(mistakes.right_deals(mistakes.shared_evenings(), rng))


def dispute_of(rng: Random) -> mistakes.Dispute | None:
    """One slip, two, or one with an amount that no slip explains."""
    kinds = [rng.choice(mistakes.ALL) for _ in range(4)]
    make = mistakes.pairs if rng.random() < 0.4 else mistakes.disputes
    wanted = [kind for kind in kinds if kind in mistakes.KINDS] or ["all signs", "runners forgotten"]
    return next(make(rng, 1, rng.sample(deals(), 20), wanted), None)


@settings(max_examples=examples(10, 400), deadline=None)
@example(seed=299289, noise=0)  # an earlier deal added three times
@example(seed=251, noise=0)  # totals carried on a column further
@example(seed=307514585, noise=0)  # an amount of an earlier deal in the next column
@example(seed=860780630, noise=10)  # an amount in the next column, and a deal taken off
@given(seed=st.integers(0, 10**9), noise=st.sampled_from([0, 0, 1, 10, 35]))
def test_what_an_explanation_says_gives_everything_that_is_stated(seed: int, noise: int) -> None:
    each = dispute_of(Random(seed))
    if each is None:
        return
    found, stated = each.found, each.found.deal.stated
    if noise and stated and stated.payments and None not in stated.payments:
        first, *rest = stated.payments
        paid = ((first or 0) + noise, *rest)
        found = judge(
            found.session, replace(found.deal, stated=replace(stated, payments=paid)), found.number, found.before
        )
    explained = explain(found, each.beside)
    case = case_of(found)
    if not explained.explanations or case is None:
        return
    scene = scene_of(found, with_plainest_play(case) if found.basis == "facts" else case, each.beside)
    for explanation in explained.explanations:
        if scene.from_facts and "noted" in {change.cause for change in explanation.changes}:
            continue  # the deal was settled by what is noted: another fact is another deal
        made = list(outcomes(scene, found, explanation))
        assert any(gives_all(scene, outcome) for outcome in made), [
            say(change.message) for change in explanation.changes
        ]


def causes(explained: Explained) -> list[str]:
    return ["+".join(change.cause for change in each.changes) for each in explained.explanations]


def test_how_many_others_fit_is_the_number_of_those_given() -> None:
    for each in mistakes.disputes(Random(3), examples(8, 20), deals()):
        explained = explain(each.found, each.beside)
        if explained.explanations:
            assert len(causes(explained)) == len(set(causes(explained)))
            others = explained.message.facts.get("n", 0)
            assert others == len(explained.explanations) - 1


def test_the_search_ends_by_what_it_tried_and_says_so() -> None:
    each = next(
        mistakes.pairs(Random(5), 1, deals(), ["runners forgotten", "kontra forgotten", "two columns exchanged"])
    )
    explained = explain(each.found, each.beside, trials=5)
    assert not explained.whole
    assert explain(each.found, each.beside) == explain(each.found, each.beside)


def test_a_cause_is_not_listed_again_beside_itself() -> None:
    """What explains all alone is not offered once more with a second slip that undoes part of it."""
    for each in (
        *mistakes.disputes(Random(12), examples(8, 40), deals()),
        *mistakes.pairs(Random(13), examples(4, 15), deals()),
    ):
        named = [[change.cause for change in one.changes] for one in explain(each.found, each.beside).explanations]
        alone = {causes[0] for causes in named if len(causes) == 1}
        assert not [causes for causes in named if len(causes) > 1 and alone & {*causes}]


def test_two_usual_slips_are_likelier_than_what_turns_any_number_into_any_other() -> None:
    usual = 2 * 2.5 + AGAIN
    misread = [slip for slip in number_slips(250, 290, "one-", name="Anna") if slip.cause == "one-digit-misread"]
    alike = [slip for slip in number_slips(250, 260, "one-", name="Anna") if slip.cause == "one-digit-misread"]
    assert [cost_of(slip) > usual for slip in (*misread, *alike)] == [True, False]
    assert rows().cause["tariff"].cost + UNUSUAL + log(len(TARIFFS)) / 2 > usual
    assert rows().cause["one-wrong"].cost > usual


# --- a slip made all evening ------------------------------------------------------------------------------------------


def evening_with(*kinds: str) -> list[Judgement]:
    """An evening in which one slip was made in every deal where it can be: the first of some kinds."""
    rng = Random(9)
    evening = generate.session("pub", {"knock": "anyone"})
    found = list(judge_session(evening, list(generate.deals(rng, evening, 24, state=("payments",)))))
    made = []
    for right in mistakes.right_deals([found], rng):
        if right.found.settlement and right.found.settlement.loser is not None:
            continue
        form = replace(right, form="payments", sheet=replace(right.sheet, payments=right.sheet.gained))
        wrong = next((sheet for kind in kinds for sheet, _, _ in mistakes.forms_of(form, kind)), None)
        deal = right.found.deal
        stated = replace(deal.stated, payments=wrong.payments) if wrong and deal.stated else deal.stated
        made.append(judge(evening, replace(deal, stated=stated), right.found.number, right.found.before))
    return made


@pytest.mark.parametrize(
    ("kinds", "cause", "says"),
    [
        (
            "no doubling counted,knock forgotten,kontra forgotten",
            "doublings-missed",
            "no doubling was counted all evening",
        ),
        ("doublings added", "doublings-added", "doublings were added all evening, not multiplied"),
        ("runners forgotten", "runners-missed", "no runners were counted all evening"),
    ],
)
def test_a_slip_made_all_evening_is_said_in_one_sentence(kinds: str, cause: str, says: str) -> None:
    explained = explain_session(evening_with(*kinds.split(",")))
    assert len(explained.differ) >= 2
    best = explained.readings[0]
    assert best.change.cause == cause
    assert best.explains == explained.differ
    assert says in say(explained.message)
    assert "den ganzen Abend" in say(explained.message, "de")


def test_nothing_says_that_all_agree_which_its_own_list_denies() -> None:
    change = change_of(Slip("tariff", {"value": "20/50", "was": "10/20"}))
    text = result_of_session([SessionReading(change, (3, 4, 5), (), (10, 12))], (3, 4, 5))
    assert say(text).endswith("That explains 3 deals of 3. Deals 10 and 12 would then differ.")
    assert say(text, "de").endswith("Dann wichen die Spiele 10 und 12 ab.")
