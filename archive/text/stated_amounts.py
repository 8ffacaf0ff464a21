"""The amounts in a sentence on stated and computed values, written as the page writes amounts."""

from typing import Any

from archive.say import Message
from archive.text.numbers import format_money
from archive.text.wording import Texts

OF_AMOUNTS = frozenset((
    "findings.stated-payments", "findings.stated-totals", "findings.stated-price", "findings.stated-steps",
    "findings.stated-stock", "findings.stated-sum", "findings.totals-sum", "findings.list-sum",
))  # fmt: skip
RESTATED = "findings.restated-otherwise"
RESTATED_AMOUNTS = frozenset(("record.carry-totals", "record.carry-stock", "record.carry-stake"))
COUNTS = frozenset(("count", "n", "number", "table", "round"))  # facts that are not amounts


def with_amounts(what: Message | str, unit: str | None, t: Texts) -> Message | str:
    """Return the sentence with its cents as euros; unchanged if it is not about amounts, or in another unit."""
    if unit != "ct" or not isinstance(what, Message):
        return what
    key = what.facts.get("key")
    restates = what.id == RESTATED and isinstance(key, Message) and key.id in RESTATED_AMOUNTS
    return _in_euros(what, t) if restates or what.id in OF_AMOUNTS else what


def _in_euros(fact: Any, t: Texts) -> Any:
    if isinstance(fact, Message):
        facts = {key: each if key in COUNTS else _in_euros(each, t) for key, each in fact.facts.items()}
        return Message(fact.id, facts)
    if isinstance(fact, tuple | list):
        return tuple(_in_euros(each, t) for each in fact)
    if isinstance(fact, int) and not isinstance(fact, bool):
        return format_money(fact, "ct", t).removeprefix("+")
    return fact
