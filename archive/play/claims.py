"""Claims: whether a player who shows the hand takes every remaining trick, whatever the others play. 003 3.4.

The search is exact. It stops as soon as the claimer is beaten, so only the claimer leads after the first trick; and of
another player's cards that are equivalent against the claimer's it tries only one.
"""

from msgspec import Struct

from archive.cards import numbers
from archive.engine.duties import COMPARING, allowed_cards, make_spot
from archive.engine.tricks import add_to_trick
from archive.rules import Tables

LIMIT = 60_000  # cards tried before a claim is left undecided


class Claim(Struct, frozen=True):
    """The position when a hand is shown. Hands are masks, in the order in which the players sit."""

    claimer: int  # a place at the table, as is `turn`
    hands: tuple[int, ...]
    turn: int  # the place that plays the next card
    trick: tuple[int, ...] = ()  # the numbers of the cards on the table
    searched: int = 0  # 1 when the called suit has been led
    pooled: bool = False  # the others' cards are known only together, and stand in one hand


class Lying(Struct, frozen=True):
    """A trick under way: how many cards, the group led, the cards that beat the best, and whether that is the
    claimer's."""

    cards: int = 0
    led: int = 0
    over: int = 0
    ours: bool = False


class Search(Struct):
    """A search under way: the positions already decided, and how many more cards may be tried."""

    claimer: int
    compiled: Tables
    duties: tuple[str, ...]
    left: int
    known: dict[tuple[tuple[int, ...], int], bool]


class TooLongError(Exception):
    """The search has reached its limit of cards to try."""


def is_claim_right(claim: Claim, compiled: Tables, duties: tuple[str, ...], limit: int = LIMIT) -> bool | None:
    """Return whether the claimer takes every trick left, or None if the search would be too long. If cards are pooled,
    a claim is known to be right only if the claimer leads and none of them beats any of the claimer's."""
    lying: Lying | None = Lying()
    for place, card in enumerate(claim.trick):
        seat = (claim.turn - len(claim.trick) + place) % len(claim.hands)
        lying = add_card(compiled, lying, card, seat == claim.claimer) if lying else None
    search = Search(claim.claimer, compiled, duties, 0 if claim.pooled else limit, {})
    try:
        if lying == Lying() and claim.turn == claim.claimer:
            return takes_rest(search, claim.hands, claim.searched)
        return takes_trick_and_rest(search, claim.hands, claim.turn, lying, claim.searched)
    except TooLongError:
        return None


def add_card(compiled: Tables, lying: Lying, card: int, ours: bool) -> Lying | None:
    """Return the trick with one card more, or None if the claimer has lost it."""
    suit, beaten_by = compiled.groups[compiled.group[card]], compiled.beats[card]
    led, over, is_best = add_to_trick(lying.cards, card, suit, beaten_by, lying.led, lying.over)
    if lying.cards and ((ours and not is_best) or (lying.ours and is_best)):
        return None
    return Lying(lying.cards + 1, led, over, lying.ours or ours)


def takes_trick_and_rest(search: Search, hands: tuple[int, ...], turn: int, lying: Lying | None, searched: int) -> bool:
    """Return whether the claimer takes this trick, begun or not, and the rest. Raise TooLongError at the limit."""
    if lying is None:
        return False
    if lying.cards == len(hands):
        return takes_rest(search, hands, searched | (lying.led == search.compiled.called_suit != 0))
    mine = turn == search.claimer
    for card in cards_to_try(search, hands, turn, lying, searched):
        if search.left == 0:
            raise TooLongError
        search.left -= 1
        left = (*hands[:turn], hands[turn] & ~(1 << card), *hands[turn + 1 :])
        then = add_card(search.compiled, lying, card, mine)
        if takes_trick_and_rest(search, left, (turn + 1) % len(hands), then, searched) == mine:
            return mine
    return not mine


def takes_rest(search: Search, hands: tuple[int, ...], searched: int) -> bool:
    """Return whether the claimer, about to lead, takes all the rest."""
    mine = hands[search.claimer]
    if not any(search.compiled.beats[card] & (sum(hands) - mine) for card in numbers(mine)):
        return True
    key = (hands, searched)
    if key not in search.known:
        search.known[key] = takes_trick_and_rest(search, hands, search.claimer, Lying(), searched)
    return search.known[key]


def cards_to_try(search: Search, hands: tuple[int, ...], turn: int, lying: Lying, searched: int) -> tuple[int, ...]:
    """Return the cards that a player may play, one of each kind that makes a difference."""
    compiled = search.compiled
    spot = make_spot(compiled, hands[turn], lying.led, lying.over, searched)
    allowed = tuple(numbers(allowed_cards(search.duties, spot)))
    if turn == search.claimer or COMPARING & set(search.duties):  # the others' cards are compared too
        return allowed
    mine = hands[search.claimer]
    return tuple({card_kind(compiled, card, mine, lying): card for card in allowed}.values())


def card_kind(compiled: Tables, card: int, mine: int, lying: Lying) -> tuple[int, int, int, int]:
    """Return all that matters of another player's card: its group if it can be led (else -1), the claimer's cards it
    beats, its bit if it beats the trick, and if it is called."""
    bit, group = 1 << card, compiled.group[card]
    matters = not lying.cards or compiled.groups[group] == lying.led or compiled.groups[group] & mine
    beaten = sum(1 << own for own in numbers(mine) if compiled.beats[own] & bit)
    return group if matters else -1, beaten, lying.over & bit and 1, compiled.called & bit
