"""Random legal deals obey the laws of every deal: what is computed is stated, written, read and found again."""

from random import Random
from typing import Any

import generate
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from archive.audit import Judgement
from archive.audit.stream import judged
from archive.notation import read_lines, write_line
from archive.play.types import NOT_PLAYED
from archive.record import Session, Source
from archive.rules import Ruleset, bundled, load

WORTH = 120
HOUSES: list[dict[str, Any]] = [
    {},
    {"tariff": "5/10", "klopfen": True},
    {"knock": "in-turn", "stoss": {"until": "own-card", "answer": "side"}},
    {"knock": "forehand", "tout": "all", "trumps": "S", "cap": 90},
    {"bettel": {"trumps": "hearts", "beat": True, "lead": "declarer"}, "ramsch": {"march": "tricks"}},
    {"knock": "anyone", "stoss": {"until": "trick-by-trick", "answer": "side", "limit": 0}},
]
EVENINGS: list[dict[str, Any]] = [
    {},
    {"bock": {"on": ["60-60", "schwarz", "lost-alone"], "mode": "overlap"}, "stock": {"amount": 10}},
    {"bock": {"on": ["lost-alone", "thrown-in"], "mode": "queue"}},
    {
        "kreuz": {"on": ["solo"]},
        "teufel": {"on": ["wenz"]},
        "schieber": {"on": ["tout", "lost-alone"], "thrown_in": 50},
    },
    {"kreuz": {"on": ["wenz", "solo"], "by": "seats"}, "hochzeit": {"when": "auction"}},
]
STATED = (
    "points",
    "tricks",
    "winners",
    "won",
    "partner",
    "schneider",
    "schwarz",
    "runners",
    "price",
    "payments",
    "totals",
)


def table(rules: str, house: dict[str, Any], more: int = 0) -> tuple[Session, Ruleset]:
    """A session of a ruleset, with so many players more than play at once."""
    evening = generate.session(rules, house)
    ruleset = generate.ruleset_of(evening)
    names = tuple(f"Player {n}" for n in range(ruleset.house.seats + more))
    return replace(evening, players=names), ruleset


@settings(max_examples=250, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    rules=st.sampled_from(bundled()),
    house=st.sampled_from(HOUSES),
    tout=st.booleans(),
    lean=st.floats(-1, 1),
    more=st.integers(0, 2),
)
@example(seed=0, rules="bavarian", house={}, tout=True, lean=1.0, more=0)  # a Solo: eight lords are no Solo
@example(seed=1, rules="bavarian", house={}, tout=False, lean=-1.0, more=0)
def test_a_generated_deal_is_legal_conserves_points_and_money_and_agrees_with_what_it_states(
    seed: int, rules: str, house: dict[str, Any], tout: bool, lean: float, more: int
) -> None:
    evening, ruleset = table(rules, house, more)
    contract = Random(seed).choice(touts(ruleset)) if tout and touts(ruleset) else None
    tout = contract is not None
    made = generate.deal(Random(seed), evening, contract, tout=tout, lean=lean, state=STATED)
    assert generate.deal(Random(seed), evening, contract, tout=tout, lean=lean, state=STATED) == made
    (found,) = judged(read_lines(write_line(evening, made), Source("line.jsonl")))
    assert isinstance(found, Judgement)
    assert (found.verdict, found.findings) == ("agrees", ())
    assert_conserved(found)


def assert_conserved(found: Judgement) -> None:
    """No card point and no coin is lost or made."""
    replay, settlement = found.replay, found.settlement
    assert replay
    assert settlement
    assert sum(amount or 0 for amount in settlement.payments or ()) + settlement.pot == 0
    held = sum(len(hand) for hand in replay.held if hand)
    if len(replay.steps) == held > 0:
        counts_for_nobody = found.deal.game and found.deal.game.declarer is None and found.deal.blind
        assert sum(points or 0 for points in replay.points) == WORTH or counts_for_nobody


def touts(ruleset: Ruleset) -> list[str]:
    """The contracts of a table that can be played as a Tout."""
    return [name for name in ruleset.house.contracts if ruleset.contracts[name].tout_rank is not None]


@pytest.mark.parametrize("house", EVENINGS, ids=str)
@pytest.mark.parametrize("rules", bundled())
def test_a_generated_evening_agrees_deal_by_deal_and_sums_to_zero_with_the_pot(
    rules: str, house: dict[str, Any]
) -> None:
    loaded, _ = load(rules)
    assert loaded
    if house.keys() & {"kreuz", "teufel", "schieber"} and loaded.house.seats != 4:
        house = {}
    evening, _ = table(rules, house)
    made = list(generate.deals(Random(rules), evening, 24, STATED))
    found = list(judged(read_lines(b"\n".join(write_line(evening, each) for each in made), Source("evening.jsonl"))))
    assert len(found) == len(made)
    for each in found:
        assert isinstance(each, Judgement)
        assert (each.verdict, each.findings) == ("agrees", ()), each.deal
        assert sum(total or 0 for total in each.after.totals or ()) + (each.after.stock or 0) == 0
        if each.deal.game and each.deal.game.contract not in NOT_PLAYED:
            assert_conserved(each)


@pytest.mark.parametrize("won", [True, False])
def test_touts_of_either_end_can_be_wanted(won: bool) -> None:
    for contract in ("wenz", "solo"):
        wanted = generate.deal(
            Random(1), generate.session(), contract, tout=True, lean=0.7,
            want=lambda found: found.settlement and found.settlement.won is won,
        )  # fmt: skip
        assert wanted.game
        assert wanted.game.words == ("tout",)
