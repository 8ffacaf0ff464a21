"""Findings: errors as values, with a place, a rule id and facts. Their texts stand in `archive.say`."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from archive.resources import read_texts
from archive.say import Message, say

Severity = Literal["error", "warning", "note"]

NOWHERE = Path("<pasted>")  # the folder of a text that comes from no file: no other file is looked for there


class Source(Struct, frozen=True):
    """A place in a file that was read: lines and deals of a session count from 1, the hash is of the whole file."""

    path: str
    line: int = 1
    end_line: int | None = None
    sha256: str = ""
    deal: int | None = None  # its number once it is judged; in reading its position, unreadable ones counted too


class Finding(Struct, frozen=True):
    """Something wrong or worth knowing. `at` is the moment in the deal, `T` or `T.C`; `facts` fill the text of the
    rule; `faces` are those of the table's pack."""

    rule: str
    severity: Severity
    source: Source | None = None
    at: str | None = None
    facts: dict[str, Any] = {}
    faces: str = "german"
    text: str = ""  # as kept by an archive made before facts were stored

    @property
    def message(self) -> str:
        """The text, without a capital at its beginning or a full stop at its end."""
        return self.text or say_finding(self)


@cache
def severities() -> Mapping[str, Severity]:
    """Return every rule that a finding can have, with how severe it is."""
    return read_texts(Path(__file__).with_name("findings.toml"))


def finding(rule: str, source: Source | None = None, at: str | None = None, **facts: Any) -> Finding:
    """Return a finding of `rule` with its facts. Raise KeyError if there is no such rule."""
    return Finding(rule, severities()[rule], source, at, facts)


def message_of(finding: Finding) -> Message:
    """Return the message of a finding, to be a fact of another."""
    return Message(f"findings.{finding.rule}", finding.facts)


def say_finding(finding: Finding, language: str = "en") -> str:
    """Return the text of a finding, without a capital at its beginning or a full stop at its end: in English if an
    archive keeps nothing else."""
    return finding.text or say(message_of(finding), language, finding.faces)


def kind_of(rule: str, language: str = "en") -> str:
    """Return what findings of `rule` are called in a list, in a few words; the id itself if there is no such rule."""
    return say(Message(f"kinds.{rule}"), language) if rule in severities() else rule


def remedy(rule: str, language: str = "en") -> str:
    """Return the advice on a finding of `rule`, in one or more sentences."""
    return say(Message(f"remedies.{rule}"), language)
