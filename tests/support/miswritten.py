"""Slips of a recorder: one thing of a correct record written wrongly, by kind. Independent of
`archive.explain.record_edits`: nothing here asks what could be repaired.

A slip is a function of a random source, the ruleset and a deal with tricks, and returns the miswritten deal, or None if
the deal has nothing to make it with.
"""

from collections.abc import Callable
from random import Random

from msgspec.structs import replace

from archive.cards import PACKS, SUITS, codes
from archive.record import Deal, Trick
from archive.rules import Ruleset

Slip = Callable[[Random, Ruleset, Deal], Deal | None]


def cards_of_a_trick(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    """Return two cards of one trick written in each other's place."""
    number = rng.randrange(len(deal.tricks or ()))
    cards = list(trick(deal, number).cards)
    one, other = rng.sample(range(len(cards)), 2)
    cards[one], cards[other] = cards[other], cards[one]
    return with_trick(deal, number, tuple(cards))


def cards_of_two_tricks(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    """Return two cards of different tricks written in each other's place."""
    if len(deal.tricks or ()) < 2:
        return None
    one, other = rng.sample(range(len(deal.tricks or ())), 2)
    first, second = list(trick(deal, one).cards), list(trick(deal, other).cards)
    here, there = rng.randrange(len(first)), rng.randrange(len(second))
    first[here], second[there] = second[there], first[here]
    return with_trick(with_trick(deal, one, tuple(first)), other, tuple(second))


def cards_of_two_hands(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    seats = seats_with_hand(deal)
    if len(seats) < 2:
        return None
    one, other = rng.sample(seats, 2)
    first, second = hand(deal, one), hand(deal, other)
    here, there = rng.randrange(len(first)), rng.randrange(len(second))
    first[here], second[there] = second[there], first[here]
    return with_hand(with_hand(deal, one, first), other, second)


def suit_misread(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    return _misread(rng, ruleset, deal, lambda card: [suit + card[1] for suit in SUITS])


def rank_misread(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    return _misread(rng, ruleset, deal, lambda card: [card[0] + rank for rank in "AZKOU9876"])


def _misread(rng: Random, ruleset: Ruleset, deal: Deal, others: Callable[[str], list[str]]) -> Deal | None:
    number = rng.randrange(len(deal.tricks or ()))
    cards = list(trick(deal, number).cards)
    place = rng.randrange(len(cards))
    cards[place] = rng.choice([each for each in others(cards[place]) if each in pack(ruleset) and each != cards[place]])
    return with_trick(deal, number, tuple(cards))


def card_of_a_hand_misread(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    seats = seats_with_hand(deal)
    if not seats:
        return None
    seat = rng.choice(seats)
    cards = hand(deal, seat)
    place = rng.randrange(len(cards))
    cards[place] = rng.choice([card for card in pack(ruleset) if card != cards[place]])
    return with_hand(deal, seat, cards)


def card_in_the_wrong_hand(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    seats = seats_with_hand(deal)
    if len(seats) < 2:
        return None
    giver, taker = rng.sample(seats, 2)
    cards = hand(deal, giver)
    card = cards.pop(rng.randrange(len(cards)))
    return with_hand(with_hand(deal, giver, cards), taker, [*hand(deal, taker), card])


def trick_rotated(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    number = rng.randrange(len(deal.tricks or ()))
    cards = trick(deal, number).cards
    first = rng.randrange(1, len(cards))
    return with_trick(deal, number, cards[first:] + cards[:first])


def leader_wrong(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    number = rng.randrange(len(deal.tricks or ()))
    others = {each.leader for each in deal.tricks or ()} - {trick(deal, number).leader, None}
    if not others:
        return None
    tricks = list(deal.tricks or ())
    tricks[number] = replace(tricks[number], leader=rng.choice(sorted(seat for seat in others if seat is not None)))
    return replace(deal, tricks=tuple(tricks))


def trick_from_its_winner(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    """Return a trick with the card of its winner first, under the name of that player."""
    tricks = list(deal.tricks or ())
    if len(tricks) < 2:
        return None
    number = rng.randrange(len(tricks) - 1)
    turned = from_winner(deal, number)
    return None if turned is None else replace(deal, tricks=(*tricks[:number], turned, *tricks[number + 1 :]))


def tricks_from_their_winners(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    """Return all tricks but the last written from their winners; the winner of the last one is unknown, so its leader
    is written."""
    tricks = list(deal.tricks or ())
    turned = [from_winner(deal, number) for number in range(len(tricks) - 1)]
    if not turned or None in turned:
        return None
    return replace(deal, tricks=(*(each for each in turned if each), tricks[-1]))


def from_winner(deal: Deal, number: int) -> Trick | None:
    """Return a trick from its winner on, the leader of the next one."""
    own, winner = trick(deal, number), trick(deal, number + 1).leader
    away = deal.sits_out or ()
    seats = [seat for seat in range(len(own.cards) + len(away)) if seat not in away]
    if own.leader not in seats or winner not in seats or own.leader == winner:
        return None if own.leader is None or winner is None else own
    by = (seats.index(winner) - seats.index(own.leader)) % len(seats)
    return Trick(own.cards[by:] + own.cards[:by], winner)


def suits_exchanged(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    """Return one suit for another in all tricks."""
    one, other = rng.sample(SUITS, 2)
    turned = {one: other, other: one}
    tricks = [
        replace(each, cards=tuple(turned.get(card[0], card[0]) + card[1:] for card in each.cards))
        for each in deal.tricks or ()
    ]
    return replace(deal, tricks=tuple(tricks))


def tricks_exchanged(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    tricks = list(deal.tricks or ())
    if len(tricks) < 2:
        return None
    one, other = rng.sample(range(len(tricks)), 2)
    tricks[one], tricks[other] = tricks[other], tricks[one]
    return replace(deal, tricks=tuple(tricks))


def trick_left_out(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    tricks = list(deal.tricks or ())
    del tricks[rng.randrange(len(tricks))]
    return replace(deal, tricks=tuple(tricks))


def trick_repeated(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    tricks = list(deal.tricks or ())
    number = rng.randrange(len(tricks))
    tricks.insert(number, tricks[number])
    return replace(deal, tricks=tuple(tricks))


def suit_of_the_game(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    """Return another called suit, or another trump suit."""
    game = deal.game
    if game is None or game.suit is None:
        return None
    suit = rng.choice([each for each in SUITS if each != game.suit])
    called = None if game.called is None else suit + game.called[1]
    return replace(deal, game=replace(game, suit=suit, called=called))


def declarer_wrong(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    game = deal.game
    if game is None or game.declarer is None:
        return None
    others = [seat for seat in seats_with_hand(deal) if seat != game.declarer]
    return replace(deal, game=replace(game, declarer=rng.choice(others))) if others else None


def contract_wrong(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    """Return another contract of the table, with the suit if it takes one."""
    game = deal.game
    rows = [ruleset.contracts[name] for name in ruleset.house.contracts]
    fit = [row for row in rows if game and row.id != game.contract and row.declarer and row.ends != "not-played"]
    if game is None or game.declarer is None or not fit:
        return None
    row = rng.choice(fit)
    suit = None if row.takes == "none" else game.suit or rng.choice(SUITS)
    called = suit + row.called if suit and row.takes == "called" else None
    return replace(deal, game=replace(game, contract=row.id, suit=suit, called=called))


def dealer_wrong(rng: Random, ruleset: Ruleset, deal: Deal) -> Deal | None:
    others = [seat for seat in seats_with_hand(deal) if seat != deal.dealer]
    return None if deal.dealer is None or not others else replace(deal, dealer=rng.choice(others))


SLIPS: dict[str, Slip] = {
    "two cards of a trick swapped": cards_of_a_trick,
    "two cards of two tricks swapped": cards_of_two_tricks,
    "two cards of two hands swapped": cards_of_two_hands,
    "the suit of a card misread": suit_misread,
    "the rank of a card misread": rank_misread,
    "a card of a hand misread": card_of_a_hand_misread,
    "a card in the wrong hand": card_in_the_wrong_hand,
    "a trick rotated": trick_rotated,
    "a wrong leader": leader_wrong,
    "a trick from its winner on": trick_from_its_winner,
    "all tricks from their winners on": tricks_from_their_winners,
    "two suits exchanged in all tricks": suits_exchanged,
    "two tricks swapped": tricks_exchanged,
    "a trick left out": trick_left_out,
    "a trick written twice": trick_repeated,
    "another suit called or trump": suit_of_the_game,
    "another declarer": declarer_wrong,
    "another contract": contract_wrong,
    "another dealer": dealer_wrong,
}


# --- parts of a deal --------------------------------------------------------------------------------------------------


def trick(deal: Deal, number: int) -> Trick:
    return (deal.tricks or ())[number]


def with_trick(deal: Deal, number: int, cards: tuple[str, ...]) -> Deal:
    tricks = list(deal.tricks or ())
    tricks[number] = replace(tricks[number], cards=cards)
    return replace(deal, tricks=tuple(tricks))


def hand(deal: Deal, seat: int) -> list[str]:
    return list((deal.hands or ())[seat] or ())


def with_hand(deal: Deal, seat: int, cards: list[str]) -> Deal:
    hands = list(deal.hands or ())
    hands[seat] = tuple(cards)
    return replace(deal, hands=tuple(hands))


def seats_with_hand(deal: Deal) -> list[int]:
    return [seat for seat, cards in enumerate(deal.hands or ()) if cards]


def pack(ruleset: Ruleset) -> tuple[str, ...]:
    return codes(PACKS[ruleset.house.deck])
