"""The viewer: a Flask application over one archive file, which it can only read unless it has doors."""

import os
import sqlite3
from functools import partial
from hashlib import sha256
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
from flask import Flask, Response, current_app, g, render_template, request, send_file, send_from_directory
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from archive.cards import CODES, rank_letter
from archive.record import kind_of
from archive.resources import resource_dir
from archive.say import isolate, sentence
from archive.serve.proxy import HEADERS as OF_ALL
from archive.serve.proxy import METHODS
from archive.store import ArchiveError, Readers
from archive.store.accounts import Account
from archive.store.one_writer import WriterBusyError, WriterStoppedError
from archive.text.dates import format_day
from archive.text.numbers import format_number
from archive.text.wording import incomplete_words
from archive.web import request as requests
from archive.web import view_options
from archive.web.analysis import routes as analysis
from archive.web.api import problem
from archive.web.api import routes as api
from archive.web.audiences import Audiences
from archive.web.card_sprites import SPRITES, static_text
from archive.web.case import routes as case
from archive.web.cash import routes as cash
from archive.web.chalk import chalk_drawing
from archive.web.check import routes as check
from archive.web.check.page import Reader
from archive.web.deal import routes as deal
from archive.web.doors import routes as entry
from archive.web.doors.guard import is_guarded, visitor
from archive.web.doors.keys import Doors
from archive.web.dossier import routes as dossier
from archive.web.evening import routes as evening
from archive.web.fairness import routes as fairness
from archive.web.findings import routes as findings
from archive.web.guess import routes as guess
from archive.web.home import routes as home
from archive.web.manual import routes as manual
from archive.web.menu import MENU, READ
from archive.web.players import routes as players
from archive.web.portable import routes as portable
from archive.web.preview import routes as preview
from archive.web.price import routes as price
from archive.web.privacy import routes as privacy
from archive.web.queries import is_archive_empty
from archive.web.ranking import routes as ranking
from archive.web.rulesets import routes as rulesets
from archive.web.search import routes as search
from archive.web.sentences import ruleset_name
from archive.web.session import routes as session
from archive.web.stats import routes as stats
from archive.web.upload import routes as upload

YEAR = 365 * 24 * 3600  # seconds
ASKED_AGAIN = "private, no-cache"  # a browser may keep a page, and asks whether it is still current
HEALTH = "healthz"
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_INTERRUPT)
# What to ask of a page that works for too long, by its endpoint.
NARROWER = {"home": "late_list", "findings": "late_findings", "player": "late_player", "player_plot": "late_player",
    "fairness": "late_fairness", "question": "late_question", "question_plot": "late_question"}  # fmt: skip
PAGES = (
    home, search, findings, session, players, deal, analysis, guess, dossier, rulesets, stats, fairness,
    preview, price, ranking, api, entry, evening, upload, privacy, case, cash, manual, portable,
)  # fmt: skip

CSP = (
    "default-src 'none'; img-src 'self' blob:; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
FRAMED = CSP.replace("frame-ancestors 'none'", "frame-ancestors *")  # of the one page that is made for it
UNUSED = ("Content-Disposition", "Last-Modified", "Expires", "Accept-Ranges")  # of files, which have an ETag
PARTS_OF_PAGES = ("text/css", "text/javascript")  # which have the policies of the page that loads them
HEADERS = {"Content-Security-Policy": CSP} | OF_ALL


def create_app(db_path: Path, read: Reader | None = None, doors: Doors | None = None) -> Flask:
    """Return the viewer of the archive at `db_path`, a WSGI application without state of its own. With a reader of
    formats it has a page that checks a record; with doors, whoever is let in can write."""
    folder = resource_dir()
    static = folder / "static"
    app = Flask(
        __name__,
        template_folder=str(folder),
        static_folder=str(static),
        static_url_path=f"/static/{static_version(static, folder / 'sprites')}",
    )
    app.config.update(
        ARCHIVE=Path(db_path), AUDIENCES=Audiences(Path(db_path)), READERS=readers_of_visitor, DOORS=doors,
    )  # fmt: skip
    _setup_guard(app)
    _setup_templates(app)
    for page in PAGES:
        page.setup(app)
    _setup_files(app)
    if read is not None:
        check.setup(app, read, requests.request_texts)
    _setup_errors(app)
    return app


def readers_of_visitor() -> Readers:
    """Return connections to the archive as the visitor may see it; whoever came by the link of the terminal may see
    all."""
    audiences: Audiences = current_app.config["AUDIENCES"]
    who = None if g.get("as_stranger") else visitor()
    if who and who.account is None:
        return audiences.whole
    account = who.account if who else None
    known: dict[Account | None, Readers] = g.setdefault("readers_of", {})  # one view for all of a request
    if account not in known:
        known[account] = audiences.readers(account)
    return known[account]


def static_version(*folders: Path) -> str:
    """Return a name for the content of all static files and of the cards that are drawn. It stands in their addresses,
    and browsers keep these for good: a page never meets a script or a sprite of another version, and a step through a
    deal sends no request."""
    content = sha256(" ".join(CODES).encode())
    for path in sorted(chain(*(folder.iterdir() for folder in folders))):
        content.update(path.name.encode() + b"\0" + sha256(path.read_bytes()).digest())
    return content.hexdigest()[:12]


def _setup_guard(app: Flask) -> None:
    """Refuse everything but reading, unless a view is guarded; set headers that let a page load nothing but its
    own files."""

    @app.before_request
    def refuse_writing() -> None:
        checks = request.endpoint == check.CHECK_ENDPOINT
        if request.method not in METHODS and not checks and not is_guarded(request.endpoint):
            known = request.routing_exception
            raise MethodNotAllowed(known.valid_methods if isinstance(known, MethodNotAllowed) else METHODS)

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.update(HEADERS)
        if request.endpoint == deal.FRAMED:
            response.headers["Content-Security-Policy"] = FRAMED
        response.vary.add("Accept-Language")
        whole = requests.is_complete() and response.mimetype != api.LINES
        if request.method not in ("GET", "HEAD") or response.status_code != 200 or not whole:
            response.headers.setdefault("Cache-Control", "no-store")
        elif request.endpoint != HEALTH:
            response.headers.setdefault("Cache-Control", ASKED_AGAIN)
            response.add_etag(weak=True)
            asked = request.environ
            if asked.get("HTTP_IF_MATCH", "").strip() == "*":  # any state of the page at all: there is one
                asked = {**asked, "HTTP_IF_MATCH": ""}
            response.make_conditional(asked)
            response.headers.pop("Date", None)  # which the server adds when it sends
        if request.endpoint == "static":
            # no browser uses them of a file: they would be a tenth of a small one
            of_pages = HEADERS.keys() - {"X-Content-Type-Options"} if response.mimetype in PARTS_OF_PAGES else ()
            for name in (*UNUSED, *of_pages):
                response.headers.pop(name, None)
        return response

    app.teardown_appcontext(requests.return_connection)


def _setup_templates(app: Flask) -> None:
    app.jinja_env.undefined = jinja2.StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.url_defaults(requests.add_choices_to_url)

    app.jinja_env.globals.update(
        sprite=view_options.sprite_address,
        rank_letter=rank_letter,
        row_address=requests.row_address,
        data_address=view_options.data_address,
        once=requests.draw_once,
        once_each=requests.draw_each,
        zip=zip,
        chalk_drawing=chalk_drawing,
        isolate=isolate,
        incomplete_words=incomplete_words,
        preview_address=requests.preview_address,
        kind_of=kind_of,
        ruleset_name=ruleset_name,
    )

    @app.context_processor
    def texts() -> dict[str, Any]:
        t = requests.request_texts()
        groups, languages = view_options.choice_groups(t), view_options.language_group(t)
        frame = {
            "endpoints": app.view_functions.keys(),
            "languages": languages,
            "groups": groups,
            "menu": MENU if current_app.config["DOORS"] is not None else READ,
            "uncounted": requests.is_uncounted(),
            "data": view_options.data_address(),
        }
        grouped = partial(format_number, t=t)
        own: dict[str, Any] = {"day": partial(format_day, t=t), "grouped": grouped}
        own["more_than"] = lambda n, more: t["more_than"].format(count=grouped(n)) if more else grouped(n)
        return {
            "t": t,
            "asked": requests.reader_choices(),
            "frame": frame,
            "db_name": app.config["ARCHIVE"].name,
            **own,
        }


def _setup_files(app: Flask) -> None:
    folder, version = str(app.static_folder), str(app.static_url_path).rpartition("/")[2]

    def send_static(filename: str, max_age: int = YEAR) -> Response:
        if filename in SPRITES:
            drawn = BytesIO(static_text(filename).encode())
            return send_file(drawn, download_name=filename, etag=version, max_age=max_age)
        return send_from_directory(folder, filename, etag=version, max_age=max_age)

    app.view_functions["static"] = send_static

    # Files that Datasette's pages load, and a page that is open since an older version.
    @app.get("/static/<path:name>", endpoint="unversioned")
    def static_file(name: str) -> Response:
        return send_static(name.rpartition("/")[2], max_age=0)

    @app.get("/favicon.ico")  # of Datasette's pages too
    def icon() -> Response:
        return static_file("icon.svg")

    @app.get("/healthz", endpoint=HEALTH)
    def healthz() -> Response:
        is_archive_empty(requests.connection())
        return Response("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})


def _setup_errors(app: Flask) -> None:
    """Show every failure as a page with a way back, never a traceback."""

    @app.errorhandler(HTTPException)
    def http_error_page(error: HTTPException) -> tuple[str, int, dict[str, str]] | Response:
        if error.code == 404 and request.url_rule is None and (page := address_without_slash()):
            return Response(status=308, headers={"Location": page})
        if problem.is_asked():
            return problem.problem_of(error)
        t, code = requests.request_texts(), error.code or 500
        title = t[{403: "not_allowed", 404: "not_found", 405: "read_only", 500: "broken"}.get(code, "refused")]
        own = error.description if error.description != type(error).description else None
        if own and not own.endswith((".", "?", "!")):
            own = sentence(own)
        text = own or t[{404: "no_page", 405: "read_only_why", 500: "broken_why"}.get(code, "refused_why")]
        return render_template("error.html", title=title, text=text), code, problem.kept_headers(error)

    @app.errorhandler(ArchiveError)
    @app.errorhandler(sqlite3.Error)
    def archive_error_page(error: Exception) -> tuple[str, int] | tuple[str, int, dict[str, str]] | Response:
        app.logger.warning("%s: %s", request.path, error)
        t, path = requests.request_texts(), app.config["ARCHIVE"]
        if not path.exists() and request.endpoint in [entry.endpoint for entry in MENU]:
            return render_template("home/home.html", fit=None), 200
        busy = isinstance(error, WriterBusyError) or getattr(error, "sqlite_errorcode", None) in BUSY
        text = without_folder(requests.error_text(error), path) if isinstance(error, ArchiveError) else t["broken_why"]
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_AUTH:  # of facts that are not counted yet
            if problem.is_asked():
                return problem.problem_response(503, t["uncounted_why"].format(db=path.name))
            return render_template("error.html", title=t["uncounted"], text=t["uncounted_page"]), 503, problem.RETRY
        crowded = isinstance(error, WriterBusyError) and not isinstance(error, WriterStoppedError)
        status, why = (429, t["busy_writing"]) if crowded else (503, t["busy_why"])
        if busy and requests.is_late():
            narrower = NARROWER.get(request.endpoint or "", "late_other")
            why = f"{t['late_why'].format(seconds=round(requests.DEADLINE))} {t[narrower]}"
        if problem.is_asked():
            return problem.problem_response(status, why if busy else text)
        if busy:
            title = t["late" if requests.is_late() else "busy"]
            again = {} if requests.is_late() or request.method != "GET" else {"again": problem.RETRY["Retry-After"]}
            return render_template("error.html", title=title, text=why, **again), status, problem.RETRY
        return render_template("error.html", title=t["broken"], text=text), 503


def address_without_slash() -> str | None:
    """Return the address of a page that was asked for with a slash behind it; None if there is none either way."""
    path, adapter = f"/{request.path.strip('/')}", current_app.create_url_adapter(request)
    if request.method not in METHODS or path == request.path or adapter is None:
        return None
    try:
        adapter.match(path)
    except HTTPException:  # it leads elsewhere, or nowhere
        return None
    query = quote(request.query_string, "!$%&'()*+,/:;=?@")
    return f"{request.script_root}{quote(path)}{query and '?'}{query}"


def without_folder(text: str, path: Path) -> str:
    """Return a text in which files beside the archive are named without their folder: readers of a site do not learn
    where it lies."""
    for folder in (path.parent, path.absolute().parent, path.resolve().parent):
        text = text.replace(f"{folder}{os.sep}", "") if folder.name else text
    return text
