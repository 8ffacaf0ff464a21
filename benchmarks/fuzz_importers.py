"""Every importer against damaged, foreign and random input: none raises, none takes long, every finding has a place,
and whatever is read can be written as a record and read back as the same.

    python benchmarks/fuzz_importers.py --minutes 25         the recorded run, in benchmarks/results/fuzz-importers.md
    python benchmarks/fuzz_importers.py --inputs 20000 --only netschafkopf --seed 7
    python benchmarks/fuzz_importers.py --only one-line --at 4711      one input once more, by its number
    python benchmarks/fuzz_importers.py --atheris one-line -runs=100000          guided by coverage, if atheris runs
    python benchmarks/fuzz_importers.py --large 400          so many files of one megabyte, under a second each

Seed, importer and number identify an input, so that it can be made again. One that breaks a law is stored in the folder
`fuzz-found` with the number in its name.
"""

import argparse
import importlib
import platform
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from types import FunctionType

import mutations
from measured import RESULTS, ROOT, markdown
from msgspec import Struct
from mutations import Pool, mutated
from support.forty import forty

from archive.cli.unpack import unpack_file
from archive.judge.judge_stream import judge_stream
from archive.notation.validate import refusals, with_one_form
from archive.record import Deal, Finding, Session, Source, remedy
from importers import HEAD, IMPORTERS, RECORDS, Importer
from importers.text import as_utf8

RESULT = RESULTS / "fuzz-importers.md"
FOUND = Path("fuzz-found")
Items = list[Session | Deal | Finding]
SMALL, LARGEST = 1500, 6000  # bytes of most inputs, and of any
WHOLE = (mutations.ZIP, b"[", b"{\n", b"SQLite")  # a part of such a file is not of that kind
JUDGED = 20  # one of so many inputs is judged too
SECOND, LONG = 1.0, 20.0  # for one megabyte; and until it is stopped
EACH = 0.001  # seconds more for each resulting deal and finding
REFUSED = ("bad-players",)  # names stay as in the source, and the record format may refuse them


class Tally(Struct):
    """The results of the inputs of one importer. `slowest` is in milliseconds, with the number of the input."""

    inputs: int = 0
    claimed: int = 0
    deals: int = 0
    findings: int = 0
    refused: int = 0
    seconds: float = 0.0
    taken: float = 0.0  # seconds, by the last input
    slowest: tuple[float, int] = (0.0, 0)
    broken: list[str] = []


# --- what the inputs grow from ----------------------------------------------------------------------------------------


@cache
def seeds() -> dict[str, tuple[bytes, ...]]:
    """Return the files of every importer, by its name: the samples, and the files that the tests write with our forty
    deals."""
    files = [path.read_bytes() for path in sorted((ROOT / "sample_games").rglob("*")) if path.is_file()]
    for path in sorted((ROOT / "tests" / "support" / "writers").glob("[!_]*.py")):
        head, deals = forty()
        files += importlib.import_module(f"support.writers.{path.stem}").write(head, deals)
    texts = [raw.data for file in files for raw in unpack_file("seed", file)]
    own = {
        importer.NAME: tuple(dict.fromkeys(text for text in texts if importer.matches("seed", text[:HEAD])))
        for importer in IMPORTERS
    }
    assert all(own.values()), own.keys()
    return own


@cache
def everything() -> Pool:
    return tuple(seed for own in seeds().values() for seed in own)


def made(importer: Importer, seed: int, number: int) -> bytes:
    """Return the input of this number: a good file or a part of it, damaged."""
    rng = Random(f"{seed}/{importer.NAME}/{number}")
    data = rng.choice(seeds()[importer.NAME] if rng.random() < 0.95 else everything())
    if len(data) > SMALL and not data.startswith(WHOLE) and rng.random() < 0.9:
        data = part(rng, data)
    return mutated(rng, data, everything(), LARGEST)


def part(rng: Random, data: bytes) -> bytes:
    """Return the beginning of a file and some lines further on: enough to recognise it, and less of the rest."""
    lines = data.splitlines(keepends=True)
    start = rng.randrange(len(lines))
    head = b"".join(lines[: rng.choice((0, 3, 10, 20))])[:SMALL]
    return head + b"".join(lines[start : start + rng.choice((5, 20, 60))])[:SMALL]


# --- the laws ---------------------------------------------------------------------------------------------------------


def read(importer: Importer, data: bytes, tally: Tally) -> Items:
    """Return the heads, deals and findings that an importer makes of an input; the tally gets the time it takes."""
    start = time.process_time()
    try:
        tally.claimed += bool(importer.matches("fuzz", data[:HEAD]))
        return list(importer.read(data, Source("fuzz", 1, None, "0" * 64)))
    finally:
        tally.taken = time.process_time() - start


def broken_by(items: Items, importer: Importer, data: bytes, tally: Tally) -> Iterator[str]:
    """Return the laws that the result of an importer breaks."""
    last = lines_of(data)
    session: Session | None = None
    position = 0
    for item in items:
        where = item.source
        if where is None or where.path != "fuzz" or not 1 <= where.line <= last:
            yield f"no place within the file: {item}"
        if isinstance(item, Finding):
            tally.findings += 1
            if not (item.message and remedy(item.rule)):
                yield f"no words: {item}"
            continue
        if isinstance(item, Session):
            session, position = with_one_form(item), 0
            broken = refusals(session, Deal(source=where))
        elif session is None:
            yield f"a deal before its session: {item}"
            continue
        else:
            tally.deals += 1
            broken = refusals(session, with_one_form(item))
            if where is None or where.deal is None or where.deal <= position:
                yield f"the deal has no position, or one that was there: {where}"
            position = (where and where.deal) or position
        tally.refused += bool(broken)
        if wrong := [each for each in broken if importer in RECORDS or each.rule not in REFUSED]:
            yield f"not to be written and read back: {wrong[0].rule} {wrong[0].message} {item}"


def lines_of(data: bytes) -> int:
    """Return the last line that a place may name; the rows of a workbook cannot be counted from outside."""
    counts = (len(as_utf8(data).splitlines()), data.count(b"\n"))
    return sys.maxsize if data.startswith(mutations.ZIP) else max(counts) + 1


@contextmanager
def interrupted(seconds: float) -> Iterator[None]:
    """Raise TimeoutError if the importer takes more processor time, so that a run goes on."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"stopped after {seconds:g} s")

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def tried(importer: Importer, number: int, data: bytes, tally: Tally) -> list[str]:
    """Return the laws that one input breaks; the tally gets the result."""
    tally.inputs += 1
    try:
        with interrupted(LONG):
            items = read(importer, data, tally)
            broken = list(broken_by(items, importer, data, tally))
            if number % JUDGED == 0:
                list(judge_stream(items))
    except Exception as error:
        broken = [f"{type(error).__name__}: {error}"]
    tally.seconds += tally.taken
    tally.slowest = max(tally.slowest, (tally.taken * 1000, number))
    if tally.taken > SECOND:
        broken.append(f"{tally.taken:.1f} s for {len(data)} bytes")
    return broken


def run(importer: Importer, seed: int, numbers: Iterable[int], until: float | None = None) -> Tally:
    """Try one input after another, until a moment of the clock of this process if one is given."""
    tally = Tally()
    for number in numbers:
        if until is not None and time.process_time() > until:
            break
        data = made(importer, seed, number)
        for broken in tried(importer, number, data, tally):
            keep(tally, importer, str(number), data, broken)
    return tally


def keep(tally: Tally, importer: Importer, number: str, data: bytes, broken: str) -> None:
    """Store an input that breaks a law, the first twenty of an importer."""
    tally.broken.append(broken)
    if len(tally.broken) <= 20:
        FOUND.mkdir(exist_ok=True)
        (FOUND / f"{importer.NAME}-{number.replace(' ', '-')}").write_bytes(data)
        print(f"{importer.NAME} {number}: {broken[:300]}", file=sys.stderr)


def large(importer: Importer, seed: int, numbers: Iterable[int]) -> Tally:
    """Yield files of one megabyte: the first numbers are nasty texts, those after them grow out of good files."""
    rng, tally = Random(f"{seed}/{importer.NAME}"), Tally()
    makers = seeds()[importer.NAME]
    for number in numbers:
        if number < len(mutations.NASTY):
            name, *parts = repr(mutations.NASTY[number]), mutations.NASTY[number]
        else:
            name, *parts = rng.choice(mutations.nasty(rng.choice(makers)[:LARGEST]))
        data = mutations.megabyte(*parts)
        start = time.process_time()
        try:
            with interrupted(LONG):
                importer.matches("fuzz", data[:HEAD])
                kinds = Counter(type(item) for item in importer.read(data, Source("fuzz")))
            tally.deals, tally.findings = tally.deals + kinds[Deal], tally.findings + kinds[Finding]
            taken = time.process_time() - start
            broken = f"{name}: {taken:.1f} s" if taken > SECOND + kinds.total() * EACH else ""
        except Exception as error:
            taken, broken = time.process_time() - start, f"{name}: {type(error).__name__}: {error}"
        tally.inputs += 1
        tally.seconds += taken
        tally.slowest = max(tally.slowest, (taken * 1000, number))
        if broken:
            keep(tally, importer, f"large {number}", data, broken)
    return tally


# --- the run ----------------------------------------------------------------------------------------------------------

COLUMNS = "importer | inputs | recognised | deals | findings | no names | seconds | slowest | laws broken"


def table(tallies: dict[str, Tally]) -> str:
    return markdown(COLUMNS, (
        (name, one.inputs, one.claimed, one.deals, one.findings, one.refused, round(one.seconds),
         f"{one.slowest[0]:.0f} ms", len(one.broken))
        for name, one in tallies.items()
    ))  # fmt: skip


def page(tallies: dict[str, Tally], megabytes: dict[str, Tally], seed: int) -> str:
    total = sum(each.inputs for each in tallies.values())
    worst = Counter({name: each.slowest[0] for name, each in megabytes.items()}).most_common(1)
    slowest = f"; the slowest took {worst[0][1]:.0f} ms ({worst[0][0]})" if worst else ""
    large_files = sum(each.inputs for each in megabytes.values())
    broken = sum(len(each.broken) for each in (*tallies.values(), *megabytes.values()))
    return f"""\
# Importers against damaged input

`python benchmarks/fuzz_importers.py`, seed {seed}, Python {platform.python_version()}, one core: {total:,} inputs,
{broken} broken laws. An input grows from the samples and from what the tests write of forty deals, by one to five
changes: bytes, words, numbers, values and lines changed, left out, repeated, exchanged; cut, saved in another encoding,
joined with files of other formats; or it is random. The laws: no exception, also in judging each {JUDGED}th; every
finding and every deal has a place within the file; every finding has words and says what to do; the deals of a session
are in order; what is read is written as a record and read back as the same, but for names that no record can have.

{table(tallies)}
Of files of one megabyte that are made to be slow (deep nesting, one long line, any line or word of a good file again
and again), {large_files:,} were read, each in less than {SECOND:g} s{slowest}.

{table(megabytes)}"""


def guided(importer: Importer, arguments: list[str]) -> None:
    """Try the laws under atheris, which searches inputs that run new lines."""
    import atheris  # type: ignore[import-not-found]  # has no build for every Python

    def one(data: bytes) -> None:
        tally = Tally()
        for broken in tried(importer, 1, data, tally):
            raise AssertionError(broken)

    corpus = FOUND / f"corpus-{importer.NAME}"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds()[importer.NAME]):
        (corpus / f"seed-{number}").write_bytes(seed)
    for name, module in list(sys.modules.items()):
        for each in vars(module).values() if name.startswith(("importers", "archive.notation")) else ():
            if isinstance(each, FunctionType) and each.__module__ == name:
                atheris.instrument_func(each)
    atheris.Setup([sys.argv[0], str(corpus), f"-max_len={LARGEST}", *arguments], one)
    atheris.Fuzz()


def main() -> int:
    names = [importer.NAME for importer in IMPORTERS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, help="so many for each importer")
    parser.add_argument("--minutes", type=float, help="so long for all importers together, of this process")
    parser.add_argument("--only", action="append", choices=names, help="these importers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at", type=int, help="the input of this number alone")
    parser.add_argument("--large", type=int, default=0, help="so many files of one megabyte for each importer")
    parser.add_argument("--atheris", choices=names, help="guided by coverage; further arguments are libFuzzer's")
    parser.add_argument("--write", action="store_true", help=f"write {RESULT.relative_to(ROOT)}")
    known, rest = parser.parse_known_args()
    chosen = [importer for importer in IMPORTERS if known.only is None or importer.NAME in known.only]
    if known.atheris:
        guided(next(importer for importer in IMPORTERS if known.atheris == importer.NAME), rest)
        return 0
    if known.at is not None:
        for importer in chosen:
            sys.stdout.buffer.write(made(importer, known.seed, known.at))
            print(tried(importer, known.at, made(importer, known.seed, known.at), Tally()), file=sys.stderr)
        return 0
    tallies = {}
    for importer in chosen:
        until = time.process_time() + known.minutes * 60 / len(chosen) if known.minutes else None
        numbers = range(known.inputs if known.inputs is not None else 10**9 if until else 0)
        tallies[importer.NAME] = run(importer, known.seed, numbers, until)
        print(table({importer.NAME: tallies[importer.NAME]}), file=sys.stderr)
    megabytes = {importer.NAME: large(importer, known.seed, range(known.large)) for importer in chosen if known.large}
    print(text := page(tallies, megabytes, known.seed))
    if known.write:
        RESULT.parent.mkdir(exist_ok=True)
        RESULT.write_text(text, "utf-8")
    return 1 if any(each.broken for each in (*tallies.values(), *megabytes.values())) else 0


if __name__ == "__main__":
    sys.exit(main())
