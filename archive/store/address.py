"""The address of the file of an archive, for SQLite."""

from archive.stats.database import read_only

__all__ = ["read_only"]
