"""The titles of contracts as facts of a message: those of ours in the reader's language."""

from functools import cache

from archive.rules.types import Contract
from archive.say import Message, has_text, say


def contract_title(row: Contract) -> Message | str:
    """The title of a contract; one that a table gave stays as it is."""
    return title_of(row.id, row.title)


@cache
def title_of(id: str, title: str) -> Message | str:
    translated = Message(f"titles.contract-{id}")
    return translated if has_text(translated.id) and say(translated) == title else title
