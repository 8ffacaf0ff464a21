"""What the core is given of canonical lines, read as structs, word by word."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from archive.audit.bulk.asking import asked_of
from archive.audit.bulk.heads import Head
from archive.audit.bulk.quick import Quick, decoded
from archive.audit.bulk.strings import read_one
from archive.settle import columns as c

NOTHING_ASKED = (0,) * c.ASKED_WIDTH
NOTHING_READ: Any = ([0] * c.MOST_SEATS, [0] * c.MOST_SEATS, [], [])


class Given(NamedTuple):
    """Some lines as the core is given them, a row each."""

    asked: Any
    hands: Any
    counts: Any
    cards: Any
    leaders: Any
    covered: list[int]  # whether the core is to judge a row
    numbers: list[int]  # the number of the deal, NONE where none is recorded
    ids: dict[int, str]  # the id of a row, where it has one
    deals: list[Quick | None]  # as they were read, where they were read as structs; else none


def body_of(raw: bytes, head: Head) -> bytes:
    """A line without its head."""
    return b"{" + raw[len(head.prefix) + 1 :]


def read_words(raw: Sequence[bytes], heads: Sequence[Head], head: Sequence[int]) -> Given:
    """Reads lines as structs; `head` is of each the place of its head, -1 where it has none."""
    asked, read = [NOTHING_ASKED] * len(raw), [NOTHING_READ] * len(raw)
    numbers, covered, ids = [c.NONE] * len(raw), [0] * len(raw), {}
    rows = [row for row, of in enumerate(head) if of >= 0]
    deals: list[Quick | None] = [None] * len(raw)
    bodies = [body_of(raw[row], heads[head[row]]) for row in rows]
    for row, deal in zip(rows, decoded(bodies) if bodies else (), strict=True):
        deals[row] = deal
        found = one_of(deal, heads[head[row]]) if deal else None
        if deal and found:
            covered[row] = 1
            asked[row], read[row] = found
            if deal.no is not None:
                numbers[row] = deal.no
            if deal.id is not None:
                ids[row] = deal.id
    hands, counts, cards, leaders = ([each[part] for each in read] for part in range(4))
    return Given(asked, hands, counts, cards, leaders, covered, numbers, ids, deals)


def one_of(deal: Quick, head: Head) -> tuple[tuple[int, ...], Any] | None:
    """What is asked for a deal, and its hands, counts, cards and leaders; None where it is not covered."""
    asked = asked_of(deal, head)
    read = read_one(deal.hands, deal.tricks, head.leaders, len(head.labels)) if asked else None
    return (asked, read) if asked and read else None
