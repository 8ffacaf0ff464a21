"""What is wrong with an entry, on its way to becoming a finding."""

from typing import Any, NoReturn


class Problem(Exception):  # noqa: N818  # never leaves this package: the readers turn it into findings
    """A broken rule of findings.toml with its facts. `key` is dotted; `entry` is the text to look for in the file,
    its `nth` occurrence (from 0)."""

    def __init__(self, rule: str, key: str, entry: str | None = None, **facts: Any) -> None:
        super().__init__(rule)
        self.rule, self.key, self.entry, self.nth = rule, key, entry, 0
        self.facts = {"key": key, "entry": entry} | facts


def bad(key: str, entry: str, expected: str) -> NoReturn:
    """Refuse an entry and say what was expected."""
    raise Problem("bad-entry", key, entry, expected=expected)


def wrong(key: str, why: str, entry: str | None = None) -> NoReturn:
    """Refuse a value."""
    raise Problem("wrong-type", key, entry, why=why)
