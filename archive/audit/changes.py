"""Single changes of a record: every slip of one kind that a recorder can make at one place, taken back.

A function a kind yields every record that one such change makes of this one; none is left out because it looks
unlikely, since what is not tried cannot be counted. Which of them are legal is asked in `archive.audit.repair`.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, permutations

from msgspec import Struct
from msgspec.structs import replace

from archive.audit.derived import others
from archive.audit.types import Case
from archive.cards import PACKS, codes, is_known
from archive.notation.words import contract_text
from archive.record import Deal, Exchange, Game, Trick

Place = tuple[
    str, int, int
]  # what holds the card (hands, held, blind, tricks, exchange), which of it, which card of it


class Change(Struct, frozen=True):
    """One change: its kind, what it says in a sentence, and the record it makes."""

    kind: str
    says: str
    deal: Deal


# --- cards ------------------------------------------------------------------------------------------------------------


def swapped(case: Case) -> Iterator[Change]:
    """Two cards in each other's place: of the tricks, or of the hands and the blind."""
    for holders in (("tricks",), ("hands", "blind"), ("held",)):
        told = places(case.deal, *holders)
        for (here, card), (there, other) in combinations(told.items(), 2):
            if card != other and (holders == ("tricks",) or here[:2] != there[:2]):
                stand = [where(case, at) if holders == ("tricks",) else of(case, *at[:2]) for at in (here, there)]
                says = f"{card} ({stand[0]}) and {other} ({stand[1]}) have changed places"
                yield Change("swapped", says, put(case.deal, {here: other, there: card}))


def misread(case: Case) -> Iterator[Change]:
    """Another card written: of the cards that stand nowhere else, in one of the two places of a card that is there
    twice, or, where none is and not all cards are recorded, in any place."""
    for holders in (("tricks",), ("hands", "blind"), ("held",), ("exchange",)):
        at = places(case.deal, *holders)
        told = Counter(at.values())
        twice = {card for card, times in told.items() if times > 1 or card not in pack(case)}
        free = [card for card in pack(case) if card not in told]
        for here, card in at.items():
            if len(twice) > 1 or (twice and card not in twice):
                continue
            for other in free:
                yield Change("misread", f"{where(case, here)} is {other}, not {card}", put(case.deal, {here: other}))


def card_moved(case: Case) -> Iterator[Change]:
    """A card that was written to the wrong hand, or to the blind."""
    for holders in (("hands", "blind"), ("held",)):
        at = places(case.deal, *holders)
        filled = list(dict.fromkeys(here[:2] for here in at))
        for (holder, number, place), card in at.items():
            for taker in filled:
                if taker != (holder, number):
                    own, other = lists(case.deal, holder)[number] or (), lists(case.deal, taker[0])[taker[1]] or ()
                    less = with_list(case.deal, holder, number, own[:place] + own[place + 1 :])
                    now = with_list(less, *taker, (*other, card))
                    says = f"{card} was in {of(case, *taker)}, not in {of(case, holder, number)}"
                    yield Change("wrong-hand", says, now)


def hand_counted(case: Case) -> Iterator[Change]:
    """A card written once too often in a hand, or left out there."""
    for key in ("hands", "held"):
        at = places(case.deal, key)
        free = [card for card in pack(case) if card not in at.values()]
        sizes = [len(hand) for hand in lists(case.deal, key) if hand]
        for (_, seat, place), card in at.items():
            hand = lists(case.deal, key)[seat] or ()
            says = f"{card} stands once too often in {of(case, key, seat)}"
            yield Change("card-count", says, with_list(case.deal, key, seat, hand[:place] + hand[place + 1 :]))
        for seat, short in enumerate(lists(case.deal, key)):
            for card in free if short and len(short) < max(sizes) else ():
                says = f"{card} is left out in {of(case, key, seat)}"
                yield Change("card-count", says, with_list(case.deal, key, seat, (*(short or ()), card)))


def trick_counted(case: Case) -> Iterator[Change]:
    """A card written once too often in a trick, or left out there."""
    size, free = len(case.replay.playing), unplayed(case)
    for number, trick in enumerate(case.deal.tricks or ()):
        cards = trick.cards
        for place, card in enumerate(cards) if len(cards) > size else ():
            says = f"{card} stands once too often in trick {number + 1}"
            yield Change("card-count", says, with_list(case.deal, "tricks", number, cards[:place] + cards[place + 1 :]))
        for place in range(len(cards) + 1) if len(cards) < size else ():
            for card in free:
                now = (*cards[:place], card, *cards[place:])
                says = f"{card} is left out in trick {number + 1}, where it was card {place + 1}"
                yield Change("card-count", says, with_list(case.deal, "tricks", number, now))


# --- tricks -----------------------------------------------------------------------------------------------------------


def rotated(case: Case) -> Iterator[Change]:
    """The cards of a trick written from another player on."""
    for number, trick in enumerate(case.deal.tricks or ()):
        for first in range(1, len(trick.cards)):
            cards = trick.cards[first:] + trick.cards[:first]
            yield Change(
                "rotated", f"trick {number + 1} began with {cards[0]}", with_list(case.deal, "tricks", number, cards)
            )


def other_leader(case: Case) -> Iterator[Change]:
    """A trick whose leader is named wrongly."""
    tricks = case.deal.tricks or ()
    for place, trick in enumerate(tricks):
        for seat in case.replay.playing if trick.leader is not None else ():
            if seat != trick.leader:
                now = (*tricks[:place], replace(trick, leader=seat), *tricks[place + 1 :])
                says = f"trick {place + 1} was led by {case.players[seat]}, not by {case.players[trick.leader or 0]}"
                yield Change("leader", says, replace(case.deal, tricks=now))


def tricks_swapped(case: Case) -> Iterator[Change]:
    """Two tricks written in each other's place."""
    tricks = case.deal.tricks or ()
    for one, other in combinations(range(len(tricks)), 2):
        now = list(tricks)
        now[one], now[other] = tricks[other], tricks[one]
        says = f"tricks {one + 1} and {other + 1} have changed places"
        yield Change("tricks-swapped", says, replace(case.deal, tricks=tuple(now)))


def trick_twice(case: Case) -> Iterator[Change]:
    """A trick written down twice."""
    tricks = case.deal.tricks or ()
    for one, other in combinations(range(len(tricks)), 2):
        if tricks[one].cards == tricks[other].cards:
            for place in (one, other):
                now = tricks[:place] + tricks[place + 1 :]
                says = f"tricks {one + 1} and {other + 1} are the same trick"
                yield Change("trick-twice", says, replace(case.deal, tricks=now))


def trick_left_out(case: Case) -> Iterator[Change]:
    """A trick that was not written down: the cards that nobody played, one from each hand; where the hands are not
    known, in any order."""
    tricks, playing, held = case.deal.tricks or (), case.replay.playing, case.replay.held
    free = unplayed(case)
    left = [tuple(card for card in held[seat] or () if card in free) for seat in playing]
    whole = [tuple(cards[0] for cards in left)] if all(len(cards) == 1 for cards in left) else []
    turned = [cards[first:] + cards[:first] for cards in whole for first in range(len(cards))]
    orders = turned or (list(permutations(free)) if len(free) == len(playing) else [])
    for place in range(len(tricks) + 1) if tricks else ():
        for cards in orders:
            says = f"a trick is left out: trick {place + 1} was {' '.join(cards)}"
            now = (*tricks[:place], Trick(cards), *tricks[place:])
            yield Change("trick-left-out", says, replace(case.deal, tricks=now))


# --- the game ---------------------------------------------------------------------------------------------------------


def other_game(case: Case) -> Iterator[Change]:
    """Another suit, another contract, another declarer; or a word of the game that was not said."""
    game = case.deal.game
    if game is None:
        return
    fewer = [replace(game, words=tuple(each for each in game.words if each != word)) for word in game.words]
    for other in (*others(case), *fewer):
        says = f"the game was {said(case, other)}, not {said(case, game)}"
        yield Change("game", says, replace(case.deal, game=other))


def other_partner(case: Case) -> Iterator[Change]:
    """Another partner, where the record names one."""
    named = case.deal.partner
    if named is None:
        return
    for seat in (*case.replay.active, None):
        if seat != named:
            says = f"the partner was {'not' if seat is None else f'{case.players[seat]}, not'} {case.players[named]}"
            yield Change("partner", says, replace(case.deal, partner=seat))


def other_dealer(case: Case) -> Iterator[Change]:
    """Another dealer, and so another forehand."""
    dealer = case.deal.dealer
    for seat, name in enumerate(case.players) if dealer is not None else ():
        if seat != dealer and seat not in (case.deal.sits_out or ()):
            yield Change("dealer", f"{name} dealt, not {case.players[dealer or 0]}", replace(case.deal, dealer=seat))


CHANGES: tuple[Callable[[Case], Iterator[Change]], ...] = (
    misread,
    swapped,
    rotated,
    other_leader,
    tricks_swapped,
    trick_twice,
    trick_left_out,
    card_moved,
    hand_counted,
    trick_counted,
    other_game,
    other_partner,
    other_dealer,
)


# --- places of cards --------------------------------------------------------------------------------------------------


def places(deal: Deal, *holders: str) -> dict[Place, str]:
    """Every known card under some keys of a record, by its place."""
    found: dict[Place, str] = {}
    for holder in holders:
        for number, cards in enumerate(lists(deal, holder)):
            found |= {(holder, number, place): card for place, card in enumerate(cards or ()) if is_known(card)}
    return found


def lists(deal: Deal, holder: str) -> list[tuple[str, ...] | None]:
    """The lists of cards that stand under a key."""
    if holder == "blind":
        return [deal.blind]
    return [each.cards if isinstance(each, Trick | Exchange) else each for each in getattr(deal, holder) or ()]


def put(deal: Deal, cards: dict[Place, str]) -> Deal:
    """The record with other cards in some places."""
    for (holder, number, place), card in cards.items():
        old = lists(deal, holder)[number] or ()
        deal = with_list(deal, holder, number, (*old[:place], card, *old[place + 1 :]))
    return deal


def with_list(deal: Deal, holder: str, number: int, cards: tuple[str, ...]) -> Deal:
    """The record with another list of cards under a key."""
    if holder == "blind":
        return replace(deal, blind=cards)
    each = list(getattr(deal, holder))
    each[number] = cards if holder in ("hands", "held") else replace(each[number], cards=cards)
    return replace(deal, **{holder: tuple(each)})


def of(case: Case, holder: str, number: int) -> str:
    """What holds a card, in words."""
    if holder in ("tricks", "exchange"):
        return f"{holder.removesuffix('s')} {number + 1}"
    return "the blind" if holder == "blind" else f"the hand of {case.players[number]}"


def where(case: Case, place: Place) -> str:
    """A place in words."""
    holder, number, card = place
    return f"trick {number + 1} card {card + 1}" if holder == "tricks" else f"a card of {of(case, holder, number)}"


def pack(case: Case) -> tuple[str, ...]:
    return codes(PACKS[case.ruleset.house.deck])


def unplayed(case: Case) -> list[str]:
    """The cards of the pack that stand in no trick."""
    told = {card for trick in case.deal.tricks or () for card in trick.cards}
    return [card for card in pack(case) if card not in told]


def said(case: Case, game: Game) -> str:
    name = "" if game.declarer is None else f"{case.players[game.declarer]} "
    return name + contract_text(game)
