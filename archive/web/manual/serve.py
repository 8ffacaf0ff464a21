"""The documentation served by itself, without an archive."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from a2wsgi import WSGIMiddleware

from archive.say import message, say
from archive.serve.server import listen, quiet_server
from archive.web.app import create_app

NO_ARCHIVE = Path("no archive.db")  # there is none: the pages of the viewer say so


def serve_manual(host: str, port: int, start: str, language: str, show: Callable[[str], object] | None) -> None:
    """Serve the documentation until interrupted; print the address of its page `start` on standard output and pass it
    to `show`. Port 0 takes a free one. Raises ArchiveError if the address cannot be had."""
    listening, address = listen(host, port)
    with listening, suppress(KeyboardInterrupt):
        address = f"{address}/docs/{start}"
        print(say(message("cli.serving-docs", address=address), language), flush=True)
        if show:
            show(address)
        app: Any = WSGIMiddleware(create_app(NO_ARCHIVE))  # type: ignore[arg-type]  # as in archive/web/serve.py
        quiet_server(app, interface="asgi3", lifespan="off").run(sockets=[listening])
