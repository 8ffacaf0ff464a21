"""How to read the dates of a score sheet: the year of those without one, and whether the month stands first."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from archive.notation.problem import refuse_entry
from archive.say import message
from importers.dates import DATE, DAY, MONTH_NAMES, MONTHS_OF_A_YEAR, NO_DATE, TIME, WEEKDAY, date_of, is_month_first
from importers.score_sheet.cells import mentions, sheet_words

HALF_A_YEAR = 6  # months
OF_MAIL = r"(?i)\b(?:schrieb|wrote|gesendet|sent)\b"  # with the date of a mail, not of an evening
OF_A_SPAN = r"(?i)\d\.(?:[ –—+&-]|und|bis|and|to)+$"  # before the last of several days: `13.–15.11.2026`


SEASON = r"(?<!\d)(20\d\d)\s?[/–-]\s?(?:20)?(\d\d)(?![\d/.–-])"  # from autumn to spring
AUTUMN, SPRING = 9, 4  # the months from which on, and until which, the year of a season is certain


class SheetDates(NamedTuple):
    """The years that dates without one can have; `season`: the first year of a title like 2026/27, else 0;
    `month_first`: dates with a slash are as in 11/24/2026; `day_first`:
    they are read as in 24/11/2026, though each could be either; `in_doubt`: nobody knows, below an English head."""

    years: frozenset[int] = frozenset()
    season: int = 0
    month_first: bool = False
    day_first: bool = False
    in_doubt: bool = False

    def year_of(self, month: int) -> int | None:
        """Return the year of a day in a month that has none beside it, or None if nobody says it."""
        if self.season:
            return self.season if month >= AUTUMN else self.season + 1 if month <= SPRING else None
        return min(self.years) if len(self.years) == 1 else None

    def lacks_year(self, text: str) -> bool:
        """Return whether a text is a day whose year nobody says, a day of the week, or a number alone."""
        return re.fullmatch(NO_DATE, text) is not None or (match_day(text) is not None and self.year_at(text) is None)

    def year_at(self, text: str) -> int | None:
        """Return the year of a text that is a day without one, or None if it is none, or nobody says the year."""
        match = match_day(text)
        return self.year_of(_month_of(match)) if match else None


def match_day(text: str) -> re.Match[str] | None:
    """Return the match of a text that is a day without a year, perhaps behind a day of the week."""
    return re.fullmatch(DAY, re.sub(WEEKDAY, "", text, count=1))


def dates_of(titles: list[str], cells: Iterable[str], is_english: bool = False) -> SheetDates:
    """Return how to read the dates of a sheet, judged by all of them: those of its titles and of its column of dates.
    If days without a year pass the end of one, they get none. `is_english`: the head of the dates is."""
    cells = [*cells]
    matches = [match for text in titles for match in dates_in(text)]
    matches += [match for text in cells for match in DATE.finditer(text)]
    pairs = [(int(match["d"]), int(match["m"])) for match in matches if match["slash"]]
    month_first = is_month_first(pairs)
    days = [date_of(match, month_first) for match in matches]
    named = {int(year) for text in titles for year in re.findall(r"(?<!\d)20\d\d(?!\d)", text)}
    years = frozenset({int(day[:4]) for day in days if day} or named)
    either = bool(pairs) and not month_first and not any(first > MONTHS_OF_A_YEAR for first, _ in pairs)
    spans = [text for text in titles if "20" in text and not {*"/–-"}.isdisjoint(text)]
    seasons = {int(first) for text in spans for first, second in re.findall(SEASON, text) if is_next(first, second)}
    rests = [re.sub(WEEKDAY, "", text, count=1) for text in cells if text]
    told = [(re.fullmatch(DAY, rest), DATE.match(rest)) for rest in rests]
    months = [_month_of(day) if day else int((date_of(date) or "")[5:7] or 0) if date else 0 for day, date in told]
    falls = any(before - month > HALF_A_YEAR for before, month in pairwise(filter(None, months)))
    over_new_year = falls and any(day for day, _ in told)
    return SheetDates(
        frozenset() if over_new_year else years,
        seasons.pop() if len(seasons) == 1 else 0,
        month_first,
        either and not is_english,
        either and is_english,
    )


def is_next(first: str, second: str) -> bool:
    """Return whether two digits are those of the year after the first."""
    return (int(first) + 1) % 100 == int(second)


def _month_of(day: re.Match[str]) -> int:
    return MONTH_NAMES[day["name"].casefold()] if day["name"] else int(day["month"])


def dates_in(text: str) -> Iterator[re.Match[str]]:
    """Yield the dates in a title; numbers that rise by steps of five, as in `10/20/50`, and whatever follows
    the word `Tarif`, are a tariff and no date; behind `Ausdruck` or `nächster Termin` it is no date of the sheet."""
    words = sheet_words()
    if re.search(OF_MAIL, text):
        return
    if mentions(text, words["above"]["tariff"]):
        text = re.sub(rf"(?i)(?<!\w)(?:{'|'.join(words['above']['tariff'])})\W{{1,3}}\d[\d./,-]*", " ", text)
    last = 0
    for match in DATE.finditer(text):
        numbers = [int(match[key]) for key in ("d", "m", "y")] if match["slash"] and len(match["y"]) == 2 else []
        rises = numbers == sorted(set(numbers)) and not any(number % 5 for number in numbers)
        before, last = text[last : match.start()], match.end()
        is_saved = mentions(before, words["days"]["saved"]) or (
            not match.start() and text[last:].strip(" ,:()").casefold() in words["days"]["saved"]
        )
        if not is_saved and not (numbers and rises) and not re.search(OF_A_SPAN, before):
            yield match


def with_dates(text: str, dates: SheetDates) -> str:
    """Return a date in the sheet's reading, with its day first and its year, if the sheet names only one; any other
    text unchanged."""
    weekday = re.match(WEEKDAY, text)
    rest = text[weekday.end() :] if weekday else text
    if dates.month_first and (match := DATE.match(rest)) and match["slash"]:
        return f"{match['m']}/{match['d']}/{match['y']}{rest[match.end() :]}"
    match = re.fullmatch(DAY, rest)
    year = dates.year_of(_month_of(match)) if match else None
    return text if match is None or year is None else f"{year}-{_month_of(match):02}-{int(match['day']):02}"


def read_date(key: str, text: str) -> tuple[str, str | None]:
    """Return the ISO date of a cell, and its time of day or None; a year of two digits is of this century. Raise
    Problem for anything else."""
    weekday = re.match(WEEKDAY, text)
    text = text[weekday.end() :] if weekday else text
    match = DATE.match(text)
    day = date_of(match) if match else None
    if match is None or day is None:
        is_counted = bool(re.fullmatch(r"[34]\d{4}", text))
        refuse_entry(key, text, message("importers.counted-day") if is_counted else message("importers.date"))
    rest = text[match.end() :]
    clock = re.fullmatch(TIME, rest)
    if rest and not clock:
        refuse_entry(key, text, message("importers.date"))
    if not clock:
        return day, None
    half = (clock["half"] or "").casefold()
    hour = int(clock[1]) % 12 + 12 * (half in ("p", "n")) if half else int(clock[1])
    return day, f"{day}T{hour:02}:{clock[2]}{(clock['zone'] or '').upper()}"
