"""Signing in is slow for whoever guesses: by name, by address, and by both."""

import threading
import time
from collections.abc import Callable, Hashable
from math import ceil

from cachetools import TTLCache

MOST_KEYS = 50_000  # remembered at a time
WINDOW = 15 * 60.0  # seconds in which attempts are counted


class Throttle:
    """Counts attempts. `limits`: how many there may be in a window of time, by the kind of key."""

    def __init__(
        self, limits: dict[str, int], window: float = WINDOW, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits, self.window, self.now = limits, window, now
        self.lock = threading.Lock()
        self.attempts: TTLCache[Hashable, list[float]] = TTLCache(MOST_KEYS, window, now)

    def wait(self, **keys: Hashable) -> int:
        """Note an attempt with a key of each kind. Return the seconds until there may be another one; 0 if this one may
        be. An attempt that may not be does not count."""
        with self.lock:
            now = self.now()
            rows = {kind: [at for at in self.attempts.get((kind, key), ()) if at > now - self.window]
                    for kind, key in keys.items()}  # fmt: skip
            late = [ceil(times[-self.limits[kind]] + self.window - now) for kind, times in rows.items()
                    if len(times) >= self.limits[kind]]  # fmt: skip
            if not late:
                for kind, key in keys.items():
                    self.attempts[kind, key] = [*rows[kind], now]
            return max(late, default=0)

    def forget(self, **keys: Hashable) -> None:
        """Forget the attempts with these keys, after one that was right."""
        with self.lock:
            for kind, key in keys.items():
                self.attempts.pop((kind, key), None)
