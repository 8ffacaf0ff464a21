"""A surrender: the opponents offer the game before it is played, and the declarer accepts or refuses. Who refuses must
make more. 004 Schafkopf (3 active players): Giving Up."""

from collections.abc import Iterator

from archive.play.irregular import Told
from archive.play.types import Ending, Scene
from archive.record import Deal, Event, Finding, finding
from archive.rules import House

OFFERS, ACCEPTS, REFUSES = "offers-surrender", "accepts", "refuses"


def answer(deal: Deal, house: House) -> str:
    """The last answer of a deal to an offer, the offer where there is none; empty where nothing was offered."""
    said = ""
    for event in (deal.events or ()) if house.surrender else ():
        if event.verb == OFFERS or (said and event.verb in (ACCEPTS, REFUSES)):
            said = event.verb
    return said


def surrendered(scene: Scene) -> Told:
    """What the events tell of it, and what it makes of the deal."""
    deal, contract, house = scene.deal, scene.contract, scene.ruleset.house
    found = tuple(wrongly(scene))
    said = answer(deal, house) if contract is not None else ""
    if said == OFFERS:
        return Told(findings=found, missing=("whether the surrender was accepted",))
    if said != ACCEPTS:
        return Told(findings=found)
    number, event = [(n, each) for n, each in enumerate(deal.events or (), 1) if each.verb == ACCEPTS][-1]
    text, proof = f"{scene.players[event.seat]} accepted the surrender", (f"v{number}",)
    setting = "house.surrender"
    ending = Ending(kind="given-up", text=text, seat=event.seat, setting=setting, proof=proof, to="declarer")
    return Told(ending, findings=found)


def wrongly(scene: Scene) -> Iterator[Finding]:
    """An offer or an answer that was not to be made."""
    deal, said = scene.deal, ""
    for event in deal.events or ():
        if event.verb != OFFERS and not (scene.ruleset.house.surrender and event.verb in (ACCEPTS, REFUSES)):
            continue
        if why := objection(scene, event, said):
            facts = {"player": scene.players[event.seat], "verb": event.verb, "why": why}
            yield finding("surrender-not-allowed", deal.source, moment(event), **facts)
        said = event.verb


def objection(scene: Scene, event: Event, said: str) -> str:
    """Why an offer or an answer was not to be made, empty where it was; `said` is the one before it."""
    side, trick = scene.sides[event.seat], moment(event)
    if not scene.ruleset.house.surrender:
        return "this table does not play with it"
    if scene.deal.game is not None and (scene.contract is None or not scene.contract.declarer):
        return "there is no declarer"
    if scene.active and event.seat not in scene.active:
        return "sits out"
    if event.verb == OFFERS and side == "declarer":
        return "only the opponents may offer it"
    if event.verb != OFFERS and said != OFFERS:
        return "nothing is offered"
    if event.verb != OFFERS and scene.declarer not in (None, event.seat):
        return "only the declarer may answer"
    if event.moment in ("end", "next") or trick not in (None, "1", "1.1"):
        return "a card has been led"
    if event.verb == ACCEPTS and scene.deal.tricks and answer(scene.deal, scene.ruleset.house) == ACCEPTS:
        return "the record goes on"
    return ""


def moment(event: Event) -> str | None:
    """When it was, where that is in a trick."""
    return event.moment if event.moment and event.moment[0].isdigit() else None
