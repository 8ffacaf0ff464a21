"""A record under other names: for a masked copy, and after the erasure of a person.

A field that names a player is renamed, and every other text has the names in it replaced. The words of the format
(contracts, calls, rounds, settings, units) stay what they are, whatever a player is called.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from archive.notation import key_table
from archive.notation.convert import keys_at
from archive.notation.corrections import format_key, parse_key
from archive.notation.names import players_set
from archive.notation.problem import Problem
from archive.privacy.find_names import Renaming, name_for, replace_names
from archive.record import Correction, Deal, Event, Ruling, Session, Stated
from archive.rules import bundled, load
from archive.say import Fact, Message

TEXTS = ("table", "list", "url", "time", "licence", "origin", "note")
# Verbs followed by cards, a suit or a number, and not by text.
NO_TEXT = ("exposes", "prevented", "shows", "miscount", "marriage", "takes-trump", "calls")


def rename_head(by: Renaming, head: Session) -> Session:
    """Return the head of a session with every name in it replaced."""
    return replace(
        head,
        **_shared_keys(by, head),
        **{key: _text(by, getattr(head, key)) for key in ("event", "place")},
        recorder=None if head.recorder is None else rename_person(by, head.recorder),
        unit=_unit(by, head.unit),
    )


def rename_deal(by: Renaming, deal: Deal) -> Deal:
    """Return a deal with every name in it replaced. Its amounts, seats and cards are untouched."""
    return replace(
        deal,
        **_shared_keys(by, deal),
        id=_text(by, deal.id),
        cut=_text(by, deal.cut),
        events=None if deal.events is None else tuple(_event(by, event) for event in deal.events),
        stated=None if deal.stated is None else _rename_stated(by, deal.stated),
        correction=None if deal.correction is None else tuple(_correction(by, row) for row in deal.correction),
        ruling=None if deal.ruling is None else tuple(_ruling(by, row) for row in deal.ruling),
    )


def rename_person(by: Renaming, name: str) -> str:
    """Return the name for somebody in a field of their own; if the field names several, each."""
    return name_for(by, name) if name in by.own or name in by.names else replace_names(by, name)


def rename_rules(by: Renaming, rules: str) -> str:
    """Return the name of a ruleset; for a table's own, the path to it."""
    return rules if rules in bundled() else replace_names(by, rules)


def _shared_keys(by: Renaming, record: Session | Deal) -> dict[str, Any]:
    """Return the keys that heads and deals share, with every name replaced."""
    return {
        **{key: _text(by, getattr(record, key)) for key in TEXTS},
        "players": None if record.players is None else tuple(name_for(by, name) for name in record.players),
        "rules": None if record.rules is None else rename_rules(by, record.rules),
        "house": _house(by, record.house),
        "inferred": None if record.inferred is None else tuple(rename_fact(by, note) for note in record.inferred),
        "carry": None if record.carry is None else replace(record.carry, pots=rename_values(by, record.carry.pots)),
        "x": rename_values(by, record.x),
    }


def _text(by: Renaming, text: str | None) -> str | None:
    return None if text is None else replace_names(by, text)


def _unit(by: Renaming, unit: str | None) -> str | None:
    """Return a unit; it stays a unit even if a player has the same name (P)."""
    return unit if unit is None or unit in by.names else replace_names(by, unit)


def rename_values(by: Renaming, value: Any) -> Any:
    """Return a free table, list or value, keys and all."""
    if isinstance(value, dict):
        table: dict[str, Any] = {}
        for key, entry in value.items():
            table[_distinct_key(replace_names(by, key), table)] = rename_values(by, entry)
        return table
    if isinstance(value, list | tuple):
        return [rename_values(by, entry) for entry in value]
    return replace_names(by, value) if isinstance(value, str) else value


def _distinct_key(key: str, others: dict[str, Any]) -> str:
    """Return a key that no other entry has, since two spellings of one name become the same."""
    return key if key not in others else _distinct_key(f"{key} (2)", others)


def _house(by: Renaming, house: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return settings: those that the rules know are words of the format, any others may hold names."""
    if not house or rename_values(by, house) == house:
        return house
    unit = {"unit": _unit(by, house["unit"])} if isinstance(house.get("unit"), str) else {}
    known = [key for key in house if key == "head" or load("bavarian", {key: house[key]})[0] is not None]
    unknown = {key: entry for key, entry in house.items() if key not in known}
    renamed: dict[str, Any] = rename_values(by, unknown)
    return {key: entry for key, entry in house.items() if key in known} | renamed | unit


def _event(by: Renaming, event: Event) -> Event:
    return event if event.verb in NO_TEXT else replace(event, arg=_text(by, event.arg))


def _rename_stated(by: Renaming, stated: Stated) -> Stated:
    steps = stated.steps
    if steps is not None:
        steps = tuple(replace(step, text=_text(by, step.text)) for step in steps)
    return replace(stated, steps=steps, result=_text(by, stated.result))


def _ruling(by: Renaming, row: Ruling) -> Ruling:
    return replace(row, by=rename_person(by, row.by), why=replace_names(by, row.why), cite=_text(by, row.cite))


def _correction(by: Renaming, row: Correction) -> Correction:
    return replace(row, by=rename_person(by, row.by), why=replace_names(by, row.why), set=rename_changes(by, row.set))


def rename_changes(by: Renaming, value: Any, path: tuple[str, ...] = ()) -> Any:
    """Return the changes of a correction with every name replaced. A part of its keys is a name only if the format has
    no such key."""
    if isinstance(value, dict):
        changes: dict[str, Any] = {}
        for key, entry in value.items():
            parts = (key,) if path else _parts(key)  # only a key directly in `set` may be dotted
            renamed = tuple(_part(by, (*path, *parts[:place]), part) for place, part in enumerate(parts))
            new = key if renamed == parts else renamed[0] if path else format_key(renamed)
            changes[_distinct_key(new, changes)] = rename_changes(by, entry, (*path, *parts))
        return changes
    if isinstance(value, list | tuple):
        return [rename_changes(by, entry, path) for entry in value]
    if not isinstance(value, str) or path[:1] == ("unit",):
        return value
    if path[:1] == ("rules",):
        return rename_rules(by, value)
    return name_for(by, value) if value in by.names else replace_names(by, value)


def rename_facts(by: Renaming, facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Return the facts of a finding or message with the names in their texts replaced."""
    return {key: rename_fact(by, fact) for key, fact in facts.items()}


def rename_fact(by: Renaming, fact: Fact) -> Fact:
    """Return a fact, or a message with its facts, with the names in its texts replaced; ids of messages stay."""
    if isinstance(fact, str):
        return replace_names(by, fact)
    if isinstance(fact, Message):
        return Message(fact.id, rename_facts(by, fact.facts))
    return tuple(rename_fact(by, part) for part in fact) if isinstance(fact, list | tuple) else fact


def _parts(key: str) -> tuple[str, ...]:
    try:
        return parse_key(key)
    except Problem:
        return (key,)


def _part(by: Renaming, path: tuple[str, ...], part: str) -> str:
    if keys_at(key_table.Deal, path):
        return part
    return name_for(by, part) if part in by.names else replace_names(by, part)


def names_at_table(head: Session, deals: Iterable[Deal]) -> list[str]:
    """Return everybody who sits at the table in a session, or would by a correction, in the order of their seats."""
    names = [*head.players]
    for deal in deals:
        names += deal.players or ()
        names += (name for row in deal.correction or () for name in players_set(row.set))
    return list(dict.fromkeys(names))
