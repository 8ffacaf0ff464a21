"""Deals that the core judged, judged by words as well: a fault of the core that gives what a wrong sheet says would be
seen nowhere else. Compared are one clean deal in `EVERY`, those first whose kind is new; each deal whose settlement is
wanted line by line; and each that the core refuses and the words find in order."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from archive.bulk.batch import Batch
from archive.bulk.clean_deals import clean_judgement, with_lines
from archive.engine import columns as c
from archive.engine.tricks import (
    BAD_TRICK,
    DUTY_BROKEN,
    HOLD_BROKEN,
    KIND,
    NOT_IN_HAND,
    OTHER_DEALER,
    OTHER_STATED,
    WRONG_LEADER,
)
from archive.judge.types import Judgement
from archive.record import finding
from archive.say import Message, message

EVERY = 500  # clean deals, of which one is compared
KINDS = (  # columns by which deals are of one kind
    c.PLAN, c.WON, c.SCHNEIDER, c.SCHWARZ, c.RUNNERS_PAID, c.MULTIPLIER, c.UNDECIDED, c.VIRGINS, c.MARCH, c.POT,
)  # fmt: skip
ACCUSING = (BAD_TRICK, WRONG_LEADER, NOT_IN_HAND, DUTY_BROKEN, HOLD_BROKEN, OTHER_STATED, OTHER_DEALER)  # a record
COMPARED = ("won", "undecided", "side_points", "schneider", "schwarz", "runners", "price", "payments", "pot")


class Sample:
    """Which clean deals of a file are compared: one in `EVERY`, those first whose kind was not met before."""

    def __init__(self) -> None:
        self.met: set[int] = set()
        self.clean = self.compared = 0

    def rows(self, batch: Batch) -> Iterator[int]:
        """Return the rows of a batch to compare, at least the first of a file."""
        clean = [row for row, code in enumerate(batch.code) if not code]
        if not clean:
            return
        kinds = batch.engine.kinds(batch.facts, KINDS)
        self.clean += len(clean)
        room = 1 + self.clean // EVERY - self.compared
        first_of = {kinds[row]: row for row in reversed(clean)}
        fresh = [row for kind, row in first_of.items() if kind not in self.met]
        chosen = [*fresh, *clean[:: max(1, len(clean) // max(1, room))]][: max(0, room)]
        self.met.update(kinds[row] for row in chosen)
        self.compared += len(chosen)
        yield from sorted(set(chosen))


def difference(by_core: Judgement, by_words: Judgement) -> tuple[str, Any, Any] | None:
    """Return the first thing in which two judgements of one deal differ, with both values; None where there is none."""
    one, other = by_core.settlement, by_words.settlement
    pairs: dict[str, tuple[Any, Any]] = {"verdict": (by_core.verdict, by_words.verdict)}
    if one and other:
        pairs |= {key: (getattr(one, key), getattr(other, key)) for key in COMPARED}
    if by_core.replay and by_words.replay:
        pairs |= {key: (getattr(by_core.replay, key), getattr(by_words.replay, key)) for key in ("sides", "tricks_won")}
    pairs["state"] = (by_core.after, by_words.after)
    return next(((key, *both) for key, both in pairs.items() if both[0] != both[1]), None)


def clean_judgements(batch: Batch, lines: bool) -> Iterator[Judgement]:
    """Return the judgements of all clean rows; `lines`: with those of their settlements, which come from the words and
    are compared with what the core has."""
    for row, facts in enumerate(batch.engine.lists(batch.facts)):
        if batch.code[row] == 0:
            by_core = clean_judgement(batch, row, facts)
            by_words = with_lines(by_core) if lines else by_core
            unlike = difference(by_core, by_words) if lines else None
            yield with_fault(batch.judgement(row), *unlike) if unlike else by_words


def compared(batch: Batch, row: int) -> Judgement | None:
    """Return the judgement by words of a clean row with the finding that the core's is another; None where both are
    the same."""
    by_words = batch.judgement(row)
    by_core = clean_judgement(batch, row, [int(value) for value in batch.facts[row]])
    unlike = difference(by_core, by_words)
    return None if unlike is None else with_fault(by_words, *unlike)


def with_fault(by_words: Judgement, key: str, core: Any, words: Any) -> Judgement:
    """Return a judgement by words with the finding that the core has another value."""
    fault = finding("engines-differ", by_words.recorded.source, key=key, core=shown(core), words=shown(words))
    return replace(by_words, findings=(fault, *by_words.findings))


def refused_in_order(judgement: Judgement, code: int) -> Judgement:
    """Return the judgement of a deal that the core refused, with a finding where the words find it in order."""
    in_order = judgement.verdict == "agrees" and not judgement.findings
    if code // KIND not in ACCUSING or not in_order:
        return judgement
    return with_fault(judgement, "verdict", message("judge.engine-refuses", code=code), judgement.verdict)


def shown(value: Any) -> str | int | Message:
    """Return a value as a fact of a finding."""
    return value if isinstance(value, str | int | Message) and not isinstance(value, bool) else str(value)
