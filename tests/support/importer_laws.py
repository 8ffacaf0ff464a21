"""The laws of every importer, on damaged, foreign and random input: none raises, none takes long, every finding has a
place and words, the deals of a session are in order, and whatever is read can be written as a record and read back as
the same. Seed, importer and number identify an input, so that it can be made again.
"""

import importlib
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from random import Random

from msgspec import Struct

from archive.cli.unpack import unpack_file
from archive.judge.judge_stream import judge_stream
from archive.notation.validate import refusals, with_one_form
from archive.record import Deal, Finding, Session, Source, remedy
from importers import HEAD, IMPORTERS, RECORDS, Importer, find
from importers.text import as_utf8
from support import file_damage
from support.file_damage import Pool, mutated
from support.forty import forty
from support.paths import ROOT
from support.patience import HANG, HANG_LARGE, LARGE

Items = list[Session | Deal | Finding]
SMALL, LARGEST = 1500, 6000  # bytes of most inputs, and of any
WHOLE = (file_damage.ZIP, b"[", b"{\n", b"SQLite")  # a part of such a file is not of that kind
JUDGED = 20  # one of so many inputs is judged too
EACH = 0.001  # seconds more for each resulting deal and finding of a large file
REFUSED = ("bad-players",)  # names stay as in the source, and the record format may refuse them


class Tally(Struct):
    """The results of the inputs of one importer: how many it recognised, how many findings they had, and the laws that
    were broken, each after the number of its input."""

    claimed: int = 0
    findings: int = 0
    broken: list[str] = []


# --- what the inputs grow from ----------------------------------------------------------------------------------------


@cache
def seeds() -> dict[str, tuple[bytes, ...]]:
    """Return the files of every importer, by its name: the samples, and the files that the tests write with our forty
    deals."""
    paths = sorted(path for path in (ROOT / "sample_games").rglob("*") if path.is_file())
    files = [path.read_bytes() for path in paths if path.suffix != ".expected"]  # those are what is said of a sample
    for path in sorted((ROOT / "tests" / "support" / "writers").glob("[!_]*.py")):
        head, deals = forty()
        files += importlib.import_module(f"support.writers.{path.stem}").write(head, deals)
    texts = [raw.data for file in files for raw in unpack_file("seed", file)]
    own: dict[str, tuple[bytes, ...]] = dict.fromkeys((importer.NAME for importer in IMPORTERS), ())
    for text in dict.fromkeys(texts):
        for importer in find("seed", text[:HEAD]):  # so does who asks all: tests/importers/test_signs.py
            own[importer.NAME] += (text,)
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
    """Return the heads, deals and findings that an importer makes of an input."""
    tally.claimed += bool(importer.matches("fuzz", data[:HEAD]))
    return list(importer.read(data, Source("fuzz", 1, None, "0" * 64)))


def broken_by(items: Items, importer: Importer, data: bytes, tally: Tally) -> Iterator[str]:
    """Return the laws that the result of an importer breaks."""
    last = lines_of(data)
    session: Session | None = None
    position = 0
    if all(isinstance(item, Session) for item in items) and importer.matches("fuzz", data[:HEAD]):
        yield "neither a deal nor a finding"  # of any other file who opens it says so: archive/cli/inputs.py
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
            broken = refusals(session, with_one_form(item))
            if where is None or where.deal is None or where.deal <= position:
                yield f"the deal has no position, or one that was there: {where}"
            position = (where and where.deal) or position
        if wrong := [each for each in broken if importer in RECORDS or each.rule not in REFUSED]:
            yield f"not to be written and read back: {wrong[0].rule} {wrong[0].message} {item}"


def lines_of(data: bytes) -> int:
    """Return the last line that a place may name, or row of a page or of JSON; the rows of a workbook cannot be
    counted from outside."""
    text = as_utf8(data)
    counts = (len(text.splitlines()), data.count(b"\n"), text.lower().count(b"<tr"), text.count(b'"'))
    return sys.maxsize if data.startswith(file_damage.ZIP) else max(counts) + 1


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
    """Return the laws that one input breaks."""
    start = time.process_time()
    try:
        with interrupted(HANG):
            items = read(importer, data, tally)
            taken = time.process_time() - start
            broken = list(broken_by(items, importer, data, tally))
            if number % JUDGED == 0:
                list(judge_stream(items))
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]
    return [*broken, *([f"{taken:.1f} s for {len(data)} bytes"] if taken > HANG_LARGE else ())]


def run(importer: Importer, seed: int, numbers: Iterable[int]) -> Tally:
    """Try one input after another."""
    tally = Tally()
    for number in numbers:
        data = made(importer, seed, number)
        tally.broken += [f"{number}: {law}" for law in tried(importer, number, data, tally)]
    return tally


def large(importer: Importer, seed: int, numbers: Iterable[int]) -> list[str]:
    """Return which of so many large files take long or raise: the first numbers are nasty texts, those after them grow
    out of good files."""
    rng, makers, broken = Random(f"{seed}/{importer.NAME}"), seeds()[importer.NAME], list[str]()
    for number in numbers:
        if number < len(file_damage.NASTY):
            name, *parts = repr(file_damage.NASTY[number]), file_damage.NASTY[number]
        else:
            name, *parts = rng.choice(file_damage.nasty(rng.choice(makers)[:LARGEST]))
        data = file_damage.repeated(LARGE, *parts)
        start = time.process_time()
        try:
            with interrupted(HANG):
                importer.matches("fuzz", data[:HEAD])
                count = sum(1 for _ in importer.read(data, Source("fuzz")))
        except Exception as error:
            broken.append(f"{name}: {type(error).__name__}: {error}")
        else:
            taken = time.process_time() - start
            broken += [f"{name}: {taken:.1f} s"] if taken > HANG_LARGE + count * EACH else []
    return broken
