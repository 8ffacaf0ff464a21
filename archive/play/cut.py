"""Cutting and dealing: who cuts, how deep, and in which packets the cards are dealt; the knock of the cutter, who then
says the packets. 001 Deal; 003 2.1 Dealing the Cards; 001 Other Variants: Klopfen."""

import re
from functools import lru_cache
from itertools import accumulate

from msgspec import Struct

from archive.cards import PACKS
from archive.play.messages import both
from archive.play.types import Scene
from archive.record import Deal, Finding, finding
from archive.rules import House, hand_size
from archive.say import Message, message

KNOCK = r"(?i)(?P<who>.+?) (?:knocks|klopft)(?P<how>(?: *, *(?:\d{1,2} *[x×] *\d{1,2}|left|right))*)"
PACKETS = r"(?i)(\d+) *[x×] *(\d+)"
SPOKEN_OF = "(?i)knock|klopf"
PLAIN = r"(?P<who>.+?)(?: (?P<off>\d{1,2}))?"
FOR = r"(.+) (?:for|für) (.+)"


class Cut(Struct, frozen=True):
    """A cut: the seat that cut, the absent seat it cut for, the number of cards taken off, whether it was a knock, and
    the packets then dealt (how many, of how many cards). None or empty if not recorded."""

    seat: int
    absent: int | None = None
    off: int | None = None
    knocks: bool = False
    packets: tuple[tuple[int, int], ...] = ()


def cut_of(deal: Deal, players: tuple[str, ...]) -> Cut | None:
    """Return the cut written under the key `cut`: `Ben`, `Ben 9`, `Ben for Cem`, `Ben knocks, 2x4, left`; None if it is
    any other text."""
    text = (deal.cut or "").strip()
    if not text:
        return None
    if read := re.fullmatch(KNOCK, text):
        packets = tuple((int(count), int(size)) for count, size in re.findall(PACKETS, read["how"]))
        named = _cutters(read["who"], players)
        return Cut(*named, knocks=True, packets=packets) if named else None
    if named := _cutters(text, players):
        return Cut(*named)
    plain = re.fullmatch(PLAIN, text)
    named = _cutters(plain["who"], players) if plain else None
    return Cut(*named, off=int(plain["off"])) if plain and named and plain["off"] else None


def _cutters(text: str, players: tuple[str, ...]) -> tuple[int, int | None] | None:
    """Return the seat that cut, and the seat it cut for or None; None if the text names anyone but players."""
    seats = (*players, *(f"Seat{seat}" for seat in range(1, len(players) + 1)))
    if text in seats:
        return seats.index(text) % len(players), None
    both_names = re.fullmatch(FOR, text)
    if both_names is None or not {*both_names.groups()} <= {*seats}:
        return None
    seat, absent = (seats.index(name) % len(players) for name in both_names.groups())
    return seat, absent


def knock_of(deal: Deal, players: tuple[str, ...]) -> Cut | None:
    """Return the cut with which the cutter knocked, or None if nobody knocked."""
    cut = cut_of(deal, players)
    return cut if cut and cut.knocks else None


def cutter(dealer: int, players: int, house: House) -> int:
    """Return the seat that cuts: beside the dealer, in play or not."""
    return (dealer + (1 if house.cutter == "left" else -1)) % players


def check_cut(scene: Scene) -> list[Finding]:
    """Return findings for cuts and knocks that cannot be read or are not allowed, and for packets of other sizes."""
    deal, players, house = scene.deal, scene.players, scene.ruleset.house
    cut, packets = cut_of(deal, players), check_packets(scene)
    if cut is None:
        mentions = deal.cut is not None and re.search(SPOKEN_OF, deal.cut)
        return [*packets, *([finding("cut-not-read", deal.source, text=deal.cut)] if mentions else [])]
    why = wrong_cutter(scene, cut)
    if not cut.knocks:
        most = PACKS[house.deck].bit_count() - house.least_cut
        if why is None and cut.off is not None and not house.least_cut <= cut.off <= most:  # 001 Deal
            why = message("play.least-cut", least=house.least_cut)
        rule = "cut-not-allowed"
    else:
        rule = "cutter-knock-not-allowed"
        if not house.klopfen:
            why = message("play.cutter-knocks-not")
        elif not why and cut.packets and sum(count * cards for count, cards in cut.packets) != scene.size:
            said = both(message("play.packet", count=count, cards=cards) for count, cards in cut.packets)
            why = message("play.packets", packets=said, size=scene.size)
    return [*packets, *([finding(rule, deal.source, player=players[cut.seat], why=why)] if why else [])]


def wrong_cutter(scene: Scene, cut: Cut) -> Message | None:
    """Return why this player was not to cut, or None if that was right. Another cuts for an absent cutter, but not the
    dealer or the player to the dealer's left. 003 2.1 Dealing the Cards."""
    players, dealer, house = scene.players, scene.dealer, scene.ruleset.house
    if dealer is None:
        return None
    due = cutter(dealer, len(players), house)
    if cut.seat == due if cut.absent is None else cut.absent == due:
        others = {dealer, (dealer + 1) % len(players)} if cut.absent is not None else set[int]()
        return message("play.cuts-for-nobody") if cut.seat in others else None
    return message(f"play.cuts-{house.cutter}", cutter=players[due], dealer=players[dealer])


# --- packets ----------------------------------------------------------------------------------------------------------


@lru_cache
def packets_of(packets: tuple[str, ...], size: int) -> dict[str, frozenset[int]]:
    """Return the ways to deal hands of `size` cards, each with the numbers of cards in a hand after each of its
    packets; a part such as `b2` goes to the blind."""
    ways = {each: [int(part) for part in each.split() if part.isdigit()] for each in packets}
    return {each: frozenset(accumulate(parts)) for each, parts in ways.items() if sum(parts) == size}


def fits_packet(house: House, packet: int) -> bool:
    """Return whether a packet may end after this many cards of each hand; True if the house names no packets."""
    size = hand_size(house)
    ways = packets_of(house.packets, size).values()
    return packet >= size or not ways or any(packet in way for way in ways)


def check_packets(scene: Scene) -> list[Finding]:
    """Return a finding if the packets are not those of the house, unless the cutter has said others."""
    deal, house = scene.deal, scene.ruleset.house
    allowed, cut = packets_of(house.packets, scene.size), knock_of(deal, scene.players)
    if not allowed or (cut and cut.packets):
        return []
    said = " ".join((deal.packets or "").split())
    dealt: Message | str = said if said and said not in allowed else ""
    if not dealt and deal.packet is not None and not fits_packet(house, deal.packet):
        dealt = message("play.first-packet", n=deal.packet)
    return [finding("packets-not-allowed", deal.source, packets=dealt, wanted=tuple(allowed))] if dealt else []
