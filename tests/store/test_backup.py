"""Backups: a copy of an archive in use is whole; every damage to it is named; restoring loses nothing."""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from support.copied_folders import copy_filled
from support.empty_archives import open_empty_archive
from support.old_archives import VERSIONS, make_older
from support.running import run
from support.store_samples import EVENING, another, dump, store
from support.thorough import THOROUGH, examples

from archive.privacy.erase import erase_player
from archive.store import ArchiveError, merge_players, open_archive, open_read
from archive.store.backup import back_up, put_back
from archive.store.connection import copy_pages
from archive.store.transaction import writing
from archive.store.upgrade import upgrade
from archive.store.wholeness import Damage, find_damage


def fill(folder: Path) -> None:
    with closing(open_empty_archive(folder / "archive.db")) as db:
        store(db)
        store(db, another().replace("Ben", "Benno"), path="another.toml")
        store(db, f"# once more\n{EVENING}", path="copy.toml")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive with two evenings, one of which two files tell."""
    copy_filled(fill, tmp_path)
    return tmp_path / "archive.db"


def damage_of(path: Path) -> list[Damage]:
    with closing(open_read(path)) as conn:
        return list(find_damage(conn))


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            conn.execute(statement)
        conn.commit()


# --- whole -----------------------------------------------------------------------------------------------------------


def test_a_copy_has_every_row_and_stands_alone(archive: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copies" / "monday.db"
    copy.parent.mkdir()
    result = run("backup", copy, "--db", archive)
    assert (result.exit_code, [each.name for each in copy.parent.iterdir()]) == (0, ["monday.db"])
    with closing(open_archive(archive)) as one, closing(open_archive(copy)) as other:
        assert dump(one) == dump(other)


def test_what_was_merged_erased_and_withdrawn_is_whole(archive: Path) -> None:
    with closing(open_archive(archive)) as db:
        merge_players(db, ["Benno"], "Ben", "Emil", "one person")
        erase_player(db, "Dora", "Emil", "she asked for it")
    assert run("import", "--undo", "another.toml", "--by", "E", "--why", "w", "--db", archive).exit_code == 0
    assert damage_of(archive) == []


@pytest.mark.parametrize("version", VERSIONS if THOROUGH else [min(VERSIONS)])
def test_an_archive_of_an_older_version_is_whole_when_it_is_upgraded(version: int, tmp_path: Path) -> None:
    archive = tmp_path / "old.db"
    make_older(archive, version)
    upgrade(archive, with_copy=False)
    assert damage_of(archive) == []


def test_what_is_written_while_an_archive_is_looked_at_is_no_damage(archive: Path) -> None:
    with closing(open_archive(archive)) as db, closing(open_read(archive)) as conn:
        left = [f"{EVENING}\n# of another file\n".replace("Anna", name) for name in ("Aloisia", "Afra")]

        def write(_: int) -> None:
            if left:
                store(db, left.pop(), path=f"{len(left)}.toml")

        assert list(find_damage(conn, advance=write)) == []
        assert not conn.in_transaction
    assert damage_of(archive) == []


def test_a_copy_made_while_somebody_writes_is_of_one_moment(archive: Path, tmp_path: Path) -> None:
    done = threading.Event()

    def write() -> None:
        with closing(open_archive(archive)) as db:
            n = 0
            while not done.is_set():
                n += 1
                with writing(db.conn):
                    db.execute("INSERT INTO acts (act, author, made_at, why) VALUES ('merge', ?, '', 'a')", (str(n),))
                    db.execute("INSERT INTO acts (act, author, made_at, why) VALUES ('split', ?, '', 'a')", (str(n),))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for n in range(examples(2, 5)):
            assert back_up(archive, tmp_path / f"{n}.db").damage == ()
    finally:
        done.set()
        writer.join()
    for n in range(examples(2, 5)):
        with closing(open_read(tmp_path / f"{n}.db")) as conn:
            sides = dict(conn.execute("SELECT act, count(*) FROM acts GROUP BY act").fetchall())
            assert sides.get("merge") == sides.get("split")


# --- damaged ---------------------------------------------------------------------------------------------------------


DAMAGES = [
    ("UPDATE records SET record = substr(record, 1, length(record) - 1) WHERE id = 2", "record"),
    ("UPDATE records SET record = (SELECT record FROM records WHERE id = 1) WHERE id = 2", "record"),
    ("UPDATE records SET record = x'' WHERE id = 1", "record"),
    ("UPDATE records SET number = 99 WHERE id = 1", "record"),
    ("UPDATE copies SET hash = zeroblob(16) WHERE id = 1", "copy"),
    ("UPDATE sources SET raw = x'00' WHERE id = 1", "source"),
    ("UPDATE sources SET sha256 = zeroblob(32) WHERE id = 2", "source"),
    ("UPDATE sessions SET head = '{}' WHERE id = 1", "record"),
    ("DELETE FROM deals WHERE id = 3", "rows"),
    ("DELETE FROM players WHERE id = 1", "key"),
    ("UPDATE _derived SET digest = 'other' WHERE name = 'views'", "derived"),
]
ALWAYS = [DAMAGES[0], DAMAGES[8], DAMAGES[-1]]  # a record, a row that is made of it, what makes rows


@pytest.mark.parametrize(("statement", "kind"), DAMAGES if THOROUGH else ALWAYS)
def test_every_damage_is_named(archive: Path, statement: str, kind: str) -> None:
    with closing(open_read(archive)) as conn:  # views of another version are refused by whoever opens it anew
        change(archive, statement)
        assert kind in {each.kind for each in find_damage(conn)}
    result = run("doctor", "--db", archive, "--lang", "de")
    assert (result.exit_code, bool(result.stderr)) == (1, True)


def test_a_flipped_bit_in_any_page_of_records_is_noticed(archive: Path, tmp_path: Path) -> None:
    whole = archive.read_bytes()
    with closing(open_read(archive)) as conn:
        records = [bytes(row[0]) for row in conn.execute("SELECT record FROM records")]
    for record in records if THOROUGH else records[-1:]:
        at = whole.index(record) + len(record) // 2
        broken = tmp_path / "broken.db"
        broken.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        assert "record" in {each.kind for each in damage_of(broken)}


def test_a_damaged_archive_is_copied_as_it_is_and_said_so(archive: Path, tmp_path: Path) -> None:
    change(archive, "UPDATE records SET number = 99 WHERE id = 1")
    result = run("backup", tmp_path / "copy.db", "--db", archive)
    assert (result.exit_code, (tmp_path / "copy.db").exists()) == (1, True)
    assert "The record of deal 1 is not what was recorded" in result.stderr


# --- back again ------------------------------------------------------------------------------------------------------


def test_a_backup_is_put_back_and_what_was_there_lies_beside(archive: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    back_up(archive, copy)
    with closing(open_archive(archive)) as db:
        before = dump(db)
        db.execute("DELETE FROM deals WHERE id = 1")
        db.conn.commit()
        after = dump(db)
    assert run("restore", copy, "--db", archive).exit_code == 0
    with closing(open_archive(archive)) as db, closing(open_archive(tmp_path / "archive.before-restore.db")) as beside:
        assert (dump(db), dump(beside)) == (before, after)
    _, name = put_back(copy, archive)
    assert name == tmp_path / "archive.before-restore-2.db"


def test_a_damaged_backup_is_not_put_back(archive: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    back_up(archive, copy)
    before = archive.read_bytes()
    change(copy, "UPDATE records SET number = 99 WHERE id = 1")
    assert run("restore", copy, "--db", archive).exit_code == 2
    assert archive.read_bytes() == before


def test_an_archive_that_somebody_writes_is_not_replaced(archive: Path, tmp_path: Path) -> None:
    back_up(archive, tmp_path / "copy.db")
    with closing(open_archive(archive)) as db:
        db.execute("BEGIN IMMEDIATE")
        with pytest.raises(ArchiveError, match="in use"):
            put_back(tmp_path / "copy.db", archive)
    assert not (tmp_path / "archive.before-restore.db").exists()


@pytest.mark.parametrize("locked", ["source", "target"])
def test_a_copy_is_given_up_where_a_lock_stays(tmp_path: Path, locked: str) -> None:
    for name in ("source", "target"):
        change(tmp_path / name, "CREATE TABLE one (a)")
    with (
        closing(sqlite3.connect(tmp_path / locked)) as holder,
        closing(sqlite3.connect(tmp_path / "source", timeout=0)) as source,
        closing(sqlite3.connect(tmp_path / "target", timeout=0)) as target,
    ):
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            copy_pages(source, target)


@pytest.mark.parametrize(
    "words", [("backup", "there.db"), ("backup", "no/folder.db"), ("restore", "text.db"), ("restore", "missing.db")]
)
def test_what_cannot_be_copied_is_a_sentence(
    archive: Path, words: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(archive.parent)
    Path("there.db").write_bytes(b"mine")
    Path("text.db").write_text("no archive")
    before = archive.read_bytes()
    result = run(*words)
    assert (result.exit_code, "Error: " in result.stderr) == (2, True)
    assert (archive.read_bytes(), Path("there.db").read_bytes()) == (before, b"mine")


@pytest.mark.parametrize(
    "spoil", [lambda data: data[:50], lambda data: b"no archive"], ids=["nearly nothing", "something else"]
)
def test_a_backup_takes_the_place_of_an_archive_that_is_too_damaged_to_read(
    archive: Path, tmp_path: Path, spoil: Callable[[bytes], bytes]
) -> None:
    copy = tmp_path / "copy.db"
    assert run("backup", copy, "--db", archive).exit_code == 0
    damaged = spoil(archive.read_bytes())
    archive.write_bytes(damaged)
    assert run("restore", copy, "--db", archive).exit_code == 0
    assert run("doctor", "--db", archive).exit_code == 0
    beside = archive.with_name(f"{archive.stem}.before-restore.db").read_bytes()
    assert beside[100:] == damaged[100:]  # SQLite counts in the head of what it opens
