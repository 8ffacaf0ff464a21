"""Rulesets that a test plays by."""

from pathlib import Path
from typing import Any

from archive.rules import Ruleset, load


def load_rules(name: str, house: dict[str, Any] | None = None, beside: Path | None = None) -> Ruleset:
    """Return a ruleset with the settings of a house. Fails where it is refused."""
    ruleset, findings = load(name, house, beside)
    assert ruleset, findings
    return ruleset
