"""The rows above the head of a sheet: its date, the event, the table and the round; the unit of its amounts; and its
legend, in a row or below each other: what its short heads stand for, `A = Anna, B = Ben`."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from pathlib import PurePath

from archive.notation.game_words import is_contract
from archive.record import Source
from archive.record.names import is_like_name
from archive.say import message
from importers.dates import DATE, DAY, date_of
from importers.score_sheet.amount_columns import cell_text, hundredths_of, rows_of_deals, split_unit, tells_cents
from importers.score_sheet.cells import Money, are_floats, mentions, normalize, parse_amount, sheet_words
from importers.score_sheet.columns import ColumnMapping, Layout, row_text
from importers.score_sheet.dates import SheetDates, dates_in
from importers.score_sheet.tables import Row, Sheet
from importers.text import LEGEND

LAST_DAY = rf"(?i)(?:^|\s)({DAY})\.?\s*$"
SHORT = 2  # letters of what may stand for any name; more must begin it
FEWEST = 3  # players
LONGEST = 400  # characters of a row of a legend
CUT = re.compile(r"\s*(?:[,;|/\n]|\bund\b|\band\b)\s*")  # between what a legend explains
PAIR = re.compile(r"(?P<short>\w{1,8})(?:\s*[=:]\s*|\s[-–]\s|\s(?=\())\(?(?P<long>[^\W\d_][^=:()]*)\)?")


def date_above(titles: Sequence[str], of: SheetDates) -> tuple[str, str] | None:
    """Return the only date above the head, in the name of the worksheet or of the file, and the text with it, or None;
    a day alone has the year that the sheet says."""
    matches = [(text, match) for text in titles for match in dates_in(text)]
    sure = [(text, match) for text, match in matches if not (of.in_doubt and match["slash"])]
    dates = {day: text for text, match in sure if (day := date_of(match, of.month_first))}
    if not dates:
        ends = [(text, match[1]) for text in titles if (match := re.search(LAST_DAY, text))]
        days = [(text, f"{day.strip(' .')}.{year}") for text, day in ends if (year := of.year_at(day))]
        dates = {day: text for text, whole in days if (dated := DATE.fullmatch(whole)) and (day := date_of(dated))}
    return next(iter(dates.items())) if len(dates) == 1 else None


def name_of_file(source: Source) -> str:
    """Return the name of a file without its ending, with blanks for the signs that replace them in file names."""
    stem = PurePath(source.path).stem
    return re.sub(r"(?<=\d\d)_(?=\d\d)", "-", stem).replace("_", " ")


def tariff_above(titles: Sequence[str]) -> str | None:
    """Return the only tariff that a title names, `Tarif 10/20/50`, or None."""
    words = sheet_words()["above"]["tariff"]
    named = rf"(?i)(?<!\w)(?:{'|'.join(words)})\W{{1,3}}"
    pattern = named + r"(?P<tariff>\d[\d.,]*(?:\s?/\s?\d[\d.,]*){1,2}\s?(?:€|euro|ct|cent)?)"
    titles = [text for text in titles if mentions(text, words)]
    tariffs = {match["tariff"].strip() for text in titles for match in re.finditer(pattern, text)}
    return tariffs.pop() if len(tariffs) == 1 else None


def unit_above(texts: Sequence[str]) -> tuple[str, str] | None:
    """Return the only unit that texts above the amounts give them, `Beträge in €`, `Einheit: ct`, and the text with it,
    or None."""
    words = sheet_words()
    texts = [text for text in texts if mentions(text, ("in ", *words["above"]["unit"]))]
    units, amounts, named = (
        "|".join(map(re.escape, names)) for names in (words["units"], words["above"]["amounts"], words["above"]["unit"])
    )
    pattern = (
        rf"(?i)(?:(?<!\w)(?:{amounts}) (?:sind |are )?in |(?<!\w)(?:{named}) ?[:=]? ?|^\W?in )(?P<unit>{units})(?!\w)"
    )
    there = {words["units"][match["unit"].casefold()]: text for text in texts for match in re.finditer(pattern, text)}
    return next(iter(there.items())) if len(there) == 1 else None


def money_of(layout: Layout, mapping: ColumnMapping) -> Money:
    """Return the unit of the amounts. Two in one row with decimals or a € sign make all of them euros: one alone is
    rather a slip, for what one player pays another gets."""
    named = sheet_words()["units"].get((mapping.unit or "").casefold(), mapping.unit)
    if named == "€":
        return Money("ct", True)
    places = [*layout.payments, *layout.totals, layout.roles.get("price"), layout.roles.get("stock")]
    players = [at for at in (*layout.payments, *layout.totals) if at is not None]
    deals = rows_of_deals(layout.body, layout.roles, players)
    rows = [[amount for at in places if (amount := parse_amount(cell_text(row, at)))] for row in deals]
    of_cells = {amount.unit for amount in chain(*rows)}  # one cell with `ct` is itself in cents alone
    told = {named, *layout.units, *(() if None in of_cells else of_cells)}
    in_cents = tells_cents(layout.head, players, layout.roles.get("price"), told)
    floats = "€" not in layout.units and are_floats(chain(*rows), in_cents)
    in_euros = "€" in layout.units or (not floats and any(sum(amount.is_money for amount in row) > 1 for row in rows))
    if in_euros and named in (None, "ct"):
        return Money("ct", True, cents=frozenset(_in_cents(layout)))
    units = Counter([*layout.units, *(amount.unit for row in rows for amount in row if amount.unit)])
    return Money(named or next((unit for unit, _ in units.most_common() if unit != "€"), None), False, floats)


def _in_cents(layout: Layout) -> Sequence[int | None]:
    """Return the columns without a unit that are cents beside euros: those of payments, if totals go on by their
    hundredth, or the price or what the pot gets is one; or that of a price a hundred times the payments."""
    price, pot = layout.roles.get("price"), layout.roles.get("stock")
    blocks = (layout.payments, layout.totals, (price,), (pot,))
    paid, sums, prices, pots = (
        [[hundredths_of(cell_text(row, at)) for at in places] for row in layout.body] for places in blocks
    )
    least = [min(filter(None, map(abs, row)), default=0) for row in paid]
    added = [[now - last for last, now in zip(*both, strict=True)] for both in pairwise(sums)]
    told = (
        zip(chain(*added), chain(*paid[1:]), strict=False),
        zip(chain(*prices), least, strict=True),
        zip(chain(*pots), (-sum(row) for row in paid), strict=True),
    )
    if any(map(_are_hundredths, told)):
        return layout.payments if _are_bare(layout, layout.payments) else ()
    return [price] if _are_hundredths(zip(least, chain(*prices), strict=True)) and _are_bare(layout, [price]) else ()


def _are_hundredths(pairs: Iterable[tuple[int, int]]) -> bool:
    """Return whether most of the first of two amounts are a hundredth of the second, where there are both."""
    are = [100 * one == other for one, other in pairs if one and other]
    return 2 * sum(are) > len(are)


def _are_bare(layout: Layout, places: Sequence[int | None]) -> bool:
    """Return whether the heads of columns have no unit, and the cells no decimals."""
    amounts = (parse_amount(cell_text(row, at)) for row in layout.body for at in places)
    in_heads = any(split_unit(cell_text(layout.head, at))[1] for at in places)
    return not in_heads and not any(amount and amount.is_money for amount in amounts)


def event_above(above: Sequence[Row]) -> str | None:
    """Return the only title that names an event, or None."""
    words = sheet_words()["event"]["words"]
    titles = {text for text in map(row_text, above) if any(word in normalize(text) for word in words)}
    return titles.pop() if len(titles) == 1 else None


def number_above(above: Sequence[Row], role: str) -> str | None:
    """Return the only table or round that titles name by its number, `Tisch 3, Runde 2`, `2. Runde`, or None."""
    words = sheet_words()["above"][role]
    pattern = r"(?<!\w)(?:(?:{0})(?: nr)? (\d{{1,3}})|(\d{{1,3}}) (?:{0}))(?!\w)".format("|".join(words))
    texts = [text for row in above if mentions(text := normalize(row_text(row)), words)]
    numbers = {match[1] or match[2] for text in texts for match in re.finditer(pattern, text)}
    return numbers.pop() if len(numbers) == 1 else None


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
