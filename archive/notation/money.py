"""An amount as somebody types it beside the deals: `12,50`, `12.50 €`, `€5`, `−340 ct`, `25`."""

import re

from archive.notation.spoken_line import AMOUNT

UNITS = {"€": 100, "eur": 100, "euro": 100, "euros": 100, "ct": 1, "ct.": 1, "cent": 1, "cents": 1}
WRITTEN = re.compile(r"(?P<sign>[+\-−–]?)\s*(?P<before>€?)\s*(?P<number>\d[\d.,]*)\s*(?P<after>[^\W\d_]*\.?|€)")


def read_amount(text: str, unit: str, *, in_euros: bool = False) -> int | None:
    """Return the amount in whole units, cents if these are the unit; None if it is ambiguous. A whole number alone may
    be euros or cents: it is euros if the caller asked for euros (`in_euros`), else there is no amount."""
    written = WRITTEN.fullmatch(text.strip())
    number = re.fullmatch(AMOUNT, written["number"]) if written else None
    if written is None or number is None or (written["before"] and written["after"]):
        return None
    named, part = (written["before"] or written["after"]).casefold(), number["part"]
    whole = int(number["whole"])
    if unit != "ct":
        amount = whole if named in ("", unit.casefold()) and "," not in number[0] and "." not in number[0] else None
    elif UNITS.get(named) == 1:
        amount = whole if part is None else None
    elif named in UNITS or (not named and (part or in_euros)):
        amount = 100 * whole + int((part or "0").ljust(2, "0"))
    else:
        amount = None
    return None if amount is None else -amount if written["sign"] not in ("", "+") else amount


def is_money(text: str) -> bool:
    """Return whether an amount is written in euros or cents, whatever the unit of the deals is: with a comma, or with
    its unit."""
    return read_amount(text, "ct") is not None
