"""sqlite-utils without numpy and pandas, which it imports wherever they are installed: a tenth of a second, or a whole
one, at every start, for the types of columns that no table of ours has."""

import importlib
import sys

UNUSED = ("numpy", "pandas")


def imported() -> None:
    """Imports sqlite-utils; what it does not need is absent meanwhile, unless somebody has it already."""
    absent = [name for name in UNUSED if name not in sys.modules]
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]  # None there makes an import fail
    try:
        importlib.import_module("sqlite_utils")
    finally:
        for name in absent:
            del sys.modules[name]


imported()
