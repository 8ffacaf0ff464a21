"""Play without tricks: one player builds the suits up from a base, card after card as the talon brings them.

002 06.5 Solitaire. Mistakes are reported, and the play goes on as recorded.
"""

from collections.abc import Iterator

from msgspec import Struct

from archive.cards import BIT, PACKS, SUITS, codes, is_known
from archive.play.messages import Wrong, not_allowed
from archive.play.types import Cards, Scene, Turned, TurnStep
from archive.record import Finding, Turn, finding
from archive.rules.types import Building, House
from archive.say import message

AGAIN = "again"
UNKNOWN = "??"


class Layout(Struct):
    """The cards under way, each heap from below. Mutable, and never leaves a replay."""

    suits: dict[str, list[str]]
    corners: dict[str, list[str]]
    talon: list[str]  # the next one to be drawn first
    again: int = 0  # times that the corners have been turned over


def lay_out(rule: Building, talon: Cards) -> Layout:
    """Return the cards before the first turn: the base of each suit, empty corners, the talon."""
    corners: dict[str, list[str]] = {str(number): [] for number in range(1, rule.corners + 1)}
    return Layout({suit: [suit + rule.base] for suit in SUITS}, corners, list(talon))


def talon_wanted(house: House, rule: Building) -> int:
    """Return the cards of the talon, as a mask: all but the bases."""
    return PACKS[house.deck] & ~sum(BIT[suit + rule.base] for suit in SUITS)


def spots_of(at: Layout) -> tuple[Cards, ...]:
    """Return the cards on each suit, in each corner, and those that are left."""
    return (*map(tuple, at.suits.values()), *map(tuple, at.corners.values()), tuple(at.talon))


def count_built(spots: tuple[Cards, ...]) -> int:
    """Return how many cards are built on the suits, with their bases."""
    return sum(map(len, spots[: len(SUITS)]))


def build_suits(scene: Scene) -> Turned:
    """Return the turns of a player who builds: whether each card is the next or the top, and fits where it goes. The
    play ends with the last turn recorded."""
    rule, deal = scene.ruleset.house.building, scene.deal
    if rule is None:
        return Turned()
    unknown = (UNKNOWN,) * talon_wanted(scene.ruleset.house, rule).bit_count()
    at = lay_out(rule, unknown if deal.talon is None else deal.talon)
    findings = list(check_talon(scene, rule))
    start, steps, place = spots_of(at), list[TurnStep](), 0
    for n, turn in enumerate(deal.turns or (), 1):
        round, place = at.again + 1, place + 1
        wrong = next(check_turn(at, rule, turn), None)
        if not wrong:
            findings += fitting(at, rule, turn, scene, f"{round}.{place}", n)
        else:
            rule_id, facts = wrong
            findings.append(finding(rule_id, deal.source, f"{round}.{place}", turn=n, **facts))
        card = card_of(at, turn.source) if turn.target else None
        take_turn(at, turn)
        seat = scene.active[0] if turn.seat is None and scene.active else turn.seat
        steps.append(TurnStep(n, round, place, seat, turn, spots_of(at), card, wrong[0] if wrong else None))
        place = 0 if at.again + 1 > round else place
    return Turned(start, tuple(steps), deal.talon is not None, tuple(findings))


def check_talon(scene: Scene, rule: Building) -> Iterator[Finding]:
    """Yield findings if the talon is not the whole pack without the bases, each card once."""
    wanted, seen = talon_wanted(scene.ruleset.house, rule), 0
    where = message("play.in-the-talon")
    for code in scene.deal.talon or ():
        if is_known(code) and (not wanted & BIT[code] or seen & BIT[code]):
            issue = "card-twice" if seen & BIT[code] else "not-in-pack"
            yield finding(issue, scene.deal.source, card=code, where=where)
        seen |= BIT[code] if is_known(code) else 0
    count, due = len(scene.deal.talon or ()), wanted.bit_count()
    if scene.deal.talon is not None and count != due:
        yield finding("hand-size", scene.deal.source, player=message("play.the-talon"), cards=count, wanted=due)


# --- what may be done -----------------------------------------------------------------------------------------------


def next_rank(heap: list[str], rule: Building) -> str:
    """Return the rank to build next on a suit, or empty if the suit is whole."""
    return rule.order[len(heap) - 1 : len(heap)]


def check_turn(at: Layout, rule: Building, turn: Turn) -> Iterator[Wrong]:
    """Yield the mistakes of a turn, each as its rule id and the facts of its sentence."""
    if turn.source == AGAIN and not turn.target:
        # the corners are turned over when the talon is out, up to a limit, each of them once
        if at.talon:
            yield not_allowed(message("play.talon-not-out", n=len(at.talon)))
        if at.again >= rule.again:
            yield not_allowed(message("play.again-before", n=rule.again))
        if sorted(turn.cards) != sorted(at.corners):
            yield not_allowed(message("play.corners-once", corners=" ".join(at.corners)))
        return
    if not turn.target:
        yield not_allowed(message("play.no-such-turn", word=turn.source))
        return
    card = card_of(at, turn.source)
    if turn.source in at.corners and card is None:
        yield not_allowed(message("play.corner-empty", corner=turn.source))
    elif turn.source not in (*at.corners, *at.talon[:1]) and all(map(is_known, at.talon[:1])):  # else any
        covered = (
            message("play.under-in-corner", corner=corner, top=heap[-1])
            for corner, heap in at.corners.items()
            if turn.source in heap[:-1]
        )
        yield "turn-card", {"card": turn.source, "where": next(covered, message("play.next-in-talon"))}
    if turn.target in at.corners:
        if turn.source in at.corners:
            yield not_allowed(message("play.corner-to-corner"))
    elif turn.target not in at.suits:
        yield not_allowed(message("play.no-such-place", place=turn.target))
    elif card is not None and is_known(card):
        due = turn.target + next_rank(at.suits[turn.target], rule)
        if card != due:
            top = at.suits[turn.target][-1]
            yield not_allowed(message("play.does-not-follow", card=card, top=top))


def fitting(at: Layout, rule: Building, turn: Turn, scene: Scene, moment: str, n: int) -> Iterator[Finding]:
    """Yield a finding for a card that is laid in a corner though it fits: allowed, and worth knowing."""
    card = turn.source
    if turn.target in at.corners and is_known(card) and card == card[0] + next_rank(at.suits[card[0]], rule):
        facts = {"card": card, "top": at.suits[card[0]][-1]}
        yield finding("turn-fits", scene.deal.source, moment, turn=n, **facts)


# --- a turn is taken ------------------------------------------------------------------------------------------------


def card_of(at: Layout, source: str) -> str | None:
    """Return the top card of a corner, or None if it is empty; else the card named."""
    if source in at.corners:
        return at.corners[source][-1] if at.corners[source] else None
    return source


def take_turn(at: Layout, turn: Turn) -> None:
    """Update the cards after a turn, whatever was wrong with it. The corners lie on each other in the order in which
    they are named, the first at the bottom, and are turned over: so the bottom card of the first is drawn first."""
    if turn.source == AGAIN and not turn.target:
        names = [name for name in dict.fromkeys(turn.cards) if name in at.corners]
        at.talon += [card for name in names for card in at.corners[name]]
        for name in names:
            at.corners[name] = []
        at.again += 1
        return
    heap = at.suits.get(turn.target, at.corners.get(turn.target))
    if heap is None:
        return
    if turn.source in at.corners:
        if at.corners[turn.source]:
            heap.append(at.corners[turn.source].pop())
        return
    if turn.source in at.talon:
        at.talon.remove(turn.source)
        heap.append(turn.source)
    elif at.talon and not is_known(at.talon[0]):
        at.talon.pop(0)
        heap.append(turn.source)
    else:
        for other in at.corners.values():
            if turn.source in other:
                other.remove(turn.source)
                heap.append(turn.source)
                return


def whole(house: House) -> int:
    """Return how many cards are built when every suit is whole."""
    return len(codes(PACKS[house.deck]))
