"""A true addition keeps a verdict: what is decided stays decided, alike, when something true is beside it."""

import pytest
from support.tables import judge_text, rules_of

from archive.judge import Judgement
from archive.judge.decisive_facts import decisive_facts
from archive.judge.price_range import price_range


def judged(text: str, rules: str = "bavarian", house: str = "") -> Judgement:
    return judge_text(f'[[deal]]\ndealer = "Dora"\n{text}', rules, house)[0]


SOLO = 'game = "Anna solo H"\nknocks = []\ndoubles = []\nstated.points = 70\nstated.price = '
HARMLESS = (
    "@1.2 Ben remarks hm", "@1.2 Ben looks at a trick", "@1.1 Anna no-claim", "@2 Cem prevented HA by Ben",
    "@1.1 Ben announces breakthrough",
)  # fmt: skip


@pytest.mark.parametrize("event", HARMLESS)
@pytest.mark.parametrize("price", [50, 999])
def test_an_event_of_which_nothing_follows_keeps_a_verdict(event: str, price: int) -> None:
    without, beside = judged(f"{SOLO}{price}"), judged(f'{SOLO}{price}\nevents = ["{event}"]')
    assert without.verdict == ("agrees" if price == 50 else "differs")
    assert (beside.verdict, beside.settlement) == (without.verdict, without.settlement)


RAMSCH = 'game = "ramsch"\nstated.points = [40, 40, 30, 10]\n'
BY_TRICKS = '[house.ramsch]\ntie = ["tricks", "taken-trumps"]\n'


@pytest.mark.parametrize(("tricks", "loser"), [((3, 2, 2, 1), 0), ((2, 3, 2, 1), 1), ((2, 2, 3, 1), None)])
def test_001_ramsch_tricks_by_player_decide_equal_points(tricks: tuple[int, ...], loser: int | None) -> None:
    found = judged(f"{RAMSCH}stated.tricks = {list(tricks)}", "pub", BY_TRICKS)
    assert judged(RAMSCH, "pub", BY_TRICKS).verdict == "undecidable"
    assert found.verdict == ("undecidable" if loser is None else "agrees")
    assert found.settlement is not None
    assert found.settlement.loser == loser


@pytest.mark.parametrize("tricks", ["", "stated.tricks = 4\n"])
@pytest.mark.parametrize("points", [42, 70])
def test_tricks_beside_points_keep_a_verdict_in_bauernstoss(tricks: str, points: int) -> None:
    text = f'carry.marks = [2, 0, 2, 0]\ncarry.chalk = "Anna"\ngame = "Ben bauernstoss H"\nstated.points = {points}\n'
    found = judged(text + tricks, "bauernstoss")
    assert (found.verdict, rules_of(found)) == ("agrees", [])


@pytest.mark.parametrize("trick", ["", 'tricks = ["Anna: EO GO H7 H9"]\n'])
def test_a_lost_bettel_may_have_been_played_on(trick: str) -> None:
    found = judged(f'game = "Anna bettel"\n{trick}stated.points = 120\nstated.won = false', "pub")
    assert (found.verdict, rules_of(found)) == ("agrees", [])


@pytest.mark.parametrize("dealer", ["", 'dealer = "Anna"\n'])
def test_stated_marks_without_turns_are_undecidable(dealer: str) -> None:
    found = judge_text(f'[[deal]]\n{dealer}game = "schnauz"\nstated.marks = [2, 3, 2, 2]', "schnauz")[0]
    assert found.verdict == "undecidable"
    assert (decisive_facts(found), price_range(found)) == ((), None)
