"""The core as it is used in bulk: compiled over arrays where numba is installed and wanted, else plain over lists."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from archive.audit.bulk import strings
from archive.audit.bulk.known import SECOND_KEY, signed
from archive.cards import RANKS, SUITS
from archive.play import core as play_core
from archive.play import duties
from archive.play.compiling import compiled, has_compiler
from archive.settle import columns as c
from archive.settle import core as settle_core
from archive.settle import fold

MODULES = (duties, play_core, settle_core, fold)


class Plain:
    """Lists of lists, and the functions as they are written."""

    fast = False

    def row(self, values: Sequence[int]) -> Any:
        return list(values)

    def rows(self, values: Sequence[Sequence[int]]) -> Any:
        return list(values)

    def asked(self, flat: list[int], count: int) -> Any:
        return [flat[at : at + c.ASKED_WIDTH] for at in range(0, count * c.ASKED_WIDTH, c.ASKED_WIDTH)]

    def facts(self, count: int) -> Any:
        return [[c.NONE] * c.FACTS_WIDTH for _ in range(count)]

    def column(self, facts: Any, place: int) -> list[int]:
        return [row[place] for row in facts]

    def keys(self, facts: Any) -> list[int]:
        """The keys of the cards of some rows, 0 where they have none."""
        pairs = ((row[c.KEY], row[c.OTHER_KEY]) for row in facts)
        return [0 if key == c.NONE else signed(key | other << SECOND_KEY) for key, other in pairs]

    def read(self, deals: Any, head: Sequence[int], labels: Sequence[Sequence[str]], asked: Any) -> Any:
        """Hands, numbers of cards, cards and leaders of every deal, and which deals are wrong."""
        named = [{f"{label}: ": seat for seat, label in enumerate(each)} for each in labels]
        found = [
            strings.read_one(deal.hands, deal.tricks, named[of], len(labels[of])) if deal else None
            for deal, of in zip(deals, head, strict=True)
        ]
        nothing: Any = ([0] * 4, [0] * 4, [], [])
        hands, counts, cards, said = ([(each or nothing)[part] for each in found] for part in range(4))
        return hands, counts, cards, said, [each is None for each in found]

    def run(self, *given: Any) -> int:
        return fold.judge_run(*given)


class Fast(Plain):
    """NumPy arrays, and the same functions compiled."""

    fast = True

    def __init__(self) -> None:
        import numpy

        self.np = numpy
        self.functions = compiled(MODULES)
        self.strings = compiled((strings,))
        self.suits, self.ranks = (numpy.full(256, -1, numpy.int64) for _ in range(2))
        for table, letters in ((self.suits, SUITS), (self.ranks, RANKS)):
            for place, letter in enumerate(letters):
                table[ord(letter)] = place

    def row(self, values: Sequence[int]) -> Any:
        return self.np.array(values, self.np.int64)

    def rows(self, values: Sequence[Sequence[int]]) -> Any:
        return self.np.array(values, self.np.int64)

    def asked(self, flat: list[int], count: int) -> Any:
        return self.np.array(flat, self.np.int64).reshape(count, c.ASKED_WIDTH)

    def facts(self, count: int) -> Any:
        return self.np.full((count, c.FACTS_WIDTH), c.NONE, self.np.int64)

    def column(self, facts: Any, place: int) -> list[int]:
        found: list[int] = facts[:, place].tolist()
        return found

    def keys(self, facts: Any) -> list[int]:
        keys = facts[:, c.KEY] | facts[:, c.OTHER_KEY] << SECOND_KEY
        keys[keys == 0] = 1
        keys[facts[:, c.KEY] == c.NONE] = 0
        found: list[int] = keys.tolist()
        return found

    def read(self, deals: Any, head: Sequence[int], labels: Sequence[Sequence[str]], asked: Any) -> Any:
        np, count = self.np, len(head)
        parts: list[str] = []
        for deal in deals:
            if deal and deal.hands:
                parts += deal.hands
            if deal and deal.tricks:
                parts += deal.tricks
        text = np.frombuffer("\n".join([*parts, ""]).encode() + b"\n\n\n\n", np.uint8)
        said_by = [f"{label}: ".encode() for each in labels for label in each]
        ends = np.cumsum([0, *map(len, said_by)])
        starts = np.zeros((max(1, len(labels)), c.MOST_SEATS + 1), np.int64)
        done = 0
        for of, each in enumerate(labels):
            starts[of, : len(each) + 1] = ends[done : done + len(each) + 1]
            done += len(each)
        hands, counts = np.zeros((count, c.MOST_SEATS), np.int64), np.zeros((count, c.MOST_SEATS), np.int64)
        cards, said = np.zeros((count, c.MOST_CARDS), np.int64), np.full((count, c.MOST_TRICKS), -1, np.int64)
        wrong = np.zeros(count, np.int64)
        self.strings["read_all"](
            text, self.suits, self.ranks, asked, np.array([len(each) for each in labels] or [0], np.int64),
            np.maximum(np.array(head, np.int64), 0), np.frombuffer(b"".join(said_by) or b" ", np.uint8), starts,
            hands, counts, cards, said, wrong,
        )  # fmt: skip
        return hands, counts, cards, said, wrong.tolist()

    def run(self, *given: Any) -> int:
        return int(self.functions["judge_run"](*given))


@cache
def engine(fast: bool) -> Plain:
    """The compiled engine where that is wanted and can be had."""
    try:
        return Fast() if fast and has_compiler() else Plain()
    except (ImportError, SystemError):  # a numba that does not go with this Python, or this NumPy
        return Plain()
