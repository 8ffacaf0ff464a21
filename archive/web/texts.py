"""Every text of the viewer by language and key: those of the room `text`, and the `words/` beside each page."""

import tomllib
from pathlib import Path

from archive.say import LANGUAGES
from archive.text.texts import TEXTS as SHARED
from archive.text.texts import texts_by_key

__all__ = ["EN", "LANGUAGES", "TEXTS"]

PAGES = Path(__file__).parent


def _texts(language: str) -> dict[str, str]:
    """Return the texts of a language; if the folder of a page is deleted, its texts are gone with it."""
    files = sorted(PAGES.rglob(f"words/{language}.toml"))
    own = [row for path in files for row in tomllib.loads(path.read_text("utf-8")).items()]
    return {**SHARED[language], **texts_by_key(own, language)}


TEXTS = {language: _texts(language) for language in LANGUAGES}
EN = TEXTS["en"]
