"""Dates as people write them, in cells, in titles and before the messages of a chat: the ISO date of each."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise

MONTHS_OF_A_YEAR = 12
YEARS_APART = 3  # between two readings of one date, from which the later is meant
MONTHS = (
    ("januar", "jänner", "january", "jan"), ("februar", "february", "feb"), ("märz", "march", "mär", "mrz", "mar"),
    ("april", "apr"), ("mai", "may"), ("juni", "june", "jun"), ("juli", "july", "jul"), ("august", "aug"),
    ("september", "sept", "sep"), ("oktober", "october", "okt", "oct"), ("november", "nov"),
    ("dezember", "december", "dez", "dec"),
)  # fmt: skip
MONTH_NAMES = {name: number for number, names in enumerate(MONTHS, 1) for name in names}
NAMED_MONTHS = "|".join(sorted(MONTH_NAMES, key=len, reverse=True))
WEEKDAYS = (
    r"(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|mo|di|mi|do|fr|sa|so|mon|tue|wed|thu|fri|sat|sun"
)
WEEKDAY = rf"(?i:{WEEKDAYS})(?:\.,|[.,])?\s+"  # before a date; compiled, as those below, for cells that may be a day
WEEKDAY_ALONE = rf"(?i)(?:{WEEKDAYS})[.,:]?"
NO_DATE = rf"{WEEKDAY_ALONE}|\d\d?\.?"  # parts evenings, and tells no date
DATE = re.compile(
    r"(?<![\d/])(?:(?P<year>\d{4})(?P<sign>[-/])(?P<month>\d\d?)(?P=sign)(?P<day>\d\d?)"
    r"|(?P<d>\d\d?)(?:\.\s?|(?P<slash>/))(?P<m>\d\d?)(?(slash)/|\.\s?)(?P<y>\d{4}|\d\d)"
    r"|(?P<hd>\d\d?)-(?P<hm>\d\d?)-(?P<hy>\d{4})"
    rf"|(?:(?P<nd>\d\d?)(?:\.?\s+|-)|(?<![^\W\d_]))(?P<nm>{NAMED_MONTHS})\.?"
    r"(?(nd),?(?:\s+|-)(?P<ny>\d{4}|\d\d)|\s+(?P<ed>\d\d?)(?:st|nd|rd|th)?,\s+(?P<ey>\d{4})))(?![\d/])",
    re.IGNORECASE,
)
DAY = rf"(?i:(?P<day>\d\d?)\.\s?(?:(?P<month>\d\d?)\.?|(?P<name>{NAMED_MONTHS})\.?))"  # no year
TIME = (
    r"(?i)[ T](\d\d?):(\d\d)(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?P<half>[AP](?=M)|[vn](?=orm|achm))(?:M|orm\.|achm\.))?"
    r"(?: MES?Z| CES?T)?"
    r"(?P<zone>Z|(?<! \d:\d\d)(?<! \d\d:\d\d)[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?(?: Uhr)?"  # `20:00-23` is no zone
)


def iso_day(year: int, month: int, day: int) -> str | None:
    """Return an ISO date from its numbers, or None if there is no such day; a year of two digits is of this century."""
    try:
        return date(year if year > 99 else 2000 + year, month, day).isoformat()
    except ValueError:
        return None


def date_of(match: re.Match[str], month_first: bool = False) -> str | None:
    """Return the ISO date of a text that DATE has found, or None if there is no such day. With `month_first` a date
    with slashes is read as 11/24/2026."""
    year = int(match["year"] or match["y"] or match["hy"] or match["ny"] or match["ey"])
    month = MONTH_NAMES[match["nm"].casefold()] if match["nm"] else int(match["month"] or match["m"] or match["hm"])
    day = int(match["day"] or match["d"] or match["hd"] or match["nd"] or match["ed"])
    return iso_day(year, day, month) if month_first and match["slash"] else iso_day(year, month, day)


@lru_cache(1024)  # the messages of one day follow each other
def date_of_numbers(one: str, two: str, three: str, month_first: bool) -> str | None:
    """Return the ISO date of three numbers, or None if there is no such day. The year has four digits or stands last;
    the second number is the day too if it can be no month."""
    if len(one) == len("2026"):
        return iso_day(int(one), int(two), int(three))
    first, second = int(one), int(two)
    is_swapped = (month_first or second > MONTHS_OF_A_YEAR) and first <= MONTHS_OF_A_YEAR
    return iso_day(int(three), first, second) if is_swapped else iso_day(int(three), second, first)


def is_year_first(dates: Sequence[tuple[str, str, str]], month_first: bool) -> bool:
    """Return whether dates of two digits each, in the order of a chat's messages, begin with the year: the other order
    gives no days, or days that go back, or a chat that is years longer. For a single day the later reading is meant if
    years lie between the two."""
    if not dates or any(len(first) > 2 or len(last) > 2 for first, _, last in dates):
        return False
    by_year = [iso_day(int(one), int(two), int(three)) for one, two, three in dates]
    usual = [date_of_numbers(*each, month_first) for each in dates]
    if None in by_year or None in usual:
        return None not in by_year
    ordered = [[date.fromisoformat(day) for day in days if day] for days in (by_year, usual)]
    back, usual_back = (sum(later < earlier for earlier, later in pairwise(days)) for days in ordered)
    span, usual_span = ((max(days) - min(days)).days for days in ordered)
    if back != usual_back:
        return back < usual_back
    if span != usual_span:
        return span < usual_span
    return ordered[0][0].year - ordered[1][0].year > YEARS_APART


def is_month_first(pairs: Iterable[tuple[int, int]], is_usual: bool = False) -> bool:
    """Return whether the month is the first of two numbers: it can only be so in one date, or it is usual there, and in
    none can it only be the day."""
    numbers = [*pairs]
    first_is_day = any(first > MONTHS_OF_A_YEAR for first, _ in numbers)
    return not first_is_day and (is_usual or any(second > MONTHS_OF_A_YEAR for _, second in numbers))
