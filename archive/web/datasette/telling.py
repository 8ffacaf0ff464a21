"""The metadata of an archive in Datasette: titles, descriptions, facets, labels and the prepared queries."""

import tomllib
from functools import cache
from typing import Any

from archive.resources import resource_dir
from archive.stats import FACTS, OF_PARTS, QUESTIONS, query_sql
from archive.stats.part_facts import LARGE_PARTS, table_of
from archive.stats.texts import all_texts
from archive.store.schema_page import all_descriptions

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
            "description": _how(name, question.narrow),
        }
        for name, question in QUESTIONS.items()
    }


def _how(name: str, narrow: tuple[str, ...]) -> str:
    read = all_texts().questions[name].read.en
    all_of_it = f"An empty field means all: {', '.join(narrow)}. " if narrow else ""
    return f"{read} {all_of_it}Whole, without a limit of rows: the view {name}."


def question_queries() -> dict[str, dict[str, Any]]:
    """Return the prepared query of each standard question."""
    return {name: dict(query) for name, query in _canned_queries().items()}
