"""Document 002, Schafkopf for Expats: the tables of 01.4 Scoring, with its club's values 20 and 40, and of 01.6."""

from random import Random

import pytest
from msgspec.structs import replace
from support.expats_club import club, ramsch
from support.rulesets import load_rules
from support.tables import auction_findings, judge_one, rules_of
from support.worked_examples import PLAYERS, played, settled

from archive.generate import deal, session
from archive.judge import Judgement, judge
from archive.record import Deal, Game
from archive.settle.ledger import empty_ledger
from archive.settle.settle import settle
from archive.settle.types import LedgerState


@pytest.mark.parametrize("contract", ["wenz", "solo"])
def test_002_01_4_one_on_three_is_worth_40_from_each(contract: str) -> None:
    assert settled(contract, 70, 5, rules=club()).payments == (120, -40, -40, -40)
    assert settled(contract, 50, 4, rules=club()).payments == (-120, 40, 40, 40)


@pytest.mark.parametrize(
    ("points", "tricks", "table"),
    [
        (70, 5, (20, -20, -20, 20)),
        (91, 6, (30, -30, -30, 30)),
        (120, 8, (40, -40, -40, 40)),
        (60, 4, (-20, 20, 20, -20)),
        (30, 2, (-30, 30, 30, -30)),
    ],
)
def test_002_01_4_partner_game_table_with_schneider_and_schwarz(
    points: int, tricks: int, table: tuple[int, ...]
) -> None:
    """The declarer and the partner, here the first and the last seat, win or lose together."""
    assert settled("rufspiel", points, tricks, rules=club()).payments == table


def test_002_01_4_ramsch_table_winners_10_the_virgin_20_the_loser_pays_40() -> None:
    result = settle(Deal(game=Game("ramsch")), PLAYERS, club(), ramsch((30, 0, 35, 55), (2, 0, 3, 3)))
    assert result.payments == (10, 20, 10, -40)
    assert (result.loser, result.virgins, result.price) == (3, (1,), None)


def test_002_01_4_ramsch_footnote_a_virgin_doubles_the_whole_round() -> None:
    rules = club(ramsch={"virgin": "double-all"})
    result = settle(Deal(game=Game("ramsch")), PLAYERS, rules, ramsch((30, 0, 35, 55), (2, 0, 3, 3)))
    assert result.payments == (20, 20, 20, -60)


def test_002_01_4_tout_disregards_schneider_and_schwarz_and_doubles_the_game() -> None:
    assert settled("solo", 120, 8, "tout", rules=club()).price == 80
    assert settled("solo", 100, 7, "tout", rules=club()).price == 80


def test_002_01_6_durchmarsch_of_90_points_wins_the_value_of_a_solo() -> None:
    played_out = ramsch((0, 15, 15, 90), (0, 1, 1, 6))
    with_march, without = club(ramsch={"march": 90}), club()
    assert settle(Deal(game=Game("ramsch")), PLAYERS, with_march, played_out).payments == (-40, -40, -40, 120)
    assert settle(Deal(game=Game("ramsch")), PLAYERS, without, played_out).payments == (20, 10, 10, -40)


def test_002_01_6_runners_from_three_and_from_two_in_wenz_and_geier() -> None:
    rules = load_rules("bavarian")
    assert {name: rules.house.runners_from[name] for name in ("rufspiel", "solo", "wenz", "geier")} == {
        "rufspiel": 3, "solo": 3, "wenz": 2, "geier": 2,
    }  # fmt: skip


def test_002_01_6_three_laufende_make_a_game_fifteen_more_expensive() -> None:
    held = (("EO", "GO", "HO"), ("SO",), (), ())
    with_three, game = replace(played(70, 5, "solo", None), dealt=held, held=held), Deal(game=Game("solo", 0, "G"))
    assert settle(game, PLAYERS, club(runners_from={"solo": 3}), with_three).price == 40 + 15
    assert settle(game, PLAYERS, club(), with_three).price == 40


# --- 06.3 Three-Player Schafkopf: what wins, and what Hand and Tout double -------------------------------------------


@pytest.mark.parametrize(
    ("bid", "points", "won"), [(None, 61, True), (None, 60, False), (70, 70, True), (70, 69, False), (75, 74, False)]
)
def test_002_06_3_the_bidwinner_must_make_at_least_the_number(bid: int | None, points: int, won: bool) -> None:
    game = Game("wenz", 0, bid=bid)
    rules = club(bids={"start": 65, "step": 5})
    assert settle(Deal(game=game), PLAYERS, rules, played(points, 5, "wenz", None)).won is won
    if bid:  # where nobody bids in points, a number decides nothing
        assert settle(Deal(game=game), PLAYERS, club(), played(points, 5, "wenz", None)).won


def test_002_06_3_defenders_are_schneider_free_with_30() -> None:
    rules = club(bids={"start": 65, "step": 5})
    made = [settle(Deal(game=Game("wenz", 0, bid=75)), PLAYERS, rules, played(n, 6, "wenz", None)) for n in (90, 91)]
    assert [(each.schneider, each.price) for each in made] == [(False, 40), (True, 50)]


@pytest.mark.parametrize(
    ("reading", "words", "price", "running"),
    [
        ("base", ("hand",), 90, [40, 80, 90]),
        ("base+runners", ("hand",), 90, [40, 80, 90]),
        ("all", ("hand",), 100, [40, 50, 100]),
        ("all", ("hand", "tout"), 160, [40, 80, 160]),
        ("base", ("hand", "tout"), 160, [40, 80, 160]),
        ("no", ("hand",), 50, [40, 50]),
    ],
)
def test_002_06_3_hand_doubles_and_a_tout_doubles_again(
    reading: str, words: tuple[str, ...], price: int, running: list[int]
) -> None:
    """With Schneider, which a Tout disregards."""
    tricks, points = (8, 120) if "tout" in words else (7, 100)
    game = Deal(game=Game("wenz", 0, words=words))
    result = settle(game, PLAYERS, club(hand=reading), played(points, tricks, "wenz", None))
    assert result.price == price
    assert [line.running for line in result.lines] == running
    parts = (result.base, result.schneider_amount, result.schwarz_amount, result.runners_amount)
    assert sum(part or 0 for part in parts) * (result.multiplier or 0) == price


@pytest.mark.parametrize(
    ("won", "bonus", "price"),
    [(True, "none", 40), (False, "none", 40), (True, "schneider", 50), (False, "schneider", 50), (True, "schwarz", 60)],
)
def test_002_06_3_forty_from_each_loser_or_to_both_winners_ten_more_for_schneider_and_another_for_schwarz(
    won: bool, bonus: str, price: int
) -> None:
    evening = session("three-player-blind", players=PLAYERS[:3])

    def wanted(found: Judgement) -> bool:
        result = found.settlement
        return (result.won, result.schneider, result.schwarz) == (won, bonus != "none", bonus == "schwarz")

    lean = 0.7 if won else -0.5
    made = deal(Random(1), evening, "wenz", words=(), knocks=False, doubles=False, lean=lean, want=wanted)
    found = judge(evening, made, 1, empty_ledger(3))
    sign = 1 if won else -1
    paid = [-sign * price] * 3
    paid[found.deal.game.declarer or 0] = 2 * sign * price
    assert found.settlement.payments == tuple(paid)


def test_002_06_3_the_jackpot_is_raked_in_by_the_winners_whoever_they_are() -> None:
    rules = club(stock={"amount": 10, "won_by": ["wenz"], "lost": "to-winners"})
    table = LedgerState(stock=60)
    won = settle(Deal(game=Game("wenz", 0)), PLAYERS, rules, played(70, 5, "wenz", None), table)
    lost = settle(Deal(game=Game("wenz", 0)), PLAYERS, rules, played(50, 4, "wenz", None), table)
    assert (won.payments, won.pot) == ((120 + 60, -40, -40, -40), -60)
    assert (lost.payments, lost.pot) == ((-120, 40 + 20, 40 + 20, 40 + 20), -60)


def test_002_01_3_who_outbids_must_say_what_is_played() -> None:
    named = "Anna play, Ben wenz, Cem pass, Dora pass, Anna good"
    unnamed = "Anna play, Ben play, Cem pass, Dora pass, Anna good"
    assert auction_findings(named, "Ben wenz", "expats") == []
    assert auction_findings(unnamed, "Ben wenz", "expats") == ["auction-call"]
    assert auction_findings(unnamed, "Ben wenz", "bavarian") == []


def test_002_01_2_a_suit_of_ones_choice_needs_no_card_of_it() -> None:
    deal = '[[deal]]\ndealer = "Dora"\nhands = ["Ben: EO GO HO SO EU GU HA HZ"]\ngame = "Ben solo S"\n'
    for rules, expected in (("expats", []), ("bavarian", ["no-card-of-trump-suit"])):
        found = judge_one(deal, rules)
        assert [rule for rule in rules_of(found) if rule == "no-card-of-trump-suit"] == expected
