"""Who has lately taken much of the processor waits for others who have, one page after the other; whoever else comes is
answered at once. Pages are made by threads of one Python, each of which slows down all others."""

import asyncio
import math
import threading
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import Any

from cachetools import LRUCache

from archive.web.answer_headers import METHODS
from archive.web.fair_share import address_of
from archive.web.page_cache import RECORDS, App, Message, Receive, Scope, Send

MUCH = 0.5  # seconds of a processor
HALF = 10.0  # seconds after which half of what was taken is forgotten
MOST_ADDRESSES = 10_000  # that are remembered
CLIENT, EVERYBODY = "REMOTE_ADDR", ""
Environ = dict[str, Any]
Wsgi = Callable[[Environ, Any], Iterable[bytes]]


class Taken:
    """The processor time that each address has lately taken. May be used by several threads."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.sums: LRUCache[str, tuple[float, float]] = LRUCache(MOST_ADDRESSES)  # seconds, and when that was

    def add(self, address: str, seconds: float) -> None:
        with self.lock:
            now = time.monotonic()
            self.sums[address] = self._rest(address, now) + seconds, now

    def is_much(self, address: str) -> bool:
        with self.lock:
            return self._rest(address, time.monotonic()) > MUCH

    def _rest(self, address: str, now: float) -> float:
        seconds, then = self.sums.get(address, (0.0, now))
        return seconds * math.exp2((then - now) / HALF)


class Measuring:
    """Runs a task to its end, and adds what it works to what its address has taken; not what it waits."""

    def __init__(self, taken: Taken, address: str, task: Any) -> None:
        self.taken, self.address, self.task = taken, address, task

    def __await__(self) -> Generator[Any, Any, None]:
        steps, given, error = self.task.__await__(), None, None
        while True:
            begun = time.thread_time()
            try:
                waiting = steps.send(given) if error is None else steps.throw(error)
            except StopIteration:
                return
            finally:
                self.taken.add(self.address, time.thread_time() - begun)
            given = error = None
            try:
                given = yield waiting
            except BaseException as raised:  # handed on to the task, as everything that it waits for
                error = raised


def measure_work(app: App, taken: Taken) -> App:
    """An application whose work is added to what the address has taken."""

    async def measure(scope: Scope, receive: Receive, send: Send) -> None:
        task = app(scope, receive, send)
        await (Measuring(taken, address_of(scope), task) if scope["type"] == "http" else task)

    return measure


def measure_pages(app: Wsgi, taken: Taken) -> Wsgi:
    """An application of WSGI, each page of which a thread makes, whose work is added to what the address has taken."""

    def measure(environ: Environ, start_response: Any) -> Iterator[bytes]:
        address = address_of({"client": (environ.get(CLIENT, ""), 0)})
        parts, begun = None, time.thread_time()
        try:
            parts = app(environ, start_response)
            for part in parts:
                taken.add(address, time.thread_time() - begun)
                yield part
                begun = time.thread_time()
        finally:
            taken.add(address, time.thread_time() - begun)
            if close := getattr(parts, "close", None):
                close()

    return measure


class Turns:
    """Turns by key, each there for as long as somebody has it or waits for it."""

    def __init__(self) -> None:
        self.locks: dict[str, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def of(self, key: str) -> AsyncIterator[None]:
        lock, number = self.locks.get(key) or (asyncio.Lock(), 0)
        self.locks[key] = lock, number + 1
        try:
            async with lock:
                yield
        finally:
            _, number = self.locks.pop(key)
            if number > 1:
                self.locks[key] = lock, number - 1


def one_by_one(app: App, taken: Taken) -> App:
    """An application that shows pages to those who have taken much one after the other, by turns of their addresses.
    What is written, or sent piece by piece for long, is left alone."""
    turns = Turns()

    async def take_turns(scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        plain = scope["type"] == "http" and scope["method"] in METHODS and not scope["path"].endswith(RECORDS)
        if not plain or not taken.is_much(address):
            await app(scope, receive, send)
            return
        messages: list[Message] = []

        async def hold(message: Message) -> None:
            messages.append(message)

        async with turns.of(address), turns.of(EVERYBODY):
            await app(scope, receive, hold)
        for message in messages:  # whoever reads slowly keeps nobody from the turn
            await send(message)

    return take_turns
