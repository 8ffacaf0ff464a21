"""Announcements: a march when everyone plays alone, a Tout before the first card. 001 Langendorf; 001 Tout."""

from archive.play.game_words import is_tout
from archive.play.seating import place_in_trick
from archive.play.types import Scene
from archive.record import TOUTS, Deal, Event, Finding, finding
from archive.say import Message, message

MARCHES = ("march", "durchmarsch", "durchbruch", "breakthrough")
LAST = 3  # the trick in which it can still be announced


def announced_marches(deal: Deal, active: tuple[int, ...], leaders: tuple[int | None, ...]) -> dict[int, bool | None]:
    """Return whether each march was announced in time (before one's third card), by seat; None if unknown when."""
    return {event.seat: _in_time(event, active, leaders) for event in reversed(march_events(deal))}


def march_events(deal: Deal) -> tuple[Event, ...]:
    """Return the events in which somebody announces a march."""
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
