"""Which deals of a file stand in it before: in the same words, under the same id, or with the same cards."""

from msgspec.structs import replace

from archive.audit.bulk.heads import Head
from archive.audit.bulk.quick import Quick
from archive.cards import NUMBER
from archive.notation import is_whole, play_identity, write_line
from archive.notation.lines import forehand
from archive.record import Deal, Session
from archive.settle.columns import NONE
from archive.settle.fold import FIRST, PRIME, SECOND, mixed

Key = int | str
SECOND_KEY = 41  # bits of the first


class Known:
    """The keys of the deals so far, with the line of each."""

    def __init__(self) -> None:
        self.lines: dict[Key, int] = {}
        self.new: list[int] = []  # 64 bits of each key of the batch under way

    def fresh(self) -> list[int]:
        """The list that the keys of another batch go to."""
        self.new = []
        return self.new

    def met(self, keys: list[Key], line: int) -> int | None:
        """The line of an earlier deal that has one of these keys, None where there is none; remembers them."""
        found = next((self.lines[key] for key in keys if key in self.lines), None)
        for key in keys:
            self.lines[key] = line
            self.new.append(hash(key))
        return found


def keys_of(head: Session, deal: Deal, number: int, players: tuple[str, ...]) -> list[Key]:
    """The keys of any record. Of a whole deal that is regular they are those that the core writes."""
    line = write_line(head, replace(deal, no=number, correction=None, ruling=None))
    keys: list[Key] = [key_of_line(line)]
    keys += [f"{deal.id} {sorted(players)}"] if deal.id is not None else []
    if is_whole(deal):
        whole = regular_key(head, deal)
        keys.append((play_identity(head, deal) or "") if whole is None else whole)
    return keys


def key_of_line(line: bytes) -> int:
    """The key of a canonical line with its number: what `identity` hashes."""
    return hash(line) & 0xFFFF_FFFF_FFFF_FFFF | 1 << 96


def quick_keys(head: Head, deal: Quick, raw: bytes, number: int, key: int, other: int) -> list[Key]:
    """The keys of a clean deal."""
    if deal.no is None:
        cut = len(head.prefix)
        raw = b'%s,"no":%d%s' % (raw[:cut], number, raw[cut:])
    keys: list[Key] = [key_of_line(raw)]
    if deal.id is not None:
        keys.append(f"{deal.id} {sorted(head.players)}")
    if key != NONE:
        keys.append(key | other << SECOND_KEY)
    return keys


def regular_key(head: Session, deal: Deal) -> int | None:
    """The key that the core gives the cards of a deal; None where it has cards that nobody knows, or a trick that is
    not whole, or no hands: such a deal has another key than any that the core has judged."""
    hands, tricks = deal.hands or deal.held or (), deal.tricks or ()
    players = len(deal.players or head.players)
    out = deal.sits_out or ()
    seats = [seat for seat in range(players) if seat not in out]
    cards = [NUMBER.get(card, -1) for trick in tricks for card in trick.cards]
    if -1 in cards or not hands or any(len(trick.cards) != len(seats) for trick in tricks):
        return None
    first = forehand(deal, len(seats) + len(out))
    around = [seat for seat in seats if seat >= first] + [seat for seat in seats if seat < first]
    values, played = _grouped(cards), set(cards)
    for seat in around:
        held = {NUMBER[card] for card in hands[seat] or () if card in NUMBER} - played
        left = sum(1 << card for card in held)
        values += [left & 0x3FFFF, left >> 18]
    key = other = len(seats) * 64 + len(tricks)
    for value in values:
        key, other = mixed(key, value, FIRST), mixed(other, value, SECOND)
    return key | other << SECOND_KEY


def _grouped(cards: list[int]) -> list[int]:
    """The cards four by four, and those that are left over, as the core mixes them in."""
    found, group = [], 0
    for at, card in enumerate(cards):
        group = group * 64 + card
        if at % 4 == 3:
            found.append(group)
            group = 0
    return [*found, group]


assert PRIME < 1 << SECOND_KEY
