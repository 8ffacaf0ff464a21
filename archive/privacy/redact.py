"""Names erased from the bytes of a file, in whatever encoding it has, and from the parts of an office document."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable

Swap = Callable[[str], str]

ZIP = b"PK\x03\x04"
DEEPEST = 3  # levels of documents in documents
MARKS = (
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
WIDE = {"utf-32-le": 4, "utf-32-be": 4, "utf-16-le": 2, "utf-16-be": 2}  # bytes of a character
SOME = 4096  # bytes that are enough to see whether every other one is zero


def redact(raw: bytes, swap: Swap, depth: int = 0) -> bytes:
    """Return the bytes with `swap` applied to their text; the same bytes if it changes nothing. Lines keep their
    numbers as far as `swap` keeps them. Bytes that are no text stay as they are."""
    if raw.startswith(ZIP) and depth < DEEPEST:
        try:
            return _redact_document(raw, swap, depth)
        except (zipfile.BadZipFile, zlib.error, struct.error, OSError, RuntimeError, ValueError, EOFError):
            pass  # no document, in spite of its first bytes
    for encoding in encodings(raw):
        raw = _swap_text(raw, encoding, swap)
    return raw


def encodings(raw: bytes) -> tuple[str, ...]:
    """Return the encodings to try, one after another. Bytes that are not UTF-8 as a whole may be so in part."""
    for mark, encoding in MARKS:
        if raw.startswith(mark):
            return (encoding,)
    even, odd = raw[0:SOME:2], raw[1:SOME:2]
    if odd.count(0) > len(odd) // 3:
        return ("utf-16-le",)
    if even.count(0) > len(even) // 3:
        return ("utf-16-be",)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return ("utf-8", "cp1252")
    return ("utf-8",)


def _swap_text(raw: bytes, encoding: str, swap: Swap) -> bytes:
    whole = len(raw) - len(raw) % WIDE.get(encoding, 1)
    errors = "surrogatepass" if encoding.startswith("utf-16") else "surrogateescape"
    try:
        text = raw[:whole].decode(encoding, errors)
        swapped = swap(text)
        return raw if swapped == text else swapped.encode(encoding, errors) + raw[whole:]
    except UnicodeError:  # a byte order mark that is wrong
        return raw if encoding in ("utf-8", "cp1252") else _swap_text(raw, "cp1252", swap)


def _redact_document(raw: bytes, swap: Swap, depth: int) -> bytes:
    """Return a ZIP archive with `swap` applied to the text of its parts, their names and comments."""
    new = io.BytesIO()
    changed = False
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(new, "w") as out:
        for info in old.infolist():
            data = old.read(info)
            redacted, name = redact(data, swap, depth + 1), swap(info.filename)
            comment = redact(info.comment, swap, DEEPEST)
            part = zipfile.ZipInfo(name, info.date_time)
            part.compress_type, part.external_attr, part.comment = info.compress_type, info.external_attr, comment
            out.writestr(part, redacted)
            changed |= (data, info.filename, info.comment) != (redacted, name, comment)
        out.comment = redact(old.comment, swap, DEEPEST)
        changed |= out.comment != old.comment
    return new.getvalue() if changed else raw
