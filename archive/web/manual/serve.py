"""The documentation served by itself, where no archive is."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn
from a2wsgi import WSGIMiddleware

from archive.say import message
from archive.serve.server import listening_socket
from archive.store import ArchiveError
from archive.web.app import create_app

NO_ARCHIVE = Path("no archive.db")  # there is none: the pages of the viewer say so


def serve_manual(host: str, port: int, start: str = "", show: Callable[[str], object] | None = None) -> None:
    """Serves the documentation until interrupted, the address of its page `start` printed on standard output and given
    to `show`. Port 0 takes a free one. Raises ArchiveError where the address cannot be had."""
    try:
        listening = listening_socket(host, port)
    except OSError as error:
        raise ArchiveError(message("refused.no-port", port=port, host=host, why=error.strerror)) from None
    with listening, suppress(KeyboardInterrupt):
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{listening.getsockname()[1]}/docs/{start}"
        print(f"The documentation is at {address}", flush=True)
        if show:
            show(address)
        app = WSGIMiddleware(create_app(NO_ARCHIVE))  # type: ignore[arg-type]
        config = uvicorn.Config(app, interface="asgi3", lifespan="off", log_level="warning", server_header=False)
        uvicorn.Server(config).run(sockets=[listening])
