"""The messages of a chat that a messenger exported as JSON: Telegram's `result.json`, those of Signal and Discord by
their programs, or a list of messages with a text, a time and a sender each."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from archive.record.names import one_form
from archive.say import Message, message
from importers.chat_messages import HEARD, QUOTE, TypedLine
from importers.json_text import Part, list_parts, members, parse_part
from importers.marked_text import EDITED, plain_line
from importers.text import decode_file, shown_text

TEXTS = ("text", "body", "content", "message")
TIMES = ("date", "timestamp", "sent_at", "sentAt", "dateSent", "time")
HEARD_KINDS = ("voice_message", "video_message", "audio_file", "voice", "audio")
STRING = re.compile(r'"((?:[^"\\]|\\.){1,400})"')
LIKELY = (b'"text"', b'"body"', b'"content"')
TIMED = (b'"date"', b'"timestamp"', b'"sent_at"', b'"sentAt"', b'"dateSent"')
BEGINNING, BOM_AND_BLANKS = 64, b"\xef\xbb\xbf \t\r\n"
MILLISECONDS = 10**11  # from which a time counted from 1970 is in milliseconds, below in seconds


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
        return list(parts_of_object(Part(1, data), ("messages",)))
    except msgspec.DecodeError:
        lines = [Part(number, raw) for number, raw in enumerate(data.split(b"\n"), 1) if raw.strip()]
        if len(lines) < 2 or not all(line.raw.lstrip().startswith(b"{") for line in lines):
            raise
        return lines


def parts_of_object(whole: Part, keys: tuple[str, ...]) -> Iterator[Part]:
    """Yield the messages of an object: a list of them, or the lists of its chats."""
    for key, at in members(whole).items():
        if key in keys and at.raw.startswith(b"["):
            yield from list_parts(at)
        elif key in ("chats", "left_chats") and at.raw.startswith(b"{"):
            yield from parts_of_object(at, ("list",))
        elif key == "list" and at.raw.startswith(b"["):
            for chat in list_parts(at):
                yield from parts_of_object(chat, ("messages",))


def lines_of_message(part: Part) -> Iterator[TypedLine]:
    """Yield the lines of a message, or of each message of a chat among chats."""
    _, value = parse_part(part)
    if not isinstance(value, dict):
        return
    if isinstance(value.get("messages"), list):
        for message_part in parts_of_object(part, ("messages",)):
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
