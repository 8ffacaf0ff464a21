"""The texts that the terminal, paper and pages share, by language and key; `format` fills their fields."""

from collections.abc import Iterable

from archive.say import Fact, fill, make_sayer
from archive.say.catalogue import rows

ROOM = "text"  # in the catalogue


class Text(str):
    """A text of a language with the fields of the catalogue of sentences."""

    language: str

    def format(self, *args: object, **facts: Fact) -> str:
        """Return the text with its fields filled."""
        return fill(self, facts, self.language)


def texts_by_key(pairs: Iterable[tuple[str, str]], language: str) -> dict[str, str]:
    """Return texts by key; those with fields know the language for `format`."""
    texts = {key: Text(text) if "{" in text else text for key, text in pairs}
    for text in texts.values():
        if isinstance(text, Text):
            text.language = language
    return texts


class SharedTexts(dict[str, dict[str, str]]):
    """The texts by key of each language, read when they are first needed."""

    def __missing__(self, language: str) -> dict[str, str]:
        # The faces of cards until a ruleset names its pack, and the pack that a reader chose, if any.
        texts = {"lang": language, "faces": "german", "chosen": ""}
        self[language] = texts | texts_by_key(rows(language).room(ROOM).items(), language)
        return self[language]


TEXTS = SharedTexts()
page_text = make_sayer("page.")
