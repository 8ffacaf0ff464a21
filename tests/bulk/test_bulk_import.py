"""Importing a file in bulk gives the archive that importing it deal by deal gives, table by table and row by row."""

import hashlib
import os
import re
import signal
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from support.paths import ROOT
from support.running import run
from support.samples import sample_lines
from support.thorough import examples

from archive.cli import inputs
from archive.generate import deals, session
from archive.judge.judge_stream import judge_with_heads
from archive.notation import read_lines, write_line
from archive.record import Finding, Source
from archive.stats import FACTS, processes, recount
from archive.store import (
    ArchiveError,
    Database,
    FileMeta,
    find_source,
    open_archive,
    save_file,
    source_text,
    withdraw_source,
)
from archive.store.bulk import import_file, judge_process, load_progress
from archive.store.bulk.build_rows import pack_line
from archive.store.bulk.import_file import FileImport, JsonlFile, save_lines
from archive.store.bulk.judge_process import JudgeJob
from archive.store.compression import unpack_record
from archive.store.ledger_states import states_between
from archive.store.record_codec import CARDS, HAND
from archive.store.verdict_diff import compare_sessions

SAMPLES = ROOT / "sample_games"
STATED = ("points", "won", "price", "payments", "totals")
NOT_ALIKE = {
    "sources": ("imported_at", "raw"),
    "deals": ("state", "state_after"),
    "findings": ("id",),
    "acts": ("made_at",),
}
TEXTS = ("source_parts",)  # compared as they are read
Import = Callable[[Database, str, bytes], Any]


@pytest.fixture(autouse=True)
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_file.os, "cpu_count", lambda: 1)


@cache
def evening(rules: str, seed: int, count: int = 8, **head: Any) -> bytes:
    rng = Random(seed)
    of = session(rules, date=f"2026-02-{seed + 1:02}", **head)
    return b"".join(write_line(of, each) + b"\n" for each in deals(rng, of, count, STATED))


@cache
def mixed() -> bytes:
    """Evenings that the core covers, and some that it does not; two of them with mistakes."""
    rng, lines = Random(9), []
    for seed, rules in enumerate(("bavarian", "pub", "palatinate", "three-hand", "langendorf", "bauernstoss")):
        lines += evening(rules, seed, 5).splitlines(keepends=True)
    for n in range(3, len(lines), 7):
        other = list(lines[n])
        at = lines[n].rindex(b'"payments":[') if b'"payments":[' in lines[n] else -1
        if at > 0:
            lines[n] = lines[n][: at + 12] + b"1" + lines[n][at + 12 :]
        elif rng.random() < 0.5:
            lines[n] = bytes(other[:-9]) + b"\n"
    return b"".join(lines)


def damaged(data: bytes) -> bytes:
    """What may befall lines: cut off, twice, empty, no JSON, written otherwise, of rules that nobody has."""
    rng, lines = Random(4), []
    for line in data.splitlines():
        what = rng.randrange(12)
        lines += {
            0: [line[:-7]], 1: [b"no record"], 2: [line, line], 3: [b"", line], 4: [line.replace(b'":', b'" :', 1)],
            5: [line.replace(b'"rules":"bavarian"', b'"rules":"nobody"')], 6: [line.replace(b'["', b'["?? ', 1)],
        }.get(what, [line])  # fmt: skip
    return b"\n".join(lines)


# --- both ways --------------------------------------------------------------------------------------------------------


def one_by_one(db: Database, name: str, data: bytes) -> None:
    source = Source(name, 1, None, hashlib.sha256(data).hexdigest())
    found = list(judge_with_heads(read_lines(data, source)))
    pairs = [each for each in found if not isinstance(each, Finding)]
    save_file(db, FileMeta(name, "record-lines"), data, pairs, [each for each in found if isinstance(each, Finding)])


def in_bulk(db: Database, name: str, data: bytes) -> FileImport:
    text = JsonlFile(text=data, size=len(data), digest=hashlib.sha256(data).digest())
    return save_lines(db, FileMeta(name, "record-lines"), text)


def told(db: Database) -> dict[str, Any]:
    """Everything in an archive, records and states in full; but when it was made, and in which order findings are."""
    conn, found = db.conn, {}
    heads = dict(conn.execute("SELECT id, head FROM sessions").fetchall())
    for table in db.table_names():
        if table.startswith(("sqlite_", "_sqlite", "notes_fts", *TEXTS)):
            continue
        names = [row[1] for row in conn.execute(f"PRAGMA table_info({table})")]
        names = [name for name in names if name not in NOT_ALIKE.get(table, ())]
        rows = conn.execute(f"SELECT {', '.join(names)} FROM {table}").fetchall()
        if table == "records":
            at, of = names.index("record"), names.index("session_id")
            rows = [(*row[:at], unpack_record(row[at], heads[row[of]]), *row[at + 1 :]) for row in rows]
        found[table] = sorted(rows, key=repr)
    found["states"] = [states_between(conn, key, 0, 1 << 40) for key in sorted(heads)]
    found["texts"] = [
        source_text(conn, row[0]) for row in conn.execute("SELECT id FROM sources ORDER BY id").fetchall()
    ]
    found["indexes"] = sorted(conn.execute("SELECT name FROM sqlite_master WHERE type = 'index'").fetchall())
    return found


def alike(tmp_path: Path, *texts: bytes, before: Callable[[Database], None] = lambda db: None) -> dict[str, Any]:
    """Imports texts as files both ways, and compares; what there is then."""
    made = []
    for way in (one_by_one, in_bulk):
        db = open_archive(tmp_path / f"{way.__name__}.db")
        for n, text in enumerate(texts):
            way(db, f"{n}.jsonl", text)
            before(db)
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        made.append(told(db))
        db.close()
    for table in made[0]:
        assert made[1][table] == made[0][table], table
    return made[0]


def test_clean_files_are_stored_alike(tmp_path: Path) -> None:
    found = alike(tmp_path, evening("bavarian", 1) + evening("pub", 2), evening("short", 3))
    assert len(found["deals"]) == 24
    assert found["contract_facts"]


def test_files_with_mistakes_and_other_rules_are_stored_alike(tmp_path: Path) -> None:
    found = alike(tmp_path, mixed())
    assert len({row[-12] for row in found["deals"]}) > 1 or found["findings"]


def test_damaged_files_are_stored_alike(tmp_path: Path) -> None:
    found = alike(tmp_path, damaged(mixed()), damaged(evening("bavarian", 5, 20)))
    assert {"syntax", "deal-repeated"} <= {row[2] for row in found["findings"]}


def test_deals_that_the_archive_has_are_recognised_alike(tmp_path: Path) -> None:
    first, other = evening("bavarian", 1), evening("pub", 2)
    known = b"".join(first.splitlines(keepends=True)[2:6])
    with_note = first.replace(b'"payments"', b'"price":10,"payments"', 3)
    found = alike(tmp_path, first, known + other, with_note, other + mixed())
    assert len(found["copies"]) > 15


def test_a_numbered_deal_that_stands_twice_in_a_file_counts_once_alike(tmp_path: Path) -> None:
    lines = evening("bavarian", 1).splitlines(keepends=True)
    numbered = [line.replace(b'"dealer"', b'"no":%d,"dealer"' % n, 1) for n, line in enumerate(lines, 1)]
    found = alike(tmp_path, b"".join([*numbered, numbered[2], numbered[4]]))
    assert len(found["deals"]) == len(lines)


def test_a_deal_that_another_file_has_in_the_place_of_one_is_judged_in_its_session_alike(tmp_path: Path) -> None:
    whole, other = (evening("bavarian", seed).splitlines(keepends=True) for seed in (1, 2))
    dealt_otherwise = [*whole[:2], other[2].replace(b"2026-02-03", b"2026-02-02"), *whole[3:]]
    found = alike(tmp_path, b"".join(dealt_otherwise), b"".join(whole))
    assert len(found["sessions"]) == 1
    assert len(found["deals"]) == 9
    assert not any(each.stale for each in compare_sessions(open_archive(tmp_path / "in_bulk.db").conn))


def test_a_file_that_was_taken_back_comes_again_alike(tmp_path: Path) -> None:
    def back(db: Database) -> None:
        if db.execute("SELECT count(*) FROM sources WHERE withdrawn").fetchone() == (0,):
            withdraw_source(db, find_source(db.conn, "1")[0], "Anna", "by mistake")

    found = alike(tmp_path, evening("bavarian", 1), evening("bavarian", 1), before=back)
    assert len(found["deals"]) == 0  # the second time it is taken back again


def test_all_sample_games_are_stored_alike(tmp_path: Path) -> None:
    texts = list(sample_lines())[:: examples(6, 1)]
    assert len(texts) > examples(15, 100)
    found = alike(tmp_path, b"".join(texts[::2]), b"".join(texts[1::2]))
    assert len(found["deals"]) > examples(30, 150)


# --- processes, chunks, large files -----------------------------------------------------------------------------------


def test_another_process_makes_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_file.os, "cpu_count", lambda: 2)
    alike(tmp_path, damaged(mixed()), evening("bavarian", 1))


def test_compiled_and_plain_make_the_same_pieces() -> None:
    text = damaged(mixed()) + b"\n" + b"".join(evening(rules, 7, 20) for rules in ("pub", "bavarian", "short"))
    work = JudgeJob(source=Source("a.jsonl"), path=None, text=text, rules=None, archive=None, before=0, size=0)
    plain, fast = (list(judge_process.make_chunks(replace(work, size=each))) for each in (0, 1 << 30))
    assert plain == fast
    packed_lines = list(records(fast))
    assert sum(each.startswith(CARDS + bytes((HAND,))) for each in packed_lines) > 20, "hands that were played out"


def records(pieces: list[judge_process.Chunk]) -> Iterator[bytes]:
    """The records of pieces, packed."""
    texts: dict[int, str] = {}
    for piece in pieces:
        texts |= {each.session: each.text for each in piece.openings}
        if piece.rows:
            columns = piece.rows["records"].columns
            yield from map(pack_line, columns["record"], [texts[each] for each in columns["session_id"]])


def test_a_process_that_fails_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_file.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(import_file.threading, "active_count", lambda: 1)  # so that it is a copy, with what is set here
    db = open_archive(tmp_path / "archive.db")
    for ending in (lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: 1 // 0):
        monkeypatch.setattr(judge_process.ChunkBuilder, "piece", lambda *_, end=ending: end())
        with pytest.raises(ArchiveError, match="process that judges"):
            in_bulk(db, "a.jsonl", evening("bavarian", 1))
    assert told(db)["sources"] == []


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces, chunks and parts of a few lines; every load is a large one."""
    monkeypatch.setattr("archive.bulk.judge.ROWS", 5)
    monkeypatch.setattr(import_file, "CHUNK", 12)
    monkeypatch.setattr(import_file, "PART", 3000)
    monkeypatch.setattr(judge_process, "BLOCK", 1000)
    for module in (load_progress, import_file):
        monkeypatch.setattr(module, "LARGE", 0)


@pytest.fixture(scope="module")
def counting() -> Iterator[Executor]:
    """A process that counts facts, begun once for all archives: each import of its own would wait for two to
    begin."""
    with processes(1) as pool:
        yield pool


@pytest.fixture
def begun_before(counting: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archive.store.bulk.import_file.counting_processes", lambda: nullcontext(counting))


@pytest.mark.usefixtures("small_steps", "begun_before")
def test_a_large_file_in_chunks_is_stored_alike(tmp_path: Path) -> None:
    found = alike(tmp_path, mixed() + evening("bavarian", 1, 20), damaged(evening("pub", 7, 20)), evening("pub", 7, 20))
    assert found["unfinished"] == []
    assert len(found["deals"]) > 60


@pytest.mark.usefixtures("small_steps", "begun_before")
def test_a_large_file_is_stored_in_an_archive_in_memory_too(tmp_path: Path) -> None:
    """Which no other process can read, so that its facts are counted here."""
    text, db, memory = evening("bavarian", 1, 20), open_archive(tmp_path / "archive.db"), open_archive(":memory:")
    in_bulk(db, "a.jsonl", text)
    in_bulk(memory, "a.jsonl", text)
    assert told(memory) == told(db)


@pytest.mark.usefixtures("small_steps", "begun_before")
def test_a_first_large_file_leaves_an_archive_that_is_read_while_it_is_written(tmp_path: Path) -> None:
    """Others read what there was before."""
    db, read = open_archive(tmp_path / "archive.db"), list[tuple[int]]()
    other = sqlite3.connect(tmp_path / "archive.db")
    written = import_file.ChunkWriter.take

    def take(self: import_file.ChunkWriter, piece: judge_process.Chunk) -> Any:
        taken = written(self, piece)
        read.append(other.execute("SELECT count(*) FROM deals").fetchone())
        return taken

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(import_file.ChunkWriter, "take", take)
        in_bulk(db, "a.jsonl", evening("bavarian", 1, 20))
    assert read[0] == (0,)
    assert read == sorted(read)
    assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert other.execute("SELECT count(*) FROM deals").fetchone() == (20,)


@pytest.mark.usefixtures("small_steps", "begun_before")
def test_the_pages_of_a_first_large_file_are_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archive.store.connection.PAGE", 512)
    db = open_archive(tmp_path / "archive.db")
    in_bulk(db, "a.jsonl", evening("bavarian", 1, 80))
    sql = "SELECT name, count(*) FROM dbstat WHERE name IN ('seats', 'tricks', 'calls') GROUP BY name"
    pages = db.conn.execute(sql).fetchall()
    db.conn.execute("VACUUM")
    assert db.conn.execute(sql).fetchall() == pages


@pytest.mark.parametrize("processors", [1, 2])
def test_a_large_file_that_changes_while_it_is_read_is_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processors: int
) -> None:
    monkeypatch.setattr(import_file.os, "cpu_count", lambda: processors)
    db, text, path = open_archive(tmp_path / "archive.db"), evening("bavarian", 1), tmp_path / "a.jsonl"
    given = JsonlFile(path=str(path), size=len(text), digest=hashlib.sha256(text).digest())
    for written in (text + text[-200:], text[:-40]):
        path.write_bytes(written)
        with pytest.raises(ArchiveError, match=r"a\.jsonl has changed while it was read; import it again"):
            save_lines(db, FileMeta("a.jsonl", "record-lines"), given)
        assert told(db)["sources"] == []
    path.write_bytes(text)
    assert save_lines(db, FileMeta("a.jsonl", "record-lines"), given).saved.added == 8


@pytest.mark.usefixtures("small_steps", "begun_before")
def test_the_text_of_a_large_file_that_is_not_its_records_stands_in_parts(tmp_path: Path) -> None:
    db = open_archive(tmp_path / "archive.db")
    text = b"\n\n" + mixed()
    in_bulk(db, "a.jsonl", text)
    assert db.execute("SELECT count(*) > 3, sum(size) FROM source_parts").fetchone() == (1, len(text))
    assert source_text(db.conn, 1) == text


@pytest.fixture(scope="module")
def uncut(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, dict[str, Any]]:
    """A file, and the archive of it that nobody stopped."""
    text = mixed() + evening("bavarian", 1, 20)
    db = open_archive(tmp_path_factory.mktemp("uncut") / "archive.db")
    in_bulk(db, "a.jsonl", text)
    return text, told(db)


@pytest.mark.usefixtures("small_steps", "begun_before")
@pytest.mark.one_in(4)
@pytest.mark.parametrize("lines", [1, 14, 25, 45])
def test_an_import_that_is_stopped_keeps_whole_chunks_and_goes_on(
    tmp_path: Path, lines: int, uncut: tuple[bytes, dict[str, Any]]
) -> None:
    text, whole = uncut
    db = open_archive(tmp_path / "archive.db")
    done = 0

    def stop(size: int, count: int) -> None:
        nonlocal done
        done += count
        if done >= lines:
            raise KeyboardInterrupt

    given = JsonlFile(text=text, size=len(text), digest=hashlib.sha256(text).digest())
    with pytest.raises(KeyboardInterrupt):
        save_lines(db, FileMeta("a.jsonl", "record-lines"), given, stop)
    stored = db.execute("SELECT count(*) FROM deals").fetchone()[0]
    assert stored == 0 if lines == 1 else 0 < stored <= done
    db.close()
    db = open_archive(tmp_path / "archive.db")  # as after a crash
    anew = [sorted(db.execute(f"SELECT * FROM {facts.name}").fetchall(), key=repr) for facts in FACTS]
    recount(db.conn, FACTS)
    assert anew == [sorted(db.execute(f"SELECT * FROM {facts.name}").fetchall(), key=repr) for facts in FACTS]
    db.conn.commit()
    again = in_bulk(db, "a.jsonl", text)
    assert again.saved.added == len(whole["deals"])
    assert told(db) == whole
    assert in_bulk(db, "a.jsonl", text).saved.added == 0


@pytest.mark.usefixtures("small_steps", "begun_before")
def test_two_that_write_by_turns_are_told(tmp_path: Path) -> None:
    db, other = open_archive(tmp_path / "archive.db"), open_archive(tmp_path / "archive.db")
    text = evening("bavarian", 1, 20)
    given = JsonlFile(text=text, size=len(text), digest=hashlib.sha256(text).digest())

    written = import_file.checkpoint

    def between(conn: sqlite3.Connection) -> None:
        written(conn)
        if not other.execute("SELECT 1 FROM sources WHERE path = 'b'").fetchone():
            one_by_one(other, "b", evening("pub", 3))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(import_file, "checkpoint", between)
        with pytest.raises(ArchiveError, match=r"import a\.jsonl again"):
            save_lines(db, FileMeta("a.jsonl", "record-lines"), given)
    in_bulk(db, "a.jsonl", text)
    assert db.execute("SELECT count(*) FROM deals").fetchone() == (28,)
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


# --- the command ------------------------------------------------------------------------------------------------------


OF_ONE_WAY = re.compile(  # of the fast way alone; of the other alone
    r"; \d+ of them judged by words as well|^(?:Understood|Tariff|To be asked): .*\n", re.MULTILINE
)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("rules", [None, "pub"])
def test_the_command_says_the_same_either_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: str | None
) -> None:
    (tmp_path / "a.jsonl").write_bytes(damaged(mixed()))
    said = []
    more = ("--rules", rules) if rules else ()
    for bulk, large in ((1 << 40, 1 << 40), (0, 1 << 40), (0, 0)):
        monkeypatch.setattr("archive.store.bulk.import_file.BULK", bulk)
        monkeypatch.setattr(inputs, "LARGE", large or 64)
        db = tmp_path / f"{bulk}-{large}.db"
        dry = run("import", tmp_path / "a.jsonl", "--db", db, "--dry-run", *more)
        assert not db.exists()
        one = run("import", tmp_path / "a.jsonl", "--db", db, *more)
        two = run("import", tmp_path / "a.jsonl", "--db", db, *more)
        said.append(
            [(each.exit_code, sorted(OF_ONE_WAY.sub("", each.output).splitlines())) for each in (dry, one, two)]
        )
    assert said[1] == said[0]
    assert said[2] == said[0]
    assert said[0][1][0] == 1


@pytest.mark.usefixtures("begun_before")
def test_a_rehearsal_in_an_archive_with_deals_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archive.store.bulk.import_file.BULK", 0)
    db = tmp_path / "archive.db"
    for name, text in (("a", evening("bavarian", 1)), ("b", evening("pub", 2))):
        (tmp_path / f"{name}.jsonl").write_bytes(text)
    assert run("import", tmp_path / "a.jsonl", "--db", db).exit_code == 0
    before = told(open_archive(db))
    assert run("import", *sorted(tmp_path.glob("*.jsonl")), "--db", db, "--dry-run").exit_code == 0
    assert told(open_archive(db)) == before
