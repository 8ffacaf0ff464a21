"""The help of the command line in German: every text of every command, and none that no command has any more."""

import inspect
import os
from collections.abc import Iterator
from itertools import chain

import click
import pytest
from support.running import run

from archive.cli.groups import examples_of_commands
from archive.cli.help import language_code, texts_of
from archive.cli.main import COMMANDS, SECTIONS, main

FRAME = {  # words of click, and those that stand for what is to be put in
    *("Usage: ", "Options", "Commands", "Examples:", "default", "required", "env var", "Show this message and exit."),
    *(key for key in texts_of("de") if key.isupper()),
    *chain.from_iterable(examples_of_commands().values()),
}


def commands(group: click.Group, context: click.Context) -> Iterator[click.Command]:
    """A group, and all commands below it."""
    yield group
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command
        if isinstance(command, click.Group):
            yield from commands(command, click.Context(command, parent=context, info_name=name))
        else:
            yield command


def english() -> Iterator[str]:
    """Each text of the help that can be translated."""
    yield from (f"{line}." for _, line in COMMANDS.values())
    yield from SECTIONS
    for command in commands(main, click.Context(main)):
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


def commands_of(group: click.Group) -> Iterator[tuple[str, ...]]:
    """The words of every command below a group."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        inner = commands_of(command) if isinstance(command, click.Group) else ()
        yield from ((name, *words) for words in inner) if inner else ((name,),)


@pytest.mark.parametrize("words", [*commands_of(main)], ids=" ".join)
def test_every_command_takes_a_language(words: tuple[str, ...]) -> None:
    german = run(*words, "--lang", "de", "--no-such-option", SCHAFKOPF_LANG="en")
    assert (german.exit_code, german.stderr.startswith("Aufruf: ")) == (2, True), german.stderr
