"""Floor 0: sentences. A message is an id with facts; `say` makes it a sentence of a language, last of all."""

from archive.say.catalogue import (
    LANGUAGES,
    Piece,
    fill,
    from_plain,
    has_text,
    ids,
    outline,
    pieces,
    say,
    sentence,
    sentence_pieces,
    title_in,
    to_plain,
)
from archive.say.isolation import isolate
from archive.say.message import Fact, Message, message

__all__ = [
    "LANGUAGES",
    "Fact",
    "Message",
    "Piece",
    "fill",
    "from_plain",
    "has_text",
    "ids",
    "isolate",
    "message",
    "outline",
    "pieces",
    "say",
    "sentence",
    "sentence_pieces",
    "title_in",
    "to_plain",
]
