"""Floor 10: the command line. It knows the importers, as `archive.library` does."""

from archive.cli.main import main

__all__ = ["main"]
