"""The integer core compiled, beside the very same functions in plain Python: how fast, and whether they agree.

    python benchmarks/core.py [--deals N] [--runs N] [--out FILE]        so many deals of each ruleset

Deals of every ruleset that the core covers are dealt and played at random, with some of their results stated. Compiled
and plain must give the same row of facts for each, and call each of them clean. Then each deal is damaged in one place
(a card, a leader, the declarer, the dealer, the game, a hand, a stated value) and both are compared again: the code of
every deal, and all its findings. How fast they are is measured on the clean deals of one ruleset.
"""

import multiprocessing
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import measured
import numpy as np
from measured import Work
from support.rulesets import load_rules

from archive.bulk.backend import choose_backend
from archive.bulk.ledger_row import ledger_row
from archive.engine import columns as c
from archive.engine import tricks
from archive.generate.bulk import deal, shuffle_packs
from archive.generate.contract_mix import ContractMix, contract_mix_of
from archive.generate.plan import Evening
from archive.judge.judge_deal import initial_state
from archive.record import Session
from archive.rules import Ruleset, bundled

TIMED = 2_000  # deals
BLOCK, EVENING = 5_000, 40  # deals that are compared together, and of a session
PACKAGES = ("numba", "numpy")
NAMES = ("Anna", "Ben", "Cem", "Dora")
KINDS = {
    tricks.NOT_COVERED: "not covered", tricks.BAD_HANDS: "hands", tricks.BAD_TRICK: "a trick",
    tricks.WRONG_LEADER: "a leader", tricks.NOT_IN_HAND: "not in hand",
    tricks.DUTY_BROKEN: "a duty", tricks.NOT_FINISHED: "not finished",
    tricks.WENT_ON: "went on", tricks.HOLD_BROKEN: "the declarer's hand", tricks.OTHER_STATED: "a stated value",
    tricks.OTHER_DEALER: "the dealer", tricks.UNDECIDED_TIE: "a tie", 0: "clean",
}  # fmt: skip


class Block(NamedTuple):
    """Deals as the core takes them, in arrays."""

    plans: Any
    asked: Any
    hands: Any
    counts: Any
    cards: Any
    leaders: Any
    begins: Any
    fresh: Any


class Compared(NamedTuple):
    """How many clean and damaged deals were compared, how many rows differ, how many clean ones were not called clean,
    and what stopped the damaged ones."""

    clean: int
    damaged: int
    differ: int
    not_clean: int
    codes: Counter[int]


def main() -> None:
    given = measured.arguments(__doc__, "core", deals=1_000_000).parse_args()
    plain, fast = timed(TIMED, given.runs)
    tasks = [(name, seed) for name in covered() for seed in range(max(1, given.deals // BLOCK))]
    sums: dict[str, Compared] = {}
    with multiprocessing.get_context("fork").Pool() as pool:
        for name, result in pool.imap(compared, tasks):
            before = sums.get(name, Compared(0, 0, 0, 0, Counter()))
            sums[name] = Compared(*(one + other for one, other in zip(before, result, strict=True)))
    lines = [*measured.table([plain, fast], "deals", plain), "", *table_of(sums)]
    measured.kept(given.out, "The core, compiled and plain", __file__, PACKAGES, lines)
    assert not any(each.differ or each.not_clean for each in sums.values())


def table_of(sums: dict[str, Compared]) -> Iterator[str]:
    yield "| ruleset | clean deals | damaged deals | rows that differ | clean ones not called so | the damaged ones |"
    yield "|---|--:|--:|--:|--:|---|"
    for name, each in sums.items():
        codes = ", ".join(f"{KINDS.get(kind, kind)} {number:,}" for kind, number in each.codes.most_common())
        yield f"| {name} | {each.clean:,} | {each.damaged:,} | {each.differ} | {each.not_clean} | {codes} |"


def covered() -> list[str]:
    """Return the bundled rulesets whose deals can be dealt in bulk."""
    return [name for name in bundled() if contract_mix_of(load_rules(name))]


# --- deals ------------------------------------------------------------------------------------------------------------


def block(ruleset: Ruleset, menu: ContractMix, seed: int, count: int) -> Block:
    """Return deals dealt and played at random, with nothing stated."""
    using, rng = choose_backend(True), Random(f"{ruleset.id} {seed}")
    head = Session(players=NAMES[: ruleset.house.seats], rules=ruleset.id)
    length = min(EVENING, ruleset.house.list or EVENING)
    lengths = [min(length, count - first) for first in range(0, count, length)]
    sittings = [Evening(number, head, deals, rng, deals) for number, deals in enumerate(lengths)]
    plans = using.array([plan.row or () for plan in menu.plans])
    cards = shuffle_packs(ruleset, menu, sittings, using)
    deal(using, plans, cards, 0, count)
    knocks = [rng.choice((0, 0, 1, 2)) for _ in range(count)]
    cards.asked[:, c.A_KNOCKS], cards.asked[:, c.A_DOUBLES] = knocks, 0
    seats, size = ruleset.house.seats, int(plans[0][tricks.SIZE])
    counts = np.zeros((count, c.MOST_SEATS), np.int64)
    counts[:, :seats] = size
    begins = np.where(np.arange(count) % length == 0, 0, -1)
    fresh = ledger_row(initial_state(head).table, seats)
    assert fresh
    leaders = np.full((count, c.MOST_TRICKS), -1, np.int64)
    return Block(plans, cards.asked, cards.hands, counts, cards.cards, leaders, begins, using.array([fresh]))


def stated(given: Block, facts: Any, rng: Random) -> None:
    """State some results of each deal as they are, and the leaders."""
    pairs = (
        (c.A_POINTS, c.SIDE_POINTS), (c.A_TRICKS_WON, c.SIDE_TRICKS), (c.A_WON, c.WON), (c.A_SCHNEIDER, c.SCHNEIDER),
        (c.A_SCHWARZ, c.SCHWARZ), (c.A_RUNNERS, c.RUNNERS), (c.A_PRICE, c.PRICE), (c.A_LOSER, c.LOSER),
        (c.A_PARTNER_STATED, c.PARTNER), (c.A_VIRGIN_SEATS, c.VIRGINS),
        *((c.A_PAYMENT + seat, c.PAYMENT + seat) for seat in range(c.MOST_SEATS)),
        *((c.A_WINNER + trick, c.TAKER + trick) for trick in range(c.MOST_TRICKS)),
    )  # fmt: skip
    clean = facts[:, c.CODE] == 0
    for asked, row in pairs:
        chosen = clean & (np.array([rng.random() for _ in clean]) < 0.6)
        given.asked[chosen, asked] = facts[chosen, row]
    given.asked[clean, c.A_WINNERS] = facts[clean, c.TRICKS]
    given.asked[clean, c.A_WINNER : c.A_WINNER + c.MOST_TRICKS] = facts[clean, c.TAKER : c.TAKER + c.MOST_TRICKS]
    led = facts[:, c.LEADER : c.LEADER + c.MOST_TRICKS]
    given.leaders[clean] = np.where(led[clean] == c.NONE, -1, led[clean])


def damaged(given: Block, rng: Random) -> Block:
    """Return the same deals, each changed in one place."""
    damaged_block = given._replace(
        asked=given.asked.copy(), hands=given.hands.copy(), cards=given.cards.copy(), leaders=given.leaders.copy(),
        counts=given.counts.copy(),
    )  # fmt: skip
    seats = int(given.plans[0][tricks.SEATS])
    for at in range(len(damaged_block.asked)):
        asked, played = damaged_block.asked[at], int(damaged_block.asked[at][c.A_TRICKS]) * seats
        kind = rng.randrange(9)
        if kind < 3 and played > 1:
            one, two = rng.randrange(played), rng.randrange(played)
            damaged_block.cards[at][[one, two]] = damaged_block.cards[at][[two, one]]
        elif kind == 3:
            asked[c.A_DECLARER] = rng.randrange(-1, seats) if asked[c.A_DECLARER] >= 0 else -1
        elif kind == 4:
            own = damaged_block.plans[asked[c.A_PLAN]]
            same = [n for n, plan in enumerate(damaged_block.plans) if (plan[tricks.PARTIES] == own[tricks.PARTIES])]
            asked[c.A_PLAN] = rng.choice(same)
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


# --- judged -----------------------------------------------------------------------------------------------------------


def judged(given: Block, fast: bool) -> Any:
    """Return the facts of every deal; one that is not clean is skipped, and leaves nothing on the table."""
    using = choose_backend(fast)
    count = len(given.asked)
    facts = using.facts(count)
    rows = given if fast else Block(*(each.tolist() for each in given))
    state, left = using.array([0] * c.STATE_WIDTH), using.array([0] * c.MOST_SEATS)
    at = 0
    while at < count:
        at = using.run(*rows, facts, state, left, at, count) + 1
        state[c.S_DEALER] = -1  # after a skipped deal nobody knows who deals next
    return facts


def compared(task: tuple[str, int]) -> tuple[str, Compared]:
    """Return a block of a ruleset, clean and damaged, compiled and plain."""
    name, seed = task
    ruleset = load_rules(name)
    menu, rng = contract_mix_of(ruleset), Random(seed)
    assert menu
    given = block(ruleset, menu, seed, BLOCK)
    stated(given, judged(given, True), rng)
    clean, plain = judged(given, True), np.array(judged(given, False))
    differ = int((clean != plain).any(axis=1).sum())
    not_clean = Counter((clean[:, c.CODE] // tricks.KIND).tolist())
    not_clean.pop(tricks.UNDECIDED_TIE, None)  # a Ramsch that nobody has lost
    broken = damaged(given, rng)
    fast, slow = judged(broken, True), np.array(judged(broken, False))
    differ += int((fast != slow).any(axis=1).sum())
    codes = Counter((fast[:, c.CODE] // tricks.KIND).tolist())
    return name, Compared(BLOCK, BLOCK, differ, sum(not_clean.values()) - not_clean[0], codes)


def timed(count: int, runs: int) -> tuple[measured.Timed, measured.Timed]:
    """Return the times of plain and of compiled code on the same deals; their input is prepared before."""
    ruleset = load_rules("pub")
    menu = contract_mix_of(ruleset)
    assert menu
    given = block(ruleset, menu, 0, count)
    stated(given, judged(given, True), Random(1))
    lists = Block(*(each.tolist() for each in given))
    many = Block(given.plans, *(np.concatenate([each] * 50) for each in given[1:7]), given.fresh)

    def run(rows: Block, fast: bool) -> float:
        using, deals = choose_backend(fast), len(rows.asked)
        facts, state, left = using.facts(deals), using.array([0] * c.STATE_WIDTH), using.array([0] * c.MOST_SEATS)
        at = 0

        def whole() -> None:
            nonlocal at
            while at < deals:
                at = using.run(*rows, facts, state, left, at, deals) + 1

        return measured.once(whole)

    works = (
        Work("plain Python", count, lambda: run(lists, False)),
        Work("compiled", len(many.asked), lambda: run(many, True)),
    )
    plain, fast = measured.alternated(works, runs)
    return plain, fast


if __name__ == "__main__":
    main()
