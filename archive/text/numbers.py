"""Numbers as they are written in the reader's language, also in a sentence; a minus is a real minus sign."""

from functools import cache
from typing import Any

from archive.say import Message
from archive.say.catalogue import rows
from archive.text.wording import Texts, unit_after, unit_of

OF_AMOUNTS = frozenset((  # findings that have amounts
    "findings.stated-payments", "findings.stated-totals", "findings.stated-price", "findings.stated-steps",
    "findings.stated-stock", "findings.stated-sum", "findings.totals-sum", "findings.list-sum",
))  # fmt: skip
RESTATED = "findings.restated-otherwise"
RESTATED_AMOUNTS = frozenset(("record.carry-totals", "record.carry-stock", "record.carry-stake"))
COUNTS = frozenset(("count", "n", "number", "table", "round"))  # facts that are not amounts


def format_signed(amount: int | None) -> str:
    """Return an amount with its sign, as on a score sheet: a dash for None."""
    if amount is None:
        return "–"
    return f"{amount:+d}".replace("-", "−") if amount else "0"


def with_sign(amount: int | None) -> str:
    """Return an amount with its sign, `?` if it is unknown: `+10`, `−20`, `+0`."""
    return "?" if amount is None else f"{amount:+}".replace("-", "−")


def without_plus(amount: int | None) -> str:
    """Return an amount without a +, `?` if it is unknown."""
    return with_sign(amount).removeprefix("+")


def format_number(value: float, t: Texts, places: int = 0, sign: bool = False, grouped: bool = True) -> str:
    """Return a number with this many places: `1,234.5` in English, `1.234,5` in German; zero has no sign."""
    value = round(value, places) or 0
    if type(value) is int and 0 <= value < 1000 and not places and not sign:
        return str(value)
    text = f"{value:{'+' if sign and value else ''}{',' if grouped else ''}.{places}f}".replace("-", "−")
    return text.translate(signs) if (signs := _signs(t["lang"])) else text


@cache
def _signs(language: str) -> dict[int, str]:
    """Return the signs that replace the English ones; empty if they are the same."""
    signs = rows(language)
    own = {",": signs["language.thousands"], ".": signs["language.decimal"]}
    return {ord(sign): other for sign, other in own.items() if sign != other}


def format_decimal(value: float, places: int, t: Texts, *, sign: bool = False) -> str:
    """Return a number with this many places, without separators of thousands: `+1.2`, `−0,3`."""
    return format_number(value, t, places, sign, grouped=False)


def format_share(share: float, t: Texts) -> str:
    """Return a share in percent, with one place below ten."""
    return f"{format_number(100 * share, t, 0 if share >= 0.0995 or not share else 1)}\u202f%"


def format_money(amount: int, unit: str | None, t: Texts) -> str:
    """Return an amount with its sign and unit; cents as euros: `+€5.60`, `+5,60 €`, `−12 points`."""
    if unit == "ct":
        sign = "+" if amount > 0 else "−" if amount < 0 else ""
        return rows(t["lang"])["language.euros"].format(sign=sign, amount=format_number(abs(amount) / 100, t, 2))
    return f"{format_number(amount, t, sign=True)} {unit_after(amount, unit, t) if unit else ''}".rstrip()


def plain_money(amount: int, unit: str | None, t: Texts) -> str:
    """Return the size of an amount with its unit, without a sign: `€5.60`, `12 points`."""
    return format_money(abs(amount), unit, t).removeprefix("+")


def format_entry(amount: int | None, unit: str | None, t: Texts) -> str:
    """Return a signed amount for a column that names its unit (`column_unit`): cents as euros, `+5,60`; `0`, `–`."""
    return format_decimal(amount / 100, 2, t, sign=True) if amount and unit == "ct" else format_signed(amount)


def column_unit(unit: str, t: Texts) -> str:
    """Return the unit of a column of `format_entry`, as it follows `in`."""
    return "€" if unit == "ct" else unit_of(unit, t, True)


def axis_words(unit: str | None, t: Texts) -> dict[str, Any]:
    """Return how an axis writes amounts: what stands `before` and `behind` each, the `number` format, and how many of
    the unit make one (`per`); cents as euros."""
    before, _, behind = format_money(0, unit, t).partition(format_decimal(0, 2, t)) if unit == "ct" else [""] * 3
    return {"before": before, "behind": behind} | (
        {"number": ",.2f", "per": 100} if unit == "ct" else {"number": ",d", "per": 1}
    )


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
