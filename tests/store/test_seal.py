"""The seal: a bit that falls over anywhere in an archive stops every command, and nothing else does."""

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from time import time
from unittest.mock import Mock

import pytest
from support.damaged_archives import archive_and_files
from support.paths import ROOT
from support.running import run
from support.store_samples import SAMPLE
from support.thorough import THOROUGH, examples

from archive.say import message
from archive.stats import OF_PARTS, count_large_parts
from archive.store import ArchiveError, backup, open_archive, open_read, quick_check, seal_memory
from archive.store import seal as archive_seal
from archive.store.backup import back_up
from archive.store.one_writer import OneWriter
from archive.store.quick_check import SMALL
from archive.store.seal import HEAD, seal, seal_of, seal_state
from archive.store.seal_memory import memory_of
from archive.store.transaction import writing
from archive.store.wholeness import Damage, find_damage

PAGE = 8192
COMMANDS = (
    ("stats", "standings"), ("stats", "pairs"), ("show", "1"), ("export",), ("audit",), ("import", SAMPLE),
    ("correct", "1", "--set", 'note="n"', "--by", "Emil", "--why", "w"), ("players",), ("serve", "--port", "0"),
    ("serve", "--write", "--port", "0"),
)  # fmt: skip
ALWAYS = (COMMANDS[0], COMMANDS[5], COMMANDS[-1])  # one that reads, one that writes, one that stays


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    path = tmp_path / "archive.db"
    path.write_bytes(archive_and_files()[0])
    seal(path)
    return path


def is_open(path: Path) -> bool:
    try:
        open_read(path).close()
    except ArchiveError:
        return False
    return True


def test_no_bit_of_any_page_falls_over_in_silence(sealed: Path, tmp_path: Path) -> None:
    """Nor is a page of zeros read, or written into."""
    whole, dice, broken = sealed.read_bytes(), Random(4), tmp_path / "broken.db"
    assert is_open(sealed)
    for page in range(0, len(whole) // PAGE, examples(21, 1)):
        begin = page * PAGE
        for at in (begin + HEAD, *(dice.randrange(begin + HEAD, begin + PAGE) for _ in range(examples(1, 40)))):
            broken.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << dice.randrange(8)]) + whole[at + 1 :])
            assert not is_open(broken), (page, at)
        if any(whole[begin : begin + PAGE]):
            broken.write_bytes(whole[:begin] + bytes(PAGE) + whole[begin + PAGE :])
            assert not is_open(broken), page
    with pytest.raises(ArchiveError, match="doctor --rebuild"):
        open_archive(broken)


@pytest.mark.parametrize("words", COMMANDS if THOROUGH else ALWAYS, ids=lambda words: str(words[0]))
def test_every_command_refuses_an_archive_with_a_bit_that_nothing_else_tells(
    words: tuple[str | Path, ...], sealed: Path
) -> None:
    """When a file was imported stands in one place alone."""
    flip(sealed)
    was = sealed.read_bytes()
    result = run(*words, "--db", sealed)
    assert result.exit_code == 2
    assert "is damaged (its pages are not as they were written)" in result.stderr
    assert "doctor --rebuild" in result.stderr
    assert sealed.read_bytes() == was


def flip(path: Path) -> None:
    """Turns a bit over in the moment at which a file was imported."""
    with closing(sqlite3.connect(path)) as conn:
        (moment,) = conn.execute("SELECT imported_at FROM sources WHERE id = 1").fetchone()
    data = bytearray(path.read_bytes())
    data[data.index(moment.encode()) + 3] ^= 1
    path.write_bytes(data)


def test_doctor_says_that_nothing_tells_what_it_was_and_seals_it_as_it_is(sealed: Path) -> None:
    flip(sealed)
    told = run("doctor", "--db", sealed)
    assert told.exit_code == 1
    assert "a backup does" in told.stderr
    assert run("doctor", "--rebuild", "--db", sealed).exit_code == 0
    assert run("doctor", "--db", sealed).exit_code == 0
    assert seal_of(sqlite3.connect(sealed)) != 0


def test_whoever_writes_takes_the_seal_off_and_the_end_of_a_command_puts_it_on(sealed: Path, tmp_path: Path) -> None:
    with closing(open_archive(sealed)) as db:
        assert seal_of(db.conn) == 0
    seal(sealed)
    with closing(open_archive(sealed)) as db:
        seal(sealed)  # another command has ended meanwhile
        assert seal_of(db.conn) != 0
        with writing(db.conn):
            db.execute("UPDATE sources SET licence = 'ours'")
        assert seal_of(db.conn) == 0
    assert is_open(sealed)
    command = [sys.executable, "-c", "from archive.cli import main; main()", "import", SAMPLE, "--db", "own.db"]
    subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, check=True, capture_output=True)
    assert [path.name for path in tmp_path.glob("own.db*")] == ["own.db"]
    with closing(open_read(tmp_path / "own.db")) as conn:
        assert seal_of(conn) != 0


def test_a_copy_has_the_seal_with_it(sealed: Path, tmp_path: Path) -> None:
    back_up(sealed, tmp_path / "copy.db")
    with closing(open_read(tmp_path / "copy.db")) as conn:
        assert seal_of(conn) != 0
        assert seal_state(conn) == "whole"
        assert not [*find_damage(conn)]


def test_a_copy_is_held_against_the_seal_and_read_whole_where_that_does_not_fit(
    sealed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = Damage("rows", message("store.damage-rows", deal=1))
    monkeypatch.setattr(backup, "find_damage", lambda *_, **__: iter([fault]))
    assert back_up(sealed, tmp_path / "copy.db").damage == ()
    flip(sealed)
    assert back_up(sealed, tmp_path / "copy.db").damage == (fault,)


def test_an_archive_with_tables_of_somebody_else_is_not_sealed(sealed: Path) -> None:
    """Another program that writes there would break the seal each time."""
    with closing(sqlite3.connect(sealed)) as conn:
        conn.execute("CREATE TABLE theirs (a)")
    assert not is_open(sealed)
    assert run("doctor", "--rebuild", "--db", sealed).exit_code == 0
    assert is_open(sealed)
    with closing(open_read(sealed)) as conn:
        assert seal_of(conn) == 0
        assert conn.execute("SELECT count(*) FROM theirs").fetchone()[0] == 0


def test_a_file_that_was_emptied_meanwhile_stays_empty(sealed: Path) -> None:
    """No later command takes it for a new archive."""
    open_archive(sealed).close()
    os.truncate(sealed, 0)
    archive_seal.seal_written(sealed)
    assert sealed.stat().st_size == 0


def test_an_archive_that_keeps_the_facts_of_large_parts_is_sealed(sealed: Path) -> None:
    with closing(open_archive(sealed)) as db, writing(db.conn):
        count_large_parts(db.conn, OF_PARTS, least=2)
    seal(sealed)
    with closing(open_read(sealed)) as conn:
        assert conn.execute("SELECT count(*) FROM large_parts").fetchone()[0]
        assert seal_state(conn) == "whole"


# --- large archives, whose file is read beside SQLite -----------------------------------------------------------------


@pytest.fixture
def large(sealed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A sealed archive that counts as one too large for memory."""
    monkeypatch.setattr(archive_seal, "BY_SQLITE", 0)
    monkeypatch.setattr(archive_seal, "IN_MEMORY", 0)
    monkeypatch.setattr(archive_seal, "HELD", held := {})
    yield sealed
    for descriptor in held.values():
        os.close(descriptor)


def test_a_large_file_has_the_same_seal_and_no_bit_of_it_falls_over_in_silence(large: Path) -> None:
    with closing(sqlite3.connect(large)) as conn:
        assert seal_state(conn) == "whole"
    whole, dice = large.read_bytes(), Random(5)
    for _ in range(examples(20, 400)):
        at = dice.randrange(HEAD, len(whole))
        large.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << dice.randrange(8)]) + whole[at + 1 :])
        assert not is_open(large), at
    large.write_bytes(whole)
    assert is_open(large)


def test_what_only_the_log_of_a_large_archive_has_is_not_sealed_until_it_is_in_the_file(large: Path) -> None:
    with closing(open_archive(large)) as db, closing(open_read(large)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM deals").fetchone()
        with writing(db.conn):
            db.execute("UPDATE sources SET licence = 'ours'")
        seal(large)  # the reader keeps the log where it is
        assert seal_of(db.conn) == 0
        reader.rollback()
        seal(large)
        assert seal_of(db.conn) != 0
        assert seal_state(db.conn) == "whole"


def test_to_read_the_file_of_a_large_archive_leaves_the_locks_of_sqlite(large: Path) -> None:
    """POSIX ends all locks of a process on a file when it closes any descriptor of it."""
    ask = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('PRAGMA journal_mode = DELETE')"
    with closing(open_archive(large)) as db:
        db.execute("SELECT count(*) FROM deals").fetchone()
        with closing(sqlite3.connect(large)) as conn:
            seal(large)
            assert seal_state(conn) == "whole"
        asked = subprocess.run([sys.executable, "-c", ask, str(large)], capture_output=True, text=True, check=False)
    assert "database is locked" in asked.stderr


def test_several_threads_read_the_file_of_a_large_archive_at_once(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_seal, "PIECE", 512)
    size, whole = large.stat().st_size, zlib.crc32(large.read_bytes()[HEAD:])
    with ThreadPoolExecutor(4) as pool:
        values = pool.map(lambda _: archive_seal.checksum_of_file(str(large), size), range(24))
        assert {*values} == {whole}


def test_a_large_archive_that_was_whole_is_sealed_without_a_check_of_its_structure(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_seal, "is_readable", lambda *_: False)
    with closing(open_archive(large)) as db, writing(db.conn):
        db.execute("UPDATE sources SET licence = 'ours'")
    archive_seal.seal_written(large)
    with closing(open_read(large)) as conn:
        assert seal_state(conn) == "whole"


@pytest.fixture
def readings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Each time that all pages of an archive, which counts as a large one, are read when it is opened."""
    monkeypatch.setattr(quick_check, "LARGE", 0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    done = list[object]()
    monkeypatch.setattr(quick_check, "seal_state", lambda conn: (done.append(conn), seal_state(conn))[1])
    return done


def seal_again(path: Path) -> None:
    with closing(open_archive(path, check_pages=False)) as db, writing(db.conn):
        db.execute("UPDATE sources SET licence = 'ours'")
    seal(path)


AGAIN: dict[str, Callable[[Path, Path], object]] = {  # what happens to an archive, or to the file that remembers it
    "a day": lambda _, memory: os.utime(memory, (now := time() - seal_memory.AGAIN - 1, now)),
    "a clock set back": lambda _, memory: os.utime(memory, (now := time() + 60, now)),
    "a disk that was full": lambda _, memory: memory.write_bytes(b""),
    "other bytes": lambda _, memory: memory.write_bytes(b"\xff"),
    "no cache": lambda _, memory: memory.unlink(),
    "a touch": lambda path, _: path.touch(),
    "a copy over it": lambda path, _: path.write_bytes(path.read_bytes()),
    "a move": lambda path, _: path.rename(path.with_name("b.db")).rename(path),
    "a writer": lambda path, _: seal_again(path),
}


@pytest.mark.parametrize("happened", AGAIN.values(), ids=AGAIN)
def test_the_pages_of_a_large_archive_are_read_again_after(
    happened: Callable[[Path, Path], object], sealed: Path, tmp_path: Path, readings: list[object]
) -> None:
    for _ in range(3):
        assert is_open(sealed)
    assert len(readings) == 1
    (memory,) = (tmp_path / "cache").rglob("whole/*")
    happened(sealed, memory)
    for _ in range(3):
        assert is_open(sealed)
    assert len(readings) == 2
    flip(sealed)
    for _ in range(2):
        assert not is_open(sealed)


@pytest.mark.parametrize("cache", ["taken/cache", "~nobody-of-this-name"])
def test_a_large_archive_is_read_each_time_where_nothing_can_be_remembered(
    cache: str, sealed: Path, tmp_path: Path, readings: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taken").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", cache if cache.startswith("~") else str(tmp_path / cache))
    assert all(is_open(sealed) for _ in range(2))
    assert len(readings) == 2


def test_nothing_is_remembered_of_a_large_archive_that_is_being_written(sealed: Path, readings: list[object]) -> None:
    assert is_open(sealed)
    with closing(open_archive(sealed)):  # the file is as it was: that the seal is off stands in the log
        readings.clear()
        assert all(is_open(sealed) for _ in range(2))
        assert len(readings) == 2


@pytest.mark.usefixtures("readings")
def test_whoever_writes_reads_the_pages_of_a_large_archive_first_whatever_is_remembered(sealed: Path) -> None:
    """What a disk has lost since the morning would be sealed with what is written."""
    with closing(OneWriter(sealed, quiet=0)) as writer:
        writer.sealing.join()
        flip(sealed)
        with closing(sqlite3.connect(sealed)) as conn:
            (memory_of(str(sealed), seal_of(conn)) or pytest.fail("no cache")).write()
        assert is_open(sealed)
        with pytest.raises(ArchiveError, match="doctor --rebuild"), writer.archive():
            pass
    with pytest.raises(ArchiveError, match="doctor --rebuild"):
        open_archive(sealed)


# --- a server, which has its archive open for long --------------------------------------------------------------------


def test_a_server_seals_when_nobody_writes_and_looks_at_the_pages_before_it_writes_again(sealed: Path) -> None:
    with closing(OneWriter(sealed, quiet=0)) as writer:
        with writer.archive() as db, writing(db.conn):
            db.execute("UPDATE sources SET licence = 'ours'")
        writer.sealing.join()
        with closing(open_read(sealed)) as conn:
            assert seal_state(conn) == "whole"
        with writer.archive() as db:  # which only reads
            assert seal_of(db.conn) == 0
        writer.sealing.join()
        flip(sealed)
        assert not is_open(sealed)
        for _ in range(2):
            with pytest.raises(ArchiveError, match="doctor --rebuild"), writer.archive() as db:
                pass
        writer.sealing.join()
    assert not is_open(sealed)


def test_a_large_archive_whose_log_was_held_up_once_is_sealed_the_next_time(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("archive.store.one_writer.SMALL", 0)
    with closing(OneWriter(large)) as writer, closing(open_read(large)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM deals").fetchone()
        for quiet, is_sealed in ((0, False), (0, True)):
            with writer.archive() as db, writing(db.conn):
                db.execute("UPDATE sources SET licence = licence || 'ours'")
                writer.quiet = quiet
            writer.sealing.join()
            with closing(sqlite3.connect(large)) as conn:
                assert bool(seal_of(conn)) == is_sealed
            reader.rollback()


def test_a_server_does_not_seal_as_soon_as_a_writer_ends_who_took_long(sealed: Path) -> None:
    with closing(OneWriter(sealed, quiet=0.05)) as writer:
        with writer.archive():
            (began := writer.sealing).join(0.2)  # it waits for this writer
            writer.quiet = 300
        began.join()
        with closing(sqlite3.connect(sealed)) as conn:
            assert seal_of(conn) == 0


def test_a_server_does_not_seal_between_two_writers_nor_what_it_would_have_to_read_for_long(
    sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit, is_sealed in ((0, False), (SMALL, True)):
        monkeypatch.setattr("archive.store.one_writer.SMALL", limit)
        with closing(sqlite3.connect(sealed)) as conn:
            conn.execute("PRAGMA user_version = 0")
        with closing(OneWriter(sealed, quiet=0)) as writer:
            writer.sealing.join()
            with closing(sqlite3.connect(sealed)) as conn:
                assert bool(seal_of(conn)) == is_sealed
    with closing(OneWriter(sealed)) as writer:
        with writer.archive():
            first = writer.sealing
        with writer.archive():
            assert first.daemon  # a server that ends otherwise than by `close` does not wait for it
            assert first.finished.is_set()
            assert not writer.sealing.finished.is_set()
    assert writer.sealing.finished.is_set()


@pytest.mark.parametrize("is_replaced", [True, False])
def test_a_server_writes_nothing_where_its_archive_was_moved_away(sealed: Path, is_replaced: bool) -> None:
    other = sealed.with_name("other.db")
    shutil.copy(sealed, other)
    with closing(OneWriter(sealed)) as writer:
        with writer.archive():
            pass
        sealed.rename(sealed.with_name("away.db"))
        if is_replaced:
            other.rename(sealed)
        with pytest.raises(ArchiveError) as refused, writer.archive():
            pass
    assert refused.value.says.id == "refused.archive-moved"


def test_a_disk_that_fails_while_a_server_seals_is_no_traceback(sealed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    caught = list[object]()
    monkeypatch.setattr(threading, "excepthook", caught.append)
    monkeypatch.setattr(
        "archive.store.one_writer.size_of", Mock(side_effect=sqlite3.OperationalError("disk I/O error"))
    )
    monkeypatch.setattr("archive.store.one_writer.WRITTEN", {})
    with closing(OneWriter(sealed, quiet=0)) as writer:
        writer.sealing.join()
    assert not caught
