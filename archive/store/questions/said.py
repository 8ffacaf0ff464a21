"""What the questions say for themselves, in German and English: read from `words/`, a file for each subject."""

import tomllib
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from archive.cards import NUMBER, spoken


class Text(Struct, frozen=True, forbid_unknown_fields=True):
    """A text in both languages."""

    en: str
    de: str

    def of(self, language: str) -> str:
        return self.de if language == "de" else self.en


class Said(Struct, frozen=True, forbid_unknown_fields=True):
    """A question as it is asked, and how to read its answer."""

    title: Text
    read: Text


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    subjects: dict[str, Text]
    columns: dict[str, Text]
    questions: dict[str, Said]


@cache
def words() -> Words:
    parts: dict[str, dict[str, object]] = {"subjects": {}, "columns": {}, "questions": {}}
    for path in sorted(Path(__file__).with_name("words").glob("*.toml")):
        for part, told in tomllib.loads(path.read_text("utf-8")).items():
            parts[part] |= told
    return msgspec.convert(parts, Words)


def column(name: str, language: str = "en") -> str:
    """What a column of a question is; the ends of an interval are told by the rate that they belong to."""
    told = words().columns
    if name in NUMBER:
        return f"{spoken(name)}: {told['of_card'].of(language)}"
    rate, _, end = name.rpartition("_")
    if name not in told and end in ("low", "high"):
        return f"{told[rate].of(language)}: {told[end].of(language)}"
    return told[name].of(language)
