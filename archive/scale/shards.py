"""Shards: which there are, the number that each keeps, and its lines."""

import gzip
import os
import zlib
from io import BytesIO
from itertools import count
from pathlib import Path

import msgspec
from msgspec import Struct

from archive.record import Finding, Source, finding
from archive.say import message, why_refused
from archive.scale import ScaleError

ENDINGS = (".jsonl", ".jsonl.gz", ".parquet")
COLUMNS = ("record", "line")  # in a Parquet file, the column of the record lines; else its only one with texts
MOST = 2 << 30  # bytes of text that a shard may have
BOOK = "shards.json"
ASIDE = ".aside"  # where shards are written before they are moved into place
LOCAL = 32  # bits of an id that count within a shard; the number of the shard stands above them
GREATEST = (1 << 31) - 1


class Book(Struct, frozen=True):
    """The contents of `shards.json`: the folder of the shards, and the number of each by its name there. A number is
    given once and never changed, since ids are made from it."""

    input: str
    numbers: dict[str, int]


def folder_of(number: int) -> str:
    """Return the folder of a shard's tables, named as Parquet readers name partitions."""
    return f"shard={number:06}"


# --- the shards of a folder -------------------------------------------------------------------------------------------


def shards_in(folder: Path) -> tuple[dict[str, Path], int]:
    """Return the shards of a folder and its subfolders by relative name, in order, and the number of other files. Raise
    ScaleError if there are none."""
    shards, others = {}, 0
    for place, below, names in os.walk(folder):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in names:
            path = Path(place, name)
            if name.endswith(ENDINGS) and not name.startswith("."):
                shards[path.relative_to(folder).as_posix()] = path
            else:
                others += 1
    if not shards:
        raise ScaleError(message("refused.no-shard", folder=folder, endings=ENDINGS))
    return {name: shards[name] for name in sorted(shards)}, others


def book_of(out: Path) -> Book | None:
    """Return the numbers given by an earlier run; None if there was none. Raise ScaleError if they cannot be read."""
    try:
        return msgspec.json.decode((out / BOOK).read_bytes(), type=Book)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise ScaleError(message("refused.not-read", path=out / BOOK, why=why_refused(error))) from None


def number_shards(out: Path, folder: Path, names: list[str]) -> Book:
    """Return the book with a number for every shard, written before any other work. Raise ScaleError if they are too
    many."""
    known = book_of(out)
    numbers = dict(known.numbers) if known else {}
    fresh = count(max(numbers.values(), default=0) + 1)
    numbers |= {name: next(fresh) for name in names if name not in numbers}
    if max(numbers.values(), default=0) > GREATEST:
        raise ScaleError(message("refused.too-many-shards", folder=out, most=GREATEST))
    book = Book(str(folder.absolute()), numbers)
    if book != known:
        aside = out / f"{BOOK}.new"
        aside.write_bytes(msgspec.json.format(msgspec.json.encode(book), indent=1) + b"\n")
        aside.replace(out / BOOK)
    return book


# --- the lines of a shard ---------------------------------------------------------------------------------------------


def text_of(name: str, data: bytes, source: Source) -> bytes | Finding:
    """Return the record lines of a shard from its bytes, or a finding on why it can never be read."""
    if name.endswith(".parquet"):
        text = _of_parquet(data, source)
    elif name.endswith(".gz"):
        try:
            with gzip.GzipFile(fileobj=BytesIO(data)) as packed:
                text = packed.read(MOST + 1)
        except (OSError, EOFError, zlib.error):
            return finding("not-unpacked", source, why=message("cli.damaged"))
    else:
        text = data
    if isinstance(text, bytes) and len(text) > MOST:
        return finding("file-unreadable", source, why=message("cli.too-large", n=MOST >> 30))
    return text


def _of_parquet(data: bytes, source: Source) -> bytes | Finding:
    """Return a line for every row, so that line numbers are row numbers; a row without a record is a blank line."""
    import pyarrow  # type: ignore[import-untyped]  # it ships no types
    from pyarrow import parquet, types

    is_text = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    try:
        file = parquet.ParquetFile(BytesIO(data))
        texts = [each.name for each in file.schema_arrow if any(of(each.type) for of in is_text)]
        named = [name for name in COLUMNS if name in texts]
        if not named and len(texts) != 1:
            return finding("file-unreadable", source, why=message("cli.no-column", column=COLUMNS[0]))
        batches = file.iter_batches(columns=[(named or texts)[0]])
        return b"".join(_one_line(each) for batch in batches for each in batch.column(0).to_pylist())
    except (pyarrow.ArrowException, OSError):
        return finding("not-unpacked", source, why=message("cli.damaged"))


def _one_line(value: str | bytes | None) -> bytes:
    """Return a record on one line: in JSON a line break can only stand between two words."""
    text = value.encode() if isinstance(value, str) else value or b""
    return text.replace(b"\r", b" ").replace(b"\n", b" ") + b"\n"
