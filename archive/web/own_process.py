"""An application in a process of its own, so that what it works out takes neither processor nor memory nor a turn of
Python from the server, and ends without it.

The server hands each request over by a socket of its own: first the request, then the messages of the answer, each
after its length. The process begins with the first request and ends with the server; where it ended by itself, the
next request begins another one.
"""

import asyncio
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec

from archive.web.page_cache import App, Message, Receive, Scope, Send

ENDING, SEEN = 5.0, 0.5  # seconds that the process has to end, and until it is seen that it has
LENGTH = 8  # bytes in which the length of a message stands
PASSED = ("type", "http_version", "method", "scheme", "path", "raw_path", "query_string", "root_path", "headers",
    "client", "server", "archive")  # what the application is told of a request  # fmt: skip
BODY = "http.response.body"
PACKED: Any = msgspec.msgpack


class OwnProcess:
    """The application of a program that calls `answer_requests`. `refuse` answers where the process has ended over a
    request; one that has more than `most_memory` bytes for itself is replaced when nobody waits for it."""

    def __init__(self, words: Sequence[str], refuse: App, most_memory: int) -> None:
        self.words, self.refuse, self.most_memory = words, refuse, most_memory
        self.process: subprocess.Popen[bytes] | None = None
        self.control: socket.socket | None = None
        self.requests = 0
        self.lock = threading.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = ended = False
        self.requests += 1
        try:
            with closing(await asyncio.to_thread(self._connection)) as connection:
                reader, writer = await asyncio.open_connection(sock=connection)
                try:
                    await _write(writer, {name: scope[name] for name in PASSED if name in scope})
                    while not ended:
                        message = await _read(reader)
                        ended = message["type"] == BODY and not message.get("more_body")
                        await send(message)
                        begun = True
                finally:
                    writer.close()
        except (OSError, asyncio.IncompleteReadError):  # of the process; what has begun stays unfinished
            await asyncio.to_thread(self._see_end)
            if not begun:
                await self.refuse(scope, receive, send)
        finally:
            self.requests -= 1
            if not self.requests and self.process and held_memory(self.process.pid) > self.most_memory:
                await asyncio.to_thread(self._replace)

    def _connection(self) -> socket.socket:
        """A socket whose other end the process has."""
        with self.lock:
            if self.process is None or self.process.poll() is not None:
                self._end()
                self._begin()
            own, other = socket.socketpair()
            with other:
                assert self.control
                socket.send_fds(self.control, [b"."], [other.fileno()])
            return own

    def _begin(self) -> None:
        self.control, other = socket.socketpair()
        with other:
            self.process = subprocess.Popen(
                [sys.executable, *self.words],
                stdin=other.fileno(),
                stdout=subprocess.DEVNULL,
                env=own_environment(),
                process_group=0,
            )

    def _see_end(self) -> None:
        """Waits a moment for the end of a process that has closed a connection, so that nobody else is led to it."""
        with self.lock, suppress(subprocess.TimeoutExpired):
            if self.process:
                self.process.wait(SEEN)

    def _replace(self) -> None:
        with self.lock:
            if not self.requests:  # whoever asks meanwhile waits for the lock
                self._end()

    def _end(self) -> None:
        if self.control:
            self.control.close()  # by which it ends what it has begun, and itself
        if self.process:
            try:
                self.process.wait(ENDING)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = self.control = None

    def close(self) -> None:
        """Ends the process, also one that is at work."""
        with self.lock:
            self._end()


def own_environment() -> dict[str, str]:
    """The environment in which a new process of Python finds the packages that this one finds."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def held_memory(process: int) -> int:
    """The bytes that a process has for itself; 0 where the system does not say."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text("utf-8").splitlines():
            if line.startswith("RssAnon:"):
                return 1024 * int(line.split()[1])
    return 0


# --- the process ------------------------------------------------------------------------------------------------------


async def answer_requests(app: App) -> None:
    """Answers the requests that the server hands over, until there is no server any more."""
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    tasks: set[asyncio.Task[None]] = set()

    def accept() -> None:
        data, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not data:
            over.set()
        for descriptor in descriptors:
            task = loop.create_task(_answer(app, socket.socket(fileno=descriptor)))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    with socket.socket(fileno=sys.stdin.fileno()) as control:
        loop.add_reader(control, accept)
        await over.wait()
        loop.remove_reader(control)
        for task in tasks:
            task.cancel()


async def _answer(app: App, connection: socket.socket) -> None:
    reader, writer = await asyncio.open_connection(sock=connection)
    asked = False

    async def receive() -> Message:
        nonlocal asked
        if asked:
            await asyncio.Event().wait()  # nobody says here that the reader has gone
        asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        await _write(writer, message)

    with suppress(OSError, asyncio.IncompleteReadError):  # the server does not wait any more
        try:
            scope = await _read(reader)
            scope["headers"] = [tuple(pair) for pair in scope["headers"]]
            await app(scope, receive, send)
        finally:
            writer.close()


async def _write(writer: asyncio.StreamWriter, message: Message) -> None:
    packed = PACKED.encode(dict(message))
    writer.write(len(packed).to_bytes(LENGTH, "big") + packed)
    await writer.drain()


async def _read(reader: asyncio.StreamReader) -> dict[str, Any]:
    length = int.from_bytes(await reader.readexactly(LENGTH), "big")
    message: dict[str, Any] = PACKED.decode(await reader.readexactly(length))
    return message
