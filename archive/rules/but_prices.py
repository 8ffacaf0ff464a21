"""The rules that are the same for every tariff."""

import msgspec
from msgspec.structs import replace

from archive.rules.load import NOMINAL
from archive.rules.types import Ruleset

RULES: dict[str, bytes] = {}  # `rules_but_prices`, by the digests of rulesets
MOST = 1_000


def rules_but_prices(ruleset: Ruleset) -> bytes:
    """Return the rules without the prices, encoded: what decides a game and how high, by every tariff."""
    rules = RULES.get(ruleset.digest)
    if rules is None:
        if len(RULES) >= MOST:
            RULES.clear()
        house = replace(ruleset.house, tariff=NOMINAL, price={})
        rules = RULES[ruleset.digest] = msgspec.json.encode((ruleset.id, house, ruleset.contracts, ruleset.rounds))
    return rules
