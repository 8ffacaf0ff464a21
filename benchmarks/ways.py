"""How long is the way of the data? The functions of ours that are entered for one thing, once everything is loaded.

    python benchmarks/ways.py                             the recorded run, in benchmarks/results/ways.md
    python benchmarks/ways.py --show "a question" --out - names them too

A function counts once, however often it is entered. The limits are of functions with a name, which a reader has to
find; Python enters lambdas and, up to 3.11, all comprehensions too, which the last column counts as well. Deals that
`check` judges by words to prove the core are a way of their own. `--show` takes a part of the name of a way. The exit
status is 1 if a way is too long.
"""

import sys
from argparse import Namespace
from collections.abc import Callable, Generator, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from measured import ROOT, markdown, run_benchmark
from msgspec import Struct
from support.rulesets import load_rules

from archive.bulk.cross_check import CrossCheck
from archive.cli.main import main as schafkopf
from archive.generate.evenings import evenings
from archive.web.app import create_app

OURS = tuple(f"{ROOT / room}/" for room in ("archive", "importers"))
PROOF = CrossCheck.prove.__code__
PAGES = {"GET /deals/1": ("/deals/1", 450), "a question": ("/stats/results_by_contract", 130), "GET /": ("/", 400)}
LINE, WORDS = 150, 400  # the longest ways


class Way(Struct, frozen=True):
    """The functions that are entered for one thing, and how many there should be at most; None: no limit."""

    name: str
    functions: frozenset[CodeType]
    limit: int | None = None

    @property
    def named(self) -> int:
        return sum(not code.co_name.startswith("<") for code in self.functions)

    @property
    def is_too_long(self) -> bool:
        return self.limit is not None and self.named > self.limit


def entered(do: Callable[[], object], proofs: bool) -> Iterator[CodeType]:
    """Yield our functions that are entered when something is done for the third time: those that belong to a proof by
    words, or all others."""
    calls: list[tuple[CodeType, bool]] = []
    proving = 0

    def note(frame: FrameType, event: str, _value: Any) -> None:
        nonlocal proving
        proving += frame.f_code is PROOF and event == "call"
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            calls.append((frame.f_code, proving > 0))
        proving -= frame.f_code is PROOF and event == "return"

    do()
    do()
    sys.setprofile(note)
    try:
        do()
    finally:
        sys.setprofile(None)
    return (code for code, proves in calls if proves == proofs)


def ways(folder: Path) -> Iterator[Way]:
    """Yield the ways of a line and of pages."""
    lines, spaced = folder / "line.jsonl", folder / "spaced.jsonl"
    line = canonical_line()
    lines.write_bytes(line)
    spaced.write_bytes(line.replace(b'":', b'": '))
    yield way("check, one canonical line", command("check", lines), LINE)
    yield way("what proves it by words", command("check", lines), None, proofs=True)
    yield way("check, the same not canonical: by words", command("check", spaced), WORDS)
    db = folder / "samples.db"
    command("import", "--db", db, ROOT / "sample_games" / "valid")()
    client = create_app(db).test_client()
    for name, (address, limit) in PAGES.items():
        yield way(name, partial(client.get, address), limit)


def canonical_line() -> bytes:
    """Return a deal that agrees, as a line."""
    return next(evenings(load_rules("bavarian"), 7, 8)).lines[0] + b"\n"


def way(name: str, do: Callable[[], object], limit: int | None, proofs: bool = False) -> Way:
    return Way(name, frozenset(entered(do, proofs)), limit)


def command(*words: str | Path) -> Callable[[], None]:
    """Return a command in this process, which prints nothing."""

    def run() -> None:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            schafkopf.main([*map(str, words)], standalone_mode=False)

    return run


def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    every = list(ways(folder))
    yield markdown("way | functions | at most | with comprehensions and lambdas", (
        (way.name, way.named, way.limit, len(way.functions)) for way in every
    ))  # fmt: skip
    for way in every if given.show else ():
        places = ((Path(each.co_filename).relative_to(ROOT), each.co_firstlineno, each.co_qualname)
                  for each in way.functions if given.show in way.name)  # fmt: skip
        yield from (f"    {path}:{line} {name}" for path, line, name in sorted(places))
    return any(way.is_too_long for way in every)


if __name__ == "__main__":
    run_benchmark(report, "The ways of the data", ["flask"], show="")
