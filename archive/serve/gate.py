"""The gate: who is answered at once, who waits for a turn, and who is told to come again.

Requests take turns by their address (`limit_by_address`), and an address that has lately taken much of the processor
waits for others that have too (`queue_by_cpu`): pages are made by threads of one Python, each of which slows down all
others. Within a page, whatever works for long waits in a `Line`. An address that has taken little is answered at once.
"""

import asyncio
import math
import threading
import time
import types
from collections.abc import AsyncIterator, Callable, Generator, Hashable, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import Any

from cachetools import LRUCache

from archive.serve.proxy import METHODS, RECORDS, App, Message, Receive, Scope, Send, address_of

MOST_OF_ADDRESS = 7  # requests of a kind: one is answered, the others wait
MUCH = 0.5  # seconds of a processor
HALF = 10.0  # seconds after which half of the time taken is forgotten
MOST_ADDRESSES = 10_000  # addresses that are remembered
CLIENT, EVERYBODY = "REMOTE_ADDR", ""
Environ = dict[str, Any]
Wsgi = Callable[[Environ, Any], Iterable[bytes]]


class FullError(Exception):
    """Raised if too many wait for the turn already."""


class Turns:
    """Turns by key, one at a time, each there as long as somebody has it or waits for it; at most `most` do."""

    def __init__(self, most: float = math.inf) -> None:
        self.most = most
        self.locks: dict[Hashable, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def of(self, key: Hashable) -> AsyncIterator[None]:
        """Wait for the turn, and have it. Raises FullError."""
        lock, number = self.locks.get(key) or (asyncio.Lock(), 0)
        if number >= self.most:
            raise FullError
        self.locks[key] = lock, number + 1
        try:
            async with lock:
                yield
        finally:
            _, number = self.locks.pop(key)
            if number > 1:
                self.locks[key] = lock, number - 1


class Line:
    """A turn that threads take one after the other. At most `most` have it or wait for it, each for so many seconds
    (-1: as long as it takes)."""

    def __init__(self, most: int, patience: float = -1) -> None:
        self.patience = patience
        self.places, self.turn = threading.BoundedSemaphore(most), threading.Lock()

    def begin(self) -> bool:
        """Wait for the turn; return False at once if too many wait, or if it did not come in time."""
        if not self.places.acquire(blocking=False):
            return False
        if self.turn.acquire(timeout=self.patience):
            return True
        self.places.release()
        return False

    def end(self) -> None:
        """Give the turn back, which any thread may do."""
        self.turn.release()
        self.places.release()


def limit_by_address(app: App, kind_of: Callable[[Scope], str], refuse: App) -> App:
    """Return an application whose requests of a kind take turns by address; those of no kind (empty) do not. `refuse`
    answers an address with too many requests."""
    turns = Turns(MOST_OF_ADDRESS)

    async def take_turns(scope: Scope, receive: Receive, send: Send) -> None:
        kind = kind_of(scope) if scope["type"] == "http" else ""
        if not kind:
            await app(scope, receive, send)
            return
        try:
            async with turns.of((kind, address_of(scope))):
                await app(scope, receive, send)
        except FullError:
            await refuse(scope, receive, send)

    return take_turns


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


def queue_by_cpu(app: App, taken: Taken) -> App:
    """Return an application that makes pages for those who have taken much one after the other, by turns of their
    addresses. Requests that write, or are sent piece by piece for long, pass through."""
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
        for message in messages:  # a slow reader keeps nobody from the turn
            await send(message)

    return take_turns


@types.coroutine
def measure_task(taken: Taken, address: str, task: Any) -> Generator[Any, Any, None]:
    """Run a task to its end, and add its work, without its waiting, to what its address has taken."""
    steps, given, error = task.__await__(), None, None
    while True:
        begun = time.thread_time()
        try:
            waiting = steps.send(given) if error is None else steps.throw(error)
        except StopIteration:
            return
        finally:
            taken.add(address, time.thread_time() - begun)
        given = error = None
        try:
            given = yield waiting
        except BaseException as raised:  # passed on to the task, like every result it waits for
            error = raised


def measure_work(app: App, taken: Taken) -> App:
    """Return an application whose work is added to what the address has taken."""

    async def measure(scope: Scope, receive: Receive, send: Send) -> None:
        task = app(scope, receive, send)
        await (measure_task(taken, address_of(scope), task) if scope["type"] == "http" else task)

    return measure


def measure_pages(app: Wsgi, taken: Taken) -> Wsgi:
    """Return a WSGI application whose work is added to what the address has taken; a thread makes each page."""

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
