"""Lines that stand in one: dictated, with words for the signs between them, or sentences that tell a deal each."""

import re
from collections.abc import Iterator

from archive.notation.game_words import contract_words
from archive.notation.spoken_deal import SpokenDeal, read_spoken_deal
from archive.notation.spoken_line import begins_like_deal

LINE = "(?:neue zeile|neuer absatz|nächste zeile|new line|new paragraph)"
IS_DICTATED = re.compile(rf"\b(?:{LINE}|komma|beistrich|comma)\b", re.IGNORECASE)
NEW_LINE = re.compile(rf"[\s,.]*\b(?i:{LINE})\b[\s,.]*|(?<!\d) (?i:punkt|full stop) (?=[A-ZÄÖÜ])")
DICTATED = (  # words for signs
    (re.compile(r"\s+(?:doppelpunkt|colon)\b", re.IGNORECASE), ":"),
    (re.compile(r"\s+(?:komma|beistrich|comma)\b", re.IGNORECASE), ","),
    (re.compile(r"\s+(?:schrägstrich|slash)\s+", re.IGNORECASE), "/"),
    (re.compile(r"\s+(?:punkt|full stop|period|ausrufezeichen)$", re.IGNORECASE), ""),
)
END = re.compile(r"(?<=\w\w)[.!;]\s+(?=[A-ZÄÖÜ])")  # of a sentence


def parts_of_line(text: str) -> Iterator[str]:
    """Yield the lines of one that was dictated, the sentences of one in which at least two tell a deal; any other line
    as it is."""
    lines = [text]
    if IS_DICTATED.search(text):
        lines = [with_signs(line) for line in NEW_LINE.split(text)]
    for line in filter(None, lines):
        sentences = END.split(line)
        several = len(sentences) > 1 and sum(map(tells_deal_of_somebody, sentences)) > 1
        yield from sentences if several else (line,)


def with_signs(text: str) -> str:
    """Return a dictated line with signs for the words that name them."""
    for word, sign in DICTATED:
        text = word.sub(sign, text)
    return text.strip()


def tells_deal_of_somebody(text: str) -> bool:
    """Return whether every word of a line is understood and it says who played what, if the table is unknown; a number
    at its end may be a price."""
    if not begins_like_deal(text, contract_words(), None):
        return False
    counted = f"{text} ct" if text[-1].isdigit() else text  # else what a number counts may be asked
    spoken = read_spoken_deal(counted, contract_words())
    return isinstance(spoken, SpokenDeal) and bool(spoken.declarer or "loser" in spoken.stated)
