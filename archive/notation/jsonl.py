"""The JSON Lines encoding: one deal a line, each line by itself, for machines."""

import codecs
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, Struct, structs

from archive.notation import key_table, write_values
from archive.notation.convert import OF_FILE, convert_table, json_error
from archive.notation.names import Reader
from archive.notation.problem import Problem, finding_of
from archive.record import Deal, Finding, Session, Source
from archive.record.names import one_form
from archive.say import message

DECODER = msgspec.json.Decoder(key_table.Line)
NO_OBJECT = [Problem("syntax", "", why=message("notation.line-expected"))]
BEFORE = b" \t\r\n" + codecs.BOM_UTF8  # may stand before a line


# --- reading --------------------------------------------------------------------------------------------------------


def read_lines(data: bytes | Iterable[bytes], source: Source) -> Iterator[Session | Deal | Finding]:
    """Yield the deals of JSON lines, one line at a time; a Session comes first and whenever the head changes.

    A line that has a finding of severity error gives no deal; the others are kept. Consecutive lines that are no
    objects, or whose heads have the same errors, get one finding.
    """
    reader = LineReader(source)
    for number, raw in enumerate(io.BytesIO(data) if isinstance(data, bytes) else data, 1):
        yield from reader.read(number, raw)
    yield from reader.end()


class LineReader(Struct):
    """A reader of lines one after another; some of them may be read elsewhere, and are skipped here."""

    source: Source
    where: Source = Source("")  # of the line before
    head: tuple[Any, ...] | None = None
    session: Session | None = None
    table: Reader | None = None
    last: Session | None = None  # the one that was yielded
    problems: list[Problem] = []  # of the lines before, not yet given
    of_head: list[Problem] = []
    byte: int = 0
    position: int = 0
    until: int = 0

    def read(self, number: int, raw: bytes) -> Iterator[Session | Deal | Finding]:
        """Yield the session and the deal of line `number`, after the findings of the lines before it."""
        start, self.byte = self.byte, self.byte + len(raw)
        if not raw.strip():
            return
        self.position += 1
        line, problems = _decode_line(raw, start)
        if line is not None:
            head = tuple(getattr(line, key) for key in key_table.HEAD_OF_LINE)
            if head != self.head:
                self.head = head
                self.session, self.table, self.of_head = read_session(line, Path(self.source.path).parent)
            problems = self.of_head or _key_twice(raw)
        if problems and problems is self.problems:
            self.until = number
            return
        yield from self.end()
        self.where, self.until = structs.replace(self.source, line=number, end_line=number), number
        if line is not None and not problems and self.session is not None and self.table is not None:
            if self.session != self.last:  # what was unreadable before it was of the first
                self.last, self.position = self.session, 1 if self.last else self.position
                yield structs.replace(self.session, source=self.where)
            deal, problems = _deal(line, self.session, self.table)
            if deal is not None:
                yield structs.replace(deal, source=structs.replace(self.where, deal=self.position))
        self.problems, self.where = problems, structs.replace(self.where, deal=self.position)

    def skip(self, count: int, session: Session) -> Iterator[Finding]:
        """Skip `count` lines, each with a deal of this session in canonical form; yield the findings before them."""
        if self.problems:
            yield from self.end()
        if session is not self.last and session != self.last:
            self.position = 0 if self.last else self.position
            self.last = session
        self.position += count
        self.head, self.problems = None, []

    def end(self) -> Iterator[Finding]:
        """Return the findings of the last lines."""
        return (finding_of(problem, structs.replace(self.where, end_line=self.until)) for problem in self.problems)


def read_deal_line(raw: bytes, session: Session, source: Source) -> Deal:
    """Return the deal of a line that is known to hold one of this session."""
    line, _ = _decode_line(raw, 0)
    assert line is not None
    _, table, _ = read_session(line, Path(source.path).parent)
    assert table is not None
    deal, _ = _deal(line, session, table)
    assert deal is not None
    return structs.replace(deal, source=source)


def _decode_line(raw: bytes, byte: int) -> tuple[Any, list[Problem]]:
    """Return the keys of a line that is not blank, or None and what is wrong with it."""
    is_object = raw.lstrip(BEFORE).startswith(b"{")
    try:
        if is_object and b":null" not in raw and b": null" not in raw:
            return DECODER.decode(raw), []
    except (ValueError, RecursionError):
        pass
    try:
        text = raw.decode("utf-8").lstrip("\ufeff")
        if not is_object:
            return None, NO_OBJECT
        return convert_table(as_written(msgspec.json.decode(text)), key_table.Line)
    except UnicodeDecodeError as error:
        return None, [Problem("not-utf8", "", byte=byte + error.start + 1)]
    except msgspec.DecodeError as error:
        return None, [Problem("syntax", "", why=json_error(str(error)))]
    except RecursionError:
        return None, [Problem("syntax", "", why=message("notation.nested-too-deeply"))]


def without_null_keys(value: Any) -> Any:
    """Return a decoded value without the keys that are null. Values of a list stay, since one may be unknown."""
    if isinstance(value, list):
        return [without_null_keys(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {key: without_null_keys(each) for key, each in value.items() if each is not None}


def as_written(line: dict[str, Any]) -> dict[str, Any]:
    """Return a decoded line as it was before a data frame or a database wrote it: without the nulls for what only other
    lines have, and with whole numbers if a column of them became decimal. In `head` null says that the session has none
    of what the deal has."""
    head = line.get("head")
    keys: dict[str, Any] = {
        key: int(each) if isinstance(each, float) and each.is_integer() else each for key, each in line.items()
    }
    keys = {key: without_null_keys(each) for key, each in keys.items() if each is not None}
    if isinstance(head, dict):
        keys["head"] |= {key: None for key in key_table.HOLDS if key in head and head[key] is None and key in keys}
    return keys


def _key_twice(raw: bytes) -> list[Problem]:
    """Return the problem of a key that stands twice in a table of a line that can be read."""
    try:
        json.loads(raw.decode().lstrip("\ufeff"), object_pairs_hook=refuse_key_twice)
        return []
    except Problem as problem:
        return [problem]


def refuse_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, for `json.loads`. Raise Problem if a key stands in it twice: it says two things, and
    msgspec would drop the first."""
    table = dict(pairs)
    if len(table) != len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise Problem("wrong-type", twice, why=message("notation.key-twice"))
    return table


def read_session(line: Any, folder: Path) -> tuple[Session | None, Reader | None, list[Problem]]:
    """Return the session of a line and the table for its strings, or what is wrong with its head: its own keys, and
    those that `head` says in place of the deal's."""
    head = None if line.head is UNSET else line.head
    keys = {key: getattr(line, key) for key in OF_FILE}
    for key in key_table.HOLDS:
        value = getattr(head, key, UNSET)
        keys[key] = getattr(line, key) if value is UNSET else value
    keys |= {key: getattr(head, key, UNSET) for key in key_table.FREE}
    return key_table.read_head(key_table.Head(**keys), folder)


def _deal(line: Any, session: Session, table: Reader) -> tuple[Deal | None, list[Problem]]:
    players = session.players if line.players is UNSET else tuple(map(one_form, line.players))
    fields, problems = key_table.read_deal(structs.replace(table, players=players), line)
    if problems:
        return None, problems
    for key in key_table.HOLDS:  # the session has them, unless `head` says what the session has
        if line.head is UNSET or getattr(line.head, key) is UNSET:
            fields.pop(key, None)
    return key_table.without_settings_of(session, Deal(**fields)), []


# --- writing --------------------------------------------------------------------------------------------------------


def write_line(session: Session, deal: Deal) -> bytes:
    """Return the canonical line of a deal, complete in itself, without a line break at its end."""
    deal = key_table.without_settings_of(session, deal)
    to = write_values.writer_for(tuple(session.players), nulls=True)
    keys = {"format": key_table.FORMAT} | key_table.write_keys(to, session, key_table.ABOUT)
    head: dict[str, Any] = {}
    for key in key_table.HOLDS:
        own, anew = getattr(session, key), getattr(deal, key)
        if anew is not None:
            head[key] = own
        if anew is not None or own is not None:
            keys[key] = own if anew is None else anew
    head |= key_table.write_keys(to, session, key_table.FREE)
    if head:
        keys["head"] = head
    own = write_values.writer_for(tuple(deal.players or session.players), nulls=True)
    return msgspec.json.encode(keys | key_table.write_keys(own, deal, key_table.WRITTEN))
