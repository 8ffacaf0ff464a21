"""sqlite-utils without numpy and pandas. It imports both wherever they are installed, which takes a tenth of a second
or a whole one at every start, for column types that no table of ours has."""

import sys

absent = [name for name in ("numpy", "pandas") if name not in sys.modules]
sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]  # None there makes an import fail
try:
    from sqlite_utils import Database
finally:
    for name in absent:
        del sys.modules[name]

__all__ = ["Database"]
