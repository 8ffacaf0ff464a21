"""Plain answers to the questions of `archive.stats.questions.season`."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

from archive.judge.types import unit_of_deal
from archive.stats.event_standings import Row, add_deal, count_deal
from support.question_oracle import mean, player_numbers, told

Rows = list[tuple[Any, ...]]


class Evening(NamedTuple):
    """The result of a player on an evening in a unit, as standings add it up."""

    player: tuple[int, str]
    unit: str | None
    evening: str
    date: str | None
    row: Row


@cache
def evenings() -> tuple[Evening, ...]:
    accounts: dict[Any, Row] = {}
    for each in told():
        judgement = each.judgement
        date, deal = judgement.session.date, count_deal(judgement)
        for seat, name in enumerate(judgement.session.players):
            evening = date if date and len(date) == 10 else f"session {each.session}"
            key = ((player_numbers()[name], name), unit_of_deal(judgement), evening, date)
            row = accounts.get(key, Row(name, key[1]))
            if add_deal(row, deal, seat):
                accounts[key] = row
    return tuple(Evening(*key, row) for key, row in accounts.items())


def in_order(each: Evening) -> tuple[bool, int, str]:
    """Return the place of an evening among equal ones: days, then sessions by their numbers."""
    return each.evening.startswith("session"), len(each.evening), each.evening


def paid_evenings() -> list[Evening]:
    """Return the evenings of which anything that was paid is known."""
    return [each for each in evenings() if not (row := each.row).undecided or row.deals or row.lists or row.total]


def grouped(key: Callable[[Evening], Any], every: Iterable[Evening] | None = None) -> dict[Any, list[Evening]]:
    groups: dict[Any, list[Evening]] = defaultdict(list)
    for each in paid_evenings() if every is None else every:
        if (of := key(each)) is not None:
            groups[of].append(each)
    return groups


def bases(mine: list[Evening]) -> tuple[int, ...]:
    return tuple(sum(getattr(each.row, f"on_{name}") for each in mine) for name in ("cards", "facts", "amounts"))


def total(mine: list[Evening]) -> int:
    return sum(each.row.total for each in mine)


def deals(mine: list[Evening]) -> int:
    return sum(each.row.deals for each in mine)


def attendance() -> Rows:
    rows = []
    of_year: dict[str | None, set[str]] = defaultdict(set)
    for each in evenings():
        of_year[year_or_none(each)].add(each.evening)
    for (player, year), mine in grouped(lambda each: (each.player, year_or_none(each)), evenings()).items():
        there, every = {each.evening for each in mine}, of_year[year]
        dates = [each.date for each in mine if each.date]
        undecided = sum(each.row.undecided for each in mine)
        share = round(len(there) / len(every), 3)
        days = (min(dates), max(dates)) if dates else (None, None)
        rows.append((*player, year, len(there), len(every), share, deals(mine) + undecided, *days))
    return rows


def year_or_none(each: Evening) -> str | None:
    return each.date[:4] if each.date else None


def evenings_of_players() -> Rows:
    rows = []
    for (player, unit), mine in grouped(lambda each: (each.player, each.unit)).items():
        best = min(mine, key=lambda each: (-each.row.total, in_order(each)))
        worst = min(mine, key=lambda each: (each.row.total, in_order(each)))
        paid = [each for each in mine if each.row.best is not None]
        top = min(paid, key=lambda each: (-(each.row.best or 0), in_order(each))) if paid else None
        won = sum(each.row.total > 0 for each in mine)
        rows.append((*player, unit, len(mine), deals(mine), total(mine), mean([each.row.total for each in mine]), won,
                     best.row.total, best.evening, worst.row.total, worst.evening,
                     top.row.best if top else None, top.evening if top else None, *bases(mine)))  # fmt: skip
    return rows


def best_evenings() -> Rows:
    return [
        (*each.player, each.unit, each.evening, each.row.deals, each.row.total, each.row.best, *bases([each]))
        for each in paid_evenings()
    ]


def players_by_year() -> Rows:
    years = grouped(lambda each: (each.player, each.unit, each.date[:4]) if each.date else None)
    rows = []
    for (player, unit, year), mine in years.items():
        before = years.get((player, unit, str(int(year) - 1)))
        last = (total(before), mean([each.row.total for each in before])) if before else (None, None)
        now = (len(mine), deals(mine), total(mine), mean([each.row.total for each in mine]))
        rows.append((*player, unit, year, *now, *last, *bases(mine)))
    return rows


def players_by_month() -> Rows:
    months = grouped(lambda each: (each.player, each.unit, each.date[:7]) if each.date else None)
    return [
        (
            *player,
            unit,
            month,
            len(mine),
            deals(mine),
            total(mine),
            mean([each.row.total for each in mine]),
            *bases(mine),
        )
        for (player, unit, month), mine in months.items()
    ]


ORACLES = {
    each.__name__: each for each in (attendance, evenings_of_players, best_evenings, players_by_year, players_by_month)
}
