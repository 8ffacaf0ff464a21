"""First pass of a replay: who played which card, who took each trick. It needs no hands, only the cards in order."""

from archive.cards import BIT, NUMBER, is_known
from archive.play.core import takes
from archive.play.types import Laid, Walk
from archive.record import Deal, Finding, finding
from archive.rules import Contract, Tables


def walk(deal: Deal, playing: tuple[int, ...], players: tuple[str, ...], contract: Contract, compiled: Tables) -> Walk:
    """First pass: who played which card, who took each trick, and what it was worth."""
    laid: list[Laid] = []
    leaders: list[int | None] = []
    winners: list[int | None] = []
    points: list[int | None] = []
    findings: list[Finding] = []
    seen: set[str] = set()
    game, size = deal.game, len(playing)
    tricks = deal.tricks or ()
    expected: int | None = game.declarer if game and contract.leads == "declarer" else playing[0]
    for number, trick in enumerate(tricks, 1):
        leader = trick.leader if trick.leader is not None else expected
        at = str(number)
        if expected is not None and leader is not None and leader != expected:
            facts = {"trick": number, "player": players[leader], "expected": players[expected]}
            findings.append(finding("wrong-leader", deal.source, at, **facts))
        if leader not in playing:
            return Walk(
                tuple(laid), tuple(leaders), tuple(winners), tuple(points), tuple(findings),
                (f"who leads trick {number}",),
            )  # fmt: skip
        if len(trick.cards) > size or (len(trick.cards) < size and number < len(tricks)):
            facts = {"trick": number, "cards": len(trick.cards), "wanted": size}
            findings.append(finding("trick-size", deal.source, at, **facts))
        best: str | None = None
        holder: int | None = None
        lying: int | None = 0
        start = playing.index(leader)
        for place, card in enumerate(trick.cards, 1):
            seat = playing[(start + place - 1) % size]
            findings += strange(deal, card, seen, compiled, f"{number}.{place}")
            seen.add(card)
            if not is_known(card):
                best = holder = lying = None
            elif place == 1 or (best is not None and takes(compiled.beats[NUMBER[best]], NUMBER[card])):
                best, holder = card, seat
            if lying is not None:
                lying += compiled.points[NUMBER[card]]
            laid.append(Laid(number, place, seat, card, holder))
        whole = len(trick.cards) >= size and all(map(is_known, trick.cards))
        leaders.append(leader)
        winners.append(holder if whole else None)
        points.append(lying if whole else None)
        expected = winners[-1]
    missing = tuple(f"a card of trick {n}" for n, trick in enumerate(tricks, 1) if not all(map(is_known, trick.cards)))
    return Walk(tuple(laid), tuple(leaders), tuple(winners), tuple(points), tuple(findings), missing)


def strange(deal: Deal, card: str, seen: set[str], compiled: Tables, at: str) -> list[Finding]:
    """What is wrong with a card whoever plays it: it is not in the pack, or was played before."""
    trick, place = at.split(".")
    if not is_known(card):
        return []
    if not compiled.pack & BIT[card]:
        return [finding("not-in-pack", deal.source, at, card=card, where=f"trick {trick} card {place}")]
    if card in seen:
        return [finding("card-twice", deal.source, at, card=card, where=f"trick {trick} card {place}")]
    return []


def tally(
    winners: tuple[int | None, ...], active: tuple[int, ...], seats: int, worth: tuple[int | None, ...]
) -> tuple[int | None, ...]:
    """Sums a worth per trick for each seat in play; None where a winner is unknown or nothing was played. A last
    trick that was broken off counts for nobody."""
    if not winners or None in winners[:-1]:
        return (None,) * seats
    won: list[int | None] = [0 if seat in active else None for seat in range(seats)]
    for winner, points in zip(winners, worth, strict=True):
        if winner is not None:
            won[winner] = (won[winner] or 0) + (points or 0)
    return tuple(won)
