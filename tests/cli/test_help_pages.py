"""What `COMMAND --help` shows without the command, by `archive/cli/help_pages.json`, is the command's own help."""

import json
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner
from support.running import run

from archive.cli.help import PAGES, Page, page_command, page_of
from archive.cli.main import main


def commands(group: click.Group, context: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    """All commands below a group, each in its context."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        inner = command.context_class(command, info_name=name, parent=context)
        yield command, inner
        if isinstance(command, click.Group):
            yield from commands(command, inner)


def own_pages() -> dict[str, Page]:
    """The help of every command, by its words, as the command itself has it."""
    context = main.context_class(main, info_name="schafkopf", help_option_names=["-h", "--help"])
    return {
        each.command_path.removeprefix("schafkopf "): page_of(command, each)
        for command, each in commands(main, context)
    }


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
