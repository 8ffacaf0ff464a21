"""The file of an archive, for everybody who opens it: its address, and its error."""

from pathlib import Path

from archive.say import Message, say


class ArchiveError(Exception):
    """An archive that cannot be used or asked, and the message that says so: one sentence for the person at the
    keyboard. As a text it is English."""

    def __init__(self, says: Message) -> None:
        super().__init__(says)
        self.says = says

    def __str__(self) -> str:
        return say(self.says)


def read_only(path: str | Path) -> str:
    """The URI by which SQLite opens a file to read it, never to make or change it; names may have any sign."""
    return f"{Path(path).absolute().as_uri()}?mode=ro"
