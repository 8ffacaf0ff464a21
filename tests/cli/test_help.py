"""The help of the command line in German: every text of every command, and none that no command has any more."""

import inspect
import json
import os
from collections.abc import Iterator
from itertools import chain

import click
import pytest
from click.testing import CliRunner
from support.commands import EVERY
from support.running import run

from archive.cli.groups import examples_of_commands
from archive.cli.help import PAGES, Page, language_code, page_command, page_of, texts_of
from archive.cli.main import COMMANDS, SECTIONS, main

FRAME = {  # words of click, and those that stand for what is to be put in
    *("Usage: ", "Options", "Commands", "Examples:", "default", "required", "env var", "Show this message and exit."),
    *(key for key in texts_of("de") if key.isupper()),
    *chain.from_iterable(examples_of_commands().values()),
}


def english() -> Iterator[str]:
    """Each text of the help that can be translated."""
    yield from (f"{line}." for _, line in COMMANDS.values())
    yield from SECTIONS
    for command in (main, *EVERY.values()):
        for text in (command.help, command.epilog):
            parts = inspect.cleandoc(text or "").split("\n\n")
            yield from (" ".join(part.split()) for part in parts if part and not part.startswith("\b"))
        options = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
        yield from (" ".join(option.help.split()) for option in options if option.help)


def test_every_text_of_the_help_is_there_in_german_and_no_other() -> None:
    texts = {*english()}
    assert sorted(texts - texts_of("de").keys()) == []
    assert sorted(texts_of("de").keys() - texts - FRAME) == []
    assert [text for text, german in texts_of("de").items() if text in texts and german == text] == ["Server"]


def test_help_is_asked_for_in_any_number_of_words() -> None:
    for words in (["help"], ["help", "help"], ["help", "show"], ["help", "help", "show"]):
        assert run(*words).output == run(*words[-1:] * (words[-1] != "help"), "--help").output


@pytest.mark.parametrize("words", [[], ["show"], ["audit"], ["audit", "explain"], ["scale", "check"]])
def test_the_help_speaks_the_language_of_the_environment(words: list[str]) -> None:
    german, english = (run(*words, "--help", SCHAFKOPF_LANG=language).output for language in ("de", "en"))
    assert german.startswith("Aufruf: ")
    assert "Diese Hilfe zeigen und beenden." in german
    assert not {"Usage:", "Options:", "Commands:", "Examples:", "[default", "DEAL", "IN_DIR"} & {*german.split()}
    assert "Show this message and exit." in english


def test_a_language_without_a_help_gets_the_english_one() -> None:
    assert run("--help", SCHAFKOPF_LANG="fr").output.startswith("Usage: ")
    assert language_code({"LANG": "de_AT.UTF-8"}) == "de"
    assert language_code({"LANG": "deutsch"}) == ""
    assert language_code(os.environ | {"SCHAFKOPF_LANG": "en", "LANG": "de"}) == "en"


WORDS_OF_PROSE = {"won", "lost", "runners", "house", "typed", "misread", "two", "person", "nobody", "agree"}


def test_examples_and_placeholders_speak_german_too() -> None:
    """The words of an example are those that a reader of that language would type."""
    for path in examples_of_commands():
        told = run(*path.split(), "--help", SCHAFKOPF_LANG="de").output
        examples = told.partition("Beispiele:")[2]
        assert not WORDS_OF_PROSE & {*examples.replace('"', " ").replace(",", " ").split()}, path
        head = told.partition("Beispiele:")[0]
        assert not {"RULESET", "NAMES", "[YEAR]", "DAY", "SOURCE", "PLAYER", "[default:"} & {*head.split()}, path


def test_every_command_takes_a_language() -> None:
    for words, command in EVERY.items():
        if not isinstance(command, click.Group):
            german = run(*words.split(), "--lang", "de", "--no-such-option", SCHAFKOPF_LANG="en")
            assert (german.exit_code, german.stderr.startswith("Aufruf: ")) == (2, True), german.stderr


# --- the pages of help ------------------------------------------------------------------------------------------------


def own_pages() -> dict[str, Page]:
    """The help of every command, by its words, as the command itself has it."""
    pages = {}
    for path in EVERY:
        context = main.context_class(main, info_name="schafkopf", help_option_names=["-h", "--help"])
        for name in path.split():
            inner = context.command.get_command(context, name)  # type: ignore[attr-defined]
            context = inner.context_class(inner, info_name=name, parent=context)
        pages[path] = page_of(context.command, context)
    return pages


def test_the_pages_of_help_are_those_of_the_commands(update: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    pages = json.loads(json.dumps(own_pages()))
    if update:
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(page)}" for name, page in pages.items())
        PAGES.write_text(f"{{\n{lines}\n}}\n", "utf-8")
    assert json.loads(PAGES.read_text("utf-8")) == pages


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("words", ["check", "audit", "audit explain", "stats", "scale check", "case show"])
def test_a_page_reads_as_the_help_of_the_command(words: str, language: str) -> None:
    """With another word before it, `--help` is shown by the command."""
    env = {"SCHAFKOPF_LANG": language}
    shown, own = (
        CliRunner().invoke(main, [*words.split(), *helps], env=env, prog_name="schafkopf")
        for helps in (["-h"], ["--help", "--help"])
    )
    assert page_command(words.split())
    assert not page_command([*words.split(), "--help"])
    assert (shown.exit_code, shown.output) == (own.exit_code, own.output)


def test_what_is_no_command_has_no_page() -> None:
    assert not page_command(["xyzzy"])
    assert not page_command([])
    assert run("xyzzy", "--help").exit_code == 2
    assert "Did you mean" not in run("xyzzy").output
