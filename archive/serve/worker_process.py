"""An application apart, so that its work delays only its own requests: in an event loop and a thread of its own, such
as for a page of a thousand rows; or in a process of its own, so that it takes neither processor nor memory nor a turn
of Python from the server, and ends without it.

A working thread keeps others from Python for `SWITCH` at most; Python's own default is ten times as much.

Uvicorn serves the process, on a socket that only this user can open. The server sends each request in the body of
another one, and passes the answer on piece by piece. The process begins with the first request, or before it where one
is to be expected, and ends with the server; if it ended by itself, the next request begins another one.
"""

import asyncio
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpcore
import msgspec

from archive.serve.proxy import App, Message, Receive, Scope, Send
from archive.serve.server import given_body, quiet_server
from archive.serve.worker_pool import start_process

SWITCH = 0.0005  # seconds
AT_END = 2.0  # seconds for cancelled requests to end


class BackgroundLoop:
    """The application; its thread begins with the first request, and ends with `close`."""

    def __init__(self, app: App, name: str) -> None:
        self.app, self.name = app, name
        self.loop: asyncio.AbstractEventLoop | None = None
        self.thread: threading.Thread | None = None
        self.lock = threading.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        here, there = asyncio.get_running_loop(), self._running_loop()

        async def receive_here() -> Message:
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_message_of(receive), here))

        async def send_here(message: Message) -> None:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_pass_on(send, message), here))

        async def answer() -> None:
            await self.app(scope, receive_here, send_here)

        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(answer(), there))

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self.lock:
            if self.loop is None:
                sys.setswitchinterval(min(SWITCH, sys.getswitchinterval()))
                self.loop = asyncio.new_event_loop()
                self.thread = threading.Thread(target=self.loop.run_forever, name=self.name, daemon=True)
                self.thread.start()
            return self.loop

    def close(self) -> None:
        """End the thread after the cancelled requests have ended; otherwise asyncio would complain about them."""
        with self.lock:
            if self.loop is not None and self.thread is not None:
                asyncio.run_coroutine_threadsafe(_stop(self.loop), self.loop)
                self.thread.join(AT_END)
            self.loop = self.thread = None


async def _stop(loop: asyncio.AbstractEventLoop) -> None:
    if ending := [task for task in asyncio.all_tasks() if task.cancelling()]:
        await asyncio.wait(ending, timeout=AT_END / 2)
    loop.stop()


async def _message_of(receive: Receive) -> Message:
    return await receive()


async def _pass_on(send: Send, message: Message) -> None:
    await send(message)


ENDING = 5.0  # seconds that the process has to end
PASSED = ("type", "http_version", "method", "scheme", "path", "raw_path", "query_string", "root_path", "headers",
    "client", "server", "archive")  # what the application is told of a request  # fmt: skip
BETWEEN = (b"transfer-encoding", b"connection")  # headers about the connection between process and server
PACKED: Any = msgspec.msgpack


class WorkerProcess:
    """The application that `target` (module:function) serves by `serve_requests`. `refuse` answers if the process ended
    over a request; a process with more than `most_memory` bytes of its own is replaced when nobody waits for it."""

    def __init__(self, target: str, words: tuple[str, ...], refuse: App, most_memory: int) -> None:
        self.target, self.words, self.refuse, self.most_memory = target, words, refuse, most_memory
        self.process: subprocess.Popen[bytes] | None = None
        self.folder = ""
        self.requests, self.expected, self.closed = 0, False, False
        self.lock = threading.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False
        packed = PACKED.encode({name: scope[name] for name in PASSED if name in scope})
        self.requests += 1
        try:
            address = await asyncio.to_thread(self._address)
            async with (
                httpcore.AsyncConnectionPool(uds=address) as client,
                client.stream(scope["method"], "http://worker/", content=packed) as answer,
            ):
                headers = [pair for pair in answer.headers if pair[0].lower() not in BETWEEN]
                begun = True
                await send({"type": "http.response.start", "status": answer.status, "headers": headers})
                async for part in answer.aiter_stream():
                    await send({"type": "http.response.body", "body": part, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
        except (
            httpcore.NetworkError,
            httpcore.ProtocolError,
        ):  # of the process; an answer that has begun stays cut off
            if not begun:
                await asyncio.to_thread(self._notice_end)
                await self.refuse(scope, receive, send)
        finally:
            self.requests -= 1
            if not self.requests and self.process and held_memory(self.process.pid) > self.most_memory:
                await asyncio.to_thread(self._replace)

    def expect(self) -> None:
        """Let the process begin before its first request, which would wait for it for one to two seconds."""
        if not self.expected:
            self.expected = True
            threading.Thread(target=self._begin_ahead, name="begin a process", daemon=True).start()

    def _begin_ahead(self) -> None:
        with self.lock:
            if self.process is None and not self.closed:
                self._begin()

    def _address(self) -> str:
        """Return where the process listens, or soon will."""
        with self.lock:
            if self.process is None or self.process.poll() is not None:
                self._end()
                self._begin()
            return f"{self.folder}/socket"

    def _notice_end(self) -> None:
        """Wait until a process that has cut a connection has ended, so that the next request begins another one."""
        with suppress(subprocess.TimeoutExpired):
            if self.process:
                self.process.wait(1.0)

    def _begin(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="schafkopf-")  # for this user alone
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(f"{self.folder}/socket")
            listening.listen()
            self.process = start_process(self.target, listening.fileno(), *self.words, last=True, stdin=subprocess.PIPE)

    def _replace(self) -> None:
        with self.lock:
            if not self.requests:  # a request meanwhile waits for the lock
                self._end()

    def _end(self) -> None:
        if self.process and self.process.stdin:
            self.process.stdin.close()  # makes it finish what it has begun, and end
            try:
                self.process.wait(ENDING)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            shutil.rmtree(self.folder, ignore_errors=True)
        self.process = None

    def close(self) -> None:
        """End the process, also a busy one."""
        with self.lock:
            self.closed = True
            self._end()


def held_memory(process: int) -> int:
    """Return the bytes of memory that a process has of its own; 0 if the system does not say."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text("utf-8").splitlines():
            if line.startswith("RssAnon:"):
                return 1024 * int(line.split()[1])
    return 0


# --- the process ------------------------------------------------------------------------------------------------------


def serve_requests(app: App, handed: int) -> None:
    """Answer the requests that the server sends to the inherited socket, until it closes the input."""

    async def unpack(scope: Scope, receive: Receive, send: Send) -> None:
        packed, more = b"", True
        while more:
            message = await receive()
            packed, more = packed + message.get("body", b""), message.get("more_body", False)
        if packed:  # otherwise the server no longer waits
            asked = PACKED.decode(packed)
            headers = [tuple(pair) for pair in asked["headers"]]
            await app({**asked, "headers": headers}, given_body(b"", receive), send)

    server = quiet_server(unpack, lifespan="off", date_header=False, timeout_graceful_shutdown=1)

    async def serve() -> None:
        def end() -> None:
            loop.remove_reader(sys.stdin.fileno())
            server.should_exit = True

        loop = asyncio.get_running_loop()
        loop.add_reader(sys.stdin.fileno(), end)
        await server.serve([listening])

    with socket.socket(fileno=handed) as listening:
        folder = Path(listening.getsockname()).parent
        asyncio.run(serve())
    shutil.rmtree(folder, ignore_errors=True)  # if the server ended without cleaning up
