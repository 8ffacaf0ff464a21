"""The games of a hand in words and as a table: was this a Solo?"""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from tabulate import tabulate

from archive.analysis.contracts import Prospect, is_same
from archive.judge import Judgement
from archive.judge.types import unit_of_deal
from archive.say import Message, message, say
from archive.text.numbers import format_decimal, format_money, format_share
from archive.text.texts import TEXTS
from archive.text.wording import Texts, game_title, texts_of

COLUMNS = ("game", "won", "average")


class ProspectText(NamedTuple):
    """A game of a hand: its name, how often it is won, what it brings on average, and whether it was declared."""

    game: str
    won: str
    average: str
    was_declared: bool


def prospect_texts(judgement: Judgement, found: Sequence[Prospect], t: Texts) -> list[ProspectText]:
    """Each game in words, shares and averages with their standard errors."""
    unit = unit_of_deal(judgement) or ""
    played = judgement.deal.game

    def error(value: float) -> str:
        shown = format_money(round(value), unit, t) if unit == "ct" else format_decimal(value, 1, t)
        return shown.lstrip("+")

    return [
        ProspectText(
            game=game_title(each.game, judgement.ruleset, t),
            won=f"{format_share(each.share, t)} ± {format_share(each.share_error, t)}",
            average=f"{format_money(round(each.average), unit, t)} ± {error(each.error)}",
            was_declared=played is not None and is_same(each.game, played),
        )
        for each in found
    ]


def contracts_head(judgement: Judgement, seat: int, found: Sequence[Prospect]) -> Message:
    """The sentence above the table."""
    return message("analysis.contracts", player=judgement.session.players[seat], worlds=found[0].worlds)


def contracts_lines(
    judgement: Judgement, seat: int, found: Sequence[Prospect], width: int, language: str
) -> Iterator[str]:
    """The games of a hand for the terminal, in lines of `width` characters at most."""
    t = texts_of(judgement.ruleset, TEXTS[language])
    texts = prospect_texts(judgement, found, t)
    yield from wrap(say(contracts_head(judgement, seat, found), language), width)
    yield ""
    head = [say(message(f"analysis.column-{key}"), language) for key in COLUMNS]
    yield tabulate([each[:3] for each in texts], head, "simple", disable_numparse=True)
    yield ""
    for each in texts:
        if each.was_declared:
            yield from wrap(say(message("analysis.contracts-declared", game=each.game), language), width)
    yield from wrap(say(message("analysis.contracts-how"), language), width)
