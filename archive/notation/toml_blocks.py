"""A session file in pieces: the head and the blocks that begin at `[[deal]]`, and the line on which a key stands."""

import datetime
import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from archive.notation.problem import Problem
from archive.say import message

CUT = rb"(?m)^[ \t]*\[\[[ \t]*deal[ \t]*\]\][ \t]*(?:#[^\n]*)?\r?$"
HEAD_AGAIN = rb"""(?m)^[ \t]*format[ \t]*=[ \t]*["']schafkopf-record/"""  # of a file joined to another
OF_HEAD = rb"[ \t]*(date|event|place|recorder|unit|players|rules|table|list)[ \t]*="
AT = r" \(at (?:line (\d+), column \d+|end of document)\)$"
SECTION = r"\s*\[+([^\[\]=,]+)\]"
KEY = r"([\s\w.\"'-]+)="
LONG = r"[0-9_]{4300}"  # digits; more are no number to Python
DOTS = 10_000  # tomllib takes minutes for a key of this many parts
MOST_BYTES, MOST_LINES = 1 << 18, 5_000  # of the head or a deal: a long one has some thousand bytes
QUOTES = (b'"""', b"'''")
USUAL_SLIPS = {  # in the value of a line
    "toml-day": r"\s*(?:\d{1,2}\.\s?\d{1,2}\.\s?\d{2,4}|\d{4}-\d{1,2}-\d{1,2})\s*(?:#.*)?",
    "toml-curly-quotes": r".*[“”„].*",
    "toml-quote-missing": r"""[^"#]*"[^"#]*(?:"[^"]*"[^"]*)*|[^'"#]*'[^'"]*""",
    "toml-whole-amounts": r"[^\"]*\d,\d.*|\s*-?\d*\.\d+\s*€.*",
    "toml-truth": r"\s*(?i:ja|nein|yes|no|true|false|wahr|falsch)\s*(?:#.*)?",
    "toml-leading-zero": r"[^\"']*(?<![\d.])0\d.*",
    "toml-no-comma": r"\s*\[[^\"']*\d\s+[+-]?\d.*",
    "toml-text-without-quotes": r"[\s\[]*[^\W\d].*|\s*\d+/\d.*|\s*\d+\.\d+/.*|\s*\[.*[\[,]\s*[^\W\d][^\"',\]]*[,\]].*",
}
UNSEEN = "[\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060\ufeff]"  # what pages and office programs put between letters
UNCLOSED = "Unclosed array"
SLIPS_BY_ERROR = {  # by the parser's error, if the line has no usual slip
    "Expected newline or end of document after a statement": "toml-more-behind",
    "Cannot overwrite a value": "toml-key-twice",
    "Invalid value": "toml-text-without-quotes",
    "Invalid statement": "toml-no-key",
    "Expected '=' after a key in a key/value pair": "toml-no-key",
    "Invalid initial character for a key part": "toml-table-on-a-line",
    **dict.fromkeys(("Invalid hex value", "Unescaped '\\' in a string"), "toml-backslash"),
}


class Block(Struct, frozen=True):
    """A piece of a file: its bytes, its first line in the file (from 1) and its first byte (from 0)."""

    data: bytes
    line: int
    byte: int

    @property
    def end_line(self) -> int:
        return self.line + self.data.rstrip().count(b"\n")


class BrokenBlock(Exception):  # noqa: N818  # as Problem, with the line at hand
    """A block that is not TOML."""

    def __init__(self, line: int, rule: str, **facts: Any) -> None:
        super().__init__(rule)
        self.line, self.rule, self.facts = line, rule, facts


def split_blocks(data: bytes) -> Iterator[Block]:
    """Yield the head (perhaps empty) and the blocks of the deals, and those of further files that were joined to it.

    A `[[deal]]` within a text of several lines is no cut, as far as that can be told: if a piece leaves such a text
    open, and closing it at the next piece with its quotes gives TOML, they are one.
    """
    cuts = [match.start() for match in re.finditer(CUT, data)]
    again = [match.start() for match in re.finditer(HEAD_AGAIN, data)] if cuts else []
    heads = [_start_of_head(data, at) for at in again if at > cuts[0]]
    starts = [0, *sorted(cuts + heads), len(data)]
    place, line = 0, 1
    while place < len(starts) - 1:
        end = _block_end(data, starts, place)
        piece = data[starts[place] : starts[end]]
        yield Block(piece, line, starts[place])
        line += piece.count(b"\n")
        place = end


def _start_of_head(data: bytes, at: int) -> int:
    """Return where the head of a joined file begins whose `format` stands at `at`: above it may stand others of its
    keys, those that it does not have again below; a table or a list above them all may be the last deal's."""
    below, start = data[at : data.find(b"[[", at)], at
    while key := re.match(OF_HEAD, data[(above := data.rfind(b"\n", 0, at - 1) + 1) : at]):
        if re.search(rb"(?m)^[ \t]*%b[ \t]*=" % key[1], below):
            break
        at, start = above, start if key[1] in (b"table", b"list") else above
    return start


def _block_end(data: bytes, starts: list[int], place: int) -> int:
    """Return the place in `starts` where the piece from `place` ends."""
    piece = data[starts[place] : starts[place + 1]]
    for quote in QUOTES:
        if piece.count(quote) % 2 == 0:
            continue
        for end in range(place + 2, len(starts)):
            if quote in data[starts[end - 1] : starts[end]]:
                try:
                    parse_block(Block(data[starts[place] : starts[end]], 1, 0))
                except BrokenBlock:
                    break
                return end
    return place + 1


def parse_block(block: Block) -> dict[str, Any]:
    """Return the TOML of a block, dates and times as ISO text. Raise BrokenBlock if it is not TOML, or too long."""
    if len(block.data) > MOST_BYTES or block.data.count(b"\n") > MOST_LINES:
        raise BrokenBlock(
            block.line, "syntax", why=message("notation.block-too-long", bytes=MOST_BYTES, lines=MOST_LINES)
        )
    try:
        text = block.data.decode("utf-8").lstrip("\ufeff")  # byte order marks
    except UnicodeDecodeError as error:
        line = block.line + block.data[: error.start].count(b"\n")
        raise BrokenBlock(line, "not-utf8", byte=block.byte + error.start + 1) from None
    import tomllib  # here, since prices and lines are read without

    try:
        if any(line.count(".") > DOTS for line in text.split("\n")):
            raise RecursionError
        return {key: plain(value) for key, value in tomllib.loads(text).items()}
    except RecursionError:
        raise BrokenBlock(block.line, "syntax", why=message("notation.nested-too-deeply")) from None
    except tomllib.TOMLDecodeError as error:
        line, why = _line_of_error(block, str(error)), re.sub(AT, "", str(error)).strip()
        advice = _advice(text.split("\n")[line - block.line], why) or SLIPS_BY_ERROR.get(why)
        raise BrokenBlock(line, "syntax", why=message(f"notation.{advice}") if advice else why) from None
    except ValueError:  # which names no line, and a setting of Python
        line = next(
            (number for number, row in enumerate(text.split("\n"), block.line) if re.search(LONG, row)), block.line
        )
        raise BrokenBlock(line, "syntax", why=message("notation.toml-long-number")) from None


def _advice(line: str, error: str) -> str | None:
    """Return the usual fault of a line that is not TOML, as the key of a message, or None if it has none of them."""
    key, _, value = line.partition("=")
    if re.search(UNSEEN, re.sub('"[^"]*"', "", line)):
        return "toml-unseen"
    if error.startswith("Cannot declare"):
        return "toml-key-twice"
    if any(quote.decode() in line for quote in QUOTES):
        return None
    if not value and (error == UNCLOSED or key.lstrip().startswith("[")):
        return "toml-bracket-missing"
    if not value:
        return "toml-no-key"
    usual = (advice for advice, pattern in USUAL_SLIPS.items() if re.fullmatch(pattern, value, re.DOTALL))
    return next(usual, "toml-bracket-missing" if error == UNCLOSED else None)


def _line_of_error(block: Block, message: str) -> int:
    match = re.search(AT, message)
    if match and match[1]:
        return block.line + int(match[1]) - 1
    if "Unterminated" in message:  # a text of several lines: the line on which it begins
        start = max(block.data.find(quote) for quote in QUOTES)
        return block.line + block.data[:start].count(b"\n") if start >= 0 else block.end_line
    return block.end_line


def plain(value: Any) -> Any:
    """Return tables and lists as they are, with dates and times in them as ISO text, numbers of numpy as plain ones."""
    if hasattr(value, "tolist") and not hasattr(value, "keys"):
        return value.tolist()
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else value


def problem_lines(block: Block, problems: Sequence[Problem]) -> Iterator[int]:
    """Yield the line in the file of each problem: where its entry stands, else its key, else the table it lies in."""
    if not problems:
        return
    lines = block.data.decode("utf-8").split("\n")
    keys = _key_lines(lines)
    for problem in problems:
        path = tuple(problem.key.split("."))
        start = next((keys[path[:n]] for n in range(len(path), 0, -1) if path[:n] in keys), 0)
        yield block.line + _entry_line(lines, start, problem)


def _entry_line(lines: list[str], start: int, problem: Problem) -> int:
    """Return the index of the line with the entry in quotes, from `start` on, or `start` if it is not found."""
    left = problem.nth
    for number in range(start, len(lines) if problem.entry is not None else start):
        left -= sum(lines[number].count(f"{quote}{problem.entry}{quote}") for quote in "\"'")
        if left < 0:
            return number
    return start


def _key_lines(lines: list[str]) -> dict[tuple[str, ...], int]:
    """Return the first line of every key and table of a block, by its path within the deal or the head."""
    lines_by_key: dict[tuple[str, ...], int] = {}
    section: tuple[str, ...] = ()
    for number, line in enumerate(lines):
        head, key = re.match(SECTION, line), re.match(KEY, line)
        if head:
            section = tuple(part.strip(" \t\"'") for part in head[1].split("."))
            lines_by_key.setdefault(section[:1], number)
            section = section[1:] if section[0] == "deal" else section
            lines_by_key.setdefault(section, number)
        elif key:
            lines_by_key.setdefault((*section, *(part.strip(" \t\"'") for part in key[1].split("."))), number)
    return lines_by_key
