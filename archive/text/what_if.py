"""A deal settled by several rulesets, line beside line."""

from collections.abc import Sequence

from archive.judge import Judgement
from archive.judge.sentences import say_line
from archive.text.deal import deal_title, headings, signed_amount
from archive.text.numbers import with_sign
from archive.text.tables import tabulate
from archive.text.texts import TEXTS, page_text

Key = tuple[object, ...]


def what_if_table(judgements: Sequence[Judgement], names: Sequence[str], width: int, language: str) -> str:
    """Return the title of a deal, then a table with a column for each ruleset, by its name: the lines of its
    settlement, the verdict, and what each player pays or is paid."""
    first = judgements[0]
    rows = [
        *what_if_lines(judgements, language),
        (page_text("verdict", language), *(TEXTS[language][judgement.verdict] for judgement in judgements)),
        *what_if_amounts(judgements),
    ]
    head = (*headings(("settlement",), language), *names)
    room = max(24, width - 14 * len(judgements))
    align = ("left", *("right" for _ in judgements))
    table = tabulate(rows, head, "simple", colalign=align, maxcolwidths=[room], disable_numparse=True)
    return f"{deal_title(first, language)}\n{table}"


def what_if_lines(judgements: Sequence[Judgement], language: str) -> list[tuple[str, ...]]:
    """Return each line of any settlement in words, and its amount by each ruleset, empty if that has none."""
    texts: dict[Key, str] = {}
    amounts: list[dict[Key, str]] = []
    for judgement in judgements:
        own: dict[Key, str] = {}
        for line in judgement.settlement.lines if judgement.settlement else ():
            alike = sum(key[:2] == (line.part, line.who) for key in own)
            key = line.part, line.who, alike  # the row that it shares with similar lines
            texts.setdefault(key, say_line(judgement, line, language))
            own[key] = signed_amount(line, language)
        amounts.append(own)
    return [(text, *(own.get(key, "") for own in amounts)) for key, text in texts.items()]


def what_if_amounts(judgements: Sequence[Judgement]) -> list[tuple[str, ...]]:
    """Return the payment of each player, or the marks, by each ruleset; a question mark if it is open."""
    settled = [judgement.settlement for judgement in judgements]
    results = [None if each is None else each.payments or each.marks for each in settled]
    return [
        (name, *("?" if result is None else with_sign(result[seat]) for result in results))
        for seat, name in enumerate(judgements[0].session.players)
    ]
