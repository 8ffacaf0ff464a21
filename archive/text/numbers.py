"""Numbers as they are written in the reader's language; a minus is a real minus sign."""

from functools import cache
from typing import Any

from archive.say.catalogue import rows
from archive.text.wording import Texts, unit_after, unit_of


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
