"""The server (Uvicorn): where it listens, what it logs, how it ends, and request bodies received whole."""

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import msgspec
import uvicorn

from archive.say import message, why_refused
from archive.serve.proxy import METHODS, App, Message, Receive, Scope, Send
from archive.store import ArchiveError

DROPPED = 8  # times the longest allowed body, read and dropped of a longer one
FRAMING = (b"content-length", b"transfer-encoding")  # headers that describe a body as it was sent


def whole_bodies(app: App, limits: Callable[[Scope], tuple[int, float]]) -> App:
    """Return an application that is called when the whole body of a request is there, so that a slow sender holds up no
    worker. If the body is longer than the limit, the application gets one byte more than the limit; if it does not
    come, nothing. If the body is cut off, it is not called: no part is taken for the whole. `limits` gives the bytes
    that a body may have, and the seconds that it may take."""

    async def call_whole(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in METHODS:
            await app(scope, receive, send)
            return
        body = bytearray()
        most, seconds = limits(scope)
        try:
            if not await asyncio.wait_for(_fill(body, receive, most), seconds):
                return  # nobody is there any more to hear an answer
        except TimeoutError:
            body.clear()
        headers = [(name, value) for name, value in scope["headers"] if name.lower() not in FRAMING]
        whole_scope = {**scope, "headers": [*headers, (b"content-length", str(len(body)).encode())]}
        await app(whole_scope, given_body(bytes(body), receive), send)

    return call_whole


async def _fill(body: bytearray, receive: Receive, most: int) -> bool:
    """Read a body and return True; False if its sender is gone before its end. One that is too long is read on for a
    while and dropped, since a sender that is still sending hears no answer."""
    read, more = 0, True
    while more and read < DROPPED * most:
        message = await receive()
        if message["type"] == "http.disconnect":
            return False
        part, more = message.get("body", b""), message.get("more_body", False)
        read += len(part)
        body += part[: most + 1 - len(body)]
    return True


def given_body(body: bytes, receive: Receive) -> Receive:
    """Return a receive function that gives an application a whole body at once."""
    parts = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def once() -> Message:
        return next(parts, None) or await receive()

    return once


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket whose connections send at once: otherwise the body of an answer would wait until the reader has
    confirmed its headers, some 40 ms each time. Raises OSError if the address is not available."""
    listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def listen(host: str, port: int) -> tuple[socket.socket, str]:
    """Return a `listening_socket` and its address, `http://host:port`. Raises ArchiveError if it is not available."""
    try:
        listening = listening_socket(host, port)
    except OSError as error:
        why = why_refused(error)
        why = why.partition(" (while ")[0] if isinstance(why, str) else why  # Python adds the address
        raise ArchiveError(message("refused.no-port", port=port, host=host, why=why)) from None
    name = f"[{host}]" if ":" in host else host
    return listening, f"http://{name}:{listening.getsockname()[1]}"


def quiet_server(app: App, **settings: object) -> uvicorn.Server:
    """Return a server of Uvicorn that logs only errors."""
    config = uvicorn.Config(app, log_level="warning", server_header=False, proxy_headers=False, **settings)  # type: ignore[arg-type]
    logging.getLogger("uvicorn.error").addFilter(is_worth_logging)
    return uvicorn.Server(config)


def is_worth_logging(record: logging.LogRecord) -> bool:
    """Return False for a request that the end of the server cut off; the server logs their number in one line."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """Make SIGTERM, by which a service is stopped, end what runs as an interrupt does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def build_decoders() -> None:
    """Make msgspec learn the fields of every class before there are threads. It learns them when something is first
    decoded into a class, and a thread that decodes into the same class meanwhile ends the process with a segmentation
    fault, as seen in a server that many readers met as it began."""
    waiting = [msgspec.Struct]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        with suppress(TypeError, NameError):  # a class into which nothing can be decoded
            msgspec.json.Decoder(kind)
