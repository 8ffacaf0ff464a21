"""Random legal deals obey the laws of every deal: what is computed is stated, written, read and found again."""

from random import Random
from typing import Any

import generate
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from archive.audit import Judgement
from archive.audit.stream import judged
from archive.notation import read_lines, write_line
from archive.play.types import Replay
from archive.record import Session, Source
from archive.rules import bundled

HOUSES: list[dict[str, Any]] = [
    {},
    {"deck": 24, "tariff": "5/10"},
    {"knock": "in-turn", "stoss": {"until": "own-card", "answer": "side"}},
    {"knock": "forehand", "tout": "all", "trumps": "S"},
    {"bettel": {"trumps": "hearts", "beat": True, "lead": "declarer"}, "ramsch": {"march": "tricks"}},
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


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    rules=st.sampled_from(bundled()),
    house=st.sampled_from(HOUSES),
    tout=st.booleans(),
    lean=st.floats(-1, 1),
    players=st.integers(4, 7),
)
@example(seed=0, rules="bavarian", house={}, tout=True, lean=1.0, players=4)  # a Solo: eight lords are no Solo
@example(seed=1, rules="bavarian", house={}, tout=False, lean=-1.0, players=4)
def test_a_generated_deal_is_legal_conserves_points_and_money_and_agrees_with_what_it_states(
    seed: int, rules: str, house: dict[str, Any], tout: bool, lean: float, players: int
) -> None:
    evening = generate.session(rules, house, players=tuple(f"Player {n}" for n in range(players)))
    contract = Random(seed).choice(touts(evening)) if tout else None
    made = generate.deal(Random(seed), evening, contract, tout=tout, lean=lean, state=STATED)
    assert generate.deal(Random(seed), evening, contract, tout=tout, lean=lean, state=STATED) == made
    (found,) = judged(read_lines(write_line(evening, made), Source("line.jsonl")))
    assert isinstance(found, Judgement)
    assert (found.verdict, found.findings) == ("agrees", ())
    assert found.settlement
    assert sum(amount or 0 for amount in found.settlement.payments or ()) == 0
    if found.replay and is_played_out(found.replay):
        assert sum(points or 0 for points in found.replay.points) == 120


def touts(evening: Session) -> list[str]:
    """The contracts of a table that can be played as a Tout."""
    ruleset = generate.ruleset_of(evening)
    return [name for name in ruleset.house.contracts if ruleset.contracts[name].tout_rank is not None]


def is_played_out(replay: Replay) -> bool:
    return len(replay.steps) == sum(len(hand) for hand in replay.held if hand) > 0


@pytest.mark.parametrize("won", [True, False])
def test_touts_of_either_end_can_be_wanted(won: bool) -> None:
    for contract in ("wenz", "solo"):
        wanted = generate.deal(
            Random(1), generate.session(), contract, tout=True, lean=0.7,
            want=lambda found: found.settlement and found.settlement.won is won,
        )  # fmt: skip
        assert wanted.game
        assert wanted.game.words == ("tout",)
