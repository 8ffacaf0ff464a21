"""Special rounds as rounds: what sets them off, how long they last, what follows them. 001 Special Rounds."""

import pytest
from msgspec.structs import replace
from support.evenings import AGAIN, OUT, evening, game, judged, payments, rules_of
from support.tables import missing_of

from archive.judge import Judgement
from archive.judge.judge_deal import judge_session
from archive.record import Carry, Deal, Game, Session, Stated

LOST_SOLO = game("solo", won=False, suit="E", knocks=False, doubles=False)
WON_SOLO = game("solo", won=True, suit="E", knocks=False, doubles=False)
CALL = game("rufspiel", won=True, schwarz=False, knocks=False, doubles=False)


def under_way(found: list[Judgement]) -> list[tuple[tuple[str, int], ...] | None]:
    return [each.before.rounds for each in found]


def test_001_bock_doubles_four_deals_one_by_each_player() -> None:
    found = judged(LOST_SOLO, *[CALL] * 5, bock={"on": ["lost-alone"]})
    assert under_way(found) == [(), *((("bock", left),) for left in (4, 3, 2, 1)), ()]
    times = [[line.text for line in each.settlement.lines if line.text == "Bock"] for each in found if each.settlement]
    assert times == [[], ["Bock"], ["Bock"], ["Bock"], ["Bock"], []]
    assert all(each.verdict == "agrees" and not each.findings for each in found)


def test_001_bock_rounds_overlap_where_the_players_agree_and_payments_are_quadrupled() -> None:
    found = judged(LOST_SOLO, CALL, LOST_SOLO, *[CALL] * 5, bock={"on": ["lost-alone"], "mode": "overlap"})
    assert under_way(found)[2:] == [
        (("bock", 3),), (("bock", 2), ("bock", 4)), (("bock", 1), ("bock", 3)), (("bock", 2),), (("bock", 1),), (),
    ]  # fmt: skip
    assert found[3].settlement.multiplier == 4
    assert all(not each.findings for each in found)


def test_001_bock_rounds_in_a_row_wait_in_a_queue() -> None:
    found = judged(LOST_SOLO, LOST_SOLO, LOST_SOLO, *[CALL] * 11, bock={"on": ["lost-alone"], "mode": "queue"})
    assert [each.before.queue for each in found][:4] == [(), (), ("bock",), ("bock", "bock")]
    left = [each.before.rounds[0][1] if each.before.rounds else 0 for each in found]
    assert left == [0, 4, 3, 2, 1, 4, 3, 2, 1, 4, 3, 2, 1, 0]
    assert {each.settlement.multiplier for each in found[1:13] if each.settlement} == {2}


@pytest.mark.parametrize(
    ("event", "deal"),
    [
        ("60-60", game("rufspiel", points=60)),
        ("schwarz", game("rufspiel", schwarz=True, lean=0.6)),
        ("lost-alone", LOST_SOLO),
        ("tout", game("solo", tout=True)),
        ("thrown-in", OUT),
        ("solo", WON_SOLO),
    ],
)
def test_each_event_starts_a_round_and_no_other_deal_does(event: str, deal: Deal) -> None:
    started = judged(deal, bock={"on": [event]})[0].after.rounds
    assert started == (("bock", 4),)
    calm = game("rufspiel", schwarz=False, points=70)
    assert judged(calm, bock={"on": [event]})[0].after.rounds == ()


@pytest.mark.parametrize(
    ("stated", "rounds"),
    [
        (Stated(won=True, schneider=False, schwarz=False), ()),
        (Stated(won=False, schneider=True, schwarz=False), ()),
        (Stated(won=False, schneider=False, schwarz=False, points=60), (("bock", 4),)),
        (Stated(won=False, schneider=False, schwarz=False, points=59), ()),
        (Stated(won=False, schneider=False, schwarz=False), None),
    ],
)  # fmt: skip
def test_without_cards_what_is_stated_tells_whether_it_was_60_60(
    stated: Stated, rounds: tuple[tuple[str, int], ...] | None
) -> None:
    called = Game("rufspiel", 0, "E", "EA")
    deal = Deal(dealer=3, game=called, partner=2, knocks=(), doubles=(), stated=replace(stated, runners=0))
    session = Session(players=("Anna", "Ben", "Cem", "Dora"), rules="pub", house={"bock": {"on": ["60-60"]}})
    (found,) = judge_session(session, [deal])
    assert found.after.rounds == rounds


def test_a_deal_with_two_events_starts_one_round() -> None:
    found = judged(LOST_SOLO, CALL, bock={"on": ["lost-alone", "solo"], "mode": "overlap"})
    assert found[1].before.rounds == (("bock", 4),)


def test_a_thrown_in_deal_is_one_of_the_round_and_a_misdeal_is_not() -> None:
    found = judged(LOST_SOLO, OUT, AGAIN, CALL, bock={"on": ["lost-alone"]})
    assert under_way(found)[1:] == [(("bock", left),) for left in (4, 3, 3)]
    assert [each.before.dealer for each in found[1:]] == [1, 2, 2]


def test_five_players_have_rounds_of_five_deals() -> None:
    found = judged(
        LOST_SOLO, CALL, rules="expats", players=("Anna", "Ben", "Cem", "Dora", "Emil"), bock={"on": ["lost-alone"]}
    )
    assert found[1].before.rounds == (("bock", 5),)


def test_001_kreuz_is_played_for_four_deals_after_a_solo() -> None:
    kreuz = game("kreuz", rounds=("kreuz",))
    contracts = ["rufspiel", "solo", "kreuz"]
    made = (WON_SOLO, *[kreuz] * 4, CALL)
    found = judged(*made, kreuz={"on": ["solo"], "by": "seats"}, contracts=contracts)
    assert under_way(found)[1:] == [*((("kreuz", left),) for left in (4, 3, 2, 1)), ()]
    assert all(not each.findings for each in found)


def test_another_game_than_the_round_plays_is_a_finding_where_the_record_names_no_round() -> None:
    found = judged(WON_SOLO, CALL, kreuz={"on": ["solo"], "by": "seats"}, contracts=["rufspiel", "solo", "kreuz"])
    assert rules_of(found[1]) == ["round-expected"]
    assert found[1].verdict == "agrees"
    assert "Rufspiel" in found[1].findings[0].message or "Rufer" in found[1].findings[0].message


@pytest.mark.parametrize(("recorded", "expected"), [((), ["round-expected"]), (("bock",), [])])
def test_a_recorded_round_is_held_against_the_ledger_and_wins(recorded: tuple[str, ...], expected: list[str]) -> None:
    head, deals = evening(LOST_SOLO, CALL, bock={"on": ["lost-alone"]})
    found = list(judge_session(head, [deals[0], replace(deals[1], round=recorded)]))[1]
    assert rules_of(found) == expected
    assert found.settlement.multiplier == 2 ** len(recorded)
    assert found.after.rounds == (("bock", 3),)


def test_a_round_that_nothing_sets_off_here_is_played_when_the_record_says_so() -> None:
    head, deals = evening(CALL)
    found = next(iter(judge_session(head, [replace(deals[0], round=("bock",))])))
    assert not found.findings
    assert found.settlement.multiplier == 2


def test_a_round_that_the_house_sets_off_is_not_played_unasked() -> None:
    head, deals = evening(CALL, bock={"on": ["lost-alone"]})
    assert rules_of(next(iter(judge_session(head, [replace(deals[0], round=("bock",))])))) == ["round-expected"]


def test_after_an_undecidable_deal_the_rounds_are_not_known_until_they_are_restated() -> None:
    head, deals = evening(CALL, CALL, CALL, bock={"on": ["lost-alone"]})
    deals[0] = Deal(dealer=0, game=Game("solo", 1, "E"))
    deals[2] = replace(deals[2], carry=Carry(bock=2))
    lost, after, restated = judge_session(head, deals)
    assert lost.after.rounds is None
    assert missing_of(after) == ("which special round is played",)
    assert after.verdict == "undecidable"
    assert restated.before.rounds == (("bock", 2),)
    assert restated.settlement.multiplier == 2
    recorded = list(judge_session(head, [deals[0], replace(deals[1], round=("bock",))]))[1]
    assert recorded.verdict == "agrees"


def test_a_deal_in_no_round_shows_that_none_was_under_way() -> None:
    head, deals = evening(CALL, CALL, LOST_SOLO, CALL, bock={"on": ["lost-alone"]})
    deals[0] = Deal(dealer=0, game=Game("solo", 1, "E"))
    found = list(judge_session(head, [deals[0], replace(deals[1], round=()), *deals[2:]]))
    assert under_way(found) == [(), None, (), (("bock", 4),)]
    assert not [rules_of(each) for each in found if each.findings]


def test_without_rounds_at_this_table_an_undecidable_deal_hides_nothing() -> None:
    head, deals = evening(CALL, CALL)
    deals[0] = Deal(dealer=0, game=Game("solo", 1, "E"))
    assert [each.verdict for each in judge_session(head, deals)] == ["undecidable", "agrees"]


def test_carry_restates_what_is_under_way_and_to_come() -> None:
    head, deals = evening(*[CALL] * 4)
    deals[0] = replace(deals[0], carry=Carry(bock=2, queue=("bock",)))
    found = list(judge_session(head, deals))
    assert under_way(found) == [(("bock", 2),), (("bock", 1),), (("bock", 4),), (("bock", 3),)]
    assert [each.before.queue for each in found] == [("bock",), ("bock",), (), ()]
    assert [payments(each) != (0, 0, 0, 0) for each in found]


def test_a_schieber_waits_for_the_bock_before_it() -> None:
    tout = game("solo", won=True, tout=True, knocks=False, doubles=False)
    found = judged(LOST_SOLO, tout, bock={"on": ["lost-alone"]}, schieber={"on": ["tout"]})
    assert found[1].after.rounds == (("bock", 3),)
    assert found[1].after.queue == ("schieber",)


@pytest.mark.parametrize("name", ["schieber", "teufel"])
def test_001_a_round_with_cards_of_its_own_is_followed_where_only_the_ledger_knows_of_it(name: str) -> None:
    tout = game("solo", won=True, tout=True, knocks=False, doubles=False)
    quiet = game("solo", rounds=(name,), knocks=False, doubles=False, tout=False)
    head, deals = evening(tout, *[quiet] * 4, CALL, **{name: {"on": ["tout"]}})
    found = list(judge_session(head, [replace(each, round=None) for each in deals]))
    assert [each.before.rounds for each in found] == [(), *(((name, left),) for left in (4, 3, 2, 1)), ()]
    assert [(each.verdict, rules_of(each)) for each in found] == [("agrees", [])] * 6


def test_001_schieber_thrown_in_is_a_deal_of_the_round() -> None:
    tout = game("solo", won=True, tout=True, knocks=False, doubles=False)
    found = judged(tout, OUT, OUT, schieber={"on": ["tout"], "thrown_in": 20})
    assert payments(found[1]) == (20, -20, -20, 20)  # Ben has dealt
    assert found[2].before.rounds == (("schieber", 3),)


def test_less_than_no_bock_is_none() -> None:
    head, deals = evening(CALL)
    (found,) = judge_session(head, [replace(deals[0], carry=Carry(bock=-2))])
    assert found.before.rounds == ()
