"""A judged deal for the terminal: its parts as `archive.web.plain` words them, in colour."""

from collections.abc import Iterator
from functools import partial
from shutil import get_terminal_size

import click

from archive.audit import Judgement
from archive.audit.sentences import say_reason
from archive.cli.check import VERDICTS
from archive.web import plain

RED = partial(click.style, fg="red")
BRIGHT = partial(click.style, bold=True, fg="yellow")


def width() -> int:
    """Of the terminal; lines longer than a hundred or so are hard to read."""
    return min(get_terminal_size().columns, 120)


def title(found: Judgement) -> str:
    """What was played, the verdict, when and where."""
    verdict = click.style(found.verdict, fg=VERDICTS[found.verdict], bold=True)
    return f"{click.style(plain.title(found), bold=True)}  {verdict}\n{plain.occasion(found)}".rstrip()


def whole(found: Judgement, seat: int | None, language: str = "en") -> Iterator[str]:
    """The parts of the page, empty ones left out; with `seat` the other hands stay hidden."""
    room = width()
    parts = (
        "\n".join(filter(None, (title(found), plain.facts(found), plain.incomplete(found, room)))),
        "\n".join(filter(None, (plain.lying(found), plain.phases(found, room)))),
        plain.hands(found, seat),
        plain.tricks(found, room, RED),
        plain.settlement(found, room, language),
        "\n".join(filter(None, (plain.payments(found, room), plain.left(found)))),
        plain.score_sheet(found, room, BRIGHT),
        plain.accounts(found, room),
        plain.inferred(found),
        plain.findings(found) or say_reason(found, language),
    )
    return (part for part in parts if part.strip())
