"""The file of an archive, for everybody who opens it: its address, and its error."""

from pathlib import Path


class ArchiveError(Exception):
    """An archive that cannot be used or asked; its text is one sentence for the person at the keyboard."""


def read_only(path: str | Path) -> str:
    """The URI by which SQLite opens a file to read it, never to make or change it; names may have any sign."""
    return f"{Path(path).absolute().as_uri()}?mode=ro"
