"""`schafkopf check` on a large file, beside PokerKit, which reads and replays its own records.

    python benchmarks/check.py [--deals N] [--games N] [--rules R] [--runs N] [--out FILE]

The files take about 0.8 kB a deal in the folder for temporary files.

Each work is a process of its own from its start to its end, or in PokerKit's case a loop over records that are in
memory. The deals are generated, every result of them stated; one file is clean, in the other one deal in a hundred
states another result. PokerKit's records are hands of No-Limit Texas Hold'em for six, played by chance and written by
PokerKit; it reads each and goes through its states.
"""

import os
import sys
import tempfile
import warnings
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random

import measured
from measured import Work

from archive.generate.evenings import evenings
from archive.rules import load

DEALS, GAMES = 1_000_000, 300
PACKAGES = ("msgspec", "numba", "numpy", "pokerkit")
COMMAND = "from archive.cli import main; main()"
PLAIN = "import sys; sys.modules['numba'] = sys.modules['duckdb'] = None; " + COMMAND
ONE = "import os; os.sched_getaffinity = lambda _: {0}; " + COMMAND


def main() -> None:
    options = measured.arguments(__doc__, "check")
    options.add_argument("--deals", type=int, default=DEALS, help=f"deals of a file ({DEALS:,})")
    options.add_argument("--games", type=int, default=GAMES, help=f"games of PokerKit ({GAMES})")
    options.add_argument("--rules", default="pub", help="the ruleset of the deals (pub)")
    given = options.parse_args()
    records = hands(Random(1), given.games)
    with tempfile.TemporaryDirectory() as folder:
        clean, broken, few = (Path(folder, name) for name in ("clean.jsonl", "broken.jsonl", "few.jsonl"))
        write(clean, given.rules, given.deals, 0)
        write(broken, given.rules, given.deals // 10, 100)
        write(few, given.rules, given.deals // 10, 0)
        works = (
            Work("PokerKit", len(records), lambda: replayed(records)),
            Work("`schafkopf check`, clean", given.deals, lambda: checked(COMMAND, clean)),
            Work("the same, one process", given.deals, lambda: checked(ONE, clean)),
            Work("one deal in a hundred differs", given.deals // 10, lambda: checked(COMMAND, broken)),
            Work("without numba, clean", given.deals // 10, lambda: checked(PLAIN, few)),
        )
        found = measured.alternated(works, given.runs)
        size = clean.stat().st_size / given.deals
    actions = sum(text.count("'") // 2 for text in records) / len(records)
    lines = (
        f"A deal is a line of {size:.0f} bytes under `{given.rules}`; a hand of PokerKit has {actions:.0f} actions.\n",
        *measured.table(found, "games", found[0]),
    )
    measured.kept(given.out, "Checking files", __file__, PACKAGES, lines)


def write(path: Path, rules: str, deals: int, every: int) -> None:
    """A file of generated deals; in each of so many the declarer's side is stated one card point more than it has."""
    ruleset, findings = load(rules)
    assert ruleset, findings
    number = count(1)
    with path.open("wb") as out:
        for evening in evenings(ruleset, 1, deals):
            for line in evening.lines:
                if every and next(number) % every == 0:
                    before, key, after = line.partition(b'"stated":{"points":')
                    points = after[: len(after) - len(after.lstrip(b"0123456789"))]
                    line = before + key + b"%d" % (int(points) + 1) + after[len(points) :] if points else line
                out.write(line + b"\n")


def checked(program: str, path: Path) -> float:
    env = os.environ | {"PYTHONPATH": str(measured.ROOT)}
    found = measured.ran([sys.executable, "-c", program, "check", path], env)
    assert found.status in (0, 1), found  # 1: deals that differ, or that chance has dealt twice
    return found.seconds


# --- PokerKit ---------------------------------------------------------------------------------------------------------


def hands(rng: Random, wanted: int) -> list[str]:
    """Hands played by chance, as PokerKit writes them."""
    from pokerkit import Automation, Deck, HandHistory, NoLimitTexasHoldem

    by_itself = {
        Automation.ANTE_POSTING, Automation.BET_COLLECTION, Automation.BLIND_OR_STRADDLE_POSTING,
        Automation.CARD_BURNING, Automation.HOLE_CARDS_SHOWING_OR_MUCKING, Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING, Automation.CHIPS_PULLING,
    }  # fmt: skip
    game = NoLimitTexasHoldem(tuple(by_itself), True, 0, (1, 2), 2)
    found = []
    warnings.simplefilter("ignore")  # that cards are dealt from our own pack
    while len(found) < wanted:
        state = game((200,) * 6, 6)
        pack = [repr(card) for card in Deck.STANDARD]
        rng.shuffle(pack)
        while state.status:
            if state.can_deal_hole():
                state.deal_hole(pack.pop() + pack.pop())
            elif state.can_deal_board():
                state.deal_board("".join(pack.pop() for _ in range(1 if state.board_cards else 3)))
            elif rng.random() < 0.1 and state.can_complete_bet_or_raise_to():
                state.complete_bet_or_raise_to(state.min_completion_betting_or_raising_to_amount)
            elif rng.random() < 0.25 and state.can_fold():
                state.fold()
            else:
                state.check_or_call()
        found.append(HandHistory.from_game_state(game, state).dumps())
    return found


def replayed(records: Sequence[str]) -> None:
    from pokerkit import HandHistory

    for text in records:
        for _ in HandHistory.loads(text):
            pass


if __name__ == "__main__":
    main()
