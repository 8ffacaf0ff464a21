"""Tables of text. `tabulate` is imported with the first one: it takes a tenth of the time of a check without one."""

from typing import Any


def tabulate(rows: Any, *given: Any, **settings: Any) -> str:
    """Return rows as the package `tabulate` lays them out."""
    from tabulate import tabulate as lay_out

    return str(lay_out(rows, *given, **settings))
