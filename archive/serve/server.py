"""The server (Uvicorn): where it listens, what it logs, how it ends, and bodies that are there as a whole."""

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import msgspec
import uvicorn

from archive.say import message
from archive.serve.asgi import METHODS, App, Message, Receive, Scope, Send
from archive.store import ArchiveError

DROPPED = 8  # times the longest body that is read of one that is too long
FRAMING = (b"content-length", b"transfer-encoding")  # headers that speak of a body as it was sent


def whole_bodies(app: App, limits: Callable[[Scope], tuple[int, float]]) -> App:
    """Return an application that is called when the body of a request is there as a whole, so that who sends it slowly
    holds up no worker; of one that is longer than the limit it gets a byte more, and of one that does not come
    nothing. `limits` gives the bytes that a body may have, and the seconds that it may take."""

    async def call_whole(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in METHODS:
            await app(scope, receive, send)
            return
        body = bytearray()
        most, seconds = limits(scope)
        try:
            await asyncio.wait_for(_fill(body, receive, most), seconds)
        except TimeoutError:
            body.clear()
        headers = [(name, value) for name, value in scope["headers"] if name.lower() not in FRAMING]
        whole_scope = {**scope, "headers": [*headers, (b"content-length", str(len(body)).encode())]}
        await app(whole_scope, given_body(bytes(body), receive), send)

    return call_whole


async def _fill(body: bytearray, receive: Receive, most: int) -> None:
    """Read a body; what is too long is read on for a while and dropped, since who still sends hears no answer."""
    read, more = 0, True
    while more and read < DROPPED * most:
        message = await receive()
        part, more = message.get("body", b""), message.get("more_body", False)
        read += len(part)
        body += part[: most + 1 - len(body)]


def given_body(body: bytes, receive: Receive) -> Receive:
    """Return what an application receives which is given a body at once."""
    parts = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def once() -> Message:
        return next(parts, None) or await receive()

    return once


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket whose connections send at once: the body of an answer would wait for the reader to have
    confirmed its headers, some 40 ms each time. Raises OSError where the address cannot be had."""
    listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def listen(host: str, port: int) -> tuple[socket.socket, str]:
    """Return a `listening_socket` and its address, `http://host:port`. Raises ArchiveError where it cannot be had."""
    try:
        listening = listening_socket(host, port)
    except OSError as error:
        raise ArchiveError(message("refused.no-port", port=port, host=host, why=error.strerror)) from None
    name = f"[{host}]" if ":" in host else host
    return listening, f"http://{name}:{listening.getsockname()[1]}"


def quiet_server(app: App, **settings: object) -> uvicorn.Server:
    """Return a server of Uvicorn which logs what goes wrong, and nothing else."""
    config = uvicorn.Config(app, log_level="warning", server_header=False, proxy_headers=False, **settings)  # type: ignore[arg-type]
    logging.getLogger("uvicorn.error").addFilter(is_worth_logging)
    return uvicorn.Server(config)


def is_worth_logging(record: logging.LogRecord) -> bool:
    """Return False of a request that the end of the server cut off; how many there were, the server says in a line."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """Let SIGTERM, by which a service is stopped, end what runs as an interrupt does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def build_decoders() -> None:
    """Let msgspec learn the fields of every class there is, before there are threads: it learns them when something is
    first decoded into a class, and a thread that decodes into the same class meanwhile ends the process with a
    segmentation fault, seen of a server that many readers met as it began."""
    waiting = [msgspec.Struct]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        with suppress(TypeError, NameError):  # of a class into which nothing can be decoded
            msgspec.json.Decoder(kind)
