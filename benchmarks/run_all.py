"""Runs the benchmarks of README.md, or those that are named, one after another; each writes its result.

    python benchmarks/run_all.py [NAME]…

A benchmark beside another commit runs only if it is named, as "against_before REV". The exit status is 1 if a limit is
exceeded.
"""

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def names() -> list[str]:
    """Return the names of the table, with their arguments."""
    return re.findall(r"^\| `([^`]+)`", (HERE / "README.md").read_text("utf-8"), re.MULTILINE)


def main() -> int:
    exceeded = []
    for name in sys.argv[1:] or [each for each in names() if " " not in each]:
        script, *words = name.split()
        if subprocess.run([sys.executable, HERE / f"{script}.py", *words]).returncode:
            exceeded.append(name)
    print(*(f"{name}: failed, or a limit is exceeded" for name in exceeded), sep="\n", end="\n" * bool(exceeded))
    return int(bool(exceeded))


if __name__ == "__main__":
    sys.exit(main())
