"""Five or six at the table. 002 01.6 Playing with Five or Six."""

import pytest
from msgspec.structs import replace
from support.evenings import OUT, evening, game, judged, payments, rules_of
from support.tables import missing_of

from archive.judge.judge_deal import judge_session

FIVE = ("Anna", "Ben", "Cem", "Dora", "Emil")
SIX = (*FIVE, "Fritz")
CALL = game("rufspiel", won=True)


@pytest.mark.parametrize(
    ("players", "active"),
    [(FIVE, [(1, 2, 3, 4), (2, 3, 4, 0), (3, 4, 0, 1)]), (SIX, [(1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 0)])],
)
def test_002_01_6_the_dealer_sits_out_and_with_six_the_cutter_too(
    players: tuple[str, ...], active: list[tuple[int, ...]]
) -> None:
    head, deals = evening(CALL, CALL, CALL, rules="expats", players=players)
    found = list(judge_session(head, [replace(each, sits_out=None) for each in deals]))
    assert [each.replay.active for each in found if each.replay] == active
    assert [each.before.dealer for each in found] == [None, 1, 2]
    assert not [rules_of(each) for each in found if each.findings]


def test_who_sits_out_pays_nothing() -> None:
    head, deals = evening(CALL, rules="expats", players=FIVE)
    (found,) = judge_session(head, [replace(deals[0], sits_out=None)])
    assert payments(found)[0] == 0


@pytest.mark.parametrize(("pays", "paid"), [(False, (0, -10, -10, -10, -10)), (True, (-10,) * 5)])
def test_into_the_pot_pays_who_plays_or_everybody(pays: bool, paid: tuple[int, ...]) -> None:
    stock = {"amount": 10, "won_by": ["solo"]}
    (found,) = judged(OUT, rules="expats", players=FIVE, stock=stock, sitter_pays=pays, all_pass="thrown-in")
    assert payments(found) == paid
    assert found.after.stock == -sum(paid)


def test_a_recorded_sitter_is_taken_and_noted_where_the_rule_has_another() -> None:
    head, deals = evening(OUT, rules="expats", players=FIVE)
    (found,) = judge_session(head, [replace(deals[0], sits_out=(3,))])
    assert rules_of(found) == ["sits-out"]
    assert found.replay.active == (1, 2, 4, 0)


def test_without_a_dealer_nobody_knows_who_sits_out() -> None:
    head, deals = evening(CALL, rules="expats", players=FIVE)
    (found,) = judge_session(head, [replace(deals[0], sits_out=None, dealer=None)])
    assert missing_of(found) == ("the dealer",)
    assert found.verdict == "undecidable"


def test_a_house_without_the_rule_needs_it_in_the_record() -> None:
    head, deals = evening(OUT, players=FIVE)
    (found,) = judge_session(head, [replace(deals[0], sits_out=None)])
    assert rules_of(found) == ["wrong-seats"]
