"""The texts of the questions in every language, a file for each subject: titles, how to read an answer, columns.

Files are merged, so that a further language can have a file of its own.
"""

from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from archive.cards import NUMBER, spoken_name
from archive.resources import PACKAGE, read_texts
from archive.say import LANGUAGES

FOLDER = PACKAGE / "stats" / "words"
HEADINGS = FOLDER / "subjects.toml"


class Translations:
    """A text in every language. Raises ValueError if a language is missing or unknown."""

    def __init__(self, texts: dict[str, str]) -> None:
        if set(texts) != set(LANGUAGES):
            raise ValueError(f"texts in {', '.join(texts)}, not in {', '.join(LANGUAGES)}: {texts}")
        self.texts = texts

    @property
    def en(self) -> str:
        return self.texts["en"]

    def of(self, language: str) -> str:
        return self.texts[language]


class QuestionTexts(Struct, frozen=True, forbid_unknown_fields=True):
    """A question as it is asked, and how to read its answer."""

    title: Translations
    read: Translations


class AllTexts(Struct, frozen=True, forbid_unknown_fields=True):
    subjects: dict[str, Translations]
    columns: dict[str, Translations]
    questions: dict[str, QuestionTexts]


@cache
def all_texts() -> AllTexts:
    """Return all texts; headings stand in the order of `subjects.toml`, with those in a subject's own file after
    them."""
    parts: dict[str, Any] = {}
    for path in (HEADINGS, *sorted({*FOLDER.glob("*.toml")} - {HEADINGS})):
        merge(parts, read_texts(path))
    return msgspec.convert(parts, AllTexts, dec_hook=lambda kind, texts: kind(texts))


def merge(into: dict[str, Any], rows: dict[str, Any]) -> None:
    """Add rows to nested tables, in place."""
    for key, row in rows.items():
        if isinstance(row, dict):
            merge(into.setdefault(key, {}), row)
        else:
            into[key] = row


def column_text(name: str, language: str = "en") -> str:
    """Return the meaning of a column of a question; the ends of an interval are described by the rate they belong
    to."""
    columns = all_texts().columns
    if name in NUMBER:
        return f"{spoken_name(name)}: {columns['of_card'].of(language)}"
    rate, _, end = name.rpartition("_")
    if name not in columns and end in ("low", "high"):
        return f"{columns[rate].of(language)}: {columns[end].of(language)}"
    return columns[name].of(language)
