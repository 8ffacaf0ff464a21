"""From plain tables to wire structs; what does not fit is told key by key, in the words of a person."""

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, structs

from archive.notation.problem import Problem

T = TypeVar("T", bound=Struct)
KINDS = {
    "int": "a whole number",
    "float": "a decimal number",
    "str": "text in quotes",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing (null)",
}
MESSAGE = re.compile(r"(.*?)(?: - at `\$\.?(.*)`)?", re.DOTALL)


def converted(table: Any, kind: type[T]) -> tuple[T | None, list[Problem]]:
    """The wire struct of a plain table, or every key of it that is wrong."""
    try:
        return msgspec.convert(table, kind), []
    except msgspec.ValidationError as error:
        return None, list(_problems(table, kind)) or [_worded(str(error), kind)]


def _problems(table: Any, kind: type[Struct]) -> Iterator[Problem]:
    if not isinstance(table, dict):
        return
    for key, value in table.items():
        try:
            msgspec.convert({key: value}, kind)
        except msgspec.ValidationError as error:
            yield _worded(str(error), kind)


def _worded(error: str, kind: type[Struct]) -> Problem:
    """A message of msgspec as a problem: `Expected `int`, got `str` - at `$.stated.points``."""
    message, path = MESSAGE.fullmatch(error).groups()  # type: ignore[union-attr]  # fits every text
    key = re.sub(r"\[.*", "", path or "")
    unknown = re.match(r"Object contains unknown field `(.*)`", message, re.DOTALL)
    if unknown:
        path = (*filter(None, key.split(".")), unknown[1])
        return unknown_key(path, keys_in(kind, path[:-1]))
    missing = re.match(r"Object missing required field `(.*)`", message)
    if missing:
        return Problem("wrong-type", key or missing[1], why=f"{missing[1]} is missing")
    why = re.sub("`([^`]*)`", _kinds, message.replace("Expected", "expected"))
    return Problem("wrong-type", key or "the record", why=why)


def _kinds(found: re.Match[str]) -> str:
    return " or ".join(KINDS.get(kind, kind) for kind in found[1].split(" | "))


def unknown_key(path: Sequence[str], known: Sequence[str]) -> Problem:
    """A key that its table does not have, and the one that may be meant."""
    near = difflib.get_close_matches(path[-1], known, 1)
    return Problem("unknown-key", ".".join(path), hint=f"; did you mean {near[0]}?" if near else "")


def keys_in(kind: type[Struct], path: Sequence[str]) -> list[str]:
    """The keys that may stand in the table at `path`; none where any may, or where there is no table."""
    for part in path:
        field = next((field for field in structs.fields(kind) if field.encode_name == part), None)
        inner = _struct_in(field.type) if field else None
        if inner is None:
            return []
        kind = inner
    return [field.encode_name for field in structs.fields(kind)]


def _struct_in(annotation: Any) -> type[Struct] | None:
    """The struct that a key's type holds, itself or as the entry of a list."""
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return annotation
    inner = (_struct_in(part) for part in getattr(annotation, "__args__", ()))
    return next(filter(None, inner), None)
