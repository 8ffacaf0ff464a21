"""SVG to PNG, a few at a time: a drawing takes a tenth of a second in which nothing else in the process runs.

Recent drawings are remembered by their content, so that an address with other parameters draws nothing anew.
"""

import unicodedata
import zlib
from functools import lru_cache
from hashlib import sha256
from threading import BoundedSemaphore, Lock
from xml.sax.saxutils import escape

from cachetools import LRUCache

from archive.web.drawing_library import load_vl_convert

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
