"""The messages of a chat that a messenger exported as text, line by line, and the lines of a text that is no chat.

The layouts are those of WhatsApp, Threema, Signal, Telegram and Discord on different systems and in different
countries; a line that begins no message belongs to the one before."""

import re
from itertools import groupby
from typing import NamedTuple

from archive.notation.game_words import usual_words
from archive.notation.list_marks import texts_of_numbered_list
from archive.record.names import one_form
from importers.dates import DATE, date_of, date_of_numbers, is_month_first, is_year_first
from importers.marked_text import EDITED, mail_lines, plain_line
from importers.sentences import parts_of_line
from importers.text import numbered_lines

BLANK = r"[ \u00a0\u202f\u2009]"
DAY = r"(?P<one>\d{1,4})(?:[./-]|\. )(?P<two>\d{1,2})(?:[./-]|\. )(?P<three>\d{1,4})"
CLOCK = rf"(?P<hour>\d{{1,2}})[:.]\d\d(?:[:.]\d\d)?(?:{BLANK}?(?P<half>[AaPp])\.?{BLANK}?[Mm]\.?)?(?:{BLANK}Uhr)?"
MOMENT = rf"{DAY}(?:,?{BLANK}{{1,2}}|,?{BLANK}(?:um|at|à){BLANK}|T){CLOCK}"
AUTHOR = rf"(?:(?P<author>[^:]{{1,60}}):(?:{BLANK}|$))?"
MESSAGE = re.compile(
    rf"(?:[<>]{{3}}{BLANK})?[\[(]?{MOMENT}"
    rf"(?:(?:[\])]:?|{BLANK}[-–]|:(?!\d)) *{AUTHOR}|(?<=:\d\d:\d\d){BLANK})(?P<text>.*)"  # of a log: no author
)
NAMED_HEAD = re.compile(rf"(?P<author>[^\[\]:]{{1,60}}?),? \[{MOMENT}\]:?(?P<text>)")  # text on the next line
ENDS = (">", ")", "]")
HEARD = re.compile(
    r"(?:🎤|🎙|(?i:sprachnachricht|sprachmemo|voice message|voice note|transkri(?:pt|ption)|transcript)\b"
    r"|(?i:(?:ptt|aud)-\d{8}-wa\d+)|\d{8}-audio-)"
)
KEYS = ("From: ", "Type: ", "Sent: ", "Received: ")  # lines before a message of Signal
SENT = re.compile(rf"{DATE.pattern}\s(?P<hour>\d\d?):", re.IGNORECASE)
QUOTE = ">"  # before the lines that a message answers


class TypedLine(NamedTuple):
    """A line with its number in the file; in a chat, the ISO day and the hour of its message; whether it tells nothing
    new, since it was spoken, is a quote or struck out; whether it is one of a numbered list, whose number is not
    in the text; and whether it is quoted in a mail that has other lines of the quote once more."""

    number: int
    text: str
    day: str | None = None
    is_chat: bool = False
    hour: int = 0
    is_left_out: bool = False
    is_numbered: bool = False
    is_quoted: bool = False


def typed_lines(data: bytes) -> list[TypedLine]:
    """Return the lines of a text, without what a chat puts before, after and into its messages."""
    lines = [(number, text, message_of(text)) for number, text in numbered_lines(data)]
    sent = [match for _, _, match in lines if match]
    month_first, year_first = order_of_dates(sent)
    day, is_chat, hour, is_heard, every = None, False, 0, False, list[TypedLine]()
    of_signal = {text[:6] for _, text, _ in lines} >= {*KEYS[:3]}
    for number, text, match in lines:
        if of_signal and text.startswith(KEYS):
            if text.startswith(KEYS[2]) and (moment := SENT.search(text)):
                day, is_chat, hour = date_of(moment), True, int(moment["hour"])
            continue
        if match:
            day, is_chat = day_of(match, month_first, year_first), True
            hour = hour_of(match)
            text = text_of(match).strip()
            text = EDITED.sub("", text) if text.endswith(ENDS) else text
            is_heard = bool(HEARD.match(text))
        text, is_struck = plain_line(text, is_chat)
        if text or not (match and not text_of(match)):
            text = one_form(text)
            is_left_out = is_struck or (is_chat and (is_heard or text.startswith(QUOTE)))
            parts = (text,) if is_left_out or not text else parts_of_line(text)
            every += [TypedLine(number, part, day, is_chat, hour, is_left_out) for part in parts]
    if not sent:
        mail = mail_lines([line.text for line in every])
        for place in mail.left_out:
            every[place] = every[place]._replace(is_left_out=True)
        for place in mail.quoted:
            every[place] = every[place]._replace(is_quoted=True)
    for place, behind in texts_of_numbered_list([line.text for line in every]).items():
        every[place] = every[place]._replace(text=behind, is_numbered=True)
    return every


def message_of(text: str) -> re.Match[str] | None:
    """Return the message that a line begins, or None if it begins none."""
    if "[" in text and (match := NAMED_HEAD.fullmatch(text)):
        return match
    return MESSAGE.match(text)


def text_of(match: re.Match[str]) -> str:
    """Return the words of a message in its first line; a key of the head before the colon is no author."""
    author, text = match.group("author", "text")
    return f"{author}: {text}" if author and author.casefold() in usual_words()["head"] else text


def hour_of(match: re.Match[str]) -> int:
    hour, half = match.group("hour", "half")
    return int(hour) % 12 + 12 * (half in "Pp") if half else int(hour)


def order_of_dates(sent: list[re.Match[str]]) -> tuple[bool, bool]:
    """Return whether the month stands first in the dates of a chat, and whether a year of two digits does."""
    dates = [day for day, _ in groupby((match["one"], match["two"], match["three"]) for match in sent)]
    pairs = ((int(one), int(two)) for one, two, _ in dates if len(one) < len("2026"))
    month_first = is_month_first(pairs, is_usual=any(match["half"] for match in sent))
    return month_first, is_year_first(dates, month_first)


def day_of(match: re.Match[str], month_first: bool, year_first: bool) -> str | None:
    """Return the ISO date of a message, or None if there is no such day."""
    one, two, three = match.group("one", "two", "three")
    return date_of_numbers(f"20{one:0>2}" if year_first else one, two, three, month_first)
