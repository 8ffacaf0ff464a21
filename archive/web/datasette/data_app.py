"""Datasette as an application: its addresses if the site lies under a path of its host, its settings, the kinds of a
visitor's own queries, its headers; and the process that draws the pages of these queries: SQL, filters, orders, facets
and whole tables. That comes after everything else, has a bound of memory, and ends with the server that started it."""

import asyncio
import resource
import sys
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from cachetools import LRUCache
from datasette.app import Datasette  # type: ignore[import-untyped]
from datasette.url_builder import Urls  # type: ignore[import-untyped]
from datasette.utils import PrefixedUrlString  # type: ignore[import-untyped]
from starlette.responses import PlainTextResponse

from archive.serve.proxy import HEADERS as OF_ALL
from archive.serve.proxy import METHODS, App, Message, Receive, Scope, Send, path_within
from archive.serve.server import build_decoders
from archive.serve.worker_process import WorkerProcess, serve_requests
from archive.web import plugin
from archive.web.compression import compress_answers
from archive.web.datasette.counting import Counting, as_csv, visitors_own

# With the package `rich` installed, Datasette 0.65 prints a traceback for each page that is not there, and fails at it.
sys.modules["datasette.handle_exception"].rich = None  # type: ignore[attr-defined]

MOST_RULES = 1000  # tables and queries for which it is remembered who may see them


class Addresses(Urls):  # type: ignore[misc]
    """Addresses that begin with the base path once: Datasette puts it also before an address that it made from that of
    the request, which has it."""

    def path(self, path: str, format: str | None = None) -> Any:
        base = self.ds.setting("base_url")
        known = base != "/" and path.startswith(base)
        return super().path(PrefixedUrlString(path) if known else path, format=format)


class DatasetteUnderPath(Datasette):  # type: ignore[misc]
    """Datasette with these addresses. What an anonymous visitor may see is decided once: the rules for it do not change
    while the site is served, and Datasette copies all metadata for each table and query, which takes most of the time
    of the page of all tables."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.decisions: LRUCache[tuple[Any, ...], Any] = LRUCache(MOST_RULES)

    async def permission_allowed(self, actor: Any, action: str, resource: Any = None, default: Any = False) -> Any:
        if actor is not None:
            return await super().permission_allowed(actor, action, resource, default)
        key = action, resource, default
        if key in self.decisions:
            return self.decisions[key]
        decided = self.decisions[key] = await super().permission_allowed(actor, action, resource, default)
        return decided

    @property
    def urls(self) -> Addresses:
        return Addresses(self)


ARCHIVE_FILE = "archive"  # of a request: the file of the archive for strangers, if another process draws
archive_file: ContextVar[Path] = ContextVar("archive_file")

DATABASE = "data"  # Datasette's name for the archive: its pages lie under /data

# Parameters that change nothing but the form of Datasette's pages; and the one for a whole table.
PLAIN = frozenset({"_lang", "_theme", "_shape", "_labels", "_nl", "_next", "_col", "_nocol", "_json", "_header"})
STREAM, SIZE, CSV = "_stream", "_size", ".csv"
USUAL_ROWS = 100  # of a page; more of them are a query of the visitor's own

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
HEADERS = {name.lower().encode(): value.encode() for name, value in (OF_ALL | {"Content-Security-Policy": CSP}).items()}


def data_site(db_path: Path, sql: bool, base: str, where: Callable[[], Path]) -> DatasetteUnderPath:
    """Return Datasette over an archive; `where` gives at each query the file of the archive."""
    settings = SETTINGS | {"default_allow_sql": sql, "base_url": f"{base}/"}
    datasette = DatasetteUnderPath(metadata={"plugins": {plugin.NAME: {"viewer": True}}}, settings=settings)
    opened = Counting(datasette, str(db_path), where)
    datasette.add_database(opened, name=DATABASE)
    return datasette


def data_app(datasette: DatasetteUnderPath) -> App:
    """Return its application, as a site has it."""
    return mark_own(compress_answers(read_only(datasette.app())))


def own_kind(scope: Scope) -> str:
    """Return the kind of a visitor's own query in a request of Datasette's pages, as `visitors_own` has it."""
    pairs = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
    names = {name for name, value in pairs if name != SIZE or not (value.isdecimal() and int(value) <= USUAL_ROWS)}
    if "sql" in names:
        return "sql"
    if STREAM in names and path_within(scope).endswith(CSV):
        return "stream"
    return "own" if names - PLAIN else ""


def mark_own(app: App) -> App:
    """Return an application whose queries are answered apart if they are the visitor's own, from the file that the
    request names."""

    async def mark(scope: Scope, receive: Receive, send: Send) -> None:
        is_http = scope["type"] == "http"
        if ARCHIVE_FILE in scope:
            archive_file.set(Path(scope[ARCHIVE_FILE]))  # of this task alone
        before = visitors_own.set(own_kind(scope) if is_http else "")
        before_csv = as_csv.set(is_http and path_within(scope).endswith(CSV))
        try:
            await app(scope, receive, send)
        finally:
            visitors_own.reset(before)
            as_csv.reset(before_csv)

    return mark


def read_only(app: App) -> App:
    """Return Datasette with our headers, for reading only."""

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [(name, value) for name, value in message.get("headers", ()) if name.lower() not in HEADERS]
                late = [(b"retry-after", b"5")] if message["status"] == HTTPStatus.SERVICE_UNAVAILABLE else []
                message = {**message, "headers": [*headers, *HEADERS.items(), *late]}
            await send(message)

        if scope["type"] == "http" and scope["method"] not in METHODS:
            refusal = PlainTextResponse("The archive is read-only.\n", 405, {"Allow": ", ".join(METHODS)})
            await refusal(scope, receive, send_with_headers)
        else:
            await app(scope, receive, send_with_headers)

    return guard


TARGET = "archive.web.datasette.data_app:draw"
MOST_MEMORY, USUAL_MEMORY = 768 << 20, 256 << 20  # bytes: at most, and with which the process stays


def visitors_process(db_path: Path, sql: bool, base: str, refuse: App) -> WorkerProcess:
    """Return the application of that process; `refuse` answers if it has ended over a request."""
    words = str(db_path), "sql" if sql else "", base
    return WorkerProcess(TARGET, words, refuse, USUAL_MEMORY)


def with_file(app: App, where: Callable[[], Path]) -> App:
    """Return that application; it learns with each request where the archive lies. Raises ArchiveError."""

    async def tell(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, ARCHIVE_FILE: str(await asyncio.to_thread(where))}, receive, send)

    return tell


def draw(handed: int, path: str, sql: str, base: str) -> None:
    """Answer the requests of visitors until the server has ended."""
    with suppress(OSError, ValueError):  # if the system does not know it, or has a lower one
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    build_decoders()
    datasette = data_site(Path(path), bool(sql), base, archive_file.get)
    try:
        serve_requests(data_app(datasette), handed)
    finally:
        datasette.databases[DATABASE].close()
