"""A surrender: the opponents offer the game before it is played, and the declarer accepts or refuses, and then must
make more. 004 Schafkopf (3 active players): Giving Up."""

from collections.abc import Iterator

from archive.play.irregularities import EventOutcome
from archive.play.messages import verb_message
from archive.play.types import Ending, Scene
from archive.record import Deal, Event, Finding, finding
from archive.rules import House
from archive.say import Message, message

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
        if why := objection(scene, event, last):
            facts = {"player": scene.players[event.seat], "verb": verb_message(event.verb), "why": why}
            yield finding("surrender-not-allowed", deal.source, moment(event), **facts)
        last = event.verb


def objection(scene: Scene, event: Event, last: str) -> Message | None:
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
