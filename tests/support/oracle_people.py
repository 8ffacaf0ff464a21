"""Plain answers to the questions of `archive.stats.questions.people`."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from support.question_oracle import (
    Told,
    bases,
    in_force,
    is_played,
    mean,
    player_numbers,
    role_of,
    seat_won,
    side_of,
    takes_part,
    told,
    wilson,
)

Rows = list[tuple[Any, ...]]
SIDES = ("declarer", "partner", "defence")
PARTS = (*SIDES, True, False)  # played on no side that is known; not played


class Sat(NamedTuple):
    """A player in a deal; `role` is None for a player who did not play."""

    deal: Told
    seat: int
    name: str
    role: str | None
    won: bool | None
    paid: int | None

    @property
    def player(self) -> tuple[int, str]:
        return player_numbers()[self.name], self.name

    @property
    def house(self) -> tuple[Any, Any]:
        return self.deal.get("rules"), self.deal.get("unit")


@cache
def seats() -> tuple[Sat, ...]:
    """Return everybody in every deal."""
    return tuple(
        sat(each, at, name) for each in told() for at, name in enumerate(each.judgement.session.players)
    )  # fmt: skip


def sat(each: Told, at: int, name: str) -> Sat:
    played, won = each.judgement.replay, seat_won(each, at)
    side, sits_out = side_of(each, at), bool(played and played.active and at not in played.active)
    if side is None or (played and played.sides[at] is None):  # payments show who won
        won = won if in_force(each)[at] and not sits_out else None
    playing = takes_part(each, at) and each.get("contract") not in (None, "none", "misdeal")
    return Sat(each, at, name, role_of(each, at) if playing else None, won, in_force(each)[at])


def grouped(every: Iterable[Sat], key: Callable[[Sat], Any]) -> dict[Any, list[Sat]]:
    groups: dict[Any, list[Sat]] = defaultdict(list)
    for each in every:
        groups[key(each)].append(each)
    return groups


def results(mine: Iterable[Sat]) -> tuple[Any, ...]:
    """Return known outcomes, those won, the rate with its interval, and the average amount."""
    mine = list(mine)
    known = [each.won for each in mine if each.won is not None]
    paid = [each.paid for each in mine if each.paid is not None]
    return len(known), sum(known), *wilson(sum(known), len(known)), mean(paid)


def rested(mine: Iterable[Sat]) -> list[int]:
    """Return the deals of seats with an amount by what it rests on."""
    return bases(each.deal for each in mine if each.paid is not None)


def in_role(role: str) -> Rows:
    rows = []
    for (player, house), all_of in grouped(playing(), lambda each: (each.player, each.house)).items():
        mine = [each for each in all_of if each.role == role]
        if mine:
            share = wilson(len(mine), len(all_of))
            rows.append((*player, *house, len(all_of), len(mine), *share, *results(mine), *rested(mine)))
    return rows


def playing() -> list[Sat]:
    return [each for each in seats() if each.role]


def players_declaring() -> Rows:
    return in_role("declarer")


def players_defending() -> Rows:
    return in_role("defence")


def players_by_contract() -> Rows:
    groups = grouped(playing(), lambda each: (*each.player, *each.house, each.deal.get("contract"), each.role))
    return [(*key, len(mine), *results(mine), *rested(mine)) for key, mine in groups.items()]


def pairs() -> Rows:
    """Return each deal with a partner, once from the declarer's seat; a pair begins with the lower number."""
    groups: dict[Any, list[tuple[Sat, Sat]]] = defaultdict(list)
    for _, each in groupby(seats(), lambda one: one.deal.number):
        at = {one.role: one for one in each}
        if "partner" in at and "declarer" in at:
            two = sorted((at["declarer"].player, at["partner"].player))
            key = (*two[0], *two[1], *at["declarer"].house, at["declarer"].deal.get("contract"))
            groups[key].append((at["declarer"], at["partner"]))
    rows = []
    for key, both in groups.items():
        first = sum(declarer.player[0] == key[0] for declarer, _ in both)
        *counts, _ = results(declarer for declarer, _ in both)
        paid = [one.paid for two in both for one in two if None not in (two[0].paid, two[1].paid)]
        rows.append((*key, len(both), first, *counts, mean([each for each in paid if each is not None]),
                     *bases(one.deal for one, _ in both)))  # fmt: skip
    return rows


def balances() -> Rows:
    rows = []
    for (player, unit), mine in grouped(seats(), lambda each: (each.player, each.deal.get("unit"))).items():
        mine = [each for each in mine if each.paid or (is_played(each.deal) and takes_part(each.deal, each.seat))]
        paid = [each.paid for each in mine if each.paid is not None]
        plays = [is_played(each.deal) and takes_part(each.deal, each.seat) for each in mine]
        own = [each.paid for each, at in zip(mine, plays, strict=True) if at and each.paid is not None]
        sides = [each.role if each.role in SIDES else at for each, at in zip(mine, plays, strict=True)]
        parts = [[each.paid or 0 for each, at in zip(mine, sides, strict=True) if at == part] for part in PARTS]
        if paid:
            known = [sum(part) for part in parts]
            rows.append((*player, unit, sum(plays), len(paid), sum(paid), mean(own), *known, *rested(mine)))
    return rows


def longest_runs() -> Rows:
    rows = []
    every = [each for each in seats() if each.won is not None]
    every.sort(key=lambda each: (each.deal.judgement.session.date or "", each.deal.session, each.deal.get("deal")))
    for player, mine in grouped(every, lambda each: each.player).items():
        runs = [(won, list(run)) for won, run in groupby(mine, lambda each: each.won)]
        for end in (True, False):
            own = [run for won, run in runs if won is end]
            if own:
                longest = max(own, key=len)  # the first of them
                first, last = longest[0].deal.number, longest[-1].deal.number
                rows.append((*player, end, len(longest), first, last, len(mine), *bases(one.deal for one in mine)))
    return rows


ORACLES: dict[str, Callable[[], Rows]] = {
    each.__name__: each
    for each in (players_declaring, players_defending, players_by_contract, pairs, balances, longest_runs)
}
