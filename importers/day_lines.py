"""A line of a text that tells the day of an evening, with its place or hour."""

import re
from datetime import date

from importers.dates import DATE, DAY, MONTH_NAMES, NAMED_MONTHS, WEEKDAY, WEEKDAYS, date_of, iso_day

OF_EVENINGS = "schafkopf|schafkopfabend|kartenabend|spielabend|spieltag|abend|runde|evening|am|vom|den|on"
DAY_LINE = re.compile(  # a day that begins an evening, with the place or the hour behind it
    rf"[#*_=\s–-]*(?:\d\d?\.\s(?=\D))?(?:(?:{WEEKDAYS}|{OF_EVENINGS})\b(?:\s\d\d?\b)?[.,:]*(?:\s+[–-])?\s+){{0,3}}"
    rf"(?P<date>{DATE.pattern}|(?P<short>\d\d?\.\s?"
    rf"(?:\d\d?\.|(?:{NAMED_MONTHS})\b\.?)))[*_=:,;.\s–-]*(?P<behind>|[(\[].*|(?:bei|beim|im|in|am|auf|ab|at|in)\s.*"
    r"|\d\d?[:.]\d\d(?:\s?Uhr)?.*|\d\d?\s?Uhr.*)",
    re.IGNORECASE,
)
BEGINNINGS = (("mo",), ("di", "tu"), ("mi", "we"), ("do", "th"), ("fr",), ("sa",), ("so", "su"))  # of weekdays


def day_of_line(text: str, before: str | None) -> str | None:
    """Return the ISO date of a line that tells a day alone, or with the place or the hour behind it: without a year the
    next such day from the ISO date `before` on, "" if that is unknown or another weekday; None for any other line."""
    match = DAY_LINE.fullmatch(text)
    if match is None:
        return None
    if not match["short"]:
        return date_of(match) or ""
    day = re.fullmatch(DAY, match["short"])
    if before is None or day is None:
        return ""
    number = MONTH_NAMES[day["name"].casefold()] if day["name"] else int(day["month"])
    first = int(before[:4])
    days = [each for year in (first, first + 1) if (each := iso_day(year, number, int(day["day"]))) and each >= before]
    named = re.match(WEEKDAY, text)
    fits = days and (named is None or named[0][:2].casefold() in BEGINNINGS[date.fromisoformat(days[0]).weekday()])
    return days[0] if fits else ""
