"""Archives without a deal. Making one takes every step of the schema; here that is done once and the file is copied."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from archive.store import Database, open_archive


@cache
def empty_archive_bytes() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "archive.db"
        open_archive(path).close()
        return path.read_bytes()


def open_empty_archive(path: Path) -> Database:
    """Return an archive without a deal at this path, open for writing."""
    path.write_bytes(empty_archive_bytes())
    return open_archive(path)


@contextmanager
def empty_archives(count: int = 1) -> Iterator[list[Database]]:
    """Yield so many archives without a deal, gone at the end; for tests that need new ones for each example."""
    with TemporaryDirectory() as folder:
        archives = [open_empty_archive(Path(folder) / f"{number}.db") for number in range(count)]
        yield archives
        for db in archives:
            db.close()
