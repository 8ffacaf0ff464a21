"""The damage that people, programs and chance do to a file. Each kind is a function of a random source, the bytes, and
other files whose parts may get into it; all return bytes, of any kind."""

import re
import zipfile
from collections.abc import Callable, Sequence
from io import BytesIO
from random import Random

from archive.cli.unpack import damages

Pool = Sequence[bytes]
Mutation = Callable[[Random, bytes, Pool], bytes]

TOKEN = re.compile(rb"[\w-]+|[^\w\s]")
NUMBER = re.compile(rb"\d+")
VALUE = re.compile(rb'"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null')
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "cp1252", "latin-1", "cp437", "mac-roman", "utf-7")
NUMBERS = (b"0", b"-1", b"1", b"99", b"2147483648", b"9007199254740993", b"9" * 30, b"9" * 5000, b"1.5", b"1e9", b"nan")
VALUES = (b"null", b"true", b"[]", b"{}", b'""', b"-1", b"1e400", b'"\\ud800"', b'[[["a"]]]', b'{"a": null}', b"0.1")
TEXTS = (
    b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\x0b", b"\xe2\x80\xa8", b"\xc2\x85", b"\xc2\xa0", b"\x1b[0m", b"&nbsp;",
    b'"', b"'", b'"""', b"\\", b"#", b";", b",", b"<", b">", b"{", b"}", b"[", b"]", b"[[deal]]\n", b"??", b"Ramsch",
    b"&#0;", b"\xc2\xb2", b"\xd9\xa3",
)  # fmt: skip
ZIP = b"PK\x03\x04"


def span(rng: Random, data: bytes) -> slice:
    """Return a part of the bytes, short ones more often."""
    start = rng.randrange(len(data) + 1)
    return slice(start, start + rng.choice((1, 2, 4, 16, 64, 256, len(data))))


def within(rng: Random, data: bytes, pattern: re.Pattern[bytes], other: bytes) -> bytes:
    """Return the bytes with one place that fits a pattern replaced."""
    places = [match.span() for match in pattern.finditer(data)]
    if not places:
        return data
    start, end = rng.choice(places)
    return data[:start] + other + data[end:]


def flipped(rng: Random, data: bytes, _pool: Pool) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8)) if data else 0):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def deleted(rng: Random, data: bytes, _pool: Pool) -> bytes:
    part = span(rng, data)
    return data[: part.start] + data[part.stop :]


def doubled(rng: Random, data: bytes, _pool: Pool) -> bytes:
    part = span(rng, data)
    return data[: part.stop] + data[part] * rng.choice((1, 1, 2, 20)) + data[part.stop :]


def moved(rng: Random, data: bytes, _pool: Pool) -> bytes:
    part, at = span(rng, data), rng.randrange(len(data) + 1)
    return data[:at] + data[part] + data[at:]


def inserted(rng: Random, data: bytes, _pool: Pool) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice((*TEXTS, rng.randbytes(rng.choice((1, 3, 40))))) + data[at:]


def cut(rng: Random, data: bytes, _pool: Pool) -> bytes:
    at = rng.randrange(len(data) + 1)
    return rng.choice((data[:at], data[at:]))


def spliced(rng: Random, data: bytes, pool: Pool) -> bytes:
    """Return a part of another file in it, or after it."""
    other = rng.choice(pool)
    at = rng.choice((len(data), rng.randrange(len(data) + 1)))
    return data[:at] + other[span(rng, other)] + data[at:]


def lines_changed(rng: Random, data: bytes, pool: Pool) -> bytes:
    """Return the bytes with lines left out, repeated, exchanged, joined, or taken from another file."""
    lines, other = data.splitlines(keepends=True), rng.choice(pool).splitlines(keepends=True)
    if not lines:
        return data
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(6)
    if kind == 0:
        del lines[one]
    elif kind == 1:
        lines.insert(two, lines[one])
    elif kind == 2:
        lines[one], lines[two] = lines[two], lines[one]
    elif kind == 3:
        lines[one] = lines[one].rstrip()
    elif kind == 4:
        lines.insert(one, rng.choice(other) if other else b"\n")
    else:
        rng.shuffle(lines)
    return b"".join(lines)


def a_token_changed(rng: Random, data: bytes, pool: Pool) -> bytes:
    """Return the bytes with one word replaced by another, of this file or of another."""
    words = TOKEN.findall(rng.choice((data, rng.choice(pool))))
    return within(rng, data, TOKEN, rng.choice(words)) if words else data


def a_number_changed(rng: Random, data: bytes, _pool: Pool) -> bytes:
    return within(rng, data, NUMBER, rng.choice(NUMBERS))


def a_value_changed(rng: Random, data: bytes, _pool: Pool) -> bytes:
    return within(rng, data, VALUE, rng.choice(VALUES))


def recoded(rng: Random, data: bytes, _pool: Pool) -> bytes:
    """Return the bytes saved in another encoding."""
    text = data.decode(rng.choice(("utf-8", "cp1252", "utf-16")), "replace")
    return text.encode(rng.choice(ENCODINGS), "replace")


def other_ends(rng: Random, data: bytes, _pool: Pool) -> bytes:
    return rng.choice((b"\r\n", b"\r", b"\n\n", b"\x0c", b" ")).join(data.split(b"\n"))


def random(rng: Random, data: bytes, _pool: Pool) -> bytes:
    return rng.randbytes(rng.randrange(200))


MUTATIONS: tuple[Mutation, ...] = (
    flipped, deleted, doubled, moved, inserted, cut, spliced, lines_changed, lines_changed, a_token_changed,
    a_token_changed, a_number_changed, a_value_changed, recoded, other_ends, random,
)  # fmt: skip


def mutated(rng: Random, data: bytes, pool: Pool, largest: int) -> bytes:
    """Return the bytes after one to five mutations of them, at most `largest` of them; a workbook is damaged inside."""
    for _ in range(rng.choice((1, 1, 2, 3, 5))):
        change = rng.choice(MUTATIONS)
        if data.startswith(ZIP) and rng.random() < 0.95:
            data = in_zip(rng, data, pool, change)
        else:
            data = change(rng, data, pool)
    return data if data.startswith(ZIP) else data[:largest]


def in_zip(rng: Random, data: bytes, pool: Pool, change: Mutation) -> bytes:
    """Return a ZIP archive with one of its members changed, or left out."""
    packed = BytesIO()
    try:
        with zipfile.ZipFile(BytesIO(data)) as before, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as after:
            names = before.namelist()
            chosen = rng.choice(names)
            for name in names:
                text = before.read(name)
                if name != chosen:
                    after.writestr(name, text)
                elif rng.random() < 0.95:
                    after.writestr(name, change(rng, text, pool))
    except damages():  # from outside, before
        return change(rng, data, pool)
    return packed.getvalue()


# --- large files ------------------------------------------------------------------------------------------------------

NASTY = (
    b"[", b"{", b"(", b'{"a":', b"[[", b"[[deal]]\n", b'"', b'"""', b"'''", b"\\", b"a", b"9", b" ", b"\n", b"\t",
    b"\r\n", b"\0", b"\xff", b";", b",", b"a,", b"a;b\n", b"a = ", b"a = 1\n", b"a.", b"<div>", b"<table><tr><td>",
    b"<a href=#", b"</p>", b"<!--", b"&amp;", b"&#65;", b"EO GO HO ", b"E", b"_ ", b":", b": ", b"#", b"# ", b"a: b\n",
    b"Ben: EO\n", b'"a",\n', b"{}\n", b"[]\n", b"null\n", b"\xc3", b"\xef\xbb\xbf", b"1.", b"1 ", b"-", b"- ", b" x",
    b"\xa0", b"Spiel #1", b"spielt ", b"von ", b"mit ",
)  # fmt: skip


def repeated(size: int, unit: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
    """Return a text of about so many bytes, a unit repeated."""
    return before + unit * max(1, (size - len(before) - len(after)) // len(unit)) + after


def nasty(seed: bytes) -> list[tuple[str, bytes, bytes, bytes]]:
    """Return ways to make a large file out of a good one, as arguments of `repeated` after a name and a size: repeat
    it; repeat each of its lines, with and without the break at its end; repeat its words, blanks and last letter."""
    lines = list(dict.fromkeys(seed.splitlines(keepends=True)))
    variants = [("the whole", seed, b"", b"")]
    for number, line in enumerate(lines, 1):
        bare, head, tail = line.strip(), b"".join(lines[: number - 1]), b"".join(lines[number:])
        if bare:
            middle = len(bare) // 2
            variants += [
                (f"line {number} again and again", line, head, tail),
                (f"line {number} in one line", bare, head, b"\n" + tail),
                (f"line {number} with words", bare.split()[0] + b" ", head, b"\n" + line + tail),
                (f"line {number} with blanks", b" ", head + bare[:middle], bare[middle:] + b"\n" + tail),
                (f"line {number} that ends", bare[-1:], head + bare, b"\n" + tail),
            ]
    return variants
