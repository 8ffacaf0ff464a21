"""Deals of a play without tricks: its turns by chance, legal by the engine's own reckoning and half sensible."""

from random import Random

from archive.cards import PACKS, codes
from archive.generate.plan import Plan, sits_out
from archive.play.other import solitaire
from archive.play.other.schnauz import (
    Round,
    Terms,
    are_new_due,
    is_over,
    lay_out,
    seat_due,
    take_turn,
    terms_of,
    worth_of_hand,
)
from archive.record import Deal, Game, Turn
from archive.rules.types import Building

SENSIBLE = 0.7  # the share of turns that are the best one; the others are any
LONGEST = 200  # turns, after which the next player knocks


def deal_exchange(rng: Random, plan: Plan) -> Deal:
    """Return a deal in which hands are exchanged with the open cards in turn."""
    players = tuple(f"{seat}" for seat in range(plan.players))
    terms = terms_of(plan.ruleset, plan.row, players, plan.active)
    assert terms
    pack = list(codes(PACKS[terms.deck]))
    rng.shuffle(pack)
    hands = [[pack.pop() for _ in range(plan.size)] if seat in plan.active else [] for seat in range(plan.players)]
    table = [pack.pop() for _ in range(terms.rule.count)]
    at = lay_out([list(hand) for hand in hands], list(table), terms)
    turns: list[Turn] = []
    while not is_over(at, terms):
        turn = next_turn(rng, at, terms, pack, hurry=len(turns) > LONGEST)
        take_turn(at, terms, turn, turn.seat)
        turns.append(turn)
    return Deal(
        dealer=plan.dealer,
        sits_out=sits_out(plan.active, plan.players),
        hands=tuple(tuple(hand) if seat in plan.active else None for seat, hand in enumerate(hands)),
        blind=tuple(table),
        game=Game(plan.row.id),
        turns=tuple(turns),
    )


def next_turn(rng: Random, at: Round, terms: Terms, pack: list[str], hurry: bool) -> Turn:
    """Return a legal turn of the next player."""
    if are_new_due(at, terms):
        return Turn(None, "deals", cards=tuple(pack.pop() for _ in range(terms.rule.count)))
    seat = seat_due(at, terms)
    if not at.opened:
        return Turn(seat, rng.choice(("keeps", "keeps", "takes")))
    may = [Turn(seat, "pass"), Turn(seat, "all")]
    may += [Turn(seat, own, other) for own in at.hands[seat] for other in at.table]
    if at.knocked is None and at.taken >= (terms.rule.knock_from - 1) * len(terms.active):
        may.append(Turn(seat, "knocks"))
        if hurry or rng.random() < 0.1:
            return may[-1]
    if rng.random() > SENSIBLE:
        return rng.choice(may)
    return max(may, key=lambda turn: worth_after(at, terms, turn, seat))


def worth_after(at: Round, terms: Terms, turn: Turn, seat: int) -> float:
    hand = list(at.table if turn.source == "all" else at.hands[seat])
    if turn.target:
        hand[hand.index(turn.source)] = turn.target
    return worth_of_hand(tuple(hand), terms.rule, terms.compiled) or 0


def deal_building(rng: Random, plan: Plan) -> Deal:
    """Return a deal in which suits are built, as far as they go."""
    house, rule = plan.ruleset.house, plan.ruleset.house.building
    assert rule
    talon = list(codes(solitaire.talon_wanted(house, rule)))
    rng.shuffle(talon)
    at, turns = solitaire.lay_out(rule, tuple(talon)), list[Turn]()
    while turn := next_built(rng, at, rule):
        solitaire.take_turn(at, turn)
        turns.append(turn)
    out = sits_out(plan.active, plan.players)
    return Deal(sits_out=out, talon=tuple(talon), game=Game(plan.row.id), turns=tuple(turns))


def next_built(rng: Random, at: solitaire.Layout, rule: Building) -> Turn | None:
    """Return a legal turn: a card that fits is built, another goes to a corner, best on a card that is built later;
    None at the end."""
    for corner, heap in at.corners.items():
        if heap and fits(at, rule, heap[-1]):
            return Turn(None, corner, heap[-1][0])
    if at.talon:
        card = at.talon[0]
        if fits(at, rule, card):
            return Turn(None, card, card[0])
        order = rule.order
        later = [
            name for name, heap in at.corners.items() if not heap or order.index(heap[-1][1]) > order.index(card[1])
        ]
        return Turn(None, card, rng.choice(later or list(at.corners)))
    if at.again < rule.again and any(at.corners.values()):
        return Turn(None, solitaire.AGAIN, cards=tuple(rng.sample(list(at.corners), len(at.corners))))
    return None


def fits(at: solitaire.Layout, rule: Building, card: str) -> bool:
    """Return whether a card is the next of its suit."""
    return card == card[0] + solitaire.next_rank(at.suits[card[0]], rule)


DEALERS = {"exchange": deal_exchange, "building": deal_building}
