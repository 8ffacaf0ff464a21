"""The trumps of a deal, who played which card, and who took each trick. It needs no hands, only the cards in order."""

from collections.abc import Iterator

from archive.cards import NUMBER, SUITS
from archive.play.types import PlayedTrick, Walk
from archive.record import Deal, Finding, Trick, finding
from archive.rules import Contract, Ruleset, Tables, tables
from archive.say import Message, message


def turned_suit(deal: Deal, contract: Contract) -> str | None:
    """Return the suit of the card face up below the talon; None if it is not known, or makes no trumps."""
    turned = deal.talon[-1][0] if contract.trump == "turned" and deal.talon else None
    return turned if turned in tuple(SUITS) else None


def trump_suit(deal: Deal, contract: Contract) -> str | None:
    """Return the suit of the trumps below the lords; None if it is not known, empty if there is none."""
    if contract.trump == "turned":
        return turned_suit(deal, contract)
    return (deal.game.suit if deal.game else None) if contract.trump == "named" else contract.trump


def deal_tables(ruleset: Ruleset, deal: Deal, contract: Contract) -> Tables:
    """Return the tables of the contract of a deal, with the trumps that were named or turned."""
    game = deal.game
    suit, called = (game.suit, game.called) if game else (None, None)
    return tables(ruleset, contract.id, turned_suit(deal, contract) if contract.trump == "turned" else suit, called)


def walk_tricks(
    deal: Deal, playing: tuple[int, ...], players: tuple[str, ...], contract: Contract, compiled: Tables, last: int
) -> Walk:
    """Return who played which card, who took each trick, and its worth, that of trick `last` with the points for taking
    it. The walk, the first pass, ends if it is not known who leads."""
    played: list[PlayedTrick] = []
    leaders: list[int | None] = []
    winners: list[int | None] = []
    points: list[int | None] = []
    findings: list[Finding] = []
    missing: list[Message] = []
    seen, game, size, tricks = 0, deal.game, len(playing), deal.tricks or ()
    around = {seat: (*playing[place:], *playing[:place]) for place, seat in enumerate(playing)}
    expected = game.declarer if game and contract.leads == "declarer" else playing[0]
    for number, trick in enumerate(tricks, 1):
        leader, count = trick.leader, len(trick.cards)
        if leader is None:
            leader = expected
        elif expected is not None and leader != expected:
            facts = {"trick": number, "player": players[leader], "expected": players[expected]}
            findings.append(finding("wrong-leader", deal.source, str(number), **facts))
        if leader not in around:
            missing = [message("missing.leader", trick=number)]
            break
        if count != size and (count > size or number < len(tricks)):
            findings.append(finding("trick-size", deal.source, str(number), trick=number, cards=count, wanted=size))
        seats = around[leader] if count == size else tuple([around[leader][place % size] for place in range(count)])
        known, lies, worth = lay_trick(trick, seats, compiled)
        if worth is None:
            missing.append(message("missing.trick-card", trick=number))
        if known & (seen | ~compiled.pack) or known.bit_count() < count:
            findings += strange_cards(deal, lies, number, seen, compiled.pack)
        seen |= known
        played.append(lies)
        leaders.append(leader)
        expected = lies.holders[-1] if worth is not None and count >= size else None
        winners.append(expected)
        more = contract.last_trick if number == last else 0
        points.append(None if expected is None or worth is None else worth + more)
    return Walk(tuple(played), tuple(leaders), tuple(winners), tuple(points), tuple(findings), tuple(missing))


def lay_trick(trick: Trick, seats: tuple[int, ...], compiled: Tables) -> tuple[int, PlayedTrick, int | None]:
    """Return the mask of the known cards of a trick, the trick as `seats` played it, and its card points, None if a
    card of it is not known."""
    numbers = tuple([NUMBER.get(code, -1) for code in trick.cards])
    beats, points = compiled.beats, compiled.points
    holders: list[int | None] = []
    holder: int | None = None
    over, known, worth, sure = -1, 0, 0, True
    for seat, card in zip(seats, numbers):  # noqa: B905 # they are as many
        if card < 0:
            holder, sure = None, False
        else:
            bit = 1 << card
            known |= bit
            if sure and over & bit:
                over, holder = beats[card], seat
            worth += points[card]
        holders.append(holder)
    return known, PlayedTrick(trick.cards, numbers, seats, tuple(holders)), worth if sure else None


def strange_cards(deal: Deal, lies: PlayedTrick, trick: int, seen: int, pack: int) -> Iterator[Finding]:
    """Yield findings for cards of a trick that are wrong whoever plays them: not in the pack, or played before."""
    for place, card in enumerate(lies.cards, 1):
        bit = 1 << card if card >= 0 else 0
        rule = "not-in-pack" if bit & ~pack else "card-twice" if bit & seen else None
        if rule:
            where = message("play.place", trick=trick, card=place)
            yield finding(rule, deal.source, f"{trick}.{place}", card=lies.codes[place - 1], where=where)
        seen |= bit


def tally(
    winners: tuple[int | None, ...], active: tuple[int, ...], seats: int, worth: tuple[int | None, ...]
) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    """Return the card points and the tricks of each seat in play, from the points of each trick; None if a winner is
    unknown or nothing was played. A last trick that was broken off counts for nobody."""
    if not winners or None in winners[:-1]:
        return (None,) * seats, (None,) * seats
    points, tricks = dict.fromkeys(active, 0), dict.fromkeys(active, 0)
    for winner, lying in zip(winners, worth, strict=True):
        if winner is not None and winner in points:
            points[winner] += lying or 0
            tricks[winner] += 1
    return tuple(map(points.get, range(seats))), tuple(map(tricks.get, range(seats)))
