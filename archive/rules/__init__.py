"""Floor 1.5: rules as data. TOML -> `Ruleset` -> compiled `Tables`; rulesets/*.toml with a citation per value."""

from archive.rules.load import HERE, NOMINAL, UNKNOWN, added_rulesets, bundled, installed_rulesets, load, ruleset_path
from archive.rules.tables import TRUMP, Tables, hand_size, tables
from archive.rules.titles import flatten, values
from archive.rules.types import Contract, House, Ruleset
from archive.rules.vocabulary import Vocabulary, vocabulary

__all__ = [
    "HERE", "NOMINAL", "TRUMP", "UNKNOWN", "Contract", "House", "Ruleset", "Tables", "Vocabulary", "added_rulesets",
    "bundled", "flatten", "hand_size", "installed_rulesets", "load", "ruleset_path", "tables", "values", "vocabulary",
]  # fmt: skip
