"""A picture of 1200 by 630 units, the size that messengers show: texts, cards and paths at their places; and from SVG
to PNG, a few at a time: a drawing takes a tenth of a second in which nothing else in the process runs.

Recent drawings are remembered by their content, so that an address with other parameters draws nothing anew.
"""

import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from threading import BoundedSemaphore, Lock
from xml.sax.saxutils import escape

from cachetools import LRUCache
from msgspec import Struct

from archive.text.dates import format_day
from archive.text.wording import Texts
from archive.web.deal.model import DealHeading
from archive.web.drawing_library import load_vl_convert, text_width

MOST_WAITING = 3  # requests that draw or wait; any more are asked to come again
MOST_BYTES = 8 * 2**20  # of all drawings that are remembered
BLANK = "\u25a1"  # for a sign that no font of this machine has
UNKNOWN = "\U0010fffd"  # which no font has
LATIN = 0x250  # the signs below are in the font that comes with the library
INVISIBLE = ("Mn", "Cf", "Zs", "Me")
JOINER, JOINERS = "\u200d", ("Cf", "Mn", "Me")
SIGNATURE = b"\x89PNG\r\n\x1a\n"

_places, _pen = BoundedSemaphore(MOST_WAITING), Lock()
_drawn: LRUCache[bytes, bytes] = LRUCache(MOST_BYTES, getsizeof=len)


def draw_png(svg: str) -> bytes | None:
    """Return an SVG that needs nothing from outside of itself as a PNG of its size; None if too many are being
    drawn."""
    key = sha256(svg.encode()).digest()
    if not _places.acquire(blocking=False):
        return None
    try:
        with _pen:
            if (known := _drawn.get(key)) is None:
                known = _drawn[key] = compress_png(_to_png(svg))
            return known
    finally:
        _places.release()


def _to_png(svg: str) -> bytes:
    return bytes(load_vl_convert().svg_to_png(svg))


def compress_png(png: bytes) -> bytes:
    """Return a PNG in half of its bytes: the drawing library compresses quickly rather than well."""
    parts, at = [], len(SIGNATURE)
    while at < len(png):
        length = int.from_bytes(png[at : at + 4])
        parts.append((png[at + 4 : at + 8], png[at + 8 : at + 8 + length]))
        at += length + 12
    data = zlib.compress(zlib.decompress(b"".join(part for kind, part in parts if kind == b"IDAT")))
    first = next(n for n, (kind, _) in enumerate(parts) if kind == b"IDAT")
    others = [part for part in parts if part[0] != b"IDAT"]
    whole = [*others[:first], (b"IDAT", data), *others[first:]]
    return SIGNATURE + b"".join(
        len(part).to_bytes(4) + kind + part + zlib.crc32(kind + part).to_bytes(4) for kind, part in whole
    )


def drawable(text: str) -> str:
    """Return a text with a blank box for each sign that no font of this machine has; one box for joined signs."""
    signs: list[str] = []
    joined = False
    for sign in text:
        if is_drawable(sign):
            joins = signs[-1:] == [BLANK] and unicodedata.category(sign) in JOINERS
            signs += [] if joins else [sign]
            joined = joins and sign == JOINER
        else:
            signs += [] if joined else [BLANK]
            joined = False
    return "".join(signs)


@lru_cache(4096)
def is_drawable(sign: str) -> bool:
    """Return whether a font of this machine has a sign."""
    if ord(sign) < LATIN or sign == BLANK or unicodedata.category(sign) in INVISIBLE:
        return True
    with _pen:
        return _sample(sign) != _sample(UNKNOWN)


@lru_cache(64)
def _sample(sign: str) -> bytes:
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">'
    return _to_png(f'{head}<text x="2" y="18" font-family="Liberation Sans" font-size="14">{escape(sign)}</text></svg>')


WIDTH, HEIGHT = 1200, 630
CARD = 94 / 60  # height of a card by its width
ISOLATES = dict.fromkeys(range(0x2066, 0x206A))

FELT, FELT_INK, FELT_SOFT, SHADE, BRASS = "#2f5f4a", "#f6f3e7", "#d9e5dc", "#234738", "#e6b54a"
PAPER, INK, SOFT, HAIR, GOOD = "#faf8f2", "#1d201c", "#5a5f55", "#dedacb", "#1c6340"


class Label(Struct, frozen=True, kw_only=True):
    """A text at a place, from there on (`start`), around it (`middle`) or up to it (`end`)."""

    text: str
    x: float
    y: float  # of the line that it stands on
    size: float
    fill: str
    anchor: str = "start"
    bold: bool = False
    struck: bool = False


class CardAt(Struct, frozen=True):
    """A card by its code; `face` if it is not known, `back` if it is not shown."""

    code: str
    x: float
    y: float
    width: float


class Drawn(Struct, frozen=True, kw_only=True):
    """A path, filled or as a line, moved and enlarged."""

    d: str
    fill: str = "none"
    stroke: str = "none"
    x: float = 0
    y: float = 0
    scale: float = 1


class Scene(Struct, frozen=True):
    """A picture: its ground, then paths, cards and texts, one above the other."""

    ground: str
    paths: tuple[Drawn, ...]
    cards: tuple[CardAt, ...]
    labels: tuple[Label, ...]
    width: int = WIDTH
    height: int = HEIGHT


def fit_text(text: str, room: float, size: float, bold: bool = False) -> str:
    """Return a text as far as there is room for it, the rest as an ellipsis."""
    text = drawable(" ".join(text.split()))
    if text_width(text, size, bold) <= room:
        return text
    while text and text_width(f"{text}…", size, bold) > room:
        text = text[:-1]
    return f"{text.rstrip()}…" + "\u2069" * (text.count("\u2068") - text.count("\u2069"))


def heading(
    words: tuple[str, str, str],
    inks: tuple[str, str, str],
    title_at: tuple[int, int],
    facts_at: tuple[int, int],
    edge: int,
    width: int = WIDTH,
    site_size: int = 26,
) -> Iterator[Label]:
    """Yield the title of a picture, the facts below it and the name of the site at the end of its line, in these
    colours; `title_at` and `facts_at` are the size of the letters and the line that they stand on."""
    (title, facts, site), (title_ink, facts_ink, site_ink), room = words, inks, width - 2 * edge
    (size, y), (small, below) = title_at, facts_at
    title = fit_text(title, room - text_width(site, site_size) - 20, size, True)
    yield Label(text=title, x=edge, y=y, size=size, fill=title_ink, bold=True)
    yield Label(text=fit_text(facts, room, small), x=edge, y=below, size=small, fill=facts_ink)
    yield Label(text=site, x=width - edge, y=y, size=site_size, fill=site_ink, anchor="end")


def heading_words(of: DealHeading, t: Texts) -> tuple[str, str, str]:
    """Return the title of a deal, where and when it was, and the name of the site."""
    day = format_day(of.place.date, t) if of.place.date else ""
    facts = " · ".join(filter(None, (of.session, day)))
    return t["deal_is"].format(number=of.number, game=of.title), facts, t["site"]


def wrap_text(text: str, room: float, size: float, most: int) -> list[str]:
    """Return a text on lines of that width, at most `most` of them."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > room and len(lines) < most:
            lines.append(word)
        else:
            lines[-1] = longer
    return [fit_text(line, room, size) for line in lines if line]


def fit_name(name: str, room: float, sizes: Sequence[float]) -> tuple[str, float]:
    """Return a name that stands alone, in the largest of some sizes for which there is room; shortened if there is room
    for none."""
    name = drawable(plain_name(name))
    size = next((each for each in sizes if text_width(name, each, True) <= room), sizes[-1])
    return fit_text(name, room, size, True), size


def plain_name(text: str) -> str:
    """Return a name that stands alone, without the signs that keep its direction to itself."""
    return text.translate(ISOLATES)


def fan(codes: Sequence[str], x: float, y: float, width: float, room: float, before: float) -> Iterable[CardAt]:
    """Return cards one over the other in a `room`; `before` is the part of them that lies left of x, from 0 to 1."""
    step = min(width * 0.62, (room - width) / max(1, len(codes) - 1))
    left = x - before * (step * (len(codes) - 1) + width) if codes else x
    return (CardAt(code, round(left + n * step, 1), y, width) for n, code in enumerate(codes))
