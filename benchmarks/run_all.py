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

from measured import RESULTS, keep, markdown, span

HERE, ROUND = Path(__file__).parent, RESULTS / "round"
ROW = re.compile(r"^\| `(?P<name>\w+)[^|]*\|(?P<size>[^|]*)\|", re.MULTILINE)
BY_NAME = "by name"  # the size of what is run only if it is named


def sized() -> Iterator[str]:
    """Yield the benchmarks of the table that have a size, each with its arguments."""
    for row in ROW.finditer((HERE / "README.md").read_text("utf-8")):
        if (size := row["size"].strip(" `")) != BY_NAME:
            yield f"{row['name']} {size}".rstrip()


def main() -> int:
    named, outcomes = sys.argv[1:], []
    for each in named or sized():
        script, *words = each.split()
        out = [] if named else ["--out", str(ROUND / f"{script.replace('_', '-')}.md")]
        begun = time.perf_counter()
        status = subprocess.run([sys.executable, HERE / f"{script}.py", *words, *out]).returncode
        why = "failed, or a limit is exceeded" if status else ""
        outcomes.append((f"`{each}`", span(time.perf_counter() - begun), why))
    table = markdown("benchmark | took | ", outcomes)
    keep("-" if named else str(ROUND / "README.md"), "One round of the benchmarks", (), [table])
    return int(any(why for _, _, why in outcomes))


if __name__ == "__main__":
    sys.exit(main())
