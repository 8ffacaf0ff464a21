"""Announcements: a march when everyone plays alone, a Tout before the first card. 001 Langendorf; 001 Tout. And a
surrender: the opponents offer the game before it is played, and the declarer accepts or refuses, and then must make
more. 004 Schafkopf (3 active players): Giving Up."""

from collections.abc import Iterator

from archive.play.game_words import is_tout
from archive.play.irregularities import EventOutcome
from archive.play.messages import verb_message
from archive.play.seating import place_in_trick
from archive.play.types import Ending, Scene
from archive.record import TOUTS, Deal, Event, Finding, finding
from archive.rules import House
from archive.say import Message, message

MARCHES = ("march", "durchmarsch", "durchbruch", "breakthrough")
LAST = 3  # the trick in which it can still be announced


def announced_marches(deal: Deal, active: tuple[int, ...], leaders: tuple[int | None, ...]) -> dict[int, bool | None]:
    """Return whether each march was announced in time (before one's third card), by seat; None if unknown when."""
    return {event.seat: _in_time(event, active, leaders) for event in reversed(march_events(deal))}


def march_events(deal: Deal) -> tuple[Event, ...]:
    events = (event for event in deal.events or () if event.verb == "announces" and event.arg)
    return tuple(event for event in events if (event.arg or "").casefold() in MARCHES)


def _in_time(event: Event, active: tuple[int, ...], leaders: tuple[int | None, ...]) -> bool | None:
    if event.moment is None:
        return None
    trick, _, card = event.moment.partition(".")
    if not trick.isdecimal():
        return trick in ("cut", "deal")
    own_place = place_in_trick(event.seat, LAST, active, leaders)
    return int(trick) < LAST or (int(trick) == LAST and (not card or own_place is None or int(card) <= own_place))


def check_announced(scene: Scene) -> list[Finding]:
    """Return a finding for each announced march that does not count as announced."""
    deal, contract = scene.deal, scene.contract
    if contract is None or contract.parties != "each":
        return []
    findings, in_time = [], announced_marches(deal, scene.active, scene.walked.leaders)
    for event in march_events(deal):
        why = None
        if not scene.ruleset.house.ramsch.announce:
            why = message("play.no-announcing")
        elif in_time[event.seat] is False:
            why = message("play.announced-late", trick=LAST)
        if why:
            findings.append(finding("march-not-announced", deal.source, player=scene.players[event.seat], why=why))
    return findings


TOUT_WORDS = TOUTS | {"schwarz"}


def check_tout(scene: Scene) -> list[Finding]:
    """Return findings for Touts announced too late, by the wrong player, or in a game that is no Tout. 001 Tout."""
    events = [event for event in scene.deal.events or () if event.verb == "announces"]
    touts = [event for event in events if (event.arg or "").casefold() in TOUT_WORDS]
    refused = ((event, why) for event in touts if scene.contract and (why := why_no_tout(scene, event)))
    return [
        finding("tout-not-announced", scene.deal.source, player=scene.players[event.seat], why=why)
        for event, why in refused
    ]


def why_no_tout(scene: Scene, event: Event) -> Message | None:
    """Return why an announcement makes no Tout, or None if it makes one."""
    if scene.declarer not in (None, event.seat):
        return message("play.declarer-announces")
    if event.moment not in (None, "cut", "deal", "1", "1.1"):
        return message("play.card-led")
    return None if is_tout(scene.deal) else message("play.no-tout")


# --- a surrender ------------------------------------------------------------------------------------------------------

OFFERS, ACCEPTS, REFUSES = "offers-surrender", "accepts", "refuses"


def surrender_answer(deal: Deal, house: House) -> str:
    """Return the last answer to an offer, or the offer if there is none; empty if nothing was offered."""
    answer = ""
    for event in (deal.events or ()) if house.surrender else ():
        if event.verb == OFFERS or (answer and event.verb in (ACCEPTS, REFUSES)):
            answer = event.verb
    return answer


def surrender_outcome(scene: Scene) -> EventOutcome:
    """Return the outcome of an offer to surrender and the answer to it."""
    deal, contract, house = scene.deal, scene.contract, scene.ruleset.house
    findings = tuple(check_surrender(scene))
    answer = surrender_answer(deal, house) if contract is not None else ""
    if answer == OFFERS:
        return EventOutcome(findings=findings, missing=(message("missing.surrender"),))
    if answer != ACCEPTS:
        return EventOutcome(findings=findings)
    number, event = [(n, each) for n, each in enumerate(deal.events or (), 1) if each.verb == ACCEPTS][-1]
    why, proof = message("play.accepted-surrender", player=scene.players[event.seat]), (f"v{number}",)
    setting = "house.surrender"
    ending = Ending(kind="given-up", why=why, seat=event.seat, setting=setting, proof=proof, to="declarer")
    return EventOutcome(ending, findings=findings)


def check_surrender(scene: Scene) -> Iterator[Finding]:
    """Yield findings for offers and answers that were not allowed."""
    deal, last = scene.deal, ""
    for event in deal.events or ():
        if event.verb != OFFERS and not (scene.ruleset.house.surrender and event.verb in (ACCEPTS, REFUSES)):
            continue
        if why := why_no_surrender(scene, event, last):
            facts = {"player": scene.players[event.seat], "verb": verb_message(event.verb), "why": why}
            yield finding("surrender-not-allowed", deal.source, moment(event), **facts)
        last = event.verb


def why_no_surrender(scene: Scene, event: Event, last: str) -> Message | None:
    """Return why an offer or an answer was not allowed, or None if it was; `last` is the one before it."""
    side, trick = scene.sides[event.seat], moment(event)
    if not scene.ruleset.house.surrender:
        return message("play.no-surrender")
    if scene.deal.game is not None and (scene.contract is None or not scene.contract.declarer):
        return message("play.no-declarer")
    if scene.active and event.seat not in scene.active:
        return message("play.sits-out")
    if event.verb == OFFERS and side == "declarer":
        return message("play.opponents-offer")
    if event.verb != OFFERS and last != OFFERS:
        return message("play.nothing-offered")
    if event.verb != OFFERS and scene.declarer not in (None, event.seat):
        return message("play.declarer-answers")
    if event.moment in ("cut", "deal"):
        return message("play.not-named-yet")
    if event.moment in ("end", "next") or trick not in (None, "1", "1.1"):
        return message("play.card-led")
    if event.verb == ACCEPTS and scene.deal.tricks and surrender_answer(scene.deal, scene.ruleset.house) == ACCEPTS:
        return message("play.record-goes-on")
    return None


def moment(event: Event) -> str | None:
    """Return the moment of an event, or None if it is not in a trick."""
    return event.moment if event.moment and event.moment[0].isdigit() else None
