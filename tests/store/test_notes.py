"""Full-text search: what is in the notes, that they are kept, and that an erased name leaves their index too."""

import sqlite3
from pathlib import Path

import pytest
from support.hard_names import texts
from support.store_samples import EVENING, store

from archive.privacy.erase import erase_player
from archive.privacy.mask import write_masked_copy
from archive.record import Correction, Ruling
from archive.store import Database, correct, open_archive, open_read
from archive.store.ruling import rule_on_deal
from archive.store.sources import restore_source, withdraw_source

TEXT = EVENING.replace('rules = "pub"', 'rules = "pub"\nplace = "Gasthaus Rössl"\nnote = "A long evening"').replace(
    'dealer = "Anna"\ngame = "none"', 'dealer = "Anna"\ngame = "none"\nnote = "The cards fell down, says Cem"', 1
)
TOLD = [
    ("correction", 4, "misread", "Dora"),
    ("deal", 2, "The cards fell down, says Cem", None),
    ("event", 1, "announces re", "Cem"),
    ("occasion", None, "Stammtisch Gasthaus Rössl", None),
    ("ruling", 4, "agreed (house)", "Anna"),
    ("session", None, "A long evening", None),
]


def told(db: Database) -> list[tuple[object, ...]]:
    return sorted(db.execute("SELECT kind, deal_id, text, who FROM notes").fetchall(), key=str)


def found(conn: sqlite3.Connection, words: str) -> list[tuple[str, int | None]]:
    sql = """SELECT kind, deal_id FROM notes WHERE id IN (SELECT rowid FROM notes_fts WHERE notes_fts MATCH ?)
        ORDER BY kind, deal_id"""
    return [tuple(row) for row in conn.execute(sql, (words,))]


def test_every_kind_of_note_is_there(db: Database) -> None:
    store(db, TEXT)
    assert told(db) == TOLD
    assert {kind for kind, *_ in TOLD} == {"deal", "session", "occasion", "event", "correction", "ruling"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("cards", [("deal", 2)]),
        ("FELL down", [("deal", 2)]),
        ("rossl", [("occasion", None)]),
        ("anna", [("ruling", 4)]),
        ("cem", [("deal", 2), ("event", 1)]),
        ("evenings", []),
    ],
)
def test_words_are_found_without_capitals_and_marks(db: Database, words: str, expected: list[object]) -> None:
    store(db, TEXT)
    assert found(db.conn, words) == expected


def test_what_is_corrected_and_ruled_is_found_at_once(db: Database) -> None:
    store(db, TEXT)
    correct(db, 2, Correction("Ben", "2026-11-20", "written by a stranger", {"note": "Nothing fell"}))
    assert found(db.conn, "stranger") == [("correction", 2)]
    assert found(db.conn, "nothing") == [("deal", 2)]
    assert found(db.conn, "down") == []
    rule_on_deal(db, 4, Ruling("Cem", "2026-11-21", "by the umpire", (0, 0, 0, 0)))
    assert found(db.conn, "umpire") == [("ruling", 4)]


def test_a_file_that_is_taken_back_takes_its_notes_with_it(db: Database) -> None:
    source = store(db, TEXT).source
    withdraw_source(db, source, "Ben", "twice")
    assert told(db) == []
    assert found(db.conn, "cards") == []
    restore_source(db, source, "Ben", "after all")
    assert told(db) == TOLD


def test_an_erased_name_is_in_no_note_and_in_no_index(db: Database, tmp_path: Path) -> None:
    store(db, TEXT.replace("Cem", "Zacharias"))
    assert found(db.conn, "zacharias") == [("deal", 2), ("event", 1)]
    path = tmp_path / "archive.db"
    assert any("zacharias" in text.casefold() for text in texts(path))
    erase_player(db, "Zacharias", "Ben", "asked for it")
    assert found(db.conn, "zacharias") == []
    assert [(kind, deal) for kind, deal, text, who in told(db) if "Player 3" in f"{text} {who}"] == [
        ("deal", 2), ("event", 1),
    ]  # fmt: skip
    assert not any("zacharias" in text.casefold() for text in texts(path))


def test_a_masked_copy_has_the_notes_under_other_names(db: Database, tmp_path: Path) -> None:
    store(db, TEXT)
    write_masked_copy(db.conn, tmp_path / "masked.db", "pseudonyms")
    conn = open_read(tmp_path / "masked.db")
    kinds = sorted(row[0] for row in conn.execute("SELECT kind FROM notes"))
    assert kinds == sorted(kind for kind, *_ in TOLD)
    assert found(conn, "cem OR anna OR dora") == []
    assert found(conn, "cards") == [("deal", 2)]
    conn.close()


def test_an_archive_without_notes_gets_them(db: Database, tmp_path: Path) -> None:
    store(db, TEXT)
    before = told(db)
    db.execute("DELETE FROM notes")
    db.conn.commit()
    assert told(db) == []
    from archive.cli.stats import count_again

    db.close()
    assert "notes" in count_again(str(tmp_path / "archive.db"))
    db = open_archive(tmp_path / "archive.db")
    assert told(db) == before
    assert found(db.conn, "cards") == [("deal", 2)]
