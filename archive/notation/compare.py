"""What two records tell of one deal: key by key, by the names of the players, wherever each source seats them."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from archive.cards import is_known
from archive.notation import encode
from archive.notation.lines import forehand
from archive.record import Deal, Double, Session, Stated
from archive.rules import UNKNOWN

Told = dict[str, Any]

# Not what was played and paid: how a source numbers, files and words it, and what was added later.
ASIDE = frozenset({"no", "id", "inferred", "correction", "ruling", "carry", "stated", "hands", "held", "tricks"})
MANY = 20  # known cards in tricks: so many in the same order are no chance
HANDS = 3  # hands known whole: the fourth is what is left
OWN_WORDS = ("result", "steps")
NOT_TOLD = ("house.tariff", UNKNOWN)


class Difference(NamedTuple):
    """A key of which two records tell something else, each in the form of the record format."""

    key: str
    first: str
    second: str


def is_whole(deal: Deal) -> bool:
    """Whether so many of a deal's cards are recorded that a deal of the same cards is the same deal."""
    played = sum(is_known(card) for trick in deal.tricks or () for card in trick.cards)
    hands = sum(bool(hand) and all(map(is_known, hand)) for hand in deal.hands or deal.held or () if hand)
    return played >= MANY or hands >= HANDS


def differences(first: tuple[Session, Deal], second: tuple[Session, Deal]) -> list[Difference]:
    """What two records of the same deal tell differently. Of what only one of them tells, nothing is said."""
    one, other = _both(first, second)
    return [
        Difference(key, _text(one[key]), _text(other[key]))
        for key in one
        if key in other and not _agree(one[key], other[key])
    ]


def is_fuller(first: tuple[Session, Deal], second: tuple[Session, Deal]) -> bool:
    """Whether the second record tells all that the first does, nothing differently, and more."""
    one, other = _both(first, second)
    return one.keys() < other.keys() and not differences(first, second)


def _both(first: tuple[Session, Deal], second: tuple[Session, Deal]) -> tuple[Told, Told]:
    players, others = _players(first), _players(second)
    return told(*first, players), told(*second, _as_named(players, others, first[1], second[1]))


def _players(record: tuple[Session, Deal]) -> tuple[str, ...]:
    session, deal = record
    return deal.players or session.players


def _as_named(players: tuple[str, ...], others: tuple[str, ...], first: Deal, second: Deal) -> tuple[str, ...]:
    """The names of the first record in the seats of the second; where the names differ, both count from forehand."""
    if len(players) != len(others) or set(players) == set(others):
        return others
    count = len(players)
    shift = forehand(first, count) - forehand(second, count)
    return tuple(players[(seat + shift) % count] for seat in range(count))


def told(session: Session, deal: Deal, players: tuple[str, ...]) -> Told:
    """Everything that a record tells of a deal, flat, without what a reader worked out instead of reading."""
    to = encode.Names(players, players, True)
    own = replace(deal, knocks=None, doubles=None)
    found: Told = encode.keys(to, own, [key for key in encode.OWN if key not in ASIDE], encode.DEAL)
    found |= {"date": session.date, "unit": session.unit, "rules": deal.rules or session.rules}
    found |= {"players": tuple(sorted(deal.players or session.players))}
    found |= _flat("house", (session.house or {}) | (deal.house or {}))
    for key in ("hands", "held"):
        hands = zip(players, getattr(deal, key) or (), strict=False)
        found |= {f"{key}.{name}": sorted(hand) for name, hand in hands if hand and all(map(is_known, hand))}
    for number, trick in enumerate(deal.tricks or (), 1):
        leader = None if trick.leader is None else players[trick.leader]
        found |= {f"tricks.{number}": " ".join(trick.cards), f"tricks.{number}.leader": leader}
    found |= {"knocks": _sorted(deal.knocks, players), "doubles": _doubles(deal.doubles, players)}
    found |= _stated(deal.stated, to)
    worked_out = {entry.split(":")[0] for entry in (*(session.inferred or ()), *(deal.inferred or ()))}
    return {
        key: value
        for key, value in found.items()
        if value is not None
        and (key, value) != NOT_TOLD
        and not any(f"{key}.".startswith(f"{each}.") for each in worked_out)
    }


def _flat(key: str, value: Any) -> Iterator[tuple[str, Any]] | Told:
    if not isinstance(value, dict):
        return {key: sorted(value) if isinstance(value, list) and all(isinstance(e, str) for e in value) else value}
    return {name: entry for inner in value for name, entry in dict(_flat(f"{key}.{inner}", value[inner])).items()}


def _sorted(seats: tuple[int, ...] | int | None, players: Sequence[str]) -> Any:
    return seats if seats is None or isinstance(seats, int) else sorted(players[seat] for seat in seats)


def _doubles(doubles: tuple[Double, ...] | int | None, players: Sequence[str]) -> Any:
    return doubles if doubles is None or isinstance(doubles, int) else [f"{players[d.seat]} {d.word}" for d in doubles]


def _stated(stated: Stated | None, to: encode.Names) -> Told:
    if stated is None:
        return {}
    found: Told = {}
    wanted = [key for key in Stated.__struct_fields__ if key not in OWN_WORDS]
    for key, value in encode.keys(to, stated, wanted, encode.STATED).items():
        per_seat = isinstance(value, list) and key not in ("winners", "virgins")
        entries = zip(to.players, value, strict=False) if per_seat else ()
        found |= {f"stated.{key}.{name}": entry for name, entry in entries} if per_seat else {f"stated.{key}": value}
    return found


def _agree(one: Any, other: Any) -> bool:
    """Whether two values can both hold: a count agrees with a list that is as long."""
    if isinstance(one, list) != isinstance(other, list):
        one, other = (len(value) if isinstance(value, list) else value for value in (one, other))
    return bool(one == other)


def _text(value: Any) -> str:
    if isinstance(value, tuple | list):
        return " ".join(str(each) for each in value if each is not None) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
