"""Days as they are recorded, searched for and typed: a year, a month or a day."""

import datetime
import re

DAY = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)
DAWN = 6  # the hour at which an evening ends
LOCAL = re.compile(r"(?:(?:(\d\d?)\.\s*)?(\d\d?)\.\s*)?(\d{4})", re.ASCII)


def tonight(now: datetime.datetime | None = None) -> datetime.date:
    """Return the day on which the evening of a moment (None: this one) began; it goes on after midnight."""
    return ((now or datetime.datetime.now()) - datetime.timedelta(hours=DAWN)).date()


def is_backwards(since: str, until: str) -> bool:
    """Return whether a time ends before it begins; an empty text leaves it open."""
    return bool(since and until) and since[: len(until)] > until[: len(since)]


def parse_day(text: str) -> str | None:
    """Return a year, a month or a day as `2001-12-31`, written so or as `31.12.2001`; None if it is not one."""
    text = text.strip()
    if local := LOCAL.fullmatch(text):
        day, month, year = local.groups()
        text = "-".join(part.zfill(2) for part in (year, month, day) if part)
    if not DAY.fullmatch(text):
        return None
    try:
        datetime.date.fromisoformat(text + "-01-01"[len(text) - 4 :])
    except ValueError:
        return None
    return text
