"""Small help for tests of games at two: a deal written as TOML, judged; deals by chance against the second opinion."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

from msgspec.structs import replace

from archive import generate
from archive.judge import Judgement, judge
from archive.judge.judge_stream import judge_stream
from archive.notation import read_toml, write_line
from archive.record import Deal, Finding, Session, Source, Trick
from archive.rules import bundled
from archive.settle.ledger import empty_ledger
from support.rulesets import load_rules
from support.tables import rules_of


def has_tricks_from_hands(rules: str) -> bool:
    """Return whether a ruleset plays tricks, and without piles, stacks or a talon: the second opinion on Schafkopf does
    not know the others."""
    ruleset = load_rules(rules)
    house = ruleset.house
    return house.play == "tricks" and house.pile + house.stacks == 0 and house.talon is None


IN_HAND = tuple(name for name in bundled() if has_tricks_from_hands(name))  # the others: `oracle_tables`


def judge_two(text: str, rules: str, house: str = "", players: str = '["Anna", "Ben"]') -> Judgement:
    """Return the last `[[deal]]` of a text judged; it must be readable."""
    head = f'format = "schafkopf-record/1"\nplayers = {players}\nrules = "{rules}"\n'
    found = list(
        judge_stream(read_toml((head + (f"[house]\n{house}\n" if house else "") + text).encode(), Source("x")))
    )
    assert not [each for each in found if isinstance(each, Finding)], found
    (*_, last) = found
    assert isinstance(last, Judgement)
    return last


def worked(found: Judgement) -> Any:
    """Return a judgement that agrees, and has all its parts."""
    assert (found.verdict, rules_of(found)) == ("agrees", [])
    return found


def plain(evening: Session, deal: Deal) -> tuple[dict[str, Any], list[str]]:
    """Return a deal as the words of its line, and its players."""
    line = json.loads(write_line(evening, deal))
    line["hands"] = [f"{name}: {cards}" for name, cards in zip(line["players"], line["hands"], strict=True)]
    if "piles" in line:
        line["piles"] = [f"{name}: {cards}" for name, cards in zip(line["players"], line["piles"], strict=True)]
    return line, line["players"]


def judged(evening: Session, deal: Deal) -> Judgement:
    return judge(evening, deal, 1, empty_ledger(len(evening.players)))


def with_slip(rng: Random, deal: Deal) -> Deal:
    """Return a deal with two cards of a player in each other's trick."""
    tricks = [list(trick.cards) for trick in deal.tricks or ()]
    leaders = [trick.leader for trick in deal.tricks or ()]
    whole = [n for n, cards in enumerate(tricks) if len(cards) == 2]
    if len(whole) < 2:
        return deal
    one, other = rng.sample(whole, 2)
    seat = rng.randrange(2)
    places = [int(leaders[n] != seat) for n in (one, other)]
    tricks[one][places[0]], tricks[other][places[1]] = tricks[other][places[1]], tricks[one][places[0]]
    return replace(deal, tricks=tuple(map(Trick, map(tuple, tricks), leaders)))


def first_fault(found: Judgement) -> str:
    """Return the place of the first finding of the play: `2.1`, or `3` of a whole trick."""
    return next((each.at for each in found.replay.findings if each.at and each.at[0].isdigit()), "")


def compare(
    rules: str, count: int, opinion: Callable[..., Any], house: dict[str, Any] | None = None
) -> tuple[int, int]:
    """Compare legal deals that agree with a second opinion, and the same deals with a slip, each found at its place or
    legal. Return how many were compared, and how many slips were found."""
    rng, evening, slips = Random(f"{rules} {count}"), generate.session(rules, house), 0
    for _ in range(count):
        deal = generate.deal(rng, evening)
        found = judged(evening, deal)
        outcome, payments = opinion(*plain(evening, deal))
        assert outcome.fault == ""
        assert found.verdict == "agrees"
        assert found.replay.points == tuple(outcome.points.values())
        assert (found.settlement.payments or found.settlement.marks) == tuple(payments)
        wrong = with_slip(rng, deal)
        outcome, _ = opinion(*plain(evening, wrong))
        assert first_fault(judged(evening, wrong)) == outcome.fault
        slips += outcome.fault != ""
    return count, slips
