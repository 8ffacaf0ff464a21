"""Groups of commands: imported when they are used, listed by section, each with examples in its help."""

import codecs
import gc
import importlib
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from functools import cache
from io import TextIOWrapper
from itertools import dropwhile, pairwise
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource, augment_usage_errors

from archive.cli.help import (
    LANG_HELP,
    LANGUAGE,
    HelpContext,
    language_code,
    page_command,
    plainer_signs,
    speak,
    texts_of,
    words_in,
)
from archive.resources import LANGUAGES, read_tables, read_texts

WORDS, EXAMPLES = (Path(__file__).with_name(name) for name in ("command_words.toml", "examples.toml"))
SURE = 0.8  # how alike a word is to one that stands for a command
MOST = 1_000  # characters of the first sentence of a help, which no list cuts off
GIVEN = f"{__name__}.given"  # the place in a running command of the words that follow the options of the program
ARCHIVE = ".db"  # how the file of an archive ends
TAKE_FILES = ("given", "file", "files", "archives", "path", "paths")  # arguments
LANG = click.Option(("--lang", "spoken"), type=click.Choice(LANGUAGES), expose_value=False, help=LANG_HELP)
INTERRUPTED = 130  # the exit status after Ctrl-C, as in archive/own_files.py


class CommandContext(HelpContext):
    """The context of a command, in which an archive that cannot be used, or whatever goes wrong in a damaged one, is
    reported as a sentence with exit status 2, without a traceback."""

    def invoke(self, callback: Any, /, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().invoke(callback, *args, **kwargs)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            from archive.cli.archive_sentences import raise_as_sentence  # here, since most commands end well

            path = kwargs.get("db")
            with augment_usage_errors(self):
                raise_as_sentence(error, str(path) if path else None)


class ListGroup(click.Group):
    """A group that lists something without a command. Its options go to the command that is named after them; one that
    this has not is wrong use."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        known = {word for param in command.params for word in param.opts} if command else set()
        for param in self.params if self.invoke_without_command else ():
            if param.name in ctx.params and ctx.get_parameter_source(param.name) is ParameterSource.COMMANDLINE:
                word = param.opts[-1]
                if word not in known and not ctx.resilient_parsing:
                    from archive.cli.language import wrong_use  # here, as below, since most commands end well

                    raise wrong_use("no-such-part", name=f"{ctx.info_name} {name}", option=word)
                rest = [word, *(() if getattr(param, "is_flag", False) else (str(ctx.params[param.name]),)), *rest]
        return name, command, rest


class LazyGroup(ListGroup):
    """A group that imports a command only when it is used; `modules` has for each its module and a line of help,
    `sections` the commands below each heading of the list (empty: all below one)."""

    context_class = HelpContext
    owns_process = False  # it ends with the command

    def __init__(
        self,
        *names: Any,
        modules: Mapping[str, tuple[str, str]],
        sections: Mapping[str, Sequence[str]] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(*names, **settings)
        self.modules = modules
        self.sections = sections or {"Commands": tuple(modules)}

    def main(self, args: Sequence[str] | None = None, *others: Any, **extra: Any) -> Any:
        """Run the program. `--lang` among the words sets the language at once, so that wrong use is reported in it;
        `help COMMAND` is `COMMAND --help`."""
        words = sys.argv[1:] if args is None else args
        named = next((value for key, value in pairs_of(words) if key == "--lang" and value in LANGUAGES), None)
        before = os.environ.get(LANGUAGE)
        if named:
            os.environ[LANGUAGE] = named
        speak()
        self.owns_process = args is None
        if self.owns_process:
            codecs.register_error("plainer", plainer_signs)
            for stream in (sys.stdout, sys.stderr):
                if isinstance(stream, TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
                    stream.reconfigure(errors="plainer")
        try:
            asked = [*dropwhile("help".__eq__, words)]
            return super().main(args if len(asked) == len(words) else [*asked, "--help"], *others, **extra)
        finally:
            if named and before is None:
                del os.environ[LANGUAGE]
            elif named and before is not None:
                os.environ[LANGUAGE] = before

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a command; an option with an empty value, perhaps an unset variable, is wrong use, and one
        before the command that it belongs to is too."""
        for key, value in pairs_of(args):
            if key.startswith("-") and key != "--json" and not (value.strip() or ctx.resilient_parsing):
                from archive.cli.language import wrong_use  # here, as below, since most commands end well

                raise wrong_use("empty", option=key)
        name = next((word for word in args if word in self.modules), None)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            command = self.get_command(ctx, name) if name else None
            if command is None or not any(error.option_name in param.opts for param in command.params):
                raise
            from archive.cli.language import wrong_use

            raise wrong_use("behind-command", option=error.option_name, command=name) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; name a wrong or missing argument as its usage does, in the language of the reader. Ctrl-C
        ends it silently."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(INTERRUPTED) from None
        except click.ClickException as error:
            if isinstance(error, click.BadParameter) and isinstance(error.param, click.Argument) and error.ctx:
                error.param_hint = words_in(texts_of(language_code()), error.param.get_error_hint(error.ctx))
            if path := stray_archive(ctx.meta.get(GIVEN, ()), error):
                from archive.cli.language import say_to_reader
                from archive.say import message

                complaint = error.format_message().rstrip(".")
                text = f"{complaint}. {say_to_reader(message('use.archive-by-db', path=path))}"
                ctx.meta[GIVEN] = ()
                raise click.UsageError(text, ctx) from None
            raise

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command `NAME` under that name in its module, or `NAME_` if it is a word of Python."""
        if cmd_name not in self.modules:
            return None
        gc.disable()  # importing hundreds of modules leaves no garbage
        module = importlib.import_module(self.modules[cmd_name][0])
        if self.owns_process:
            gc.freeze()  # what they hold stays to the end: no collection looks at it again
        gc.enable()
        command = getattr(module, f"{cmd_name}_", None) or getattr(module, cmd_name)
        return finished_command(command, (*path_of(ctx), cmd_name)) if isinstance(command, click.Command) else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the command that is named first, and what follows it; an unknown word is wrong use, and the nearest
        command is suggested. For `COMMAND --help`, return a command that has nothing but its help."""
        ctx.meta.setdefault(GIVEN, args)
        if args[-1:] in (["-h"], ["--help"]) and (page := page_command(args[:-1])):
            return page.name, page, args[-1:]
        if args and args[0] not in self.modules and not args[0].startswith("-"):
            error = click.NoSuchCommand(args[0], possibilities=self.modules, ctx=ctx)
            error.possibilities = meant_commands(args[0], self.modules) or error.possibilities  # type: ignore[misc]
            raise error
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, without importing any."""
        wide = max(map(len, self.modules))
        for title, names in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(wide), f"{self.modules[name][1]}.") for name in names])


def pairs_of(words: Sequence[str]) -> list[tuple[str, str]]:
    """Return each word with the next, and the halves of each that begins as an option and has an equals sign: options
    and values among them."""
    halves = (word.partition("=") for word in words if word.startswith("--"))
    return [*pairwise(words), *((key, value) for key, equals, value in halves if equals)]


def stray_archive(given: Sequence[str], error: click.ClickException) -> str | None:
    """Return the word of a command line that is an archive, where only `--db` takes one; None if there is none, or if
    the command takes files as they are given."""
    context = getattr(error, "ctx", None)
    params = context.command.params if context else ()
    if "--db" in given or any(isinstance(each, click.Argument) and each.name in TAKE_FILES for each in params):
        return None
    return next((word for word in given if word.casefold().endswith(ARCHIVE) and Path(word).is_file()), None)


def meant_commands(word: str, known: Collection[str]) -> list[str]:
    """Return the commands that a word of another language, or of the trade, stands for, spelt nearly so; none if the
    group has none of them."""
    from archive.say import nearest  # here, as above, since a help begins at once

    words = read_texts(WORDS)["commands"]
    word = word.casefold()
    meant = word if word in known else words.get(nearest(word, words, SURE))
    return [meant] if meant and meant.split()[0] in known else []


def path_of(ctx: click.Context) -> tuple[str, ...]:
    """Return the words by which a command is called, without the program's own."""
    return () if ctx.parent is None else (*path_of(ctx.parent), ctx.info_name or "")


@cache
def examples_of_commands() -> dict[str, list[str]]:
    """Return examples for every command: words that can be typed, each after `schafkopf`."""
    return read_tables(EXAMPLES)


def finished_command(command: click.Command, path: tuple[str, ...]) -> click.Command:
    """Return a command that takes `--lang`, which `LazyGroup.main` reads if the command does not, whose help ends with
    its examples, and whose errors are sentences; if it is a group that is imported whole, its commands too."""
    shown = copy(command)
    shown.context_class = CommandContext
    acts = not isinstance(command, click.Group) or command.invoke_without_command
    if acts and all(each.name != "language" for each in command.params):
        shown.params = [*command.params, LANG]
    if examples := examples_of_commands().get(" ".join(path)):
        lines = "\n".join(("\b", "Examples:", *(f"  schafkopf {each}" for each in examples)))
        shown.epilog = "\n\n".join(filter(None, (lines, command.epilog)))
    shown.short_help = command.get_short_help_str(MOST)
    if isinstance(shown, click.Group):
        shown.commands = {name: finished_command(each, (*path, name)) for name, each in shown.commands.items()}
    return shown
