"""Both answers for a deal compared: that of the core, and that of the explaining replay.

Some of the deals that the core found clean are also judged by words, chosen by their content: first those whose form
has not occurred before, by kind of game, by any game and by their own game in turn, then others; so that a fault of the
core shows in the first deals that it gets wrong. A difference is a fault of the program, and a finding says so.
"""

from collections.abc import Sequence
from itertools import chain, zip_longest

from msgspec import Struct
from msgspec.structs import replace

from archive.bulk.batch import Batch
from archive.bulk.clean_deals import clean_judgement, with_settlement
from archive.bulk.session_heads import PlanRegistry
from archive.engine import columns as c
from archive.engine.tricks import BAD_HANDS, ENDS, HOLD_BROKEN, KIND, OTHER_STATED, PARTIES
from archive.judge.compare_answers import accuse_program, difference
from archive.judge.types import Judgement

# Clean deals of which one is read anew from its line and judged by words, is replayed by words, is settled by words,
# beside the plain core and the compiled one, where more takes more than some 3 % of the time of judging.
ONE_OF = (500, 500, 500), (4_000, 2_000, 500)
FIRST = 4  # deals at the beginning of a file
ACCUSED = (*range(BAD_HANDS, HOLD_BROKEN + 1), OTHER_STATED)  # kinds of codes that say that a deal is not clean
READINGS = (
    PARTIES, ENDS, c.P_GOAL, c.P_TIE, c.P_TOUT, c.P_BONUSES, c.P_OVER_RUNNERS, c.P_OVER_ALL, c.P_STOCK_WON,
    c.P_STOCK_RAKED, c.P_HAUSBOCK, c.P_VIRGIN, c.P_VIRGIN_IS, c.P_TIMES_SCHNEIDER, c.P_TIMES_SCHWARZ,
    c.P_EACH_PAYS_EACH,
)  # fmt: skip
AMOUNTS = c.P_CAP, c.P_STOCK_CAP, c.P_FEE, c.P_MARCH, c.P_BONUS_UNDER, c.P_RUNNERS_MOST, c.P_STAKES_MOST, c.P_LIST


class CrossCheck(Struct):
    """The deals of a file that were judged both ways: their forms, and how many they are."""

    one_of: tuple[int, int, int]
    forms: set[int] = set()  # of deals so far
    plans: PlanRegistry | None = None
    kinds: list[int] = []  # of the plans
    clean: int = 0
    batches: int = 0

    def prove(self, batch: Batch) -> None:
        """Judge some clean rows of a batch by words too. A row with another result is no longer clean."""
        every = range(len(batch.code))
        rows = [row for row in every if batch.code[row] == 0] if any(batch.code) else every
        if not rows:
            return
        anew, replayed, count = self._numbers(len(rows))
        for place, row in enumerate(self._choose(batch, rows, count)):
            fast = clean_judgement(batch, row, batch.engine.lists(batch.facts[row : row + 1])[0])
            if place < replayed:
                words = batch.judgement(row, None if place < anew else fast.deal)
            else:  # settled by words, as the core replayed it
                words = replace(with_settlement(fast), replay=fast.replay)
            if other := difference(fast, words):
                batch.accuse(row, accuse_program(batch.judgement(row), other))
        batch.proved += count

    def _numbers(self, clean: int) -> tuple[int, int, int]:
        """Return how many of so many more clean rows are read anew, are replayed, and are settled by words, each among
        the next."""
        before, self.clean = self.clean, self.clean + clean
        anew, replayed, settled = (self.clean // each - before // each for each in self.one_of)
        anew = min(clean, max(1 if before else FIRST, anew))
        replayed = min(clean, max(anew, replayed))
        return anew, replayed, min(clean, max(replayed, settled))

    def _choose(self, batch: Batch, rows: Sequence[int], count: int) -> list[int]:
        """Return so many rows: first those of new forms, for each kind of form in turn, then others evenly."""
        if self.plans is not batch.plans:
            self.plans, self.kinds = batch.plans, []
        self.kinds += [kind_of(plan) for plan in batch.plans.rows[len(self.kinds) :]]
        self.batches += 1
        among = rows[self.batches % 4 :: 4] if batch.engine.fast and self.batches > 1 else rows  # a quarter in turn
        ways = batch.engine.forms(batch.facts, among or rows, self.kinds)
        new = (((row, form) for row, form in forms if form not in self.forms) for forms in ways)
        chosen: dict[int, None] = {}
        for row, form in filter(None, chain.from_iterable(zip_longest(*new))):
            if len(chosen) == count:
                break
            chosen[row] = None
            self.forms.add(form)
        if len(chosen) < count:
            chosen |= dict.fromkeys(rows[:: max(1, len(rows) // count)])
        return list(chosen)[:count]


def kind_of(plan: Sequence[int]) -> int:
    """Return the kind of a game, at any table: the readings of its plan, and which of the amounts it has that are not
    common to all."""
    return hash((*[plan[place] for place in READINGS], *[plan[place] > 0 for place in AMOUNTS])) & 0xFFFFFFFF


def accused_wrongly(code: int, judgement: Judgement) -> bool:
    """Return whether the core found something wrong with a deal that is right by words."""
    return code > 0 and code // KIND in ACCUSED and judgement.verdict == "agrees" and not judgement.findings
