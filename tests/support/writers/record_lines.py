"""Our deals as JSON lines, which hold all of them."""

from archive.notation import write_line
from archive.record import Deal, Session


def write(head: Session, deals: tuple[Deal, ...]) -> list[bytes]:
    return [b"".join(write_line(head, deal) + b"\n" for deal in deals)]


def held(head: Session, deal: Deal) -> tuple[Session, Deal]:
    return head, deal
