"""Taken out of an archive, a record loses nothing: imported again, it is the same deal."""

import csv
import hashlib
import io
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from support.empty_archives import empty_archives
from support.store_samples import DEALS, EVENING, HEAD, pairs_of, store, unjudged
from support.strategies import evenings
from support.thorough import examples

from archive.notation import HASH, read_lines, read_toml
from archive.record import Deal, Session, Source
from archive.store import Database, FileMeta, export_lines, export_outcomes, export_toml, open_archive, save_file

# Other cards under another id: not the same deal once more.
ANOTHER = EVENING.replace("Stammtisch", "Another").replace("list-3/1", "list-4/1").replace("GK GA HK", "GK HK GA")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    db = open_archive(tmp_path / "archive.db")
    store(db)
    store(db, ANOTHER, "another.toml")
    yield db
    db.close()


def hashes(db: Database) -> list[bytes]:
    return [row[0] for row in db.execute("SELECT hash FROM records ORDER BY id")]


def test_lines_imported_into_an_empty_archive_are_the_same_deals(db: Database, tmp_path: Path) -> None:
    lines = b"".join(export_lines(db.conn))
    other = open_archive(tmp_path / "other.db")
    save_file(other, FileMeta("e.jsonl", "x"), lines, *pairs_of(read_lines(lines, Source("e.jsonl"))))
    assert hashes(other) == hashes(db)
    assert b"".join(export_lines(other.conn)) == lines
    assert other.execute("SELECT count(*) FROM sessions").fetchone() == (2,)


def test_the_hash_of_a_line_without_what_was_added_is_the_hash_of_its_record(db: Database) -> None:
    for line, digest in zip(export_lines(db.conn), hashes(db), strict=True):
        told = json.loads(line)
        added = {told.pop(key, None) is None for key in ("correction", "ruling")}
        recorded = msgspec.json.encode(told)
        assert hashlib.sha256(recorded).digest()[:HASH] == digest
        assert added == {True} or recorded != line.rstrip(b"\n")


def test_a_session_file_imported_into_an_empty_archive_is_the_same_session(db: Database, tmp_path: Path) -> None:
    text = export_toml(db.conn, 2) or pytest.fail("no such session")
    other = open_archive(tmp_path / "other.db")
    store(other, text)
    assert hashes(other) == hashes(db)[4:]
    assert export_toml(other.conn, 1) == text


def test_one_session_is_exported_alone(db: Database) -> None:
    assert len(list(export_lines(db.conn, 2))) == 4
    assert list(export_lines(db.conn, 99)) == []
    assert export_toml(db.conn, 99) is None


def test_deals_that_are_not_at_their_place_are_numbered(tmp_path: Path) -> None:
    """A file whose first deals were in the archive before, in another session."""
    db = open_archive(tmp_path / "a.db")
    store(db, HEAD + "".join(DEALS))
    db.execute("DELETE FROM records WHERE id = 2")
    text = export_toml(db.conn, 1) or pytest.fail("no such session")
    deals = [each for each in read_toml(text.encode(), Source("e")) if isinstance(each, Deal)]
    assert [deal.no for deal in deals] == [None, 3, 4]


@settings(max_examples=examples(8, 40), suppress_health_check=list(HealthCheck))
@given(evenings())
def test_any_record_is_exported_without_loss(evening: tuple[Session, tuple[Deal, ...]]) -> None:
    session, deals = evening
    pairs = [(session, unjudged(session, deal, n if deal.no is None else deal.no)) for n, deal in enumerate(deals, 1)]
    with empty_archives(2) as (db, other):
        save_file(db, FileMeta("e", "x"), b"x", pairs)
        items = list(read_lines(b"".join(export_lines(db.conn)), Source("e")))
        heads = [each for each in items if isinstance(each, Session)]
        back = [each for each in items if isinstance(each, Deal)]
        assert len(heads) <= 1
        again = [(heads[0], unjudged(heads[0], deal, deal.no or 0)) for deal in back]
        save_file(other, FileMeta("e", "x"), b"x", again)
        assert hashes(other) == hashes(db)


def test_outcomes_are_exported_as_csv(db: Database) -> None:
    out = io.StringIO(newline="")
    export_outcomes(db.conn, out)
    head, *rows = csv.reader(io.StringIO(out.getvalue()))
    assert head == [column[0] for column in db.execute("SELECT * FROM outcomes").description]
    assert [row[head.index("deal")] for row in rows] == [str(n) for n in range(1, 9)]
    first = dict(zip(head, rows[0], strict=True))
    assert (first["declarer"], first["price"], first["loser"], first["runners"]) == ("Ben", "320", "", "6")
    alone = io.StringIO(newline="")
    export_outcomes(db.conn, alone, session=2)
    assert [row[0] for row in csv.reader(io.StringIO(alone.getvalue()))][1:] == ["5", "6", "7", "8"]
