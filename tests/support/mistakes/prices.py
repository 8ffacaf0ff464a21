"""The price of a deal, read from the documents once more: 001 Scoring and Stakes, 002 01.4, 004 Scoring, a tariff as
tables write it. Nothing here asks the program for a price or an amount; a deal for which this reading gives other
amounts than the program is left out of the slips in reckoning, and counted."""

from math import prod
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.judge import Judgement

Amounts = tuple[int, ...]
SOLOS = ("solo", "wenz", "geier", "farbwenz", "farbgeier", "bettel", "kaiser", "eisenbahner", "sie")
LEAST = {"rufspiel": 3, "solo": 3, "simple": 3, "wenz": 2, "geier": 2, "farbwenz": 2, "farbgeier": 2}
TARIFFS = {
    "expats": "10/20/40", "langendorf": "5/15", "schierling": "10/20/50", "three-player-blind": "10/40",
    "officers": "1/1/1", "bavarian-tournament": "1/1/5",
}  # fmt: skip
NO_RUNNERS = ("expats", "bierkopf", "officers", "bavarian-tournament")
RULES = {"schierling": "all", "expats": "base+runners", "palatinate": "all", "asserufen": "all"}


class Reckoning(Struct, frozen=True, kw_only=True):
    """Everything that the amounts of a deal are made of, as a recorder has it at hand. `shares` are how many prices
    each gets or pays; `rule` is how the doublings count."""

    contract: str
    tariff: tuple[int, int, int]  # runner and Schneider, Rufspiel, Solo
    game: int
    suit: int = 0
    schneider: int = 0
    schwarz: int = 0
    count: int = 0  # of runners
    least: int = 0
    runners: int = 0
    tout: str = ""
    bonuses: bool = True
    factors: tuple[int, ...] = ()
    knockers: tuple[int, ...] = ()
    doublers: tuple[int, ...] = ()
    unnamed: int = 0  # knocks by unknown players
    rounds: int = 0
    rule: str = "times"
    cap: int | None = None
    shares: Amounts = ()
    pot: Amounts = ()
    stock: int = 0
    names: tuple[str, ...] = ()
    declarer: int | None = None
    ours: tuple[int, ...] = ()
    theirs: tuple[int, ...] = ()
    won: bool | None = None
    loser: int | None = None
    virgins: tuple[int, ...] = ()
    points: int | None = None


def price(r: Reckoning) -> int:
    """Return what one loser pays one winner."""
    game, bonus, runners = r.game + r.suit, r.schneider + r.schwarz, r.runners
    if r.tout:
        game *= 2
        runners *= 2 if r.tout in ("base+runners", "all") else 1
        bonus *= 2 if r.tout == "all" else 1
    times = prod(r.factors)
    twice = {
        "times": lambda: (game + bonus + runners) * times,
        "added": lambda: (game + bonus + runners) * (1 + len(r.factors)),
        "two-each": lambda: (game + bonus + runners) * max(1, 2 * len(r.factors)),
        "once": lambda: (game + bonus + runners) * (2 if r.factors else 1),
        "game": lambda: game * times + bonus + runners,
        "rest": lambda: game + (bonus + runners) * times,
        "no-runners": lambda: (game + bonus) * times + runners,
        "no-bonus": lambda: (game + runners) * times + bonus,
    }[r.rule]()
    return twice if r.cap is None else min(twice, r.cap)


def amounts(r: Reckoning) -> Amounts:
    each = price(r)
    return tuple(share * each + pot for share, pot in zip(r.shares, r.pot, strict=True))


def tariff_of(text: str) -> tuple[int, int, int]:
    parts = [int(each) for each in text.split("/")]
    return (parts[0], parts[0], parts[1]) if len(parts) == 2 else (parts[0], parts[1], parts[2])


def reckoning(found: Judgement) -> Reckoning | None:
    """Return the reckoning of a judged deal by this reading of the documents; None if it does not give the payments."""
    settled, deal, played = found.settlement, found.deal, found.replay
    if settled is None or deal.game is None or played is None or not settled.payments or None in settled.payments:
        return None
    paid = tuple(each or 0 for each in settled.payments)
    house: dict[str, Any] = found.session.house or {}
    rules, name = found.session.rules, deal.game.contract
    tariff = tariff_of(house.get("tariff") or TARIFFS.get(rules, "10/50"))
    named: dict[str, Any] = {}
    if rules in ("palatinate", "asserufen"):
        tariff = (1, 1, 2 if rules == "palatinate" else 1)
        named["suit"] = int(deal.game.suit == "H" and name in ("simple", "solo"))
    own = house.get("price", {})
    high, runner = own.get("schneider", tariff[0]), own.get("runner", tariff[0])
    called, alone = own.get("rufspiel", tariff[1]), own.get(name, own.get("solo", tariff[2]))
    tariff = (runner, called, alone if name in SOLOS else own.get("solo", tariff[2]))
    game = alone if name in SOLOS else own.get(name, called)
    if name == "sie":
        game *= 4
    tout = house.get("tout", RULES.get(rules, "base")) if {"tout", "du"} & set(deal.game.words) else ""
    least = house.get("runners_from", {}).get(name, 0 if rules in NO_RUNNERS else LEAST.get(name, 0))
    count = abs(settled.runners or 0)
    if tout != "" and tout != "all":
        named["bonuses"] = False
    elif name not in ("bettel", "sie", "ramsch"):
        named["schneider"] = high if settled.schneider else 0
        named["schwarz"] = own.get("schwarz", 2 * high) - high if settled.schwarz else 0
    knocks = deal.knocks if isinstance(deal.knocks, tuple) else ()
    unnamed = deal.knocks if isinstance(deal.knocks, int) else 0
    doubles = tuple(each.seat for each in deal.doubles) if isinstance(deal.doubles, tuple) else ()
    rounds = sum(line.part in ("round", "hausbock") and line.amount > 1 for line in settled.lines)
    virgin = len(settled.virgins) if house.get("ramsch", {}).get("virgin", "double-all") == "double-all" else 0
    factors = (2,) * (len(knocks) + unnamed + len(doubles) + rounds + (virgin if name == "ramsch" else 0))
    pot = [0] * len(paid)
    for line in settled.lines:
        for seat in line.who if line.kind == "pot" else ():
            pot[seat] += line.amount
    sides = [seat for seat in range(len(paid)) if seat < len(played.sides)]
    made = Reckoning(
        contract=name, tariff=tariff, game=game, count=count, least=least, tout=tout, factors=factors, cap=None,
        runners=count * tariff[0] if least and count >= least else 0, rounds=rounds,
        knockers=knocks, doublers=doubles, unnamed=unnamed,
        shares=(1,) * len(paid), pot=tuple(pot), stock=found.before.stock or 0, names=found.session.players,
        declarer=played.declarer, ours=tuple(seat for seat in sides if played.sides[seat] == "declarer"),
        theirs=tuple(seat for seat in sides if played.sides[seat] == "defence"), won=settled.won, loser=settled.loser,
        virgins=settled.virgins, points=settled.side_points, **named,
    )  # fmt: skip
    each = price(made)
    if settled.price not in (None, each):
        return None
    if not each or any((own - put) % each for own, put in zip(paid, made.pot, strict=True)):
        return None
    made = replace(made, shares=tuple((own - put) // each for own, put in zip(paid, made.pot, strict=True)))
    usual = {0, 1, -1, 2, -2, 3, -3}
    return made if set(made.shares) <= usual and any(made.shares) else None
