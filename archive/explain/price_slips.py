"""Slips in computing a price: operations on its lines, one left out, taken twice, with another count, at the price of
another row, multiplied differently or in another order. The part of a line decides which cause an operation on it
is."""

from collections.abc import Callable, Iterator
from itertools import combinations
from math import prod
from typing import Any

from archive.explain.account import Account, Item, Items, price_without_cap, runners_counted
from archive.explain.scene import (
    NAMED,
    Scene,
    Slip,
    Trial,
    part_title,
    parts_moved,
    row_of_unpaid,
    scores_of,
    words_of_wrong_game,
)
from archive.explain.texts import row_of_reading
from archive.say import Message, message

SAID = ("knock", "kontra")
DOUBLING = (*SAID, "round", "hausbock", "virgin", "slip")
BONUS = ("schneider", "schwarz")
WORDS = {"settle.kontra": "explain.kontra", "settle.re": "explain.re"}  # any other is a doubling
MISSED = {
    "runners": "runners-missed", "schneider": "schneider-missed", "schwarz": "schwarz-as-schneider",
    "tout": "tout-missed", "virgin": "virgin-missed", "knock": "knock-missed", "kontra": "double-missed",
    "round": "factor-missed", "hausbock": "factor-missed",
}  # fmt: skip
MISSED_ROWS = {  # the sentence of a part, from the facts of its line
    "suit": "part-missed-suit", "stake": "part-missed-stake", "hand": "part-missed-hand", "open": "part-missed-open",
    "contract": "part-missed-factor", "alone": "part-missed-alone", "point": "part-missed-point",
    "round": "factor-missed-round", "hausbock": "factor-missed",
}  # fmt: skip
MOST_RUNNERS = 14
UNITS = (5, 10, 20, 25, 50, 100)
UNSEEN = 1.5  # less likely, if nobody knows how near the card points came

Lines = tuple[Slip, Items]


def price_slips(scene: Scene, account: Account) -> Iterator[Trial]:
    """Yield every slip on the lines of an account that makes another account of it, with that account."""
    items = account.items
    if not items:
        return
    for of in OPERATIONS:
        for slip, made in of(scene, items):
            if made != items:
                yield slip, Account(made, account.shares, account.pot, account.cap, account.unit)
    if account.cap is not None and account.cap < price_without_cap(account):
        slip = Slip("part-missed", {"amount": account.cap}, "part-missed-cap")
        yield slip, Account(items, account.shares, account.pot, None, account.unit)


def without(items: Items, *left_out: int) -> Items:
    return tuple([item for place, item in enumerate(items) if place not in left_out])


def with_item(items: Items, place: int, *now: Item) -> Items:
    return (*items[:place], *now, *items[place + 1 :])


def doublings(items: Items) -> list[int]:
    """Return the places of the lines that double for Kontra, knocks or a round, not for the kind of game."""
    return [n for n, item in enumerate(items) if item.times and item.part in DOUBLING]


# --- left out, taken twice --------------------------------------------------------------------------------------------


def missed_lines(scene: Scene, items: Items) -> Iterator[Lines]:
    """Yield one line left out."""
    black = any(item.part == "schwarz" for item in items)
    for n, item in enumerate(items[1:], 1):
        if not item.amount or item.part in ("game", "sack", "slip", "sitter"):
            continue
        cause = MISSED.get(item.part, "part-missed")
        line, made, row, facts, seen = item.line, without(items, n), "", dict[str, Any](), {}
        cite = line.cite if line else ""
        if item.part in SAID and line:
            if not line.who and item.amount > 2:  # their number alone is known
                made = with_item(items, n, Item(item.part, True, item.amount // 2, line))
            row = f"{cause}-of" if line.who else f"{cause}-one" if item.amount > 2 else cause
            facts = {"player": scene.players[line.who[0]]} if line.who else {}
            if item.part == "kontra":
                facts["word"] = Message(WORDS.get(line.message.id, "explain.doubling"))
        elif item.part == "runners":
            facts, seen = {"count": scene.count}, {"runners": 0, "runner_count": 0}
            row = "runners-missed-without" if scene.signed < 0 else ""
        elif item.part == "virgin" and line:
            facts = {"name": scene.players[line.who[0]] if line.who else ""}
        elif item.part in BONUS:
            if item.part == "schneider" and black and not scene.marks:
                continue  # below: with Schwarz, which it is a part of
            seen = {item.part: False}
        elif line and item.part in MISSED_ROWS:
            row, facts = MISSED_ROWS[item.part], {**line.message.facts, "times": item.amount}
        far = 1 if item.part in ("contract", "hand", "open") else 0  # part of the game's own name
        yield Slip(cause, facts, row, far, cite, seen), made


def missed_together(scene: Scene, items: Items) -> Iterator[Lines]:
    """Yield several lines left out: all knocks, all calls after them, all doublings; Schneider and Schwarz; everything
    that is added to the game."""
    places = doublings(items)
    kinds = {
        "": places,
        "knocks-missed": [n for n in places if items[n].part == "knock"],
        "kontras-missed": [n for n in places if items[n].part == "kontra"],
    }
    seen: set[tuple[int, ...]] = set()
    for row, several in kinds.items():
        factor = prod(items[n].amount for n in several)
        if factor >= 4 and tuple(several) not in seen:
            seen.add(tuple(several))
            line = items[several[0]].line
            facts, cite = {"count": factor.bit_length() - 1}, line.cite if line else ""
            yield Slip("doublings-missed", facts, row, cite=cite), without(items, *several)
    if len(places) > 2:
        for count in range(2, len(places)):
            for some in combinations(places, count):
                if some not in seen:
                    yield Slip("doublings-missed", {"count": count}, "doublings-missed-some", 1), without(items, *some)
    high = [n for n, item in enumerate(items) if item.part in BONUS and item.amount and not item.times]
    if len(high) > 1:
        line = items[high[0]].line
        seen_now = {"schneider": False, "schwarz": False}
        yield Slip("schwarz-missed", cite=line.cite if line else "", seen=seen_now), without(items, *high)
    more = [n for n, item in enumerate(items) if n and not item.times and item.amount and item.part != "stake"]
    if len(more) > 1 and more != high:
        yield Slip("only-game"), without(items, *more)


def repeated_lines(scene: Scene, items: Items) -> Iterator[Lines]:
    """Yield a line counted twice, or three times; a doubling too many."""
    for n, item in enumerate(items):
        if item.times or not item.amount or n == 0:
            continue
        for times in (2, 3):
            row = "" if times == 2 else "part-thrice"
            now = Item(item.part, False, item.amount * times, item.line)
            yield Slip("part-twice", {"what": part_title(item)}, row, 1.5 * (times - 2)), with_item(items, n, now)
    if scene.marks:
        return
    end = end_of_doublings(items)
    over: dict[str, Any] = {"number": scene.round_until} if scene.round_until else {}
    for cause, factor in (("doubling-extra", 2), ("doublings-extra", 4)):
        facts, row = (over, "doubling-extra-round") if over and factor == 2 else ({}, "")
        yield Slip(cause, facts, row), (*items[:end], Item("slip", True, factor), *items[end:])
    game = items[0]
    if scene.has_two_sides:
        yield (
            Slip("part-twice", {"what": part_title(game)}, extra=1),
            with_item(items, 0, Item(game.part, False, 2 * game.amount, game.line)),
        )


def end_of_doublings(items: Items) -> int:
    """Return the place after the doublings, else after everything that they double: before what is carried over, or the
    value of a point."""
    last = doublings(items)
    ends = (n for n, item in enumerate(items) if item.part in ("stake", "point"))
    return last[-1] + 1 if last else next(ends, len(items))


# --- multiplied otherwise, in another order ---------------------------------------------------------------------------


def other_factors(scene: Scene, items: Items) -> Iterator[Lines]:
    """Yield doublings added instead of multiplied, counted once for all, or tripled."""
    places = doublings(items)
    if scene.marks or not places:
        return
    factor = prod(items[n].amount for n in places)
    count, rest = factor.bit_length() - 1, without(items, *places)

    def times(value: int) -> Items:
        return (*rest[: places[0]], Item("slip", True, value), *rest[places[0] :])

    if count >= 2:
        for value in dict.fromkeys((count + 1, 2 * count)):
            if value != factor:
                facts = {"count": count, "times": value}
                yield Slip("doublings-added", facts, extra=0 if value == count + 1 else 0.5), times(value)
        yield Slip("doublings-once", {"count": count}), times(2)
    for value, extra in ((3, 0), (5, 1.5), (6, 1)):
        if factor * value // 2 != count + 1:
            yield Slip("doubled-otherwise", {"times": value}, extra=extra), times(factor // 2 * value)


def other_orders(scene: Scene, items: Items) -> Iterator[Lines]:
    """Yield some parts of the price doubled, and the others added afterwards: by all doublings, or by a factor of the
    game itself."""
    places = doublings(items)
    adds = [n for n, item in enumerate(items) if not item.times and item.amount and item.part != "stake"]
    if places and len(adds) > 1:
        head = list(range(places[0]))
        groups: dict[str, list[int]] = {}
        for n in adds:
            if n < places[0]:
                part = items[n].part
                groups.setdefault(
                    "bonus" if part in BONUS else "game" if part in ("game", "suit", "alone") else part, []
                ).append(n)
        names = list(groups)
        for size in range(1, len(names)):
            for some in combinations(names, size):
                later = [n for name in some for n in groups[name]]
                first = [items[n] for n in head if n not in later]
                moved = (
                    *first,
                    *items[places[0] : places[-1] + 1],
                    *(items[n] for n in later),
                    *items[places[-1] + 1 :],
                )
                if "game" in names and "game" not in some and size == len(names) - 1:
                    yield Slip("doubled-first"), moved
                else:
                    what = tuple(
                        message(f"explain.part-{name if name in (*NAMED, 'bonus') else 'other'}") for name in some
                    )
                    yield Slip("doubled-apart", {"what": what}), moved
    for n, item in enumerate(items):
        if not item.times or item.part in DOUBLING:
            continue
        rest = without(items, n)
        for place in range(1, len(rest) + 1):
            if place != n and not any(each.times and each.part in DOUBLING for each in rest[:place]):
                if item.part == "tout":
                    slip = Slip("tout", *parts_moved(rest, n, place))
                else:
                    slip = Slip("doubled-apart", {"what": (part_title(rest[place - 1]),)}, "times-over-other", 0.5)
                yield slip, (*rest[:place], item, *rest[place:])


# --- counts and prices ------------------------------------------------------------------------------------------------


def other_counts(scene: Scene, items: Items) -> Iterator[Lines]:
    """Yield another count of runners: any; and runners that are paid though they are too few."""
    place = next((n for n, item in enumerate(items) if item.part == "runners" and item.amount), None)
    if scene.count is None or scene.marks:
        return
    if place is None:
        if scene.has_two_sides and scene.runners_known and scene.prices.get("runner"):
            yield from unpaid_runners(scene, items, scene.count, scene.prices["runner"])
        return
    paid = items[place]
    count = runners_counted(paid) or scene.count
    if not count or paid.amount % count:
        return
    for n in range(1, MOST_RUNNERS + 1):
        if n != count:
            cause, far = {-1: "runner-less", 1: "runner-more"}.get(n - count, "runners-miscounted"), abs(n - count)
            facts, cite = {"count": count, "written": n}, paid.line.cite if paid.line else ""
            slip = Slip(cause, facts, extra=0 if far == 1 else far / 5, cite=cite, seen=seen_as(scene, n))
            yield slip, with_item(items, place, Item("runners", False, n * (paid.amount // count), paid.line))


def unpaid_runners(scene: Scene, items: Items, count: int, unit: int) -> Iterator[Lines]:
    """Yield the runners that are not paid as a line of the price, as many as there were or another number."""
    at = next((n for n, item in enumerate(items) if item.times and item.part in (*DOUBLING, "tout")), len(items))
    for n in range(1, MOST_RUNNERS + 1):
        facts, seen = {"count": count, "written": n}, seen_as(scene, n)
        if n == count:
            unpaid = {"count": count, "least": scene.least}
            slip = Slip("runners-too-few", unpaid, row_of_unpaid(scene), cite=scene.cite_runners)
        elif n == scene.least:
            slip = Slip("runner-more", facts, "" if n == count + 1 else "runners-miscounted", seen=seen)
        else:
            slip = Slip("runners-miscounted", facts, extra=1 + abs(n - count) / 4, seen=seen)
        yield slip, (*items[:at], Item("runners", False, n * unit), *items[at:])


def seen_as(scene: Scene, runners: int) -> dict[str, Any]:
    """Return the facts that somebody notes who counts so many runners."""
    return {"runners": -runners if scene.signed < 0 else runners, "runner_count": runners}


def other_prices(scene: Scene, items: Items) -> Iterator[Lines]:
    """Yield a line at the price of another row, or at any price in known lists; all lines by another list."""
    if scene.marks:
        was = sum(item.amount for item in items)
        for value in scores_of(scene.case):
            if value != was:
                score: dict[str, Any] = {"written": value, "amount": was}
                near = 0 if abs(value - was) <= 2 else 0.5
                yield Slip("marks-score", score, extra=near), (Item("game", False, value, items[0].line),)
        return
    own = tuple(dict.fromkeys(scene.prices.values()))
    for n, item in enumerate(items):
        if item.times or not item.amount:
            continue
        count = runners_counted(item) or scene.count or 1 if item.part == "runners" else 1
        if item.amount % count or item.part not in NAMED:
            continue
        unit = item.amount // count
        line = item.line
        facts: dict[str, Any] = {"was": unit}
        for value in own:
            if value and value != unit:
                now = with_item(items, n, Item(item.part, False, value * count, line))
                if item.part == "game":
                    more, row = words_of_wrong_game(scene, item, value)
                    yield Slip("wrong-game", facts | more, row, cite=line.cite if line else ""), now
                    if n + 1 < len(items) and items[n + 1].part == "contract":  # of a game that costs a multiple of it
                        whole = more | {"was": unit * items[n + 1].amount}
                        yield Slip("wrong-game", whole, row, extra=0.5), without(now, n + 1)
                else:
                    yield Slip("wrong-row", facts | {"value": value, "what": part_title(item)}), now
        if scene.own_prices or item.part == "suit":
            step = scene.prices.get("schneider", 0)
            for value in dict.fromkeys((2 * unit, unit // 2, unit + step, unit - step, *UNITS)):
                if 0 < value != unit and value not in own:
                    now = with_item(items, n, Item(item.part, False, value * count, line))
                    yield Slip("price", facts | {"value": value, "what": part_title(item)}, "price-of"), now
    if scene.own_prices and scene.has_two_sides:
        for name, prices in scene.tariffs:
            made = tuple([by_tariff(scene, item, prices) for item in items])
            row = row_of_reading("tariff", "tariff", name, scene.tariff)
            yield Slip("tariff", {"value": name, "was": scene.tariff}, row, setting=("tariff", name)), made


def by_tariff(scene: Scene, item: Item, prices: dict[str, int]) -> Item:
    """Return a line by another list of prices."""
    if item.times or not item.amount:
        return item
    if item.part == "runners":
        return Item(item.part, False, (runners_counted(item) or scene.count or 0) * prices["runner"], item.line)
    key = PRICED.get(item.part)
    return Item(item.part, False, prices[key or scene.price_class], item.line) if key is not None else item


PRICED = {"game": "", "stake": "", "schneider": "schneider", "schwarz": "schneider"}  # "": the price of the game


def unearned_parts(scene: Scene, items: Items) -> Iterator[Lines]:
    """Yield Schneider, Schwarz or a Tout counted although there was none, or although this game does not pay it."""
    if not scene.has_two_sides or scene.marks:
        return
    parts = {item.part: n for n, item in enumerate(items) if item.amount}
    unit, black = scene.prices.get("schneider", 0), scene.prices.get("schwarz", 0)
    at = next((n for n, item in enumerate(items) if item.times and item.part in DOUBLING), len(items))
    high, low = Item("schneider", False, unit), Item("schwarz", False, black - unit)

    def more(*now: Item, place: int = at) -> Items:
        return (*items[:place], *now, *items[place:])

    if unit and "schneider" not in parts and scene.has_bonuses:
        if "tout" in parts or scene.case.settlement.schneider:
            yield Slip("schwarz-counted", row="bonuses-counted"), more(high, low)
            yield Slip("schneider-counted", row="schneider-counted-unpaid", extra=1), more(high)
        else:
            facts = {"points": scene.points, "others": scene.others}
            seen = {"schneider": True}
            if scene.points is None:
                yield Slip("schneider-counted", row="schneider-counted-unseen", extra=UNSEEN, seen=seen), more(high)
            else:
                yield Slip("schneider-counted", facts, extra=min(3, scene.far / 8), seen=seen), more(high)
            seen |= {"schwarz": True}
            yield (
                Slip("schwarz-counted", row="bonuses-counted", extra=2 + min(3, scene.far / 8), seen=seen),
                more(high, low),
            )
    if "schneider" in parts and "schwarz" not in parts and black > unit:
        yield Slip("schwarz-counted", seen={"schwarz": True}), more(low, place=parts["schneider"] + 1)
    if "schwarz" in parts:
        place = parts["schwarz"]
        yield (
            Slip("part-twice", {}, "schneider-beside-schwarz"),
            with_item(items, place, Item("schwarz", False, black, items[place].line)),
        )
    if "tout" not in parts and scene.may_tout:
        for place in range(1, at + 1):
            if place == 1 or not items[place - 1].times:
                slip = Slip("tout-counted", extra=0 if scene.case.settlement.schwarz else 1)
                rest = items
                yield slip, (*rest[:place], Item("tout", True, 2), *rest[place:])
                if place == 1 and {"schneider", "schwarz"} & parts.keys():
                    bare = tuple([item for item in items if item.part not in BONUS])
                    yield slip, (*bare[:1], Item("tout", True, 2), *bare[1:])


OPERATIONS: tuple[Callable[[Scene, Items], Iterator[Lines]], ...] = (
    missed_lines, missed_together, repeated_lines, other_factors, other_orders, other_counts, other_prices,
    unearned_parts,
)  # fmt: skip
