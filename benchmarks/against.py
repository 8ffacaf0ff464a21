"""Replaying and judging random deals by this checkout beside another one, ruleset by ruleset, in processor time.

    python benchmarks/against.py TREE [--rules R,R] [--deals N] [--runs N] [--out FILE]

TREE is a checkout of another state (`git worktree add TREE COMMIT`). Each of the two has a process of its own, which
reads the same JSON lines once and is then asked in turns; a ratio is how many times as fast this checkout is.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

import measured
from msgspec import Struct

from archive.generate import deals, session
from archive.notation import write_line

DEALS = 600
RULES = "bavarian,pub,palatinate,bauernstoss,expats,three-hand"
WORKS = ("replay", "judgement")
# The program of both processes says where its code lies; then for each line `PATH WORK` on standard input the seconds
# and the verdicts.
PROGRAM = """
import archive, gc, sys, time
from collections import Counter
from pathlib import Path
from archive.notation import read_lines
from archive.play.replay import replay
from archive.record import Deal, Session, Source
try:
    from archive.judge.judge_deal import judge_session, rules_of
except ImportError:
    from archive.audit.judge import judge_session, rules_of

print(archive.__file__, flush=True)
read = {}
for line in sys.stdin:
    path, work = line.split()
    if path not in read:
        items = list(read_lines(Path(path).read_bytes(), Source("against.jsonl")))
        head = next(item for item in items if isinstance(item, Session))
        read = {path: (head, rules_of(head)[0], [item for item in items if isinstance(item, Deal)])}
    head, ruleset, records = read[path]
    verdicts = Counter()
    gc.collect()
    begun = time.process_time()
    if work == "replay":
        for deal in records:
            replay(deal, head.players, ruleset, None)
    else:
        for judgement in judge_session(head, records):
            verdicts[judgement.verdict] += 1
    print(time.process_time() - begun, sorted(verdicts.items()), flush=True)
"""


class Judge(Struct):
    """A process that judges by the code of a checkout; its verdicts of the last run."""

    process: "subprocess.Popen[str]"
    verdicts: str = ""

    def run(self, path: Path, work: str) -> float:
        """The processor seconds of one run. Raises SystemExit where the process has ended."""
        assert self.process.stdin
        assert self.process.stdout
        print(path, work, file=self.process.stdin, flush=True)
        seconds, _, self.verdicts = self.process.stdout.readline().partition(" ")
        if not seconds:
            raise SystemExit("a process has ended")
        return float(seconds)


def start(tree: Path) -> Judge:
    """A process that judges by the code of the checkout `tree`. Raises SystemExit where it would run other code."""
    command, env = [sys.executable, "-P", "-c", PROGRAM], os.environ | {"PYTHONPATH": str(tree)}
    process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    if not Path(process.stdout.readline().strip()).is_relative_to(tree):
        raise SystemExit(f"{tree} is no checkout of this program")
    return Judge(process)


def main() -> None:
    options = measured.arguments(__doc__, "against", deals=DEALS, rules=RULES)
    options.add_argument("tree", type=Path, help="a checkout of another state")
    given = options.parse_args()
    judges = {"this": start(measured.ROOT), "other": start(given.tree.resolve())}
    rows, unlike = [], Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for rules in given.rules.split(","):
            path, head = Path(folder) / f"{rules}.jsonl", session(rules)
            path.write_bytes(b"".join(write_line(head, deal) + b"\n" for deal in deals(Random(1), head, given.deals)))
            for work in WORKS:
                rounds = [
                    {name: judge.run(path, work) for name, judge in judges.items()} for _ in range(given.runs + 1)
                ]
                unlike[rules] += judges["this"].verdicts != judges["other"].verdicts
                times = [statistics.median(times_of[name] for times_of in rounds[1:]) / given.deals for name in judges]
                times_as_fast = statistics.median(times_of["other"] / times_of["this"] for times_of in rounds[1:])
                rows.append([f"{rules}, {work}", *map(measured.span, reversed(times)), measured.figure(times_as_fast)])
    for judge in judges.values():
        judge.process.terminate()
    lines = [
        f"{given.deals:,} deals a ruleset, medians of {given.runs} runs in turns, processor time of a deal.\n",
        measured.markdown(" | other | this | times as fast", rows),
        f"Rulesets whose verdicts are counted otherwise: {unlike.total()}.",
    ]
    measured.kept(given.out, "The scalar judge against another checkout", __file__, ["msgspec"], lines)


if __name__ == "__main__":
    main()
