"""Entries of `inferred`: what a reader worked out, each with its evidence, as a text of a record or as a message."""

from archive.say import Message, say

Evidence = str | Message  # a text `KEY: evidence` as it stands in a record, or a message with `key` among its facts


def evidence_text(entry: Evidence, language: str = "en") -> str:
    """An entry of `inferred` as `KEY: evidence`; one that came as a text stays as it was written."""
    return say(entry, language)


def evidence_key(entry: Evidence) -> str:
    """The key of the record that an entry of `inferred` speaks of: `house.tariff`."""
    return str(entry.facts["key"]) if isinstance(entry, Message) else entry.split(":")[0]
