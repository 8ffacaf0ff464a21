"""How the dates of a score sheet are to be read: the year of those without one, and whether the month stands first."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from importers.score_sheet.cells import DATE, DAY, MONTH_NAMES, WEEKDAY, date_of

MONTHS_OF_A_YEAR = 12


class SheetDates(NamedTuple):
    """The years that the dates of a sheet name; `month_first`: its dates with a slash are as in 11/24/2026."""

    years: frozenset[int] = frozenset()
    month_first: bool = False


def dates_of(titles: list[str], cells: Iterable[str]) -> SheetDates:
    """How the dates of a sheet are to be read, by all of them: those of its titles and of its column of dates."""
    cells = [*cells]
    matches = [match for text in (*titles, *cells) for match in DATE.finditer(text)]
    month_first = is_month_first(matches)
    days = [iso_date(match, month_first) for match in matches]
    named = {int(year) for text in titles for year in re.findall(r"(?<!\d)20\d\d(?!\d)", text)}
    return SheetDates(frozenset({int(day[:4]) for day in days if day} or named), month_first)


def is_month_first(matches: list[re.Match[str]]) -> bool:
    """Whether dates with a slash have the month first: one of them can only be so, and none the other way round."""
    slashed = [(int(match["d"]), int(match["m"])) for match in matches if match["slash"]]
    first_is_day = any(first > MONTHS_OF_A_YEAR for first, _ in slashed)
    return not first_is_day and any(second > MONTHS_OF_A_YEAR for _, second in slashed)


def iso_date(match: re.Match[str], month_first: bool) -> str | None:
    """The ISO date of a text that DATE has found; None where there is no such day."""
    again = DATE.match(f"{match['m']}/{match['d']}/{match['y']}") if month_first and match["slash"] else None
    return date_of(again or match)


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
