"""An auction in trump lengths, at random and legal: who makes trumps by the length of a suit. Written from the
documents, not from the engine.
"""

from random import Random
from typing import NamedTuple

from archive.cards import SUITS
from archive.generate.plan import Hands, Plan
from archive.play.seating import opposite
from archive.record import Call


class Suit(NamedTuple):
    """A suit that somebody would make trump: so many trumps with the Jacks, and how high the lowest of the suit is."""

    length: int
    lowest: int
    suit: str


def suits_of(plan: Plan, hand: tuple[str, ...]) -> list[Suit]:
    """The suits that a hand could make trump, without those of which it has nothing but Jacks."""
    ranks = low_to_high(plan)
    jacks = sum(card[1] == "U" for card in hand)
    suits = []
    for suit in SUITS:
        plain = [ranks.index(card[1]) for card in hand if card[0] == suit and card[1] != "U"]
        if plain and len(plain) + jacks > 1:
            suits.append(Suit(len(plain) + jacks, min(plain), suit))
    return suits


def low_to_high(plan: Plan) -> str:
    """The ranks of a suit but the Jack, from the Seven."""
    return "".join(rank for rank in reversed(plan.row.order) if rank not in "U6")


def auction_in_lengths(rng: Random, plan: Plan, hands: Hands, suit: str) -> tuple[Call, ...] | None:
    """An auction in lengths that the declarer wins with this suit, or with a Solo; None where another does. 000 Making
    Trumps: who speaks first of those with Jacks must bid; the same length again needs a chance at the tie."""
    rule, calls = plan.ruleset.house.lengths, list[Call]()
    assert rule
    standing: list[tuple[int, Suit]] = []  # who has bid the most, in turn
    bound = [-1, -1]  # how high the lowest card of each pair is at least, as the others must think
    for place, seat in enumerate(plan.active):
        mine, jacks = plan.declarer == seat, sum(card[1] == "U" for card in hands[seat])
        if mine and plan.row.marks:
            return (*calls, Call(seat, plan.row.id))
        most = standing[0][1].length if standing else 0
        pair = place % 2
        needs = 1 + (bound[1 - pair] if rule.partners_agree else max(bound))
        may = [each for each in suits_of(plan, hands[seat]) if each.length > most or (each[:2] >= (most, needs))]
        may = [each for each in may if not mine or each.suit == suit]
        if not 1 <= jacks <= rule.most_lords or not may or (standing and not mine and rng.random() < 0.5):
            if not standing and 1 <= jacks <= rule.most_lords:
                return None
            calls.append(Call(seat, rng.choice(("pass", "good")) if standing else "pass"))
            continue
        chosen = rng.choice([each for each in may if mine or each.length == max(other.length for other in may)])
        calls.append(Call(seat, "mit" if chosen.length == most else str(chosen.length)))
        if chosen.length > most:
            standing, bound, needs = [], [-1, -1], 0
        standing.append((seat, chosen))
        bound[pair] = max(bound[pair], needs)
    named = tie_calls(rng, plan, standing, rule.partners_agree)
    return None if named is None else (*calls, *named)


def tie_calls(rng: Random, plan: Plan, standing: list[tuple[int, Suit]], agree: bool) -> tuple[Call, ...] | None:
    """The calls at a tie that the declarer wins: each in turn names the lowest card, or concedes. Else None."""
    seats = [seat for seat, _ in standing]
    if plan.declarer not in seats:
        return None
    partners = len({plan.active.index(seat) % 2 for seat in seats}) == 1
    if len(seats) == 1 or (partners and agree):
        return ()
    calls, best, winner = list[Call](), -1, -1
    for seat, each in standing:
        with_partner = agree and winner >= 0 and opposite(winner, plan.active) == seat and rng.random() < 0.5
        if each.lowest > best and not with_partner:
            best, winner = each.lowest, seat
            calls.append(Call(seat, f"lowest {low_to_high(plan)[each.lowest]}"))
        else:
            calls.append(Call(seat, "concede"))
    return tuple(calls) if winner == plan.declarer else None
