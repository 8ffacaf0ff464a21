"""What no legal end of a play gives is refuted, and what one of them gives is not. The ends are tried card by card by
the second opinion, which shares nothing with the judge."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from support import oracle
from support.oracle import Facts, Play
from support.real_games import plain
from support.two_players import IN_HAND

from archive.generate import session
from archive.generate.playing import Wish, judged_deal
from archive.judge import Judgement, judge
from archive.judge.from_facts import MOST_LEFT
from archive.record import Stated


def every_completion(play: Play, count: int) -> Iterator[Play]:
    """Yield the play with each legal way of its last `count` tricks."""
    tricks = play.tricks[: len(play.tricks) - count]
    leader = (tricks[-1][0] + oracle.best_place(play, tricks[-1][1])) % len(play.hands) if tricks else play.tricks[0][0]
    for rest in endings(play, left_over(play, tricks), leader or 0, count):
        whole = play._replace(tricks=(*tricks, *rest))
        if not oracle.fault(whole):
            yield whole


Tricks = tuple[tuple[int | None, tuple[str, ...]], ...]


def left_over(play: Play, tricks: Tricks) -> tuple[tuple[str, ...], ...]:
    """Return the cards that each seat has after some tricks."""
    seen = {card for _, cards in tricks for card in cards}
    return tuple(tuple(card for card in hand if card not in seen) for hand in play.hands)


def endings(play: Play, left: tuple[tuple[str, ...], ...], leader: int, count: int) -> Iterator[Tricks]:
    """Yield so many tricks of any cards, each led by the winner of the one before."""
    if not count:
        yield ()
        return
    seats = len(left)
    for cards in product(*(left[(leader + place) % seats] for place in range(seats))):
        rest = tuple(tuple(card for card in hand if card not in cards) for hand in left)
        winner = (leader + oracle.best_place(play, cards)) % seats
        for more in endings(play, rest, winner, count - 1):
            yield ((leader, cards), *more)


def values_of(facts: Facts, sides: bool) -> dict[tuple[str, bool], Any]:
    """What an end comes to, by the key under which a record states it and whether it is stated by seat; where there are
    two `sides`, also theirs."""
    found: dict[tuple[str, bool], Any] = {
        ("points", True): facts.points,
        ("tricks", True): facts.tricks,
        ("partner", False): facts.partner,
        ("won", False): facts.won,
        ("schneider", False): facts.schneider,
        ("schwarz", False): facts.schwarz,
        ("runners", False): facts.runners,
        ("loser", False): facts.loser,
        ("virgins", True): tuple(sorted(facts.virgins)) if facts.loser is not None else None,
        ("payments", True): facts.payments or None,
    }
    return found | ({("points", False): facts.side_points, ("points_against", False): facts.against} if sides else {})


def others(rng: Random, key: str, by_seat: bool, possible: set[Any]) -> set[Any]:
    """Values near those that are possible, and any."""
    one = rng.choice(sorted(possible, key=str))
    if key == "payments":
        return {tuple(-each for each in one), tuple(2 * each for each in one)}
    if key == "virgins":
        return {(), (0,), (1, 2), (3,)}
    if by_seat:
        a, b = rng.sample([seat for seat, own in enumerate(one)], 2)
        moved = [own + (seat == a) - (seat == b) for seat, own in enumerate(one)]
        return {tuple(moved)} if min(moved) >= 0 else set()
    if isinstance(one, bool):
        return {True, False}
    if key in ("points", "points_against"):
        return {*range(max(0, min(possible) - 2), min(120, max(possible) + 2) + 1), rng.randrange(121)}
    return {seat for seat in range(4) if seat != one} if key in ("partner", "loser") else {one + 1, -one}


def few(rng: Random, values: set[Any]) -> list[Any]:
    return rng.sample(sorted(values, key=str), min(len(values), 2))


def half_known(rules: str, seed: int) -> Judgement | None:
    """A right deal whose hands are all known, with knocks and doublings; None where cards were passed on, or something
    else happened that its end does not show."""
    right = judged_deal(Random(f"ends {rules} {seed}"), session(rules), Wish())
    deal = right.deal
    if not deal.tricks or not deal.hands or deal.exchange or deal.events or deal.blind:
        return None
    bare = replace(deal, knocks=deal.knocks or (), doubles=deal.doubles or ())
    return replace(right, deal=bare)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rules", IN_HAND)
def test_what_no_end_of_a_play_gives_is_refuted_and_what_one_gives_is_not(rules: str) -> None:
    rng, passed, refuted = Random(f"others {rules}"), Counter[str](), Counter[str]()
    seeds = (right for seed in range(6) if (right := half_known(rules, seed)))
    for right in list(seeds)[:1]:
        tricks = right.deal.tricks or ()
        sides = "declarer" in right.replay.sides if right.replay else False
        for left in range(1, MOST_LEFT + 1):
            ends = [found for end in every_completion(plain(right), left) if (found := oracle.facts(end))]
            assert ends
            every = [values_of(found, sides) for found in ends]
            for (key, by_seat), first in every[0].items():
                possible = {values[key, by_seat] for values in every}
                if first is None or None in possible or (key == "payments" and right.settlement.payments is None):
                    continue
                wrong = others(rng, key, by_seat, possible) - possible
                for value in (*few(rng, possible), *few(rng, wrong)):
                    half = replace(right.deal, tricks=tricks[:-left], stated=Stated(**{key: value}))
                    found = judge(right.session, half, 1, right.before)
                    if value in possible:
                        assert found.verdict in ("agrees", "undecidable"), (key, value, found.reason, half)
                    elif found.verdict == "differs":
                        refuted[key] += 1
                    else:
                        passed[key] += 1
    assert rules in HIDE or not passed, (passed, refuted)
    assert rules in HIDE or refuted


# Bids, surrenders, announced marches, cards passed on: docs/what-no-check-can-notice.md.
HIDE = ("langendorf", "palatinate", "three-player-blind")
