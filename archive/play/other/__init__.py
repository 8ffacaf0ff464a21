"""Games other than Schafkopf: their turns, by what the house plays, and the talon of Sixty-six."""

from collections.abc import Callable, Iterator

from archive.play.other.schnauz import exchange_cards
from archive.play.other.solitaire import build_suits
from archive.play.types import Scene, Turned
from archive.record import Finding, finding
from archive.say import message

PLAYS: dict[str, Callable[[Scene], Turned]] = {"exchange": exchange_cards, "building": build_suits}


def check_kind(scene: Scene) -> Iterator[Finding]:
    """Yield a finding for turns in a game of tricks, or tricks in a game of turns."""
    in_turns = scene.ruleset.house.play in PLAYS
    if scene.contract is not None and (scene.deal.tricks if in_turns else scene.deal.turns):
        why = message("play.turns-not-tricks" if in_turns else "play.tricks-not-turns")
        yield finding("turn-not-allowed", scene.deal.source, turn=1, why=why)
