"""The row of a ruleset: what the rules say of themselves."""

from typing import Any

import msgspec

from archive.rules import Ruleset, installed_rulesets, load
from archive.store.row_values import to_json

Row = dict[str, Any]


def ruleset_row(ruleset: Ruleset) -> Row:
    """Return what a row of `rulesets` has of the rules themselves."""
    return {
        "name": ruleset.id,
        "digest": ruleset.digest,
        "title": ruleset.title,
        "unit": ruleset.house.unit,
        "house": to_json(msgspec.to_builtins(ruleset.house)),
        "faces": ruleset.house.faces,
        "incomplete": ruleset.incomplete or None,
    }


def is_row_of(ruleset: Ruleset, row: Row) -> bool:
    """Return whether a row of `rulesets` has the digest of the rules, and says what its own ruleset with its own
    settings does: two rulesets may come to the same house."""
    named: Ruleset | None = ruleset
    if row["rules"] in installed_rulesets():
        try:
            named = load(row["rules"], msgspec.json.decode(row["overrides"] or "{}", type=Row))[0]
        except msgspec.MsgspecError:
            return False
    if named is None or named.digest != ruleset.digest:
        return False
    return all(row[name] == value for name, value in ruleset_row(named).items())
