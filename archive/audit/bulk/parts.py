"""A file in parts that can be judged apart, in as many processes as there are processors.

A part begins with a session, so that nothing passes into it from the part before but which deals stood there: what the
deals of all parts are known by is held against each other in the end.
"""

import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from archive.audit.bulk.engine import MODULES
from archive.audit.bulk.heads import head_of
from archive.audit.bulk.judging import judged_blocks, uncollected
from archive.audit.types import Judgement
from archive.notation.lines import LineReader
from archive.play.compiling import has_compiler, kept_in
from archive.record import Finding, Session, Source, finding

PART = 24_000_000  # bytes, about; a file that is not larger than two is judged in one piece
LOADED, COMPILED = 6_000_000, 60_000_000  # bytes from which it pays to load machine code, and to make it first
BLOCK = 4_000_000
REPEATED = "deal-repeated"

Keys = Sequence[int]
Findings = Callable[[list[Judgement | Finding]], list[Finding]]


class Part(NamedTuple):
    """Bytes of a file from `start` to `end`, with `lines` before them."""

    start: int
    end: int
    lines: int


class Checked(NamedTuple):
    """What a part comes to."""

    verdicts: Counter[str]
    findings: list[Finding]
    keys: Keys  # of its deals, as `Batch` has them


def worth_compiling(size: int) -> bool:
    """Whether machine code pays for a file of so many bytes."""
    if not has_compiler() or size <= LOADED:
        return False
    try:
        return size > COMPILED or any(kept_in(MODULES).iterdir())
    except (OSError, RuntimeError):
        return False


def cut(data: bytes, source: Source, processes: int = 1) -> list[Part]:
    """Parts of about the same size, as many for each process; one where no session ends in a place where it could be
    cut."""
    parts, start, lines, left = [], 0, 0, max(1, len(data) // PART)
    left -= left % processes if left > processes else 0
    while start < len(data):
        end = boundary(data, start + (len(data) - start) // left, source) if left > 1 else len(data)
        parts.append(Part(start, end, lines))
        lines += data.count(b"\n", start, end)
        start, left = end, left - 1
    return parts


def boundary(data: bytes, at: int, source: Source) -> int:
    """The first place from a byte on where a line begins another session than the lines before it, and both have heads
    in canonical form; the end of the data where there is none. Lines that cannot be read begin no session."""
    end = data.find(b"\n", at) + 1
    prefix: bytes | None = None
    while 0 < end < len(data):
        begin, end = end, data.find(b"\n", end) + 1
        line = data[begin : end - 1 if end else len(data)]
        if (prefix is not None and line.startswith(prefix)) or not begins(line, source):
            continue
        head = head_of(line, source, None)
        if head is not None and prefix is not None:
            return begin
        prefix = head.prefix + b"," if head else None
    return len(data)


def begins(line: bytes, source: Source) -> bool:
    """Whether a session can begin with a line."""
    return any(isinstance(each, Session) for each in LineReader(source).read(1, line))


def blocks(data: bytes, part: Part) -> Iterator[bytes]:
    """A part in blocks that end at line ends."""
    at = part.start
    while at < part.end:
        end = data.find(b"\n", min(at + BLOCK, part.end - 1), part.end) + 1 or part.end
        yield data[at:end]
        at = end


def check_part(data: bytes, part: Part, source: Source, rules: str | None, fast: bool, told: Findings) -> Checked:
    """Judges a part. `told` gives the findings of what was judged by the scalar path, in the reader's language."""
    verdicts: Counter[str] = Counter()
    found: list[Judgement | Finding] = []
    keys = array("q")
    with uncollected():
        for batch in judged_blocks(blocks(data, part), source, rules, fast, (part.lines, part.start)):
            verdicts["agrees"] += batch.code.count(0)
            for items in batch.told.values():
                found += [each if isinstance(each, Finding) else each[1] for each in items]
            keys.extend(batch.keys)
    verdicts.update(each.verdict for each in found if isinstance(each, Judgement))
    return Checked(+verdicts, told(found), keys)


def check_lines(data: bytes, source: Source, rules: str | None, told: Findings) -> Checked:
    """Judges a file of JSON lines without price steps, in parts where that pays."""
    fast = worth_compiling(len(data))
    processes = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1  # elsewhere no copies are made
    parts = cut(data, source, processes) if processes > 1 else []
    every = in_processes(data, parts, source, rules, fast, told, processes) if len(parts) > 1 else []
    if every:
        verdicts = sum((each.verdicts for each in every), Counter())
        findings = [one for each in every for one in each.findings]
        return Checked(verdicts, with_repeated(findings, [each.keys for each in every], source, told), ())
    return check_part(data, Part(0, len(data), 0), source, rules, fast, told)


def in_processes(
    data: bytes, parts: Sequence[Part], source: Source, rules: str | None, fast: bool, told: Findings, processes: int
) -> list[Checked]:
    """Each part in one of so many processes, which share the data; none where one of them was ended from outside."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    given = data, source, rules, fast, told
    check_part(data, Part(0, data.find(b"\n") + 1, 0), source, rules, fast, told)  # what is loaded is for all of them
    fork = multiprocessing.get_context("fork")
    try:
        with ProcessPoolExecutor(min(processes, len(parts)), fork, _share, (given,)) as pool:
            return list(pool.map(_check, parts))
    except BrokenProcessPool:
        return []


_given: list[tuple[bytes, Source, str | None, bool, Findings]] = []


def _share(given: tuple[bytes, Source, str | None, bool, Findings]) -> None:
    _given[:] = [given]


def _check(part: Part) -> Checked:
    data, source, rules, fast, told = _given[0]
    return check_part(data, part, source, rules, fast, told)


def with_repeated(findings: list[Finding], every: Sequence[Keys], source: Source, told: Findings) -> list[Finding]:
    """The findings of all parts, with which deals stand in the file before told anew, across the parts."""
    lines: dict[int, int] = {}
    again: list[Judgement | Finding] = []
    for first, second, line, number in twice(every):
        before = lines.get(first, 0) or lines.get(second, 0)
        lines |= {key: line for key in (first, second) if key}
        if before:
            place = replace(source, line=line, end_line=line, deal=number)
            again.append(finding(REPEATED, place, line=before))
    kept = [each for each in findings if each.rule != REPEATED]
    return sorted(told(again) + kept, key=place_of) if again else kept


def place_of(each: Finding) -> tuple[int, int]:
    """Where a finding is told: at its line, what belongs to no deal first, then that a deal stood there before."""
    where = each.source
    if where is None or where.deal is None:
        return where.line if where else 0, 0
    return where.line, 1 if each.rule == REPEATED else 2


def twice(every: Sequence[Keys]) -> Iterator[tuple[int, int, int, int]]:
    """Keys, line and number of each deal that has a key in common with another, in order."""
    if has_compiler():
        import numpy as np

        rows = np.concatenate([np.array(each, np.int64) for each in every]).reshape(-1, 4)
        keys, counts = np.unique(rows[:, :2], return_counts=True)
        common = keys[(counts > 1) & (keys != 0)]
        for row in rows[np.isin(rows[:, 0], common) | np.isin(rows[:, 1], common)].tolist():
            yield tuple(row)
        return
    found = [tuple(each[at : at + 4]) for each in every for at in range(0, len(each), 4)]
    number = Counter(key for row in found for key in row[:2] if key)
    for first, second, line, own in found:
        if number[first] > 1 or number[second] > 1:
            yield first, second, line, own
