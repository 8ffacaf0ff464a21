"""JSON games in a file: one document for all, or one on each line; lists, and their elements with their lines."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain, groupby
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from archive.notation.convert import json_error
from archive.notation.identities import identity
from archive.notation.jsonl import refuse_key_twice
from archive.notation.problem import Problem
from archive.record import Deal, Finding, Session, Source, finding
from archive.say import Message, message
from importers.text import ENDS
from importers.text import decode_file as file_text

GREATEST, DEEPEST = 2**53, 40  # the greatest number and the deepest nesting in the free table of a record
SHOWN = 80  # bytes of what is not understood
# Where texts end: each line, else the margin, but not after a line that goes on, as after a comma.
CUTS = (re.compile(rb"\n"), re.compile(rb"(?<![,:\[{\s])\s*\n(?=[\[{])"))
GLUED = re.compile(r"[}\]](?=[\[{])")  # the end of a text and the next one, with nothing between them
LIST = re.compile(r'(?:\{\s*"[^"]*"\s*:\s*)?\[\s*')  # also in an object around it
BETWEEN = re.compile(r"[\s,]*")  # its elements, or texts on one line
BROKEN = 100  # texts on a line that are not whole; each takes as long as counting what is before it
DECODER = json.JSONDecoder()
BYTE = re.compile(r" \(byte (\d+)\)$")


class Part(NamedTuple):
    """A JSON text within a file and the number of its first line."""

    line: int
    raw: bytes

    @property
    def end_line(self) -> int:
        return self.line + self.raw.count(b"\n")


class Game(NamedTuple):
    """A game as read: its place, its findings, the head it needs, the deal; no deal if an error is among the
    findings."""

    at: Source
    findings: tuple[Finding, ...]
    session: Session | None = None
    deal: Deal | None = None
    is_game: bool = True  # else it has no position


def unreadable_game(at: Source, why: Message) -> Game:
    """Return a game that cannot be read, with the reason."""
    return Game(at, (finding("deal-unreadable", at, why=why),))


def is_json(start: str) -> bool:
    """Return whether a file that begins with this text may hold games in JSON: it is no page, and no record of ours."""
    return not start.lstrip().startswith("<") and '"schafkopf-record' not in start


# --- from bytes to values ---------------------------------------------------------------------------------------------


def parse_part(part: Part) -> tuple[Part, Any]:
    """Return a text and its value, or the Problem of one that is no JSON or has a key twice."""
    why: Message | str
    try:
        parsed = msgspec.json.decode(part.raw)
        json.loads(part.raw, object_pairs_hook=refuse_key_twice)
        return part, parsed
    except Problem as problem:
        why = message("importers.key-twice", key=problem.key)
    except RecursionError:
        why = message("notation.nested-too-deeply")
    except (ValueError, msgspec.DecodeError) as error:
        why = str(error)
    return part, Problem("syntax", "", why=why)


def list_parts(part: Part) -> list[Part]:
    """Return the elements of a JSON list, each with its line. Raise DecodeError if it is no list."""
    parts, place, line = [], 0, part.line
    for raw in map(bytes, msgspec.json.decode(part.raw, type=list[msgspec.Raw])):
        at = part.raw.index(raw, place)  # between two elements stand a comma and blanks
        line += part.raw.count(b"\n", place, at)
        parts.append(Part(line, raw))
        place, line = at + len(raw), line + raw.count(b"\n")
    return parts


def members(part: Part) -> dict[str, Part]:
    """Return the values of a JSON object by their keys, each with its line. Raise DecodeError if it is none."""
    parts, end = dict[str, Part](), 0
    for key, raw in msgspec.json.decode(part.raw, type=dict[str, msgspec.Raw]).items():
        behind = max(part.raw.find(f'"{key}"'.encode(), end), end)
        at = max(part.raw.find(bytes(raw), behind), 0)
        parts[key], end = Part(part.line + part.raw.count(b"\n", 0, at), bytes(raw)), at + len(bytes(raw))
    return parts


def each_document(part: Part, value: Any, is_document: Callable[[Any], bool]) -> Iterator[tuple[Part, Any]]:
    """Yield the documents of a list that holds nothing else; any other value as it is."""
    if isinstance(value, list) and value and all(map(is_document, value)):
        yield from zip(list_parts(part), value, strict=True)
    else:
        yield part, value


def documents(data: bytes, sign: bytes, is_document: Callable[[Any], bool]) -> list[tuple[Part, Any]]:
    """Return the JSON texts of a file, each with its value, or with its Problem.

    A file is one text; or one on each line, if there is a line that `is_document` accepts; or one after another, each
    beginning at the margin. On a line, too, one may stand behind another, or a list break off. A part without the
    `sign` is no document; consecutive lines without it share one Problem."""
    whole = _strip_blank_lines(Part(1, file_text(data).rstrip(ENDS).encode()))
    if not whole.raw:
        return []
    first = parse_part(whole)
    if not isinstance(first[1], Problem) or sign not in whole.raw:
        return _unwrap(*first, is_document)
    for cut in CUTS:
        parts = [text for part in _parts_between(whole, cut) for text in _texts_in(part, is_document)]
        values = {part: _unwrap(*parse_part(part), is_document) for part in parts if sign in part.raw}
        wholes = (value for _, value in chain.from_iterable(values.values()))
        entries = ([value, *value] if isinstance(value, list) else [value] for value in wholes)
        if any(not isinstance(each, Problem) and is_document(each) for each in chain.from_iterable(entries)):
            texts: list[tuple[Part, Any]] = []
            for signed, group in groupby(parts, lambda part: sign in part.raw):
                run = list(group)
                texts += chain.from_iterable(values[part] for part in run) if signed else [_foreign(run)]
            return texts
    return [first]


def _unwrap(part: Part, value: Any, is_document: Callable[[Any], bool]) -> list[tuple[Part, Any]]:
    """Return what an object around games holds: the one document or list of documents in it, and before that a Problem
    with what else the object says. Return the value itself if it is no such object."""
    table = value if isinstance(value, dict) and not is_document(value) else {}
    listed = {key: entry if isinstance(entry, list) and entry else [entry] for key, entry in table.items()}
    inner = [key for key, entries in listed.items() if is_document(table[key]) or all(map(is_document, entries))]
    if len(inner) != 1:
        return [(part, value)]
    parts = members(part)
    games = parts.pop(inner[0])
    rest = b", ".join(b'"%b": %b' % (key.encode(), each.raw) for key, each in parts.items())
    return [*([_foreign([Part(part.line, rest)])] if parts else []), (games, table[inner[0]])]


def _foreign(run: list[Part]) -> tuple[Part, Problem]:
    """Return the problem of consecutive parts that are no documents: the first, with blank lines for the others."""
    first, last = run[0], run[-1]
    text = first.raw.strip()[:SHOWN].decode("utf-8", "replace")
    joined = Part(first.line, first.raw + b"\n" * (last.end_line - first.end_line))
    return joined, Problem("line-not-read", "", text=text)


def _strip_blank_lines(part: Part) -> Part:
    before = part.raw[: len(part.raw) - len(part.raw.lstrip())]
    return Part(part.line + before.count(b"\n"), part.raw.strip())


def _parts_between(whole: Part, cut: re.Pattern[bytes]) -> Iterator[Part]:
    """Yield the parts that are not blank."""
    line, start = whole.line, 0
    for match in [*cut.finditer(whole.raw), None]:
        raw = whole.raw[start : match.end() if match else None]
        if raw.strip():
            yield _strip_blank_lines(Part(line, raw))
        line, start = line + raw.count(b"\n"), start + len(raw)


def _texts_in(part: Part, is_document: Callable[[Any], bool]) -> Iterator[Part]:
    """Yield the texts that stand one behind another in a part, as of files that were joined; one that is not whole ends
    where another begins behind it. Of a list of documents that breaks off yield those that are whole, and the part."""
    text, line, broken = part.raw.decode().lstrip(" ,"), part.line, 0
    if not text.startswith(("{", "[")):
        yield part
        return
    after, end = _decode(text, 0)[1], 0
    if after == len(text):
        yield Part(line, text.encode())
        return
    begun = None if after else LIST.match(text)
    if begun and is_document(_decode(text, begun.end())[0]):
        end = begun.end()
    else:
        begun = None
    while (start := BETWEEN.match(text, end).end()) < len(text):  # type: ignore[union-attr]
        if not (after := _decode(text, start)[1]):
            if begun:
                break
            broken += 1
            glued = GLUED.search(text, start) if broken <= BROKEN else None
            after = glued.end() if glued else len(text)
        line += text.count("\n", end, start)
        yield Part(line, text[start:after].encode())
        line, end = line + text.count("\n", start, after), after
    if begun:
        yield part


def _decode(text: str, start: int) -> tuple[Any, int]:
    """Return the value of the JSON text that begins at `start`, and where it ends; None and 0 if it is not whole."""
    with suppress(ValueError, RecursionError):
        return DECODER.raw_decode(text, start)
    return None, 0


def unreadable_part(part: Part, problem: Problem, source: Source) -> Game:
    """Return the finding of a text that is no JSON, at the line where it breaks off; a foreign part counts as none."""
    at = replace(source, line=part.line, end_line=part.end_line)
    if problem.rule != "syntax":
        return Game(at, (finding(problem.rule, at, text=problem.facts["text"]),), is_game=False)
    why, line = problem.facts["why"], part.end_line
    if isinstance(why, str):
        if byte := BYTE.search(why):
            line, why = part.line + part.raw.count(b"\n", 0, int(byte[1])), why[: byte.start()]
        why = json_error(why)
    return Game(at, (finding("syntax", replace(at, line=line), why=why),))


# --- from values to records -------------------------------------------------------------------------------------------


def as_free_value(value: Any, depth: int = 0) -> Any:
    """Return a value as the free table of a record can hold it: anything else becomes JSON text."""
    if isinstance(value, dict) and depth < DEEPEST and None not in value.values():
        return {key: as_free_value(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, list) and depth < DEEPEST and None not in value:
        return [as_free_value(entry, depth + 1) for entry in value]
    if isinstance(value, str | bool | float) or (isinstance(value, int) and abs(value) <= GREATEST):
        return value
    return msgspec.json.encode(value).decode()


def read_games(
    data: bytes,
    source: Source,
    sign: bytes,
    is_document: Callable[[Any], bool],
    games_of: Callable[[Part, Any, Source], Iterable[Game]],
) -> Iterator[Session | Deal | Finding]:
    """Yield the games of a file, which `games_of` reads out of each of its JSON texts: a head before its first deal and
    wherever it changes, deals and findings with their position in the session. A game that stood there before, with its
    number and in the same words, is a finding if its session goes on, else the same deal. `sign` and `is_document`: see
    `documents`."""
    last, position = None, 0
    places, lines = dict[str, int](), dict[str, int]()  # of games with a number: all positions, lines since the head
    games = (
        [unreadable_part(part, value, source)] if isinstance(value, Problem) else games_of(part, value, source)
        for part, value in documents(data, sign, is_document)
    )
    for game in chain.from_iterable(games):
        known = identity(game.session, game.deal, 0) if game.session and game.deal and game.deal.id else ""
        if known in lines:
            yield finding("deal-repeated", game.at, line=lines[known])
            continue
        position += game.is_game
        if game.session is not None and game.session != last:
            position = places.get(known, 1) if last else position
            last, lines = game.session, {}
            yield replace(game.session, source=game.at)
        if known:
            lines[known] = game.at.line
            places.setdefault(known, position)
        if game.deal is not None:
            yield replace(game.deal, source=replace(game.at, deal=position))
        for item in game.findings:
            yield replace(item, source=replace(item.source or game.at, deal=position if game.is_game else None))
