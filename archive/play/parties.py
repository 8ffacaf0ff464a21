"""Parties: who plays with whom; and what a declarer's hand must hold for the game that is announced."""

from collections.abc import Callable

from archive.cards import CODES, SUIT_NAMES, is_known, mask, numbers, show
from archive.play.types import Cards, Side
from archive.record import Deal, Finding, finding
from archive.rules import Contract, Tables

Sides = tuple[Side | None, ...]


def holder(hands: tuple[Cards | None, ...], called: int) -> int | None:
    """The seat that is known to hold the called card."""
    return next((seat for seat, hand in enumerate(hands) if hand is not None and mask(hand) & called), None)


def _called(deal: Deal, tables: Tables, hands: tuple[Cards | None, ...]) -> tuple[int | None, tuple[Finding, ...]]:
    """The partner is who holds the called card; where no hand shows it, whom the record names."""
    found = holder(hands, tables.called)
    if found is None:
        return deal.partner, ()
    if deal.partner not in (None, found):
        named = finding("wrong-partner", deal.source, card=CODES[tables.called.bit_length() - 1], seat=found + 1)
        return found, (named,)
    return found, ()


def _alone(deal: Deal, tables: Tables, hands: tuple[Cards | None, ...]) -> tuple[int | None, tuple[Finding, ...]]:
    """No partner."""
    return None, ()


def _named(deal: Deal, tables: Tables, hands: tuple[Cards | None, ...]) -> tuple[int | None, tuple[Finding, ...]]:
    """Whom the record names."""
    return deal.partner, ()


PARTIES: dict[str, Callable[[Deal, Tables, tuple[Cards | None, ...]], tuple[int | None, tuple[Finding, ...]]]] = {
    "called": _called,
    "alone": _alone,
    "each": _alone,
    "named": _named,
    "opposite": _alone,
}


def sides(contract: Contract, declarer: int | None, partner: int | None, active: tuple[int, ...], seats: int) -> Sides:
    """The side of every seat: `declarer`, `defence`, `alone` (everyone plays alone), None (not in play, not known)."""
    known: list[Side | None] = [None] * seats
    for seat in active:
        if contract.parties == "each":
            known[seat] = "alone"
        elif contract.parties == "opposite":
            known[seat] = "declarer" if active.index(seat) % 2 == 0 else "defence"
        elif seat == declarer or (partner is not None and seat == partner):
            known[seat] = "declarer"
        elif declarer is not None and (partner is not None or contract.parties == "alone"):
            known[seat] = "defence"
    return tuple(known)


def _suit_card(hand: int, tables: Tables, suit: str | None) -> bool:
    return bool(hand & tables.called_suit & ~tables.called) and tables.called_suit != tables.groups[-1]


def _not_called(hand: int, tables: Tables, suit: str | None) -> bool:
    return not hand & tables.called


def _trump_card(hand: int, tables: Tables, suit: str | None) -> bool:
    """A card of the named suit besides the lords: a trump of that suit letter below all lords."""
    lords = {CODES[number][1] for number in tables.trumps if CODES[number][0] != suit}
    return any(CODES[n][0] == suit and CODES[n][1] not in lords for n in numbers(hand & tables.groups[-1]))


def _one_trump(hand: int, tables: Tables, suit: str | None) -> bool:
    return (hand & tables.groups[-1]).bit_count() == 1


def _top_trumps(hand: int, tables: Tables, suit: str | None) -> bool:
    return hand == sum(1 << number for number in tables.trumps[: hand.bit_count()])


HOLDS: dict[str, tuple[str, Callable[[int, Tables, str | None], bool]]] = {
    "suit-card": ("no-card-of-called-suit", _suit_card),
    "not-called": ("calls-own-card", _not_called),
    "trump-card": ("no-card-of-trump-suit", _trump_card),
    "top-trumps": ("not-the-top-trumps", _top_trumps),
    "one-trump": ("not-one-trump", _one_trump),
}


def check_hold(
    contract: Contract, deal: Deal, tables: Tables, dealt: tuple[Cards | None, ...], players: tuple[str, ...]
) -> tuple[Finding, ...]:
    """What the declarer's hand lacks for the contract; nothing where the hand or the called card is not known."""
    game = deal.game
    if game is None or game.declarer is None:
        return ()
    hand = dealt[game.declarer]
    unsaid = (contract.called and not tables.called) or (contract.takes == "trump" and game.suit is None)
    if hand is None or not all(map(is_known, hand)) or unsaid:
        return ()
    bits = mask(hand)
    facts = {"player": players[game.declarer], "contract": contract.title, "called": game.called, "hand": show(bits)}
    return tuple(
        finding(rule, deal.source, suit=SUIT_NAMES.get(game.suit or "", ""), **facts)
        for rule, held in (HOLDS[wanted] for wanted in contract.holds)
        if not held(bits, tables, game.suit)
    )
