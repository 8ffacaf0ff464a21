"""Runs the benchmarks of README.md, each as long as its row says, or those that are named, one after another; each
writes its result.

    python benchmarks/run_all.py                            every row that has a size, in less than an hour
    python benchmarks/run_all.py start "check --deals 1000"

The exit status is 1 if a limit is exceeded, or a benchmark fails.
"""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from measured import span

HERE = Path(__file__).parent
ROW = re.compile(r"^\| `(?P<name>\w+)[^|]*\|(?P<size>[^|]*)\|", re.MULTILINE)
BY_NAME = "by name"  # the size of what is run only if it is named


def sized() -> Iterator[str]:
    """Yield the benchmarks of the table that have a size, each with its arguments."""
    for row in ROW.finditer((HERE / "README.md").read_text("utf-8")):
        if (size := row["size"].strip(" `")) != BY_NAME:
            yield f"{row['name']} {size}".strip()


def main() -> int:
    outcomes = []
    for each in sys.argv[1:] or sized():
        script, *words = each.split()
        begun = time.perf_counter()
        status = subprocess.run([sys.executable, HERE / f"{script}.py", *words]).returncode
        outcomes.append((each, time.perf_counter() - begun, "" if not status else ": failed, or a limit is exceeded"))
    print(*(f"{each}: {span(seconds)}{why}" for each, seconds, why in outcomes), sep="\n")
    return int(any(why for _, _, why in outcomes))


if __name__ == "__main__":
    sys.exit(main())
