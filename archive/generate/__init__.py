"""Floor 8: random legal records, for load tests, examples and our own tests. Described in docs/generating.md."""

from archive.generate.calls import passed_out_deal
from archive.generate.plan import PLAYERS, ruleset_of, session
from archive.generate.playing import deal, deals, stated_as_computed

__all__ = ["PLAYERS", "deal", "deals", "passed_out_deal", "ruleset_of", "session", "stated_as_computed"]
