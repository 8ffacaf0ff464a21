"""Shards: which there are, the number that each keeps, and the lines in it."""

import gzip
import json
import os
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from archive.say import Message, message
from archive.scale import ScaleError

ENDINGS = (".jsonl", ".jsonl.gz", ".parquet")
COLUMNS = ("record", "line")  # of a Parquet file, the one with the record lines; else its only one with texts
MOST = 2 << 30  # bytes of text that a shard may have
BOOK = "shards.json"
ASIDE = ".aside"  # where shards are written before they are moved into place
LOCAL = 32  # bits of an id that count within a shard; the number of the shard stands above them
GREATEST = (1 << 31) - 1


class UnreadableError(Exception):
    """A shard whose text cannot be had, however often one tries: a finding, with its rule and why."""

    def __init__(self, rule: str, why: Message) -> None:
        super().__init__(why)
        self.rule, self.why = rule, why


class Book(Struct, frozen=True):
    """What stands in `shards.json`: where the shards came from, and the number of each by its name in that folder. A
    number is given once and never changed, since ids are made of it."""

    input: str
    numbers: dict[str, int]


def folder_of(number: int) -> str:
    """The folder of a shard's tables, as Parquet readers know partitions."""
    return f"shard={number:06}"


# --- which there are --------------------------------------------------------------------------------------------------


def shards_in(folder: Path) -> tuple[dict[str, Path], int]:
    """The shards of a folder and its folders by their names in it, in order, and how many files there are besides.
    Raises ScaleError where there is none."""
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
        raise ScaleError(f"{folder} holds no shard; shards are files that end in {', '.join(ENDINGS)}.")
    return {name: shards[name] for name in sorted(shards)}, others


def book_of(out: Path) -> Book | None:
    """The numbers that an earlier run gave; None where there was none. Raises ScaleError where they cannot be read."""
    try:
        return msgspec.json.decode((out / BOOK).read_bytes(), type=Book)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise ScaleError(f"{out / BOOK} cannot be read: {error}.") from None


def input_of(out: Path) -> Path:
    """The folder that the shards came from."""
    book = book_of(out)
    return Path(book.input) if book else out


def number_shards(out: Path, folder: Path, names: list[str]) -> Book:
    """The book with a number for every shard, written before any work is done, so that an interrupted run has it."""
    known = book_of(out)
    numbers = dict(known.numbers) if known else {}
    last = max(numbers.values(), default=0)
    for name in names:
        if name not in numbers:
            last += 1
            numbers[name] = last
    if last > GREATEST:
        raise ScaleError(f"{out} has more than {GREATEST} shards.")
    book = Book(str(folder.absolute()), numbers)
    if book != known:
        aside = out / f"{BOOK}.new"
        aside.write_text(json.dumps(msgspec.to_builtins(book), ensure_ascii=False, indent=1) + "\n", "utf-8")
        aside.replace(out / BOOK)
    return book


# --- the lines of one -------------------------------------------------------------------------------------------------


def text_of(name: str, data: bytes) -> bytes:
    """The record lines of a shard, given its bytes. Raises UnreadableError."""
    if name.endswith(".parquet"):
        text = _of_parquet(data)
    elif name.endswith(".gz"):
        try:
            with gzip.GzipFile(fileobj=BytesIO(data)) as packed:
                text = packed.read(MOST + 1)
        except (OSError, EOFError, zlib.error):
            raise UnreadableError("not-unpacked", message("cli.damaged")) from None
    else:
        text = data
    if len(text) > MOST:
        raise UnreadableError("file-unreadable", message("cli.too-large", n=MOST >> 30))
    return text


def _of_parquet(data: bytes) -> bytes:
    """A line for every row, so that a line is the number of a row; a row without a record is a blank line."""
    import pyarrow  # type: ignore[import-untyped]  # it ships no types
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(BytesIO(data))
        column = _column(file.schema_arrow)
        lines: list[bytes] = []
        for batch in file.iter_batches(columns=[column]):
            lines += map(_one_line, batch.column(0).to_pylist())
    except (pyarrow.ArrowException, OSError):
        raise UnreadableError("not-unpacked", message("cli.damaged")) from None
    return b"\n".join([*lines, b""])


def _column(schema: Any) -> str:
    from pyarrow import types

    is_text = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    texts = [each.name for each in schema if any(of(each.type) for of in is_text)]
    named = [name for name in COLUMNS if name in texts]
    if not named and len(texts) != 1:
        raise UnreadableError("file-unreadable", message("cli.no-column", column=COLUMNS[0]))
    return named[0] if named else texts[0]


def _one_line(value: str | bytes | None) -> bytes:
    """A record on one line: in JSON a line break can only stand between two words of it."""
    text = value.encode() if isinstance(value, str) else value or b""
    return text.replace(b"\r", b" ").replace(b"\n", b" ")
