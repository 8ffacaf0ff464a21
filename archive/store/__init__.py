"""Floor 5: the archive in one SQLite file."""
