"""The help of commands in the language of the reader: `help.LANGUAGE.toml` has a translation of each English text.
Click's sentences on wrong use are in a gettext catalogue.

`help_pages.json` has the help of every command as calls of its formatter, so that `COMMAND --help` shows it without
importing the command. `pytest --update` writes it (`tests/cli/test_help.py`).
"""

import gettext
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from functools import cache
from typing import Any

import click

from archive.plugins import IMPORTERS, plugins
from archive.resources import PACKAGE

CATALOGUE = "click"  # of gettext: locale/LANGUAGE/LC_MESSAGES/click.mo
LANGUAGE = "SCHAFKOPF_LANG"  # in the environment: the language of what commands say
SETTINGS = (LANGUAGE, "LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides
REST = r"(?s)(.*?)((?:^|  )\[.*\])?"  # the help of an option, and its default behind it
WORD = r"\b[A-Z][A-Z_]+\b"  # placeholders: DEAL, IN_DIR
LANG_HELP = (
    "Language of findings and reasons; where it is left out, that of SCHAFKOPF_LANG, LC_ALL, LC_MESSAGES or LANG."
)
LABEL = r"(?<=\[)(default|env var|required)\b"
PLAIN = {"−": "-", "–": "-", "…": "...", "·": "-", "€": "EUR", "×": "x", "„": '"', "“": '"', "”": '"', "’": "'"}


def language_code(environment: Mapping[str, str] = os.environ) -> str:
    """Return the code of the reader's language from the environment, whether or not it is supported; empty if none is
    set."""
    setting = next((environment[key] for key in SETTINGS if environment.get(key)), "")
    return "" if setting[2:3].isalpha() else setting[:2].lower()


def speak(environment: MutableMapping[str, str] = os.environ) -> None:
    """Make click say its sentences on wrong use in the language of the reader: it asks gettext, which looks for a
    catalogue in the folder `locale`, in the language that LANGUAGE names."""
    gettext.bindtextdomain(CATALOGUE, str(PACKAGE / "cli" / "locale"))
    gettext.textdomain(CATALOGUE)
    environment["LANGUAGE"] = language_code(environment) or "en"


def plainer_signs(error: UnicodeError) -> tuple[str, int]:
    """Return what stands for signs that an encoding lacks, each as one that looks like it or as its number."""
    assert isinstance(error, UnicodeEncodeError)
    signs = error.object[error.start : error.end]
    return "".join(PLAIN.get(each, each.encode("ascii", "backslashreplace").decode()) for each in signs), error.end


@cache
def texts_of(language: str) -> dict[str, str]:
    """Return the texts of a language by the English ones; none if the language has no file."""
    path = PACKAGE / "cli" / f"help.{language}.toml"
    if not path.is_file():
        return {}
    import tomllib  # here, since the English help needs none

    return tomllib.loads(path.read_text("utf-8"))


def words_in(texts: Mapping[str, str], text: str) -> str:
    """Return a text with its placeholders translated by `texts`."""
    return re.sub(WORD, lambda match: texts.get(match[0], match[0]), text.replace("INTEGER RANGE", "INTEGER"))


class HelpFormatter(click.HelpFormatter):
    """A formatter that writes each text in the language of the reader; in English if there is no translation."""

    texts: dict[str, str]

    def word(self, text: str) -> str:
        """Return the translation of a whole text; a text that click has cut off after its first sentence or with … is
        found by its beginning."""
        whole = " ".join(text.split())
        if whole in self.texts or not whole:
            return self.texts.get(whole, text)
        beginning = whole.removesuffix("...").removesuffix(".")
        long = next((key for key in self.texts if len(beginning) > 9 and key.startswith(beginning)), None)
        first = re.match(r".*?[.?!](?= |$)", self.texts[long]) if long else None
        return first[0] if first else text

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, words_in(self.texts, args), prefix or self.texts.get("Usage: "))

    def write_heading(self, heading: str) -> None:
        super().write_heading(self.word(heading))

    def write_text(self, text: str) -> None:
        parts = re.split(r"\n\s*\n", text)
        super().write_text(
            "\n\n".join(self.examples(part) if part.startswith("\b") else self.word(part) for part in parts)
        )

    def examples(self, text: str) -> str:
        """Return examples below their heading, each told in the language where it has words of one."""
        for line in text.splitlines()[1:]:
            words = line.strip().removeprefix("schafkopf ")
            text = text.replace(words, self.texts.get(words, words))
        return text

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        super().write_dl(
            [(words_in(self.texts, first), self.description(second)) for first, second in rows], col_max, col_spacing
        )

    def description(self, text: str) -> str:
        """Return the help of an option, with its default."""
        match = re.fullmatch(REST, text)
        assert match
        return self.word(match[1]) + re.sub(LABEL, lambda label: self.texts.get(label[0], label[0]), match[2] or "")


class HelpContext(click.Context):
    """A context whose help is in the language of the environment, or of the configuration if that was read."""

    def make_formatter(self) -> click.HelpFormatter:
        texts = texts_of(language_code())
        if not texts:
            return super().make_formatter()
        formatter = HelpFormatter(width=self.terminal_width, max_width=self.max_content_width)
        formatter.texts = texts
        return formatter


# --- pages of help, without their commands ----------------------------------------------------------------------------

FORMATS = "score-sheet|"  # part of the list of formats, which other packages make longer
PAGES = PACKAGE / "cli" / "help_pages.json"
WRITING = ("write_usage", "write_heading", "write_paragraph", "write_text", "write_dl", "indent", "dedent")
Page = list[list[Any]]  # calls of a formatter: the name of each, and its arguments


class Recorder(click.HelpFormatter):
    """A formatter that writes nothing, but records its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.page: Page = []
        for name in WRITING:
            setattr(self, name, self.recording(name))

    def recording(self, name: str) -> Callable[..., None]:
        return lambda *given: self.page.append([name, *given])


def page_of(command: click.Command, context: click.Context) -> Page:
    """Return the help of a command as calls of its formatter."""
    recorder = Recorder()
    command.format_help(context, recorder)
    return recorder.page


class PageCommand(click.Command):
    """A command that has nothing but its help."""

    context_class = HelpContext

    def __init__(self, name: str, page: Page) -> None:
        super().__init__(name)
        self.page = page

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for name, *given in self.page:
            rows = ([tuple(row) for row in each] if isinstance(each, list) else each for each in given)
            getattr(formatter, name)(*rows)


def page_command(path: Sequence[str]) -> PageCommand | None:
    """Return what shows the help of the command that the words name; None if they are more than that, if there is no
    such page, or if it lists the formats and another package adds some."""
    page = json.loads(PAGES.read_text("utf-8")).get(" ".join(path))
    if page is None or (FORMATS in str(page) and plugins(IMPORTERS)):
        return None
    return PageCommand(" ".join(path), page)
