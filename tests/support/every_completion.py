"""Every legal end of a play with all hands known, found by trying each card. The program is not asked."""

from collections.abc import Iterator
from itertools import product

from support import oracle
from support.oracle import Play


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
