"""The German of our sentences. They are made in English, and are translated whole: what stands in a record, a name, a
card, a word of the source, is carried over as it is.

`german.toml` has one row a phrase, `"{who} revoked in trick {n}" = "{who} hat in Stich {n} falsch zugegeben"`. In
the English, `{n}`, `{n2}`, … is a number, `{who}`, … a player and `{whos}` one or more; any other holds any text. In
the German, `{why:de}` is a phrase of ours and translated in its turn; `{facts:list}` is one, or a list of them;
`{stated:word}` is such a list of what may be phrases of ours or anything else, and so is `{suit:term}`, where no player
can stand.
"""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter

from msgspec import Struct

from archive.say import catalogue

ANYTHING = "{why}"
DEEPEST = 6  # phrases in phrases; deeper is no sentence of ours
MOST = 100  # parts of a list; more are a list of the record's
NUMBER = re.compile(r"[-+−]?\d{1,20}")
COUNT, PLAYER = re.compile(r"n\d?"), re.compile(r"who\d?")  # fields that hold nothing else
BETWEEN = {"; ": "; ", ", ": ", ", " and ": " und ", " or ": " oder "}
LISTS = ("list", "word", "term")
PLAYERS = ("who", "player", "expected", "dealer", "forehand", "giver")  # how fields that hold a player begin


class Template(Struct, frozen=True):
    """A text with fields: `literals` stand around and between them, one more than there are `fields`."""

    literals: tuple[str, ...]
    fields: tuple[str, ...]
    german: str


@cache
def template(english: str, german: str) -> Template:
    """The template of a phrase, or of a row of `findings.toml`."""
    literals, fields = [""], []
    for text, field, _, _ in Formatter().parse(english):
        literals[-1] += text
        if field is not None:
            fields.append(field)
            literals.append("")
    return Template(tuple(literals), tuple(fields), german)


def phrases() -> dict[str, dict[str, str]]:
    """The rows of `german.toml`, by table."""
    return tomllib.loads(Path(__file__).with_name("german.toml").read_text("utf-8"))


@cache
def _rows() -> tuple[Mapping[str, str], Mapping[str, tuple[Template, ...]]]:
    """The phrases without fields, and by the letter they begin with (none: a field) those with, the most telling first.
    A message of a finding is a phrase too, for some findings quote another."""
    rows = [row for table in phrases().values() for row in table.items()]
    found = [template(english, german) for english, german in rows]
    whole = {each.literals[0]: each.german.format() for each in found if not each.fields}
    others = sorted((each for each in found if each.fields), key=lambda each: -sum(map(len, each.literals)))
    letters = {each.literals[0][:1] for each in others} | {""}
    return whole, {own: tuple(each for each in others if each.literals[0][:1] in ("", own)) for own in letters}


def german(text: str, names: Collection[str] = ()) -> str:
    """A phrase of ours in German; a text that is none stays as it is. `names` are the players."""
    return translated(text, names)[0]


def translated(text: str, names: Collection[str] = ()) -> tuple[str, tuple[str, ...]]:
    """The same, and the parts that ought to be phrases of ours and have no German."""
    lacks: list[str] = []
    return _said(text, tuple(sorted(names, key=len, reverse=True)), lacks, 0), tuple(lacks)


def german_list(text: str, names: Collection[str] = ()) -> str:
    """One phrase of ours, or several with commas, `and`, `or` or semicolons between them, in German; what is none
    stays as it is."""
    return _list(text, tuple(sorted(names, key=len, reverse=True)), [], 0)


def filled(row: Template, text: str, names: Collection[str] = ()) -> tuple[str, tuple[str, ...]] | None:
    """A text that was made from this template, in German; None where it was not."""
    lacks: list[str] = []
    people = tuple(sorted(names, key=len, reverse=True))
    values = _values(row, text, people)
    return None if values is None else (_fill(row, values, people, lacks, 0), tuple(lacks))


def _said(text: str, names: tuple[str, ...], lacks: list[str], depth: int) -> str:
    found = _found(text, names, lacks, depth) if text else ""
    if found is None:
        lacks.append(text)
    return text if found is None else found


def _found(text: str, names: tuple[str, ...], lacks: list[str], depth: int) -> str | None:
    whole, rows = _rows()
    if text in names:
        return text
    if text in whole or depth == DEEPEST or NUMBER.fullmatch(text):
        return whole.get(text)
    for row in rows.get(text[:1], rows[""]):
        values = _values(row, text, names)
        if values is not None:
            return _fill(row, values, names, lacks, depth)
    return None


def _values(row: Template, text: str, names: tuple[str, ...]) -> dict[str, str] | None:
    """What stands in the fields: each ends where the text goes on as the template does, for the first time; so this
    takes a time in proportion to the text."""
    if not row.fields:
        return {} if text == row.literals[0] else None
    first, *between, last = row.literals
    end = len(text) - len(last)
    if not text.startswith(first) or not text.endswith(last) or end < len(first):
        return None
    values, start = {}, len(first)
    for field, literal in zip(row.fields, (*between, None), strict=True):
        stop = end if literal is None else _stop(field, literal, text, start, end, names)
        value = text[start:stop]
        if stop < 0 or not _fits(field, value, names):
            return None
        values[field] = value
        start = stop + len(literal or "")
    return values


def _stop(field: str, literal: str, text: str, start: int, end: int, names: tuple[str, ...]) -> int:
    """Where a field ends. A name may hold what the template goes on with."""
    stop = _people(text, start, names) if field.startswith(PLAYERS) else start
    if stop > start and text.startswith(literal, stop):
        return stop
    if not literal:  # of two fields side by side the second is a hint behind a semicolon, or empty
        return end if (hint := text.find("; ", start, end)) < 0 else hint
    return text.find(literal, start, end)


def _people(text: str, start: int, names: tuple[str, ...]) -> int:
    """Where the names end that begin here."""
    stop = start
    while name := next((each for each in names if each and text.startswith(each, start)), ""):
        stop = start + len(name)
        start = stop + next((len(each) for each in BETWEEN if text.startswith(each, stop)), len(text))
    return stop


def _fits(field: str, value: str, names: tuple[str, ...]) -> bool:
    if COUNT.fullmatch(field):
        return NUMBER.fullmatch(value) is not None
    return PLAYER.fullmatch(field) is None or (value in names if names else ": " not in value)


def _fill(row: Template, values: Mapping[str, str], names: tuple[str, ...], lacks: list[str], depth: int) -> str:
    return "".join(_parts(row, values, names, lacks, depth + 1))


def _parts(row: Template, values: Mapping[str, str], names: tuple[str, ...], lacks: list[str], d: int) -> Iterator[str]:
    for text, field, kind, _ in Formatter().parse(row.german):
        yield text
        value = values[field] if field else ""
        if kind == "de":
            yield _said(value, names, lacks, d)
        elif kind in LISTS:
            yield _list(value, names if kind != "term" else (), lacks if kind == "list" else [], d)
        else:
            yield value


def _list(text: str, names: tuple[str, ...], lacks: list[str], depth: int) -> str:
    """Phrases with semicolons between them; else one, or several with commas, `and` or `or`."""
    whole = None if "; " in text else _found(text, names, [], depth)
    if whole is not None:
        return whole
    for between, german_between in BETWEEN.items() if depth < DEEPEST else ():
        parts = _split(text, between, names)
        if len(parts) > 1:
            deeper = depth + 1 if len(parts) <= MOST else DEEPEST
            return german_between.join(_list(part, names, lacks, deeper) for part in parts)
    return _said(text, names, lacks, depth)


def _split(text: str, between: str, names: tuple[str, ...]) -> list[str]:
    """The parts of a list; a name may hold what stands between them."""
    if between not in text:
        return [text]
    parts, start = [], 0
    while start <= len(text):
        ends = (start + len(name) for name in names if text.startswith(name, start))
        stop = next((end for end in ends if end == len(text) or text.startswith(between, end)), None)
        if stop is None:
            stop = len(text) if (found := text.find(between, start)) < 0 else found
        parts.append(text[start:stop])
        start = stop + len(between)
    return parts


def legacy(text: str) -> str:
    whole = _found(text, (), [], 1)
    return _list(text, (), [], 1) if whole is None else whole


catalogue.LEGACY.append(legacy)
