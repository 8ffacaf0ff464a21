"""Kinds that are a deal judged once more: under another setting of the house, or by a wrong limit. The engine gives the
price then, not the reading of prices beside it (`prices`)."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from archive.judge import Judgement, judge
from archive.notation import merge_settings
from archive.play.game_words import is_tout
from support.mistakes.prices import Amounts, Reckoning
from support.mistakes.writings import Sheet

Houses = Callable[[Judgement, Any], Iterator[dict[str, Any]]]
Slip = Callable[[Judgement, Sheet, Reckoning | None], Iterator[Amounts]]
TARIFFS = ("5/10", "5/20", "10/20", "10/50", "20/50", "20/100", "50/100", "5/20/50", "10/20/50")
VIRGINS = ("no", "double-all", "double-own", "double-own-once")
# Schneider needs every card point then: no level may lie above the pack.
HARDLY_SCHNEIDER = {"schneider": 120, "schneider_against": 120}
NEAR = 6  # card points by which an addition is off at most


def paid(found: Judgement, house: dict[str, Any] | None = None, **changes: Any) -> Amounts | None:
    """Return what the deal pays under another house, or with another value in its record."""
    session = replace(found.session, house=merge_settings(found.session.house or {}, house or {}))
    again = judge(session, replace(found.deal, stated=None, **changes), found.number, found.before)
    payments = again.settlement.payments if again.settlement else None
    return None if payments is None or None in payments else tuple(each or 0 for each in payments)


def tariffs(found: Judgement, row: Any) -> Iterator[dict[str, Any]]:
    yield from ({"tariff": each} for each in TARIFFS)


def one_price(found: Judgement, row: Any) -> Iterator[dict[str, Any]]:
    prices = found.ruleset.prices if found.ruleset else {}
    if row.parties != "each":
        name = row.id if row.id in prices else row.price
        yield {"price": {name: 2 * prices[name]}}


def runners(found: Judgement, row: Any) -> Iterator[dict[str, Any]]:
    if found.settlement and found.settlement.runners:
        yield from ({"runners_from": {row.id: least}} for least in range(5))


def schneider_limits(found: Judgement, row: Any) -> Iterator[dict[str, Any]]:
    for key in HARDLY_SCHNEIDER:
        if other := {90: 91, 91: 90}.get(getattr(levels(found), key)):
            yield {"levels": {key: other}}


def touts(found: Judgement, row: Any) -> Iterator[dict[str, Any]]:
    yield from ({"tout": each} for each in ("base", "base+runners", "all") if is_tout(found.deal))


def misadded(found: Judgement, row: Any) -> Iterator[dict[str, Any]]:
    """Yield a few card points near half of them, so that the other side won."""
    settled = found.settlement
    made = settled.side_points if settled else None
    if settled is None or settled.won is None or made is None or row.goal != "points" or is_tout(found.deal):
        return
    if abs(made - levels(found).win) <= NEAR:
        yield {"levels": {"win": made + 1 if settled.won else made}}


def levels(found: Judgement) -> Any:
    return found.ruleset.house.levels if found.ruleset else None


def virgins(found: Judgement, row: Any) -> Iterator[dict[str, Any]]:
    if found.settlement and found.settlement.virgins:
        yield from ({"ramsch": {"virgin": each}} for each in VIRGINS)


def under(houses: Houses, has_row: bool = True, by_tariff: bool = False) -> Slip:
    """Yield the amounts under each of some houses, if they differ: in a game with a row, at a table with prices."""

    def slip(found: Judgement, sheet: Sheet, reckoned: Reckoning | None) -> Iterator[Amounts]:
        ruleset, game = found.ruleset, found.deal.game
        row = ruleset.contracts.get(game.contract) if ruleset and game else None
        if ruleset is None or (has_row and row is None):
            return
        if by_tariff and (ruleset.house.table or ruleset.house.marks):
            return
        for house in houses(found, row):
            now = paid(found, house)
            if now is not None and now != sheet.gained:
                yield now

    return slip


SETTINGS: dict[str, tuple[Slip, tuple[str, ...]]] = {
    "house: another tariff": (under(tariffs, by_tariff=True), ("tariff",)),
    "house: one price twice as high": (under(one_price, by_tariff=True), ("price",)),
    "house: runners from another number on": (under(runners), ("runners-from",)),
    "house: another limit of Schneider": (under(schneider_limits), ("level-schneider",)),
    "house: won by 60 or by 62": (
        under(lambda found, row: ({"levels": {"win": each}} for each in (60, 62))), ("level-win",)),
    "house: another reading of a Tout": (under(touts), ("tout",)),
    "house: another reading of virgins": (under(virgins, has_row=False), ("ramsch-virgin",)),
    "house: no game for the pot": (
        under(lambda found, row: iter([{"stock": {"won_by": []}}] if found.before.stock else [])), ("stock",)),
    "card points misadded": (under(misadded), ("misadded",)),
}  # fmt: skip
