"""Irregularities and hands that are shown: the record's events, held against the play, and the consequence that the
house's table gives each. 003 2.1, 3.1, 3.2, 3.4."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from archive.cards import bits_of, is_known
from archive.engine.duties import BROKEN
from archive.play.claims import Claim, is_claim_right
from archive.play.messages import both, verb_message
from archive.play.types import DEALT_AGAIN, Ending, EndingKind, Scene, Side
from archive.record import Deal, Event, Finding, finding
from archive.rules import Contract, Tables
from archive.rules.types import Consequence, Irregularity
from archive.say import Message, message

REVOKES = {rule for rules in BROKEN.values() for rule in rules}
OTHERS: dict[Side | None, Side] = {"declarer": "defence", "defence": "declarer"}
KINDS: dict[Consequence, EndingKind] = {
    "table": "table",
    "dealt-again": "dealt-again",
    "rest-to-others": "rest",
    "lost-schwarz": "schwarz",
}
Moment = tuple[int, int]  # before card C of trick T
LAST = 99  # later than any card of a trick


class EventReading(Struct, frozen=True, kw_only=True):
    """One event as the rules see it: an irregularity, something wrong with the event itself, or something not known."""

    name: Irregularity | None = None
    why: Message | None = None  # what has happened
    taken: int | None = None  # tricks taken before it
    proof: str = ""
    holds: bool = False  # a claim to all the rest, and it is so
    answers: tuple[str, str] | None = None  # the finding that it owns up to: rule and moment
    left: bool = False  # what follows is for the table alone: nothing is computed from it
    wrong: Message | None = None
    missing: Message | None = None


class EventOutcome(Struct, frozen=True):
    """The outcome of all events of a deal."""

    ending: Ending | None = None
    answered: frozenset[tuple[str, str | None, str]] = frozenset()  # findings owned up to: rule, moment, player
    findings: tuple[Finding, ...] = ()
    missing: tuple[Message, ...] = ()


NOTHING = EventReading()
LEFT_TO_TABLE = EventReading(left=True)  # the rules forbid it without saying what it costs. 003 2.1, 3.1, 3.3


def irregularities(scene: Scene) -> EventOutcome:
    """Return the outcome of all events, each held against the play."""
    deal, endings = scene.deal, []
    answered: set[tuple[str, str | None, str]] = set()
    findings: list[Finding] = []
    missing: list[Message] = []
    for number, event in enumerate(deal.events or (), 1):
        if event.verb not in VERBS or event.moment == "next" or deal.game is None:
            continue
        player = scene.players[event.seat]
        reading = VERBS[event.verb](scene, event, frozenset(at for _, at, who in answered if at and who == player))
        trick = (event.moment or "").partition(".")[0]
        if trick.isdigit() and int(trick) > scene.most_tricks:
            reading = EventReading(wrong=message("play.no-such-trick", trick=int(trick)))
        if scene.active and event.seat not in scene.active:
            reading = EventReading(wrong=message("play.player-sits-out", player=player))
        if reading.wrong:
            at = event.moment if trick.isdigit() and int(trick) <= scene.most_tricks else None
            facts = {"player": player, "verb": verb_message(event.verb), "why": reading.wrong}
            findings.append(finding("nothing-irregular", deal.source, at, **facts))
        if reading.left:
            facts = {"player": player, "verb": verb_message(event.verb), "text": event.arg or ""}
            findings.append(finding("left-to-table", deal.source, event.moment if trick.isdigit() else None, **facts))
        if reading.missing:
            missing.append(reading.missing)
        if reading.answers:
            answered.add((*reading.answers, player))
        if reading.name and not reading.missing and not reading.wrong:
            ending = ending_of(scene, event.seat, reading, (*((reading.proof,) if reading.proof else ()), f"v{number}"))
            if isinstance(ending, Ending):
                endings.append(ending)
            else:
                missing += [ending] if ending else []
    ending = join_endings(endings)
    if ending and (has := other_course(deal, ending)):
        says = message(f"play.ends-{ending.kind}")
        findings.append(finding("wrong-consequence", deal.source, what=ending.why, says=says, has=has))
    return EventOutcome(ending, frozenset(answered), tuple(findings), tuple(missing))


def other_course(deal: Deal, ending: Ending) -> Message | None:
    """Return how the record goes on against the rules, or None if it does as they say."""
    again = deal.game is not None and deal.game.contract == DEALT_AGAIN
    if ending.kind == "table" or again == (ending.kind == "dealt-again"):
        return None
    return message("play.record-deals-again" if again else "play.record-goes-on")


def join_endings(endings: list[Ending]) -> Ending | None:
    """Return the one ending that several give: dealt again before all; if both sides gain, the table decides; Schwarz
    before the rest, and the rest from the earliest on; None without any."""
    for kind in ("dealt-again", "table"):
        if first := next((each for each in endings if each.kind == kind), None):
            return first
    if len({each.to for each in endings}) > 1:
        return Ending(kind="table", why=both(ending.why for ending in endings), seat=endings[0].seat)
    return min(endings, key=lambda each: -1 if each.taken is None else each.taken, default=None)


def ending_of(scene: Scene, seat: int, reading: EventReading, proof: tuple[str, ...]) -> Ending | Message | None:
    """Return the ending that one irregularity gives the deal; None if the deal goes on, a message if something needed
    is not known."""
    assert reading.name
    assert reading.why
    contract, own = scene.contract, scene.sides[seat]
    consequence = scene.ruleset.house.consequences.get(reading.name, "table")
    if consequence in ("played-on", "cut-again") and not reading.holds:
        return None
    kind: EndingKind = "rest" if reading.holds else KINDS[consequence]
    setting = f"house.consequences.{reading.name}"
    ending = Ending(kind=kind, why=reading.why, seat=seat, setting=setting, proof=proof)
    if contract is None or kind in ("dealt-again", "table"):
        return ending
    # If nobody has a side there is none to give the rest to; and if tricks are not wanted it is no amends.
    by_showing = reading.name in ("shows-none", "false-claim")
    if own == "alone" or (kind == "rest" and contract.goal != "points" and not by_showing):
        return replace(ending, kind="table")
    if own is None:
        return message("missing.side-of", player=scene.players[seat])
    to = own if reading.holds else OTHERS[own]
    if kind == "schwarz":
        return replace(ending, to=to)
    rest = rest_of_deal(scene, reading.taken)
    if rest is None:
        return message("missing.cards-left", why=reading.why)
    return replace(ending, to=to, taken=reading.taken, points=rest[0], tricks=rest[1])


def rest_of_deal(scene: Scene, taken: int | None) -> tuple[int, int] | None:
    """Return the points and tricks left after `taken` tricks, or None if they are not known."""
    if taken is None or scene.compiled is None or None in scene.walked.points[:taken]:
        return None
    if len(scene.walked.points) < taken:
        return None
    hands = [own.full_mask if (own := scene.held[seat]) else None for seat in scene.playing]
    dealt = scene.compiled.pack
    if None not in hands:
        dealt = 0
        for cards in hands:
            dealt |= cards or 0
    elif dealt.bit_count() != scene.size * len(hands):
        return None
    points = sum(worth for card, worth in enumerate(scene.compiled.points) if dealt >> card & 1)
    return points - sum(points or 0 for points in scene.walked.points[:taken]), max(0, scene.most_tricks - taken)


# --- moments --------------------------------------------------------------------------------------------------------


def moment(scene: Scene, event: Event) -> Moment | None:
    """Return when it happened: before card C of trick T, LAST if only the trick is known. Without a moment, and at the
    end, it is after the last card; but None if it has no moment and the play was over."""
    laid, around = scene.walked.cards_laid, len(scene.playing)
    after = (1, 1) if not laid else (laid[-1].trick, laid[-1].place + 1)
    if event.moment in ("cut", "deal"):
        return 1, 1
    if event.moment in ("end", None):
        done = len(scene.walked.winners) >= scene.most_tricks
        return None if event.moment is None and done else next_moment(after, around)
    trick, _, card = event.moment.partition(".")
    if card:
        return next_moment((int(trick), int(card)), around)
    if int(trick) > after[0]:
        return int(trick), 1
    return after if int(trick) == after[0] and after[1] <= around else (int(trick), LAST)


def next_moment(at: Moment, around: int) -> Moment:
    """Return the moment, taking after the last card of a trick as before the next trick."""
    return (at[0] + 1, 1) if around and at[1] > around else at


def unknown_moment(event: Event, scene: Scene) -> Message:
    """Return that it is not known when an event was."""
    return message("missing.when", player=scene.players[event.seat], verb=verb_message(event.verb))


# --- events ---------------------------------------------------------------------------------------------------------


def _exposes(scene: Scene, event: Event, used: frozenset[str]) -> EventReading:
    """Read a card exposed while cutting; by the dealer while dealing; by anyone later. 003 2.1."""
    name = scene.players[event.seat]
    if event.moment == "cut":
        return EventReading(name="exposed-cutting", why=message("play.exposed-cutting", player=name, cards=event.arg))
    if event.moment == "end":
        return NOTHING
    if event.moment == "deal" and scene.dealer is None:
        return EventReading(missing=message("missing.dealer"))
    if event.moment == "deal" and event.seat == scene.dealer:
        return EventReading(name="exposed-dealing", why=message("play.exposed-dealing", player=name, cards=event.arg))
    at = moment(scene, event)
    return EventReading(
        name="exposed", why=message("play.exposed", player=name, cards=event.arg), taken=at[0] - 1 if at else None
    )


def _miscount(scene: Scene, event: Event, used: frozenset[str]) -> EventReading:
    """Read too many or too few cards, found at the deal or later. 003 2.1, 3.2."""
    off, name = int(event.arg or 0), scene.players[event.seat]
    hand = (*(scene.deal.hands or ()), *[None] * len(scene.players))[event.seat]
    sized = [each.facts for each in scene.findings if each.rule == "hand-size" and each.facts["player"] == name]
    if off == 0 or (hand is not None and not sized):
        return EventReading(wrong=message("play.whole-hand"))
    at = moment(scene, event)
    if at is None:
        return EventReading(missing=unknown_moment(event, scene))
    answers = ("hand-size", "") if any(facts["cards"] - facts["wanted"] == off for facts in sized) else None
    why = message("play.too-many-cards" if off > 0 else "play.too-few-cards", player=name, n=abs(off))
    kind: Irregularity = "miscount-dealt" if at == (1, 1) and event.moment != "end" else "miscount"
    return EventReading(name=kind, why=why, taken=at[0] - 1, answers=answers)


def _out_of_turn(scene: Scene, event: Event, used: frozenset[str]) -> EventReading:
    """Read a card played when it was another's turn. 003 3.1."""
    at = moment(scene, event)
    if at is None or at[0] > scene.most_tricks:  # told at the end of a play that was whole
        return EventReading(missing=unknown_moment(event, scene))
    leads = at[0] <= len(scene.walked.leaders) and scene.walked.leaders[at[0] - 1] == event.seat
    why = message("play.out-of-turn", player=scene.players[event.seat], trick=at[0])
    answers = ("wrong-leader", str(at[0])) if leads else None
    return EventReading(name="out-of-turn", why=why, taken=at[0] - 1, answers=answers)


def _revoke(scene: Scene, event: Event, used: frozenset[str]) -> EventReading:
    """Read a card against the duties: found before the next trick is led, or later. 003 3.1, 3.2."""
    name, at = scene.players[event.seat], moment(scene, event)
    until = at or (scene.most_tricks, LAST)
    own = [step for step in scene.steps if step.seat == event.seat and (step.trick, step.place) <= until]
    bad = [step for step in own if step.broken in REVOKES and f"{step.trick}.{step.place}" not in used]
    if bad:
        step = bad[-1]
        place, why = f"{step.trick}.{step.place}", message("play.revoked-in", player=name, trick=step.trick)
        answers = (step.broken or "", place)
        if at is None:
            return EventReading(missing=unknown_moment(event, scene), answers=answers)
        later = at > (step.trick + 1, 1)
        taken = at[0] - 1 if later else step.trick - 1
        kind: Irregularity = "revoke-later" if later else "revoke"
        return EventReading(name=kind, why=why, taken=taken, proof=f"t{place}", answers=answers)
    if scene.contract is None:
        return NOTHING
    if at and event.moment not in ("end", None) and at[1] > 1 and at[0] not in own_tricks(scene, event.seat):
        # The record ends in this trick: the card was taken back, or not written down.
        why = message("play.revoked-in", player=name, trick=at[0])
        return EventReading(name="revoke", why=why, taken=at[0] - 1)
    hand = scene.held[event.seat]
    before = until[0] - 1 if at and event.moment not in ("end", None) else scene.most_tricks
    seen = len(own) >= min(before, scene.most_tricks)
    judged = seen and all(is_known(step.card) and step.choice is not None for step in own)
    if hand is not None and hand.whole and judged:
        return EventReading(wrong=message("play.no-revoke"))
    if event.moment == "end" and len(scene.walked.winners) >= scene.most_tricks:
        return EventReading(name="revoke-later", why=message("play.revoked", player=name), taken=scene.most_tricks)
    return EventReading(missing=message("missing.revoked-card", player=name))


def own_tricks(scene: Scene, seat: int) -> set[int]:
    """Return the tricks to which a seat has played a card."""
    return {laid.trick for laid in scene.walked.cards_laid if laid.seat == seat}


def _shows(scene: Scene, event: Event, used: frozenset[str]) -> EventReading:
    """Read a hand laid open: no more tricks for it, or all the rest. 003 3.4."""
    name, at, contract, compiled = scene.players[event.seat], moment(scene, event), scene.contract, scene.compiled
    if contract is None or compiled is None or contract.ends == "not-played":
        return NOTHING
    if at is None:
        return EventReading(missing=unknown_moment(event, scene))
    if scene.playing and event.seat not in scene.playing:
        return EventReading(wrong=message("play.hand-not-played"))
    taken, played = at[0] - 1, len(scene.walked.winners)
    if taken >= scene.most_tricks:
        return NOTHING
    if event.arg == "none":
        return EventReading(name="shows-none", why=message("play.gave-up-rest", player=name), taken=taken)
    if taken > played or None in scene.walked.winners[:taken]:
        return EventReading(missing=message("missing.tricks-before", player=name))
    cards_left = message("missing.cards-left", why=message("play.claimed", player=name))
    position = None if at[1] == LAST else claim(scene, event.seat, at, contract, compiled)
    if position is None:
        return EventReading(missing=cards_left)
    true = is_claim_right(position, compiled, contract.duties)
    if true is None:
        return EventReading(missing=cards_left if position.pooled else message("missing.claim", player=name))
    why = message("play.claimed-rightly" if true else "play.claimed-wrongly", player=name)
    return EventReading(name="false-claim", why=why, taken=taken, holds=true)


def claim(scene: Scene, seat: int, at: Moment, contract: Contract, compiled: Tables) -> Claim | None:
    """Return the position in which a hand is shown, or None if the cards played, or the hand, are not known."""
    active, game = scene.playing, scene.deal.game
    before = [laid for laid in scene.walked.cards_laid if (laid.trick, laid.place) < at]
    lying = [laid for laid in before if laid.trick == at[0]]
    if at[0] > 1:
        leader = scene.walked.winners[at[0] - 2]
    else:
        leader = game.declarer if game and contract.leads == "declarer" else active[0] if active else None
    leader = lying[0].seat if lying else leader
    if leader is None or len(lying) != at[1] - 1 or any(laid.card < 0 for laid in before):
        return None
    hands: list[int | None] = []
    for each in active:
        hand, gone = scene.held[each], bits_of(laid.card for laid in before if laid.seat == each)
        known = hand is not None and hand.cards.bit_count() == scene.size and not gone & ~hand.cards
        hands.append(hand.cards & ~gone if hand is not None and known else None)
    mine, pooled = hands[active.index(seat)], None in hands
    if mine is None:
        return None
    if pooled:
        rest = compiled.pack & ~mine & ~bits_of(laid.card for laid in before)
        hands = [rest if place == (active.index(seat) + 1) % len(active) else 0 for place in range(len(active))]
        hands[active.index(seat)] = mine
    led = [1 << laid.card for laid in before if laid.place == 1 and laid.trick < at[0]]
    return Claim(
        claimer=active.index(seat),
        hands=tuple(hand or 0 for hand in hands),
        turn=(active.index(leader) + len(lying)) % len(active),
        trick=tuple(laid.card for laid in lying),
        searched=int(any(card & compiled.called_suit for card in led)),
        pooled=pooled,
    )


VERBS: dict[str, Callable[[Scene, Event, frozenset[str]], EventReading]] = {
    "exposes": _exposes,
    "looks": lambda scene, event, used: LEFT_TO_TABLE,
    "miscount": _miscount,
    "out-of-turn": _out_of_turn,
    "prevented": lambda scene, event, used: NOTHING,  # a card that was not played after all. 003 3.1
    "remarks": lambda scene, event, used: LEFT_TO_TABLE,
    "revoke": _revoke,
    "shows": _shows,
}
