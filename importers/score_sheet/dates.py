"""How the dates of a score sheet are to be read: the year of those without one, and whether the month stands first."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from importers.dates import DATE, DAY, MONTH_NAMES, WEEKDAY, date_of, is_month_first


class SheetDates(NamedTuple):
    """The years that the dates of a sheet name; `month_first`: its dates with a slash are as in 11/24/2026."""

    years: frozenset[int] = frozenset()
    month_first: bool = False


def dates_of(titles: list[str], cells: Iterable[str]) -> SheetDates:
    """How the dates of a sheet are to be read, by all of them: those of its titles and of its column of dates."""
    cells = [*cells]
    matches = [match for text in (*titles, *cells) for match in DATE.finditer(text)]
    month_first = is_month_first((int(match["d"]), int(match["m"])) for match in matches if match["slash"])
    days = [date_of(match, month_first) for match in matches]
    named = {int(year) for text in titles for year in re.findall(r"(?<!\d)20\d\d(?!\d)", text)}
    return SheetDates(frozenset({int(day[:4]) for day in days if day} or named), month_first)


def with_dates(text: str, dates: SheetDates) -> str:
    """A date as the sheet has them, with its day first and its year, if the sheet names one year only; any other text
    as it is."""
    weekday = WEEKDAY.match(text)
    rest = text[weekday.end() :] if weekday else text
    if dates.month_first and (match := DATE.match(rest)) and match["slash"]:
        return f"{match['m']}/{match['d']}/{match['y']}{rest[match.end() :]}"
    match = DAY.fullmatch(rest)
    if match is None or len(dates.years) != 1:
        return text
    month = MONTH_NAMES[match["name"].casefold()] if match["name"] else int(match["month"])
    return f"{min(dates.years)}-{month:02}-{int(match['day']):02}"
