"""How long a test waits before it says that something hangs. Quadratic work takes minutes for a megabyte, and a
sixteenth of that for a quarter of one; `benchmarks` measure actual times."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from support.thorough import examples

HANG = 20  # seconds of the processor, for work of this process
LARGE = examples(2**18, 2**20)  # bytes of a file that is made to be slow
HANG_LARGE = examples(5, HANG)  # seconds, for such a file
WAIT = 120  # seconds of the clock, for another process: on a busy machine it may get a tenth of a processor


@contextmanager
def without_hanging(seconds: float = HANG) -> Iterator[None]:
    """Run work that must not hang. Processor time is measured, so that a busy machine changes nothing."""
    start = time.process_time()
    yield
    assert time.process_time() - start < seconds
