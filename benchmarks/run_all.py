"""Runs the benchmarks of README.md one after another, each as long as its row says, in less than an hour. Their results
are in `results/round/`, and beside them how long each took.

    python benchmarks/run_all.py
    python benchmarks/run_all.py start "check --deals 1000"           only these, as given, in `results/`

The exit status is 1 if a limit is exceeded, or a benchmark fails.
"""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from measured import RESULTS, kept, markdown, span

HERE, ROUND = Path(__file__).parent, RESULTS / "round"
ROW = re.compile(r"^\| `(?P<name>\w+)[^|]*\|(?P<size>[^|]*)\|", re.MULTILINE)
BY_NAME = "by name"  # the size of what is run only if it is named


def sized() -> Iterator[str]:
    """Yield the benchmarks of the table that have a size, each with its arguments."""
    for row in ROW.finditer((HERE / "README.md").read_text("utf-8")):
        if (size := row["size"].strip(" `")) != BY_NAME:
            out = ROUND / f"{row['name'].replace('_', '-')}.md"
            yield f"{row['name']} {size} --out {out}"


def main() -> int:
    outcomes = []
    for each in sys.argv[1:] or sized():
        script, *words = each.split()
        begun = time.perf_counter()
        status = subprocess.run([sys.executable, HERE / f"{script}.py", *words]).returncode
        took, why = span(time.perf_counter() - begun), "failed, or a limit is exceeded" if status else ""
        outcomes.append((f"`{each.partition(' --out')[0]}`", took, why))
    out = "-" if sys.argv[1:] else str(ROUND / "README.md")
    kept(out, "One round of the benchmarks", __file__, (), [markdown("benchmark | took | ", outcomes)])
    return int(any(why for _, _, why in outcomes))


if __name__ == "__main__":
    sys.exit(main())
