"""Names in a sentence that runs the other way: marked, so that signs and numbers beside them stay where they are."""

from unicodedata import bidirectional

FIRST, LAST = "\u2068", "\u2069"  # first strong isolate, pop directional isolate
OTHER_WAY = frozenset(("R", "AL", "AN"))  # letters and digits of scripts that are written from the right


def isolate(text: str) -> str:
    """The text between isolates where something in it is written from the right; else as it is."""
    if text.isascii() or text.startswith(FIRST) or OTHER_WAY.isdisjoint(map(bidirectional, text)):
        return text
    return f"{FIRST}{text}{LAST}"
