"""The JSON Lines encoding: one deal a line, each line by itself, for machines. And what a deal is known by."""

import codecs
import hashlib
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, structs

from archive.cards import is_known
from archive.notation import decode, encode, wire
from archive.notation.convert import converted
from archive.notation.names import Table
from archive.notation.problem import Problem
from archive.record import Deal, Finding, Session, Source, finding

DECODER = msgspec.json.Decoder(wire.Line)
HEAD_DECODER = msgspec.json.Decoder(wire.HeadOnly)
NO_OBJECT = [Problem("syntax", "", why="expected a deal on one line, in { }")]
BEFORE = b" \t\r\n" + codecs.BOM_UTF8  # may stand before a line
HEAD_KEYS = (*encode.ABOUT, "format", "cards", *encode.HOLDS)


# --- reading --------------------------------------------------------------------------------------------------------


def read_lines(data: bytes | Iterable[bytes], source: Source) -> Iterator[Session | Deal | Finding]:
    """The deals of JSON lines, one line at a time; a Session comes first and whenever the head changes.

    A line that has a finding of severity error gives no deal; the others are kept. Of lines that follow each other and
    are no objects, or whose head has the same errors, these are told once.
    """
    reader = LineReader(source)
    for number, raw in enumerate(io.BytesIO(data) if isinstance(data, bytes) else data, 1):
        yield from reader.read(number, raw)
    yield from reader.end()


class LineReader:
    """Reads lines one after another; some of them may be read elsewhere, and are skipped here."""

    def __init__(self, source: Source) -> None:
        self.source = self.where = source
        self.told: tuple[Any, ...] | None = None  # the head of the line before
        self.session: Session | None = None
        self.table: Table | None = None
        self.last: Session | None = None  # the one that was yielded
        self.problems: list[Problem] = []  # of the lines before, not yet told
        self.of_head: list[Problem] = []
        self.byte = self.position = self.until = 0

    def read(self, number: int, raw: bytes) -> Iterator[Session | Deal | Finding]:
        """What line `number` holds, and what was wrong with those before it."""
        start, self.byte = self.byte, self.byte + len(raw)
        if not raw.strip():
            return
        self.position += 1
        line, found = _line(raw, start)
        if line is not None:
            head = (*(getattr(line, key) for key in HEAD_KEYS), line.head)
            if head != self.told:
                self.told = head
                self.session, self.table, self.of_head = _session(line, Path(self.source.path).parent)
            found = self.of_head or _twice(raw)
        if found and found is self.problems:
            self.until = number
            return
        yield from self.end()
        self.where, self.until = structs.replace(self.source, line=number, end_line=number), number
        if line is not None and not found and self.session is not None and self.table is not None:
            if self.session != self.last:  # what was unreadable before it was of the first
                self.last, self.position = self.session, 1 if self.last else self.position
                yield structs.replace(self.session, source=self.where)
            deal, found = _deal(line, self.session, self.table)
            if deal is not None:
                yield structs.replace(deal, source=structs.replace(self.where, deal=self.position))
        self.problems, self.where = found, structs.replace(self.where, deal=self.position)

    def skip(self, count: int, session: Session) -> Iterator[Finding]:
        """Passes over so many lines, which hold one deal of this session each, in canonical form."""
        yield from self.end()
        if session is not self.last and session != self.last:
            self.position = 0 if self.last else self.position
            self.last = session
        self.position += count
        self.told, self.problems = None, []

    def end(self) -> Iterator[Finding]:
        """What is wrong with the last lines."""
        return _findings(self.problems, self.where, self.until)


def read_deal_of(raw: bytes, session: Session, source: Source) -> Deal:
    """The deal of a line that is known to hold one of this session."""
    line, _ = _line(raw, 0)
    assert line is not None
    _, table, _ = _session(line, Path(source.path).parent)
    assert table is not None
    deal, _ = _deal(line, session, table)
    assert deal is not None
    return structs.replace(deal, source=source)


def read_session_of(raw: bytes, beside: Path) -> tuple[Session, Table] | None:
    """The session of a line and what its strings use, None where anything is wrong with its head."""
    try:
        line = HEAD_DECODER.decode(raw)
    except (ValueError, RecursionError):
        return None
    session, table, problems = _session(line, beside)
    return None if problems or session is None or table is None else (session, table)


def _findings(problems: list[Problem], where: Source, end: int) -> Iterator[Finding]:
    """The problems of a line, and of those after it up to line `end`."""
    return (finding(each.rule, structs.replace(where, end_line=end), **each.facts) for each in problems)


def _line(raw: bytes, byte: int) -> tuple[wire.Line | None, list[Problem]]:
    """The keys of a line that is not blank, or what is wrong with it."""
    is_object = raw.lstrip(BEFORE).startswith(b"{")
    try:
        if is_object:
            return DECODER.decode(raw), []
    except (ValueError, RecursionError):
        pass
    try:
        text = raw.decode("utf-8").removeprefix("\ufeff")
        if not is_object:
            return None, NO_OBJECT
        return converted(msgspec.json.decode(text), wire.Line)
    except UnicodeDecodeError as error:
        return None, [Problem("not-utf8", "", byte=byte + error.start + 1)]
    except msgspec.DecodeError as error:
        return None, [Problem("syntax", "", why=str(error))]
    except RecursionError:
        return None, [Problem("syntax", "", why="the values are nested too deeply")]


def _twice(raw: bytes) -> list[Problem]:
    """Whether a key stands twice in a table of a line that can be read."""
    try:
        json.loads(raw.decode().removeprefix("\ufeff"), object_pairs_hook=_once)
        return []
    except Problem as problem:
        return [problem]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; a key that stands in it twice says two things, and msgspec would drop the first."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise Problem("wrong-type", twice, why="stands there twice")
    return found


def _session(line: wire.Line | wire.HeadOnly, beside: Path) -> tuple[Session | None, Table | None, list[Problem]]:
    """The session of a line: its own keys, and those that `head` says in place of the deal's."""
    own = None if line.head is UNSET else line.head
    keys = {key: getattr(line, key) for key in ("format", "cards", *encode.ABOUT)}
    for key in encode.HOLDS:
        said = getattr(own, key, UNSET)
        keys[key] = getattr(line, key) if said is UNSET else said
    keys |= {key: getattr(own, key, UNSET) for key in encode.FREE}
    session, table, problems = decode.read_head(wire.Head(**keys), beside)
    return session, table, problems


def _deal(line: wire.Line, session: Session, table: Table) -> tuple[Deal | None, list[Problem]]:
    players = session.players if line.players is UNSET else tuple(line.players)
    fields, problems = decode.read_deal(structs.replace(table, players=players), line)
    if problems:
        return None, problems
    for key in encode.HOLDS:  # the session has them, but where `head` says what the session has
        if line.head is UNSET or getattr(line.head, key) is UNSET:
            fields.pop(key, None)
    return encode.settled(session, Deal(**fields)), []


# --- writing --------------------------------------------------------------------------------------------------------


def write_line(session: Session, deal: Deal) -> bytes:
    """The canonical line of a deal, complete in itself, without a line break at its end."""
    deal = encode.settled(session, deal)
    to = encode.names(session, deal, nulls=True)
    keys = {"format": wire.FORMAT} | encode.given(session, encode.ABOUT)
    head: dict[str, Any] = {}
    for key in encode.HOLDS:
        own, anew = getattr(session, key), getattr(deal, key)
        if anew is not None:
            head[key] = own
        if anew is not None or own is not None:
            keys[key] = own if anew is None else anew
    head |= encode.keys(encode.names(session, None, nulls=True), session, encode.FREE, encode.DEAL)
    if head:
        keys["head"] = head
    return msgspec.json.encode(keys | encode.deal_keys(to, deal))


# --- identity -------------------------------------------------------------------------------------------------------


HASH = 16  # bytes that are kept of a hash: two deals that share them are not to be expected in any archive


def identity(session: Session, deal: Deal, number: int) -> str:
    """What a deal is known by: the first 16 bytes of the SHA-256 of its canonical line with its number, in hexadecimal.

    `number` is the deal's `no`, else its position in its session. Corrections and rulings are added to what was
    recorded and are no part of it.
    """
    recorded = structs.replace(deal, no=number, correction=None, ruling=None)
    return hashlib.sha256(write_line(session, recorded)).hexdigest()[: 2 * HASH]


def play_identity(session: Session, deal: Deal) -> str | None:
    """What a deal's cards are known by, without names, so that another source's record of it is found; None without.

    Hashed are the number of players, the cards of the tricks as played, and what was never played of each hand. Seats
    count from forehand: who led the first trick (by name, or by holding its first card), else who sits after the
    dealer.
    """
    hands = deal.hands or deal.held or ()
    tricks = deal.tricks or ()
    played = {card for trick in tricks for card in trick.cards}
    if not any(is_known(card) for card in (*played, *(card for hand in hands for card in hand or ()))):
        return None
    out = deal.sits_out or ()
    seats = [seat for seat in range(len(deal.players or session.players)) if seat not in out]
    first = forehand(deal, len(seats) + len(out))
    seats = [seat for seat in seats if seat >= first] + [seat for seat in seats if seat < first]
    left = [sorted({card for card in hands[seat] or () if is_known(card)} - played) if hands else [] for seat in seats]
    facts = (len(seats), [trick.cards for trick in tricks], left)
    return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()


def forehand(deal: Deal, players: int) -> int:
    """The seat from which seats are counted: who led the first trick, else who sits after the dealer."""
    if deal.tricks:
        if deal.tricks[0].leader is not None:
            return deal.tricks[0].leader
        led, hands = deal.tricks[0].cards[:1], deal.hands or deal.held or ()
        holders = [seat for seat, hand in enumerate(hands) if hand and led and is_known(led[0]) and led[0] in hand]
        if holders:
            return holders[0]
    return 0 if deal.dealer is None else (deal.dealer + 1) % players


def schema() -> dict[str, Any]:
    """The JSON Schema of both encodings: a session file (as TOML tools see it) and a line."""
    (_, deal, line), parts = msgspec.json.schema_components(
        (wire.Head, wire.Deal, wire.Line), ref_template="#/$defs/{name}"
    )
    parts["SessionFile"] = {
        **parts["Head"],
        "title": "SessionFile",
        "description": "A session file: the head and its deals.",
        "properties": parts["Head"]["properties"] | {"deal": {"type": "array", "items": deal}},
        "required": ["format", "players", "rules"],
    }
    parts["Line"]["required"] = ["format", "players", "rules"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": wire.FORMAT,
        "anyOf": [{"$ref": "#/$defs/SessionFile"}, line],
        "$defs": parts,
    }
