"""The terminal: how wide it is, and a judged deal on it, its parts in colour."""

from collections.abc import Iterator
from functools import partial
from shutil import get_terminal_size

import click

from archive.audit import Judgement
from archive.audit.sentences import say_reason
from archive.cli.verdicts import VERDICTS
from archive.text import deal as deal_text

RED = partial(click.style, fg="red")
BRIGHT = partial(click.style, bold=True, fg="yellow")


def width() -> int:
    """How many characters a line has: as the terminal, 120 at most, since longer ones are hard to read."""
    return min(get_terminal_size().columns, 120)


def capitalize(text: str) -> str:
    """A text with a capital at its beginning; the rest stays as it is."""
    return f"{text[:1].upper()}{text[1:]}"


def deal_title(judgement: Judgement) -> str:
    """What was played, the verdict, when and where."""
    verdict = click.style(judgement.verdict, fg=VERDICTS[judgement.verdict], bold=True)
    return f"{click.style(deal_text.title(judgement), bold=True)}  {verdict}\n{deal_text.occasion(judgement)}".rstrip()


def deal_parts(judgement: Judgement, seat: int | None, language: str = "en") -> Iterator[str]:
    """The parts of the page, empty ones left out; with `seat` the other hands stay hidden."""
    room = width()
    parts = (
        "\n".join(
            filter(None, (deal_title(judgement), deal_text.facts(judgement), deal_text.incomplete(judgement, room)))
        ),
        "\n".join(filter(None, (deal_text.lying(judgement), deal_text.phases(judgement, room)))),
        deal_text.hands(judgement, seat),
        deal_text.tricks(judgement, room, RED),
        deal_text.settlement(judgement, room, language),
        "\n".join(filter(None, (deal_text.payments(judgement, room), deal_text.left(judgement)))),
        deal_text.score_sheet(judgement, room, BRIGHT),
        deal_text.accounts(judgement, room),
        deal_text.inferred(judgement),
        deal_text.findings(judgement, language) or say_reason(judgement, language),
    )
    return (part for part in parts if part.strip())
