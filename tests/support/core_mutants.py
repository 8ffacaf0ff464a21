"""Single-line changes to the core, and what notices each of them.

Each change is made in a copy of the program, which then judges right deals of all the rulesets that the core covers and
wrong ones, in parts as `check` has them, up to the first that it notices; with the core as it is written, which needs
no compiling. A change is noticed by

- `fault`: a deal says that the program contradicts itself (`program-fault`);
- `verdict`: a right deal does not agree any more, which a reader sees; so for functions that the core and the words
  share, which cannot contradict each other;
- `expected`: more of the wrong deals agree than before, as nobody but this list of wrong deals can tell: rules that are
  written once, for the core and the words.

A thorough run of `tests/bulk/test_cross_check.py` makes all of them over 20,000 right and as many wrong deals.
"""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
HOUSES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("asserufen", {}), ("bavarian", {}), ("bavarian-tournament", {}), ("bierkopf", {}), ("expats", {}), ("pub", {}),
    ("schierling", {}), ("sheepshead-basic", {}), ("short", {}), ("three-hand", {}), ("langendorf", {}),
    ("pub", {"cap": 60, "cap_of": "player"}), ("bavarian", {"runners_most": 3}), ("pub", {"point": 10}),
)  # fmt: skip
STATED = "points points_against tricks winners won partner schneider schwarz runners price payments totals".split()


class Mutant(NamedTuple):
    """A line of a module of `archive`, and its replacement."""

    path: str
    line: str
    other: str


MUTANTS = tuple(
    Mutant(path, line, other)
    for path, pairs in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
    for line, other in pairs
)

# --- the deals --------------------------------------------------------------------------------------------------------


def write(right: Path, wrong: Path, deals: int, changed: int) -> None:
    """Write files of right deals and of wrong ones, in evenings of the houses that the core covers, in turn."""
    rng = Random(1)
    with right.open("wb") as good, wrong.open("wb") as bad:
        done = spoilt = 0
        for line in lines(rng):
            if done < deals:
                good.write(line + b"\n")
                done += 1
            elif spoilt < changed:
                if other := wrongly(rng, line):
                    bad.write(other + b"\n")
                    spoilt += 1
            else:
                return


def lines(rng: Random) -> Iterator[bytes]:
    """Yield deals of generated evenings without an end, each of which states some of its results."""
    from archive.generate import deals, session
    from archive.notation import write_line

    number = 0
    while True:
        for rules, house in HOUSES:
            number += 1
            date = f"20{number // 336 % 90 + 10}-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}"
            head = session(rules, house or None, date=date)
            stated = [key for key in STATED if rng.random() < (0.6 if number % 3 else 0)]
            for each in deals(rng, head, 20, stated):
                yield write_line(head, each)


def wrongly(rng: Random, line: bytes) -> bytes | None:
    """Return the deal with one thing wrong in it; None if it has nothing that could be."""
    deal = json.loads(line)
    stated, tricks = deal.get("stated") or {}, deal.get("tricks") or []
    kinds = [key for key in ("points", "price", "runners", "payments", "winners", "schneider", "won") if key in stated]
    kind = rng.choice([*kinds, "swapped"] if len(tricks) > 3 else kinds or [""])
    if kind in ("points", "price", "runners"):
        stated[kind] += 1
    elif kind in ("schneider", "won"):
        stated[kind] = not stated[kind]
    elif kind == "payments":
        stated[kind][0] += 10
    elif kind == "winners":
        stated[kind] = [*stated[kind][1:], stated[kind][0]]
    elif kind == "swapped":  # a player plays the cards of two tricks the other way round
        swap_cards(rng, tricks)
    else:
        return None
    other = json.dumps(deal, ensure_ascii=False, separators=(",", ":")).encode()
    return None if other == line else other


def swap_cards(rng: Random, tricks: list[str]) -> None:
    """Exchange what one player plays in two tricks, as far as the names of the leaders show the player."""
    one, two = rng.sample(range(len(tricks)), 2)
    (led, _, first), (then, _, second) = (tricks[at].rpartition(": ") for at in (one, two))
    mine, theirs, place = first.split(" "), second.split(" "), rng.randrange(3)
    mine[place], theirs[place] = theirs[place], mine[place]
    tricks[one] = f"{led}: {' '.join(mine)}" if led else " ".join(mine)
    tricks[two] = f"{then}: {' '.join(theirs)}" if then else " ".join(theirs)


# --- the program, changed ---------------------------------------------------------------------------------------------


def noticed(mutant: Mutant, folder: Path, right: Path, wrong: Path, agreeing: int) -> dict[str, Any]:
    """Return what a change is noticed by, and after how many deals; also how many of the changed deals agree without
    it."""
    root = folder / "changed"
    (root / "archive").mkdir(parents=True)
    for path in (*(ROOT / "archive").iterdir(), ROOT / "importers", ROOT / "templates"):
        place = root / path.relative_to(ROOT)
        if path.name in ("engine", "bulk"):
            shutil.copytree(path, place, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            place.symlink_to(path)
    module = root / "archive" / mutant.path
    text = module.read_text("utf-8")
    if text.count(mutant.line + "\n") < 1:
        sys.exit(f"{mutant.path} has no line {mutant.line}")
    module.write_text(text.replace(mutant.line + "\n", mutant.other + "\n", 1), "utf-8")
    try:
        after = outcome(root, right, wrong)
        return after if after["noticed"] or after["agreeing"] <= agreeing else after | {"noticed": "expected"}
    finally:
        shutil.rmtree(root)


def outcome(root: Path, right: Path, wrong: Path) -> dict[str, Any]:
    """Return the outcome of `judge` in the program in a folder; one that breaks is noticed."""
    program = (sys.executable, __file__, str(right), str(wrong))
    run = subprocess.run(
        program, env=os.environ | {"PYTHONPATH": str(root)}, capture_output=True, text=True, check=False
    )
    if run.returncode:
        return {"noticed": f"broken: {run.stderr.strip().splitlines()[-1]}", "deals": 0, "agreeing": 0}
    return json.loads(run.stdout)


def judge(right: Path, wrong: Path) -> dict[str, Any]:
    """Judge right deals, then wrong ones, part by part. Return what anything is noticed by, and after how many
    deals."""
    from archive.bulk import judge_blocks
    from archive.judge.door import faults_of, handed_over
    from archive.judge.types import Judgement
    from archive.record import Source

    done = agreeing = 0
    for path in (right, wrong):
        for batch in judge_blocks([path.read_bytes()], Source(path.name), None, False):
            judged = handed_over(batch)
            done += len(batch.code)
            if any(faults_of(judged)):
                return {"noticed": "fault", "deals": done, "agreeing": agreeing}
            verdicts = Counter(each.verdict for each in judged if isinstance(each, Judgement))
            if path == right and verdicts["differs"] + verdicts["unplayable"]:
                return {"noticed": "verdict", "deals": done, "agreeing": agreeing}
            if path == wrong:
                agreeing += batch.code.count(0) + verdicts["agrees"]
    return {"noticed": "", "deals": done, "agreeing": agreeing}


if __name__ == "__main__":  # in the changed program
    print(json.dumps(judge(*map(Path, sys.argv[1:]))))
