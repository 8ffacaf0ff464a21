"""How many faults of the integer core are noticed: single lines of it are changed, one at a time, and deals that are
right and deals that are wrong are checked by each.

    .venv/bin/python benchmarks/core_mutants.py [--mutants 40] [--deals 20000] [--seed 1]

A mutant is noticed where a deal is told as a fault of the program (`engines-differ`), or where right deals are not all
found right. The changed core runs in plain Python, in a process of its own; nothing of the project is written.
"""

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FILES = ("engine/settlement.py", "engine/judge_rows.py", "engine/tricks.py", "engine/duties.py", "bulk/plans.py")
CHANGES = (  # of a line, the first that fits
    (r" \+ ", " - "), (r" - ", " + "), (r" >= ", " > "), (r" <= ", " < "), (r" < ", " <= "), (r" > ", " >= "),
    (r" == ", " != "), (r" != ", " == "), (r" and ", " or "), (r" or ", " and "), (r" \* ", " + "), (r"\b1\b", "2"),
)  # fmt: skip
SKIPPED = re.compile(r'^\s*(#|"""|def |class |import |from |@|assert |for |[A-Z_, ]+ = )|"""|->|: Sequence')
CHECK = """
import sys
from archive.bulk import judge
from archive.bulk.backend import PythonBackend
from archive.record import Finding, Source
judge.choose_backend = lambda fast: PythonBackend()
for name in sys.argv[1:]:
    for batch in judge.judge_blocks([open(name, "rb").read()], Source(name)):
        for judged in batch.answers.values():
            for each in judged:
                rules = [each.rule] if isinstance(each, Finding) else [one.rule for one in each[1].findings]
                wrong = not isinstance(each, Finding) and each[1].verdict != "agrees" and "right" in name
                if "engines-differ" in rules or wrong:
                    print("noticed", name.rpartition("/")[2], rules[:1])
                    sys.exit()
print("not noticed")
"""


class Mutant(NamedTuple):
    """A changed line of a file below `archive`."""

    file: str
    line: int
    before: str
    after: str


def mutants(rng: random.Random, count: int) -> list[Mutant]:
    """Return so many changes, chosen by chance among all lines that can be changed."""
    return rng.sample(list(possible_mutants()), count)


def possible_mutants() -> Iterator[Mutant]:
    for file in FILES:
        in_text = False
        for number, line in enumerate((ROOT / "archive" / file).read_text("utf-8").splitlines()):
            in_text ^= line.count('"""') == 1
            if in_text or SKIPPED.search(line):
                continue
            for pattern, other in CHANGES:
                if re.search(pattern, line):
                    yield Mutant(file, number, line, re.sub(pattern, other, line, count=1))


def write_deals(folder: Path, count: int, seed: int) -> list[Path]:
    """Write evenings of right deals, and the same with one stated amount of each deal changed."""
    sys.path.insert(0, str(ROOT))
    from archive.generate import deals, session
    from archive.notation import write_line

    covered = "asserufen bavarian bavarian-tournament bierkopf expats pub schierling sheepshead-basic short three-hand"
    names, right = covered.split(), list[bytes]()
    for place, rules in enumerate(names):
        rng, left = random.Random(seed + place), count // len(names)
        while left > 0:
            head = session(rules, date="2026-01-01", place=str(left))
            made = deals(rng, head, min(left, 40), ("points", "price", "payments", "partner", "won"))
            right += [write_line(head, each) for each in made]
            left -= 40
    wrong = [re.sub(rb'"price":(\d+)', lambda found: b'"price":%d' % (int(found[1]) + 10), each) for each in right]
    paths = [folder / "right.jsonl", folder / "wrong.jsonl"]
    for path, lines in zip(paths, (right, wrong), strict=True):
        path.write_bytes(b"\n".join(lines) + b"\n")
    return paths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=40)
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = write_deals(folder, asked.deals, asked.seed)
        for package in ("archive", "importers"):
            shutil.copytree(ROOT / package, folder / package)
        noticed = 0
        for number, each in enumerate(mutants(random.Random(asked.seed), asked.mutants), 1):
            path = folder / "archive" / each.file
            whole = path.read_text("utf-8")
            lines = whole.splitlines()
            lines[each.line] = each.after
            path.write_text("\n".join(lines) + "\n", "utf-8")
            run = [sys.executable, "-B", "-c", CHECK, *map(str, paths)]
            answer = subprocess.run(run, cwd=folder, capture_output=True, text=True, check=False)
            path.write_text(whole, "utf-8")
            told = answer.stdout.strip() or "fails: " + (answer.stderr.strip().splitlines() or ["?"])[-1]
            noticed += told != "not noticed"
            print(f"{number:3} {each.file}:{each.line + 1}  {each.after.strip()}\n      {told}", flush=True)
        print(f"{noticed} of {asked.mutants} are noticed")


if __name__ == "__main__":
    main()
