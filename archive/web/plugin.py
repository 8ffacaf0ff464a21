"""The Datasette plugin: it hardens and describes archives, and shows them with cards on the faces of their pack and
links from row to row and to the viewer. Data that is not a page (JSON, CSV) keeps the letters and numbers of the
archive.

It knows an archive by the number in its file's header, in `schafkopf serve` as in `datasette archive.db`, and leaves
all other databases alone.
"""

import re
import sqlite3
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from datasette import hookimpl  # type: ignore[import-untyped]
from datasette.filters import Filters  # type: ignore[import-untyped]
from datasette.utils.asgi import Response  # type: ignore[import-untyped]
from datasette.views.base import DatasetteError  # type: ignore[import-untyped]
from markupsafe import Markup, escape

from archive.cards import NAMES, in_faces, is_known, spoken_name, suit_name
from archive.say import did_you_mean, say
from archive.serve.proxy import App
from archive.stats import QUESTIONS
from archive.store.views import VIEWS
from archive.web.card_sprites import static_text
from archive.web.datasette import framing
from archive.web.datasette.hardening import harden
from archive.web.datasette.recognised import is_archive, is_current, only_archives
from archive.web.texts import TEXTS

# --- cards ------------------------------------------------------------------------------------------------------------

# The columns with letters of a record.
CARDS = frozenset({"dealt", "held", "cards", "called", "suit", "call", "code", "counts_as", "trumps"})
FACES = "SELECT r.faces FROM deals d JOIN rulesets r ON r.id = d.ruleset_id WHERE d.id = ?"
HOUSE = "SELECT faces FROM rulesets WHERE id = ?"
ALL = "SELECT DISTINCT coalesce(faces, 'german') FROM rulesets"
KEPT = 5.0  # seconds for which the faces of an archive are remembered
_faces: "WeakKeyDictionary[Any, tuple[float, list[str]]]" = WeakKeyDictionary()

SIGN = '<svg class="sign" viewBox="0 0 32 32" aria-hidden="true"><use href="{to}#{suit}"/></svg>'


async def faces_of(database: Any, table: str | None, row: Any) -> str:
    """Return the faces of the pack that a row is about, german if that is not known."""
    names = row.keys()
    at, every = _faces.get(database, (0.0, []))
    if time.monotonic() - at > KEPT:
        every = [row[0] for row in await database.execute(ALL)]
        _faces[database] = (time.monotonic(), every)
    if every == ["german"]:
        return "german"
    for key, sql in (("id" if table == "deals" else "deal_id", FACES), ("deal", FACES), ("ruleset_id", HOUSE)):
        value = row[key] if key in names else None
        value = value["value"] if isinstance(value, dict) else value  # a foreign key with its label
        if isinstance(value, int):
            house = (await database.execute(sql, (value,))).first()
            return str(house[0] or "german") if house else "german"
    return "german"


def as_cards(text: str, faces: str, sprite: str) -> Markup | None:
    """Return a text of cards as they stand on the faces of the pack, each with its name; None if there is none in
    it."""
    parts = [card_sign(word, faces, sprite) for word in text.split(" ")]
    return Markup(" ").join(parts) if any(isinstance(part, Markup) for part in parts) else None


def card_sign(word: str, faces: str, sprite: str) -> str | Markup:
    """Return `EO` as the sign of acorns with `EO`, with French faces `♣D`; as its name for readers who do not see the
    sign."""
    if is_known(word):
        name = spoken_name(word, faces)
    elif word in NAMES[faces][0]:
        name = suit_name(word, faces)
    else:
        return word
    if faces == "german":
        sign = Markup(SIGN).format(to=sprite, suit=word[0])
        return Markup('<abbr class="card {}" title="{}">{}{}</abbr>').format(word[0], name, sign, word)
    text = in_faces(f"{word}9", faces)[:-1] if len(word) == 1 else in_faces(word, faces)
    return Markup('<abbr class="card {}" title="{}">{}</abbr>').format(word[0], name, text)


# --- links ------------------------------------------------------------------------------------------------------------

DEAL_PAGE = re.compile(r"/deals/[0-9]+")
NAMED = frozenset({"player", "declarer", "partner", "loser", "chalk"})  # columns of views with a name in them
NUMBERED = {"deal": "deals", "first_deal": "deals", "last_deal": "deals", "session": "sessions", "ruling": "rulings"}
PERSONS = frozenset({"player", "partner"})  # columns of questions with the number of a player
KEYS = frozenset({"session_id", "source_id", "deal_id", "ruleset_id", "player_id", "alias_of", "into_id"})
PAGES = {("players", "name"): "/players/{id}", ("sessions", "label"): "/sessions/{id}",
    ("rulesets", "name"): "/rulesets/{name}"}  # fmt: skip


def in_viewer(value: Any, column: str, table: str | None, row: Any, whole: Callable[[str], str] = str) -> Markup | None:
    """Return a cell that leads to a page of the viewer: of a deal by its number or address, a player, a session, a
    ruleset. `whole` puts the base path of the site before an address."""
    if column == "viewer":
        address = f"/deals/{value}" if isinstance(value, int) else str(value)
        link = Markup('<a href="{}">{}</a>')
        return link.format(str(whole(address)), address) if DEAL_PAGE.fullmatch(address) else None
    page = PAGES.get((table or "", column))
    if page is None or value is None or not {"id"} <= set(row.keys()):
        return None
    return Markup('<a href="{}">{}</a>').format(str(whole(page.format(id=row["id"], name=value))), value)


def in_data(value: Any, column: str, table: str | None, urls: Any, database: str) -> Markup | None:
    """Return a cell of a view or an answer that leads to the row it names."""
    if table is not None and table not in VIEWS:
        return None  # a table has its foreign keys
    if isinstance(value, int) and column in NUMBERED:
        to = urls.row(database, NUMBERED[column], str(value))
    elif isinstance(value, int) and column in PERSONS and table in QUESTIONS:
        to = urls.row(database, "players", str(value))
    elif isinstance(value, str) and column in NAMED and table in VIEWS:
        to = f"{urls.table(database, 'players')}?{_exact('name', value)}"
    elif isinstance(value, str) and column == "rules" and table in VIEWS:
        to = f"{urls.table(database, 'rulesets')}?{_exact('name', value)}"
    else:
        return None
    return Markup('<a href="{}">{}</a>').format(str(to), escape(value))


async def named_row(datasette: Any, database: str, table: str, column: str, value: int) -> Markup | None:
    """Return a foreign key as the page of a single row has it: a link with the label of the row. Datasette itself shows
    it so in tables only."""
    keys = await datasette.get_database(database).foreign_keys_for_table(table)
    other = next((key["other_table"] for key in keys if key["column"] == column), None)
    if other is None:
        return None
    labels = await datasette.expand_foreign_keys(database, table, column, [value])
    label = labels.get((column, value), value)
    to = str(datasette.urls.row(database, other, str(value)))
    own = Markup(" <em>{}</em>").format(value) if label != value else Markup()
    return Markup('<a href="{}">{}</a>').format(to, label) + own


def _exact(column: str, value: str) -> str:
    return urlencode({f"{column}__exact": value})


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
    if column in CARDS:
        return _cards(row, value, table, datasette, database) if isinstance(value, str) else None
    if table and isinstance(value, int) and (column in KEYS or (table, column) == ("deals", "id")):

        async def link() -> Markup | None:
            return await named_row(datasette, database or "", table, column, value)

        return link
    cell = in_viewer(value, column, table, row, datasette.urls.path) if has_viewer(datasette) else None
    return cell or in_data(value, column, table, datasette.urls, database or "")


def _cards(row: Any, value: str, table: str | None, datasette: Any, database: str | None) -> Any:
    async def render() -> Markup | None:
        faces = await faces_of(datasette.get_database(database), table, row)
        return as_cards(value, faces, datasette.urls.path("/-/schafkopf/suits.svg"))

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
