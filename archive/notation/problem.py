"""A problem: an entry that cannot be read, on its way to becoming a finding."""

from functools import cached_property
from typing import Any, NoReturn

from archive.record import Finding, Source, finding
from archive.say import Message

Text = Message | str  # a sentence of ours, or words of a source or a library


class Problem(Exception):  # noqa: N818  # never leaves this package: the readers turn it into findings
    """A broken rule of findings.toml with its facts. `key` is dotted; `entry` is the text to look for in the file (its
    `nth` occurrence, from 0), or words about it that are not looked for. A fact that takes a search may be given as the
    function that finds it: most problems belong to a reading that is given up for another."""

    def __init__(self, rule: str, key: str, entry: Text | None = None, **facts: Any) -> None:
        super().__init__(rule)
        self.rule, self.key, self.entry, self.nth = rule, key, entry, 0
        self.given = {"key": key, "entry": entry} | facts

    @cached_property
    def facts(self) -> dict[str, Any]:
        """The facts of the finding that the problem becomes."""
        return {name: fact() if callable(fact) else fact for name, fact in self.given.items()}


def finding_of(problem: Problem, source: Source | None) -> Finding:
    """Return the finding of a problem at a place."""
    return finding(problem.rule, source, **problem.facts)


def refuse_entry(key: str, entry: Text, expected: Text) -> NoReturn:
    """Raise the Problem of an entry that cannot be read, with what was expected."""
    raise Problem("bad-entry", key, entry, expected=expected)


def refuse_value(key: str, why: Text) -> NoReturn:
    """Raise the Problem of a value that its key cannot have."""
    raise Problem("wrong-type", key, why=why)
