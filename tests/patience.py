"""How long a test waits before it says that something hangs. What is quadratic takes minutes for a megabyte; how long
anything takes is measured in `benchmarks`."""

HANG = 20  # seconds
