"""The core in bulk: compiled over arrays if numba is installed and wanted, otherwise plain over lists."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from archive.bulk.repeated_deals import SECOND_KEY, signed_key
from archive.bulk.session_heads import PlanRegistry
from archive.engine import columns as c
from archive.engine import duties, judge_rows
from archive.engine import settlement as settle_core
from archive.engine import tricks as play_core
from archive.engine.compile import compile_functions, has_compiler

PRIME = 1_000_003  # by which columns are mixed into one number
# The parts of the form of a deal: its outcome, more values, and signs of others.
OUTCOME = c.WON, c.SCHNEIDER, c.SCHWARZ, c.RUNNERS_PAID
FORM = *OUTCOME, c.UNDECIDED, c.MARCH, c.MULTIPLIER, c.KNOCKS, c.DOUBLES, c.TRICKS
SIGNS = c.POT, c.STAKE, c.VIRGINS, c.RUNNERS, c.PARTNER, c.LOSER, c.BEFORE + c.S_STOCK, c.BEFORE + c.S_HAUSBOCK
MODULES = (duties, play_core, settle_core, judge_rows)


class PythonBackend:
    """Lists of lists, and the functions as they are written."""

    fast = False

    def __init__(self) -> None:
        self.known: tuple[PlanRegistry, int, Any] = (PlanRegistry(), 0, None)
        self.run: Callable[..., int] = judge_rows.judge_run

    def plans(self, plans: PlanRegistry) -> Any:
        """Return the rows of all plans so far."""
        if self.known[0] is not plans or self.known[1] != len(plans.rows):
            self.known = plans, len(plans.rows), self.array(plans.rows)
        return self.known[2]

    def array(self, values: Sequence[Any]) -> Any:
        """Return a row, or rows."""
        return list(values)

    def input_rows(self, flat: list[int], count: int) -> Any:
        return [flat[at : at + c.ASKED_WIDTH] for at in range(0, count * c.ASKED_WIDTH, c.ASKED_WIDTH)]

    def facts(self, count: int) -> Any:
        return [[c.NONE] * c.FACTS_WIDTH for _ in range(count)]

    def lists(self, facts: Any) -> list[list[int]]:
        """Return the rows as lists, which are read faster value by value."""
        rows: list[list[int]] = facts
        return rows

    def column(self, facts: Any, place: int) -> list[int]:
        return [row[place] for row in facts]

    def keys(self, facts: Any) -> list[int]:
        """Return the keys of the cards of some rows, 0 if they have none."""
        pairs = ((row[c.KEY], row[c.OTHER_KEY]) for row in facts)
        return [0 if key == c.NONE else signed_key(key | other << SECOND_KEY) for key, other in pairs]

    def forms(self, facts: Any, rows: Sequence[int], kinds: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
        """Yield the first rows of each form, as numbers: for each kind of game (`kinds`, by plan) and its outcome, for
        the form of any game, and for the form of a game of each plan."""
        outcome, values = itemgetter(*OUTCOME), itemgetter(*FORM)
        ways: tuple[dict[int, int], ...] = ({}, {}, {})
        for row in rows:
            fact = facts[row]
            plan, form = fact[c.PLAN], hash((values(fact), *[(fact[at] > 0) - (fact[at] < 0) for at in SIGNS]))
            for way, each in zip(ways, ((kinds[plan], outcome(fact)), (form,), (form, plan)), strict=True):
                way.setdefault(hash(each), row)
        for way in ways:
            yield [(row, form) for form, row in way.items()]


class NumbaBackend(PythonBackend):
    """NumPy arrays, and the same functions compiled."""

    fast = True

    def __init__(self) -> None:
        import numpy

        super().__init__()
        self.np = numpy
        self.functions = compile_functions(MODULES)
        self.run = self.functions["judge_run"]

    def array(self, values: Sequence[Any]) -> Any:
        return self.np.array(values, self.np.int64)

    def input_rows(self, flat: list[int], count: int) -> Any:
        return self.np.array(flat, self.np.int64).reshape(count, c.ASKED_WIDTH)

    def facts(self, count: int) -> Any:
        return self.np.full((count, c.FACTS_WIDTH), c.NONE, self.np.int64)

    def lists(self, facts: Any) -> list[list[int]]:
        rows: list[list[int]] = facts.tolist()
        return rows

    def column(self, facts: Any, place: int) -> list[int]:
        values: list[int] = facts[:, place].tolist()
        return values

    def keys(self, facts: Any) -> list[int]:
        keys = facts[:, c.KEY] | facts[:, c.OTHER_KEY] << SECOND_KEY
        keys[keys == 0] = 1
        keys[facts[:, c.KEY] == c.NONE] = 0
        numbers: list[int] = keys.tolist()
        return numbers

    def forms(self, facts: Any, rows: Sequence[int], kinds: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
        np = self.np
        at = np.asarray(rows)
        plan, form, kind = facts[at, c.PLAN], np.full(len(at), 1, np.int64), np.asarray(kinds, np.int64)
        kind = kind[plan]
        for place in OUTCOME:
            kind = kind * PRIME + facts[at, place]
        for place in FORM:
            form = form * PRIME + facts[at, place]
        for place in SIGNS:
            form = form * PRIME + np.sign(facts[at, place])
        for own in (kind * PRIME + 2, form, (form * PRIME + plan) * PRIME + 1):
            forms, first = np.unique(own, return_index=True)
            order = np.argsort(first)
            yield list(zip(at[first[order]].tolist(), forms[order].tolist(), strict=True))


@cache
def choose_backend(fast: bool) -> PythonBackend:
    """Return the compiled engine if it is wanted and available, otherwise the plain one."""
    try:
        return NumbaBackend() if fast and has_compiler() else PythonBackend()
    except (ImportError, SystemError):  # a numba that does not fit this Python or this NumPy
        return PythonBackend()
