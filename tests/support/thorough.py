"""How much a test tries. A law is tried on few examples in every run, and on many if `SCHAFKOPF_THOROUGH` is set:

SCHAFKOPF_THOROUGH=1 sh tests/run tests/importers
"""

import os

THOROUGH = bool(os.environ.get("SCHAFKOPF_THOROUGH"))


def examples(few: int, many: int) -> int:
    """Return so many examples, deals, steps or bytes as a test tries in this run."""
    return many if THOROUGH else few
