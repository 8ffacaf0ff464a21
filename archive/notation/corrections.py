"""Corrections: values that somebody set in a deal later, laid over the record, which itself stays as it is.

The keys of `set` are those of a deal. A table is laid over the one that is there, entry by entry; every other value
takes the place of what is there; an empty table removes it, since what is absent was not recorded. So that one entry
can be named alone, a key directly in `set` may be dotted: `stated.payments.Anna`, `tricks.3`, `house.tariff`. If a list
has an entry for each player, the entry's name is the player; in other lists it is its number, from 1.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from archive.notation import game_words, key_table, read_values
from archive.notation.convert import convert_table, keys_at, unknown_key
from archive.notation.key_table import BY_PLAYER, FIELDS
from archive.notation.names import Reader, seat_of_name
from archive.notation.problem import Problem, finding_of, refuse_value
from archive.notation.write_values import writer_for
from archive.record import Deal, Finding, Session, finding, message_of
from archive.record.names import one_form
from archive.say import message

APPENDED = ("correction", "ruling")
FREE = ("house", "x")  # below them any name is a key
PART = r"""\s*(?:"([^"]*)"|'([^']*)'|([^."']+?))\s*(?:\.|$)"""

Keys = tuple[str, ...]


class Change(Struct, frozen=True):
    """One entry that a correction sets: the value in the record before it, and after it; None: not recorded."""

    key: str
    before: Any
    after: Any


def apply_corrections(session: Session, deal: Deal) -> tuple[Deal, tuple[Finding, ...]]:
    """Return the deal with its corrections applied in order, and findings for those that cannot be and are left out."""
    findings = []
    now = deal
    for row in deal.correction or ():
        try:
            now = with_entries(session, now, row.set)
        except Problem as problem:
            why = message_of(finding_of(problem, None))
            findings.append(finding("correction-not-applied", deal.source, by=row.by, when=row.when, why=why))
    return now, tuple(findings)


def with_entries(session: Session, deal: Deal, changes: Mapping[str, Any]) -> Deal:
    """Return the deal with the entries of `changes` in it and all else unchanged. Raise Problem, as for a file."""
    entries = list(leaf_entries(changes))
    tops = {path[0] for path, _ in entries}
    for key in sorted(tops & set(APPENDED)):
        refuse_value(key, message("notation.only-added"))
    players = _players(session, deal, entries)
    table = _table(session, deal, players)
    read_values.check_free_table(table, "set", changes)
    if "players" in tops:  # every list with an entry for each of them is read again
        plain = {"players": list(deal.players or session.players)} | file_table(deal, players, session)
    else:
        plain = {key: value for key, value in file_table(deal, players, session).items() if key in tops}
    for path, value in entries:
        _refuse_unknown(path)
        plain[path[0]] = _with_entry(table, path[0], plain.get(path[0]), path[1:], value)
    there = {key: value for key, value in plain.items() if value is not None}
    struct, problems = convert_table(there, key_table.Deal)
    fields: dict[str, Any] = {}
    if struct is not None:
        fields, problems = key_table.read_deal(table, struct)
    if problems:
        raise problems[0]
    for key in plain:
        fields.setdefault(str(FIELDS.get(key, key)), None)
    return structs.replace(deal, **fields)


def changes_by(session: Session, deal: Deal, entries: Mapping[str, Any]) -> tuple[Change, ...]:
    """Return the changes that `entries`, laid over the deal, make in it, entry by entry. Raise Problem as for a
    file."""
    after = with_entries(session, deal, entries)
    paths = [path for path, _ in leaf_entries(entries)]
    old, new = ([value_at(session, state, path) for path in paths] for state in (deal, after))
    return tuple(Change(format_key(path), *values) for path, *values in zip(paths, old, new, strict=True))


def entries_between(session: Session, before: Deal, after: Deal) -> dict[str, Any]:
    """Return the entries, by dotted key, that laid over `before` make it `after`: of a list of the same length those
    that change, a player's by name; every other value whole, and an empty table for what is no longer recorded. Both
    deals have the same players."""
    players = tuple(before.players or session.players)
    old, new = (file_table(deal, players, session) for deal in (before, after))
    entries: dict[str, Any] = {}
    for key in (*old, *(key for key in new if key not in old)):
        was, now = old.get(key), new.get(key)
        if was == now:
            continue
        if not isinstance(was, list) or not isinstance(now, list) or len(was) != len(now) or None in now:
            entries[key] = {} if now is None else now
            continue
        names = players if key in BY_PLAYER else [str(number) for number in range(1, len(now) + 1)]
        rows = zip(names, was, now, strict=False)
        entries |= {format_key((key, name)): entry for name, before_it, entry in rows if before_it != entry}
    return entries


def changed_entries(session: Session, before: Deal, after: Deal) -> dict[str, Any]:
    """Return `entries_between`, but of a table, too, only the entries that change, each by its dotted key."""
    old = file_table(before, tuple(before.players or session.players), session)
    entries: dict[str, Any] = {}
    for key, now in entries_between(session, before, after).items():
        was = old.get(key)
        if not (isinstance(was, dict) and isinstance(now, dict) and now):
            entries[key] = now
            continue
        inner = (*was, *(each for each in now if each not in was))
        entries |= {format_key((key, each)): now.get(each, {}) for each in inner if was.get(each) != now.get(each)}
    return entries


# --- keys -----------------------------------------------------------------------------------------------------------


def parse_key(key: str) -> Keys:
    """Return the parts of a dotted key; a part that holds a dot stands in quotes. Raise Problem if it is none."""
    parts: list[str] = []
    place = 0
    while place < len(key) or not parts:
        match = re.compile(PART).match(key, place)
        if not match:
            refuse_value(key or "set", message("notation.key-expected"))
        parts.append(next(part for part in match.groups() if part is not None))
        place = match.end()
    if key.endswith(".") or len(parts) > read_values.DEEPEST:
        refuse_value(parts[0], message("notation.key-too-long", most=read_values.DEEPEST))
    return tuple(parts)


def format_key(path: Sequence[str]) -> str:
    """Return the dotted key of these parts."""
    return ".".join(f'"{part}"' if "." in part or "'" in part or part != part.strip() else part for part in path)


def leaf_entries(changes: Mapping[str, Any]) -> Iterator[tuple[Keys, Any]]:
    """Yield every entry of `set` that is not a table with entries of its own."""
    for key, value in changes.items():
        yield from _leaf_entries(parse_key(key), value)


def _leaf_entries(path: Keys, value: Any) -> Iterator[tuple[Keys, Any]]:
    if not isinstance(value, dict) or not value:
        yield path, value
        return
    for name, entry in value.items():
        yield from _leaf_entries((*path, name), entry)


# --- values ---------------------------------------------------------------------------------------------------------


def _refuse_unknown(path: Keys) -> None:
    """Raise the Problem of a key that the format does not have, even if it is to be removed."""
    for depth, name in enumerate(path):
        known = keys_at(key_table.Deal, path[:depth])
        if known and name not in known:
            raise unknown_key(path[: depth + 1], key_table.Deal)


def file_table(deal: Deal, players: Sequence[str], session: Session) -> dict[str, Any]:
    """Return a deal as the table that a file has of it, with these names of its players; the nameless go by seat."""
    count = max(len(players), len(deal.players or session.players))
    names = tuple(players[seat] if seat < len(players) else f"Seat{seat + 1}" for seat in range(count))
    to = writer_for(names, nulls=True)
    settings = {key: value for key in key_table.HOLDS if (value := getattr(deal, key)) is not None}
    return settings | key_table.write_keys(to, deal, key_table.WRITTEN)


def value_at(session: Session, deal: Deal, path: Keys) -> Any:
    """Return the value under a key, as a file has it, by the names of the players if each has an entry; None if nothing
    is recorded. Raise Problem if a name is no player's."""
    players = tuple(deal.players or session.players)
    table = _table(session, deal, players)
    key, *rest = path
    value = file_table(deal, players, session).get("blind" if key == "skat" else key)
    for name in rest:
        if key in BY_PLAYER and isinstance(value, list):
            seat = seat_of_name(table, key, name)
            value = value[seat] if seat < len(value) else None
        elif isinstance(value, list | tuple):
            number = int(name) if name.isdecimal() and len(name) < 5 else 0
            value = value[number - 1] if 0 < number <= len(value) else None
        else:
            value = value.get(name) if isinstance(value, dict) else None
        key = f"{key}.{name}"
    if key in BY_PLAYER and isinstance(value, list):
        return {player: entry for player, entry in zip(players, value, strict=False) if entry is not None}
    return list(value) if isinstance(value, tuple) else value


def _players(session: Session, deal: Deal, entries: Sequence[tuple[Keys, Any]]) -> tuple[str, ...]:
    """Return the players as the entries leave them; if the entries make no sense, the present ones."""
    old = tuple(deal.players or session.players)
    names: Any = list(old)
    for path, value in entries:
        if path[0] == "players":
            names = _with_entry(_table(session, deal, old), "players", names, path[1:], value)
    if names is None:
        return session.players
    is_list = isinstance(names, list) and all(isinstance(name, str) for name in names)
    return tuple(map(one_form, names)) if is_list else old


def _table(session: Session, deal: Deal, players: tuple[str, ...]) -> Reader:
    source = deal.source or session.source
    folder = Path(source.path).parent if source else None
    return Reader(players, "german", game_words.words_of_rules(session.rules, folder))


def _with_entry(table: Reader, key: str, old: Any, path: Sequence[str], value: Any) -> Any:
    """Return the value of `key` with `value` at `path` below it, or None if nothing is left. Raise Problem."""
    if not path:
        return None if value == {} else value
    name, rest = path[0], path[1:]
    if key in BY_PLAYER and isinstance(old, list):
        old = {player: entry for player, entry in zip(table.players, old, strict=False) if entry is not None}
    if isinstance(old, list | tuple) or (old is None and name.isdecimal() and not _is_table(key)):
        return _with_list_entry(table, key, list(old or ()), path, value) if old is not None or value != {} else None
    if old is not None and not isinstance(old, dict):
        refuse_value(key, message("notation.one-value", key=name))
    name = table.players[seat_of_name(table, key, name)] if key in BY_PLAYER else name
    entries = dict(old or {})
    entries[name] = _with_entry(table, f"{key}.{name}", entries.get(name), rest, value)
    return {name: entry for name, entry in entries.items() if entry is not None} or None


def _is_table(key: str) -> bool:
    return key in BY_PLAYER or key in ("stated", "carry", "carry.pots") or key.split(".")[0] in FREE


def _with_list_entry(table: Reader, key: str, old: list[Any], path: Sequence[str], value: Any) -> list[Any]:
    """Return a list with one entry set, added after its last, or removed."""
    name = path[0]
    place = int(name) - 1 if name.isdecimal() and len(name) < 5 else -1
    if not 0 <= place <= len(old):
        refuse_value(key, message("notation.entry-number", most=len(old) + 1, entry=name))
    entry = _with_entry(table, f"{key}.{name}", old[place] if place < len(old) else None, path[1:], value)
    return [*old[:place], *([] if entry is None else [entry]), *old[place + 1 :]]
