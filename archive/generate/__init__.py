"""Floor 5: random legal records, for load tests, examples and our own tests. Described in docs/generating.md."""

from archive.generate.plan import PLAYERS, ruleset_of, session
from archive.generate.playing import deal, deals, stated
from archive.generate.saying import thrown_in

__all__ = ["PLAYERS", "deal", "deals", "ruleset_of", "session", "stated", "thrown_in"]
