"""One command, one port: the viewer at /, Datasette at /data, in front of one SQLite file that neither can change."""

import asyncio
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import uvicorn
from a2wsgi import WSGIMiddleware
from brotli_asgi import BrotliMiddleware
from starlette.middleware.gzip import GZipMiddleware
from werkzeug.http import parse_accept_header

from archive.store import ArchiveError, remove_log
from archive.web import app as viewer
from archive.web import plugin
from archive.web.api import routes as api
from archive.web.check.page import MOST_BYTES, Reader
from archive.web.datasette.addresses import DatasetteUnderPath
from archive.web.datasette.counting import Counting, visitors_own
from archive.web.doors.keys import Doors
from archive.web.fair_share import share_fairly
from archive.web.own_loop import OwnLoop
from archive.web.page_cache import RECORDS, App, Message, PageCache, Receive, Scope, Send, joined_headers
from archive.web.proxy import base_path_of, move_within, path_within, trust_proxy, under_base_path
from archive.web.turning_away import refusal, turn_away

DATABASE = "data"  # Datasette's name for the archive: its pages lie under /data
# Where those who know Datasette look for an archive of a site at /data, and for its own pages.
ALIASES = ((f"/{DATABASE}/archive", f"/{DATABASE}"), (f"/{DATABASE}/-", "/-"))

# Parameters of Datasette's pages that ask for nothing but another form of them; and the one for a whole table.
PLAIN = frozenset({"_lang", "_theme", "_shape", "_labels", "_nl", "_next", "_col", "_nocol", "_json", "_header"})
STREAM, SIZE = "_stream", "_size"
USUAL_ROWS = 100  # of a page; who asks for more asks for something of the own

PRIVATE = "/-/databases"  # Datasette's page of the paths on this machine

WORKERS = 24  # threads of the viewer, most of which may wait for a turn to be slow
MOST_CONNECTIONS = 400  # at a time; who comes then is told to come again
FLOOD = 2 * MOST_CONNECTIONS  # from which on they are told nothing but that

SETTINGS = {
    "sql_time_limit_ms": 1500,
    "facet_time_limit_ms": 100,
    "num_sql_threads": 3,
    "max_returned_rows": 1000,
    "suggest_facets": False,
    "allow_download": False,
    "truncate_cells_html": 200,
}

# Datasette's own pages hold inline scripts and styles.
CSP = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    name.lower().encode(): value.encode() for name, value in (viewer.HEADERS | {"Content-Security-Policy": CSP}).items()
}

LEVEL = 6  # of gzip: the highest takes longer and saves a hundredth
QUALITY = 6  # of Brotli: an eighth less than gzip in half a millisecond more
HIGHEST = 11  # a tenth less again in twenty milliseconds, for files that are sent for good
ENCODINGS = ("br", "gzip")  # the smallest first
ACCEPTS = b"accept-encoding"
FILES = "/static/"

PATIENCE = 20.0  # seconds that a body may take
STOPPING = 10  # seconds for which a service that is stopped waits for answers to end
DROPPED = 8  # times the longest body that is read of one that is too long
FRAMING = (b"content-length", b"transfer-encoding")  # headers that speak of a body as it was sent


class Site:
    """The application over an archive, and what it holds open until it is closed. Without `sql` visitors get tables,
    views and prepared queries only; with a reader of formats they can check a record, with doors those who are let in
    can write. `base` is the path under which it lies, `behind_proxy` that a proxy says who asks."""

    def __init__(
        self,
        db_path: Path,
        sql: bool = True,
        read: Reader | None = None,
        doors: Doors | None = None,
        base: str = "",
        behind_proxy: bool = False,
    ) -> None:
        base = base_path_of(base)
        flask: Any = viewer.create_app(db_path, read, doors)
        flask.config["SQL"] = sql
        self.path, self.audiences = db_path, flask.config["AUDIENCES"]
        wsgi: Any = WSGIMiddleware(flask, workers=WORKERS)  # which has its own names of the same types
        pages = PageCache(
            compress_answers(whole_bodies(wsgi, partial(body_limits, doors))), self.audiences.public_version
        )
        # Two of them, each in a thread of its own: what a visitor asks of the own is drawn beside all else.
        self.datasettes = [_datasette(db_path, sql, base, self.audiences.public_path) for _ in range(2)]
        self.loops = [
            OwnLoop(mark_own(compress_answers(_datasette_app(datasette.app()))), name)
            for datasette, name in zip(self.datasettes, ("datasette", "visitors"), strict=True)
        ]
        data = share_fairly(
            by_kind(*self.loops),
            turn_of,
            refusal(HTTPStatus.TOO_MANY_REQUESTS, "busy_asking", "busy_asking_why"),
        )
        app = negotiate_encoding(under_base_path(_dispatch(pages, data), base))
        self.app: App = trust_proxy(app) if behind_proxy else app

    def close(self) -> None:
        """Closes what is open of the archive, and leaves nothing beside it that nobody else has open."""
        for datasette in self.datasettes:
            datasette.databases[DATABASE].close()
        for loop in self.loops:
            loop.close()
        self.audiences.close()
        remove_log(self.path)


def build_app(
    db_path: Path,
    sql: bool = True,
    read: Reader | None = None,
    doors: Doors | None = None,
    base: str = "",
    behind_proxy: bool = False,
) -> App:
    """The ASGI application of a site."""
    return Site(db_path, sql, read, doors, base, behind_proxy).app


def _dispatch(pages: App, data: App) -> App:
    """The viewer and Datasette as one application."""

    async def dispatch(scope: Scope, receive: Receive, send: Send) -> None:
        scope = without_alias(scope)
        path = path_within(scope)
        ours = path == f"/{DATABASE}" or path.startswith((f"/{DATABASE}/", f"/{DATABASE}.", "/-/"))
        ours = ours and not path.startswith(PRIVATE)
        await (data if ours or scope["type"] == "lifespan" else pages)(scope, receive, send)

    return dispatch


def by_kind(plain: App, own: App) -> App:
    """The application of requests for what everybody is shown, and that of what visitors ask of their own, as one."""

    async def choose(scope: Scope, receive: Receive, send: Send) -> None:
        await (own if scope["type"] == "http" and own_kind(scope) else plain)(scope, receive, send)

    return choose


def own_kind(scope: Scope) -> str:
    """The kind of a visitor's own query in a request of Datasette's pages, as `visitors_own` has it."""
    pairs = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
    names = {name for name, value in pairs if name != SIZE or not (value.isdecimal() and int(value) <= USUAL_ROWS)}
    if "sql" in names:
        return "sql"
    if STREAM in names and path_within(scope).endswith(".csv"):
        return "stream"
    return "own" if names - PLAIN else ""


def turn_of(scope: Scope) -> str:
    """For which turns a request of Datasette's pages waits: of streams, of all else of the visitor's own, or none."""
    kind = own_kind(scope)
    return "own" if kind == "sql" else kind


def mark_own(app: App) -> App:
    """An application whose queries are answered apart where they are the visitor's own."""

    async def mark(scope: Scope, receive: Receive, send: Send) -> None:
        before = visitors_own.set(own_kind(scope) if scope["type"] == "http" else "")
        try:
            await app(scope, receive, send)
        finally:
            visitors_own.reset(before)

    return mark


def without_alias(scope: Scope) -> Scope:
    """A request as it is where its address begins with another name of Datasette's pages."""
    for alias, own in ALIASES:
        if (path := path_within(scope)).startswith(alias) and path[len(alias) :][:1] in ("", "/", "."):
            return move_within(scope, alias, own)
    return scope


def negotiate_encoding(app: App) -> App:
    """An application that is asked for one encoding: the first of `ENCODINGS` that is taken, else `identity`."""

    async def choose(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        accepted = b",".join(value for name, value in scope["headers"] if name.lower() == ACCEPTS).decode("latin-1")
        taken = parse_accept_header(accepted)
        fitting = (name for name in ENCODINGS if taken[name] > 0 and scope["method"] != "HEAD")
        headers = [(name, value) for name, value in scope["headers"] if name.lower() != ACCEPTS]
        chosen = (ACCEPTS, next(fitting, "identity").encode())
        await app({**scope, "headers": [*headers, chosen]}, receive, send)

    return choose


def compress_answers(app: App) -> App:
    """An application whose answers are sent in the encoding that is asked for, part by part where they come in parts.
    What has no body (HEAD, 304) is left as it is."""
    gzip = GZipMiddleware(app, compresslevel=LEVEL)
    page, file = (BrotliMiddleware(app, quality, gzip_fallback=False) for quality in (QUALITY, HIGHEST))

    async def compress(scope: Scope, receive: Receive, send: Send) -> None:
        if (ACCEPTS, b"br") not in scope.get("headers", ()):
            await gzip(scope, receive, send)
        else:
            await (file if path_within(scope).startswith(FILES) else page)(scope, receive, send)

    return compress


def _datasette(db_path: Path, sql: bool, base: str, where: Callable[[], Path]) -> DatasetteUnderPath:
    settings = SETTINGS | {"default_allow_sql": sql, "base_url": f"{base}/"}
    datasette = DatasetteUnderPath(metadata={"plugins": {plugin.NAME: {"viewer": True}}}, settings=settings)
    opened = Counting(datasette, str(db_path), where)
    datasette.add_database(opened, name=DATABASE)
    return datasette


def body_limits(doors: Doors | None, scope: Scope) -> tuple[int, float]:
    """The bytes that the body of a request may have, and the seconds that it may take: more of both for a program that
    sends records with a token that is known."""
    given = joined_headers(scope).get(b"authorization", b"").decode("latin-1")
    if doors is None or not given or not scope["path"].endswith(RECORDS):
        return MOST_BYTES, PATIENCE
    known = doors.visitor_of_token(given.partition(" ")[2].strip())
    return (api.MOST_BYTES, 3 * PATIENCE) if known else (MOST_BYTES, PATIENCE)


def whole_bodies(app: App, limits: Callable[[Scope], tuple[int, float]]) -> App:
    """An application that is called when the body of a request is there as a whole, so that who sends it slowly holds
    up no worker; of one that is longer than the limit it gets a byte more, and of one that does not come nothing."""

    async def call_whole(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in viewer.METHODS:
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
        parts = iter([{"type": "http.request", "body": bytes(body), "more_body": False}])

        async def once() -> Message:
            return next(parts, None) or await receive()

        await app(whole_scope, once, send)

    return call_whole


async def _fill(body: bytearray, receive: Receive, most: int) -> None:
    """Reads a body; what is too long is read on for a while and dropped, since who still sends hears no answer."""
    read, more = 0, True
    while more and read < DROPPED * most:
        message = await receive()
        part, more = message.get("body", b""), message.get("more_body", False)
        read += len(part)
        body += part[: most + 1 - len(body)]


def _datasette_app(app: App) -> App:
    """Datasette with our headers, for reading only."""

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [(name, value) for name, value in message.get("headers", ()) if name.lower() not in HEADERS]
                late = [(b"retry-after", b"5")] if message["status"] == HTTPStatus.SERVICE_UNAVAILABLE else []
                message = {**message, "headers": [*headers, *HEADERS.items(), *late]}
            await send(message)

        if scope["type"] == "http" and scope["method"] not in viewer.METHODS:
            allow = (b"allow", ", ".join(viewer.METHODS).encode())
            await send_with_headers({"type": "http.response.start", "status": 405, "headers": [allow]})
            await send({"type": "http.response.body", "body": b"The archive is read-only.\n"})
        else:
            await app(scope, receive, send_with_headers)

    return guard


def print_links(doors: Doors, address: str) -> None:
    """Prints a link which lets one browser in, and another one as soon as it was used."""

    def print_link() -> None:
        print(f"To write, open {address}/enter?token={doors.new_link_token()} (it works once)", flush=True)

    doors.when_link_used = print_link
    print_link()


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket whose connections send at once: the body of an answer would wait for the reader to have confirmed its
    headers, some 40 ms each time. Raises OSError where the address cannot be had."""
    listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def serve_archive(
    db_path: Path,
    host: str = "127.0.0.1",
    port: int = 8001,
    sql: bool = True,
    read: Reader | None = None,
    doors: Doors | None = None,
    base: str = "",
    behind_proxy: bool = False,
) -> None:
    """Serve an archive until interrupted or terminated, its address printed on standard output. Port 0 takes a free
    one. With doors that have no accounts a link is printed that lets one browser in to write, and another one as soon
    as it was used. What is asked before the end is answered, for some seconds.

    Raises ArchiveError where the address cannot be had.
    """
    os.environ.pop("SCRIPT_NAME", None)  # else it would be put before the base path once more
    site = Site(db_path, sql, read, doors, base, behind_proxy)
    try:
        listening = listening_socket(host, port)
    except OSError as error:
        raise ArchiveError(f"Port {port} of {host} cannot be had: {error.strerror}; try another --port.") from None
    with listening, closing(site), suppress(KeyboardInterrupt), terminated_as_interrupted():
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{listening.getsockname()[1]}{base_path_of(base)}"
        print(f"Serving {db_path.name} at {address}/, its data at {address}/{DATABASE}", flush=True)
        if doors and doors.accounts is None:
            print_links(doors, address)
        app = turn_away(site.app, lambda: len(server.server_state.connections) > MOST_CONNECTIONS)
        config = uvicorn.Config(
            app,
            log_level="warning",
            server_header=False,
            proxy_headers=False,  # of `trust_proxy`
            limit_concurrency=FLOOD,
            timeout_graceful_shutdown=STOPPING,
        )
        server = uvicorn.Server(config)
        server.run(sockets=[listening])


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """Lets SIGTERM, by which a service is stopped, end what runs as an interrupt does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
