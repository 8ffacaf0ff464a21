"""Days as they are written and read in the reader's language: `9 July 2001`, `9. Juli 2001`."""

import datetime
import re

from archive.say.catalogue import rows
from archive.text.wording import Texts

DAY = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)
LOCAL = re.compile(r"(?:(?:(\d\d?)\.\s*)?(\d\d?)\.\s*)?(\d{4})", re.ASCII)


def format_day(text: str | None, t: Texts) -> str:
    """A year, a month or a day, as `2001-07-09`, in words; a text that is none stays, nothing is empty."""
    if not text or parse_day(text) != text:
        return text or ""
    year, month, day = text[:4], text[5:7], text[8:]
    if not month:
        return year
    words = rows(t["lang"])
    name = words["language.months"].split()[int(month) - 1]
    return words["language.day"].format(day=int(day), month=name, year=year) if day else f"{name} {year}"


def parse_day(text: str) -> str | None:
    """A year, a month or a day as `2001-12-31`, written so or as `31.12.2001`; None where it is no day."""
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
