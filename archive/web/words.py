"""Every word of the viewer's own pages, by language: read from `words/*.toml`, where the languages stand side by side.

Texts with braces are format strings. What the engine says (findings, reasons, settlement lines) comes worded from it.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path

LANGUAGES = ("en", "de")
WORDS = Path(__file__).with_name("words")


def _read() -> Iterator[tuple[str, dict[str, str]]]:
    for path in sorted(WORDS.glob("*.toml")):
        yield from tomllib.loads(path.read_text("utf-8")).items()


def _texts(language: str) -> dict[str, str]:
    every = {key: words[language] for key, words in _read() if language in words}
    return {"lang": language, "faces": "german", "chosen": ""} | every  # the names of cards; "chosen" by the reader


TEXTS = {language: _texts(language) for language in LANGUAGES}
EN = TEXTS["en"]
