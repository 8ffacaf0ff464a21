"""A ruleset as dotted keys and words, for people: `house.tariff` is `10/50`."""

from typing import Any

import msgspec

from archive.rules.types import Ruleset


def values(ruleset: Ruleset) -> dict[str, str]:
    """Every value of a ruleset by its dotted key, in words."""
    rows = {"house": ruleset.house, "contract": ruleset.contracts, "round": ruleset.rounds}
    return dict(flatten(msgspec.to_builtins(rows)))


def flatten(value: Any, prefix: str = "") -> list[tuple[str, str]]:
    """Tables within tables as dotted keys and words."""
    if isinstance(value, dict):
        below = [flatten(each, f"{prefix}.{key}" if prefix else key) for key, each in value.items()]
        return [row for rows in below for row in rows]
    return [(prefix, _word(value))]


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return "-" if value in (None, "") else str(value)
