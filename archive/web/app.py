"""The viewer: a Flask application over one archive file, which it can only read."""

import sqlite3
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import jinja2
import msgspec
from flask import Flask, Response, abort, current_app, g, render_template, request, url_for
from werkzeug.exceptions import HTTPException, NotFound

from archive.audit import Judgement, report
from archive.notation import write_line, write_toml
from archive.resources import resource_dir
from archive.store import (
    ArchiveError,
    counts,
    first_break,
    is_day_or_moment,
    judged,
    load_deal,
    newest,
    open_read,
    session_row,
    session_rows,
    session_verdicts,
    standing_rows,
)
from archive.web import dossier as dispute
from archive.web import entries, lists, paste, queries, view
from archive.web.history import history
from archive.web.texts import TEXTS
from archive.web.wording import texts_of

METHODS = ("GET", "HEAD", "OPTIONS")
DEADLINE = 3.0  # seconds that a page may spend in SQLite
PAGE = 50  # deals on a page of the list
SHEET = 200  # deals on a page of a session

CSP = (
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {"Content-Security-Policy": CSP, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}


def create_app(db_path: Path, read: paste.Reader | None = None) -> Flask:
    """The viewer of the archive at `db_path`, a WSGI application without state of its own. With a reader of formats it
    has a page where a record can be checked."""
    folder = resource_dir()
    app = Flask(__name__, template_folder=str(folder), static_folder=str(folder / "static"))
    app.config["ARCHIVE"] = Path(db_path)
    _setup_guard(app)
    _setup_templates(app)
    _setup_pages(app)
    if read is not None:
        paste.setup(app, read, texts_of_request)
    _setup_errors(app)
    return app


def archive() -> sqlite3.Connection:
    """The archive of this request, opened when first asked for; raises sqlite3.Error after the deadline."""
    if "archive" not in g:
        g.archive = open_read(current_app.config["ARCHIVE"])
        end = time.monotonic() + DEADLINE
        g.archive.set_progress_handler(lambda: time.monotonic() > end, 10_000)
    opened: sqlite3.Connection = g.archive
    return opened


def _setup_guard(app: Flask) -> None:
    """Reading only; headers that let a page load nothing but its own files."""

    @app.before_request
    def refuse_writing() -> None:
        if request.method not in METHODS and request.endpoint != paste.ENDPOINT:
            abort(405)

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.update(HEADERS)
        return response

    @app.teardown_appcontext
    def close(_error: BaseException | None) -> None:
        if opened := g.pop("archive", None):
            opened.close()


def _setup_templates(app: Flask) -> None:
    app.jinja_env.undefined = jinja2.StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True

    @app.context_processor
    def texts() -> dict[str, Any]:
        return {"t": texts_of_request(), "can_check": paste.ENDPOINT in app.view_functions}


def texts_of_request() -> Mapping[str, str]:
    """The texts in the reader's language, as far as there are any."""
    return TEXTS[request.accept_languages.best_match(TEXTS) or "en"]


def _setup_pages(app: Flask) -> None:
    @app.get("/")
    def home() -> str:
        path: Path = app.config["ARCHIVE"]
        if not path.exists():
            return render_template("home.html", counts=None, db_name=path.name)
        chosen = {key: request.args.get(key, "") for key in ("contract", "verdict")}
        start, t = first_row(), texts_of_request()
        total = queries.fitting(archive(), **chosen)
        found = newest(archive(), chosen["contract"] or None, chosen["verdict"] or None, PAGE, start)
        return render_template(
            "home.html",
            counts=counts(archive()),
            db_name=path.name,
            chosen=chosen,
            deals=[entries.listed(row, t) for row in found],
            first=start + 1,
            last=start + len(found),
            total=total,
            **turns("home", PAGE, start, total, {key: value for key, value in chosen.items() if value}),
        )

    @app.get("/deals/<int(max=9223372036854775807):number>")
    def deal(number: int) -> str:
        as_of, t = day(), texts_of_request()
        found = deal_or_404(number, as_of)
        told, place = history(archive(), number, texts_of(found.ruleset, t), as_of), queries.place(archive(), number)
        return render_template("deal.html", page=view.page(found, place, t, told, as_of))

    @app.get("/deals/<int(max=9223372036854775807):number>/dossier")
    def dossier(number: int) -> str:
        t = texts_of_request()
        found = dispute.dossier(archive(), number, t) or no_deal(number, None)
        return render_template("dossier.html", file=found, style="")

    @app.get("/deals/<int(max=9223372036854775807):number>.<any(json, toml):kind>")
    def record(number: int, kind: str) -> Response:
        as_of = day()
        if kind == "json" and request.args.get("computed", "0") not in ("0", ""):
            return Response(msgspec.json.encode(report(deal_or_404(number, as_of))), content_type="application/json")
        head, found, _ = load_deal(archive(), number, as_of) or no_deal(number, as_of)
        if kind == "toml":
            return Response(write_toml(head, [found]), content_type="application/toml; charset=utf-8")
        return Response(write_line(head, found), content_type="application/json")

    @app.get("/sessions/<int(max=9223372036854775807):number>")
    def session(number: int) -> str:
        start, t = first_row(), texts_of_request()
        head = session_row(archive(), number)
        verdicts = session_verdicts(archive(), number)
        if head is None or not verdicts:  # of a file that was taken back there is nothing to add up
            abort(404, t["no_session"].format(number=number))
        rows, standing = session_rows(archive(), number, SHEET, start), standing_rows(archive(), number)
        sheet = lists.sheet(head, rows, t, first_break(archive(), number), standing, verdicts, start)
        more = turns("session", SHEET, start, sheet.count, {"number": number})
        return render_template("session.html", session=sheet, **more)

    @app.get("/favicon.ico")  # what Datasette's pages ask for
    def icon() -> Response:
        return app.send_static_file("icon.svg")

    @app.get("/healthz")
    def healthz() -> Response:
        archive().execute("SELECT 1 FROM deals LIMIT 1")
        return Response("ok\n", content_type="text/plain")


def first_row() -> int:
    """The row of a list that its page begins with, from the address."""
    return min(max(request.args.get("start", 0, int), 0), 2**62)


def turns(endpoint: str, length: int, start: int, total: int, kept: dict[str, Any]) -> dict[str, str | None]:
    """The addresses of the pages before and after."""
    before = url_for(endpoint, **kept, start=max(start - length, 0) or None)
    after = url_for(endpoint, **kept, start=start + length)
    return {"newer": before if start else None, "older": after if start + length < total else None}


def deal_or_404(number: int, as_of: str | None = None) -> Judgement:
    """The deal of that row, judged again from its record."""
    return judged(archive(), number, as_of) or no_deal(number, as_of)


def no_deal(number: int, as_of: str | None) -> NoReturn:
    """Ends the request: there is no such deal, or was none then."""
    t = texts_of_request()
    abort(
        404,
        t["no_deal"].format(number=number) if as_of is None else t["no_deal_then"].format(number=number, when=as_of),
    )


def day() -> str | None:
    """The day or moment that is asked for, from the address."""
    text = request.args.get("as-of") or None
    if text is not None and not is_day_or_moment(text):
        abort(400, texts_of_request()["no_day"].format(text=text))
    return text


def _setup_errors(app: Flask) -> None:
    """Every failure as a page with a way back, never a traceback."""

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> tuple[str, int]:
        t, code = texts_of_request(), error.code or 500
        text = t["no_page"] if error.description == NotFound.description else error.description
        return render_template("error.html", title=t["not_found"] if code == 404 else error.name, text=text), code

    @app.errorhandler(ArchiveError)
    @app.errorhandler(sqlite3.Error)
    def failed(error: Exception) -> tuple[str, int]:
        app.logger.warning("%s: %s", request.path, error)
        t = texts_of_request()
        text = str(error) if isinstance(error, ArchiveError) else t["broken_why"]
        return render_template("error.html", title=t["broken"], text=text), 503
