"""The readings of a house: the values that a setting may have at another table, and the price of a deal under them."""

from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from archive.explain.scene import TARIFFS, Slip, prices_of
from archive.explain.texts import row_of_reading, setting_facts
from archive.judge.infer import READINGS
from archive.judge.judge_deal import rules_of, with_rounds
from archive.judge.types import Case
from archive.notation import merge_settings
from archive.play.game_words import is_tout
from archive.play.replay import replay
from archive.play.types import THROWN_IN
from archive.record import Session
from archive.rules import UNKNOWN, Contract
from archive.rules.load import bundled_houses
from archive.rules.types import Consequence, DoubledName, SieName, TieAtHalf
from archive.settle.facts import contract_of, least_runners
from archive.settle.goals import points_in_play
from archive.settle.lines import cite_of
from archive.settle.settle import settle

AMOUNTS = (0, 5, 10, 20, 50, 100)
POINTS = (1, 5, 10, 20, 50, 100)  # possible values of a point
UNUSUAL = 3.0  # how much less likely a tariff is that few tables have: more than two usual slips
BONUS_TIMES = (None, {"schneider": 2, "schwarz": 3}, {"schneider": 2, "schwarz": 4})
LEVELS = ("schneider", "schneider_against")
AGREED = {"bettel": "rufspiel", "ramsch": ""}  # prices that no tariff names, each with one that costs less


class Reading(Struct, frozen=True):
    """A setting with a value other than the table's, and the row that words it."""

    cause: str
    key: str  # dotted, under house
    value: Any


def readings(case: Case, session: Session) -> Iterator[tuple[Slip, Case]]:
    """Yield every other reading that changes the price of the deal."""
    titles = {row.id: row.title for row in case.ruleset.contracts.values()}
    for reading in candidates(case):
        read = settle_under(case, session, reading)
        if read is not None and amounts(read) != amounts(case):
            was, contract = to_builtins(current_value(case, reading.key)), contract_of(case.deal)
            facts = setting_facts(reading.key, reading.value, was, contract, titles)
            cite = cite_of(case.ruleset, f"house.{reading.key}")
            unusual = UNUSUAL if reading.key == "tariff" and reading.value not in TARIFFS else 0
            row = row_of_reading(reading.cause, reading.key, reading.value, was)
            yield Slip(reading.cause, facts, row, unusual, cite, setting=(reading.key, reading.value)), read


def amounts(case: Case) -> tuple[Any, ...]:
    """Return payments, marks and price: the values that a change may move."""
    settled = case.settlement
    return settled.payments, settled.marks, settled.price


def with_setting(session: Session, key: str, value: Any) -> Session:
    """Return the head of a session with one house setting changed."""
    house: Any = value
    for part in reversed(key.split(".")):
        house = {part: house}
    own = session.house or {}
    if key == "tariff":  # another whole list, even if a table or its ruleset has prices of its own
        own = {name: each for name, each in own.items() if name != "price"}
        ruleset, _ = rules_of(replace(session, house=own))
        listed = prices_of(value)
        if ruleset and ruleset.house.price:
            house["price"] = {name: listed[name] for name in ruleset.house.price if name in listed}
    return replace(session, house=merge_settings(own, house))


def settle_under(case: Case, session: Session, reading: Reading) -> Case | None:
    """Return the deal under another reading; None if that gives no valid rules, or no amount."""
    ruleset, _ = rules_of(with_setting(session, reading.key, reading.value))
    if ruleset is None:
        return None
    in_round, played = with_rounds(case.deal, ruleset, case.before), case.replay
    if reading.key.startswith("consequences"):
        played = replay(in_round, case.players, ruleset, case.before.dealer)
    settled = settle(in_round, case.players, ruleset, played, case.before)
    if settled.payments is None and settled.marks is None:
        return None
    return replace(case, ruleset=ruleset, replay=played, settlement=settled)


def current_value(case: Case, key: str) -> Any:
    """Return the value of a setting at this table; for a price without a setting of its own, the one in force."""
    table, _, name = key.partition(".")
    if table == "price":
        contract, prices = name.partition(" ")[0], case.ruleset.prices  # without the suit
        row = case.ruleset.contracts.get(contract)
        return prices.get(name, prices.get(contract, prices.get(row.price) if row else None))
    if key == "ramsch.price":
        return case.ruleset.prices.get("ramsch")
    if table == "consequences":
        return case.ruleset.house.consequences.get(name, "table")  # type: ignore[call-overload]
    value: Any = case.ruleset.house
    for part in key.split("."):
        value = value.get(part, 0) if isinstance(value, dict) else getattr(value, part, None)
    return value


@cache
def values_elsewhere(key: str) -> tuple[Any, ...]:
    """Return the values that the bundled rulesets give a setting."""
    values = []
    for value in map(to_builtins, bundled_houses()):
        for part in key.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if value is not None and value not in values:
            values.append(value)
    return tuple(values)


# --- what may be read otherwise ---------------------------------------------------------------------------------------


def candidates(case: Case) -> Iterator[Reading]:
    """Yield the readings that may affect this deal, without those that the table has."""
    row = case.ruleset.contracts.get(contract_of(case.deal))
    for reading in (*(_of_game(case, row) if row else _of_none(case)), *_of_ending(case)):
        if to_builtins(current_value(case, reading.key)) != reading.value:
            yield reading


def _of_none(case: Case) -> Iterator[Reading]:
    if contract_of(case.deal) == THROWN_IN:
        yield from (Reading("stock", "stock.amount", each) for each in AMOUNTS)
        yield from (Reading("setting", "schieber.thrown_in", each) for each in AMOUNTS)


def _of_game(case: Case, row: Contract) -> Iterator[Reading]:
    house = case.ruleset.house
    if house.marks:
        for key in ("chalk", "first", "schneider", "scores"):
            near = [] if key == "scores" else [getattr(house.marks, key) + step for step in (-1, 1)]
            every = [*values_elsewhere(f"marks.{key}"), *near]
            values = [each for n, each in enumerate(every) if each not in every[:n]]
            yield from (Reading("setting", f"marks.{key}", each) for each in values)
        return
    if row.parties == "each":
        yield from _of_ramsch(case)
    else:
        yield from _of_sides(case, row)
    if house.tariff != UNKNOWN and not house.table:
        doubled = "/".join(str(2 * int(part)) for part in house.tariff.split("/"))  # as many tables play the last round
        others = dict.fromkeys((*TARIFFS, doubled, *values_elsewhere("tariff")))
        yield from (Reading("tariff", "tariff", each) for each in others)
    yield from _of_prices(case, row)
    if "house.point" in case.ruleset.cites:
        yield from (Reading("setting", "point", each) for each in POINTS)
    for each in (*((None,) if house.cap is not None else ()), *values_elsewhere("cap")):
        yield Reading("cap", "cap", each)
    if house.cap is not None:
        yield from (Reading("setting", "cap_of", each) for each in ("pair", "player"))
    if case.before.stock:
        won_by = [each for each in house.stock.won_by if each != row.id]
        yield Reading("stock", "stock.won_by", won_by if row.id in house.stock.won_by else [*won_by, row.id])
        yield from (Reading("stock", "stock.lost", each) for each in ("doubled", "to-winners"))


def _of_prices(case: Case, row: Contract) -> Iterator[Reading]:
    """Yield half, double, and one Schneider more or less, for each price that the deal uses; a Ramsch may
    cost any less, and a Bettel, but more than a Rufer. 001 Additional Contracts: Bettel."""
    if case.ruleset.house.table:
        return
    prices, settled = case.ruleset.prices, case.settlement
    own = row.id if row.id in prices else row.price
    wanted = {own: own, "schneider": settled.schneider, "schwarz": settled.schwarz, "runner": settled.runners_paid}
    for name in (name for name, used in wanted.items() if used):
        price, step = prices[name], prices["schneider"]
        keys = ["ramsch.price" if name == "ramsch" else f"price.{name}"]
        keys += [f"price.{row.id}"] if name == own != row.id else []  # this game apart from others at its price
        suit = case.deal.game.suit if case.deal.game and row.takes == "trump" else None
        keys += [f"price.{row.id} {suit}"] if name == own and suit else []  # or this suit apart from the others
        less = range(price - 2 * step, prices.get(AGREED[name], 0), -step) if name in AGREED and step else ()
        for value in dict.fromkeys((price * 2, price // 2, price + step, price - step, *less)):
            if 0 < value != price and (price % 2 == 0 or value != price // 2):
                yield from (Reading("price", key, value) for key in keys)


def _of_sides(case: Case, row: Contract) -> Iterator[Reading]:
    house, settled = case.ruleset.house, case.settlement
    if settled.runners and not house.table:
        now = least_runners(case.ruleset, row)
        for least in sorted(range(5), key=lambda n: (n == 0, abs(n - now))):  # the nearest first
            yield Reading("runners-from", f"runners_from.{row.id}", least)
        yield from (Reading("runners-most", "runners_most", most) for most in (4, 3, 0))
    seen = settled.side_points is not None  # the limits matter if the card points are known
    if not house.table and (settled.schneider or settled.schwarz):
        yield from (Reading("setting", "bonus_times", each) for each in BONUS_TIMES)
    if not house.table and row.parties != "alone":
        yield Reading("switch", "each_pays_each", not house.each_pays_each)
    if row.bonuses and seen:
        yield from (Reading("level-schneider", f"levels.{key}", at) for key in LEVELS for at in (90, 91))
    if row.goal == "points" and seen:
        yield from (Reading("level-win", "levels.win", at) for at in (60, 61, 62))
        if settled.undecided or settled.side_points == points_in_play(case.replay) / 2:
            yield from (Reading("tie", "levels.tie", each) for each in get_args(TieAtHalf))
    if is_tout(case.deal):
        yield from (Reading("tout", "tout", each) for each in get_args(DoubledName))
    words = case.deal.game.words if case.deal.game else ()
    if "hand" in words:
        yield from (Reading("hand", "hand", each) for each in ("no", *get_args(DoubledName)))
    if row.goal == "dealt":
        yield from (Reading("sie", "sie", each) for each in get_args(SieName))
    discards = house.blind_runners and not row.blind
    for key in ("discard_runners" if discards else "blind_runners", "sitter_pays"):
        yield Reading("switch", key, not getattr(house, key))
    if row.exchange == "wedding":
        yield Reading("switch", "hochzeit.bonuses", not house.hochzeit.bonuses)
    if case.before.stake:
        yield from (Reading("setting", "levels.stakes_most", most) for most in (0, 1))


def _of_ramsch(case: Case) -> Iterator[Reading]:
    yield from (Reading("ramsch-virgin", "ramsch.virgin", each) for each in READINGS["ramsch.virgin"])
    yield from (Reading("ramsch-virgin", "ramsch.virgin_is", each) for each in ("no-trick", "no-points"))
    march = ("no", "tricks", *(each for each in values_elsewhere("ramsch.march") if isinstance(each, int)))
    yield from (Reading("ramsch-march", "ramsch.march", each) for each in march)
    classes = dict.fromkeys(each.price for each in case.ruleset.contracts.values())
    yield from (Reading("ramsch-march-price", "ramsch.march_price", each) for each in classes)
    ladder = case.ruleset.house.ramsch.tie
    last = ([*ladder, each] for each in ("taken-ace", "own-ace") if each not in ladder)
    yield from (Reading("ramsch-tie", "ramsch.tie", list(each)) for each in (*READINGS["ramsch.tie"], *last))
    yield from (Reading("ramsch-bonus", "ramsch.bonus_under", each) for each in values_elsewhere("ramsch.bonus_under"))


def _of_ending(case: Case) -> Iterator[Reading]:
    """Yield other consequences of the irregularity that ended the deal."""
    table, _, kind = (case.replay.ending.setting if case.replay.ending else "").removeprefix("house.").partition(".")
    if table == "consequences" and kind:
        yield from (Reading("switch", f"{table}.{kind}", each) for each in get_args(Consequence))
