"""Floor 7: the command line. The only place that knows the importers."""

from archive.cli.main import main

__all__ = ["main"]
