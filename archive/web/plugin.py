"""The Datasette plugin: it hardens and describes archives, and shows them with cards and links.

It knows an archive by the number in its file's header, in `schafkopf serve` as in `datasette archive.db`, and leaves
all other databases alone.
"""

import sqlite3
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from weakref import WeakKeyDictionary

from datasette import hookimpl  # type: ignore[import-untyped]
from datasette.filters import Filters  # type: ignore[import-untyped]
from datasette.utils.asgi import Response  # type: ignore[import-untyped]
from datasette.views.base import DatasetteError  # type: ignore[import-untyped]
from markupsafe import Markup

from archive.say import did_you_mean, say
from archive.serve.proxy import App
from archive.web.card_sprites import static_text
from archive.web.datasette import cells, framing
from archive.web.datasette.hardening import harden
from archive.web.datasette.recognised import is_archive, is_current, only_archives
from archive.web.texts import TEXTS

NAME = "schafkopf_archive"  # the key of the plugin configuration: {"viewer": true} if the viewer is at /
CSS, SVG, SCRIPT = "text/css; charset=utf-8", "image/svg+xml", "text/javascript; charset=utf-8"
FILES = {"archive.css": ("datasette.css", CSS), "viewer.css": ("archive.css", CSS), "data.css": ("data.css", CSS),
    "frame.js": ("frame.js", SCRIPT), "icon.svg": ("icon.svg", SVG),
    "suits.svg": ("cards-german.svg", SVG)}  # fmt: skip
PRIVATE = "/-/databases"  # Datasette's page of the paths on this machine
THROUGH_TAKES = '_through takes JSON: {"table": a table, "column": a column of it, "value": what is in it}.'
# Parameters that Datasette reads unchecked, and what each must be.
TAKES = {"_through": THROUGH_TAKES, "_next": "_next takes what the page before has in its link, and nothing else."}
# The word that says in the language of the reader what an error of Datasette says, by how that begins.
OWN_WORDS = dict.fromkeys(("Table not found", "Database not found", "no such table"), "ds_no_table")
OWN_WORDS |= {"Statement must be a SELECT": "ds_only_select"}

LOOKUPS = [lookup for lookup, *_ in Filters([]).lookups()]  # comparisons of a filter

_viewers: "WeakKeyDictionary[Any, bool]" = WeakKeyDictionary()


def has_viewer(datasette: Any) -> bool:
    """Return whether the viewer is at / of the same port."""
    if datasette not in _viewers:
        _viewers[datasette] = (datasette.plugin_config(NAME) or {}).get("viewer") is True
    return _viewers[datasette]


@hookimpl  # type: ignore[untyped-decorator]
def prepare_connection(conn: sqlite3.Connection, database: str | None, datasette: Any) -> None:
    """Bound what a reader's SQL can do on a connection to an archive."""
    if is_archive(datasette, database):
        harden(conn)


@hookimpl  # type: ignore[untyped-decorator]
def get_metadata(datasette: Any, key: str | None) -> dict[str, Any]:
    """Return the metadata of each archive; of the whole instance too if it holds nothing else. Nothing for the key
    `tables`, by which Datasette asks for each table of its lists who may see it (and for one how many results a facet
    has), and copies all it gets: the metadata of an archive rules neither."""
    names = [name for name in getattr(datasette, "databases", {}) if is_current(datasette, name)]
    if key == "tables" or not names:
        return {}
    instance = framing.metadata_file()["instance"] if only_archives(datasette) else {}
    return instance | {"databases": {name: framing.database_metadata() for name in names}}


@hookimpl  # type: ignore[untyped-decorator]
def canned_queries(datasette: Any, database: str) -> dict[str, Any]:
    """Return the standard questions, with parameters."""
    return framing.question_queries() if is_current(datasette, database) else {}


@hookimpl  # type: ignore[untyped-decorator]
def filters_from_request(request: Any, database: str, table: str, datasette: Any) -> Any:
    """Refuse a filter by what is no column or no comparison: Datasette shows no rows for the one, all for the other."""
    if not is_archive(datasette, database):
        return None

    async def refuse_unknown() -> None:
        columns = [name.lower() for name in ("rowid", *await datasette.get_database(database).table_columns(table))]
        for key in (each for each in request.args if "__" in each or not each.startswith("_")):
            name, _, lookup = key.rpartition("__") if "__" in key else (key, "", "exact")
            if name.lower() not in columns or lookup not in LOOKUPS:
                t = TEXTS[framing.reader_language(request, framing.reader_choices(request))]
                why = t["ds_ill_filter"].format(key=key, lookups=", ".join(LOOKUPS))
                refusal = DatasetteError(why + say(did_you_mean(name, columns), t["lang"]), status=400)
                refusal.lang = t["lang"]  # those of Datasette are English
                raise refusal

    return refuse_unknown


@hookimpl  # type: ignore[untyped-decorator]
def render_cell(row: Any, value: Any, column: str, table: str | None, database: str | None, datasette: Any) -> Any:
    """Return a cell of a page: cards with their faces, links to other rows and to the viewer."""
    if value is None or not is_archive(datasette, database):
        return None
    if column in cells.CARDS:
        return _cards(row, value, table, datasette, database) if isinstance(value, str) else None
    if table and isinstance(value, int) and (column in cells.KEYS or (table, column) == ("deals", "id")):

        async def link() -> Markup | None:
            return await cells.named_row(datasette, database or "", table, column, value)

        return link
    cell = cells.in_viewer(value, column, table, row, datasette.urls.path) if has_viewer(datasette) else None
    return cell or cells.in_data(value, column, table, datasette.urls, database or "")


def _cards(row: Any, value: str, table: str | None, datasette: Any, database: str | None) -> Any:
    async def render() -> Markup | None:
        faces = await cells.faces_of(datasette.get_database(database), table, row)
        return cells.as_cards(value, faces, datasette.urls.path("/-/schafkopf/suits.svg"))

    return render


@hookimpl  # type: ignore[untyped-decorator]
def extra_css_urls(database: str | None, datasette: Any) -> list[str]:
    """Return the looks of an archive's pages."""
    ours = is_archive(datasette, database) if database else only_archives(datasette)
    names = ("viewer.css", "archive.css", "data.css") if framing.is_framed(datasette) else ("archive.css",)
    return [datasette.urls.path(f"/-/schafkopf/{name}") for name in names] if ours else []


@hookimpl  # type: ignore[untyped-decorator]
def prepare_jinja2_environment(env: Any, datasette: Any) -> None:
    """Return a loader with our templates, for an instance of archives alone."""
    framing.set_templates(env, datasette, has_viewer(datasette))


@hookimpl  # type: ignore[untyped-decorator]
def extra_template_vars(database: str | None, request: Any, datasette: Any) -> dict[str, Any]:
    """Return words, menu and choices of the reader, for our templates."""
    if not framing.is_framed(datasette):
        return {}
    return framing.page_variables(datasette, request, database, has_viewer(datasette))


def refusal_of(request: Any, exception: Exception) -> Any:
    """Return the refusal that a request gets in place of an error of Datasette; None if it is an error indeed."""
    if isinstance(exception, DatasetteError) and exception.status == HTTPStatus.INTERNAL_SERVER_ERROR:
        return DatasetteError(exception.message, title=exception.title, status=400)  # an order by what is no column
    if isinstance(exception, sqlite3.ProgrammingError) and "pks" in request.url_vars:
        return DatasetteError("Record not found", status=404)  # of a key of several values, not all are given
    if isinstance(exception, ValueError | LookupError | TypeError):
        taken = [words for name, words in TAKES.items() if name in request.args]
        return DatasetteError(" ".join(taken), status=400) if taken else None
    return None


@hookimpl  # type: ignore[untyped-decorator]
def handle_exception(datasette: Any, request: Any, exception: Any) -> Any:
    """Return errors in the frame; Datasette's own answer has neither words nor menu. A wrong request is no error of the
    server, although Datasette treats an order by no column as one."""
    if not framing.is_framed(datasette):
        return None
    exception = refusal_of(request, exception) or exception

    async def error_page() -> Any:
        status = getattr(exception, "status", 500)
        message = getattr(exception, "message", None) or str(exception)
        title = getattr(exception, "title", None)
        if status >= 500 and status != HTTPStatus.SERVICE_UNAVAILABLE:
            return None
        if request.path.endswith(".json"):
            return Response.json({"ok": False, "error": message, "status": status, "title": title}, status=status)
        if request.path.endswith(".csv"):
            return Response.text(f"{message}\n", status=status)
        if getattr(exception, "message_is_html", False):
            message = Markup(message)  # Datasette's own, with the query escaped in it
        seconds = datasette.setting("sql_time_limit_ms") / 1000
        own = next((word for beginning, word in OWN_WORDS.items() if str(message).startswith(beginning)), None)
        page = {"title": None, "error": message, "own": own, "status": status, "seconds": seconds}
        page["lang"] = getattr(exception, "lang", "en")
        return Response.html(await datasette.render_template("error.html", page, request=request), status=status)

    return error_page


@hookimpl  # type: ignore[untyped-decorator]
def register_routes() -> list[tuple[str, Any]]:
    return [(r"^/-/schafkopf/(?P<name>[a-z.]+)$", file)]


def file(request: Any) -> Any:
    """Return a file that the pages of an archive need."""
    name, kind = FILES.get(request.url_vars["name"], (None, ""))
    if name is None:
        return Response.text("Not found", status=404)
    return Response(static_text(name), content_type=kind, headers={"Cache-Control": "max-age=3600"})


@hookimpl  # type: ignore[untyped-decorator]
def asgi_wrapper(datasette: Any) -> Callable[[App], App]:
    """Return an application that, in an instance of archives alone, does not show where the files lie, and keeps a
    reader's choices."""

    def wrap(app: App) -> App:
        async def guard(scope: Any, receive: Any, send: Any) -> None:
            path = scope["path"] if scope["type"] == "http" else ""
            if path.startswith((PRIVATE, str(datasette.urls.path(PRIVATE)))) and only_archives(datasette):
                await Response.text("Not found", status=404).asgi_send(send)
            else:
                await kept(scope, receive, send)

        kept = framing.keep_choices(app, datasette)
        return guard

    return wrap
