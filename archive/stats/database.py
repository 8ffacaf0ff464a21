"""The file of an archive, for everybody who opens it: its address, and its error."""

from pathlib import Path

from archive.say import Message, say


class ArchiveError(Exception):
    """An archive that cannot be used or asked; its text, a message or a text, is one sentence for the person at the
    keyboard, in English where nothing is said of the language."""

    def __init__(self, what: Message | str) -> None:
        super().__init__(what)

    def __str__(self) -> str:
        return say(self.args[0])


def read_only(path: str | Path) -> str:
    """The URI by which SQLite opens a file to read it, never to make or change it; names may have any sign."""
    return f"{Path(path).absolute().as_uri()}?mode=ro"
