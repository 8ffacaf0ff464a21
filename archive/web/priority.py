"""The priority of a process whose work may wait."""

import os

LAST = 10  # the niceness of whoever comes last: a tenth of a processor that others want, so that it ends at all


def come_last() -> None:
    """Lets other processes come before this one, its threads and the processes that it starts. To be called before
    there are other threads."""
    os.nice(LAST)
