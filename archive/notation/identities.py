"""Hashes by which a deal is recognised: of its whole record, or of its cards alone."""

import hashlib
from typing import NamedTuple

import msgspec
from msgspec import structs

from archive.cards import is_known
from archive.notation.jsonl import write_line
from archive.record import Deal, Session

HASH = 16  # bytes that are kept of a hash: two deals that share them are not to be expected in any archive
MANY = 20  # known cards in tricks: the same order of this many is no chance
HANDS = 3  # hands known whole: the fourth is what is left


class DealtCards(NamedTuple):
    """The cards of a deal without names, seats from forehand on: how many play, the cards of each trick as played, and
    for each seat the cards of its hand that it never played (empty if no hand is recorded)."""

    seats: int
    tricks: tuple[tuple[str, ...], ...]
    left: tuple[frozenset[str], ...]


def identity(session: Session, deal: Deal, number: int) -> str:
    """Return the hash of a record: the first 16 bytes of the SHA-256 of its canonical line with its number, in hex.

    `number` is the deal's `no`, else its position in its session. Corrections and rulings are added to what was
    recorded and are no part of it.
    """
    recorded = structs.replace(deal, no=number, correction=None, ruling=None)
    return hashlib.sha256(write_line(session, recorded)).hexdigest()[: 2 * HASH]


def identity_of_line(line: bytes, cut: int, number: int) -> bytes:
    """Return the `identity` of a record, as bytes, from its canonical line without corrections or rulings: `cut` is the
    length of its head in the line, `number` its number."""
    return hashlib.sha256(numbered_line(line, cut, number)).digest()[:HASH]


def numbered_line(line: bytes, cut: int, number: int) -> bytes:
    """Return the canonical line of a record with its number, which stands behind the `cut` bytes of its head."""
    return line if line.startswith(b',"no":', cut) else b'%s,"no":%d%s' % (line[:cut], number, line[cut:])


def play_identity(session: Session, deal: Deal) -> str | None:
    """Return the hash of a deal's cards without names, by which another source's record of it is recognised: the
    SHA-256 of its `DealtCards` in hexadecimal; None if no card of it is known."""
    hands, tricks = deal.hands or deal.held or (), deal.tricks or ()
    cards = (*(card for trick in tricks for card in trick.cards), *(card for hand in hands for card in hand or ()))
    if not any(map(is_known, cards)):
        return None
    dealt = dealt_cards(session, deal)
    facts = (dealt.seats, dealt.tricks, [sorted(cards) for cards in dealt.left])
    return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()


def repeat_identity(session: Session, deal: Deal, number: int) -> str:
    """Return the hash that shows whether a deal stands in its file twice: of its cards if enough are recorded that no
    other deal has them (equal words have equal cards too), else of its record."""
    of_cards = play_identity(session, deal) if is_whole(deal) else None
    return of_cards or identity(session, deal, number)


def dealt_cards(session: Session, deal: Deal) -> DealtCards:
    """Return the cards by which two records of one deal are recognised, wherever each seats the players; unknown cards
    in hands do not count."""
    hands, out = deal.hands or deal.held or (), deal.sits_out or ()
    tricks = tuple(trick.cards for trick in deal.tricks or ())
    played = {card for cards in tricks for card in cards}
    seats = [seat for seat in range(len(deal.players or session.players)) if seat not in out]
    first = forehand(deal, len(seats) + len(out))
    seats = [seat for seat in seats if seat >= first] + [seat for seat in seats if seat < first]
    left = (frozenset(filter(is_known, hands[seat] or ())) - played if hands else frozenset() for seat in seats)
    return DealtCards(len(seats), tricks, tuple(left))


def forehand(deal: Deal, players: int) -> int:
    """Return the seat from which seats are counted: the leader of the first trick (by name, or by holding its first
    card), else the seat after the dealer."""
    if deal.tricks:
        if deal.tricks[0].leader is not None:
            return deal.tricks[0].leader
        led, hands = deal.tricks[0].cards[:1], deal.hands or deal.held or ()
        holders = [seat for seat, hand in enumerate(hands) if hand and led and is_known(led[0]) and led[0] in hand]
        if holders:
            return holders[0]
    return 0 if deal.dealer is None else (deal.dealer + 1) % players


def is_whole(deal: Deal) -> bool:
    """Return whether enough of a deal's cards are recorded that a deal of the same cards is the same deal."""
    played = sum(is_known(card) for trick in deal.tricks or () for card in trick.cards)
    hands = sum(bool(hand) and all(map(is_known, hand)) for hand in deal.hands or deal.held or () if hand)
    return played >= MANY or hands >= HANDS
