"""The messages of a chat that a messenger exported, as text, line by line, or as JSON; the lines of a text without one.

The layouts are those of WhatsApp, Threema, Signal, Telegram and Discord on different systems and in different
countries; a line that begins no message belongs to the one before."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from archive.notation.game_words import usual_words
from archive.notation.list_marks import CROSSES, are_crosses_bullets, texts_of_numbered_list
from archive.record.names import one_form
from archive.say import Message, message
from importers.dates import DATE, date_of, date_of_numbers, is_month_first, is_year_first
from importers.json_text import Part, list_parts, members, parse_part
from importers.marked_text import EDITED, mail_lines, parts_of_line, plain_line
from importers.text import decode_file, numbered_lines, shown_text

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
COPIED = re.compile(rf"\[{CLOCK},{BLANK}{DAY}\] {AUTHOR}(?P<text>.*)")  # of WhatsApp on a computer
LOG = re.compile(  # of a day that nobody says: `[20:15] Toni: …`, `20:15:03 <Toni> …`
    rf"[\[(]?{CLOCK}[\])]?{BLANK}(?:[-–]{BLANK})?<?(?P<author>[^:<>]{{1,60}}?)(?:>|{BLANK}?:)(?:{BLANK}|$)(?P<text>.*)"
)
ENDS = (">", ")", "]")
HEARD = re.compile(
    r"(?:🎤|🎙|(?i:sprachnachricht|sprachmemo|voice message|voice note|transkri(?:pt|ption)|transcript)\b"
    r"|(?i:(?:ptt|aud)-\d{8}-wa\d+)|\d{8}-audio-)"
)
KEYS = ("From: ", "Type: ", "Sent: ", "Received: ")  # lines before a message of Signal
SENT = re.compile(rf"{DATE.pattern}\s(?P<hour>\d\d?):", re.IGNORECASE)
QUOTE = ">"  # before the lines that a message answers
TEXTS = ("text", "body", "content", "message")  # keys of a message in JSON, as the next
TIMES = ("date", "timestamp", "sent_at", "sentAt", "dateSent", "time")
HEARD_KINDS = ("voice_message", "video_message", "audio_file", "voice", "audio")
STRING = re.compile(r'"((?:[^"\\]|\\.){1,400})"')
LIKELY = (b'"text"', b'"body"', b'"content"')
TIMED = (b'"date"', b'"timestamp"', b'"sent_at"', b'"sentAt"', b'"dateSent"')
BEGINNING, BOM_AND_BLANKS = 64, b"\xef\xbb\xbf \t\r\n"
MILLISECONDS = 10**11  # from which a time counted from 1970 is in milliseconds, below in seconds


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
    texts = [*numbered_lines(data)]
    is_log = any(begins_log(text) for _, text in texts)
    lines = [(number, text, message_of(text) or (LOG.match(text) if is_log else None)) for number, text in texts]
    sent = [match for _, _, match in lines if match and match.re is not LOG]
    month_first, year_first = order_of_dates(sent)
    day, is_chat, hour, is_heard, every = None, False, 0, False, list[TypedLine]()
    of_signal = {text[:6] for _, text, _ in lines} >= {*KEYS[:3]}
    for number, text, match in lines:
        if of_signal and text.startswith(KEYS):
            if text.startswith(KEYS[2]) and (moment := SENT.search(text)):
                day, is_chat, hour = date_of(moment), True, int(moment["hour"])
            continue
        if match:
            day, is_chat = None if match.re is LOG else day_of(match, month_first, year_first), True
            half = (match["half"] or "").casefold()
            hour = int(match["hour"]) % 12 + 12 * (half == "p") if half else int(match["hour"])
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
    if are_crosses_bullets([line.text for line in every]):
        every = [line._replace(text=line.text.lstrip(f"{CROSSES}\ufe0f ")) for line in every]
    for place, behind in texts_of_numbered_list([line.text for line in every]).items():
        every[place] = every[place]._replace(text=behind, is_numbered=True)
    return every


def message_of(text: str) -> re.Match[str] | None:
    """Return the message that a line begins, or None if it begins none."""
    if "[" in text and (match := NAMED_HEAD.fullmatch(text) or COPIED.match(text)):
        return match
    return MESSAGE.match(text)


def begins_log(text: str) -> bool:
    """Return whether a line shows that a text is the log of a chat: somebody in `<>`, or who says who plays."""
    match = LOG.match(text)
    head = match["text"].partition(":")[0].casefold() if match else ""
    return match is not None and (match.string[match.start("author") - 1] == "<" or head in usual_words()["head"])


def text_of(match: re.Match[str]) -> str:
    """Return the words of a message in its first line; a key of the head before the colon is no author."""
    author, text = match.group("author", "text")
    return f"{author}: {text}" if author and author.casefold() in usual_words()["head"] else text


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


def may_be_chat(head: bytes) -> bool:
    """Return whether the first bytes of a file are JSON of messages, with a text and a time."""
    begins = head[:BEGINNING].lstrip(BOM_AND_BLANKS)[:1] in (b"{", b"[")
    return begins and any(key in head for key in LIKELY) and any(key in head for key in TIMED)


def strings_of(head: bytes) -> Iterator[str]:
    """Yield the strings in the first bytes of a JSON file, which may be cut off, line by line."""
    for match in STRING.finditer(head.decode("utf-8", "replace")):
        try:
            text = msgspec.json.decode(f'"{match[1]}"', type=str)
        except msgspec.DecodeError:
            continue
        yield from text.splitlines()


def json_lines(data: bytes) -> list[TypedLine] | Message:
    """Return the lines of all messages, each with the number of the line in the file where its message begins, or why
    the file is no chat."""
    text = decode_file(data).encode()
    try:
        return [line for part in message_parts(text) for line in lines_of_message(part)]
    except (ValueError, msgspec.DecodeError, RecursionError) as error:
        return message("importers.no-messages", why=str(error)[:200])


def message_parts(data: bytes) -> list[Part]:
    """Return the messages of a file: those of its one chat, of each of its chats, of its list, or one on each line.
    Raise DecodeError if it is none of these."""
    start = data.lstrip()[:1]
    if start == b"[":
        return list_parts(Part(1, data))
    try:
        return list(parts_of_object(Part(1, data)))
    except msgspec.DecodeError:
        lines = [Part(number, raw) for number, raw in enumerate(data.split(b"\n"), 1) if raw.strip()]
        if len(lines) < 2 or not all(line.raw.lstrip().startswith(b"{") for line in lines):
            raise
        return lines


def parts_of_object(whole: Part) -> Iterator[Part]:
    """Yield the messages of an object, or the chats in the lists of its `chats`."""
    for key, at in members(whole).items():
        if key in ("messages", "list") and at.raw.startswith(b"["):
            yield from list_parts(at)
        elif key in ("chats", "left_chats") and at.raw.startswith(b"{"):
            yield from parts_of_object(at)


def lines_of_message(part: Part) -> Iterator[TypedLine]:
    """Yield the lines of a message, or of each message of a chat among chats."""
    _, value = parse_part(part)
    if not isinstance(value, dict):
        return
    if isinstance(value.get("messages"), list):
        for message_part in parts_of_object(part):
            yield from lines_of_message(message_part)
        return
    text = next((plain_text(value[key]) for key in TEXTS if value.get(key)), "")
    moment = next((at for key in TIMES if (at := moment_of(value.get(key)))), None)
    day, hour = (moment.date().isoformat(), moment.hour) if moment else (None, 0)
    is_heard = value.get("media_type") in HEARD_KINDS or bool(HEARD.match(text))
    for line in map(str.strip, text.splitlines()):
        if line:
            text, is_struck = plain_line(EDITED.sub("", line), True)
            is_left_out = is_struck or is_heard or line.startswith(QUOTE)
            yield TypedLine(part.line, one_form(text), day, True, hour, is_left_out)


def plain_text(value: Any) -> str:
    """Return a text without its quotes, with `~~` around what is struck out, also from a list of parts, some of them
    marked as bold, a link and the like."""
    if isinstance(value, str):
        return shown_text(value)
    if isinstance(value, dict):
        text, kind = plain_text(value.get("text")), value.get("type")
        return "" if kind == "blockquote" else f"~~{text}~~" if kind == "strikethrough" and text else text
    return "".join(map(plain_text, value)) if isinstance(value, list) else ""


def moment_of(value: Any) -> datetime | None:
    """Return the moment of a message, written in the time of its place or counted from 1970 in seconds or milliseconds;
    None if it is no moment."""
    try:
        if isinstance(value, str):
            return datetime.fromisoformat(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if abs(value) >= MILLISECONDS else value, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None
