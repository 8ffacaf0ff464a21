"""The integer core compiled, beside the very same functions in plain Python: how fast, and whether they agree.

    python benchmarks/core.py [--deals N] [--runs N] [--out FILE]        so many deals of each ruleset

Deals of every ruleset that the core covers are generated, with some of their results stated. Compiled and plain must
give the same row of facts for each, and call each of them clean. Then each deal is damaged in one place (a card, a
leader, the declarer, the dealer, the game, a hand, a stated value) and both are compared again: the code of every deal,
and all its findings. How fast they are is measured on the clean deals of one ruleset.
"""

import multiprocessing
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Callable, Generator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import measured
import numpy as np
from measured import Work, benchmark
from support.rulesets import load_rules

from archive.bulk.backend import choose_backend
from archive.bulk.judge import ROWS, judge_blocks
from archive.engine import columns as c
from archive.engine import tricks
from archive.generate.contract_mix import contract_mix_of
from archive.generate.evenings import evenings
from archive.record import Source
from archive.rules import bundled

BLOCK = ROWS  # deals that are compared together
CLEAN, DAMAGED, DIFFER, NOT_CLEAN = "clean deals", "damaged deals", "rows that differ", "clean ones not called so"
KINDS = {getattr(tricks, name): name.lower().replace("_", " ") for name in (
    "NOT_COVERED", "BAD_HANDS", "BAD_TRICK", "WRONG_LEADER", "NOT_IN_HAND", "DUTY_BROKEN", "NOT_FINISHED", "WENT_ON",
    "HOLD_BROKEN", "OTHER_STATED", "OTHER_DEALER", "UNDECIDED_TIE",
)} | {0: "clean"}  # fmt: skip


class Block(NamedTuple):
    """Deals as the core takes them, in arrays: its first arguments."""

    plans: Any
    asked: Any
    hands: Any
    counts: Any
    cards: Any
    leaders: Any
    begins: Any
    fresh: Any


def block(rules: str, seed: int) -> Block:
    """Return generated deals as `check` gives their lines to the core, with some of what they state; without evenings
    that have a deal which it does not get."""
    lines = [line for evening in evenings(load_rules(rules), seed, BLOCK) for line in evening.lines]
    using = choose_backend(True)
    with patch.object(using, "run", wraps=using.run) as run:
        list(judge_blocks([b"".join(line + b"\n" for line in lines)], Source(rules), None, True))
    given = Block(*run.call_args.args[: len(Block._fields)])
    sitting = np.cumsum(given.begins >= 0)
    whole = ~np.isin(sitting, sitting[~given.asked.any(axis=1)])
    given.asked[:, c.A_STATED :][np.random.default_rng(seed).random(given.asked[:, c.A_STATED :].shape) < 0.4] = c.NONE
    given.asked[:, c.A_TOTAL : c.A_TOTAL + c.MOST_SEATS] = c.NONE  # of deals before too, one of which may be skipped
    return Block(given.plans, *(each[whole] for each in given[1:-1]), given.fresh)


def damaged(given: Block, rng: Random) -> Block:
    """Return the same deals, each changed in one place."""
    damaged_block = given._replace(
        asked=given.asked.copy(), hands=given.hands.copy(), cards=given.cards.copy(), leaders=given.leaders.copy(),
        counts=given.counts.copy(),
    )  # fmt: skip
    plans = {int(plan): given.plans[plan] for plan in np.unique(given.asked[:, c.A_PLAN])}  # of this ruleset
    seats = int(next(iter(plans.values()))[tricks.SEATS])
    for at in range(len(damaged_block.asked)):
        asked, played = damaged_block.asked[at], int(damaged_block.asked[at][c.A_TRICKS]) * seats
        kind = rng.randrange(9)
        if kind < 3 and played > 1:
            one, two = rng.randrange(played), rng.randrange(played)
            damaged_block.cards[at][[one, two]] = damaged_block.cards[at][[two, one]]
        elif kind == 3:
            asked[c.A_DECLARER] = rng.randrange(-1, seats) if asked[c.A_DECLARER] >= 0 else -1
        elif kind == 4:
            parties = plans[int(asked[c.A_PLAN])][tricks.PARTIES]
            asked[c.A_PLAN] = rng.choice([n for n, plan in plans.items() if plan[tricks.PARTIES] == parties])
        elif kind == 5:
            damaged_block.hands[at][rng.randrange(seats)] ^= 1 << rng.randrange(36)
        elif kind == 6:
            asked[c.A_DEALER] = rng.randrange(seats)
        elif kind == 7:
            damaged_block.leaders[at][rng.randrange(c.MOST_TRICKS)] = rng.randrange(seats)
        else:
            place = rng.randrange(c.A_STATED, c.ASKED_WIDTH - c.MOST_TRICKS)
            others = range(seats) if place == c.A_LOSER else (c.NONE, 0, 1, 10, 61, int(asked[place]) + 1)
            asked[place] = rng.choice(others)  # of a loser, one of the table: what is read is never another
    return damaged_block


def judged(given: Block, fast: bool) -> Any:
    """Return the facts of every deal."""
    facts, judge = prepared(given if fast else lists_of(given), fast)
    judge()
    return facts


def lists_of(given: Block) -> Block:
    return Block(*(each.tolist() for each in given))


def prepared(rows: Block, fast: bool) -> tuple[Any, Callable[[], None]]:
    """Return room for the facts of every deal, and the function that fills it. A deal that is not clean is skipped, and
    leaves nothing on the table."""
    using, count = choose_backend(fast), len(rows.asked)
    facts, state, left = using.facts(count), using.array([0] * c.STATE_WIDTH), using.array([0] * c.MOST_SEATS)

    def judge() -> None:
        at = 0
        while at < count:
            at = using.run(*rows, facts, state, left, at, count) + 1
            state[c.S_DEALER] = -1  # after a skipped deal nobody knows who deals next

    return facts, judge


def compared(task: tuple[str, int]) -> tuple[str, Counter[str]]:
    """Return what was counted of a block of a ruleset, clean and damaged, compiled and plain."""
    rules, seed = task
    given = block(rules, seed)
    clean, plain = judged(given, True), np.array(judged(given, False))
    broken = damaged(given, Random(seed))
    fast, slow = judged(broken, True), np.array(judged(broken, False))
    counts = Counter(KINDS.get(kind, str(kind)) for kind in (fast[:, c.CODE] // tricks.KIND).tolist())
    counts[CLEAN] = counts[DAMAGED] = len(clean)
    counts[DIFFER] = int((clean != plain).any(axis=1).sum() + (fast != slow).any(axis=1).sum())
    undecided = clean[:, c.CODE] // tricks.KIND == tricks.UNDECIDED_TIE  # a Ramsch that nobody has lost
    counts[NOT_CLEAN] = int(((clean[:, c.CODE] != 0) & ~undecided).sum())
    return rules, counts


@benchmark("The core, compiled and plain", ("numba", "numpy"), runs=measured.RUNS, deals=1_000_000)
def report(given: Namespace, _folder: Path) -> Generator[str, None, bool]:
    deals = block("pub", 0)
    many = Block(deals.plans, *(np.concatenate([each] * 50) for each in deals[1:-1]), deals.fresh)
    works = [
        Work(name, len(rows.asked), lambda rows=rows, fast=fast: measured.once(prepared(rows, fast)[1]))
        for name, rows, fast in (("plain Python", lists_of(deals), False), ("compiled", many, True))
    ]
    plain, fast = measured.alternated(works, given.runs)
    names = [name for name in bundled() if contract_mix_of(load_rules(name))]  # whose deals are dealt in bulk
    tasks = [(name, seed) for name in names for seed in range(max(1, given.deals // BLOCK))]
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    with multiprocessing.get_context("fork").Pool() as pool:
        for name, counts in pool.imap(compared, tasks):
            sums[name] += counts
    yield from measured.table([plain, fast], "deals", plain)
    heads = (CLEAN, DAMAGED, DIFFER, NOT_CLEAN)
    yield measured.markdown(f"ruleset | {' | '.join(heads)} | the damaged ones", (
        (name, *(counts[head] for head in heads),
         ", ".join(f"{kind} {number:,}" for kind, number in counts.most_common() if kind not in heads))
        for name, counts in sums.items()
    ))  # fmt: skip
    return any(counts[DIFFER] or counts[NOT_CLEAN] for counts in sums.values())
