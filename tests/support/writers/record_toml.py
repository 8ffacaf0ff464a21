"""Our deals as a session file, which holds all of them."""

from archive.notation import write_toml
from archive.record import Deal, Session


def write(head: Session, deals: tuple[Deal, ...]) -> list[bytes]:
    return [write_toml(head, deals).encode()]


def held(head: Session, deal: Deal) -> tuple[Session, Deal]:
    return head, deal
