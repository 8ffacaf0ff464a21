"""The material of the oracles of the standard questions: the samples as judged deals, read without any SQL."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from archive.cli.inputs import open_files
from archive.judge import Judgement
from archive.judge.judge_stream import judge_with_heads
from archive.judge.report import report
from archive.record import Finding, Session
from support.samples import VALID, samples

Z = 1.959963984540054


class Told(NamedTuple):
    """A deal: the object of `check --json`, and the judgement with hands and cards. `format` is its importer; `session`
    and `number` are those that an archive gives them."""

    report: dict[str, Any]
    judgement: Judgement
    path: Path
    format: str
    session: int
    number: int

    def get(self, key: str) -> Any:
        return self.report[key]


@cache
def told() -> tuple[Told, ...]:
    """Return every deal of the valid samples."""
    return told_in(*samples(VALID))


def told_in(*paths: Path) -> tuple[Told, ...]:
    """Return every deal of some files."""
    found: list[Told] = []
    heads: list[Session] = []
    for path in paths:
        for file in open_files(path, None):
            for each in judge_with_heads(file.items()):
                if isinstance(each, Finding):
                    continue
                head, judgement = each
                if not heads or head is not heads[-1]:
                    heads.append(head)
                reader = file.importer.NAME if file.importer else ""
                found.append(Told(report(judgement), judgement, path, reader, len(heads), len(found) + 1))
    return tuple(found)


@cache
def player_numbers() -> dict[str, int]:
    """Return the number that an archive gives each name."""
    names = dict.fromkeys(name for each in told() for name in each.judgement.session.players)
    return {name: number for number, name in enumerate(names, 1)}


def played() -> tuple[Told, ...]:
    """Return those with a game that was played."""
    return tuple(each for each in told() if each.get("contract") not in (None, "none", "misdeal"))


def in_force(each: Told) -> list[int | None]:
    """Return the payment of each seat in the end: as last ruled, else as computed, or its marks, else as written."""
    deal = each.judgement.deal
    ruled = deal.ruling[-1].payments if deal.ruling else ()
    written = deal.stated.payments if deal.stated and deal.stated.payments else ()
    computed = each.get("payments") or each.get("marks") or written
    return [
        next((amounts[at] for amounts in (ruled, computed) if at < len(amounts) and amounts[at] is not None), None)
        for at in range(len(each.get("seats")))
    ]


def bases(deals: Iterable[Told]) -> list[int]:
    """Return how many of some deals rest on each basis."""
    counted = Counter(each.judgement.basis for each in deals)
    return [counted["cards"], counted["facts"], counted["amounts"]]


def seat_won(each: Told, seat: int) -> bool | None:
    """Return whether a seat is paid: as settled, also if nobody knows for how much, else by the sign of its amount in
    force; nobody wins a sum of deals."""
    if each.judgement.deal.stated and each.judgement.deal.stated.of_list:
        return None
    settled, amount = each.judgement.settlement, in_force(each)[seat]
    if settled and settled.winners:
        return seat in settled.winners
    return amount > 0 if amount and each.get("payments") is None and each.get("marks") is None else None


def declarer_paid(each: Told) -> int | None:
    """Return the payment of the declarer, or the marks."""
    declarer = each.get("declarer")
    return None if declarer is None else in_force(each)[each.get("seats").index(declarer)]


def won(each: Told) -> bool | None:
    """Return whether the declarer's side won: as settled, else whether the declarer was paid."""
    settled, declarer = each.judgement.settlement, each.get("declarer")
    if settled and settled.won is not None:
        return settled.won
    return None if declarer is None else seat_won(each, each.get("seats").index(declarer))


def parties_of(each: Told) -> str:
    """Return who plays with whom by the contract; empty if it is not known."""
    game, rules = each.judgement.deal.game, each.judgement.ruleset
    return rules.contracts[game.contract].parties if game and rules and game.contract in rules.contracts else ""


def side_of(each: Told, at: int) -> str | None:
    """Return the side of a seat. If it is not recorded, it is the declarer's if the seat was paid as the declarer was,
    and that happened to as many seats as the contract has partners."""
    played = each.judgement.replay
    if played is None or played.sides[at] is not None:
        return played.sides[at] if played else None
    stated, declarer = each.judgement.deal.stated, each.get("declarer")
    amounts = each.get("payments") or (stated.payments if stated else None) or ()
    sitting = {seat for seat in range(len(amounts)) if played.active and seat not in played.active}
    if declarer is None or at in sitting or (stated and stated.of_list):
        return None
    signs = [0 if seat in sitting or not amount else 1 if amount > 0 else -1 for seat, amount in enumerate(amounts)]
    own = signs[each.get("seats").index(declarer)] if signs else 0
    if not own or not signs[at] or signs.count(own) != (1 if parties_of(each) == "alone" else 2):
        return None
    return "declarer" if signs[at] == own else "defence"


def role_of(each: Told, at: int) -> str:
    """Return the role of a seat in a game that was played."""
    side, declarer = side_of(each, at), each.get("declarer")
    if declarer is not None and each.get("seats").index(declarer) == at:
        return "declarer"
    if parties_of(each) == "each":
        return "alone"
    if side is None:  # the table has no seats, since nobody knows the dealer
        return "partner" if at == each.judgement.deal.partner and declarer is not None else "unknown"
    if declarer is None:
        return "pair"
    return "partner" if side == "declarer" else "defence"


def takes_part(each: Told, at: int) -> bool:
    """Return whether a seat did not sit out: if nobody knows the dealer, a player among too many for the game who was
    paid nothing, and neither declared nor was partner, did."""
    played, rules = each.judgement.replay, each.judgement.ruleset
    if played and played.playing:
        return at in played.playing or side_of(each, at) in ("declarer", "defence")
    full = len(each.get("seats")) <= (rules.house.seats if rules else 4)
    declaring = each.get("seats")[at] in (each.get("declarer"), each.get("partner"))
    return full or bool(in_force(each)[at]) or declaring or side_of(each, at) is not None


def is_played(each: Told) -> bool:
    """Return whether something was played: not a deal that was thrown in, a list of sums, nor a row of zeros."""
    stated = each.judgement.deal.stated
    if each.get("contract") is not None:
        return each.get("contract") not in ("none", "misdeal")
    return not (stated and stated.of_list) and any(amount != 0 for amount in in_force(each))


def wilson(hits: int, cases: int) -> tuple[float | None, float | None, float | None]:
    """Return a rate and the ends of its interval, from the roots of the quadratic that defines it."""
    if cases == 0:
        return None, None, None
    p, a = hits / cases, 1 + Z * Z / cases
    b, c = -(2 * p + Z * Z / cases), p * p
    root = sqrt(max(b * b - 4 * a * c, 0.0))
    return p, (-b - root) / (2 * a), (-b + root) / (2 * a)


def mean(values: list[int]) -> float | None:
    return sum(values) / len(values) if values else None
