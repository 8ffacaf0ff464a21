"""The hands of a deal: as dealt, as held when play began, and what is wrong with them; open cards on the table, each on
a covered one. 001 Two-Hand Schafkopf: Officers' Schafkopf; 002 06.4 Lake Constance Jass."""

from collections.abc import Iterator

from msgspec import Struct

from archive.cards import BIT, CODES, NUMBER, PACKS, is_known, mask
from archive.play.exchange import after_exchanges, is_whole, size_dealt
from archive.play.types import Cards, Hand, Scene, Walk, read_hand
from archive.record import Deal, Finding, finding
from archive.rules import Ruleset
from archive.say import Message, message

# --- open cards on covered ones ---------------------------------------------------------------------------------------

OVER = "/"  # between an open card and the one under it: `EO/S8`
UNKNOWN = -1


class Cover(Struct):
    """The covered cards of a seat under way. Mutable, and never leaves a replay. `under` has the number of the card
    below each open one, UNKNOWN if nobody knows it; `loose` are cards of the hand that lie under one of those."""

    under: dict[int, int]
    covered: int = 0  # known to lie under a card
    loose: int = 0
    turned: int = 0  # cards that nobody knows and that lie open now
    going: int = 0  # open cards that were played to the trick under way
    is_known: bool = True  # False: nobody knows how the cards lay


def split_stacks(codes: Cards) -> tuple[Cards, tuple[tuple[str, str], ...]]:
    """Return the cards of a hand one by one, and the pairs of an open card and the one under it."""
    flat = tuple(part for code in codes for part in code.split(OVER))
    return flat, tuple((code[:2], code[3:]) for code in codes if OVER in code)


def cover_of(codes: Cards | None, held: int) -> Cover:
    """Return the covered cards of a hand as written (None: not recorded), before the first trick; `held` are all of its
    cards, as far as they are known."""
    if codes is None:
        return Cover({}, is_known=False)
    flat, stacks = split_stacks(codes)
    under = {NUMBER[top]: NUMBER.get(below, UNKNOWN) for top, below in stacks if top in NUMBER}
    covered = sum(1 << below for below in under.values() if below >= 0)
    written = sum(1 << NUMBER[code] for code in flat if code in NUMBER)
    return Cover(
        under, covered, held & ~written if UNKNOWN in under.values() else 0, is_known=len(under) == len(stacks)
    )


def open_cards(cover: Cover, hand: int) -> int | None:
    """Return the cards of a hand that may be played, or None if nobody knows which they are."""
    if not cover.is_known or 0 < cover.turned < (hand & cover.loose).bit_count():
        return None
    return hand & ~cover.covered & (-1 if cover.turned else ~cover.loose)


def why_covered(cover: Cover, hand: int, card: int) -> Message | str | None:
    """Return the card of the hand that lies on this one, or None if it is open, or may be."""
    if not cover.is_known or not hand >> card & 1:
        return None
    if cover.covered >> card & 1:
        return next(CODES[top] for top, below in cover.under.items() if below == card)
    return message("play.another-card") if cover.loose >> card & 1 and not cover.turned else None


def take_card(cover: Cover, card: int) -> None:
    """Note that a card is played; the card under it is open from the next trick on."""
    if cover.loose >> card & 1:
        cover.turned = max(0, cover.turned - 1)
    cover.going |= 1 << card


def turn_cards(cover: Cover) -> None:
    """Turn the cards that those of a trick have covered."""
    for top in [top for top in cover.under if cover.going >> top & 1]:
        below = cover.under.pop(top)
        cover.turned += below == UNKNOWN
        cover.covered &= ~(1 << below) if below != UNKNOWN else -1
    cover.going = 0


def check_stacks(scene: Scene) -> Iterator[Finding]:
    """Yield findings for hands with other stacks than the table deals."""
    wanted = scene.ruleset.house.stacks
    for name, hand in zip(scene.players, scene.deal.hands or (), strict=False):
        count = sum(OVER in code for code in hand or ())
        if hand and count != wanted:
            yield finding("stack-count", scene.deal.source, player=name, count=count, wanted=wanted)


# --- the hands --------------------------------------------------------------------------------------------------------

Hands = tuple[Hand | None, ...]


def talon_size(ruleset: Ruleset, hand: int) -> int:
    """Return how many cards are left to draw from, with `hand` cards in a hand; 0 if nobody draws."""
    house = ruleset.house
    return house.deck - house.seats * hand if house.talon else 0


def hands(scene: Scene, walked: Walk) -> tuple[Hands, Hands, list[Finding], list[Message]]:
    """Return the hands as dealt, the hands when play began, the findings, and what is missing. Unrecorded hands are
    taken from the tricks if every card of the seat is known, forward or back through the cards passed on; if those are
    not recorded either, the hand held by a player who passed any is the one that was played."""
    deal, players = scene.deal, scene.players
    dealt = one_each(deal.hands, players)
    recorded = one_each(deal.held, players) if deal.held else [None] * len(players)
    findings = [*check_dealt(scene, dealt), *(check_pile_cards(scene, walked, dealt) if deal.piles else ())]
    missing: list[Message] = []
    unseen = () if deal.exchange is not None or scene.phase.moves == () else passers(scene)
    steps = deal.exchange or ()
    if not (deal.held or unseen or steps) and all(map(is_whole, dealt)):
        return tuple(dealt), tuple(dealt), findings, missing
    held: list[Hand | None] = []
    for seat, hand in enumerate(dealt):
        hidden, known = seat in unseen, hand is not None and hand.whole
        given = after_exchanges(hand, seat, steps) if known and hand is not None and not hidden else None
        if given is not None and given.codes and recorded[seat] is None:
            held.append(given)
            continue
        now = any_cards(recorded[seat]) or hand_played(scene, walked, seat)
        if known and not hidden:
            findings += check_held(deal, players[seat], recorded[seat], given)
            now = any_cards(recorded[seat]) or any_cards(given) or now
        elif now is not None and not hidden and now.whole:
            before = after_exchanges(now, seat, steps, back=True)
            if before is not None:
                dealt[seat] = before
                findings += check_held(deal, players[seat], now, after_exchanges(before, seat, steps))
                known_cards = filter(is_known, hand.codes if hand else ())
                unplayed = (card for card in known_cards if not BIT[card] & before.cards)
                findings += [finding("not-played", deal.source, card=card, player=players[seat]) for card in unplayed]
        elif hand is not None and not known:
            unknown = sum(not is_known(card) for card in hand.codes)
            missing.append(message("missing.hand-cards", n=unknown, player=players[seat]))
        held.append(now)
    if not all((hand := any_cards(each)) and hand.whole for seat in unseen for each in (dealt[seat], held[seat])):
        missing.append(message("missing.exchanged-cards", title=scene.phase.title))
    return tuple(dealt), tuple(held), findings, missing


def any_cards(hand: Hand | None) -> Hand | None:
    """Return the hand, or None if it has no card."""
    return hand if hand is not None and hand.codes else None


def hand_played(scene: Scene, walked: Walk, seat: int) -> Hand | None:
    """Return the hand that a seat has played, or None unless all of it is known; a player who draws has played other
    cards too."""
    if seat not in scene.active or scene.ruleset.house.talon:
        return None
    played = tuple(
        code for trick in walked.tricks for own, code in zip(trick.seats, trick.codes, strict=True) if own == seat
    )
    hand = read_hand(played)
    return hand if hand.whole and len(played) == scene.size else None


def passers(scene: Scene) -> tuple[int, ...]:
    """Return the seats that pass cards on, or may have."""
    if scene.phase.moves is None:
        return scene.active
    passing = {seat for move in scene.phase.moves for seat in (move.giver, move.taker)}
    return tuple(seat for seat in scene.active if seat in passing)


def one_each(hands: tuple[Cards | None, ...] | None, players: tuple[str, ...]) -> list[Hand | None]:
    """Return one entry per player; a record may have fewer."""
    written = (hands or ())[: len(players)]
    read = [None if hand is None else read_hand(hand) for hand in written]
    flat = [read_hand(split_stacks(hand.codes)[0]) if hand and not hand.whole else hand for hand in read]
    return [*flat, *[None] * (len(players) - len(flat))]


def check_dealt(scene: Scene, dealt: list[Hand | None]) -> list[Finding]:
    """Return findings for the cards as dealt: the size of a hand, its first packet or the blind; a card twice, or not
    in the pack."""
    deal, size, pack = scene.deal, scene.size, PACKS[scene.ruleset.house.deck]
    findings: list[Finding] = []
    cards = written = 0
    for seat, hand in enumerate(dealt):
        if hand is None:
            continue
        wanted, count = size_dealt(scene, seat), len(hand.codes)
        if count != wanted and not is_printed_so(scene, hand, wanted):
            facts = {"cards": count, "wanted": wanted}
            findings.append(finding("hand-size", deal.source, None, player=scene.players[seat], **facts))
        cards |= hand.cards
        written += len(hand.codes)
    if deal.blind is not None and len(deal.blind) != scene.phase.blind:
        count, wanted, player = len(deal.blind), scene.phase.blind, message("play.the-blind")
        findings.append(finding("hand-size", deal.source, player=player, cards=count, wanted=wanted))
    drawn = deal.talon if scene.ruleset.house.play == "tricks" else None  # other games check their own talons
    if drawn is not None and len(drawn) != (wanted := talon_size(scene.ruleset, size)):
        count, player = len(drawn), message("play.the-talon")
        findings.append(finding("hand-size", deal.source, player=player, cards=count, wanted=wanted))
    if deal.packet is not None and not 0 < deal.packet < size:
        findings.append(finding("packet-size", deal.source, packet=deal.packet, size=size))
    talon = read_hand(drawn or ())
    on_table, piles = read_hand(deal.blind or scene.phase.aside.codes), one_each(deal.piles, scene.players)
    findings += [*(check_piles(scene, piles) if deal.piles else ()), *check_stacks(scene)]
    aside = [on_table, talon, *filter(None, piles)]
    for each in aside:
        cards |= each.cards
        written += len(each.codes)
    if cards & ~pack or cards.bit_count() < written:
        findings += strange_cards(scene, on_table, talon, dealt, piles, pack)
    return findings


def check_piles(scene: Scene, piles: list[Hand | None]) -> Iterator[Finding]:
    """Yield findings for piles of another size than is set aside."""
    wanted = scene.ruleset.house.pile
    for name, pile in zip(scene.players, piles, strict=True):
        if pile is not None and len(pile.codes) != wanted:
            player = message("play.pile-of", player=name)
            yield finding("hand-size", scene.deal.source, player=player, cards=len(pile.codes), wanted=wanted)


def is_printed_so(scene: Scene, hand: Hand, wanted: int) -> bool:
    """Return whether a hand has as many cards as a source may print: unknown ones in place of those that lie aside; or
    the size of any hand, if the dealer is not known."""
    if not scene.active:
        return len(hand.codes) in (scene.size, scene.size - len(scene.phase.aside.codes))
    return len(hand.codes) == scene.size and sum(map(is_known, hand.codes)) <= wanted


def check_pile_cards(scene: Scene, walked: Walk, dealt: list[Hand | None]) -> Iterator[Finding]:
    """Yield findings for cards of a pile that somebody whose hand is not recorded has played."""
    aside = mask(card for pile in scene.deal.piles or () for card in pile or ())
    for laid in walked.cards_laid if aside else ():
        if laid.card >= 0 and aside >> laid.card & 1 and dealt[laid.seat] is None:
            where = message("play.place", trick=laid.trick, card=laid.place)
            yield finding(
                "card-twice", scene.deal.source, f"{laid.trick}.{laid.place}", card=CODES[laid.card], where=where
            )


def strange_cards(
    scene: Scene, on_table: Hand, talon: Hand, dealt: list[Hand | None], piles: list[Hand | None], pack: int
) -> Iterator[Finding]:
    """Yield findings for known cards as dealt that are not in the pack, or are in two places."""
    seen: set[str] = set()
    places = [(message("play.the-blind"), on_table), (message("play.the-talon"), talon)]
    hands = zip(scene.players, dealt, strict=True)
    places += [(message("play.hand-of", player=name), hand) for name, hand in hands if hand]
    own = zip(scene.players, piles, strict=True)
    places += [(message("play.pile-of", player=name), pile) for name, pile in own if pile]
    for where, hand in places:
        for card in filter(is_known, hand.codes):
            rule = "not-in-pack" if not pack & BIT[card] else "card-twice" if card in seen else None
            if rule:
                yield finding(rule, scene.deal.source, card=card, where=where)
            seen.add(card)


def check_held(deal: Deal, player: str, recorded: Hand | None, given: Hand | None) -> list[Finding]:
    """Return a finding if the recorded hand is not the one dealt after every exchange."""
    if recorded is None or given is None or not recorded.whole or recorded.cards == given.cards:
        return []
    facts = {"held": " ".join(recorded.codes), "given": " ".join(given.codes)}
    return [finding("held-differs", deal.source, player=player, **facts)]


def hand_masks(hands: tuple[Hand | None, ...]) -> list[int | None]:
    """Return the hands as masks; None for one with an unknown card."""
    return [None if hand is None else hand.full_mask for hand in hands]
