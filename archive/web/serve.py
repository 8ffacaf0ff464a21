"""One command, one port: the viewer at /, Datasette at /data, in front of one SQLite file that neither can change."""

import tomllib
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

import uvicorn
from a2wsgi import WSGIMiddleware
from datasette.app import Datasette
from datasette.database import Database

from archive.resources import resource_dir
from archive.web import plugin
from archive.web.app import METHODS, create_app

DATABASE = "data"  # Datasette's name for the archive: its pages lie under /data without any rewriting of paths

SETTINGS = {
    "sql_time_limit_ms": 1500,
    "facet_time_limit_ms": 400,
    "num_sql_threads": 3,
    "max_returned_rows": 1000,
    "suggest_facets": False,
    "allow_download": False,
    "truncate_cells_html": 200,
}
HEADERS = [  # Datasette's own pages hold inline scripts and styles
    (b"content-security-policy", b"default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
     b"img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]  # fmt: skip

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def build(db_path: Path, sql: bool = True) -> App:
    """The ASGI application over an archive. Without `sql` readers get tables, views and prepared queries only."""
    viewer: Any = WSGIMiddleware(create_app(db_path), workers=8)
    data = _guarded(_datasette(db_path, sql).app())

    async def dispatch(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        ours = path == f"/{DATABASE}" or path.startswith((f"/{DATABASE}/", f"/{DATABASE}.", "/-/"))
        await (data if ours or scope["type"] == "lifespan" else viewer)(scope, receive, send)

    return dispatch


def _datasette(db_path: Path, sql: bool) -> Datasette:
    metadata = tomllib.loads((resource_dir() / "datasette" / "metadata.toml").read_text("utf-8"))
    metadata["plugins"] = {plugin.NAME: {"databases": [DATABASE]}}
    datasette = Datasette(metadata=metadata, settings=SETTINGS | {"default_allow_sql": sql})
    datasette.add_database(Database(datasette, path=str(db_path), is_mutable=True), name=DATABASE)  # opened with mode=ro
    return datasette


def _guarded(app: App) -> App:
    """Datasette with our headers, for reading only."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
            await send(message)

        if scope["type"] == "http" and scope["method"] not in METHODS:
            allow = (b"allow", ", ".join(METHODS).encode())
            await send_with_headers({"type": "http.response.start", "status": 405, "headers": [allow]})
            await send({"type": "http.response.body", "body": b"The archive is read-only.\n"})
        else:
            await app(scope, receive, send_with_headers)

    return guarded


def run(db_path: Path, host: str = "127.0.0.1", port: int = 8001, sql: bool = True) -> None:
    """Serve an archive until interrupted, its address printed on standard output."""
    shown = f"[{host}]" if ":" in host else host
    print(f"Serving {db_path} at http://{shown}:{port}/ (data at http://{shown}:{port}/{DATABASE})", flush=True)
    uvicorn.run(build(db_path, sql), host=host, port=port, log_level="warning", server_header=False)
