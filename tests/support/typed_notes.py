"""Notes and chats of four players, and what is read from them."""

from typing import Any

from archive.record import Deal, Finding, Session, Source
from importers import typed_lines

NAMES = "Toni, Lois, Vroni, Sepp"
HEAD = f"Spieler: {NAMES}\nTarif: 10/20/50"


def read(text: str) -> tuple[list[Session], list[Deal], list[Finding]]:
    """Return the sessions, the deals and the findings of a note."""
    items: list[Any] = [*typed_lines.read(text.encode(), Source("note.txt"))]
    sessions, deals, findings = (
        [item for item in items if isinstance(item, kind)] for kind in (Session, Deal, Finding)
    )
    return sessions, deals, findings


def told(text: str) -> list[tuple[str | None, int | None, bool | None]]:
    """Return contract, declarer and result of each deal."""
    return [
        (deal.game and deal.game.contract, deal.game and deal.game.declarer, deal.stated and deal.stated.won)
        for deal in read(text)[1]
    ]


def chat(*texts: str) -> str:
    """Return a chat with these messages behind one that names the players."""
    return "\n".join(f"14.11.26, 20:{at:02} - Lois: {text}" for at, text in enumerate((f"Spieler: {NAMES}", *texts)))
