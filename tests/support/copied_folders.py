"""Folders that many tests start from: filled once in a process, then copied."""

import shutil
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from sqlite3 import connect
from tempfile import TemporaryDirectory


@cache
def _filled(fill: Callable[[Path], object]) -> TemporaryDirectory[str]:
    filled = TemporaryDirectory()
    fill(Path(filled.name))
    for path in Path(filled.name).rglob("*.db"):
        with closing(connect(path)) as conn:  # a command leaves its archive open, and what it wrote beside it
            conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return filled


def copy_filled(fill: Callable[[Path], object], folder: Path) -> None:
    """Fill a folder as `fill` does, whose archives are whole without the files beside them."""
    shutil.copytree(_filled(fill).name, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*-wal", "*-shm"))
