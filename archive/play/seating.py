"""Who is in play, in which order, and who sits out; who cuts, how deep, and in which packets the cards are dealt; the
knock of the cutter, who then says the packets. 001 Deal; 003 2.1 Dealing the Cards; 001 Other Variants: Klopfen."""

import re
from functools import lru_cache
from itertools import accumulate

from msgspec import Struct

from archive.cards import PACKS
from archive.engine.tricks import forehand_of
from archive.play.messages import both
from archive.play.types import Scene
from archive.record import Deal, Finding, finding
from archive.rules import Contract, House, Ruleset, hand_size
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


def by_rule(players: int, house: House, dealer: int | None) -> tuple[int, ...] | None:
    """Return the seats that sit out if more are at the table than play: the dealer, then the cutter. None if the house
    has no rule for this number, or the dealer is not known. 002 01.6 Playing with Five or Six."""
    more = players - house.seats
    if dealer is None or not 0 < more <= len(house.sitters):
        return () if more == 0 else None
    place = {"dealer": dealer, "cutter": cutter(dealer, players, house)}
    return tuple(sorted(place[name] for name in house.sitters[:more]))


def usual_sitters(players: int, house: House, dealer: int | None) -> tuple[int, ...]:
    """Return the seats that sit out by the rule of the house; if it has no rule for this number, those after the ones
    in play: with one more the dealer, with two the cutter too. Empty if the dealer is not known."""
    ruled = by_rule(players, house, dealer)
    if ruled is not None or dealer is None:
        return ruled or ()
    in_play = {(dealer + 1 + n) % players for n in range(house.seats)}
    return tuple(seat for seat in range(players) if seat not in in_play)


def sitting_out(deal: Deal, players: tuple[str, ...], house: House, dealer: int | None) -> tuple[int, ...]:
    """Return the seats that sit out, as recorded, else by the rule of the house."""
    return deal.sits_out if deal.sits_out is not None else by_rule(len(players), house, dealer) or ()


def seats_in_play(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, dealer: int | None, contract: Contract | None
) -> tuple[tuple[int, ...], list[Finding]]:
    """Return the seats in play, forehand first, and a finding if they are too few or too many; no seats if unknown.
    Without a dealer, the leader of the first trick shows forehand."""
    house = ruleset.house
    if deal.stated and deal.stated.of_list:  # who sat out in which of its deals is not recorded
        return (), []
    out = sitting_out(deal, players, house, dealer)
    seats = [seat for seat in range(len(players)) if seat not in out]
    ruled = deal.sits_out is None and 0 < len(players) - house.seats <= len(house.sitters)
    if ruled and dealer is None:
        return (), []
    if not (house.least_seats or house.seats) <= len(seats) <= house.seats:
        return (), [finding("wrong-seats", deal.source, seats=len(seats), wanted=house.seats)]
    first = dealer
    lays_down = contract is not None and not contract.partner_plays  # then forehand may lead, or the next player
    if first is None and deal.tricks and contract and contract.leads == "forehand" and not lays_down:
        leader = deal.tricks[0].leader
        first = None if leader is None else leader - 1
    if first is None and len(seats) == 1:
        first = seats[0]
    if first is None:
        return (), []
    place = seats.index(forehand_of(first, sum(1 << seat for seat in set(out)), len(players)))
    return (*seats[place:], *seats[:place]), []


def opposite(seat: int, active: tuple[int, ...]) -> int:
    return active[(active.index(seat) + len(active) // 2) % len(active)]


def seats_with_cards(active: tuple[int, ...], contract: Contract | None, declarer: int | None) -> tuple[int, ...]:
    """Return the seats that play cards, the leader first: without the one opposite a declarer who plays on alone, so
    that the next leads if forehand has laid the hand down. 000 The Play."""
    if contract is None or contract.partner_plays or declarer not in active or declarer is None:
        return active
    return tuple(seat for seat in active if seat != opposite(declarer, active))


def place_in_trick(seat: int, trick: int, active: tuple[int, ...], leaders: tuple[int | None, ...]) -> int | None:
    """Return which card of a trick is a player's own, from 1; None if it is unknown who led, or the player sits out."""
    leader = leaders[trick - 1] if trick <= len(leaders) else active[0] if trick == 1 and active else None
    if leader not in active or seat not in active or leader is None:
        return None
    return (active.index(seat) - active.index(leader)) % len(active) + 1
