"""A talon that is drawn from after each trick, and what players say and do at their turn besides playing: they show a
marriage, take the turned trump, close the talon, call. 002 06.1 66: Gameplay."""

from collections.abc import Iterator

from msgspec import Struct, field

from archive.cards import CODES, NUMBER
from archive.play.hands import talon_size
from archive.play.messages import verb_message
from archive.play.seating import place_in_trick
from archive.play.types import Act, Draw, Scene, TalonPlay
from archive.record import Event, Finding, finding
from archive.rules import Contract, Tables
from archive.rules.types import Marriage, Talon
from archive.say import Fact, Message, message

ACTS = frozenset({"marriage", "takes-trump", "closes", "calls"})
UNKNOWN = -1
Place = tuple[int, int]  # before card C of trick T, both from 1


class Drawing(Struct):
    """A talon under way. Mutable, and never leaves a replay. Cards are numbers, UNKNOWN if nobody knows them; `left`
    are the hands under way, shared with the code that judges the cards."""

    scene: Scene
    contract: Contract
    compiled: Tables
    left: list[int | None]
    pool: list[int]  # in the order of drawing
    asked: dict[Place, list[tuple[int, Event]]]  # events by their place, each with its number
    points: list[int]
    tricks: list[int]
    taken: list[int]  # tricks, even those that do not count since another has closed the talon
    draws: list[Draw] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    missing: list[Message] = field(default_factory=list)
    rounds: int = 0  # of drawing
    known: bool = True  # all points so far
    silent: bool = False  # no acts are recorded, in a play that is not recorded to its last trick;
    exchanged: int = 0  # cards, as a mask, that may then have gone from hand to talon or back
    closer: int | None = None
    caller: int | None = None
    went_on: bool = False


def begin_drawing(scene: Scene, contract: Contract | None, compiled: Tables, left: list[int | None]) -> Drawing | None:
    """Return the talon before the first trick, or None if the table plays without one."""
    size = talon_size(scene.ruleset, scene.size)
    if contract is None or not size:
        return None
    written = scene.deal.talon
    pool = [NUMBER.get(code, UNKNOWN) for code in written] if written else [UNKNOWN] * size
    seats = len(scene.players)
    drawing = Drawing(scene, contract, compiled, left, pool, {}, [0] * seats, [0] * seats, [0] * seats)
    if scene.deal.events is None and len(scene.walked.tricks) < scene.most_tricks:
        pair = (
            {lowest_trump(compiled, scene.ruleset.house.talon), pool[-1]} if "takes-trump" in contract.acts else set()
        )
        drawing.silent, drawing.exchanged = True, sum(1 << card for card in pair if card != UNKNOWN)
    for number, event in enumerate(scene.deal.events or (), 1):
        if event.verb in contract.acts:
            at = place_of(scene, event)
            if at is None:
                facts = {"player": scene.players[event.seat], "verb": verb_message(event.verb)}
                drawing.missing.append(message("missing.when", **facts))
            else:
                drawing.asked.setdefault(at, []).append((number, event))
    return drawing


def place_of(scene: Scene, event: Event) -> Place | None:
    """Return the place before which it was done: in a trick, the own card; at the end, after the last; or None."""
    trick, _, card = (event.moment or "").partition(".")
    if trick == "deal":
        return 1, 1
    if trick in ("end", "next"):
        return next_place(scene)
    if not trick:
        return None
    own = place_in_trick(event.seat, int(trick), scene.playing, scene.walked.leaders)
    if not card and own is None:  # nobody has led to it
        own = 1 if seat_at(scene, next_place(scene)) in (None, event.seat) else 2
    at = int(trick), int(card or own or 1)
    return (at[0] + 1, 1) if at[1] > len(scene.playing) else at


def next_place(scene: Scene) -> Place:
    """Return the place after the last card played."""
    played = scene.walked.tricks
    if not played:
        return 1, 1
    cards = len(played[-1].codes)
    return (len(played) + 1, 1) if cards >= len(scene.playing) else (len(played), cards + 1)


def seat_at(scene: Scene, place: Place) -> int | None:
    """Return whose turn it is at the place after the last card, or None if not known."""
    winners, playing = scene.walked.winners, scene.playing
    if place[1] == 1:
        return winners[-1] if winners else playing[0] if playing else None
    leader = scene.walked.leaders[-1]
    if leader is None or leader not in playing:
        return None
    return playing[(playing.index(leader) + place[1] - 1) % len(playing)]


def is_shut(drawing: Drawing) -> bool:
    """Return whether the talon is out or closed."""
    return drawing.closer is not None or not drawing.pool


def is_late(drawing: Drawing) -> bool:
    """Return whether the talon is out or closed, so that the late duties hold. If a record is silent about what was
    done, nobody knows who has drawn what, and nobody is held to them."""
    return is_shut(drawing) and not drawing.silent


def take_turn(drawing: Drawing, place: Place, seat: int | None, card: int | None) -> None:
    """Do all that a player did before playing `card` (a number; None if none is played), as far as the rules allow
    it."""
    for number, event in drawing.asked.pop(place, ()):
        cards = why = None
        if event.verb == "calls" and is_over(drawing, place):
            late = finding("called-too-late", drawing.scene.deal.source, player=drawing.scene.players[event.seat])
            drawing.findings.append(late)
            continue
        if event.seat != seat and seat is not None:
            why = message("play.not-on-turn")
        elif drawing.caller is not None:
            why = message("play.called-before", player=drawing.scene.players[drawing.caller])
        else:
            cards, why = DOERS[event.verb](drawing, event, place, card)
        if why is not None:
            refuse(drawing, event, place, why)
        elif cards is not None:
            points = marriage_points(drawing, event) if event.verb == "marriage" else 0
            drawing.acts.append(Act(number, *place, event.seat, event.verb, cards, points, len(drawing.pool)))
            drawing.points[event.seat] += points
    if drawing.caller is not None and card is not None and seat is not None and not drawing.went_on:
        drawing.went_on, names = True, drawing.scene.players
        facts = {"trick": place[0], "card": place[1], "player": names[seat], "caller": names[drawing.caller]}
        facts["played"] = CODES[card] if card >= 0 else "??"
        at = f"{place[0]}.{place[1]}"
        drawing.findings.append(finding("played-after-call", drawing.scene.deal.source, at, **facts))


def refuse(drawing: Drawing, event: Event, place: Place, why: Message) -> None:
    """Note that something may not be done at a place."""
    facts: dict[str, Fact] = {"trick": place[0], "card": place[1], "player": drawing.scene.players[event.seat]}
    facts |= {"verb": verb_message(event.verb), "why": why}
    at = f"{place[0]}.{place[1]}"
    drawing.findings.append(finding("act-not-allowed", drawing.scene.deal.source, at, **facts))


Done = tuple[tuple[str, ...] | None, Message | None]  # the cards that are shown or change places, or why it may not be


def marriage(drawing: Drawing, event: Event, place: Place, card: int | None) -> Done:
    """Show the King and Over of a suit with one's lead, which is one of them. 002 06.1: Marriages."""
    rule, suit, hand = drawing.contract.marriage, event.arg or "", drawing.left[event.seat]
    cards = tuple(suit + rank for rank in rule.ranks) if rule else ()
    if place[1] != 1:
        return None, message("play.marriage-not-led")
    if any(act.verb == "marriage" and act.cards == cards for act in drawing.acts):
        return None, message("play.marriage-shown")
    if hand is not None and any(not hand >> NUMBER[code] & 1 for code in cards):
        return None, message("play.marriage-not-held", cards=" ".join(cards))
    if card is not None and card >= 0 and CODES[card] not in cards:
        return None, message("play.marriage-other-lead", cards=" ".join(cards))
    return cards, None


def marriage_points(drawing: Drawing, event: Event) -> int:
    """Return the worth of a marriage: 0 against a talon another closed, or if the table does not count it."""
    rule, seat, suit = drawing.contract.marriage, event.seat, event.arg or ""
    if rule is None:
        return 0
    is_trumps = drawing.compiled.groups[-1] >> NUMBER[suit + rule.ranks[0]] & 1 == 1
    return marriage_worth(rule, is_trumps, seat, drawing.tricks[seat], drawing.closer)


def marriage_worth(rule: Marriage, is_trumps: bool, seat: int, tricks: int, closer: int | None) -> int:
    """Return the points that a marriage adds for a seat with `tricks` tricks, if `closer` has closed the talon."""
    if closer not in (None, seat) or not (rule.at_once or tricks) or not (rule.closed or closer is None):
        return 0
    return rule.trump_points if is_trumps else rule.points


def takes_trump(drawing: Drawing, event: Event, place: Place, card: int | None) -> Done:
    """Exchange the lowest trump for the one that lies under the talon. 002 06.1: Stealing the trump."""
    pool, hand = drawing.pool, drawing.left[event.seat]
    low = lowest_trump(drawing.compiled, drawing.scene.ruleset.house.talon)
    taken = NUMBER.get(event.arg or "", UNKNOWN)
    if closed := talon_shut(drawing):
        return None, closed
    if UNKNOWN not in (pool[-1], taken) and pool[-1] != taken:
        return None, message("play.other-card-turned", card=CODES[pool[-1]])
    if low == UNKNOWN:  # nobody knows what was given for the turned card
        drawing.left[event.seat] = None
        return None, None
    if hand is not None and not hand >> low & 1:
        return None, message("play.lowest-trump-not-held", card=CODES[low])
    if hand is not None:
        drawing.left[event.seat] = None if taken < 0 else hand & ~(1 << low) | 1 << taken
    pool[-1] = low
    return (CODES[low], event.arg or "??"), None


def lowest_trump(compiled: Tables, talon: Talon | None) -> int:
    """Return the trump that is given for the turned card, or UNKNOWN if there is none."""
    rank = talon.takes if talon else ""
    return next((card for card in reversed(compiled.trumps) if not rank or CODES[card][1] == rank), UNKNOWN)


def talon_shut(drawing: Drawing) -> Message | None:
    """Return why nobody can take the turned card or close the talon any more, or None."""
    talon = drawing.scene.ruleset.house.talon
    if drawing.closer is not None:
        return message("play.talon-closed")
    return message("play.talon-out") if talon is None or len(drawing.pool) < talon.least else None


def closes(drawing: Drawing, event: Event, place: Place, card: int | None) -> Done:
    """Close the talon: nobody draws any more, and what the other makes counts no more. 002 06.1: Closing the deck."""
    if shut := talon_shut(drawing):
        return None, shut
    drawing.closer = event.seat
    return (), None


def calls(drawing: Drawing, event: Event, place: Place, card: int | None) -> Done:
    """End the deal: the caller has as many points as that, or loses. 002 06.1: End of Game."""
    match = drawing.scene.ruleset.house.match
    if match and event.arg and int(event.arg) != match.reach:
        return None, message("play.other-number", reach=match.reach)
    drawing.caller = event.seat
    return (), None


DOERS = {"marriage": marriage, "takes-trump": takes_trump, "closes": closes, "calls": calls}


def is_over(drawing: Drawing, place: Place) -> bool:
    """Return whether all cards have been played before a place: the game has ended, and a call counts for nothing."""
    last = last_trick(drawing)
    return place[0] > last and len(drawing.scene.walked.winners) >= last


def last_trick(drawing: Drawing) -> int:
    """Return the number of the last trick: one for each card of a hand, and one for each time that all have drawn."""
    return drawing.scene.size + drawing.rounds


def end_trick(drawing: Drawing, number: int) -> None:
    """Count a trick for its taker, unless another has closed the talon; the taker then draws first."""
    walked, playing = drawing.scene.walked, drawing.scene.playing
    if len(walked.tricks[number - 1].codes) < len(playing):
        return
    winner, worth = walked.winners[number - 1], walked.points[number - 1]
    if drawing.caller is None and (winner is None or worth is None):
        drawing.known = False
    elif drawing.caller is None and winner is not None and drawing.closer in (None, winner):
        drawing.points[winner] += worth or 0
        drawing.tricks[winner] += 1
    if drawing.caller is None and winner is not None:
        drawing.taken[winner] += 1
    if is_shut(drawing):
        return
    drawing.rounds += 1
    first = playing.index(winner) if winner in playing and winner is not None else 0
    for seat in (*playing[first:], *playing[:first]):
        card = drawing.pool.pop(0) if drawing.pool else UNKNOWN
        hand = drawing.left[seat]
        drawing.left[seat] = None if hand is None or card < 0 or winner is None else hand | 1 << card
        if winner is not None:
            drawing.draws.append(Draw(number, seat, CODES[card] if card >= 0 else "??", len(drawing.pool)))


def end_drawing(drawing: Drawing) -> TalonPlay:
    """Return the whole play with the talon after the last card: acts recorded after it are done now, and those in a
    trick that cannot be are refused. Of tricks that are not recorded nothing is known."""
    scene = drawing.scene
    place = next_place(scene)
    take_turn(drawing, place, seat_at(scene, place), None)
    winners, last = scene.walked.winners, last_trick(drawing)
    most = last if is_shut(drawing) else scene.most_tricks
    for at in [at for at in drawing.asked if drawing.caller is not None or at > (most + 1, 1)]:
        for _, event in drawing.asked[at]:
            refuse(drawing, event, at, message("play.no-such-trick", trick=at[0]))
    ended = drawing.caller is not None or (len(winners) == last and None not in winners)
    counted = drawing.known and not drawing.missing
    return TalonPlay(
        draws=tuple(drawing.draws),
        acts=tuple(drawing.acts),
        closer=drawing.closer,
        caller=drawing.caller,
        points=tuple(own if counted and seat in scene.active else None for seat, own in enumerate(drawing.points)),
        tricks=tuple(own if counted and seat in scene.active else None for seat, own in enumerate(drawing.tricks)),
        taken=tuple(own if counted and seat in scene.active else None for seat, own in enumerate(drawing.taken)),
        complete=ended and counted,
        missing=tuple(drawing.missing),
    )


def with_drawn(hand: tuple[str, ...], talon: TalonPlay | None, seat: int) -> tuple[str, ...]:
    """Return a hand with all the cards that its player has drawn or taken, without those given for them."""
    if talon is None:
        return hand
    cards = [*hand, *(draw.card for draw in talon.draws if draw.seat == seat)]
    for low, taken in (act.cards for act in talon.acts if act.seat == seat and act.verb == "takes-trump"):
        cards = [card for card in cards if card != low] + [taken]
    return tuple(cards)


def check_acts(scene: Scene) -> Iterator[Finding]:
    """Yield findings for acts that the game does not know."""
    contract = scene.contract
    for event in scene.deal.events or ():
        if contract and event.verb in ACTS and event.verb not in contract.acts:
            trick, _, card = (event.moment or "").partition(".")
            facts: dict[str, Fact] = {"trick": int(trick) if trick.isdecimal() else 1, "card": int(card or 1)}
            facts |= {"player": scene.players[event.seat], "verb": verb_message(event.verb)}
            yield finding(
                "act-not-allowed", scene.deal.source, why=message("play.act-not-known", game=contract.title), **facts
            )
