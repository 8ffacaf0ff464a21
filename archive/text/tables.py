"""Tables of text. `tabulate` is imported with the first one, without what it would measure wide signs with and ask for
its own version: together they take half as long as Python itself to start."""

import sys
from collections.abc import Iterable, Sequence
from functools import cache
from types import ModuleType
from typing import Any
from unicodedata import category, east_asian_width


def tabulate(rows: Iterable[Sequence[object]], head: Sequence[object] = (), *given: Any, **settings: Any) -> str:
    """Return rows as the package `tabulate` lays them out."""
    rows = list(rows)
    package = tabulate_package()
    # Signs that take more or fewer places on a terminal than one.
    texts = (text for row in (head, *rows) for cell in row if not (text := str(cell)).isascii())
    if package.wcwidth is None and any(
        east_asian_width(sign) in "WF" or category(sign) in ("Mn", "Me", "Cf") for text in texts for sign in text
    ):
        import wcwidth

        package.wcwidth, package.WIDE_CHARS_MODE = wcwidth, True
    return str(package.tabulate(rows, head, *given, **settings))


@cache
def tabulate_package() -> Any:
    """Import the package, whose `wcwidth` is None; return it."""
    absent = {"wcwidth": None, "importlib.metadata": ModuleType("importlib.metadata")}
    absent = {name: module for name, module in absent.items() if name not in sys.modules}
    for module in filter(None, absent.values()):
        vars(module).update(version=lambda name: "", PackageNotFoundError=ImportError)
    sys.modules.update(absent)  # type: ignore[arg-type]  # None there makes an import fail
    try:
        import tabulate as package
    finally:
        for name in absent:
            del sys.modules[name]
    return package
