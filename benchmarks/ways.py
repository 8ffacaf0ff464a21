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

from measured import ROOT, benchmark, markdown
from support.rulesets import load_rules

from archive.bulk.cross_check import CrossCheck
from archive.cli.main import main as schafkopf
from archive.generate.evenings import evenings
from archive.web.app import create_app

OURS = tuple(f"{ROOT / room}/" for room in ("archive", "importers"))
PROOF = CrossCheck.prove.__code__
PAGES = {"GET /deals/1": ("/deals/1", 450), "a question": ("/stats/results_by_contract", 130), "GET /": ("/", 400)}
LINE, WORDS = 150, 400  # the longest ways


def entered(do: Callable[[], object], proofs: bool = False) -> frozenset[CodeType]:
    """Return our functions that are entered when something is done for the third time: those that belong to a proof by
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
    return frozenset(code for code, proves in calls if proves == proofs)


def ways(folder: Path) -> Iterator[tuple[str, frozenset[CodeType], int | None]]:
    """Yield the ways of a line and of pages: the functions of each, and how many there should be at most."""
    lines, spaced, db = (folder / name for name in ("line.jsonl", "spaced.jsonl", "samples.db"))
    line = next(evenings(load_rules("bavarian"), 7, 8)).lines[0] + b"\n"  # a deal that agrees
    lines.write_bytes(line)
    spaced.write_bytes(line.replace(b'":', b'": '))
    yield "check, one canonical line", entered(command("check", lines)), LINE
    yield "what proves it by words", entered(command("check", lines), proofs=True), None
    yield "check, the same not canonical: by words", entered(command("check", spaced)), WORDS
    command("import", "--db", db, ROOT / "sample_games" / "valid")()
    client = create_app(db).test_client()
    for name, (address, limit) in PAGES.items():
        yield name, entered(partial(client.get, address)), limit


def command(*words: str | Path) -> Callable[[], None]:
    """Return a command in this process, which prints nothing."""

    def run() -> None:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            schafkopf.main([*map(str, words)], standalone_mode=False)

    return run


@benchmark("The ways of the data", ["flask"], show="")
def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    every = list(ways(folder))
    named = [sum(not code.co_name.startswith("<") for code in functions) for _, functions, _ in every]
    yield markdown("way | functions | at most | with comprehensions and lambdas", (
        (name, count, limit, len(functions)) for count, (name, functions, limit) in zip(named, every, strict=True)
    ))  # fmt: skip
    shown = {code for name, functions, _ in every if given.show and given.show in name for code in functions}
    places = sorted((Path(each.co_filename).relative_to(ROOT), each.co_firstlineno, each.co_qualname) for each in shown)
    yield from (f"    {path}:{line} {name}" for path, line, name in places)
    return any(limit and count > limit for count, (_, _, limit) in zip(named, every, strict=True))
