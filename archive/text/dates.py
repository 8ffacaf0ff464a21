"""Days as they are written and read in the reader's language: `9 July 2001`, `9. Juli 2001`."""

from archive.record.days import parse_day
from archive.say.catalogue import rows
from archive.text.wording import Texts


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
