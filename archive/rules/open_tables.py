"""Mistakes in the settings that are tables by name: names that the rules do not have, and points that cannot be
shared."""

from collections.abc import Iterable, Iterator

from archive.cards import SUITS
from archive.rules.house_checks import ROUNDS
from archive.rules.tables import hand_size
from archive.rules.types import EVENTS, Contract, House, Round
from archive.rules.written_names import CLASSES, Names, Wrong
from archive.say import Message, message


def wrong_names(
    house: House, contracts: dict[str, Contract], rounds: dict[str, Round], names: Names
) -> Iterator[Wrong]:
    """Yield the keys and entries that name no contract, class or event, each with the nearest name."""
    suited = [f"{row.id} {suit}" for row in contracts.values() if row.takes == "trump" for suit in SUITS]
    classes = {*contracts, *CLASSES, *(row.price for row in contracts.values())}
    named: list[tuple[str, Iterable[str]]] = [
        ("contracts", house.contracts),
        ("stock.won_by", house.stock.won_by),
        ("muss.contract", (house.muss.contract,) if house.muss else ()),
    ]
    for key, entries in named:
        yield from ((f"house.{key}", _no_contract(each, names)) for each in entries if each not in contracts)
    for name in ROUNDS:
        causes = getattr(house, name).on
        yield from (
            (f"house.{name}.on", _no_contract(each, names, EVENTS))
            for each in causes
            if each not in contracts and each not in EVENTS
        )
    for name, special in rounds.items():
        missing = [each for each in special.contracts if each not in contracts]
        yield from ((f"round.{name}.contracts", _no_contract(each, names)) for each in missing)
    for each in house.runners_from:
        if each not in contracts:
            yield f"house.runners_from.{each}", _no_contract(each, names)
    for each in house.price:
        if each not in classes and each not in suited:
            yield f"house.price.{each}", _no_class(each, names)
    for each in house.rank:
        if not _is_ranked(each, contracts, suited):
            yield f"house.rank.{each}", _no_contract(each, names)


def _is_ranked(key: str, contracts: dict[str, Contract], suited: list[str]) -> bool:
    """Return whether something that is bid has this name: a contract, one of its suits, a Tout or an open game."""
    id, _, form = key.partition(" ")
    return id in contracts and (form in ("", "tout", "open") or key in suited)


def _no_contract(name: str, names: Names, more: tuple[str, ...] = ()) -> Message:
    near = names.nearest(name, more)
    return message("rules.no-contract-near", name=name, near=near) if near else message("rules.no-contract", name=name)


def _no_class(name: str, names: Names) -> Message:
    near = names.nearest(name, CLASSES)
    if near:
        return message("rules.no-price-class-near", name=name, near=near)
    return message("rules.no-price-class", name=name)


def wrong_points(house: House, contracts: dict[str, Contract], names: Names) -> Iterator[Wrong]:
    """Yield the mistakes in a tournament's point table."""
    known = {"tout", *contracts, *(row.price for row in contracts.values())}
    yield from ((f"house.table.{key}", _no_class(key, names)) for key in house.table if key not in known)
    for row in (contracts[name] for name in house.contracts if house.table and name in contracts):
        own = house.table.get(row.id) or house.table.get(row.price)
        if not own:
            yield "house.table", message("rules.no-points", name=row.id)
        points = (*(own or ()), *(house.table.get("tout", ()) if row.tout_rank is not None else ()))
        losers = house.seats - 1 if row.parties == "alone" else 1
        odd = next((point for point in points if point % losers), None)
        if odd is not None:
            yield "house.table", message("rules.points-not-shared", losers=losers, points=odd, name=row.id)
    for key, row_of in house.table.items():
        if list(row_of) != sorted(row_of):
            yield f"house.table.{key}", message("rules.scores-fall")


def wrong_consequences(house: House) -> Iterator[Wrong]:
    """Yield consequences that cannot follow: before the deal there is only cutting, and dealing, again, and after it no
    cutting."""
    before = ("table", "played-on", "cut-again", "dealt-again")
    for name, consequence in house.consequences.items():
        cutting = name == "exposed-cutting"
        if consequence == "cut-again" if not cutting else consequence not in before:
            yield f"house.consequences.{name}", message("rules.when-cutting" if cutting else "rules.not-when-cutting")


def without_contract(house: House, contracts: dict[str, Contract]) -> Iterator[Wrong]:
    """Yield settings that do not concern this table: a play of none of its contracts, and cards that are dealt to
    nobody and that nobody takes up."""
    played = [contracts[name] for name in house.contracts if name in contracts]
    goals = {row.goal for row in played}
    for key, play, goal in (("building", "building", "all-built"), ("open_cards", "exchange", "lowest-pays")):
        if getattr(house, key) is not None and (house.play != play or goal not in goals):
            yield f"house.{key}", message("rules.no-use")
    left = house.deck - house.seats * (hand_size(house) + house.pile)
    takes = house.talon or house.open_cards or any(row.exchange == "blind" for row in played)
    if left > 0 and not takes:
        yield "house.hand_size", message("rules.cards-left", n=left)
