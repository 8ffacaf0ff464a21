"""Klopfen: the cutter knocks, and says how the cards are dealt. 001 Other Variants: Klopfen."""

import re

from msgspec import Struct

from archive.play.messages import both
from archive.play.types import Scene
from archive.record import Deal, Finding, finding
from archive.say import Message, message

KNOCK = re.compile(r"(?P<who>.+?) (?:knocks|klopft)(?P<how>(?: *, *(?:\d{1,2} *[x×] *\d{1,2}|left|right))*)", re.I)
PACKETS = re.compile(r"(\d+) *[x×] *(\d+)", re.I)
SPOKEN_OF = re.compile("knock|klopf", re.I)


class Cut(Struct, frozen=True):
    """The cutter's knock: the pack is dealt in so many packets of so many cards, where that is recorded."""

    seat: int
    packets: tuple[tuple[int, int], ...]


def cut_of(deal: Deal, players: tuple[str, ...]) -> Cut | None:
    """The knock that the key `cut` tells of: `Ben knocks, 2x4, left`. None where it tells of none."""
    read = KNOCK.fullmatch((deal.cut or "").strip())
    if not read:
        return None
    seats = (*players, *(f"Seat{seat}" for seat in range(1, len(players) + 1)))
    if read["who"] not in seats:
        return None
    packets = tuple((int(count), int(size)) for count, size in PACKETS.findall(read["how"]))
    return Cut(seats.index(read["who"]) % len(players), packets)


def cutter(dealer: int, players: int) -> int:
    """Who cuts sits before the dealer, in play or not."""
    return (dealer - 1) % players


def check_cut(scene: Scene) -> list[Finding]:
    """A knock when cutting that the house does not allow, and one that cannot be read."""
    deal, players, dealer = scene.deal, scene.players, scene.dealer
    cut = cut_of(deal, players)
    if cut is None:
        mentions = deal.cut is not None and SPOKEN_OF.search(deal.cut)
        return [finding("cut-not-read", deal.source, text=deal.cut)] if mentions else []
    why: Message | None = None
    if not scene.ruleset.house.klopfen:
        why = message("play.cutter-knocks-not")
    elif dealer is not None and cut.seat != cutter(dealer, len(players)):
        why = message("play.cuts", cutter=players[cutter(dealer, len(players))], dealer=players[dealer])
    elif cut.packets and sum(count * cards for count, cards in cut.packets) != scene.size:
        packets = both(message("play.packet", count=count, cards=cards) for count, cards in cut.packets)
        why = message("play.packets", packets=packets, size=scene.size)
    return [finding("cutter-knock-not-allowed", deal.source, player=players[cut.seat], why=why)] if why else []
