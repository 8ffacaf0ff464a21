"""The games of a hand in words and as a table: was this a Solo?"""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import NamedTuple

from archive.analysis.contracts import LEAST, Declared, Prospect, chance_at_table, is_same
from archive.judge import Judgement
from archive.judge.types import unit_of_deal
from archive.say import Message, message, say
from archive.text.numbers import format_decimal, format_money, format_share
from archive.text.tables import tabulate
from archive.text.texts import TEXTS
from archive.text.wording import Texts, game_title, texts_of

COLUMNS = ("game", "won", "average", "table")


class ProspectText(NamedTuple):
    """A game of a hand: its name, how often it is won with open cards, what it brings on average, how often such a hand
    is won at the table (empty if no archive is asked), and whether it was declared."""

    game: str
    won: str
    average: str
    at_table: str
    was_declared: bool


def prospect_texts(
    judgement: Judgement, found: Sequence[Prospect], t: Texts, declared: Mapping[str, Declared]
) -> list[ProspectText]:
    """Return each game in words, with standard errors for shares and averages; `declared` are the games, by contract,
    that its chance at the table is calibrated on."""
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
            at_table=chance_text(each, declared.get(each.game.contract), t),
            was_declared=played is not None and is_same(each.game, played),
        )
        for each in found
    ]


def chance_text(prospect: Prospect, declared: Declared | None, t: Texts) -> str:
    """Return the chance of a game at the table with its interval and the number of deals it is calibrated on, or else
    how few there are."""
    if declared is None:
        return ""
    chance = chance_at_table(prospect, declared)
    if chance is None:
        return say(message("analysis.chance-few", deals=declared.deals), t["lang"])
    share, low, high = (format_share(each, t) for each in (chance.share, chance.low, chance.high))
    return say(message("analysis.chance", chance=share, low=low, high=high, deals=chance.deals), t["lang"])


def calibration_text(language: str) -> str:
    """Return a sentence on how chances at the table are calculated."""
    return say(message("analysis.contracts-calibrated", deals=LEAST), language)


def contracts_head(judgement: Judgement, seat: int, found: Sequence[Prospect]) -> Message:
    """Return the sentence above the table."""
    return message("analysis.contracts", player=judgement.session.players[seat], worlds=found[0].worlds)


def contracts_lines(
    judgement: Judgement,
    seat: int,
    found: Sequence[Prospect],
    width: int,
    language: str,
    declared: Mapping[str, Declared],
) -> Iterator[str]:
    """Yield the games of a hand for the terminal, in lines of at most `width` characters."""
    t = texts_of(judgement.ruleset, TEXTS[language])
    texts, columns = prospect_texts(judgement, found, t, declared), len(COLUMNS) if declared else len(COLUMNS) - 1
    yield from wrap(say(contracts_head(judgement, seat, found), language), width)
    yield ""
    head = [say(message(f"analysis.column-{key}"), language) for key in COLUMNS[:columns]]
    yield tabulate([each[:columns] for each in texts], head, "simple", disable_numparse=True)
    yield ""
    for each in texts:
        if each.was_declared:
            yield from wrap(say(message("analysis.contracts-declared", game=each.game), language), width)
    yield from wrap(say(message("analysis.contracts-how"), language), width)
    if declared:
        yield from wrap(calibration_text(language), width)
