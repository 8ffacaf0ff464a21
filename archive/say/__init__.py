"""Floor 0.5: sentences. A message is an id with facts; `say` makes it a sentence of a language, last of all."""

from archive.resources import LANGUAGES
from archive.say.catalogue import (
    Piece,
    fill,
    from_plain,
    has_text,
    isolate,
    make_sayer,
    pieces,
    say,
    sentence,
    sentence_pieces,
    title_in,
    to_plain,
)
from archive.say.message import Fact, Message, did_you_mean, message, nearest, why_refused

__all__ = [
    "LANGUAGES", "Fact", "Message", "Piece", "did_you_mean", "fill", "from_plain", "has_text", "isolate", "make_sayer",
    "message", "nearest", "pieces", "say", "sentence", "sentence_pieces", "title_in", "to_plain", "why_refused",
]  # fmt: skip
