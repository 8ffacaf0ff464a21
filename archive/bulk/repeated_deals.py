"""Which deals of a file occur earlier in it: in the same words, under the same id, or with the same cards."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from archive.bulk import hash_table
from archive.cards import NUMBER, mask
from archive.engine import columns as c
from archive.engine.compile import Functions, compile_functions
from archive.engine.judge_rows import PRIME, write_card_keys
from archive.engine.tricks import SEATS
from archive.notation.identities import dealt_cards, is_whole, repeat_identity
from archive.record import Deal, Session

SECOND_KEY = 41  # bits of the first key
BITS = 1 << 64
COLUMNS = 4  # for each deal: its key by cards, its key by id, its line, its number


class RepeatedDeals(Struct):
    """The keys of the deals so far, with the line of each. Keys are 64 bits of what
    `archive.judge.judge_stream.repeat_findings` compares; 0 is none."""

    lines: dict[int, int] = {}

    def earlier_lines(self, first: Sequence[int], second: Sequence[int], lines: Sequence[int]) -> list[int]:
        """Return for each deal the line of an earlier one that has one of its two keys, else 0; remember the keys."""
        earlier = []
        for one, two, line in zip(first, second, lines, strict=True):
            earlier.append(self.lines.get(one, 0) or self.lines.get(two, 0))
            self.lines[one] = self.lines[two] = line
            self.lines[0] = 0
        return earlier

    def has_any(self, keys: Sequence[int]) -> bool:
        """Return whether one of some deals occurred earlier in the file; `keys` as in `Batch`."""
        return any(self.lines.get(key) for at in (0, 1) for key in keys[at::COLUMNS])

    def add(self, keys: Sequence[int]) -> None:
        """Remember deals; `keys` as in `Batch`."""
        if len(keys):
            self.earlier_lines(*(keys[at::COLUMNS] for at in range(3)))


class CompactRepeatedDeals(RepeatedDeals, kw_only=True):
    """The keys of the deals so far over arrays of NumPy (`np`), twelve bytes for each slot."""

    np: Any
    functions: Functions
    kept: Any
    values: Any
    count: int = 0

    def earlier_lines(self, first: Sequence[int], second: Sequence[int], lines: Sequence[int]) -> list[int]:
        np = self.np
        if (self.count + 2 * len(lines)) * 4 > len(self.kept) * 3:
            slots = len(self.kept) * 2
            while (self.count + 2 * len(lines)) * 2 > slots:
                slots *= 2
            kept, values = np.zeros(slots, np.int64), np.zeros(slots, np.int32)
            self.functions["rehash"](self.kept, self.values, kept, values)
            self.kept, self.values = kept, values
        met = np.zeros(len(lines), np.int64)
        given = (np.asarray(each, np.int64) for each in (first, second, lines))
        self.count += int(self.functions["lookup_and_insert"](self.kept, self.values, *given, met))
        earlier: list[int] = met.tolist()
        return earlier

    def has_any(self, keys: Sequence[int]) -> bool:
        rows = self.np.array(keys, self.np.int64).reshape(-1, COLUMNS)
        return bool(
            self.functions["has_any"](self.kept, rows[:, 0]) or self.functions["has_any"](self.kept, rows[:, 1])
        )


@cache
def table_functions() -> Functions:
    """Return the functions of a table, compiled."""
    return compile_functions((hash_table,))


def repeated_deals(fast: bool) -> RepeatedDeals:
    """Return a table without keys."""
    if not fast:
        return RepeatedDeals()
    import numpy as np

    kept, values = np.zeros(1 << 16, np.int64), np.zeros(1 << 16, np.int32)
    return CompactRepeatedDeals(np=np, functions=table_functions(), kept=kept, values=values)


def deal_keys(head: Session, deal: Deal, number: int, players: tuple[str, ...]) -> tuple[int, int]:
    """Return the keys of any record. For a whole regular deal, the first is the one that the core writes."""
    whole = regular_key(head, deal) if is_whole(deal) else None
    if whole is None:
        whole = key_of_text(repeat_identity(head, deal, number))
    return whole, key_of_id(deal.id, players)


def key_of_text(text: str) -> int:
    """Return 64 bits of a hexadecimal hash."""
    return signed_key(int(text[:16], 16))


def key_of_id(name: str | None, players: Sequence[str]) -> int:
    """Return the key of an id among these players; it holds in this process and in those that it forks."""
    return 0 if name is None else hash((name, *sorted(players))) or 1


def signed_key(key: int) -> int:
    """Return the last 64 bits of a number, as a signed number; never 0."""
    key %= BITS
    return (key - BITS if key >= BITS // 2 else key) or 1


def regular_key(head: Session, deal: Deal) -> int | None:
    """Return the key that the core gives the cards of a deal; None if it has unknown cards, an incomplete trick, or no
    hands: such a deal has another key than any that the core has judged."""
    seats, tricks, left_over = dealt_cards(head, deal)
    cards = [NUMBER.get(card, -1) for trick in tricks for card in trick]
    if -1 in cards or not (deal.hands or deal.held) or any(len(trick) != seats for trick in tricks):
        return None
    left = [mask(each) for each in left_over]
    plan, asked, facts = [0] * c.PLAN_WIDTH, [c.NONE] * c.ASKED_WIDTH, [0] * c.FACTS_WIDTH
    plan[SEATS], asked[c.A_HANDS], facts[c.TRICKS] = seats, 1, len(tricks)
    write_card_keys(plan, asked, facts, cards, left)  # forehand is seat 0
    return signed_key(facts[c.KEY] | facts[c.OTHER_KEY] << SECOND_KEY)


assert PRIME < 1 << SECOND_KEY
