"""A file in parts that can be judged separately, in as many processes as there are processors.

A part begins with a session, so that nothing passes into it from the part before except which deals occurred there: a
part that has such a deal is judged again, by the process that knows them all.
"""

import gc
import os
from array import array
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, repeat
from typing import Any, NamedTuple, TypeVar

from archive.bulk.backend import MODULES
from archive.bulk.batch import Batch
from archive.bulk.judge import judge_blocks
from archive.bulk.repeated_deals import RepeatedDeals, repeated_deals
from archive.bulk.session_heads import current_plans, read_head
from archive.engine.compile import has_compiler, is_kept
from archive.judge.judge_stream import gc_paused
from archive.notation.jsonl import LineReader
from archive.record import Session, Source

LOADED, COMPILED = 6_000_000, 60_000_000  # least bytes for which it pays to load machine code, and to compile it
BLOCK = 4_000_000

T = TypeVar("T")
Summary = Callable[[Iterator[Batch]], T]


class Part(NamedTuple):
    """Bytes of a file from `start` to `end`, with `lines` before them."""

    start: int
    end: int
    lines: int


class Job(NamedTuple):
    """The rules of all parts of a file, and the summary that is made of each part's batches."""

    data: bytes
    source: Source
    rules: str | None
    fast: bool
    summary: Summary[Any]
    by_words: bool = False  # the core was found at fault


class Done(NamedTuple):
    """The summary of a part, and the keys by which its deals are known (`Batch.keys`)."""

    summary: Any
    keys: Sequence[int]


def worth_compiling(size: int) -> bool:
    """Return whether machine code pays for a file of so many bytes."""
    return has_compiler() and size > LOADED and (size > COMPILED or is_kept(MODULES))


def cut(data: bytes, source: Source, size: int, processes: int = 1) -> list[Part]:
    """Return parts of about so many bytes, equally many for each process; one part if no session ends at a place to
    cut."""
    parts, start, lines, left = [], 0, 0, max(1, len(data) // size)
    left -= left % processes if left > processes else 0
    while start < len(data):
        end = boundary(data, start + (len(data) - start) // left, source) if left > 1 else len(data)
        parts.append(Part(start, end, lines))
        lines += data.count(b"\n", start, end)
        start, left = end, left - 1
    return parts


def boundary(data: bytes, at: int, source: Source) -> int:
    """Return the first place from a byte on at which a line begins another session than the lines before it, and both
    have heads in canonical form; the end of the data if there is none. Lines that cannot be read begin no session."""
    end = data.find(b"\n", at) + 1
    prefix: bytes | None = None
    while 0 < end < len(data):
        begin, end = end, data.find(b"\n", end) + 1
        line = data[begin : end - 1 if end else len(data)]
        if (prefix is not None and line.startswith(prefix)) or not begins(line, source):
            continue
        head = read_head(line, source, None, current_plans())
        if head is not None and prefix is not None:
            return begin
        prefix = head.prefix + b"," if head else None
    return len(data)


def begins(line: bytes, source: Source) -> bool:
    """Return whether a session can begin with a line."""
    return any(isinstance(each, Session) for each in LineReader(source).read(1, line))


def blocks(data: bytes, part: Part) -> Iterator[bytes]:
    """Yield a part in blocks that end at line ends."""
    at = part.start
    while at < part.end:
        end = data.find(b"\n", min(at + BLOCK, part.end - 1), part.end) + 1 or part.end
        yield data[at:end]
        at = end


def judge_parts(
    data: bytes, source: Source, rules: str | None, summary: Summary[T], size: int, by_words: bool = False
) -> Iterator[T]:
    """Yield the `summary` of the batches of each part of about `size` bytes, in their order. Parts are judged in as
    many processes as there are processors, one in advance. `by_words`: as in `judge_blocks`."""
    job = Job(data, source, rules, not by_words and worth_compiling(len(data)), summary, by_words)
    processes = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1  # other systems have no fork
    parts, met = cut(data, source, size, processes), repeated_deals(job.fast)
    judged = in_processes(job, parts, processes) if processes > 1 < len(parts) else repeat(None, len(parts))
    for part, done in zip(parts, judged, strict=True):
        if done is None or met.has_any(done.keys):
            yield judge_part(job, part, met).summary
        else:
            met.add(done.keys)
            yield done.summary


def judge_part(job: Job, part: Part, met: RepeatedDeals) -> Done:
    """Judge a part; `met` are the deals before it in the file."""
    keys = array("q")

    def noting_keys(batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            keys.extend(batch.keys)
            yield batch
            if batch.answers:  # judged one by one, which leaves garbage; clean deals leave none
                gc.collect(0)

    text, start = blocks(job.data, part), (part.lines, part.start)
    with gc_paused():
        batches = judge_blocks(text, job.source, job.rules, job.fast, start, met, job.by_words)
        return Done(job.summary(noting_keys(batches)), keys)


def in_processes(job: Job, parts: Sequence[Part], processes: int) -> Iterator[Done | None]:
    """Yield the parts, judged in so many processes, which share the data; None for each part from which on a process
    was killed."""
    from concurrent.futures import Future, ProcessPoolExecutor  # here, since a small file is judged in this process
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    def begin(part: Part) -> Future[Done] | None:
        try:
            return pool.submit(_judge, part)
        except BrokenProcessPool:
            return None

    def end(future: Future[Done] | None) -> Done | None:
        try:
            return future.result() if future else None
        except BrokenProcessPool:
            return None

    judge_part(job, Part(0, job.data.find(b"\n") + 1, 0), repeated_deals(job.fast))  # loads modules for all of them
    with ProcessPoolExecutor(processes, get_context("fork"), _share, (job,)) as pool:
        ahead = iter(parts)
        waiting = deque(begin(part) for part in islice(ahead, processes + 1))
        while waiting:
            done = end(waiting.popleft())
            waiting.extend(begin(part) for part in islice(ahead, 1))
            yield done


_job: list[Job] = []  # the job of this process


def _share(job: Job) -> None:
    _job[:] = [job]


def _judge(part: Part) -> Done:
    return judge_part(_job[0], part, repeated_deals(_job[0].fast))
