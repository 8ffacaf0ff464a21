"""A judged deal on the terminal, its parts in colour."""

from collections.abc import Iterator
from functools import partial

import click

from archive.cli.language import cli_text
from archive.cli.progress import width
from archive.cli.verdicts import VERDICTS, basis_text
from archive.judge import Judgement
from archive.judge.sentences import say_reason
from archive.text import deal as deal_text
from archive.text.chalk_lines import chalk_lines

RED = partial(click.style, fg="red")
BRIGHT = partial(click.style, bold=True, fg="yellow")


def deal_title(judgement: Judgement, language: str = "en") -> str:
    """Return the title of a deal, its verdict and basis, when and where it was played."""
    verdict = click.style(cli_text(judgement.verdict, language), fg=VERDICTS[judgement.verdict], bold=True)
    title = click.style(deal_text.deal_title(judgement, language), bold=True)
    return f"{title}  {verdict}{basis_text(judgement.basis, language)}\n{deal_text.occasion(judgement)}".rstrip()


def deal_parts(judgement: Judgement, seat: int | None, language: str = "en") -> Iterator[str]:
    """Yield the parts of the page, without empty ones; with `seat` the other hands stay hidden."""
    room = width()
    head = (
        deal_title(judgement, language),
        deal_text.result_line(judgement, language),
        deal_text.incomplete_note(judgement, room, language),
    )
    before = (deal_text.rounds_line(judgement, language), deal_text.before_play(judgement, room, language, seat))
    after = (deal_text.payment_lines(judgement, room, language), deal_text.ledger_change(judgement, language))
    parts = (
        "\n".join(filter(None, head)),
        "\n".join(filter(None, before)),
        deal_text.dealt_hands(judgement, seat, language),
        deal_text.trick_table(judgement, room, RED, language),
        deal_text.settlement_table(judgement, room, language),
        "\n".join(filter(None, after)),
        chalk_lines(judgement, room, BRIGHT, language),
        deal_text.comparison_table(judgement, room, language),
        deal_text.inferred_lines(judgement, language),
        deal_text.finding_lines(judgement, language) or say_reason(judgement, language),
    )
    return (part for part in parts if part.strip())
