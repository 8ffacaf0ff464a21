"""Evenings for tests of what passes from deal to deal: each deal is dealt for the table that the deals before it
leave."""

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec.structs import replace

from archive.generate import PLAYERS, deal, session
from archive.judge import Judgement, judge
from archive.judge.judge_deal import judge_session
from archive.record import Deal, Game, Session
from archive.settle.ledger import empty_ledger

Make = Callable[[Random, Session, Any], Deal]
OUT = Deal(game=Game("none"))
AGAIN = Deal(game=Game("misdeal"))


def game(contract: str, won: bool | None = None, **more: Any) -> Make:
    """Return a deal of a contract, won or lost, without bonuses unless they are given."""
    asked = {"schwarz": more.pop("schwarz", None), "side_points": more.pop("points", None), "won": won}

    def wanted(found: Any) -> bool:
        settled = found.settlement
        return all(value is None or getattr(settled, key) == value for key, value in asked.items())

    def make(rng: Random, evening: Session, table: Any) -> Deal:
        return deal(rng, evening, contract, dealer=table.dealer, before=table, want=wanted, **more)

    return make


def evening(
    *made: Deal | Make, rules: str = "bavarian", players: tuple[str, ...] = PLAYERS, seed: int = 1, **house: Any
) -> tuple[Session, list[Deal]]:
    """Return a session and its deals; the first dealer is Anna. Rounds are left to the ledger."""
    rng, head = Random(seed), session(rules, house or None, players=players)
    table, deals = replace(empty_ledger(len(players)), dealer=0), []
    for each in made:
        one = each if isinstance(each, Deal) else each(rng, head, table)
        one = replace(one, dealer=table.dealer)
        deals.append(one)
        table = judge(head, one, 1, table).after
    return head, deals


def judged(*made: Deal | Make, **more: Any) -> list[Judgement]:
    """Return the same, judged as one session."""
    return list(judge_session(*evening(*made, **more)))


def payments(found: Judgement) -> tuple[int, ...]:
    assert found.settlement.payments
    return tuple(each or 0 for each in found.settlement.payments)


def rules_of(found: Judgement) -> list[str]:
    return [each.rule for each in found.findings]
