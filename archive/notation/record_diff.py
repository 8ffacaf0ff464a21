"""Differences between two records of one deal: key by key, by players' names, wherever each source seats them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from archive.cards import is_known
from archive.notation import key_table
from archive.notation.identities import forehand
from archive.notation.write_values import Writer
from archive.record import Deal, Session, evidence_key
from archive.rules import UNKNOWN

Entries = Mapping[str, Any]  # by dotted key

# Not what was played and paid: how a source numbers, files and words it, and what was added later.
ASIDE = frozenset({"no", "id", "skat", "correction", "ruling"})
APART = frozenset(
    {"hands", "held", "piles", "tricks", "knocks", "doubles", "stated"}
)  # flat, an entry for each of their parts
PLAYED = {key: form for key, form in key_table.OWN.items() if key not in ASIDE | APART}
STATED = {key: form for key, form in key_table.STATED.items() if key not in ("result", "steps")}
NO_TARIFF = ("house.tariff", UNKNOWN)


class Difference(NamedTuple):
    """A key on which two records disagree, each value in the form of the record format."""

    key: str
    first: str
    second: str


def differences(first: tuple[Session, Deal], second: tuple[Session, Deal]) -> list[Difference]:
    """Return the keys on which two records of one deal disagree; what only one of them says is no difference."""
    one, other = _entries_of_both(first, second)
    return [
        Difference(key, _text(one[key]), _text(other[key]))
        for key in one
        if key in other and not _agree(one[key], other[key])
    ]


def is_fuller(first: tuple[Session, Deal], second: tuple[Session, Deal]) -> bool:
    """Return whether the second record says all that the first does, nothing against it, and more."""
    one, other = _entries_of_both(first, second)
    return one.keys() < other.keys() and not differences(first, second)


def _entries_of_both(first: tuple[Session, Deal], second: tuple[Session, Deal]) -> tuple[Entries, Entries]:
    """Return the entries of both records by the names of the first; if names differ, seats count from forehand."""
    players, others = (deal.players or session.players for session, deal in (first, second))
    if len(players) == len(others) and set(players) != set(others):
        count = len(players)
        shift = forehand(first[1], count) - forehand(second[1], count)
        others = tuple(players[(seat + shift) % count] for seat in range(count))
    return _entries(*first, players), _entries(*second, others)


def _entries(session: Session, deal: Deal, players: tuple[str, ...]) -> Entries:
    """Return everything that a record says of a deal, flat, without what a reader worked out instead of reading."""
    to = Writer(players, players, True)
    entries = {key_table.FIELDS.get(key, key): value for key, value in key_table.write_keys(to, deal, PLAYED).items()}
    entries |= {"date": session.date, "unit": session.unit, "rules": deal.rules or session.rules}
    entries |= {"players": tuple(sorted(deal.players or session.players))}
    entries |= _flat("house", (session.house or {}) | (deal.house or {}))
    for key in ("hands", "held", "piles"):
        hands = zip(players, getattr(deal, key) or (), strict=False)
        entries |= {f"{key}.{name}": sorted(hand) for name, hand in hands if hand and all(map(is_known, hand))}
    for number, trick in enumerate(deal.tricks or (), 1):
        leader = None if trick.leader is None else players[trick.leader]
        entries |= {f"tricks.{number}": " ".join(trick.cards), f"tricks.{number}.leader": leader}
    knocks, doubles = deal.knocks, deal.doubles
    entries["knocks"] = sorted(players[seat] for seat in knocks) if isinstance(knocks, tuple) else knocks
    entries["doubles"] = (
        [f"{players[each.seat]} {each.word}" for each in doubles] if isinstance(doubles, tuple) else doubles
    )
    for key, value in (key_table.write_keys(to, deal.stated, STATED) if deal.stated else {}).items():
        if isinstance(value, list) and STATED[key].by_player:
            entries |= {f"stated.{key}.{name}": entry for name, entry in zip(to.players, value, strict=False)}
        else:
            entries[f"stated.{key}"] = value
    worked_out = set(map(evidence_key, (*(session.inferred or ()), *(deal.inferred or ()))))
    return {
        key: value
        for key, value in entries.items()
        if value is not None
        and (key, value) != NO_TARIFF
        and not any(f"{key}.".startswith(f"{inferred}.") for inferred in worked_out)
    }


def _flat(key: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {key: sorted(value) if isinstance(value, list) and all(isinstance(e, str) for e in value) else value}
    return {name: e for inner in value for name, e in _flat(f"{key}.{inner}", value[inner]).items()}


def _agree(one: Any, other: Any) -> bool:
    """Return whether two values can both hold: a count agrees with a list of that length."""
    if isinstance(one, list) != isinstance(other, list):
        one, other = (len(value) if isinstance(value, list) else value for value in (one, other))
    return bool(one == other)


def _text(value: Any) -> str:
    if isinstance(value, tuple | list):
        return " ".join(str(entry) for entry in value if entry is not None) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
