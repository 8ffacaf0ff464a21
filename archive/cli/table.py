"""A judged deal for the terminal: its parts as `archive.text.deal` words them, in colour."""

from collections.abc import Iterator
from functools import partial
from shutil import get_terminal_size

import click

from archive.audit import Judgement
from archive.cli.check import VERDICTS
from archive.text import deal as deal_text

RED = partial(click.style, fg="red")
BRIGHT = partial(click.style, bold=True, fg="yellow")


def width() -> int:
    """Of the terminal; lines longer than a hundred or so are hard to read."""
    return min(get_terminal_size().columns, 120)


def title(found: Judgement) -> str:
    """What was played, the verdict, when and where."""
    verdict = click.style(found.verdict, fg=VERDICTS[found.verdict], bold=True)
    return f"{click.style(deal_text.title(found), bold=True)}  {verdict}\n{deal_text.occasion(found)}".rstrip()


def whole(found: Judgement, seat: int | None) -> Iterator[str]:
    """The parts of the page, empty ones left out; with `seat` the other hands stay hidden."""
    room = width()
    parts = (
        "\n".join(filter(None, (title(found), deal_text.facts(found), deal_text.incomplete(found, room)))),
        "\n".join(filter(None, (deal_text.lying(found), deal_text.phases(found, room)))),
        deal_text.hands(found, seat),
        deal_text.tricks(found, room, RED),
        deal_text.settlement(found, room),
        "\n".join(filter(None, (deal_text.payments(found, room), deal_text.left(found)))),
        deal_text.score_sheet(found, room, BRIGHT),
        deal_text.accounts(found, room),
        deal_text.inferred(found),
        deal_text.findings(found) or found.reason,
    )
    return (part for part in parts if part.strip())
