"""The page of all house settings, docs/rules/settings.md, written by `pytest --update` from the types and the viewer's
words: whoever writes rules of their own finds there what can be set."""

import tomllib
from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields
from support.paths import ROOT
from support.rulesets import load_rules

from archive.rules import bundled
from archive.rules.types import EVENTS, House, Special
from archive.rules.written_names import LIMITS, usual_words

PAGE = ROOT / "docs" / "rules" / "settings.md"
WORDS = tomllib.loads((ROOT / "archive" / "web" / "rulesets" / "words" / "en.toml").read_text("utf-8"))
TEXTS = {
    "^[AZKOU9876]$": "rank",
    "^[AZKOU9876]+$": "ranks",
    "^[AZKOU9876]?$": "rank, or empty",
    "^([EGHS][AZKOU9876])?$": "card, or empty",
    "^[EGHS][AZKOU9876]$": "card",
}
NAMED = {
    "contract": "[contract](#contracts)",
    "event or contract": f"{' '.join(f'`{e}`' for e in EVENTS)}, or [contract](#contracts)",
}
BY_NAME = {
    "price": "a [contract](#contracts), a price class, `schneider` `schwarz` `runner`, or a suit of it: `solo H`",
    "table": "a [contract](#contracts), a price class, or `tout`",
    "runners_from": "a [contract](#contracts)",
    "rank": "a [contract](#contracts), `wenz tout`, `bettel open`, or a suit of it: `solo H`",
}
BEGINNING = """# Settings

All that a table can set: under `[house]` in a record or in a ruleset of one's own. A setting with a
dot is a table, `stoss = { until = "own-card" }`. What is left out is as in the ruleset that is named or extended; the
last column is what holds where no ruleset says anything. [The page of a ruleset](pub.md) has its values with their
sources, [readings](readings.md) the settings on which the documents disagree.

This page is written by `pytest --update` from `archive/rules/types.py` (`tests/rules/test_settings_page.py`).

| setting | | values | else |
|---|---|---|---|
"""


def inner_of(kind: Any) -> type[Struct] | None:
    """The struct of a setting that is a table of its own."""
    kinds = [each for each in (kind, *get_args(kind)) if isinstance(each, type) and issubclass(each, Struct)]
    return kinds[0] if kinds else None


def values_of(kind: Any) -> str:
    """What can be written, as the page says it."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        meta = inner[1]
        if inner[0] is str:
            return TEXTS[meta.pattern] if meta.pattern else NAMED[meta.description]
        most = "" if meta.le is None or meta.le >= 10**6 else f" to {meta.le}"
        return f"number from {meta.ge}{most}"
    if origin is Literal:
        return " ".join(f"`{each}`" if isinstance(each, int) else f'`"{each}"`' for each in inner)
    if origin in (Union, UnionType):
        return ", or ".join(values_of(each) for each in inner if each is not NoneType)
    if origin is tuple:
        return f"list: {values_of(inner[0])}"
    if origin is dict:
        return f"table by name: {values_of(inner[1])}"
    return {str: "text", bool: "`true` `false`", int: "number"}[kind]


def default_of(value: Any) -> str:
    shown = {None: "", True: "true", False: "false"}.get(value, value) if isinstance(value, bool | NoneType) else value
    return "" if shown in ("", (), {}) or shown is NODEFAULT else f"{shown}"


def rows(kind: type[Struct], before: str = "", default: Any = None) -> Iterator[str]:
    for field in fields(kind):
        name, inner = before + field.name, inner_of(field.type)
        value = getattr(default, field.name, field.default)
        if inner:
            yield from rows(inner, f"{name}.", None if value is NODEFAULT else value)
            continue
        key = f"r_special_{field.name}" if kind is Special else f"r_house_{name.replace('.', '_')}"
        values = values_of(field.type)
        if name in LIMITS:
            values += ', or `"none"`'
        owner = before.rstrip(".").capitalize() if kind is Special else "a contract or class"
        by = f"{name}.NAME" if values.startswith("table by name") else name
        text = WORDS[key].format(name="NAME" if by != name else owner)
        yield f"| `{by}` | {text} | {values.removeprefix('table by name: ')} | {default_of(value)} |\n"


def contracts() -> Iterator[str]:
    """The contracts of all rulesets, with their usual names."""
    names: dict[str, dict[str, None]] = {}
    for each in bundled():
        ruleset = load_rules(each)
        for row in ruleset.contracts.values():
            names.setdefault(row.id, {}).update(dict.fromkeys(row.names))
    for id, usual in sorted(names.items()):
        yield f"| `{id}` | {', '.join(usual)} |\n"


def words() -> Iterator[str]:
    """The other words that stand for something in a setting."""
    usual = usual_words()
    for written in (usual.prices, usual.events, usual.forms):
        for meaning in dict.fromkeys(written.values()):
            others = [word for word, each in written.items() if each == meaning and word != meaning]
            if others:
                yield f"| `{meaning}` | {', '.join(others)} |\n"


def names_page() -> str:
    by_name = "".join(f"| `{key}` | {names} |\n" for key, names in BY_NAME.items())
    return (
        "\n## Names in tables\n\nA key that is none of these is refused, with the name that is written nearly so.\n\n"
        f"| setting | NAME is |\n|---|---|\n{by_name}"
        '\n## Limits\n\nA limit that a table does not have is `"none"` or `false`: `cap = "none"`. '
        "A limit of 0 on what is paid is refused: then nothing would ever be paid.\n"
        "\n## Contracts\n\nA setting that takes a contract takes its id or any of its names, in capitals or not, with "
        "or without hyphens. A suit in the name, as in Herzsolo, has a price or a rank of its own; in a list it stands "
        "for the contract in every suit, with a note.\n\n"
        f"| contract | names |\n|---|---|\n{''.join(contracts())}"
        f"\n## Other words\n\n| word | also |\n|---|---|\n{''.join(words())}"
    )


def page() -> str:
    return BEGINNING + "".join(rows(House)) + names_page()


def test_the_page_of_settings_is_current(update: bool) -> None:
    if update:
        PAGE.write_text(page(), "utf-8")
    assert PAGE.read_text("utf-8") == page()
