"""Plain tables as the structs of the schema; each key that does not fit is a problem."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, structs

from archive.notation.problem import Problem, Text
from archive.rules.complaints import join_by_or, kinds_in_words, say_expectation
from archive.say import message, nearest

T = TypeVar("T", bound=Struct)
OF_FILE = ("format", "cards", "event", "date", "place", "recorder", "unit")  # keys of a head that no deal has
MEANT = {  # keys that other programs have for what a deal says with these
    **dict.fromkeys(("declarer", "contract", "suit", "called"), "game"),
    **dict.fromkeys(("partner", "mate"), "with"),
    **dict.fromkeys(("kontra", "contra", "stoss", "doublings"), "doubles"),
    **dict.fromkeys(("bidding", "bids", "calls"), "auction"),
}
GUESSES = 5  # unknown keys of a table for which a near one is sought: each search takes as long as all the rest
MESSAGE = r"(?s)(.*?)(?: - at `\$\.?(.*)`)?"  # these are compiled for a wrong file alone
MALFORMED = r"JSON is malformed: (?:expected (.*?)|trailing characters)((?: \(byte \d+\))?)"
NO_DECIMALS = r"Expected `((?:\w+ \| )*int(?: \| \w+)*)`, got `float`"


def convert_table(table: Any, kind: type[T], strict: bool = True) -> tuple[T | None, list[Problem]]:
    """Return the struct of a plain table, or None; and the problems, one for every key that is wrong. Not `strict`: as
    data frames and databases write them, a number may be a text (`"2"`) or decimal (`2.0`), 0 and 1 a truth."""
    try:
        return msgspec.convert(table, kind, strict=strict), []
    except msgspec.ValidationError as error:
        return None, list(_problems(table, kind, strict)) or [_problem_of(str(error), kind)]


def _problems(table: Any, kind: type[Struct], strict: bool) -> Iterator[Problem]:
    if not isinstance(table, dict):
        return
    keys, wrong, others = keys_at(kind, ()), 0, not kind.__struct_config__.forbid_unknown_fields
    for key, value in table.items():
        if key not in keys and not others:
            yield unknown_key((str(key),), kind, wrong < GUESSES)
            wrong += 1
            continue
        try:
            msgspec.convert({key: value}, kind, strict=strict)
        except msgspec.ValidationError as error:
            yield _problem_of(str(error), kind, wrong < GUESSES)
            wrong += 1


def _problem_of(error: str, kind: type[Struct], guess: bool = True) -> Problem:
    """Return a message of msgspec as a problem: ``Expected `int`, got `str` - at `$.stated.points` ``. `guess`: name
    the key that an unknown one may be meant for."""
    text, path = re.fullmatch(MESSAGE, error).groups()  # type: ignore[union-attr]  # fits every text
    key = re.sub(r"\[.*", "", path or "")
    unknown = re.match(r"Object contains unknown field `(.*)`", text, re.DOTALL)
    if unknown:
        parts = (*filter(None, key.split(".")), unknown[1])
        return unknown_key(parts, kind, guess)
    missing = re.match(r"Object missing required field `(.*)`", text)
    if missing:
        return Problem("wrong-type", key or missing[1], why=message("notation.key-missing", key=missing[1]))
    decimals = re.fullmatch(NO_DECIMALS, text)
    facts = {"kind": kinds_in_words(decimals[1]), "got": kinds_in_words("float")} if decimals else {}
    why = message("notation.whole-number", **facts) if facts else say_expectation(text)
    return Problem("wrong-type", key or "the record", why=why)


def json_error(text: str) -> Text:
    """Return msgspec's complaint about malformed JSON as our message if it says what it expected, else as it is."""
    if text == "Input data was truncated" or "surrogate" in text:  # the first is said of half a sign, too
        return message("notation.json-cut")
    match = re.fullmatch(MALFORMED, text)
    if match is None:
        return text
    if match[1] is None:
        return message("notation.json-behind", place=match[2])
    return message("notation.json-malformed", expected=join_by_or(match[1].split(" or ")), place=match[2])


def unknown_key(path: Sequence[str], kind: type[Struct], guess: bool = True) -> Problem:
    """Return the problem of a key that its table does not have, with the one that may be meant; with `guess` also
    one that is spelt nearly so."""
    key, known = path[-1], keys_at(kind, path[:-1])
    if len(path) == 1 and key in OF_FILE:
        return Problem("unknown-key", key, hint=message("notation.of-head"))
    if len(path) == 1 and key in ("deal", "deals") and "format" in known:
        return Problem("unknown-key", key, hint=message("notation.a-deal-a-line"))
    near = MEANT.get(key) if "game" in known else None
    if near is None and "stated" in known and key in keys_at(kind, ("stated",)):
        near = f"stated.{key}"
    if near is None and guess and known:
        near = _closest(key, tuple(known))
    return Problem("unknown-key", ".".join(path), hint=message("notation.did-you-mean", key=near) if near else "")


@lru_cache(maxsize=1024)
def _closest(key: str, known: tuple[str, ...]) -> str | None:
    return nearest(key, known)


def keys_at(kind: type[Struct], path: Sequence[str]) -> Sequence[str]:
    """Return the keys that may stand in the table at `path`; empty if any may, or if there is no table."""
    for part in path:
        inner = _struct_in(_types_of(kind).get(part))
        if inner is None:
            return ()
        kind = inner
    return (*_types_of(kind),)


@cache
def _types_of(kind: type[Struct]) -> dict[str, Any]:
    """Return the type of each key, as written; cached: msgspec takes as long for it as for a thousand lines."""
    return {field.encode_name: field.type for field in structs.fields(kind)}


def _struct_in(annotation: Any) -> type[Struct] | None:
    """Return the struct that a key's type holds, itself or as the entry of a list, or None."""
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return annotation
    inner = (_struct_in(part) for part in getattr(annotation, "__args__", ()))
    return next(filter(None, inner), None)
