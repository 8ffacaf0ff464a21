"""The lines of a text file, whatever program and encoding it was saved with."""

import codecs
import re
from unicodedata import normalize

WIDE_BOMS = {  # those of UTF-32 first: one of them begins as one of UTF-16
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}
PROBE = 512  # bytes from which UTF-16 is recognised
UNSEEN = dict.fromkeys(  # soft hyphens, blanks and marks without a width, marks of the direction of writing
    (0xAD, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF)
)
BEHIND = "\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"  # what the other bytes of a letter become in cp1252 and Latin-1
TWICE = f"[ÂÃ][{BEHIND}]|â[{BEHIND}]{{2}}"  # UTF-8 that was taken for cp1252 or Latin-1 and encoded again
COPIED_PAGE = (  # a line of a game of sauspiel.de, or of a list of them, whose text was copied
    rb"(?m)^\W{0,9}(?:Spiel #[\d.]{7,15}, vom |#\d{7,12} - \d\d\.\d\d\.\d{4}|\d\. Stich[ \t\r]*$|Kontra und Retour\b)"
)
FENCED = rb"(?s)\A```[\w+-]*[ \t]*\r?(\n.*\n)[ \t]*```\s*\Z"  # as a page or a chat shows a file
QUOTED = rb"(?:> ?)+"  # before the lines of a letter that is answered
NUMBERED = re.compile(rb"[ \t]*(\d{1,6})(?: ?[|:.)]|\]|(?=[ \t])|$)[ \t]?")  # before the lines of a listing
STAMPED = (  # day and clock before the lines of a log or a chat
    rb"[\[(]?(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})?[T, ]{0,2}"
    rb"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,6})?Z?[\])]?(?: -)?(?: |$)"
)
SPOKEN = rb"<[^<>]{1,60}> ?|[^:]{1,60}: ?"  # who pasted them, in all lines the same
LEGEND = re.compile(r"(?:legende|legend|abkürzungen|abk\.?|kürzel|zeichen|abbreviations|key)\s*:\s*", re.IGNORECASE)
OF_DEAL_NUMBER = re.compile(  # words about a deal before them
    r"(?:(?:zu|bei|in|das|im|re)\s)?(?:(?:spiel|partie|sp|game|deal|nr)\.?\s?\d{1,3}\b"
    r"|\d{1,3}\. ?(?:spiel|game|deal)\b)\W*(?=[^\W\d_])",
    re.IGNORECASE,
)
FEWEST = 3  # lines with the same before them that are a margin
ENDS = "\0\x1a"  # zero bytes, and the sign that ends a text of DOS: behind the last line


def numbered_lines(data: bytes) -> list[tuple[int, str]]:
    """Return the lines that are not blank, with their numbers from 1, without the blanks around them.

    A byte order mark names the encoding; else each line is UTF-8, or, failing that, cp1252: line by line, so that a cut
    or damaged character costs its own line and not every umlaut of the file."""
    texts = (decode_line(raw).strip().rstrip(ENDS) for raw in as_utf8(data).splitlines())
    return [(number, text) for number, text in enumerate(texts, 1) if text]


def as_utf8(data: bytes, errors: str = "replace") -> bytes:
    """Return the bytes without byte order marks, of which each program may add one; UTF-16 and UTF-32 as UTF-8, and
    \\r as \\n where no line ends otherwise, as on old systems. Raises UnicodeDecodeError if `errors` is `strict`."""
    if encoding := wide_encoding(data):
        data = data.decode(encoding, errors).encode()
    while data.startswith(codecs.BOM_UTF8):
        data = data.removeprefix(codecs.BOM_UTF8)
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def wide_encoding(data: bytes) -> str | None:
    """Return the name of the UTF-16 or UTF-32 of a text, or None if it is none; zero bytes reveal a UTF-16 without a
    mark."""
    if encoding := next((name for name, marks in WIDE_BOMS.items() if data.startswith(marks)), None):
        return encoding
    even, odd = data[:PROBE:2], data[1:PROBE:2]
    for zeros, others, encoding in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if len(zeros) > 1 and zeros.count(0) * 10 > len(zeros) * 9 and 0 not in others:
            return encoding
    return None


def whole_utf8(data: bytes) -> bytes:
    """Return the bytes as `as_utf8` does; UTF-16 and UTF-32 that are damaged, as they are."""
    try:
        return as_utf8(data, "strict")
    except UnicodeDecodeError:
        return data


def decode_file(data: bytes) -> str:
    """Return the text of a whole file by the same rule, line by line; line breaks become \\n."""
    return "\n".join(decode_line(raw) for raw in as_utf8(data).splitlines())


def without_margin(data: bytes) -> bytes | None:
    """Return a text without its fence, or what a program has put before each line: their numbers, day and clock, or the
    signs of a quotation, above which the letter may go on. Every line keeps its place. None if there is none."""
    if fenced := data.startswith(b"```") and re.match(FENCED, data):
        return fenced[1]
    lines = [line.rstrip(b"\r") for line in as_utf8(data).split(b"\n")]
    full = [(place, line) for place, line in enumerate(lines) if line.strip()]
    numbers = [match for _, line in full if (match := NUMBERED.match(line))]
    if len(numbers) == len(full) >= FEWEST:
        values = [int(match[1]) for match in numbers]
        by_line = {value - place for value, (place, _) in zip(values, full, strict=True)}
        in_turn = {value - place for place, value in enumerate(values)}
        if len(by_line) == 1 or len(in_turn) == 1:
            return b"\n".join(NUMBERED.sub(b"", line, count=1) for line in lines)
    if len(full) >= FEWEST and all(b":" in line and re.match(STAMPED, line) for _, line in full):
        bare = [re.sub(STAMPED, b"", line, count=1) for line in lines]
        names = {match[0].strip() if (match := re.match(SPOKEN, line)) else b"" for line in filter(bytes.strip, bare)}
        name = names.pop() if len(names) == 1 else b""
        return b"\n".join(line.removeprefix(name).removeprefix(b" ") for line in bare)
    quoted = sum(line.startswith(b">") for _, line in full)
    if quoted >= FEWEST and quoted * 2 > len(full):
        return b"\n".join(re.sub(QUOTED, b"", line, count=1) if line.startswith(b">") else line for line in lines)
    return None


def shown_text(text: str) -> str:
    """Return a text as it is seen: without the signs that have no width, which programs put in to break words, and with
    each letter as one sign, also if a system writes its dots as another."""
    return text if text.isascii() else normalize("NFC", text.translate(UNSEEN))


def on_one_line(text: str) -> str:
    """Return a text on one line, with single blanks, as a browser shows it."""
    return " ".join(text.split())


def decode_line(raw: bytes) -> str:
    """Return the text of one line as it is seen; a letter that was encoded twice, `JÃ¼rgen`, is that letter."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return shown_text(raw.decode("cp1252", "backslashreplace"))
    if {"Â", "Ã", "â"}.isdisjoint(text):
        return shown_text(text)

    def encoded_once(match: re.Match[str]) -> str:
        encoded = (letter.encode("latin-1" if letter < "\u0100" else "cp1252") for letter in match[0])
        return b"".join(encoded).decode("utf-8", "replace")

    return shown_text(re.sub(TWICE, encoded_once, text))
