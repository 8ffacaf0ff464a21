"""The address of the file of an archive, for SQLite."""

from pathlib import Path


def read_only(path: str | Path) -> str:
    """The URI by which a file is opened to read it, never to make or change it; names may have any sign."""
    return f"{Path(path).absolute().as_uri()}?mode=ro"
