"""The texts that the terminal, paper and pages share, by language and key; `format` fills their fields.

A field `{n:card|cards}` is the form of a word that the number asks for, as in the catalogue of sentences.
"""

from collections.abc import Iterable
from string import Formatter
from typing import Any

from archive.say import LANGUAGES
from archive.say.catalogue import plural_rule, rows

ROOM = "text."  # in front of the keys of this room in the catalogue


class PluralText(str):
    """A text with a field that depends on a number; `language` has the rule."""

    language: str

    def format(self, *args: object, **facts: object) -> str:
        """The text with its fields filled."""
        return PluralFormatter(self.language).vformat(self, args, facts)


class PluralFormatter(Formatter):
    """Fills `{n:card|cards}` with the form that the number `n` asks for in a language."""

    def __init__(self, language: str) -> None:
        self.plural = plural_rule(language)

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" not in format_spec:
            return str(super().format_field(value, format_spec))
        forms = format_spec.split("|")
        return forms[min(self.plural(abs(int(value))), len(forms) - 1)]


def fillable(pairs: Iterable[tuple[str, str]], language: str) -> dict[str, str]:
    """Texts by key, those with plural forms such that `format` knows the language."""
    texts = dict(pairs)
    for key, text in texts.items():
        if "|" in text:
            texts[key] = PluralText(text)
            texts[key].language = language  # type: ignore[attr-defined]
    return texts


def _shared(language: str) -> dict[str, str]:
    own = ((key.removeprefix(ROOM), text) for key, text in rows(language).items() if key.startswith(ROOM))
    # The names of cards, before a ruleset names its pack; and the pack that a reader chose, if any.
    return {"lang": language, "faces": "german", "chosen": ""} | fillable(own, language)


TEXTS: dict[str, dict[str, str]] = {language: _shared(language) for language in LANGUAGES}
EN = TEXTS["en"]
