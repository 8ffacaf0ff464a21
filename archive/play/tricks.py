"""Who played which card, and who took each trick. It needs no hands, only the cards in order."""

from collections.abc import Iterator

from archive.cards import NUMBER, bits_of
from archive.play.types import PlayedTrick, Walk
from archive.record import Deal, Finding, Trick, finding
from archive.rules import Contract, Tables
from archive.say import message


def walk_tricks(
    deal: Deal, playing: tuple[int, ...], players: tuple[str, ...], contract: Contract, compiled: Tables
) -> Walk:
    """First pass: who played which card, who took each trick, and what it was worth. It ends where it is not known who
    leads."""
    played: list[PlayedTrick] = []
    leaders: list[int | None] = []
    winners: list[int | None] = []
    points: list[int | None] = []
    findings: list[Finding] = []
    seen, game, size, tricks = 0, deal.game, len(playing), deal.tricks or ()
    around = {seat: (*playing[place:], *playing[:place]) for place, seat in enumerate(playing)}
    expected = game.declarer if game and contract.leads == "declarer" else playing[0]
    for number, trick in enumerate(tricks, 1):
        leader, count = trick.leader if trick.leader is not None else expected, len(trick.cards)
        if leader != expected and expected is not None and leader is not None:
            facts = {"trick": number, "player": players[leader], "expected": players[expected]}
            findings.append(finding("wrong-leader", deal.source, str(number), **facts))
        if leader not in playing:
            return Walk(
                tuple(played), tuple(leaders), tuple(winners), tuple(points), tuple(findings),
                (message("missing.leader", trick=number),),
            )  # fmt: skip
        if count != size and (count > size or number < len(tricks)):
            findings.append(finding("trick-size", deal.source, str(number), trick=number, cards=count, wanted=size))
        seats = around[leader] if count == size else tuple([around[leader][place % size] for place in range(count)])
        lies, worth = lay_trick(trick, seats, compiled)
        cards = bits_of(lies.cards)
        if cards & seen or cards & ~compiled.pack or cards.bit_count() < count:
            findings += strange_cards(deal, lies, number, seen, compiled.pack)
        seen |= cards
        played.append(lies)
        leaders.append(leader)
        expected = lies.holders[-1] if worth is not None and count >= size else None
        winners.append(expected)
        points.append(None if expected is None else worth)
    missing = tuple(
        [message("missing.trick-card", trick=number) for number, lies in enumerate(played, 1) if -1 in lies.cards]
    )
    return Walk(tuple(played), tuple(leaders), tuple(winners), tuple(points), tuple(findings), missing)


def lay_trick(trick: Trick, seats: tuple[int, ...], compiled: Tables) -> tuple[PlayedTrick, int | None]:
    """A trick played by `seats`, and its card points; None from a card on that nobody knows."""
    numbers = tuple([NUMBER.get(code, -1) for code in trick.cards])
    beats, points = compiled.beats, compiled.points
    holders: list[int | None] = []
    holder: int | None = None
    over, worth, sure = -1, 0, True
    for seat, card in zip(seats, numbers):  # noqa: B905 # they are as many
        if card < 0:
            holder, sure = None, False
        elif sure:
            if over < 0 or over >> card & 1:
                over, holder = beats[card], seat
            worth += points[card]
        holders.append(holder)
    return PlayedTrick(trick.cards, numbers, seats, tuple(holders)), worth if sure else None


def strange_cards(deal: Deal, lies: PlayedTrick, trick: int, seen: int, pack: int) -> Iterator[Finding]:
    """What is wrong with a card whoever plays it: it is not in the pack, or was played before."""
    for place, card in enumerate(lies.cards, 1):
        bit = 1 << card if card >= 0 else 0
        rule = "not-in-pack" if bit & ~pack else "card-twice" if bit & seen else None
        if rule:
            where = message("play.place", trick=trick, card=place)
            yield finding(rule, deal.source, f"{trick}.{place}", card=lies.codes[place - 1], where=where)
        seen |= bit


def tally(
    winners: tuple[int | None, ...], active: tuple[int, ...], seats: int, worth: tuple[int | None, ...]
) -> tuple[int | None, ...]:
    """The sums of a worth per trick for each seat in play; None where a winner is unknown or nothing was played. A last
    trick that was broken off counts for nobody."""
    if not winners or None in winners[:-1]:
        return (None,) * seats
    won: list[int | None] = [0 if seat in active else None for seat in range(seats)]
    for winner, points in zip(winners, worth, strict=True):
        if winner is not None:
            won[winner] = (won[winner] or 0) + (points or 0)
    return tuple(won)
