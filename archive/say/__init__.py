"""Floor 0: sentences. A message is an id with facts; `say` makes it a sentence of a language, last of all."""

from archive.say.catalogue import LANGUAGES, fill, from_plain, has_text, ids, outline, say, sentence, to_plain
from archive.say.message import Fact, Message, message

__all__ = [
    "LANGUAGES",
    "Fact",
    "Message",
    "fill",
    "from_plain",
    "has_text",
    "ids",
    "message",
    "outline",
    "say",
    "sentence",
    "to_plain",
]
