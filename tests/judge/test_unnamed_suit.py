"""A game in a suit that nobody wrote down, in a record without cards, costs what it costs in every suit."""

from typing import Any

import pytest
from msgspec.structs import replace
from support.tables import rules_of

from archive.cards import SUITS
from archive.generate import session
from archive.judge import Judgement, judge
from archive.record import Deal, Game, Stated
from archive.rules import load
from archive.rules.load import bundled
from archive.settle.ledger import empty_ledger

GAMES = [
    (rules, row.id)
    for rules in bundled()
    if (ruleset := load(rules)[0])
    for row in ruleset.contracts.values()
    if row.takes == "trump" and row.id in ruleset.house.contracts
]
ENDS: tuple[dict[str, Any], ...] = (
    {"won": True}, {"won": False}, {"won": True, "schneider": True, "runner_count": 10}, {"points": 75},
    {"points": 75, "price": 1},
)  # fmt: skip


def judged(rules: str, contract: str, suit: str | None, end: dict[str, Any]) -> Judgement:
    head = session(rules)
    ruleset, seats = load(rules)[0], len(head.players)
    assert ruleset
    game = Game(contract, declarer=0 if ruleset.contracts[contract].declarer else None, suit=suit)
    return judge(head, Deal(dealer=seats - 1, game=game, stated=Stated(**end)), 1, empty_ledger(seats))


def outcome(judgement: Judgement) -> object:
    assert judgement.settlement
    settled = replace(judgement.settlement, missing=())
    return judgement.verdict, judgement.basis, judgement.unwritten, settled, rules_of(judgement)


@pytest.mark.parametrize(("rules", "contract"), GAMES)
def test_a_game_without_its_suit_is_judged_as_in_each_suit_or_lacks_it(rules: str, contract: str) -> None:
    for end in ENDS:
        of_suits = [outcome(judged(rules, contract, suit, end)) for suit in SUITS]
        unnamed = judged(rules, contract, None, end)
        if all(each == of_suits[0] for each in of_suits):
            assert outcome(unnamed) == of_suits[0]
        else:
            assert unnamed.verdict == "undecidable"
            assert "missing.trump-suit" in [each.id for each in unnamed.missing]
