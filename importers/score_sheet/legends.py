"""The legend of a score sheet: what its short heads stand for, `A = Anna, B = Ben`, in a row or below each other."""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from archive.notation.game_words import is_contract
from archive.record.names import is_like_name
from archive.say import message
from importers.score_sheet.cells import normalize, sheet_words
from importers.score_sheet.columns import ColumnMapping, Layout, row_text
from importers.score_sheet.tables import Row, Sheet
from importers.text import LEGEND

SHORT = 2  # letters of what may stand for any name; more must begin it
FEWEST = 3  # players
LONGEST = 400  # characters of a row of a legend
CUT = re.compile(r"\s*(?:[,;|/\n]|\bund\b|\band\b)\s*")
PAIR = re.compile(r"(?P<short>\w{1,8})(?:\s*[=:]\s*|\s[-–]\s|\s(?=\())\(?(?P<long>[^\W\d_][^=:()]*)\)?")


def with_legend(sheet: Sheet) -> Sheet:
    """Return a sheet whose short heads a legend explains without the rows of that, and with what they mean; any other
    as it is."""
    pairs = {row.line: found for row in sheet.rows if not row.broken and (found := _pairs_of(row))}
    each = [pair for found in pairs.values() for pair in found]
    names = {short: long for short, long in dict(each).items() if not is_contract(long)}
    heads = [row for row in sheet.rows if row.line not in pairs and names.keys() <= {*row.cells}]
    is_clear = len({*names.values()}) == len(names) and len({*each}) == len(dict(each))
    if not each or not heads or not is_clear or 0 < len(names) < FEWEST:
        return sheet
    legend = "; ".join(row_text(row) for row in sheet.rows if row.line in pairs)
    return sheet._replace(
        rows=[row for row in sheet.rows if row.line not in pairs],
        legend=tuple(dict(each).items()),
        evidence=(*sheet.evidence, ("players", message("importers.note-legend", text=legend))),
    )


def _pairs_of(row: Row) -> Sequence[tuple[str, str]]:
    """Return what a row says that abbreviations mean; nothing if it says anything else."""
    texts = [text for text in row.cells if text]
    if sum(map(len, texts)) > LONGEST:
        return ()
    pairs = [(texts[0].rstrip(" =:"), texts[1])] if len(texts) == 2 and not is_contract(texts[1]) else []
    if not pairs or not _is_pair(*pairs[0]):
        if texts and normalize(texts[0]) in sheet_words()["columns"]["declarer"]:
            texts = texts[1:]
        parts = [part for text in texts for part in CUT.split(LEGEND.sub("", text))]
        pairs = [(match["short"], match["long"].strip()) for part in parts if (match := PAIR.fullmatch(part))]
        pairs = pairs if len(pairs) == len(parts) else []
    return pairs if all(_is_pair(short, long) for short, long in pairs) else ()


def _is_pair(short: str, long: str) -> bool:
    is_short = len(short) <= SHORT or long.casefold().startswith(short.casefold())
    return short.strip(".0123456789") != "" and short != long and is_short and (is_contract(long) or is_like_name(long))


def named_by_legend(layout: Layout, mapping: ColumnMapping, sheet: Sheet) -> tuple[Layout, ColumnMapping]:
    """Return the layout with the names that the legend of the sheet gives the players, and the mapping with its words:
    what a file beside the sheet says takes precedence."""
    legend = dict(sheet.legend)
    words = {short: long for short, long in legend.items() if is_contract(long)}
    return replace(layout, players=tuple(legend.get(name, name) for name in layout.players)), replace(
        mapping, nicknames=legend | mapping.nicknames, words=words | mapping.words
    )
