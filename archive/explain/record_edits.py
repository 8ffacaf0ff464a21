"""Single changes of a record: every slip of one kind that a recorder can make at one place, taken back.

There is a function for each kind. It yields every record that one such change makes of this one; none is left out
because it looks unlikely, since what is not tried cannot be counted. `archive.explain.repair` decides which of them are
legal.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations

from msgspec.structs import replace

from archive.cards import PACKS, codes, is_known, suit_name
from archive.explain.game_edits import OF_GAME, Change
from archive.judge.types import Case
from archive.record import Deal, Exchange, Trick
from archive.say import Message, message

Place = tuple[
    str, int, int
]  # the key with the card (hands, held, blind, tricks, exchange), which list under it, which card of that


# --- cards ------------------------------------------------------------------------------------------------------------


def exchanged_cards(case: Case) -> Iterator[Change]:
    """Yield two cards in each other's place: of the tricks, or of the hands and the blind."""
    for holders in (("tricks",), ("hands", "blind"), ("held",)):
        cards = places(case.deal, *holders)
        for (here, card), (there, other) in combinations(cards.items(), 2):
            if card != other and (holders == ("tricks",) or here[:2] != there[:2]):
                at = {"place": place_of(case, here), "other_place": place_of(case, there)}
                says = message("repair.swapped", card=card, other=other, **at)
                yield Change("swapped", says, with_cards(case.deal, {here: other, there: card}))


def misread_cards(case: Case) -> Iterator[Change]:
    """Yield another card written: a card that appears nowhere else, in one of the two places of a card that appears
    twice; if none does and not all cards are recorded, in any place."""
    for holders in (("tricks",), ("hands", "blind"), ("held",), ("exchange",)):
        at = places(case.deal, *holders)
        counts = Counter(at.values())
        twice = {card for card, times in counts.items() if times > 1 or card not in pack_of(case)}
        free = [card for card in pack_of(case) if card not in counts]
        for here, card in at.items():
            if len(twice) > 1 or (twice and card not in twice):
                continue
            for other in free:
                says = message("repair.misread", place=card_of(case, here), card=other, other=card)
                yield Change("misread", says, with_cards(case.deal, {here: other}))


def moved_cards(case: Case) -> Iterator[Change]:
    """Yield a card that was written to the wrong hand, or to the blind."""
    for holders in (("hands", "blind"), ("held",)):
        at = places(case.deal, *holders)
        filled = list(dict.fromkeys(here[:2] for here in at))
        for (holder, number, place), card in at.items():
            for taker in filled:
                if taker != (holder, number):
                    own, other = (
                        card_lists(case.deal, holder)[number] or (),
                        card_lists(case.deal, taker[0])[taker[1]] or (),
                    )
                    less = with_list(case.deal, holder, number, own[:place] + own[place + 1 :])
                    now = with_list(less, *taker, (*other, card))
                    says = moved_card_text(case, card, taker, (holder, number))
                    yield Change("wrong-hand", says, now)


def miscounted_hands(case: Case) -> Iterator[Change]:
    """Yield a card written once too often in a hand, or left out there."""
    for key in ("hands", "held"):
        at = places(case.deal, key)
        free = [card for card in pack_of(case) if card not in at.values()]
        sizes = [len(hand) for hand in card_lists(case.deal, key) if hand]
        for (_, seat, place), card in at.items():
            hand = card_lists(case.deal, key)[seat] or ()
            says = message("repair.twice-in-hand", card=card, player=case.players[seat])
            yield Change("card-count", says, with_list(case.deal, key, seat, hand[:place] + hand[place + 1 :]))
        for seat, short in enumerate(card_lists(case.deal, key)):
            for card in free if short and len(short) < max(sizes) else ():
                says = message("repair.not-in-hand", card=card, player=case.players[seat])
                yield Change("card-count", says, with_list(case.deal, key, seat, (*(short or ()), card)))


def miscounted_tricks(case: Case) -> Iterator[Change]:
    """Yield a card written once too often in a trick, or left out there."""
    size, free = len(case.replay.playing), unplayed_cards(case)
    for number, trick in enumerate(case.deal.tricks or ()):
        cards = trick.cards
        for place, card in enumerate(cards) if len(cards) > size else ():
            says = message("repair.twice-in-trick", card=card, trick=number + 1)
            yield Change("card-count", says, with_list(case.deal, "tricks", number, cards[:place] + cards[place + 1 :]))
        for place in range(len(cards) + 1) if len(cards) < size else ():
            for card in free:
                now = (*cards[:place], card, *cards[place:])
                says = message("repair.not-in-trick", card=card, trick=number + 1, place=place + 1)
                yield Change("card-count", says, with_list(case.deal, "tricks", number, now))


# --- tricks -----------------------------------------------------------------------------------------------------------


def rotated_tricks(case: Case) -> Iterator[Change]:
    """Yield the cards of a trick written from another player on."""
    for number, trick in enumerate(case.deal.tricks or ()):
        for first in range(1, len(trick.cards)):
            cards = trick.cards[first:] + trick.cards[:first]
            says = message("repair.rotated", trick=number + 1, card=cards[0])
            yield Change("rotated", says, with_list(case.deal, "tricks", number, cards))


def tricks_from_another_on(case: Case) -> Iterator[Change]:
    """Yield a trick written from another player on, under the name of that player; or all tricks so, each from its
    winner on. The first trick alone only if none can be missing before it, which would explain its leader as well."""
    tricks, playing = case.deal.tricks or (), case.replay.playing
    unseen = len(pack_of(case)) - sum(len(trick.cards) for trick in tricks)
    is_whole = any(case.deal.hands or ()) or unseen < len(playing)
    for place, trick in enumerate(tricks):
        if not (place or is_whole):
            continue
        for leader in playing:
            if turned := turned_to(trick, leader, playing):
                names = {"player": case.players[leader], "other": case.players[trick.leader or 0]}
                says = message("repair.written-from", trick=place + 1, card=turned.cards[0], **names)
                now = (*tricks[:place], turned, *tricks[place + 1 :])
                yield Change("written-from", says, replace(case.deal, tricks=now))
    for last in (len(tricks), len(tricks) - 1) if len(tricks) > 2 else ():
        for forehand in playing:
            leaders = (forehand, *(trick.leader for trick in tricks[: last - 1]))
            rest = [
                trick if trick.leader == leader else turned_to(trick, leader, playing)
                for trick, leader in zip(tricks[:last], leaders, strict=True)
            ]
            if None not in rest and sum(now != was for now, was in zip(rest, tricks, strict=False)) > 1:
                now = (*(each for each in rest if each), *tricks[last:])
                yield Change("written-from", message("repair.all-written-from"), replace(case.deal, tricks=now))


def turned_to(trick: Trick, leader: int | None, playing: Sequence[int]) -> Trick | None:
    """Return a trick written from another leader on, each card with its player; None if nobody knows the leader, or
    that is the leader as written."""
    if trick.leader not in playing or leader not in playing or leader == trick.leader:
        return None
    by = (playing.index(leader) - playing.index(trick.leader)) % len(playing)
    return Trick(trick.cards[by:] + trick.cards[:by], leader) if len(trick.cards) == len(playing) else None


def exchanged_suits(case: Case) -> Iterator[Change]:
    """Yield two suits taken for each other in all tricks."""
    pack = pack_of(case)
    for one, other in combinations(dict.fromkeys(card[0] for card in pack), 2):
        turned = {one: other, other: one}
        cards = {
            here: turned.get(card[0], card[0]) + card[1:]
            for here, card in places(case.deal, "tricks").items()
            if card in pack
        }
        if all(card in pack for card in cards.values()) and len({card[0] for card in cards.values()} & {*turned}) == 2:
            says = message("repair.suits-exchanged", suit=suit_name(one), other=suit_name(other))
            yield Change("suits-exchanged", says, with_cards(case.deal, cards))


def other_leader(case: Case) -> Iterator[Change]:
    """Yield a trick with a wrongly named leader."""
    tricks = case.deal.tricks or ()
    for place, trick in enumerate(tricks):
        for seat in case.replay.playing if trick.leader is not None else ():
            if seat != trick.leader:
                now = (*tricks[:place], replace(trick, leader=seat), *tricks[place + 1 :])
                names = {"player": case.players[seat], "other": case.players[trick.leader or 0]}
                says = message("repair.leader", trick=place + 1, **names)
                yield Change("leader", says, replace(case.deal, tricks=now))


def exchanged_tricks(case: Case) -> Iterator[Change]:
    """Yield two tricks written in each other's place."""
    tricks = case.deal.tricks or ()
    for one, other in combinations(range(len(tricks)), 2):
        now = list(tricks)
        now[one], now[other] = tricks[other], tricks[one]
        says = message("repair.tricks-swapped", trick=one + 1, other=other + 1)
        yield Change("tricks-swapped", says, replace(case.deal, tricks=tuple(now)))


def doubled_tricks(case: Case) -> Iterator[Change]:
    """Yield a trick written down twice."""
    tricks = case.deal.tricks or ()
    for one, other in combinations(range(len(tricks)), 2):
        if tricks[one].cards == tricks[other].cards:
            for place in (one, other):
                now = tricks[:place] + tricks[place + 1 :]
                says = message("repair.same-trick", trick=one + 1, other=other + 1)
                yield Change("trick-twice", says, replace(case.deal, tricks=now))


def forgotten_tricks(case: Case) -> Iterator[Change]:
    """Yield a trick that was not written down: the cards that nobody played."""
    tricks = case.deal.tricks or ()
    for place in range(len(tricks) + 1) if tricks else ():
        for cards in unplayed_orders(case):
            says = message("repair.trick-left-out", trick=place + 1, cards=" ".join(cards))
            now = (*tricks[:place], Trick(cards), *tricks[place:])
            yield Change("trick-left-out", says, replace(case.deal, tricks=now))


def overwritten_tricks(case: Case) -> Iterator[Change]:
    """Yield a trick written over another: the same cards appear twice, and those that nobody played nowhere."""
    tricks = case.deal.tricks or ()
    for pair in combinations(range(len(tricks)), 2):
        if set(tricks[pair[0]].cards) == set(tricks[pair[1]].cards):
            for place, other in (pair, pair[::-1]):
                for cards in unplayed_orders(case):
                    facts = {"trick": place + 1, "other": other + 1, "cards": " ".join(cards)}
                    says = message("repair.trick-written-over", **facts)
                    for leader in dict.fromkeys((tricks[place].leader, None)):  # the leader was overwritten as well
                        now = (*tricks[:place], Trick(cards, leader), *tricks[place + 1 :])
                        yield Change("overwritten", says, replace(case.deal, tricks=now))


def unplayed_orders(case: Case) -> list[tuple[str, ...]]:
    """Return the cards that nobody played, as a trick: one from each hand; in any order, if the hands are not known."""
    playing, held, free = case.replay.playing, case.replay.held, unplayed_cards(case)
    left = [tuple(card for card in held[seat] or () if card in free) for seat in playing]
    whole = [tuple(cards[0] for cards in left)] if all(len(cards) == 1 for cards in left) else []
    turned = [cards[first:] + cards[:first] for cards in whole for first in range(len(cards))]
    return turned or (list(permutations(free)) if len(free) == len(playing) else [])


# --- whole hands ------------------------------------------------------------------------------------------------------


def exchanged_hands(case: Case) -> Iterator[Change]:
    """Yield the hands of two players in each other's place; or all hands, each under the next player's name."""
    for key in ("hands", "held"):
        hands = card_lists(case.deal, key)
        seats = [seat for seat, hand in enumerate(hands) if hand]
        for one, other in combinations(seats, 2):
            names = {"player": case.players[one], "other": case.players[other]}
            swapped = {one: hands[other], other: hands[one]}
            yield Change("hands-swapped", message("repair.hands-swapped", **names), with_hands(case, key, swapped))
        for by in range(1, len(seats) if len(seats) > 2 else 0):
            turned = {seat: hands[seats[(place + by) % len(seats)]] for place, seat in enumerate(seats)}
            says = message("repair.hands-shifted", player=case.players[seats[0]], other=case.players[seats[by]])
            yield Change("hands-shifted", says, with_hands(case, key, turned))


def overwritten_hands(case: Case) -> Iterator[Change]:
    """Yield a hand written over another: the same cards appear twice, and the cards of the pack that are left
    nowhere."""
    for key in ("hands", "held"):
        hands = card_lists(case.deal, key)
        for pair in combinations([seat for seat, hand in enumerate(hands) if hand], 2):
            if set(hands[pair[0]] or ()) == set(hands[pair[1]] or ()):
                known = set(places(case.deal, key, *(("blind",) if key == "hands" else ())).values())
                left = tuple(card for card in pack_of(case) if card not in known)
                for seat, other in (pair, pair[::-1]) if len(left) == len(hands[pair[0]] or ()) else ():
                    names = {"player": case.players[seat], "other": case.players[other], "cards": " ".join(left)}
                    says = message("repair.hand-written-over", **names)
                    yield Change("overwritten", says, with_hands(case, key, {seat: left}))


def with_hands(case: Case, key: str, hands: dict[int, tuple[str, ...] | None]) -> Deal:
    own = [hands.get(seat, hand) for seat, hand in enumerate(card_lists(case.deal, key))]
    return replace(case.deal, **{key: tuple(own)})


CHANGES: tuple[Callable[[Case], Iterator[Change]], ...] = (
    misread_cards, exchanged_cards, rotated_tricks, other_leader, tricks_from_another_on, exchanged_suits,
    exchanged_tricks, doubled_tricks, forgotten_tricks, overwritten_tricks, exchanged_hands, overwritten_hands,
    moved_cards, miscounted_hands, miscounted_tricks, *OF_GAME,
)  # fmt: skip


# --- places of cards --------------------------------------------------------------------------------------------------


def places(deal: Deal, *holders: str) -> dict[Place, str]:
    """Return every known card under some keys of a record, by its place."""
    by_place: dict[Place, str] = {}
    for holder in holders:
        for number, cards in enumerate(card_lists(deal, holder)):
            by_place |= {(holder, number, place): card for place, card in enumerate(cards or ()) if is_known(card)}
    return by_place


def card_lists(deal: Deal, holder: str) -> list[tuple[str, ...] | None]:
    if holder == "blind":
        return [deal.blind]
    return [each.cards if isinstance(each, Trick | Exchange) else each for each in getattr(deal, holder) or ()]


def with_cards(deal: Deal, cards: dict[Place, str]) -> Deal:
    for (holder, number, place), card in cards.items():
        old = card_lists(deal, holder)[number] or ()
        deal = with_list(deal, holder, number, (*old[:place], card, *old[place + 1 :]))
    return deal


def with_list(deal: Deal, holder: str, number: int, cards: tuple[str, ...]) -> Deal:
    if holder == "blind":
        return replace(deal, blind=cards)
    lists = list(getattr(deal, holder))
    lists[number] = cards if holder in ("hands", "held") else replace(lists[number], cards=cards)
    return replace(deal, **{holder: tuple(lists)})


def place_of(case: Case, place: Place) -> Message:
    """Return the place of a card in a trick, or the hand or blind that it is in."""
    holder, number, card = place
    if holder == "tricks":
        return message("repair.in-trick", trick=number + 1, card=card + 1)
    return message("repair.blind") if holder == "blind" else message("repair.hand", player=case.players[number])


def card_of(case: Case, place: Place) -> Message:
    holder, number, _ = place
    if holder == "exchange":
        return message("repair.card-of-exchange", exchange=number + 1)
    if holder == "blind":
        return message("repair.card-of-blind")
    if holder == "tricks":
        return place_of(case, place)
    return message("repair.card-of-hand", player=case.players[number])


def moved_card_text(case: Case, card: str, taker: tuple[str, int], giver: tuple[str, int]) -> Message:
    """Return a message that a card was in one hand, or in the blind, not in the other where it is written."""
    names = {"player": case.players[taker[1]], "other": case.players[giver[1]]}
    if taker[0] == "blind":
        return message("repair.in-blind-not-hand", card=card, other=names["other"])
    if giver[0] == "blind":
        return message("repair.in-hand-not-blind", card=card, player=names["player"])
    return message("repair.in-other-hand", card=card, **names)


def pack_of(case: Case) -> tuple[str, ...]:
    return codes(PACKS[case.ruleset.house.deck])


def unplayed_cards(case: Case) -> list[str]:
    """Return the cards of the pack that are in no trick."""
    played = {card for trick in case.deal.tricks or () for card in trick.cards}
    return [card for card in pack_of(case) if card not in played]
