"""How long is the way of the data? The functions of ours that are entered for one thing, once everything is loaded.

    python benchmarks/ways.py                             the recorded run, in benchmarks/results/ways.md
    python benchmarks/ways.py --show "a question" --out - names them too

A function counts once, however often it is entered. The limits are of functions with a name, which a reader has to
find; Python enters lambdas and, up to 3.11, all comprehensions too, which the last column counts as well. Deals that
`check` judges by words to prove the core are a way of their own. A deal comes back if a call passes it, or a part of
it, to a module that it had left. The exit status is 1 if a way is too long.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from itertools import groupby
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from measured import ROOT, arguments, folder_for_files, kept, markdown
from msgspec import Struct
from support.rulesets import load_rules

from archive.bulk.cross_check import CrossCheck
from archive.cli.main import main as schafkopf
from archive.generate.evenings import evenings
from archive.judge import judge_deal, judge_stream
from archive.record import Source
from archive.web.app import create_app
from importers import record_lines

OURS = tuple(f"{ROOT / room}/" for room in ("archive", "importers"))
PROOF = CrossCheck.prove.__code__
PAGES = {"GET /deals/1": ("/deals/1", 450), "a question": ("/stats/results_by_contract", 130), "GET /": ("/", 400)}
LINE, WORDS, RETURNS = 150, 400, 20  # the longest ways


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


def entered(do: Callable[[], object], wanted: Callable[[FrameType, bool], bool]) -> list[FrameType]:
    """Return the calls of our functions that are `wanted`, in their order, when something is done for the third time;
    with each goes whether it belongs to a proof by words."""
    calls: list[FrameType] = []
    proving = 0

    def note(frame: FrameType, event: str, _value: Any) -> None:
        nonlocal proving
        proving += frame.f_code is PROOF and event == "call"
        if event == "call" and frame.f_code.co_filename.startswith(OURS) and wanted(frame, proving > 0):
            calls.append(frame)
        proving -= frame.f_code is PROOF and event == "return"

    do()
    do()
    sys.setprofile(note)
    try:
        do()
    finally:
        sys.setprofile(None)
    return calls


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
    calls = entered(do, lambda _frame, proving: proving == proofs)
    return Way(name, frozenset(frame.f_code for frame in calls), limit)


def command(*words: str | Path) -> Callable[[], None]:
    """Return a command in this process, which prints nothing."""

    def run() -> None:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            schafkopf.main([*map(str, words)], standalone_mode=False)

    return run


# --- how often a deal comes back --------------------------------------------------------------------------------------


def rooms_of_deal() -> list[str]:
    """Return the modules to which calls pass the parameter `deal` of `judge`, or a part of it, one after another."""
    items = list(record_lines.read(canonical_line(), Source("line.jsonl", 1, 1)))
    parts: dict[int, Any] = {}

    def holds_part(frame: FrameType, _proving: bool) -> bool:
        code = frame.f_code
        if code is judge_deal.judge.__code__:
            parts.update((id(part), part) for part in parts_of(frame.f_locals["deal"]))
        given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        return any(id(frame.f_locals.get(name)) in parts for name in given)

    calls = entered(lambda: list(judge_stream.judge_stream(items)), holds_part)
    return [name for name, _ in groupby(frame.f_code.co_filename for frame in calls)]


def parts_of(whole: Any) -> Iterator[Any]:
    """Yield a struct or a tuple and all such in it, which are one thing wherever they are passed to."""
    if isinstance(whole, Struct | tuple) and whole != ():
        yield whole
        own = whole if isinstance(whole, tuple) else [getattr(whole, name) for name in whole.__struct_fields__]
        for part in own:
            yield from parts_of(part)


# --- the report -------------------------------------------------------------------------------------------------------


def report(every: list[Way], rooms: list[str]) -> Iterator[str]:
    rows = [(way.name, way.named, way.limit, len(way.functions)) for way in every]
    yield markdown("way | functions | at most | with comprehensions and lambdas", rows)
    here = len(set(rooms))
    back = f"{len(rooms) - here} returns; at most {RETURNS}"
    yield f"The parameter `deal` of `judge` goes through {here} modules with {back}.\n"


def show(way: Way) -> Iterator[str]:
    """Print the functions of a way and their places."""
    places = [
        (Path(code.co_filename).relative_to(ROOT), code.co_firstlineno, code.co_qualname) for code in way.functions
    ]
    yield from (f"    {path}:{line} {name}" for path, line, name in sorted(places))


def main() -> int:
    parser = arguments(__doc__, "ways", runs=0)
    parser.add_argument("--show", default="", help="the way whose functions are named, by a part of its name")
    given = parser.parse_args()
    with folder_for_files() as folder:
        every = list(ways(folder))
    rooms = rooms_of_deal()
    shown = [text for way in every if given.show and given.show in way.name for text in show(way)]
    kept(given.out, "The ways of the data", __file__, ["flask"], [*report(every, rooms), *shown])
    return int(any(way.is_too_long for way in every) or len(rooms) - len(set(rooms)) > RETURNS)


if __name__ == "__main__":
    sys.exit(main())
