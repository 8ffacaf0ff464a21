"""A part of the price in the columns of some; other things in a row than the amounts of its deal."""

from random import Random

import pytest
from msgspec.structs import replace
from support import mistakes
from support.mistakes.parts import ASIDE, PARTS
from support.thorough import THOROUGH, examples

from archive import generate
from archive.explain import explain, offer_of
from archive.explain.people_slips import of_tied, seat_slips
from archive.explain.scene import Slip, change_of, scene_of
from archive.judge import judge, judge_session
from archive.judge.types import case_of
from archive.record import Stated
from archive.say import say


@pytest.fixture(scope="module")
def pool() -> list[mistakes.Right]:
    rng = Random(26)
    sessions = mistakes.evenings(rng, 92, deals=10) if THOROUGH else mistakes.shared_evenings()
    return list(mistakes.right_deals(sessions, rng))


def test_the_cause_is_named_first_or_among_three(pool: list[mistakes.Right]) -> None:
    kinds = [kind for kind in PARTS if kind not in ASIDE][:: examples(2, 1)]
    places = []
    for each in mistakes.disputes(Random(4), examples(1, 2) * len(kinds), pool, kinds):
        named = [tuple(change.cause for change in one.changes) for one in explain(each.found, each.beside).explanations]
        places.append(mistakes.place(named, each))
    assert sum(place == 1 for place in places) >= 0.9 * len(places)
    assert sum(place <= 3 for place in places) >= 0.95 * len(places)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("kind", "cause", "english", "german"),
    [
        ("kontra between its sayer and the declarer", "for-some", "was counted between", "nur zwischen"),
        ("a doubling on one side", "for-some", "It would fit if for ", "wenn nur bei "),
        ("runners on one side", "for-some", "forgotten.", "vergessen wurde"),
        ("declarer of a Solo not doubled", "for-some", "was not counted.", "nicht gezählt wurde."),
        ("declarer of a Solo twice, not three times", "paid-once",
         "2 times the amount of one opponent, not 3 times.", "nicht mit dem 3-fachen."),
        ("a virgin with a trick", "virgin-counted", "as a virgin, without being one.", "als Jungfrau gezählt"),
        ("pot one round short", "pot-round", "a round is missing in the pot:", "wenn im Stock eine Runde fehlt:"),
        ("pot one round too much", "pot-round", "the pot has a round too many:", "im Stock eine Runde zu viel"),
        ("pot paid by the losers", "pot-from-losers", "the losers paid the pot as well", "den Stock gezahlt haben"),
        ("card points for amounts", "points-in-row", "the card points of each stand", "die Augen von jedem"),
        ("card points of a side for amounts", "points-in-row", "of either side stand", "die Augen der beiden Parteien"),
        ("running totals for amounts", "totals-in-row", "the new totals stand", "statt der Beträge die neuen Stände"),
        ("this deal and the next in one row", "lines-added", "are written together here", "zusammen"),
        ("one for won and lost", "won-lost-alone", "only who won and who lost was written", "wer gewonnen und wer"),
        ("rounded to a hundred", "rounded", "the amounts were rounded to 100.", "die Beträge auf 100 gerundet wurden."),
    ],
)  # fmt: skip
def test_each_cause_is_said_in_both_languages(
    kind: str, cause: str, english: str, german: str, pool: list[mistakes.Right]
) -> None:
    offers = []
    for each in mistakes.disputes(Random(5), 3, pool, [kind]):
        for one in explain(each.found, each.beside).explanations[:3]:
            if [change.cause for change in one.changes] == [cause]:
                offers.append(offer_of(one.changes))
    assert any(english in say(each) and german in say(each, "de") for each in offers), [say(each) for each in offers]


def test_virgin_counted(pool: list[mistakes.Right]) -> None:
    """A virgin with a trick has the fewest tricks of those who do not lose."""
    for each in mistakes.disputes(Random(6), 3, pool, ["a virgin with a trick"]):
        for one in explain(each.found, each.beside).explanations:
            if one.changes[0].cause == "virgin-counted" and len(one.changes) == 1:
                for changes in (one.changes, *one.ways):
                    seat = each.found.session.players.index(str(changes[0].clause.facts["name"]))
                    assert seat != each.found.settlement.loser if each.found.settlement else True
                    assert each.found.replay.tricks_won[seat]


def test_ramsch_both() -> None:
    """Two of a Ramsch with the same card points both pay the two others."""
    head = generate.session("pub")
    found = next(
        each
        for each in judge_session(head, generate.deals(Random(1), head, 400, state=("payments",)))
        if each.settlement and each.settlement.loser is not None and not any(each.before.stock or 0 for _ in (1,))
    )
    case = case_of(found)
    loser, winners = case.settlement.loser or 0, [n for n in range(4) if n != case.settlement.loser]
    points = list(case.replay.points)
    points[winners[0]] = points[loser]
    tied = replace(case, replay=replace(case.replay, points=tuple(points)))
    scene = scene_of(found, tied, ())
    made = [(slip, shares) for slip, shares in of_tied(scene, loser, scene.account.shares)]
    each_pays_each = tuple(-2 if n in (loser, winners[0]) else 2 for n in range(4))
    assert [shares for _, shares in made] == [each_pays_each, tuple(own // 2 for own in each_pays_each)]
    text = change_of(made[0][0]).message
    names = sorted((loser, winners[0]))
    one, other = (found.session.players[n] for n in names)
    assert say(text) == f"It would fit if {one} and {other} have the same card points, and both paid."
    assert (
        say(text, "de") == f"Es würde passen, wenn {one} und {other} gleich viele Augen haben und beide gezahlt haben."
    )
    assert not list(of_tied(scene_of(found, case, ()), loser, scene.account.shares))


def test_a_slip_in_one_column_is_rarer_than_in_those_of_a_side() -> None:
    head = generate.session("pub", {"tariff": "10/50"})
    deals = generate.deals(Random(1), head, 40, state=("payments",))
    found = next(
        each for each in judge_session(head, deals) if each.deal.game and each.deal.game.contract == "rufspiel"
    )
    scene = scene_of(found, case_of(found), ())
    slips = [slip for slip, _ in seat_slips(scene, scene.account, (None,) * 4)]
    extras = {(slip.facts["clause"].id, len(slip.facts["names"])): slip.extra for slip in slips}  # type: ignore[attr-defined]
    both = [(extras[clause, 1], extra) for (clause, count), extra in extras.items() if count == 2]
    assert both
    assert all(one > side for one, side in both)


def test_two_deals_in_one_row_with_the_next_one_empty(pool: list[mistakes.Right]) -> None:
    """The row that has both names the next deal; the empty one says that nothing was written."""
    head = generate.session("pub", {"tariff": "10/50"})
    found = list(judge_session(head, list(generate.deals(Random(8), head, 6, state=("payments",)))))
    paid = [mistakes.paid_of(each) or () for each in found]
    both = tuple(a + b for a, b in zip(paid[2], paid[3], strict=True))
    rows = [*paid[:2], both, (0,) * 4, *paid[4:]]
    deals = [replace(each.deal, stated=Stated(payments=row)) for each, row in zip(found, rows, strict=True)]
    again = list(judge_session(head, deals))
    first, second = (explain(again[n], [again[n - 1], again[n + 1]]).explanations[0].changes for n in (2, 3))
    assert (first[0].cause, first[0].clause.facts) == ("lines-added", {"number": 4})
    assert second[0].cause == "nothing-written"


def test_a_rounded_row_has_two_rounded_columns() -> None:
    """One column that is rounded is a number that was miswritten."""
    head = generate.session("pub", {"tariff": "10/50"})
    found = next(iter(judge_session(head, list(generate.deals(Random(11), head, 1, state=("payments",))))))
    paid = mistakes.paid_of(found) or ()
    one = (paid[0] + (7 if paid[0] % 10 == 0 else 0), *paid[1:])
    wrong = judge(head, replace(found.deal, stated=Stated(payments=one)), 1, found.before)
    assert not [each for each in explain(wrong).explanations if each.changes[0].cause == "rounded"]


def test_a_clause_that_ends_in_an_addition_is_closed_with_a_comma_before_und() -> None:
    less = change_of(Slip("runner-less", {"written": 2, "count": 3}))
    plain, other = change_of(Slip("schwarz-missed")), change_of(Slip("turned"))
    assert "zu wenig gezählt wurde: 2 von 3, und alle Vorzeichen" in say(offer_of((less, other)), "de")
    assert "gezählt wurde und alle Vorzeichen" in say(offer_of((plain, other)), "de")
