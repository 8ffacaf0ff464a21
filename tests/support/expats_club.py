"""Document 002: the club's ruleset, and a finished Ramsch of given points."""

from archive.play.types import Replay
from archive.rules import Ruleset
from support.rulesets import load_rules
from support.worked_examples import played


def club(**house: object) -> Ruleset:
    """Return the club's ruleset. Brian, Hans, Christian and Jürgen of its tables sit in the places of our four."""
    return load_rules("expats", dict(house))


def ramsch(points: tuple[int, ...], tricks: tuple[int, ...]) -> Replay:
    """Return a finished Ramsch with the points and tricks of each player."""
    finished = played(0, 0, "ramsch", None)
    values = {"sides": ("alone",) * 4, "points": points, "tricks_won": tricks, "declarer": None}
    return Replay(**{name: getattr(finished, name) for name in Replay.__struct_fields__} | values)
