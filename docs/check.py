"""Checks the documentation against the project: links lead somewhere, commands and options exist, none is missing."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from archive.cli import main

ROOT = Path(__file__).parents[1]
FIRST = "0.1"
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "benchmarks" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]


def broken_links(page: Path) -> Iterator[str]:
    """Yield relative links that lead to no file."""
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
        if not re.match(r"[a-z]+:", target) and not (page.parent / target).exists():
            yield f"the link {target} leads nowhere"


def commands(page: Path) -> Iterator[list[str]]:
    """Yield the words of every `schafkopf …` in code of a page."""
    text = page.read_text("utf-8")
    code = re.findall(r"```sh\n(.*?)```", text, re.DOTALL) + re.findall(r"`([^`\n]+)`", text)
    for line in "\n".join(code).splitlines():
        for call in re.findall(r"(?:^|[\s/])schafkopf ([a-z][^|&;#]*)", line):
            yield call.split()


def wrong_commands(page: Path) -> Iterator[str]:
    """Yield commands and options that do not exist."""
    context = click.Context(main)
    for words in commands(page):
        command = main.get_command(context, words[0])
        if command is None:
            yield f"there is no command: schafkopf {words[0]}"
            continue
        known = {name for option in command.params for name in option.opts}
        if isinstance(command, click.Group):
            parts = (command.get_command(context, name) for name in command.list_commands(context))
            known |= {name for part in parts if part for option in part.params for name in option.opts}
        for word in words[1:]:
            if word.startswith("--") and word.rstrip("…]").split("=")[0] not in known | {"--help"}:
                yield f"schafkopf {words[0]} has no option {word}"


def undocumented() -> Iterator[str]:
    """Yield commands that the page of all jobs does not name."""
    page = ROOT / "docs" / "what-it-can-do.md"
    named = {words[0] for words in commands(page)}
    for name in main.list_commands(click.Context(main)):
        if name not in named:
            yield f"{page.relative_to(ROOT)} does not name the command: schafkopf {name}"


def releases() -> list[str]:
    """Return the versions of the changelog, the newest first; figures measured before it named one are of the first."""
    return [*re.findall(r"^## (\d+\.\d+)\.\d+", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE), FIRST]


def stale_figures(page: Path) -> Iterator[str]:
    """Yield results that a page rests on and that are of a version more than one release old."""
    for target in set(re.findall(r"\]\([^)\s]*?benchmarks/results/((?:round/)?[\w-]+\.md)", page.read_text("utf-8"))):
        text = (ROOT / "benchmarks" / "results" / target).read_text("utf-8")
        named = re.search(r"schafkopf-archive (\d+\.\d+)", text)
        version = named[1] if named else FIRST
        if version not in releases()[:2]:
            yield f"the figures of {target} are of version {version}: run them again, or strike them"


def unlisted_benchmarks() -> Iterator[str]:
    """Yield benchmarks that write a result but are missing from their table, and rows of it without a benchmark."""
    folder = ROOT / "benchmarks"
    listed = {*re.findall(r"^\| `(\w+)", (folder / "README.md").read_text("utf-8"), re.MULTILINE)}
    there = {path.stem for path in folder.glob("*.py") if "\n@benchmark(" in path.read_text("utf-8")}
    yield from (f"benchmarks/README.md does not name {name}.py" for name in sorted(there - listed))
    yield from (f"benchmarks/README.md names {name}, which is no benchmark" for name in sorted(listed - there))


def complaints() -> Iterator[str]:
    for page in PAGES:
        for why in (*broken_links(page), *wrong_commands(page), *stale_figures(page)):
            yield f"{page.relative_to(ROOT)}: {why}"
    yield from undocumented()
    yield from unlisted_benchmarks()


if __name__ == "__main__":
    found = list(complaints())
    print("\n".join(found) or f"documentation: {len(PAGES)} pages agree with the project")
    sys.exit(bool(found))
