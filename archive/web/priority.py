"""The priority of a process whose work may wait."""

import os

LAST = 19  # the niceness of whoever comes last


def come_last() -> None:
    """Lets this process work only where no other one wants the processor, as far as the system has that; its threads
    and the processes that it starts too. To be called before there are other threads."""
    try:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    except (AttributeError, OSError):  # Linux alone has it
        os.nice(LAST)
