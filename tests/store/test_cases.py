"""Cases: only ever added to, closed and opened again by entries, and decided by rulings of their own deal."""

from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from archive import generate
from archive.judge.judge_stream import judge_with_heads
from archive.notation import read_toml, write_toml
from archive.privacy.erase import erase_player
from archive.privacy.public_copy import write_copy
from archive.record import Finding, Ruling, Source
from archive.store import ArchiveError, Database, FileMeta, open_read, save_file
from archive.store.cases import CaseEntry, EntryKind, add_entry, all_cases, cases_of_deal, load_case, open_case
from archive.store.privacy import Hidden
from archive.store.ruling import rule_on_deal

AT = "2031-02-03T20:00"
RULED = Ruling("Emil", AT, "agreed at the table", (20, -20, 20, -20), "house rule 4")


@pytest.fixture(name="case")
def case_of(db: Database) -> int:
    """A case about the second of two deals."""
    session = generate.session("bavarian")
    text = write_toml(session, list(generate.deals(Random(7), session, 2, ("payments", "totals")))).encode()
    found = [each for each in judge_with_heads(read_toml(text, Source("x"))) if not isinstance(each, Finding)]
    save_file(db, FileMeta("x", "record-toml"), text, found)
    return open_case(db, 2, "Anna", "Ben", "He revoked.", "Emil", AT)


def entry(kind: EntryKind, person: str = "Ben", text: str = "I did not.") -> CaseEntry:
    return CaseEntry(kind, person, text, "Emil", AT)


def test_a_case_begins_with_its_complaint(db: Database, case: int) -> None:
    found = load_case(db.conn, case)
    assert found
    assert (found.state, found.deal, found.claimant, found.respondent) == ("open", 2, "Anna", "Ben")
    assert [(each.kind, each.person, each.text) for each in found.entries] == [("complaint", "Anna", "He revoked.")]
    assert found.lacks_statement == ("Ben",)
    assert found.players == generate.PLAYERS


def test_both_sides_and_witnesses_are_heard(db: Database, case: int) -> None:
    add_entry(db, case, entry("statement"))
    add_entry(db, case, entry("witness", "Cem", "I saw it."))
    found = load_case(db.conn, case)
    assert found
    assert found.lacks_statement == ()
    assert [each.kind for each in found.entries] == ["complaint", "statement", "witness"]
    assert cases_of_deal(db.conn, 2) == [found]


def test_rows_are_only_added(db: Database, case: int) -> None:
    rows = [db.execute(f"SELECT * FROM {table}").fetchall() for table in ("cases", "case_entries")]
    add_entry(db, case, entry("statement"))
    rule_on_deal(db, 2, RULED, case)
    for kind in ("close", "appeal", "close", "reopen"):
        add_entry(db, case, entry(kind))  # type: ignore[arg-type]
    now = [db.execute(f"SELECT * FROM {table}").fetchall() for table in ("cases", "case_entries")]
    assert now[0] == rows[0]
    assert now[1][: len(rows[1])] == rows[1]


def test_a_closed_case_is_opened_by_an_appeal_alone(db: Database, case: int) -> None:
    with pytest.raises(ArchiveError, match="nothing has been decided"):
        add_entry(db, case, entry("appeal"))
    with pytest.raises(ArchiveError, match="is open"):
        add_entry(db, case, entry("reopen"))
    add_entry(db, case, entry("close"))
    with pytest.raises(ArchiveError, match="is closed"):
        add_entry(db, case, entry("statement"))
    with pytest.raises(ArchiveError, match="is closed"):
        rule_on_deal(db, 2, RULED, case)
    assert db.execute("SELECT count(*) FROM rulings").fetchone() == (0,)
    assert [all_cases(db.conn, "open"), len(all_cases(db.conn, "closed"))] == [[], 1]
    add_entry(db, case, entry("appeal"))
    (found,) = all_cases(db.conn, "open")
    assert found.state == "appealed"


def test_a_ruling_is_an_entry_of_its_case(db: Database, case: int) -> None:
    rule_on_deal(db, 2, RULED, case)
    found = load_case(db.conn, case)
    assert found
    assert found.entries[-1].kind == "ruling"
    assert found.entries[-1].decided == RULED
    with pytest.raises(ArchiveError, match="another deal"):
        rule_on_deal(db, 1, RULED, case)
    with pytest.raises(ArchiveError, match="no case 99"):
        rule_on_deal(db, 2, RULED, 99)
    with pytest.raises(ArchiveError, match="no deal 99"):
        open_case(db, 99, "Anna", None, "x", "Emil", AT)


def test_a_person_who_is_erased_is_in_no_case(db: Database, case: int) -> None:
    add_entry(db, case, entry("statement", text="Ben here: I did not."))
    erase_player(db, "Ben", "Emil", "asked for it")
    rows = db.execute("SELECT * FROM cases, case_entries").fetchall()
    assert not any("Ben" in str(row) for row in rows)


def test_a_case_about_a_hidden_evening_is_in_no_copy_for_strangers(db: Database, case: int, tmp_path: Path) -> None:
    add_entry(db, case, entry("statement"))
    rule_on_deal(db, 2, RULED, case)
    write_copy(tmp_path / "archive.db", tmp_path / "copy.db", Hidden(True, frozenset({1}), frozenset({1})))
    with closing(open_read(tmp_path / "copy.db")) as conn:
        assert all_cases(conn) == []
        assert conn.execute("SELECT count(*) FROM case_entries").fetchone()[0] == 0
