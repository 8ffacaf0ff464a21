"""Deal pages of every sample and of every phase before play: each hand has the cards that the replay says."""

import json
from pathlib import Path
from random import Random

import generate
import pytest

from archive.audit import Judgement, Table, judge, judge_session
from archive.notation import read_toml
from archive.record import Deal, Session, Source
from archive.rules import load
from archive.settle.ledger import fresh
from archive.web.parts import Page, Place
from archive.web.texts import TEXTS
from archive.web.view import page

T = TEXTS["en"]
VALID = Path(__file__).parents[1] / "sample_games" / "valid"
RULESETS = sorted(path.stem for path in (Path(generate.__file__).parents[1] / "archive/rules/rulesets").glob("*.toml"))


def shown(found: Judgement) -> Page:
    return page(found, Place(id=1, session=1), T)


def judged(text: str) -> list[Judgement]:
    session, *deals = read_toml(text.encode(), Source("x.toml"))
    assert isinstance(session, Session), deals
    assert all(isinstance(deal, Deal) for deal in deals), deals
    return list(judge_session(session, [deal for deal in deals if isinstance(deal, Deal)]))


def one(found: Deal, evening: Session, before: Table | None = None) -> Judgement:
    return judge(evening, found, 1, before or fresh(len(evening.players)))


def hand_at(cards: tuple, order: list[str], at: int) -> list[str]:
    """The cards that lie in a hand after the move at a place of the order."""
    return sorted(
        card.code
        for card in cards
        if (card.since is None or order.index(card.since) <= at)
        and not (card.until is not None and order.index(card.until) <= at)
    )


def check_hands(found: Judgement) -> None:
    told = shown(found)
    order = [step["id"] for step in json.loads(told.replay)["steps"]]
    assert len(order) == len(set(order))
    replay = found.replay
    for seat in told.seats:
        for card in seat.cards:
            assert card.since is None or card.since in order
            assert card.until is None or order.index(card.until) > order.index(card.since or "start")
    if replay is None:
        return
    by_seat = {seat.seat: seat.cards for seat in told.seats}
    for seat in by_seat:
        if (hand := replay.dealt[seat]) is not None:
            assert hand_at(by_seat[seat], order, 0) == sorted(hand), seat
    for step in replay.steps:
        if step.hand is not None:
            before = order.index(f"t{step.trick}.{step.place}") - 1
            assert hand_at(by_seat[step.seat], order, before) == sorted(step.hand), (step.trick, step.place)


@pytest.mark.parametrize("path", sorted(VALID.glob("*.toml")), ids=lambda path: path.stem)
def test_every_sample_has_a_page_whose_hands_are_those_of_the_replay(path: Path) -> None:
    for found in judged(path.read_text("utf-8")):
        check_hands(found)


def contracts_of(rules: str) -> list[tuple[str, str]]:
    ruleset, _ = load(rules)
    return [(rules, name) for name in (ruleset.house.contracts if ruleset else ())]


@pytest.mark.parametrize(("rules", "contract"), [pair for rules in RULESETS for pair in contracts_of(rules)])
def test_every_contract_of_every_ruleset_has_a_page(rules: str, contract: str) -> None:
    evening = generate.session(rules)
    check_hands(one(generate.deal(Random(contract), evening, contract), evening))


PHASES = {
    "hochzeit": ("bavarian", {"hochzeit": {"when": "before"}, "contracts": ["hochzeit", "solo"]}, "hochzeit", ()),
    "schieber": ("bavarian", {"schieber": {"on": ["60-60"]}}, "solo", ("schieber",)),
    "teufel": ("bavarian", {"teufel": {"on": ["60-60"]}}, "solo", ("teufel",)),
    "bock": ("bavarian", {"bock": {"on": ["60-60"]}}, "rufspiel", ("bock",)),
    "kreuz": ("bavarian", {"kreuz": {"on": ["60-60"]}}, "kreuz", ("kreuz",)),
    "blind": ("three-player-blind", {}, "solo", ()),
    "three-hand": ("three-hand", {}, "solo", ()),
    "klopfen": ("bavarian", {"klopfen": True}, "rufspiel", ()),
}  # fmt: skip


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_before_play_is_stepped_through_with_the_right_hands(phase: str) -> None:
    rules, house, contract, rounds = PHASES[phase]
    evening = generate.session(rules, house or None)
    for seed in range(3):
        check_hands(one(generate.deal(Random(f"{phase}{seed}"), evening, contract, rounds=rounds), evening))
