"""Days and moments in the reader's language: `9 July 2001`, `9. Juli 2001, 20:15 Uhr`."""

import datetime
from contextlib import suppress
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from archive.record.days import parse_day
from archive.say.catalogue import day_in_words, rows
from archive.text.wording import Texts


def format_day(text: str | None, t: Texts) -> str:
    """Return a year, a month or a day, such as `2001-07-09`, in words; other texts are unchanged, None is empty."""
    return day_in_words(text, t["lang"]) if text and parse_day(text) == text else text or ""


def format_moment(at: str, t: Texts, zone: str | None = None) -> str:
    """Return a day, or a moment with its hour, in words; a text that is neither is unchanged.

    A moment of universal time is given by the clock of `zone` (`Europe/Berlin`), else of this machine; any other by the
    clock it was written by. If that clock is universal time too, it says so.
    """
    try:
        moment = datetime.datetime.fromisoformat(at)
    except ValueError:
        return at
    if len(at) <= len("2026-11-14"):
        return format_day(at, t)
    if moment.utcoffset() == datetime.timedelta(0):
        with suppress(OverflowError):  # at the ends of the calendar
            moment = moment.astimezone(clock_of(zone))
    words = rows(t["lang"])["language.moment"].format(
        day=format_day(moment.date().isoformat(), t), hour=f"{moment:%H:%M}"
    )
    return f"{words} (UTC)" if moment.utcoffset() == datetime.timedelta(0) else words


def is_zone(zone: str) -> bool:
    """Return whether there is a time zone of that name, which any may be where the system knows none at all."""
    return bool(clock_of(zone) or not clock_of("UTC"))


def clock_of(zone: str | None) -> ZoneInfo | None:
    """Return the clock of a time zone; None if there is none of that name, which in an older archive may
    be any text."""
    try:
        return ZoneInfo(zone) if zone else None
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a folder of time zones, or a name too long for a file
        return None
