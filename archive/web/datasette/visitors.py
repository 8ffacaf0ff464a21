"""The process that draws the pages of visitors' own queries: their SQL, filters, orders, facets and whole tables.

It comes after everything else, has a bound of memory, and ends with the server that started it.
"""

import asyncio
import resource
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from archive.serve.asgi import App, Receive, Scope, Send
from archive.serve.server import build_decoders
from archive.serve.worker_process import WorkerProcess, serve_requests
from archive.web.datasette.data_app import ARCHIVE_FILE, DATABASE, archive_file, data_app, data_site

TARGET = "archive.web.datasette.visitors:draw"
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
