"""One command, one port: the viewer at /, Datasette at /data, in front of one SQLite file that neither can change."""

import os
import socket
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from http import HTTPStatus
from pathlib import Path
from threading import Thread
from typing import Any, TypedDict, Unpack

import msgspec
import segno
from a2wsgi import WSGIMiddleware
from starlette.responses import Response

from archive.say import message, say
from archive.serve.gate import Taken, limit_by_address, measure_pages, measure_work, queue_by_cpu
from archive.serve.page_cache import PageCache
from archive.serve.proxy import (
    RECORDS,
    App,
    Receive,
    Scope,
    Send,
    address_of,
    base_path_of,
    joined_headers,
    language_of,
    move_within,
    path_within,
    trust_proxy,
    under_base_path,
)
from archive.serve.server import build_decoders, listen, quiet_server, terminated_as_interrupted, whole_bodies
from archive.serve.worker_process import BackgroundLoop, WorkerProcess
from archive.store import remove_log
from archive.web import app as viewer
from archive.web import plugin
from archive.web.api import routes as api
from archive.web.api.problem import PROBLEM, RETRY, ROOT
from archive.web.api.types import ProblemAnswer
from archive.web.card_sprites import PACKS, draw_sprite
from archive.web.check.page import MOST_BYTES, Reader
from archive.web.compression import compress_answers, negotiate_encoding
from archive.web.datasette.data_app import DATABASE, data_app, data_site, own_kind, visitors_process, with_file
from archive.web.doors.keys import Doors
from archive.web.texts import TEXTS

# Addresses at which people who know Datasette expect an archive of a site at /data, and its own pages.
ALIASES = ((f"/{DATABASE}/archive", f"/{DATABASE}"), (f"/{DATABASE}/-", "/-"))

WORKERS = 24  # threads of the viewer; most may wait for a turn to be slow
MOST_CONNECTIONS = 400  # at a time; any more are asked to come again
FLOOD = 2 * MOST_CONNECTIONS  # from here on they get nothing but that answer

PATIENCE = 20.0  # seconds that a body may take
ELSEWHERE = "192.0.2.1"  # an address that nobody has (RFC 5737), to see which way leads out
STOPPING = 10  # seconds for which a service that is stopped waits for answers to end


class Settings(TypedDict, total=False):
    """The settings of a site, as `Site` takes them."""

    sql: bool
    read: Reader | None
    doors: Doors | None
    base: str
    behind_proxy: bool


class Site:
    """The application over an archive, and everything that it holds open until it is closed. Without `sql`, visitors
    get tables, views and prepared queries only; with a reader of formats they can check a record; with doors, whoever
    is let in can write. `base` is the path of the site; `behind_proxy`: a proxy gives the address of the visitor.
    Visitors' own queries are drawn apart: `apart` in a process of their own, else in a thread."""

    def __init__(
        self,
        db_path: Path,
        sql: bool = True,
        read: Reader | None = None,
        doors: Doors | None = None,
        base: str = "",
        behind_proxy: bool = False,
        apart: bool = False,
    ) -> None:
        base = base_path_of(base)
        flask: Any = viewer.create_app(db_path, read, doors)
        flask.config["SQL"] = sql
        self.path, self.audiences = db_path, flask.config["AUDIENCES"]
        build_decoders()
        taken = Taken()
        flask.wsgi_app = measure_pages(flask.wsgi_app, taken)
        wsgi: Any = WSGIMiddleware(flask, workers=WORKERS)  # which has its own names of the same types
        pages = PageCache(
            queue_by_cpu(compress_answers(whole_bodies(wsgi, partial(body_limits, doors))), taken),
            self.audiences.public_version,
        )
        self.datasettes = [data_site(db_path, sql, base, self.audiences.public_path)]
        plain = BackgroundLoop(measure_work(data_app(self.datasettes[0]), taken), "datasette")
        visitors: BackgroundLoop | WorkerProcess  # another Datasette, for visitors' own queries
        if apart:
            refuse = refusal(HTTPStatus.SERVICE_UNAVAILABLE, "busy", "busy_why")
            visitors = visitors_process(db_path, sql, base, refuse)
        else:
            self.datasettes.append(data_site(db_path, sql, base, self.audiences.public_path))
            visitors = BackgroundLoop(data_app(self.datasettes[-1]), "visitors")
        self.parts = plain, visitors
        own = with_file(visitors, self.audiences.public_path) if apart else visitors
        data = limit_by_address(
            by_kind(plain, own, taken, visitors.expect if isinstance(visitors, WorkerProcess) else lambda: None),
            turn_of,
            refusal(HTTPStatus.TOO_MANY_REQUESTS, "busy_asking", "busy_asking_why"),
        )
        app = negotiate_encoding(under_base_path(_dispatch(pages, data), base))
        self.app: App = trust_proxy(app) if behind_proxy else app

    def close(self) -> None:
        """Close everything that is open of the archive, and leave no file beside it that nobody else has open."""
        for datasette in self.datasettes:
            datasette.databases[DATABASE].close()
        for part in self.parts:
            part.close()
        self.audiences.close()
        remove_log(self.path)


def build_app(db_path: Path, **settings: Unpack[Settings]) -> App:
    """Return the ASGI application of a site."""
    return Site(db_path, **settings).app


def turn_away(app: App, is_full: Callable[[], bool]) -> App:
    """Return an application that answers nobody for as long as it `is_full`; the connection of a refused
    request is closed."""
    refuse = refusal(HTTPStatus.SERVICE_UNAVAILABLE, "busy", "busy_why", close=True)

    async def gate(scope: Scope, receive: Receive, send: Send) -> None:
        await (refuse if scope["type"] == "http" and is_full() else app)(scope, receive, send)

    return gate


def refusal(status: HTTPStatus, title: str, why: str, close: bool = False) -> App:
    """Return an application that answers everybody with a status and words, and with when to come again; `close`: the
    connection is closed with it."""

    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        t = TEXTS[language_of(joined_headers(scope))]
        if ROOT in scope["path"] or scope["path"].endswith(".json"):  # of a program, perhaps under a base path
            problem = ProblemAnswer(title=status.phrase, status=status.value, detail=t[why])
            kind, body = PROBLEM, msgspec.json.encode(problem)
        else:
            kind, body = "text/plain; charset=utf-8", f"{t[title]}. {t[why]}\n".encode()
        headers = RETRY | {"Cache-Control": "no-store", **({"Connection": "close"} if close else {})}
        await Response(body, status, headers, kind)(scope, receive, send)

    return refuse


def _dispatch(pages: App, data: App) -> App:
    """Return the viewer and Datasette as one application."""

    async def dispatch(scope: Scope, receive: Receive, send: Send) -> None:
        for alias, own in ALIASES:
            if (path := path_within(scope)).startswith(alias) and path[len(alias) :][:1] in ("", "/", "."):
                scope = move_within(scope, alias, own)
                break
        path = path_within(scope)
        ours = path == f"/{DATABASE}" or path.startswith((f"/{DATABASE}/", f"/{DATABASE}.", "/-/"))
        ours = ours and not path.startswith(plugin.PRIVATE)
        await (data if ours or scope["type"] == "lifespan" else pages)(scope, receive, send)

    return dispatch


def by_kind(plain: App, own: App, taken: Taken, expect: Callable[[], None]) -> App:
    """Return one application from that for what everybody can see and that for visitors' own queries. A visitor who has
    taken much of the processor gets everything from the second, which after any request is told to `expect` one."""

    async def choose(scope: Scope, receive: Receive, send: Send) -> None:
        own_turn = False
        if scope["type"] == "http":
            expect()
            own_turn = bool(own_kind(scope)) or taken.is_much(address_of(scope))
        await (own if own_turn else plain)(scope, receive, send)

    return choose


def turn_of(scope: Scope) -> str:
    """Return the kind of turns that a request of Datasette's pages waits for: those of streams, those of all other
    queries of the visitor's own, or none."""
    kind = own_kind(scope)
    return "own" if kind == "sql" else kind


def body_limits(doors: Doors | None, scope: Scope) -> tuple[int, float]:
    """Return the bytes that the body of a request may have, and the seconds that it may take: more of both for a
    program that sends records with a token that is known."""
    given = joined_headers(scope).get(b"authorization", b"").decode("latin-1")
    if doors is None or not given or not scope["path"].endswith(RECORDS):
        return MOST_BYTES, PATIENCE
    known = doors.visitor_of_token(given.partition(" ")[2].strip())
    return (api.MOST_BYTES, 3 * PATIENCE) if known else (MOST_BYTES, PATIENCE)


def print_code(address: str) -> None:
    """Draw an address as a code for the camera of a phone, in a terminal that can show it."""
    if sys.stdout.isatty():
        segno.make(address, micro=False).terminal(compact=True, border=2)
        sys.stdout.flush()


def print_links(doors: Doors, address: str, language: str, lan: bool) -> None:
    """Print a link that lets one browser in, and another one as soon as it was used; with `lan` as a code too."""

    def print_link() -> None:
        link = f"{address}/enter?token={doors.new_link_token()}"
        print(say(message("cli.serving-to-write", link=link), language), flush=True)
        if lan:
            print_code(link)
        elif sys.stdout.isatty():
            print(say(message("cli.serving-phone"), language), flush=True)

    doors.when_link_used = print_link
    print_link()


def address_in_network() -> str | None:
    """Return the address of this machine in its network; None if it is in none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect((ELSEWHERE, 9))
        except OSError:
            return None
        return str(asked.getsockname()[0])


def serve_archive(
    db_path: Path,
    host: str = "127.0.0.1",
    port: int = 8001,
    language: str = "en",
    lan: bool = False,
    **settings: Unpack[Settings],
) -> None:
    """Serve an archive until interrupted or terminated; print its address on standard output. Port 0 takes a free one.
    If doors have no accounts, print a link that lets one browser in to write, and another one as soon as it was used;
    with `lan` as a code for a phone too. Requests that came before the end are answered, for some seconds.

    Raises ArchiveError if the address cannot be had.
    """
    os.environ.pop("SCRIPT_NAME", None)  # else it would be put before the base path once more
    site, doors = Site(db_path, **settings, apart=True), settings.get("doors")
    listening, address = listen(host, port)
    with listening, closing(site), suppress(KeyboardInterrupt), terminated_as_interrupted():
        address += base_path_of(settings.get("base", ""))
        facts = {"db": db_path.name, "address": f"{address}/", "data": f"{address}/{DATABASE}"}
        print(say(message("cli.serving", **facts), language), flush=True)
        if lan:
            print(say(message("cli.serving-lan"), language), flush=True)
        if doors and doors.accounts is None:
            print_links(doors, address, language, lan)
        elif lan:
            print_code(f"{address}/")
        app = turn_away(site.app, lambda: len(server.server_state.connections) > MOST_CONNECTIONS)
        server = quiet_server(app, limit_concurrency=FLOOD, timeout_graceful_shutdown=STOPPING)
        Thread(target=draw_sprite, args=PACKS[:1], daemon=True).start()  # before the first reader waits for the cards
        server.run(sockets=[listening])
