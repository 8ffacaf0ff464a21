"""Findings: errors as values, with a place, a rule id and what to do. Their words are data, in `findings.toml`."""

import tomllib
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from archive.record.german import ANYTHING, Template, filled, template

Severity = Literal["error", "warning", "note"]

NOWHERE = Path("<pasted>")  # the folder of a text that comes from no file: nothing is looked for beside it


class Source(Struct, frozen=True):
    """A place in a file that was read: lines and deals of a session count from 1, the hash is of the whole file."""

    path: str
    line: int = 1
    end_line: int | None = None
    sha256: str = ""
    deal: int | None = None  # its number once it is judged; in reading its position, unreadable ones counted too


class Finding(Struct, frozen=True):
    """Something wrong or worth knowing. `at` is the moment in the deal, `T` or `T.C`; `facts` feed the message."""

    rule: str
    severity: Severity
    message: str
    source: Source | None = None
    at: str | None = None
    facts: dict[str, Any] = {}


class Wording(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of `findings.toml`: `says` is a format string over the facts, `do` tells the reader what to do; `de` and
    `do_de` are their German, as `archive.record.german` reads it."""

    severity: Severity
    says: str
    do: str
    de: str = ""
    do_de: str = ""


@cache
def wordings() -> dict[str, Wording]:
    """Every finding there is, by rule id."""
    text = Path(__file__).with_name("findings.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Wording])


def finding(rule: str, source: Source | None = None, at: str | None = None, **facts: Any) -> Finding:
    """A finding of `rule`, worded from its row."""
    row = wordings()[rule]
    return Finding(rule, row.severity, row.says.format(**facts), source, at, facts)


def counted(count: int, word: str) -> str:
    """A number of things in words: one card, two cards."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def in_german(each: Finding, names: Collection[str] = ()) -> Finding:
    """The finding with its message in German; `names` are the players. The message is translated, not made again, so
    that names and cards in it stay as they were shown."""
    row = wordings().get(each.rule)
    told = filled(template(row.says, row.de), each.message, names) if row and row.de else None
    return each if told is None else msgspec.structs.replace(each, message=told[0])


def message_in_german(text: str, names: Collection[str] = ()) -> str | None:
    """A message, or the sentence made of one, of which only the text is known; None where it is none of ours."""
    lower = f"{text[:1].lower()}{text[1:]}"
    for row in _templates():
        told = [each[0] for form in (text, lower) if (each := filled(row, form, names)) and not each[1]]
        if told:  # as a message it begins with a phrase of ours, or with a name
            return told[0] if told[0].casefold() == told[-1].casefold() else told[-1]
    return None


@cache
def _templates() -> tuple[Template, ...]:
    """Those of the messages, the most telling first."""
    found = (template(row.says, row.de) for row in wordings().values() if row.de and row.says != ANYTHING)
    return tuple(sorted(found, key=lambda each: -sum(map(len, each.literals))))


def remedy(rule: str, language: str = "en") -> str:
    """What to do about a finding of `rule`, in English (`en`) or German (`de`)."""
    row = wordings()[rule]
    return (row.do_de if language == "de" else "") or row.do
