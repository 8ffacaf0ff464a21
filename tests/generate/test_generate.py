"""Random legal deals obey the laws of every deal: what is computed is stated, written, read and found again."""

from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.rulesets import load_rules
from support.thorough import examples

from archive import generate
from archive.cards import numbers
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.notation import read_lines, write_line
from archive.play.types import NOT_PLAYED
from archive.record import Session, Source
from archive.rules import Ruleset, bundled, tables
from archive.rules.tables import score_of

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
    "points", "tricks", "winners", "won", "partner", "schneider", "schwarz", "runners", "price", "payments", "totals",
    "marks",
)  # fmt: skip
IN_MARKS = ("bauernstoss", "alter-schoofkopp", "deutscher-schafkopf")


def table(rules: str, house: dict[str, Any], more: int = 0) -> tuple[Session, Ruleset]:
    """A session of a ruleset, with so many players more than play at once."""
    evening = generate.session(rules, house)
    ruleset = generate.ruleset_of(evening)
    names = tuple(f"Player {n}" for n in range(ruleset.house.seats + more))
    return replace(evening, players=names), ruleset


@settings(max_examples=examples(10, 250))
@given(
    seed=st.integers(0, 2**32),
    rules=st.sampled_from(bundled()),
    house=st.sampled_from(HOUSES),
    tout=st.booleans(),
    lean=st.floats(-1, 1),
    more=st.integers(0, 2),
)
@example(seed=0, rules="bavarian", house={}, tout=True, lean=1.0, more=0)  # a Solo: eight lords are no Solo
@example(seed=0, rules="patience", house={"klopfen": True}, tout=False, lean=0.0, more=0)  # nobody is dealt a hand
@example(seed=1, rules="bavarian", house={}, tout=False, lean=-1.0, more=0)
def test_a_generated_deal_is_legal_conserves_points_and_money_and_agrees_with_what_it_states(
    seed: int, rules: str, house: dict[str, Any], tout: bool, lean: float, more: int
) -> None:
    evening, ruleset = table(rules, house, 0 if rules in IN_MARKS else more)  # two pairs, and nobody else
    contract = Random(seed).choice(touts(ruleset)) if tout and touts(ruleset) else None
    tout = contract is not None
    made = generate.deal(Random(seed), evening, contract, tout=tout, lean=lean, state=STATED)
    assert generate.deal(Random(seed), evening, contract, tout=tout, lean=lean, state=STATED) == made
    (found,) = judged(write_line(evening, made))
    assert (found.verdict, found.findings) == ("agrees", ())
    assert_conserved(found)


def judged(lines: bytes) -> list[Judgement]:
    """The deals of some lines, judged; what is said beside them are notes on settings without an effect."""
    found = list(judge_stream(read_lines(lines, Source("evening.jsonl"))))
    assert {each.rule for each in found if not isinstance(each, Judgement)} <= {"house-note"}
    return [each for each in found if isinstance(each, Judgement)]


def assert_conserved(found: Judgement) -> None:
    """No card point and no coin is lost or made."""
    replay, settlement = found.replay, found.settlement
    assert sum(amount or 0 for amount in settlement.payments or ()) + settlement.pot == 0
    assert (settlement.marks is None) == (settlement.payments is not None)
    held = sum(len(hand) for hand in replay.held if hand)
    if len(replay.steps) == held > 0 and replay.talon is None:
        counts_for_nobody = found.deal.game and found.deal.game.declarer is None and found.deal.blind
        assert sum(points or 0 for points in replay.points) == worth_of(found) or counts_for_nobody


def worth_of(found: Judgement) -> int:
    """The card points of all cards, with those for the last trick."""
    game, rules = found.deal.game, found.ruleset
    assert rules
    row = rules.contracts.get(game.contract) if game else None
    if row is None or not (row.points or row.trump_points):
        return WORTH
    compiled = tables(rules, row.id, game.suit if game else None)
    return sum(compiled.points[card] for card in numbers(compiled.pack)) + row.last_trick


def touts(ruleset: Ruleset) -> list[str]:
    """The contracts of a table that can be played as a Tout."""
    return [name for name in ruleset.house.contracts if ruleset.contracts[name].tout_rank is not None]


@pytest.mark.one_in(6)
@pytest.mark.parametrize("house", EVENINGS, ids=str)
@pytest.mark.parametrize("rules", bundled())
def test_a_generated_evening_agrees_deal_by_deal_and_sums_to_zero_with_the_pot(
    rules: str, house: dict[str, Any]
) -> None:
    loaded = load_rules(rules)
    if house.keys() & {"kreuz", "teufel", "schieber"} and loaded.house.seats != 4:
        house = {}
    if score_of(loaded.house):  # nothing is paid, and no round is played
        house = {}
    evening, _ = table(rules, house)
    made = list(generate.deals(Random(rules), evening, 24, STATED))
    found = judged(b"\n".join(write_line(evening, each) for each in made))
    assert len(found) == len(made)
    for each in found:
        assert (each.verdict, each.findings) == ("agrees", ()), each.deal
        assert sum(total or 0 for total in each.after.totals or ()) + (each.after.stock or 0) == 0
        if each.deal.game and each.deal.game.contract not in NOT_PLAYED:
            assert_conserved(each)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rules", IN_MARKS)
def test_a_generated_session_to_so_many_marks_settles_consistently(rules: str, seed: int) -> None:
    """000 Scoring: of every deal that is played exactly one pair scores, and has the chalk then; the first pair to so
    many marks has won, and a new game begins. No Solo is played in the first deal of a game."""
    evening, ruleset = table(rules, {})
    game = ruleset.house.marks.game if ruleset.house.marks else 0
    lines = (write_line(evening, each) for each in generate.deals(Random(seed), evening, 60, ("marks",)))
    marks, chalk, played, games = [0, 0], None, 0, 0
    for found in judge_stream(read_lines(b"\n".join(lines), Source("session.jsonl"))):
        assert (found.verdict, found.findings) == ("agrees", ()), found.deal
        assert (found.before.marks, found.before.game_deals) == ((*marks, *marks), played)
        assert found.before.chalk is None if chalk is None else (found.before.chalk or 0) % 2 == chalk
        gained = found.settlement.marks
        assert gained[:2] == gained[2:]
        if found.deal.game.contract in NOT_PLAYED:
            assert gained == (0, 0, 0, 0)
            continue
        assert sum(each > 0 for each in gained[:2]) == 1
        assert played or not ruleset.contracts[found.deal.game.contract].marks
        chalk, played = int(gained[1] > 0), played + 1
        marks = [each + more for each, more in zip(marks, gained[:2], strict=True)]
        assert found.deal.stated.marks == (*marks, *marks)
        if max(marks) >= game:
            marks, chalk, played, games = [0, 0], None, 0, games + 1
    assert games


@pytest.mark.parametrize("won", [True, False])
def test_touts_of_either_end_can_be_wanted(won: bool) -> None:
    for contract in ("wenz", "solo"):
        wanted = generate.deal(
            Random(1), generate.session(), contract, tout=True, lean=0.7,
            want=lambda found: found.settlement and found.settlement.won is won,
        )  # fmt: skip
        assert wanted.game.words == ("tout",)
