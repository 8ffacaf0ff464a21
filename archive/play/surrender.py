"""A surrender: the opponents offer the game before it is played, and the declarer accepts or refuses. Who refuses must
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
    """The last answer of a deal to an offer, the offer where there is none; empty where nothing was offered."""
    said = ""
    for event in (deal.events or ()) if house.surrender else ():
        if event.verb == OFFERS or (said and event.verb in (ACCEPTS, REFUSES)):
            said = event.verb
    return said


def surrender_outcome(scene: Scene) -> EventOutcome:
    """What the events tell of it, and what it makes of the deal."""
    deal, contract, house = scene.deal, scene.contract, scene.ruleset.house
    found = tuple(check_surrender(scene))
    said = surrender_answer(deal, house) if contract is not None else ""
    if said == OFFERS:
        return EventOutcome(findings=found, missing=(message("missing.surrender"),))
    if said != ACCEPTS:
        return EventOutcome(findings=found)
    number, event = [(n, each) for n, each in enumerate(deal.events or (), 1) if each.verb == ACCEPTS][-1]
    why, proof = message("play.accepted-surrender", player=scene.players[event.seat]), (f"v{number}",)
    setting = "house.surrender"
    ending = Ending(kind="given-up", why=why, seat=event.seat, setting=setting, proof=proof, to="declarer")
    return EventOutcome(ending, findings=found)


def check_surrender(scene: Scene) -> Iterator[Finding]:
    """An offer or an answer that was not to be made."""
    deal, said = scene.deal, ""
    for event in deal.events or ():
        if event.verb != OFFERS and not (scene.ruleset.house.surrender and event.verb in (ACCEPTS, REFUSES)):
            continue
        if why := objection(scene, event, said):
            facts = {"player": scene.players[event.seat], "verb": verb_message(event.verb), "why": why}
            yield finding("surrender-not-allowed", deal.source, moment(event), **facts)
        said = event.verb


def objection(scene: Scene, event: Event, said: str) -> Message | None:
    """Why an offer or an answer was not to be made, None where it was; `said` is the one before it."""
    side, trick = scene.sides[event.seat], moment(event)
    if not scene.ruleset.house.surrender:
        return message("play.no-surrender")
    if scene.deal.game is not None and (scene.contract is None or not scene.contract.declarer):
        return message("play.no-declarer")
    if scene.active and event.seat not in scene.active:
        return message("play.sits-out")
    if event.verb == OFFERS and side == "declarer":
        return message("play.opponents-offer")
    if event.verb != OFFERS and said != OFFERS:
        return message("play.nothing-offered")
    if event.verb != OFFERS and scene.declarer not in (None, event.seat):
        return message("play.declarer-answers")
    if event.moment in ("end", "next") or trick not in (None, "1", "1.1"):
        return message("play.card-led")
    if event.verb == ACCEPTS and scene.deal.tricks and surrender_answer(scene.deal, scene.ruleset.house) == ACCEPTS:
        return message("play.record-goes-on")
    return None


def moment(event: Event) -> str | None:
    """When it was, where that is in a trick."""
    return event.moment if event.moment and event.moment[0].isdigit() else None
