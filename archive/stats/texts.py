"""The texts of the questions in German and English, a file for each subject: titles, how to read an answer, columns."""

import tomllib
from functools import cache

import msgspec
from msgspec import Struct

from archive.cards import NUMBER, spoken
from archive.resources import PACKAGE

FOLDER = PACKAGE / "stats" / "words"


class Bilingual(Struct, frozen=True, forbid_unknown_fields=True):
    """A text in both languages."""

    en: str
    de: str

    def of(self, language: str) -> str:
        return self.de if language == "de" else self.en


class QuestionTexts(Struct, frozen=True, forbid_unknown_fields=True):
    """A question as it is asked, and how to read its answer."""

    title: Bilingual
    read: Bilingual


class AllTexts(Struct, frozen=True, forbid_unknown_fields=True):
    subjects: dict[str, Bilingual]
    columns: dict[str, Bilingual]
    questions: dict[str, QuestionTexts]


@cache
def all_texts() -> AllTexts:
    """All texts; headings stand in the order of `subjects.toml`, and those that a subject has in its own file after
    them."""
    parts: dict[str, dict[str, object]] = {"subjects": {}, "columns": {}, "questions": {}}
    headings = FOLDER / "subjects.toml"
    for path in (headings, *sorted({*FOLDER.glob("*.toml")} - {headings})):
        for part, rows in tomllib.loads(path.read_text("utf-8")).items():
            parts[part] |= rows
    return msgspec.convert(parts, AllTexts)


def column_text(name: str, language: str = "en") -> str:
    """The meaning of a column of a question; the ends of an interval are named by the rate that they belong to."""
    columns = all_texts().columns
    if name in NUMBER:
        return f"{spoken(name)}: {columns['of_card'].of(language)}"
    rate, _, end = name.rpartition("_")
    if name not in columns and end in ("low", "high"):
        return f"{columns[rate].of(language)}: {columns[end].of(language)}"
    return columns[name].of(language)
