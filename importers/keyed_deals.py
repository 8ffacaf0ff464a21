"""Deals whose parts have heads, as lines of words: rows of a table with strokes between its cells, as Markdown has it,
or blocks of `Partner: Toni` and the like below the number of a deal; and abbreviations that a note explains itself:
`Legende: RS = Rufspiel, + = gewonnen`, `B = Burgi, K = Kilian`."""

import re
from collections.abc import Iterable, Iterator, Sequence

from archive.notation.game_words import contract_words, usual_words
from archive.notation.list_marks import DEAL, without_mark
from archive.notation.spoken_line import known_words
from archive.record.names import is_like_name
from importers.chat_messages import TypedLine
from importers.text import LEGEND

WAYS = {  # what a part says in a line, by the word above or before it
    "declarer": ("{}", "spieler ansager alleinspieler spielmacher player declarer wer"),
    "game": ("{}", "spiel game art spielart contract ansage"),
    "suit": ("{}", "farbe suit"),
    "partner": ("mit {}", "partner partnerin mitspieler mitspielerin mit"),
    "result": ("{}", "ergebnis result resultat ausgang"),
    "runners": ("{} Laufende", "laufende läufer runners"),
    "points": ("{} Augen", "augen punkte points"),
    "knocks": ("{} Klopfer", "klopfer knocks"),
    "dealer": ("Geber {}", "geber dealer"),
    "number": ("", "nr nr. no no. # spielnr"),
}
PART_OF = {word: (part, way) for part, (way, words) in WAYS.items() for word in words.split()}
NEEDED = {"declarer", "game"}
NOTHING = ("", "-", "–", "—", "/")
RULE = re.compile(r"[|\s:–-]+")  # below the heads of a table
NUMBER = re.compile(rf"#*\s*(?:{DEAL}\.?\s?\d{{1,3}}\s?[.:]?|\d{{1,3}}\.\s?{DEAL}:?)")  # of a deal, and nothing else
WITHOUT_NUMBER = re.compile(rf"{DEAL}\s?[.:]?")  # the same in a numbered list
KEYED = re.compile(r"(?:[-•*]\s)?(?P<key>[^\W\d_]{2,20})\s*:\s*(?P<value>.*)")
FEWEST = 2  # parts of a block
PART = re.compile(r"(?P<short>[^\s\d=:]{1,4}) ?(?P<sign>=?) ?(?P<long>[^\W\d_][^=]*)")
LONGEST = 200  # characters of a line that explains abbreviations


def deals_in_words(lines: list[TypedLine]) -> list[TypedLine]:
    """Return the lines with one of words for each row of such a table and each such block."""
    return [*blocks_in_words([*rows_in_words(lines)])]


def rows_in_words(lines: Iterable[TypedLine]) -> Iterator[TypedLine]:
    """Yield the lines, those of a table with heads for the declarer and the game as lines of words."""
    heads, is_table = list[str](), False
    for line in lines:
        cells = [cell.strip() for cell in line.text[1:].removesuffix("|").split("|")]
        if not line.text.startswith("|"):
            heads, is_table = [], False
        elif not is_table:
            heads, is_table = [cell.casefold() for cell in cells], True
            heads = heads if {PART_OF[head][0] for head in heads if head in PART_OF} >= NEEDED else []
            line = line._replace(is_left_out=line.is_left_out or bool(heads))
        elif RULE.fullmatch(line.text):
            line = line._replace(is_left_out=True)
        elif heads:
            line = line._replace(text=in_words(zip(heads, cells, strict=False)), is_numbered=True)
        yield line


def blocks_in_words(lines: list[TypedLine]) -> Iterator[TypedLine]:
    """Yield the lines, each number of a deal with the lines of its parts below it as one line of words."""
    place = 0
    while place < len(lines):
        line = lines[place]
        parts = list[tuple[str, str]]()
        if is_number_alone(line) and not line.is_chat:
            for below in lines[place + 1 :]:
                match = KEYED.fullmatch(below.text)
                if match is None or match["key"].casefold() not in PART_OF or is_number_alone(below):
                    break
                parts.append((match["key"].casefold(), match["value"].strip()))
        if len(parts) >= FEWEST and NEEDED & {PART_OF[key][0] for key, _ in parts}:
            yield line._replace(text=in_words(parts), is_numbered=True)
            place += len(parts)
        else:
            yield line
        place += 1


def is_number_alone(line: TypedLine) -> bool:
    """Return whether a line has nothing but the number of a deal."""
    bare = line.is_numbered and WITHOUT_NUMBER.fullmatch(line.text)
    return bool(bare or NUMBER.fullmatch(line.text))


def in_words(parts: Iterable[tuple[str, str]]) -> str:
    """Return the parts of a deal as a line of words, each with the word for it; one with a head that is not known as it
    is."""
    every = list[str]()
    for head, value in parts:
        part, way = PART_OF.get(head, ("", "{}"))
        if value in NOTHING or not way:
            continue
        if part == "result":  # `+`, `v`
            words = {"+": "won", **usual_words()["results"], **usual_words()["letters"]["results"]}
            value = {"won": "gewonnen", "lost": "verloren"}.get(words.get(value.casefold(), ""), value)
        is_count = part not in ("points", "runners", "knocks") or value.isdigit()
        every.append(way.format(value) if is_count else value)
    return ", ".join(every)


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
