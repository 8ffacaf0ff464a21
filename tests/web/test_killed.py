"""A server that is killed while evenings are written: what was confirmed is there, once. `benchmarks/evenings.py` kills
it fifty times."""

from pathlib import Path
from random import Random

from evenings import begun, faults, killed
from support.thorough import examples


def test_confirmed_deals_outlive_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    tables, dice = begun(path, 3), Random(7)
    confirmed = sum(killed(path, tables, dice, rest=0.3) for _ in range(examples(1, 10)))
    assert confirmed > 0
    assert faults(path, tables) == []
