"""The score sheet of a deal as plain text."""

from collections.abc import Callable
from textwrap import fill

from archive.judge import Judgement
from archive.text.chalk import GROUP, MOST, SheetSide, chalk_sheet
from archive.text.numbers import with_sign
from archive.text.texts import TEXTS, page_text

Loud = Callable[[str], str]


def chalk_lines(judgement: Judgement, width: int, loud: Loud = str, language: str = "en") -> str:
    """Return the score sheet of a marks game after the deal: a line, one side's strokes above it, the other's below,
    the deal's own loud; empty if the table keeps no marks."""
    sheet, chalk = chalk_sheet(judgement, TEXTS[language]), page_text("chalk", language)
    if sheet is None:
        return ""
    size = max(len(side.initials) for side in sheet.sides)
    drawn = [_strokes(side, size, chalk, loud) for side in sheet.sides]
    rule = "─" * min(width, max(len(_strokes(side, size, chalk, str)) for side in sheet.sides))
    rows = (drawn[0], rule, drawn[1]) if len(drawn) == 2 else tuple(drawn)
    return "\n".join((sheet.title, *rows, *fill(f"{sheet.text}.", width).splitlines()))


def _strokes(side: SheetSide, size: int, chalk: str, loud: Loud) -> str:
    """Return a side's initials, the word `chalk` if it has it, its strokes in groups of five, and their sum."""
    have, drawn = side.marks or 0, min(side.marks or 0, MOST)
    strokes = ["|" if n < have - side.new else loud("|") for n in range(drawn)]
    groups = " ".join("".join(strokes[n : n + GROUP]) for n in range(0, drawn, GROUP))
    total = "?" if side.marks is None else f"{have}{f' ({with_sign(side.new)})' if side.new else ''}"
    groups = groups or "o" * -have
    return f"{side.initials:{size}} {chalk if side.chalk else ' ' * len(chalk)}  {groups}  {total}"
