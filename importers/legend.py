"""Abbreviations that a note explains itself: `Legende: RS = Rufspiel, + = gewonnen`, `B = Burgi, K = Kilian`."""

import re
from collections.abc import Sequence

from archive.notation.game_words import contract_words
from archive.notation.list_marks import without_mark
from archive.notation.spoken_line import known_words
from archive.record.names import is_like_name
from importers.chat_messages import TypedLine
from importers.text import LEGEND

PART = re.compile(r"(?P<short>[^\s\d=:]{1,4}) ?(?P<sign>=?) ?(?P<long>[^\W\d_][^=]*)")
LONGEST = 200  # characters of such a line


def with_words_for_abbreviations(lines: list[TypedLine]) -> list[TypedLine]:
    """Return the lines with what a note says that its abbreviations mean in place of these; one that it explains in two
    ways stays."""
    meant, every = dict[str, str](), list[TypedLine]()
    twice = set[str]()
    for line in lines:
        for short, long in () if line.is_left_out else abbreviations_of(line.text):
            twice |= {short} if meant.setdefault(short, long) != long else set()
    usable = {short: long for short, long in meant.items() if short not in twice}
    if not usable:
        return lines
    signs = "|".join(re.escape(short) for short in sorted(usable, key=len, reverse=True))
    pattern = re.compile(rf"(?<![^\s/&+,;(])(?P<number>\d*)(?P<short>{signs})(?![^\s/&+,;.:)])")
    for line in lines:
        is_legend = bool(abbreviations_of(line.text))
        text = (
            line.text if is_legend else pattern.sub(lambda m: f"{m['number']} {usable[m['short']]}".lstrip(), line.text)
        )
        every.append(line._replace(text=text, is_left_out=line.is_left_out or is_legend))
    return every


def abbreviations_of(text: str) -> Sequence[tuple[str, str]]:
    """Return the abbreviations that a line explains, each with what it means; none if it says anything else. Without
    a title each must begin as what it stands for."""
    if "=" not in text or len(text) > LONGEST:
        return ()
    bare = without_mark(text)
    title = LEGEND.match(bare)
    matches = [PART.fullmatch(part.strip()) for part in re.split(r"[,;]", bare[title.end() if title else 0 :])]
    explained = (  # by a sign of equality, or behind one that is no word a blank
        match
        for match in matches
        if match and (match["sign"] or (not match["short"].isalnum() and match[0][len(match["short"])] == " "))
    )
    pairs = [(match["short"], match["long"].strip()) for match in explained]
    known = known_words(contract_words())
    fits = len(pairs) == len(matches) and all(
        is_like_name(long) or known.issuperset(long.casefold().split()) for _, long in pairs
    )
    alike = title or all(long.casefold().startswith(short[0].casefold()) and short.isalpha() for short, long in pairs)
    return pairs if fits and alike else ()
