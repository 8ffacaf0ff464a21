"""A file that was sent, as bytes and as it was read."""

from msgspec import Struct

from archive.judge import Judgement
from archive.record import Finding, Session


class Upload(Struct, frozen=True):
    """A file that was sent: its name, its bytes, the `columns.toml` of a score sheet."""

    name: str
    data: bytes
    mapping: str = ""


class ReadUpload(Struct, frozen=True):
    """A file as it was read: the name of the importer, None where nobody knows it; its deals, judged, each with its
    session; findings that belong to none."""

    format: str | None
    pairs: tuple[tuple[Session, Judgement], ...]
    lone: tuple[Finding, ...]
