"""An auction in trump lengths, at random and legal: the length of a suit decides who makes trumps. Written from the
documents, not from the engine."""

from random import Random
from typing import NamedTuple

from archive.cards import SUITS
from archive.generate.plan import Hands, Plan
from archive.play.seating import opposite
from archive.record import Call


class Suit(NamedTuple):
    """A suit that a player could make trump: its number of trumps with the Jacks, and the rank of its lowest card."""

    length: int
    lowest: int
    suit: str


def suits_of(plan: Plan, hand: tuple[str, ...]) -> list[Suit]:
    """Return the suits that a hand could make trump, without those in which it has only Jacks."""
    ranks = low_to_high(plan)
    jacks = sum(card[1] == "U" for card in hand)
    suits = []
    for suit in SUITS:
        plain = [ranks.index(card[1]) for card in hand if card[0] == suit and card[1] != "U"]
        if plain and len(plain) + jacks > 1:
            suits.append(Suit(len(plain) + jacks, min(plain), suit))
    return suits


def low_to_high(plan: Plan) -> str:
    """Return the ranks of a suit without the Jack, from the Seven up."""
    return "".join(rank for rank in reversed(plan.row.order) if rank not in "U6")


def auction_in_lengths(rng: Random, plan: Plan, hands: Hands, suit: str) -> tuple[Call, ...] | None:
    """Return an auction in lengths that the declarer wins with this suit or a Solo; None if another wins. 000 Making
    Trumps: the first speaker with Jacks must bid; the same length again needs a chance at the tie."""
    rule, calls = plan.ruleset.house.lengths, list[Call]()
    assert rule
    standing: list[tuple[int, Suit]] = []  # the highest bidders, in turn
    bound = [-1, -1]  # the least rank of each pair's lowest card, as the others must assume
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
    """Return the calls at a tie that the declarer wins: each in turn names the lowest card, or concedes. Else None."""
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
