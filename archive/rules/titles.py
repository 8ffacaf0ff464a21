"""Rules in words: the titles of contracts, the values of a ruleset, the names of tricks."""

from functools import cache
from typing import Any

import msgspec

from archive.rules.types import Contract, Ruleset
from archive.say import Message, has_text, say


def contract_title(row: Contract) -> Message | str:
    """Return the title of a contract; one that a table gave stays as it is."""
    return title_of(row.id, row.title)


@cache
def title_of(id: str, title: str) -> Message | str:
    translated = Message(f"titles.contract-{id}")
    return translated if has_text(translated.id) and say(translated) == title else title


FAT, CHAMPION = 20, 40  # least card points


def trick_name(points: int | None) -> str:
    """Return the name of a trick by its card points: `champion`, `fat`, or empty. 002 05 English Schafkopf Glossary."""
    if points is None or points < FAT:
        return ""
    return "champion" if points >= CHAMPION else "fat"


def values(ruleset: Ruleset) -> dict[str, str]:
    """Return every value of a ruleset by its dotted key, in words."""
    rows = {"house": ruleset.house, "contract": ruleset.contracts, "round": ruleset.rounds}
    return dict(flatten(msgspec.to_builtins(rows)))


def flatten(value: Any, prefix: str = "") -> list[tuple[str, str]]:
    """Return nested tables as pairs of a dotted key and words."""
    if isinstance(value, dict):
        below = [flatten(each, f"{prefix}.{key}" if prefix else key) for key, each in value.items()]
        return [row for rows in below for row in rows]
    if isinstance(value, bool):
        return [(prefix, "yes" if value else "no")]
    if isinstance(value, list | tuple):
        return [(prefix, ", ".join(map(str, value)) or "none")]
    return [(prefix, "-" if value in (None, "") else str(value))]
