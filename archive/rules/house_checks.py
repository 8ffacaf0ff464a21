"""Mistakes in how the settings of a house fit together, as rows: where, when, and what is said. Some refuse the house,
since it cannot be played; the others note a setting that changes nothing. And mistakes in the settings that are tables
by name: names that the rules do not have, and points that cannot be shared."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from archive.cards import PACKS, SUITS, codes
from archive.rules.tables import hand_size
from archive.rules.types import EVENTS, Contract, House, Round, Special
from archive.rules.written_names import CLASSES, Names, Wrong
from archive.say import Message, message

IN_THE_PACK = 120  # card points
ROUNDS = ("bock", "kreuz", "schieber", "teufel")


class Table(NamedTuple):
    """A house with the rows of its rules, and the dotted keys that the table itself has set, with those of the tables
    that they stand in."""

    house: House
    contracts: dict[str, Contract]
    rounds: dict[str, Round]
    own: frozenset[str]

    @property
    def rows_here(self) -> list[Contract]:
        """The contracts that are played here."""
        return [self.contracts[name] for name in self.house.contracts if name in self.contracts]

    def plays(self, **has: Any) -> bool:
        """Return whether a contract with these values is played here."""
        return any(all(getattr(row, key) == value for key, value in has.items()) for row in self.rows_here)

    def sets(self, key: str) -> bool:
        """Return whether the table itself has set a setting, or something in it."""
        return key in self.own


class Row(NamedTuple):
    """The settings (the first that the table has set is named), a test that they are wrong, and the sentence to say."""

    settings: tuple[str, ...]
    when: Callable[[Table], Any]  # a false result is right; a dict of facts fills the sentence
    why: str


def row(settings: str, why: str, when: Callable[[Table], Any]) -> Row:
    """Return a row whose settings stand in one text."""
    return Row(tuple(settings.split()), when, why)


def find_wrong(table: Table, rows: tuple[Row, ...]) -> list[tuple[str, Message]]:
    """Return the message of each row that applies, by the dotted key of a setting, the first of each."""
    messages: dict[str, Message] = {}
    for each in rows:
        if facts := each.when(table):
            key = next((key for key in each.settings if table.sets(key)), each.settings[0])
            why = message(f"rules.{each.why}", **(facts if isinstance(facts, dict) else {}))
            messages.setdefault(f"house.{key}", why)
    return list(messages.items())


# --- conditions -----------------------------------------------------------------------------------------------------


def over_the_pack(key: str) -> Row:
    """Return a row for a number of card points greater than the pack has."""
    return row(key, "over-the-pack", lambda table: _points_over(value_of(table.house, key)))


def _points_over(value: Any) -> dict[str, int] | None:
    more = isinstance(value, int) and value > IN_THE_PACK
    return {"points": value, "most": IN_THE_PACK} if more else None


def value_of(house: House, dotted: str) -> Any:
    """Return the value of a setting by its dotted key, or None if the table it stands in is not there."""
    value: Any = house
    for key in dotted.split("."):
        value = getattr(value, key, None)
    return value


def levels(key: str) -> tuple[Row, ...]:
    """Return rows for the limits of a game: 120 at most, Schneider not before winning."""
    return (
        *(over_the_pack(f"{key}.{name}") for name in ("win", "schneider", "schneider_against")),
        row(f"{key}.win", "no-points-win", lambda table: value_of(table.house, f"{key}.win") == 0),
        row(f"{key}.schneider {key}.schneider_against {key}.win", "schneider-first", partial(_reversed_levels, key)),
    )


def _reversed_levels(key: str, table: Table) -> bool:
    each = value_of(table.house, key)
    return each is not None and (each.schneider < each.win or each.schneider_against <= IN_THE_PACK - each.win)


def _falls(key: str, table: Table) -> bool:
    """Return whether points make a higher win worth less."""
    points = list(value_of(table.house, key) or ())
    return points != sorted(points)


def _only_in_muss(key: str, table: Table) -> bool:
    """Return whether cards may be called in a Muss, at a table without one."""
    return table.sets(key) and value_of(table.house, key) == "muss" and table.house.all_pass != "muss"


def _cards(table: Table) -> dict[str, int] | None:
    """Return the facts if more cards are dealt than the pack has, else None."""
    house = table.house
    shown = house.open_cards.count if house.open_cards else 0
    wanted = house.seats * (hand_size(house) + house.pile) + shown
    return {"n": wanted, "deck": house.deck} if wanted > house.deck else None


def _fewer_packets(table: Table) -> dict[str, Any] | None:
    """Return the facts if the table's own packets do not make a hand, else None."""
    size = hand_size(table.house) + table.house.pile
    for text in table.house.packets if table.sets("packets") else ():
        parts = [part for part in text.split() if not part.startswith("b")]
        if not all(part.isdecimal() for part in parts) or sum(map(int, parts)) != size:
            return {"packets": text, "n": size}
    return None


def _is_all_priced(table: Table) -> bool:
    """Return whether all that is played has a price of its own, so that a tariff changes nothing."""
    house, rows = table.house, table.rows_here
    extras = ("schneider", "schwarz") * any(row.bonuses for row in rows)
    runner = ("runner",) * any(house.runners_from.get(row.id) for row in rows)
    return {row.price for row in rows}.union(extras, runner) <= house.price.keys()


def _not_played(key: str, table: Table) -> dict[str, str] | None:
    """Return the first contract in a setting that is not played at the table, else None."""
    named = value_of(table.house, key) or ()
    rounds = [name for each in table.rounds.values() for name in each.contracts]
    names = [name for name in ((named,) if isinstance(named, str) else named) if name in table.contracts]
    none = next((name for name in names if name not in (*table.house.contracts, *rounds, *_weddings(table))), None)
    return {"name": none} if none and table.sets(key) else None


def _weddings(table: Table) -> list[str]:
    """Return the contracts that are offered to a partner, if the house has them."""
    return [
        row.id for row in table.contracts.values() if row.exchange == "wedding" and table.house.hochzeit.when != "no"
    ]


def _causes(table: Table) -> dict[str, tuple[str, ...]]:
    """Return the rounds that each round's own contracts set off, by round; itself only if it follows itself."""
    special = {name: getattr(table.house, name, Special()) for name in table.rounds}
    return {
        name: tuple(
            other
            for other, each in special.items()
            if set(each.on) & {*made.contracts} and (other != name or each.follows_itself)
        )
        for name, made in table.rounds.items()
    }


def _endless(name: str, table: Table) -> dict[str, str] | None:
    """Return the other round if the deals of a special round set it off, and its deals the first again: without end,
    unintended; else None."""
    if not value_of(table.house, f"{name}.on"):  # nothing sets it off
        return None
    causes, met, ahead = _causes(table), set[str](), [name]
    while ahead:
        for each in causes.get(ahead.pop(), ()):
            if each == name:
                other = next(iter(met), name)
                return None if other == name else {"name": other}
            if each not in met:
                met.add(each)
                ahead.append(each)
    return None


def without(keys: str, why: str, needed: Callable[[Table], Any]) -> tuple[Row, ...]:
    """Return a row for each setting that changes nothing unless the table has what it is for, if the table sets it."""
    return tuple(row(key, why, partial(_sets_without, key, needed)) for key in keys.split())


def _sets_without(key: str, needed: Callable[[Table], Any], table: Table) -> bool:
    return table.sets(key) and not needed(table)


def _rank_missing(key: str, table: Table) -> dict[str, Any] | None:
    """Return the rank or card of a setting if it is not in the pack, else None."""
    rank = value_of(table.house, key)
    if not rank or any(code[1] == rank[-1] for code in codes(PACKS[table.house.deck])):
        return None
    return {"card": rank, "deck": table.house.deck}


# --- what refuses a house ---------------------------------------------------------------------------------------------

REFUSED: tuple[Row, ...] = (
    row("contracts", "plays-nothing", lambda table: not table.house.contracts),
    row("hand_size seats deck pile open_cards", "more-cards", _cards),
    row("packets", "packets-no-hand", _fewer_packets),
    row("stacks hand_size", "more-stacks", lambda table: 2 * table.house.stacks > hand_size(table.house)),
    row("least_seats seats", "least-over-most", lambda table: table.house.least_seats > table.house.seats),
    *levels("levels"),
    *levels("muss.levels"),
    *map(over_the_pack, ("ramsch.march", "ramsch.announce", "ramsch.bonus_under", "surrender")),
    row("all_pass", "no-muss-table", lambda table: table.house.all_pass == "muss" and table.house.muss is None),
    row("muss.contract contracts", "contract-not-here", lambda table: table.house.all_pass == "muss"
        and table.house.muss and table.house.muss.contract not in table.house.contracts
        and {"name": table.house.muss.contract}),
    row("auction lengths", "auction-needs-lengths",
        lambda table: table.house.auction == "lengths" and not table.house.lengths),
    row("bids.step", "no-step", lambda table: table.house.bids and not table.house.bids.step),
    row("bids.start", "over-the-pack", lambda table: table.house.bids and not table.house.bids.rising
        and _points_over(table.house.bids.start)),
    row("match.half match.reach", "half-over-whole", lambda table: table.house.match
        and (table.house.match.half > table.house.match.reach or not table.house.match.reach)),
    *(row(key, "scores-fall", partial(_falls, key)) for key in ("match.right", "match.wrong", "marks.scores")),
    row("score.step", "score-never-ends", lambda table: table.house.score
        and (table.house.score.to - table.house.score.start) * table.house.score.step <= 0),
    *without("bonus_times each_pays_each", "no-use", lambda table: not table.house.table),
    row("stoss.cards stoss.until", "no-use", lambda table:
        (table.house.stoss.until == "cards") != (table.house.stoss.cards > 0)),
    *(row(f"{key} deck", "not-in-the-pack", partial(_rank_missing, key))
      for key in ("muss.card", "talon.takes", "open_cards.all_pay", "draws", "building.base")),
)  # fmt: skip

# --- what changes nothing ---------------------------------------------------------------------------------------------

AS_MONEY = "no-use-in-points"
WITHOUT_USE: tuple[Row, ...] = (
    row("all_pass", "all-pass-not-here", lambda table: table.sets("all_pass") and table.house.all_pass == "ramsch"
        and not table.plays(goal="most-loses")),
    row("tariff", "tariff-falls", lambda table: table.sets("tariff")
        and (parts := [int(part) for part in table.house.tariff.split("/") if part.isdecimal()]) != sorted(parts)),
    *without("tariff price runners_from runners_most tout sie", "table-prevails", lambda table: not table.house.table),
    row("tariff", "prices-prevail", lambda table: table.sets("tariff") and table.house.tariff[0].isdecimal()
        and _is_all_priced(table)),
    *without("tariff price cap stock", AS_MONEY, lambda table: not (table.house.marks or table.house.score)),
    *without("muss", "no-muss", lambda table: table.house.all_pass == "muss"),
    *(row(key, "no-muss", partial(_only_in_muss, key)) for key in ("call.void", "call.ten", "call.king")),
    row("bids", "no-bids", lambda table: table.sets("bids") and table.house.bids and table.house.auction != "ranks"),
    row("lengths", "no-lengths", lambda table: table.sets("lengths") and table.house.lengths
        and table.house.auction != "lengths"),
    row("stock.amount", "nobody-wins-stock", lambda table: table.sets("stock") and table.house.stock.amount
        and not table.house.stock.won_by),
    row("stock.won_by", "nobody-fills-stock", lambda table: table.sets("stock.won_by") and table.house.stock.won_by
        and not (table.house.stock.amount or table.house.schieber.thrown_in)),
    row("stock.amount", "never-thrown-in", lambda table: table.sets("stock.amount") and table.house.stock.amount
        and table.house.all_pass != "thrown-in" and not table.house.hausbock and not _weddings(table)),
    *(row(key, "contract-not-here", partial(_not_played, key))
      for key in ("stock.won_by", *(f"{name}.on" for name in ROUNDS))),
    row("hochzeit.when", "hochzeit-not-here", lambda table: table.sets("hochzeit.when")
        and table.house.hochzeit.when != "no" and not table.plays(exchange="wedding")),
    row("hochzeit contracts", "hochzeit-never", lambda table: table.sets("contracts")
        and table.plays(exchange="wedding") and table.house.hochzeit.when == "no"),
    *(row(f"{name}.on", "never-ends", partial(_endless, name)) for name in ROUNDS),
    *without("cap_of", "no-cap", lambda table: table.house.cap is not None),
    *without("hand blind_runners", "no-blind", lambda table: table.plays(exchange="blind") or table.plays(blind=True)
             or (table.house.hand == "no" and not table.house.blind_runners)),
)  # fmt: skip


# --- settings that are tables by name ---------------------------------------------------------------------------------


def wrong_tables(
    house: House, contracts: dict[str, Contract], rounds: dict[str, Round], names: Names, prices: dict[str, int]
) -> Iterator[Wrong]:
    """Yield the mistakes in settings that are tables by name, and those whose price class has no price."""
    yield from wrong_names(house, contracts, rounds, names)
    yield from wrong_points(house, contracts, names)
    if prices and house.ramsch.march_price not in prices:
        yield "house.ramsch.march_price", message("rules.no-price", name=house.ramsch.march_price)
    for row in contracts.values():
        if prices and row.price not in prices and row.id not in prices:
            yield f"contract.{row.id}.price", message("rules.no-price", name=row.price)
    yield from wrong_consequences(house)
    yield from without_contract(house, contracts)


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
        # a contract, one of its suits, a Tout or an open game
        id, _, form = each.partition(" ")
        if not (id in contracts and (form in ("", "tout", "open") or each in suited)):
            yield f"house.rank.{each}", _no_contract(each, names)


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
