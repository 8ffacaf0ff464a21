"""From a path to bytes: a file as it stands, or the files in a ZIP or gzip archive; each recognised by content.

Nothing here raises and nothing waits: a file that cannot be read is a finding in its place, and its neighbours are
kept. Sizes that an archive declares are not believed beyond what is read.
"""

import fnmatch
import re
import stat
import sys
import warnings
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import category

import click
from msgspec import Struct

from archive.cli.language import cli_text, of_environment
from archive.cli.mails import is_mail, parts_of_mail
from archive.record import Finding, Source, finding
from archive.say import Message, message, why_refused

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

STDIN = Path("<stdin>")  # this very object stands for standard input, and is shown as its name
GIB = 2**30
ONE = GIB  # bytes of one file
TOTAL = 8 * GIB  # bytes that come out of one archive
MEMBERS = 200_000  # files that come out of one archive
RATIO = 400  # a file may be so many times larger than when packed; text is hardly ever above 100
SMALL = 2**20  # bytes that a file may have, however small it is packed
MOST_NAMED = 12  # files passed over
DEEPEST = 2  # levels of archives in archives

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
GZIP = b"\x1f\x8b"
DATABASE = b"SQLite format 3\0"
OTHERS = {
    b"7z\xbc\xaf\x27\x1c": "7-Zip", b"Rar!\x1a\x07": "RAR", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "Zstandard",
    b"BZh91AY&SY": "bzip2",
}  # fmt: skip
TAR, TAR_AT, BLOCK = b"ustar", slice(257, 262), 512  # bytes of a head, of which some are zero
DOCUMENTS = ("[Content_Types].xml", "mimetype")  # a ZIP with one of these is a sheet or a text of an office program
NO_FILE = {
    stat.S_IFIFO: "pipe", stat.S_IFCHR: "device", stat.S_IFBLK: "device", stat.S_IFSOCK: "socket",
}  # fmt: skip
ENCRYPTED = 1  # flag of a member
FOREIGN = (  # names of files that are no records: of the desktop, an open office program, archives, pictures
    *("thumbs.db", "desktop.ini", "icon\r", "~$*"),
    *("archive.db*", "*.db", "*.db-wal", "*.db-shm", "*.db-journal", "*.sqlite"),
    *("*.png", "*.jpg", "*.jpeg", "*.gif", "*.webp", "*.heic", "*.svg", "*.ico"),
)
PAGE_FOLDERS = ("_files", "-files", "_dateien", "-dateien")  # beside a web page that was saved
PAGE_PARTS = (*(".css", ".js", ".woff", ".woff2", ".ttf", ".map", ".download"),)
UNSHOWN = ("Cc", "Cs")  # control characters, and bytes that are no text
# Once and for all, since removing a filter removes it from other threads too; what is wrong is a finding.
warnings.filterwarnings("ignore", "Overlapped entries")


class Raw(Struct, frozen=True):
    """The bytes of a file, by the path that is shown for it; or a finding why they cannot be read."""

    path: str
    data: bytes = b""
    finding: Finding | None = None


def is_skipped(name: str) -> bool:
    """Return whether a file in a folder or an archive is passed over, by its path within: it is hidden, or describes
    others."""
    *_, last = parts = name.split("/")
    hidden = any(part.startswith(".") or part == "__MACOSX" for part in parts)
    return hidden or is_beside(last) or last.endswith(".expected") or is_foreign(name)


def is_beside(name: str) -> bool:
    """Return whether a file says how the score sheets beside it are read, by its name."""
    return name == "columns.toml" or name.endswith(".columns.toml")


def is_foreign(name: str) -> bool:
    """Return whether a file in a folder is plainly no record: of the desktop, of an open office program, a picture,
    part of a saved web page, or one of our archives."""
    last = name.casefold().rpartition("/")[2]
    of_page = last.endswith(PAGE_PARTS) and is_beside_page(name)
    return of_page or any(fnmatch.fnmatchcase(last, each) for each in FOREIGN)


def is_beside_page(name: str) -> bool:
    """Return whether a file lies in the folder that a browser saves beside a web page."""
    return any(folder.endswith(PAGE_FOLDERS) for folder in name.casefold().split("/")[:-1])


def raw_files(path: Path) -> Iterator[Raw]:
    """Yield the file at `path`, or standard input, or the files in it if it is an archive, in the order of their names.
    A path whose reading might never end is not read."""
    shown, data = printable(str(path)), b""
    why: Message | str | None = None
    try:
        kind = stat.S_IFREG if path is STDIN else stat.S_IFMT(path.stat().st_mode)
        if kind in NO_FILE:
            why = message(f"cli.{NO_FILE[kind]}")
        elif path is STDIN:
            data = sys.stdin.buffer.read(ONE + 1) if sys.stdin else b""
        else:
            with path.open("rb") as file:
                data = file.read(ONE + 1)
            if data.startswith(DATABASE) and len(data) <= ONE:
                data = _with_log(path, data)
    except OSError as error:
        why = why_refused(error)
    except MemoryError:
        why = message("cli.no-memory")
    if len(data) > ONE:
        why = message("cli.too-large", n=ONE // GIB)
    if why is not None:
        yield _refusal("file-unreadable", shown, why)
        return
    files = size = 0
    for raw in unpack_file(shown, data):
        files, size = files + 1, size + len(raw.data)
        if raw.data is not data and (files > MEMBERS or size > TOTAL):
            why = message("cli.too-many-files", n=MEMBERS, size=TOTAL // GIB)
            yield _refusal("not-unpacked", shown, why)
            return
        yield raw


def _with_log(path: Path, data: bytes) -> bytes:
    """Return a database with what is still in the log beside it; as it is if there is none, or none that fits. Copies
    are opened, so that nothing is written beside the file."""
    log = Path(f"{path}-wal")
    if not log.is_file() or not 0 < log.stat().st_size <= ONE:
        return data
    import sqlite3  # here, as below, since hardly any file is a database
    import tempfile
    from contextlib import closing

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy.db")
        copy.write_bytes(data)
        Path(folder, "copy.db-wal").write_bytes(log.read_bytes())
        try:
            with closing(sqlite3.connect(copy)) as conn:
                conn.execute("SELECT count(*) FROM sqlite_master").fetchone()
                return conn.serialize()
        except sqlite3.Error:
            return data


def unpack_file(path: str, data: bytes, depth: int = 0) -> Iterator[Raw]:
    """Yield a file as it stands, or the files that it holds."""
    other = next((name for magic, name in OTHERS.items() if data.startswith(magic)), None)
    if b"\0" in data[:BLOCK] and is_tar(data):
        other = "tar"
    if other:
        yield _refusal("not-unpacked", path, message("cli.packed", what=other))
    elif is_mail(data):
        yield from _mail(path, data, depth)
    elif not data.startswith((*ZIP, GZIP)):
        yield Raw(path, data)
    elif depth == DEEPEST:
        yield _refusal("not-unpacked", path, message("cli.nested", n=DEEPEST + 1))
    else:
        yield from _gzip(path, data, depth) if data.startswith(GZIP) else _zip(path, data, depth)


def _mail(path: str, data: bytes, depth: int) -> Iterator[Raw]:
    """Yield what a mail holds, or the mail itself if there is nothing in it that may be a game."""
    parts = [(name, content) for name, content in parts_of_mail(data) if not is_skipped(name)]
    if not parts or depth == DEEPEST:
        yield Raw(path, data)
        return
    for name, content in parts:
        yield from unpack_file(f"{path}/{printable(name)}", content, depth + 1)


def damages() -> tuple[type[Exception], ...]:
    """Return the exceptions that unpacking any bytes may raise."""
    import lzma
    import struct
    import zipfile
    import zlib

    ours = (OSError, EOFError, RuntimeError, ValueError, OverflowError, MemoryError, IndexError)
    return (zipfile.BadZipFile, lzma.LZMAError, zlib.error, struct.error, *ours)


def is_packed(data: bytes) -> bool:
    """Return whether a file is not simply a text, by its first bytes."""
    return data.startswith((*ZIP, GZIP, *OTHERS)) or is_tar(data)


def is_tar(data: bytes) -> bool:
    """Return whether a file is a tar archive; one of the oldest kind is known by the sum of its head alone."""
    told, rest = data[148:156].strip(b" \0"), data[:148] + b" " * 8 + data[156:BLOCK]
    summed = len(rest) == BLOCK and re.fullmatch(rb"[0-7]{1,7}", told) is not None and int(told, 8) == sum(rest)
    return data[TAR_AT] == TAR or summed


def is_archive(data: bytes) -> bool:
    """Return whether files would come out of it, which is found without unpacking any."""
    if not data.startswith(ZIP):
        return data.startswith(GZIP)
    import zipfile  # here, as below, since most files are not packed

    from archive.cli.foreign_files import kind_of_zip

    try:
        names = zipfile.ZipFile(BytesIO(data)).namelist()
    except damages():
        return True
    return not (kind_of_zip(names) or any(name in DOCUMENTS for name in names))


def _gzip(path: str, data: bytes, depth: int) -> Iterator[Raw]:
    import gzip

    most = _most(len(data))
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as packed:
            text = packed.read(most + 1)
    except damages() as error:
        yield _refuse_damaged(path, error)
        return
    yield from unpack_file(path, text, depth + 1) if len(text) <= most else [_bomb(path)]


def _zip(path: str, data: bytes, depth: int) -> Iterator[Raw]:
    import zipfile

    from archive.cli.foreign_files import WHOLE_LISTS, kind_of_zip

    try:
        archive = zipfile.ZipFile(BytesIO(data))
        members = sorted(archive.infolist(), key=lambda member: member.filename)
    except damages() as error:
        yield _refuse_damaged(path, error)
        return
    if kind_of_zip(member.filename for member in members) or any(member.filename in DOCUMENTS for member in members):
        yield Raw(path, data)
        return
    named = [(member, member.filename.replace("\\", "/")) for member in members]
    wanted = [(member, name) for member, name in named if not name.endswith("/") and not is_skipped(name)]
    if not wanted:
        yield Raw(path, b"", finding("no-deals", Source(path)))
    names = {name for _, name in wanted}
    if only := next((whole for whole, other in WHOLE_LISTS.items() if {whole, other} <= names), None):
        yield Raw(path, b"", finding("files-passed-over", Source(path), n=len(wanted) - 1, file=only))
        wanted = [(member, name) for member, name in wanted if name == only]
    for member, name in wanted:
        yield from _member(archive, member, f"{path}/{printable(name)}", depth)


def _member(archive: "ZipFile", member: "ZipInfo", path: str, depth: int) -> Iterator[Raw]:
    if member.flag_bits & ENCRYPTED:
        yield _refusal("not-unpacked", path, message("cli.encrypted"))
    elif member.file_size > _most(member.compress_size):
        yield _bomb(path)
    else:
        try:
            data = archive.read(member)
        except damages() as error:
            yield _refuse_damaged(path, error)
            return
        yield from unpack_file(path, data, depth + 1)


def _most(packed: int) -> int:
    """Return how many bytes may come out of so many."""
    return min(ONE, max(SMALL, RATIO * packed))


def _bomb(path: str) -> Raw:
    return _refusal("not-unpacked", path, message("cli.grows", n=ONE // GIB, ratio=RATIO))


def _refuse_damaged(path: str, error: BaseException) -> Raw:
    unknown = isinstance(error, NotImplementedError)
    return _refusal("not-unpacked", path, message("cli.unknown-packing" if unknown else "cli.damaged"))


def _refusal(rule: str, path: str, why: Message | str) -> Raw:
    return Raw(path, b"", finding(rule, Source(path), why=why))


def print_passed_over(names: Sequence[str]) -> None:
    """Print how many files are no records, if there are any, and the names of the first."""
    shown = [printable(name) for name in dict.fromkeys(names)]
    if shown:
        named = ", ".join((*shown[:MOST_NAMED], *["…"] * (len(shown) > MOST_NAMED)))
        click.echo(cli_text("passed-over", of_environment(), n=len(names), names=named), err=True)


def printable(text: str) -> str:
    """Return a text that any terminal and encoding can show: a name on disk or in an archive may hold anything."""
    if text.isprintable():
        return text
    return "".join(sign.encode("unicode_escape").decode() if category(sign) in UNSHOWN else sign for sign in text)
