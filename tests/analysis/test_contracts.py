"""Was this a Solo: the games of a hand over drawn deals."""

import json
from random import Random

import pytest
from analysis.test_open_cards import SOLVER, dealt_cases
from msgspec.structs import replace
from support.running import run
from support.samples import VALID
from support.web_archive import EVENING, evening

from archive.analysis import Analysis, analyse
from archive.analysis.contracts import (
    LEAST,
    LEAST_OF_EACH,
    Declared,
    Prospect,
    chance_at_table,
    games_for,
    is_same,
    prospect,
    prospects,
    world_of,
)
from archive.cards import mask
from archive.cli.analyse import deals_of
from archive.judge.types import Case, case_of
from archive.record import Game

SOLO = Game("solo", 0, "H", None)
SURE = ("EO", "GO", "HO", "SO", "EU", "GU", "HU", "EA")


def case_at(place: int) -> Case:
    case = case_of(evening()[place])
    assert case
    return case


def with_hand(case: Case, seat: int, hand: tuple[str, ...]) -> Case:
    """The case with another hand dealt to a seat."""
    dealt = tuple(hand if each == seat else None for each in range(len(case.players)))
    return replace(case, replay=replace(case.replay, dealt=dealt))


def test_a_hand_that_nobody_can_beat_wins_every_solo_with_every_trick() -> None:
    case = with_hand(case_at(0), 1, SURE)
    found = prospects(case, 1, SOLVER, 3)
    assert isinstance(found, tuple)
    best = found[0]
    assert (best.game.contract, best.game.suit) == ("solo", "E")
    assert (best.won, best.worlds, best.error) == (3, 3, 0)
    assert not any(each.game.called == "EA" for each in found)  # nobody calls the own ace


def test_the_same_hand_has_the_same_prospects_and_more_deals_a_smaller_error() -> None:
    case = case_at(0)
    hand, game = tuple(case.replay.dealt[1] or ()), next(games_for(case, 1, tuple(case.replay.dealt[1] or ())))
    assert case.deal.game
    assert is_same(game, case.deal.game)
    some, same, more = (prospect(case, 1, hand, game, SOLVER, worlds) for worlds in (12, 12, 60))
    assert some == same
    assert some.share_error > more.share_error


@pytest.mark.parametrize("name", ["bavarian", "short", "three-hand", "bauernstoss"])
def test_drawn_deals_keep_the_hand_and_the_pack_and_break_no_rule(name: str) -> None:
    for case in dealt_cases(name, 3):
        seat = case.replay.active[0]
        hand = tuple(case.replay.dealt[seat] or ())
        if not hand:
            continue
        pack = {card for held in case.replay.dealt for card in held or ()}
        for game in games_for(case, seat, hand):
            world = world_of(case, seat, hand, game, sorted(pack - {*hand}), Random(1))
            assert world.replay.dealt[seat] == hand
            assert mask([card for held in world.replay.dealt for card in held or ()]) == mask(pack)
            assert not [each for each in world.replay.findings if each.severity == "error"], (name, game)


def test_the_prospect_of_a_deal_that_is_known_whole_is_its_value() -> None:
    """With one card unseen by nobody but its holder the drawn deal is the deal: its value is that of the analysis."""
    case = case_at(1)
    game, seat = case.deal.game, case.replay.declarer
    assert seat is not None
    analysis = analyse(case, SOLVER)
    assert isinstance(analysis, Analysis)
    others = [card for each in case.replay.active if each != seat for card in case.replay.dealt[each] or ()]

    class Unshuffled(Random):
        def shuffle(self, x: object) -> None:  # type: ignore[override]
            """Leaves the cards as they lie."""

    plain = Game(game.contract, seat, game.suit, game.called)
    world = world_of(case, seat, tuple(case.replay.dealt[seat] or ()), plain, others, Unshuffled())
    assert world.replay.dealt == case.replay.dealt
    assert world.replay.sides == case.replay.sides


def test_the_games_of_a_hand_need_no_dealer_where_the_first_lead_is_known() -> None:
    case = case_of(next(deals_of(str(VALID / "one-line.txt"), "", "en")))
    assert case.replay.dealer is None
    found = prospects(case, case.replay.declarer or 0, SOLVER, 1, 2)
    assert isinstance(found, tuple)
    assert any(case.deal.game and is_same(each.game, case.deal.game) for each in found)


@pytest.mark.parametrize("name", ["kreuz-aces", "kreuz-round", "kreuz-seats", "five-at-the-table"])
def test_games_whose_parties_a_hand_does_not_tell_are_left_out(name: str) -> None:
    for judgement in deals_of(str(VALID / f"{name}.toml"), "", "en"):
        case = case_of(judgement)
        for seat in case.replay.active[:2] if case else ():
            found = prospects(case, seat, SOLVER, 1, 6)
            assert isinstance(found, str) or all(each.worlds == 1 for each in found)


def test_the_command_names_the_declared_game_and_how_sure_it_is() -> None:
    words = ["analyse", str(EVENING), "--contracts", "Ben", "--worlds", "2"]
    answer = run(*words, "--json")
    first = json.loads(answer.output.splitlines()[0])
    assert [each["worlds"] for each in first["contracts"]] == [2] * len(first["contracts"])
    assert sum(each["declared"] for each in first["contracts"]) == 1
    assert answer.exit_code == 1  # deals of the evening whose hands are not known
    nobody = run("analyse", EVENING, "--contracts", "Nobody")
    assert "Nobody does not play in this deal." in nobody.output
    assert nobody.exit_code == 2


def test_a_chance_at_the_table_is_what_games_of_either_kind_came_to() -> None:
    """Of sixty games that open cards win fifty were won, of forty that they lose thirty."""
    declared = Declared(60, 50, 40, 30)
    chances = [chance_at_table(Prospect(SOLO, 100, won, 0.0, 0.0), declared) for won in (0, 50, 100)]
    shares = [each.share for each in chances if each]
    assert shares == pytest.approx([30 / 40, (30 / 40 + 50 / 60) / 2, 50 / 60])
    assert all(each and 0 <= each.low < each.share < each.high <= 1 and each.deals == 100 for each in chances)


def test_a_chance_is_less_certain_by_fewer_games_and_unknown_by_too_few() -> None:
    prospect = Prospect(SOLO, 100, 50, 0.0, 0.0)
    many, some = (chance_at_table(prospect, Declared(6 * n, 5 * n, 4 * n, 3 * n)) for n in (100, 10))
    assert many.high - many.low < some.high - some.low
    assert chance_at_table(prospect, Declared(30, 25, LEAST - 31, 10)) is None
    assert chance_at_table(prospect, Declared(LEAST, 25, LEAST_OF_EACH - 1, 5)) is None
