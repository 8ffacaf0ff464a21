"""The frame around Datasette's pages if an instance holds archives alone: menu, language and theme of the viewer; and
the metadata of an archive: titles, descriptions, facets, labels and the prepared queries.

Datasette takes a parameter without `_` for a column, and makes most addresses itself: a choice is `_lang` or `_theme`
in an address, and a cookie from then on.
"""

import tomllib
from collections.abc import Iterator
from functools import cache
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode
from weakref import WeakKeyDictionary

from jinja2 import ChoiceLoader, FileSystemLoader
from msgspec import Struct

from archive.resources import resource_dir
from archive.say.catalogue import rows
from archive.serve.proxy import App, joined_headers, language_of
from archive.stats import FACTS, OF_PARTS, QUESTIONS, query_sql
from archive.stats.part_facts import LARGE_PARTS, table_of
from archive.stats.texts import all_texts, column_text
from archive.store.schema_page import all_descriptions
from archive.text.numbers import format_number
from archive.web.datasette.recognised import is_current, only_archives
from archive.web.menu import READ, Choice
from archive.web.texts import LANGUAGES, TEXTS

ASK = "ask_"  # in front of the name of a question, whose view has the name itself


@cache
def metadata_file() -> dict[str, Any]:
    """Return `metadata.toml`: `instance` for an instance of archives alone, and `database`."""
    return tomllib.loads((resource_dir() / "datasette" / "metadata.toml").read_text("utf-8"))


@cache
def table_metadata() -> dict[str, dict[str, Any]]:
    """Return every table and view: how it is presented, and what it and its columns mean."""
    tables = {name: dict(how) for name, how in metadata_file()["database"]["tables"].items()}
    for name, description in all_descriptions().items():
        tables.setdefault(name, {}).update(description=description.says, columns=dict(description.columns))
    for name, question in QUESTIONS.items():
        tables[name]["title"] = all_texts().questions[question.name].title.en
        tables[name]["description"] = f"{all_texts().questions[name].read.en} As a query with parameters: {ASK}{name}."
    for facts in FACTS:
        tables[facts.name]["hidden"] = True
    for name in (LARGE_PARTS, *map(table_of, OF_PARTS)):  # which only large archives have
        tables[name] = {"hidden": True}
    return tables


def database_metadata() -> dict[str, Any]:
    """Return the metadata of an archive. Datasette changes what it gets, so each call returns a dictionary of its
    own."""
    own = {name: how | {"columns": dict(how.get("columns", {}))} for name, how in table_metadata().items()}
    return {**metadata_file()["database"], "tables": own}


@cache
def _canned_queries() -> dict[str, dict[str, Any]]:
    return {
        f"{ASK}{name}": {
            "sql": query_sql(question),
            "hide_sql": True,  # one click away
            "params": list(question.narrow),
            "title": all_texts().questions[name].title.en,
            "description": f"{all_texts().questions[name].read.en} "
            + (f"An empty field means all: {', '.join(question.narrow)}. " if question.narrow else "")
            + f"Whole, without a limit of rows: the view {name}.",
        }
        for name, question in QUESTIONS.items()
    }


def question_queries() -> dict[str, dict[str, Any]]:
    """Return the prepared query of each standard question."""
    return {name: dict(query) for name, query in _canned_queries().items()}


YEAR = 365 * 24 * 3600  # seconds
AUTO = "auto"  # the theme of the browser
CHOICES = {"lang": LANGUAGES, "theme": (AUTO, "light", "dark")}
THEME_WORDS = dict(zip(CHOICES["theme"], ("theme_own", "theme_light", "theme_dark"), strict=True))
FIRST_QUERY = """SELECT contract, unit, runners, count(won) AS decided, round(avg(won), 3) AS won_rate,
  round(avg(price), 1) AS mean_price
FROM outcomes
WHERE contract NOT IN ('none', 'misdeal') AND runners IS NOT NULL
GROUP BY contract, unit, runners
ORDER BY contract, unit, runners"""

_framed: "WeakKeyDictionary[Any, bool]" = WeakKeyDictionary()


class About(Struct, frozen=True):
    """A table, view or prepared query in the reader's language; the meaning of its columns, and the language of
    that."""

    title: str
    text: str
    columns: dict[str, str]
    language: str


def is_framed(datasette: Any) -> bool:
    """Return whether the pages of an instance have the frame of the viewer."""
    return _framed.get(datasette, False)


def set_templates(env: Any, datasette: Any, viewer: bool) -> None:
    """Put our templates before those of Datasette if an instance holds archives alone. Some of Datasette's own answers
    come without what a plugin gives a template."""
    _framed[datasette] = only_archives(datasette)
    if _framed[datasette]:
        env.globals.update(page_variables(datasette, None, None, viewer))
        env.loader = ChoiceLoader([FileSystemLoader(resource_dir() / "datasette"), env.loader])


# --- what a reader chose ----------------------------------------------------------------------------------------------


def reader_choices(request: Any) -> dict[str, str]:
    """Return the choices in the address, else in the cookies."""
    if request is None:
        return {}
    choices = {key: request.args.get(f"_{key}") or request.cookies.get(key) for key in CHOICES}
    return {key: value for key, value in choices.items() if value in CHOICES[key] and value != AUTO}


def reader_language(request: Any, chosen: dict[str, str]) -> str:
    if "lang" in chosen or request is None:
        return chosen.get("lang", LANGUAGES[0])
    return language_of(joined_headers(request.scope))


def keep_choices(app: App, datasette: Any) -> App:
    """Return an application whose pages differ by language and theme, and which sets cookies if an address chooses
    them."""

    async def keeping(scope: Any, receive: Any, send: Any) -> None:
        async def send_with_cookies(message: Any) -> None:
            if message["type"] == "http.response.start" and is_framed(datasette):  # known with the first answer
                headers = [*message.get("headers", ()), (b"vary", b"Accept-Language, Cookie")]
                message = {
                    **message,
                    "headers": [*headers, *cookies(scope.get("query_string", b""), datasette.setting("base_url"))],
                }
            await send(message)

        await app(scope, receive, send_with_cookies if scope["type"] == "http" else send)

    return keeping


def cookies(query: bytes, site: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield the header of each choice in an address, for the pages of a site that lies under a path."""
    given = parse_qs(query.decode("latin-1"))
    for key, known in CHOICES.items():
        value = given.get(f"_{key}", [""])[-1]
        if value in known:
            cookie: SimpleCookie = SimpleCookie({key: value})
            cookie[key].update({"path": site, "max-age": str(0 if value == AUTO else YEAR), "samesite": "Lax"})
            cookie[key]["httponly"] = True
            yield b"set-cookie", cookie[key].OutputString().encode()


# --- what templates are given -----------------------------------------------------------------------------------------


def page_variables(datasette: Any, request: Any, database: str | None, viewer: bool) -> dict[str, Any]:
    """Return the variables of our templates beside those of Datasette."""
    chosen = reader_choices(request)
    t = TEXTS[reader_language(request, chosen)]
    current = is_current(datasette, database)
    names = {key: rows(key)["language.name"] for key in LANGUAGES}
    themes = {value: t[word] for value, word in THEME_WORDS.items()}
    return {
        "t": t,
        "asked": chosen,
        "viewer": viewer,
        "menu": [(t[entry.word], _in_viewer(datasette, entry.address, chosen)) for entry in READ] if viewer else [],
        "home": _in_viewer(datasette, "/", chosen) if viewer else datasette.urls.instance(),
        "data_home": datasette.urls.database(next(name for name in datasette.databases if not name.startswith("_"))),
        "languages": list(choices_of(request, "lang", t["lang"], names)),
        "themes": list(choices_of(request, "theme", chosen.get("theme", AUTO), themes)),
        "subjects": list(question_subjects(t["lang"])) if current else [],
        "about": lambda name: about(name, t["lang"]) if current else None,
        "first_query": FIRST_QUERY if current else None,
        "number": lambda count: format_number(count, t),
        "lookup_word": lambda key, display: t.get(f"ds_op_{key}", display),
    }  # fmt: skip


def choices_of(request: Any, key: str, current: str, texts: dict[str, str]) -> Iterator[Choice]:
    """Yield the values of a choice, each with the address of this page."""
    path, query = (request.path, request.query_string) if request else ("/", "")
    others = [pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] != f"_{key}"]
    for value, text in texts.items():
        yield Choice(value, text, f"{path}?{urlencode([*others, (f'_{key}', value)])}", value == current)


def question_subjects(language: str) -> Iterator[tuple[str, list[tuple[str, About]]]]:
    """Yield the headings, with the prepared queries under each."""
    for key, title in all_texts().subjects.items():
        names = [f"{ASK}{name}" for name, question in QUESTIONS.items() if question.subject == key]
        yield title.of(language), [(name, texts) for name in names if (texts := about(name, language))]


def about(name: str, language: str) -> About | None:
    """Return a table, view or prepared query by its name; None if it is not ours."""
    if question := QUESTIONS.get(name.removeprefix(ASK)):
        texts = all_texts().questions[question.name]
        columns = table_metadata()[question.name]["columns"]
        if language != LANGUAGES[0]:
            columns = {column: f"{column_text(column, language)}." for column in columns}
        return About(texts.title.of(language), texts.read.of(language), columns, language)
    if (description := all_descriptions().get(name)) is None:
        return None
    says = translations().get(language, {}).get(name, description.says)
    return About(name, says, dict(description.columns), LANGUAGES[0])


@cache
def translations() -> dict[str, dict[str, str]]:
    """Return the descriptions of tables and views, by language and name, in languages other than that of their
    declaration."""
    return tomllib.loads(Path(__file__).with_name("about.toml").read_text("utf-8"))


def _in_viewer(datasette: Any, address: str, chosen: dict[str, str]) -> str:
    path = str(datasette.urls.path(address))
    return f"{path}?{urlencode(chosen)}" if chosen else path
