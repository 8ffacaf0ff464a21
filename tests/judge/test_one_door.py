"""Judging has one door: nobody above it chooses how deals are judged, or knows the integer core."""

from pathlib import Path

from support.floors_examples import MODULES, faults, imported
from support.paths import ROOT

# What only the door, what is behind it, and the floors below may import.
ENGINE = ("archive.bulk", "archive.engine")
BELOW = ("archive.play", "archive.settle", "archive.engine", "archive.bulk")
DOOR = "archive.judge.door"
# The writer of an import takes the columns of the core, and random deals are dealt over integers.
COLUMNS = ("archive.store.bulk", "archive.generate")
SEARCH = "archive.analysis"  # its search over open cards is a loop over the integers; it judges nothing
CHOICES = ("worth_compiling", "judged_blocks", "judge_parts", "has_compiler")


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


ABOVE = [path for path in MODULES if not dotted(path).startswith((*BELOW, DOOR, SEARCH))]


def test_nothing_above_the_door_knows_the_core() -> None:
    readers = [path for path in ABOVE if not dotted(path).startswith(COLUMNS)]
    assert faults(lambda path: (name for name in imported(path) if name.startswith(ENGINE)), readers) == {}


def test_nobody_else_decides_how_deals_are_judged() -> None:
    assert faults(lambda path: {name.rpartition(".")[2] for name in imported(path)} & {*CHOICES}, ABOVE) == {}
