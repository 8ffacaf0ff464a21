"""A ruleset as dotted keys and words, for people: `house.tariff` is `10/50`."""

from typing import Any

import msgspec

from archive.rules.types import Ruleset


def values(ruleset: Ruleset) -> dict[str, str]:
    """Every value of a ruleset by its dotted key, in words."""
    rows = {"house": ruleset.house, "contract": ruleset.contracts, "round": ruleset.rounds}
    return dict(_flat("", msgspec.to_builtins(rows)))


def _flat(prefix: str, value: Any) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        below = [_flat(f"{prefix}.{key}" if prefix else key, each) for key, each in value.items()]
        return [row for rows in below for row in rows]
    return [(prefix, _word(value))]


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return "-" if value in (None, "") else str(value)
