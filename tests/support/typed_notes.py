"""Notes and chats of four players, and what is read from them."""

from archive.record import Source
from importers import typed_lines
from support.items import Read, by_kind

NAMES = "Toni, Lois, Vroni, Sepp"
HEAD = f"Spieler: {NAMES}\nTarif: 10/20/50"


def read(text: str) -> Read:
    """Return the sessions, the deals and the findings of a note."""
    return by_kind(typed_lines.read(text.encode(), Source("note.txt")))


def told(text: str) -> list[tuple[str | None, int | None, bool | None]]:
    """Return contract, declarer and result of each deal."""
    return [
        (deal.game and deal.game.contract, deal.game and deal.game.declarer, deal.stated and deal.stated.won)
        for deal in read(text)[1]
    ]


def chat(*texts: str) -> str:
    """Return a chat with these messages behind one that names the players."""
    return "\n".join(f"14.11.26, 20:{at:02} - Lois: {text}" for at, text in enumerate((f"Spieler: {NAMES}", *texts)))
