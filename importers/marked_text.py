"""Signs that notes, messengers and mails put into a line: struck-out words, bold and italics, links, marks of a change,
and the lines of a mail that are quoted below it once more; and lines that stand in one: dictated, with words for the
signs between them, or sentences that tell a deal each."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from archive.notation.game_words import contract_words
from archive.notation.list_marks import without_mark
from archive.notation.spoken_deal import SpokenDeal, read_spoken_deal
from archive.notation.spoken_line import begins_like_deal

EMPHASIS = re.compile(r"(?<![\w*_~])[*_~]{1,3}(?=[^\s*_~])|(?<=[^\s*_~])[*_~]{1,3}(?![\w*_~])")  # *bold*, _italic_
STRUCK = re.compile(  # ~~…~~, ~…~ of WhatsApp, letters with a stroke through each
    r"(?<![\w~])(~~?)(?=[^\s~])[^~]*(?<=[^\s~])\1(?![\w~])|(?:[^\s\u0336]\u0336+\s*)+"
)
EDITED = re.compile(r"\s*(?:<[^<>]{1,60}>|[(\[](?i:bearbeitet|edited)[)\]])$")  # behind a changed message
EDITED_COPY = re.compile(r"\s*[(\[](?:bearbeitet|edited)[)\]]$", re.IGNORECASE)  # the same in a copy without its head
LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]")  # to another note
LISTED = re.compile(r"([^\W\d_]{3,20}: )\[([^\[\]]+)\]")  # of a note's properties: `players: [Hans, Toni]`
STARRED = re.compile(r"\*[^\s*][^*]*|[^*]*[^\s*]\*")  # the right word of a message before: `*verloren`
MENTION = re.compile(r"(?<!\S)@(?=[^\W\d_])")  # before the name of somebody who is in the chat
NO_WHOLE = re.compile(r"(?<![\w.,/])([+\-−–])[.,](?=\d\d(?![\d/]))")  # `-.50`, `+,50`
NO_PART = re.compile(r"(?<=\d),[-–—]{1,2}(?![\w-])|(?<=[+\-−–]\d)\.[-–—]{1,2}(?![\w-])")  # `5,-`, `-1.–`
MAIL_HEAD = re.compile(r"(?:>\s*)*[*_]*(?:von|from|an|to|cc|betreff|subject|gesendet|sent)[*_]*:", re.IGNORECASE)
MAIL_DATE = re.compile(r"(?:>\s*)*[*_]*(?:datum|date)[*_]*:", re.IGNORECASE)  # beside such a line
BEFORE_QUOTE = re.compile(r"\d.*\b(?:schrieb|wrote|hat geschrieben)\b.*:$", re.IGNORECASE)
LONGEST_LEAD = 200  # characters of a line before a quote
QUOTED = re.compile(r"(?:>\s*)+")


class Plain(NamedTuple):
    """The words of a line without the signs of a program, and whether all of it is struck out."""

    text: str
    is_struck: bool = False


class Mail(NamedTuple):
    """The places of lines of a mail that tell nothing of an evening, and of quoted ones that may be told otherwise."""

    left_out: frozenset[int]
    quoted: frozenset[int]


def plain_line(text: str, is_chat: bool) -> Plain:
    """Return a line without what is struck out in it and without signs for bold and italics, with the words of a link
    for the link, and with noughts in `-.50` and `5,-`; as it is if all of it is struck out."""
    if "~" in text or "\u0336" in text:
        left = STRUCK.sub(" ", text)
        if left != text and not any(map(str.isalnum, without_mark(left))):
            return Plain(text, True)
        text = left.strip()
    if is_chat and "*" in text and STARRED.fullmatch(text):
        return Plain(text)
    if "*" in text or "_" in text or (is_chat and "~" in text):
        text = EMPHASIS.sub("", text)
    if "[" in text:
        text = LISTED.sub(r"\1\2", LINK.sub(r"\1", text)) if text[-1] == "]" else LINK.sub(r"\1", text)
    text = MENTION.sub("", text) if "@" in text else text
    if "," in text or "." in text:
        text = NO_PART.sub(".00", NO_WHOLE.sub(r"\g<1>0.", text))
    return Plain(EDITED_COPY.sub("", text) if text[-1:] in (")", "]") else text)


def mail_lines(texts: Sequence[str]) -> Mail:
    """Return which lines of a text are those of a mail: its head and the lines before a quote, whose day is that of the
    mail, and quoted lines that stand in the text once more; and the others of such quotes."""
    heads = {at for at, text in enumerate(texts) if MAIL_HEAD.match(text)}
    dated = {at for at, text in enumerate(texts) if MAIL_DATE.match(text) and not heads.isdisjoint((at - 1, at + 1))}
    before = {at for at, text in enumerate(texts) if text[-1:] == ":" and BEFORE_QUOTE.search(text[-LONGEST_LEAD:])}
    own = {text for text in texts if not QUOTED.match(text)}
    quoted = {at: QUOTED.sub("", text, count=1) for at, text in enumerate(texts) if QUOTED.match(text)}
    again = {at for at, text in quoted.items() if text in own}
    is_told_again = any(begins_like_deal(quoted[at], contract_words(), None) for at in again)
    return Mail(frozenset(heads | dated | before | again), frozenset(quoted.keys() - again if is_told_again else ()))


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
