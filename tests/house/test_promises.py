"""The page of what is promised, docs/promises.md, written by `pytest --update`: every public name, so that none is lost
or changed unseen."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from support.commands import EVERY
from support.doors import writing_app
from support.paths import ROOT

from archive import library
from archive.explain.types import rows
from archive.notation import json_schema
from archive.record import severities
from archive.rules import bundled
from archive.stats import QUESTIONS
from archive.store import open_archive
from archive.store.schema_page import all_descriptions
from archive.web.api.routes import openapi_document
from importers import IMPORTERS

PAGE = ROOT / "docs" / "promises.md"
NAME = re.compile(r"`([^`]+)`")
BEGINNING = """# What is promised

From 1.0 on these names and what they mean are kept until 2.0: a new version adds to them and takes nothing away, so
that a script, a query, a record, a link or a program of yours goes on working.

* **Commands**: names, options, exit status, what `--json` prints. Sentences, tables and colours may change.
* **Records**: every key and every [setting](rules/settings.md); a record of today is read the same by every later
  version.
* **Archives**: tables, views, columns and what is in them; one of every earlier version is brought up by `schafkopf
  upgrade`. Indexes may change, and tables whose name begins with `large_`.
* **Findings and causes**: their ids. Their sentences may change.
* **Viewer**: addresses, so that links stay; what `/api/v1` takes and answers. Looks may change, and whatever lies under
  `/static`.
* **Python**: what [the library](library.md) names. Every other module may change.
* **Verdicts**: an amount is what the rules of the document say. Where a version corrects one, the
  [changelog](../CHANGELOG.md) names the rule, and `schafkopf audit compare` shows the deals.

What has to go is first told in the changelog and by the command that uses it, and goes with 2.0. This page is written
by `pytest --update tests/house/test_promises.py`, which refuses to lose a name.
"""


def options_of(command: click.Command) -> str:
    """A command's options and arguments as one writes them."""
    shown = [max(each.opts, key=len) for each in command.params if isinstance(each, click.Option) and not each.hidden]
    return " ".join(f"`{name}`" for name in shown)


def keys_of(types: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The keys of every struct of a JSON Schema."""
    for name, kind in sorted(types.items()):
        if keys := kind.get("properties", {}):
            yield name, listed(keys)


def listed(names: Any) -> str:
    return " ".join(f"`{name}`" for name in names)


def addresses(folder: Path) -> list[str]:
    """The addresses of the viewer with all its doors."""
    open_archive(folder / "archive.db").close()
    with writing_app(folder / "archive.db") as (app, _):
        return sorted({rule.rule for rule in app.url_map.iter_rules() if rule.endpoint != "static"})


def page(folder: Path) -> str:
    """The page, its lists written from the program."""
    tables = ((name, listed(each.columns)) for name, each in all_descriptions().items() if name not in QUESTIONS)
    parts = {
        "Commands": ((f"schafkopf {words}", options_of(command)) for words, command in EVERY.items()),
        "Records": keys_of(json_schema()["$defs"]),
        "Tables and views": tables,
        "Standard questions": ((name, listed(all_descriptions()[name].columns)) for name in QUESTIONS),
        "Interface for programs": keys_of(openapi_document("1", "/api/v1")["components"]["schemas"]),
    }
    lists = {
        "Addresses": addresses(folder),
        "Formats": sorted(each.NAME for each in IMPORTERS),
        "Rules": sorted(bundled()),
        "Findings": sorted(severities()),
        "Causes": sorted(rows().cause),
        "Names of the library": sorted(library.__all__),
    }
    text = [BEGINNING]
    for title, pairs in parts.items():
        text.append(f"## {title}\n\n" + "\n".join(f"* `{name}`: {rest}".removesuffix(": ") for name, rest in pairs))
    text += [f"## {title}\n\n{listed(names)}" for title, names in lists.items()]
    return "\n\n".join(part.rstrip("\n") for part in text) + "\n"


def names_of(text: str) -> set[tuple[str, str, str]]:
    """Every name of the page with the part, and the line's first name, that it stands under."""
    found = set()
    for part in text.split("\n## ")[1:]:
        title, *lines = part.splitlines()
        for line in lines:
            names = NAME.findall(line)
            first = names[0] if line.startswith("*") else ""
            found |= {(title, first, name) for name in names}
    return found


def test_no_public_name_is_lost_and_the_page_has_all(tmp_path: Path, update: bool) -> None:
    now = page(tmp_path)
    promised = PAGE.read_text("utf-8") if PAGE.exists() else ""
    assert names_of(promised) - names_of(now) == set(), "these names were promised: give them back"
    if update:
        PAGE.write_text(now, "utf-8")
    assert PAGE.read_text("utf-8") == now, "pytest --update tests/house/test_promises.py"
