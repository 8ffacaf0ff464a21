"""`schafkopf check` on a large file, beside PokerKit, which reads and replays its own records.

    python benchmarks/check.py                            two minutes
    python benchmarks/check.py --deals 1000000 --games 300 --runs 9          the recorded run: half an hour

The files take about 0.8 kB a deal in the folder for temporary files.

Each work is a process of its own from its start to its end, or in PokerKit's case a loop over records that are in
memory. The deals are generated, with every result stated; one file is clean, in the other one deal in a hundred states
a wrong result. PokerKit's records are hands of No-Limit Texas Hold'em for six, played at random and written by
PokerKit; it reads each and goes through its states.
"""

import random
import re
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from measured import COMMAND, Work, alternated, benchmark, schafkopf, table, write_deals

PLAIN = "import sys; sys.modules['numba'] = None; " + COMMAND
ONE = "import os; os.sched_getaffinity = lambda _: {0}; " + COMMAND
FEWER, SLOW = 10, 50  # so many times fewer deals with differences, and without numba


def with_wrong_points(lines: list[bytes]) -> Iterator[bytes]:
    """Yield lines; in one of a hundred the declarer's side is stated one card point more than it has."""
    for number, line in enumerate(lines, 1):
        yield line if number % 100 else re.sub(rb'(?<="stated":{"points":)\d+', lambda n: b"%d" % (int(n[0]) + 1), line)


def hands(wanted: int) -> list[str]:
    """Return hands played at random, as PokerKit writes them."""
    from pokerkit import Automation, HandHistory, NoLimitTexasHoldem

    random.seed(1)
    game = NoLimitTexasHoldem(tuple(Automation), True, 0, (1, 2), 2)
    texts = list[str]()
    while len(texts) < wanted:
        state = game((200,) * 6, 6)
        while state.status:
            if random.random() < 0.1 and state.can_complete_bet_or_raise_to():
                state.complete_bet_or_raise_to(state.min_completion_betting_or_raising_to_amount)
            elif random.random() < 0.25 and state.can_fold():
                state.fold()
            else:
                state.check_or_call()
        texts.append(HandHistory.from_game_state(game, state).dumps())
    return texts


def replayed(records: Sequence[str]) -> None:
    from pokerkit import HandHistory

    for text in records:
        for _ in HandHistory.loads(text):
            pass


@benchmark("Checking files", ("msgspec", "numba", "numpy", "pokerkit"), runs=7, deals=200_000, games=60, rules="pub")
def report(given: Namespace, folder: Path) -> Iterator[str]:
    records = hands(given.games)
    clean, broken, few = (folder / name for name in ("clean.jsonl", "broken.jsonl", "few.jsonl"))
    for path, times in ((clean, 1), (broken, FEWER), (few, SLOW)):
        write_deals(path, given.deals // times, "--rules", given.rules)
    broken.write_bytes(b"".join(with_wrong_points(broken.read_bytes().splitlines(keepends=True))))
    works = (
        Work("PokerKit", len(records), lambda: replayed(records)),
        Work("`schafkopf check`, clean", given.deals, lambda: schafkopf("check", clean).seconds),
        Work("the same, one process", given.deals, lambda: schafkopf("check", clean, program=ONE).seconds),
        Work("one deal in a hundred differs", given.deals // FEWER, lambda: schafkopf("check", broken).seconds),
        Work("without numba, clean", given.deals // SLOW, lambda: schafkopf("check", few, program=PLAIN).seconds),
    )
    timed = alternated(works, given.runs)
    actions = sum(text.count("'") // 2 for text in records) / len(records)
    yield f"A deal is a line of {clean.stat().st_size / given.deals:.0f} bytes under `{given.rules}`; a hand of"
    yield f"PokerKit has {actions:.0f} actions.\n"
    yield from table(timed, "games", timed[0])
