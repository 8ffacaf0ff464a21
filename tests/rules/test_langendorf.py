"""Document 001, Impure Schafkopf Examples: Langendorf Schafkopf, sentence by sentence.

Its doublings and its Ramsch as settings of any table are in test_doubles and test_ramsch.
"""

from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace
from support.rulesets import load_rules
from support.tables import judge_one, judge_text, rules_of
from support.worked_examples import EXAMPLE_1, EXAMPLE_2, PLAYERS, played, settled

from archive.generate import deal, session
from archive.judge import Judgement, LedgerState, judge
from archive.play.game_words import rank_of
from archive.play.types import Replay
from archive.record import Deal, Game
from archive.rules import Ruleset, tables
from archive.settle.settle import settle

RANKING = (
    ("rufspiel",), ("wenz", "geier"), ("bettel",), ("solo",), ("wenz tout", "geier tout"), ("bettel open",),
    ("solo tout",),
)  # fmt: skip
KNOCK = 'knocks = ["Anna"]\n'


def rules(**house: object) -> Ruleset:
    return load_rules("langendorf", dict(house))


def judged(text: str, house: str = "") -> Judgement:
    return judge_one(text, rules="langendorf", house=house)


def ranked(game: str) -> int:
    contract, *words = game.split()
    found = rank_of(rules().contracts[contract], tuple(words), rules().house)
    assert found is not None, game
    return found


def test_there_are_nine_possible_contracts_and_wenz_equals_geier() -> None:
    ranks = [{ranked(game) for game in equal} for equal in RANKING]
    assert all(len(each) == 1 for each in ranks)
    assert all(max(lower) < min(higher) for lower, higher in pairwise(ranks))
    played_for = [name for name in rules().house.contracts if rules().contracts[name].rank]
    assert {game.split()[0] for equal in RANKING for game in equal} == set(played_for)


@pytest.mark.parametrize(
    ("calls", "game", "fine"),
    [
        ("Anna play, Ben geier, Anna good, Cem pass, Dora pass", "Ben geier", True),
        ("Anna play, Ben wenz, Anna hold, Ben pass, Cem pass, Dora pass", "Anna geier", True),
        ("Anna play, Ben play, Cem pass, Dora pass, Anna geier, Ben good", "Anna geier", True),
        ("Anna play, Ben play, Cem pass, Dora pass, Anna geier, Ben hold", "Ben wenz", False),
        ("Anna wenz, Ben geier, Anna hold, Cem pass, Dora pass", "Ben geier", False),
        ("Anna wenz, Ben bettel, Anna good, Cem pass, Dora pass", "Ben bettel", True),
        ("Anna bettel, Ben wenz, Anna hold, Cem pass, Dora pass", "Ben wenz", False),
        ("Anna bettel, Ben solo E, Anna good, Cem pass, Dora pass", "Ben solo E", True),
        ("Anna wenz tout, Ben bettel open, Anna good, Cem pass, Dora pass", "Ben bettel open", True),
        ("Anna bettel open, Ben geier tout, Anna hold, Cem pass, Dora pass", "Ben geier tout", False),
        ("Anna bettel open, Ben solo tout, Anna good, Cem pass, Dora pass", "Ben solo G tout", True),
        ("Anna pass, Ben pass, Cem pass, Dora pass", "ramsch", True),
        ("Anna pass, Ben pass, Cem pass, Dora pass", "none", False),
    ],
)
def test_the_higher_contract_is_played_and_among_equals_the_earlier(calls: str, game: str, fine: bool) -> None:
    told = ", ".join(f'"{call}"' for call in calls.split(", "))
    found = judged(f'[[deal]]\ndealer = "Dora"\n{KNOCK}auction = [{told}]\ngame = "{game}"\n')
    assert (rules_of(found) == []) is fine, rules_of(found)


# --- Bettel -----------------------------------------------------------------------------------------------------------


def test_in_bettel_hearts_are_trumps_forehand_leads_and_nobody_must_overtake() -> None:
    bettel, call = rules().contracts["bettel"], rules().contracts["rufspiel"]
    assert tables(rules(), "bettel").trumps == tables(rules(), "rufspiel", None, "EA").trumps
    assert (bettel.order, bettel.leads, bettel.duties) == (call.order, "forehand", ("follow",))


@pytest.mark.parametrize("won", [True, False])
def test_bettel_costs_15_and_open_30(won: bool) -> None:
    def wanted(found: Judgement) -> bool:
        return bool(found.settlement) and found.settlement.won is won

    evening = session("langendorf")
    for words, price in (((), 15), (("open",), 30)):
        lean = -1 if won else 0.5
        made = deal(Random(7), evening, "bettel", words=words, lean=lean, doubles=False, want=wanted)
        found = judge(evening, made, 1, LedgerState())
        knocks = len(made.knocks) if isinstance(made.knocks, tuple) else 0
        assert found.settlement.price == price * 2**knocks
        assert not found.findings


# --- what it costs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contract", "words", "price"),
    [
        ("rufspiel", (), 5), ("wenz", (), 15), ("geier", (), 15), ("solo", (), 15), ("wenz", ("tout",), 30),
        ("geier", ("tout",), 30), ("solo", ("tout",), 30),
    ],
)  # fmt: skip
def test_the_tariff_is_5_15_and_a_tout_costs_double(contract: str, words: tuple[str, ...], price: int) -> None:
    bare = rules(runners_from={"wenz": 0, "geier": 0, "solo": 0})
    tricks = (120, 8) if words else (70, 5)
    assert settled(contract, *tricks, *words, rules=bare).price == price


def test_ramsch_and_kreuz_cost_5_like_a_rufer() -> None:
    made = judged(f'[[deal]]\ndealer = "Dora"\nround = ["kreuz"]\n{KNOCK}game = "kreuz"\n{cards(EXAMPLE_1)}')
    assert made.settlement.base == 5
    assert rules().prices["ramsch"] == 5


def cards(example: str) -> str:
    """Hands and tricks of an example."""
    return example[example.index("hands") : example.index("game")] + example[example.index("tricks") :]


@pytest.mark.parametrize(("points", "schneider"), [(89, False), (90, True), (91, True)])
def test_the_declarers_team_needs_only_90_to_win_with_schneider(points: int, schneider: bool) -> None:
    assert settled("rufspiel", points, 6, rules=rules()).schneider is schneider


def test_the_defenders_need_90_as_everywhere() -> None:
    assert settled("rufspiel", 30, 2, rules=rules()).schneider is True
    assert settled("rufspiel", 31, 2, rules=rules()).schneider is False


def test_wins_and_losses_are_at_most_4_euros_so_that_a_lone_player_may_lose_12() -> None:
    text = EXAMPLE_2 + 'knocks = ["Anna", "Ben", "Cem", "Dora"]\ndoubles = ["@1.1 Anna kontra"]\n'
    found = judged(text)
    assert not found.findings
    assert (found.settlement.price, found.settlement.payments) == (400, (400, 400, -1200, 400))
    assert [(line.kind, line.amount, line.cite) for line in found.settlement.lines][-1] == (
        "at-most", 400, "001 Langendorf Schafkopf: doubling",
    )  # fmt: skip


# --- Legen, Hausbock, Kreuz -------------------------------------------------------------------------------------------


def test_any_player_may_lay_and_each_doubles() -> None:
    found = judged(EXAMPLE_1 + 'packet = 4\nknocks = ["Cem", "Anna"]\n')
    assert not found.findings
    assert found.settlement.price == (5 + 5 + 25) * 4


def test_each_hausbock_doubles_one_deal_that_is_played() -> None:
    nobody_lays = '[[deal]]\nknocks = []\ngame = "none"\n'
    first = nobody_lays.replace("knocks", 'dealer = "Ben"\nknocks')
    found = judge_text(first + nobody_lays + EXAMPLE_1 + KNOCK + nobody_lays, rules="langendorf")
    assert not [each for judgement in found for each in judgement.findings]
    assert [each.before.hausbock for each in found] == [0, 1, 2, 1]
    assert found[-1].after.hausbock == 2
    assert found[2].settlement.multiplier == 4


def test_after_a_solo_a_kreuz_round_is_played_by_those_opposite() -> None:
    solo = judged(EXAMPLE_2 + KNOCK)
    assert solo.after.rounds == (("kreuz", 4),)
    kreuz = judged(f'[[deal]]\ndealer = "Dora"\nround = ["kreuz"]\n{KNOCK}game = "kreuz"\n{cards(EXAMPLE_1)}')
    assert kreuz.replay.sides == ("declarer", "defence", "declarer", "defence")


# --- Ramsch -----------------------------------------------------------------------------------------------------------


def test_ramsch_is_lost_with_most_points_and_costs_5_each_with_bonuses_of_5_and_10() -> None:
    result = settle(Deal(game=Game("ramsch")), PLAYERS, rules(), alone((50, 0, 20, 50), (3, 0, 1, 4)))
    assert result.payments == (5, 15, 10, -30)


def alone(points: tuple[int, ...], tricks: tuple[int, ...]) -> Replay:
    return replace(played(0, 0, "ramsch", None), sides=("alone",) * 4, points=points, tricks_won=tricks, declarer=None)


def test_a_breakthrough_of_101_points_wins_the_ramsch() -> None:
    result = settle(Deal(game=Game("ramsch")), PLAYERS, rules(), alone((101, 0, 9, 10), (6, 0, 1, 1)))
    assert (result.march, result.payments) == (True, (15, -5, -5, -5))
