"""What the documents leave open, as settings: beside the table of readings, where a reading is seen and where not."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from support.duties import narrow_hand
from support.evenings import AGAIN, OUT, game, judged
from support.mistakes.settings import paid
from support.rulesets import load_rules
from support.tables import missing_of
from support.unsettled_readings import RUN_AWAY, THROWN_OFF_FIRST, rules_with
from support.unsettled_readings import judged as judged_text
from support.worked_examples import PLAYERS, played

from archive import generate
from archive.analysis.positions import is_covered
from archive.bulk.plans import plan_of
from archive.explain import explain
from archive.judge import Judgement, judge, judge_session
from archive.record import Deal, Game, Session, Stated
from archive.say import say
from archive.settle.ledger import empty_ledger
from archive.settle.settle import settle

LOST_SOLO = game("solo", won=False, suit="E", knocks=False, doubles=False)
CALL = game("rufspiel", won=True, schwarz=False, knocks=False, doubles=False)


def may(hand: str, led: str = "", searched: int = 0, called: str = "EA", **call: Any) -> set[str]:
    """What the partner may play in a Rufspiel: on a card led, or to lead."""
    ruleset = load_rules("bavarian", {"call": call})
    return narrow_hand(hand, led, "", ruleset, ("rufspiel", called[0], called), searched)[0]


# --- running away -----------------------------------------------------------------------------------------------------


def test_001_play_three_others_are_those_held_when_the_suit_is_led_or_those_dealt() -> None:
    assert [each.rule for each in judged_text(THROWN_OFF_FIRST, "").findings] == ["called-card-led-under"]
    assert judged_text(THROWN_OFF_FIRST, 'call.run_away_counts = "dealt"').findings == ()
    three = THROWN_OFF_FIRST.replace("EA EZ E8 E7 SA", "EA EZ E8 GU SA").replace("EU GU", "EU E7")
    three = three.replace("GA E7 G8", "GA GU G8")
    found = judged_text(three, 'call.run_away_counts = "dealt"')
    assert "called-card-led-under" in [each.rule for each in found.findings]


def test_what_was_dealt_is_left_to_the_judge_that_explains_and_not_to_the_search_over_open_cards() -> None:
    ruleset = load_rules("bavarian", {"call": {"run_away_counts": "dealt"}})
    assert plan_of(ruleset, Game("rufspiel", 0, "E", "EA")).lacking == "running away by the cards dealt"
    assert plan_of(ruleset, Game("solo", 0, "E")).lacking == ""
    covered = {name: is_covered(ruleset.house, ruleset.contracts[name]) for name in ("rufspiel", "solo")}
    assert covered == {"rufspiel": False, "solo": True}


def test_001_after_running_away_the_ace_may_be_discarded_and_002_withheld() -> None:
    assert may("EA EZ S7", "E9", 1) == {"EA", "EZ"}
    assert may("EA EZ S7", "E9", 1, after_run_away="due") == {"EA"}
    assert may("EA EZ S7", "G9", 1, after_run_away="due") == {"EA", "EZ", "S7"}
    assert may("EA EZ S7", "", 1, after_run_away="due") == {"EA", "S7"}  # nor is it led under once more
    withheld = judged_text(RUN_AWAY.format('"Ben: E9 SZ GK EK"'), 'call.after_run_away = "due"')
    assert [each.rule for each in withheld.findings] == ["called-card-withheld"]


@pytest.mark.parametrize(("called", "rest"), [("EZ", "EK E9 E8"), ("EK", "E9 E8 E7")])
def test_001_muss_a_called_ten_or_king_may_be_run_away_from_where_the_house_has_it_so(called: str, rest: str) -> None:
    hand = f"{called} {rest} H7"
    assert may(hand, called=called) == {*hand.split()}
    assert may(hand, called=called, run_away_from="ace") == {called, "H7"}
    assert may("EA EZ EK E9 H7", run_away_from="ace") == {"EA", "EZ", "EK", "E9", "H7"}


# --- Kreuz, ties, rounds ----------------------------------------------------------------------------------------------


def test_001_kreuz_partners_hold_an_ace_where_the_aces_are_those_of_the_hands() -> None:
    house = {"contracts": ["rufspiel", "kreuz"], "kreuz": {"aces": "held"}}
    head = Session(rules="bavarian", players=PLAYERS, house=house)
    hands = (("EZ", "EK", "GZ", "GK", "SZ", "SK", "HZ", "HK"), ("EA", "E9", "G9", "S9", "EO", "GO", "HO", "SO"))
    deal = Deal(dealer=3, game=Game("kreuz", 0), partner=1, hands=(*hands, None, None))
    (wrong,) = judge(head, deal, 1, empty_ledger(4)).findings
    assert (wrong.rule, "Anna has none of them" in wrong.message) == ("wrong-parties", True)
    assert judge(replace(head, house=house | {"kreuz": {"aces": "drawn"}}), deal, 1, empty_ledger(4)).findings == ()
    seats = house | {"kreuz": {"aces": "held", "by": "seats"}}
    opposite = replace(deal, game=Game("kreuz"), partner=None)
    assert judge(replace(head, house=seats), opposite, 1, empty_ledger(4)).findings == ()


def test_001_kreuz_nobody_draws_partners_where_the_aces_are_those_of_the_hands() -> None:
    drawn = '[[deal]]\ndealer = "Anna"\ndraw = ["Anna SA", "Ben EA"]\ngame = "kreuz"\n'
    house = 'contracts = ["rufspiel", "kreuz"]\nkreuz = {{ aces = "{}" }}'
    held, dealt = (judged_text(drawn, house.format(aces)) for aces in ("held", "drawn"))
    assert (dealt.replay and dealt.replay.declarer, dealt.findings) == (0, ())
    assert [(each.rule, each.message) for each in held.findings] == [
        ("draw-not-allowed", "the draw: nobody draws partners here")
    ]
    assert (held.replay.declarer, "the declarer" in missing_of(held)) == (None, True)


def test_partners_of_generated_kreuz_games_hold_an_ace_where_the_house_asks_for_it() -> None:
    evening = generate.session("bavarian", {"contracts": ["kreuz"], "kreuz": {"aces": "held"}})
    found = [judge(evening, generate.deal(Random(seed), evening, "kreuz"), 1, empty_ledger(4)) for seed in range(6)]
    assert [each.findings for each in found] == [()] * 6


@pytest.mark.parametrize(("most", "price"), [(0, 40), (1, 20), (2, 30), (3, 40)])
def test_001_bierkopf_two_ties_in_a_row_leave_so_many_stakes(most: int, price: int) -> None:
    before, rules = replace(empty_ledger(4), stake=3), rules_with("bierkopf", f"levels.stakes_most = {most}")
    won = settle(Deal(game=Game("bierkopf")), PLAYERS, rules, played(70, 4, "bierkopf", 2), before)
    assert (won.price, won.stake) == (price, -3)  # the table is cleared
    (cite,) = (line.cite for line in won.lines if line.part == "stake")
    assert (cite == "this table: house.levels.stakes_most") is (0 < most < 3), cite


@pytest.mark.parametrize("counts", [True, False])
def test_001_special_rounds_a_deal_thrown_in_is_one_of_the_four_or_not(counts: bool) -> None:
    found = judged(LOST_SOLO, OUT, AGAIN, CALL, bock={"on": ["lost-alone"], "thrown_in_counts": counts})
    left = [dict(each.before.rounds or ())["bock"] for each in found[1:]]
    assert left == ([4, 3, 3] if counts else [4, 4, 4])


@pytest.mark.parametrize("mode", ["overlap", "queue"])
@pytest.mark.parametrize("each_cause", [True, False])
def test_001_bock_several_causes_in_one_deal_start_one_round_or_one_each(mode: str, each_cause: bool) -> None:
    events = {"on": ["lost-alone", "solo", "tout"], "mode": mode, "each_cause": each_cause}
    after = judged(LOST_SOLO, bock=events)[0].after
    both = (("bock", 4),) * (2 if each_cause and mode == "overlap" else 1)
    assert (after.rounds, after.queue) == (both, ("bock",) if each_cause and mode == "queue" else ())


def test_how_many_rounds_begin_is_not_known_where_one_cause_is_not() -> None:
    called = Game("solo", 0, "E")
    deal = Deal(dealer=3, game=called, stated=Stated(won=False, schneider=False, schwarz=False))
    for each_cause, rounds in ((False, (("bock", 4),)), (True, None)):
        house = {"bock": {"on": ["solo", "60-60"], "each_cause": each_cause}}
        (found,) = judge_session(Session(players=PLAYERS, rules="pub", house=house), [deal])
        assert found.after.rounds == rounds


# --- prices -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("counts", "prices"), [("true", (4, 5)), ("false", (1, 5))])
def test_004_contracts_discarded_trumps_count_to_hoch_or_those_of_a_solo_alone(
    counts: str, prices: tuple[int, int]
) -> None:
    rules = rules_with("palatinate", f"discard_runners = {counts}\nsitter_pays = false")
    lying = replace(played(70, 5, "solo", None), held=(("EO", "HO"), ("SO",), (), ()), laid=("GO", "S7"))
    found = (settle(Deal(game=Game(name, 0, "G")), PLAYERS, rules, lying).price for name in ("simple", "solo"))
    assert tuple(found) == prices


def test_a_limit_of_what_one_player_pays_in_all_is_shared_by_a_lone_players_opponents_alone() -> None:
    house = "cap = 60\ncap_of = 'player'\nprice.rufspiel = 100"
    rules = rules_with("bavarian", house)
    alone = settle(Deal(game=Game("solo", 0, "G")), PLAYERS, rules, played(70, 5, "solo", None))
    both = settle(Deal(game=Game("rufspiel", 0, "E", "EA")), PLAYERS, rules, played(70, 5, "rufspiel", 3))
    assert (alone.payments, both.payments) == ((60, -20, -20, -20), (60, -60, -60, 60))
    assert [each.lines[-1].cite for each in (alone, both)] == ["this table: house.cap_of", "this table: house.cap"]


# --- the fast run, and what explain offers ----------------------------------------------------------------------------


def stating(found: Judgement, house: dict[str, Any]) -> Judgement:
    """The deal with what it would cost in another house stated."""
    stated = Stated(payments=paid(found, house))
    return judge(found.session, replace(found.deal, stated=stated), found.number, found.before)


@pytest.mark.parametrize(
    ("rules", "contract", "house", "other", "wanted", "words"),
    [
        (
            "schierling", "hochzeit", {}, {"hochzeit": {"bonuses": False}},
            lambda each: each.settlement.schneider and not each.settlement.schwarz,
            "a Hochzeit is paid its price alone at this table",
        ),
        (
            "bavarian", "solo", {"cap": 120}, {"cap_of": "player"},
            lambda each: each.settlement.won, "the limit of the table is for all of them together",
        ),
    ],
)  # fmt: skip
def test_explain_offers_them_as_readings(
    rules: str, contract: str, house: dict[str, Any], other: dict[str, Any], wanted: Any, words: str
) -> None:
    evening = generate.session(rules, house)
    made = generate.deal(Random(4), evening, contract, state=("payments",), want=wanted)
    explained = explain(stating(judge(evening, made, 1, empty_ledger(len(evening.players))), other))
    said = [say(change.message) for each in explained.explanations for change in each.changes]
    assert any(words in each for each in said), said


SIMPLE = """[[deal]]
players = ["Anna", "Ben", "Cem"]
dealer = "Cem"
hands = [
    "Anna: EO HO EA EZ EK E9 E8 E7 S8 S7",
    "Ben: SO EU GU HU SU GA GZ GK G9 G8",
    "Cem: HA HZ HK H9 H8 H7 SA SZ SK S9",
]
skat = "GO G7"
exchange = ["blind > Anna: GO G7", "Anna > blind: GO S7"]
game = "Anna simple E"
events = ["Ben offers-surrender", "Anna accepts"]
"""


def test_explain_offers_that_discarded_trumps_do_not_count() -> None:
    explained = explain(stating(judged_text(SIMPLE, "", "palatinate"), {"discard_runners": False}))
    (change,) = next(each.changes for each in explained.explanations if each.changes[0].cause == "switch")
    assert change.setting == "discard_runners"
    assert "what the declarer puts away does not count to the runners at this table" in say(change.message)


def test_explain_offers_that_a_table_pays_one_stake_after_two_ties() -> None:
    evening = generate.session("bierkopf", {})
    before = replace(empty_ledger(4), stake=2)
    made = generate.deal(Random(4), evening, "bierkopf", want=lambda each: not each.settlement.undecided)
    found = judge(evening, made, 1, before)
    explained = explain(stating(found, {"levels": {"stakes_most": 1}}))
    (change,) = explained.explanations[0].changes
    assert (change.setting, change.value) == ("levels.stakes_most", 1)
    assert say(change.message) == (
        "It would fit if the number of stakes after ties that a deal pays is 1 at this table, not without limit."
    )
    assert say(change.message, "de") == (
        "Es würde passen, wenn die Zahl der stehen gelassenen Einsätze, die ein Spiel zahlt, an diesem Tisch 1 ist, "
        "nicht unbegrenzt."
    )
