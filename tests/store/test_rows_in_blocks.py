"""Rows of many sessions are compared at once: what differs in one of them is named with its deal all the same."""

from contextlib import closing
from pathlib import Path

import pytest
from support.damaged_archives import sql
from support.running import run

from archive.store.connection import connect_read
from archive.store.derived_rows import RowComparison, WrongDeal, wrong_deals

CHANGES = {  # by table, what happens to a row of deal 60
    "deals": "UPDATE deals SET price = coalesce(price, 0) + 10 WHERE id = 60",
    "seats": "UPDATE seats SET points = coalesce(points, 0) + 1 WHERE deal_id = 60 AND seat = 2",
    "tricks": "DELETE FROM tricks WHERE deal_id = 60 AND trick = (SELECT max(trick) FROM tricks WHERE deal_id = 60)",
    "calls": "INSERT INTO calls (deal_id, n, seat, call) VALUES (60, 99, 1, 'pass')",
    "stated": "DELETE FROM stated WHERE deal_id = 60",
    "findings": """INSERT INTO findings (source_id, deal_id, rule, severity, message)
        VALUES (1, 60, 'trick-leader', 'error', 'Nobody led.')""",
}


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return an archive of several evenings, imported in bulk."""
    folder = tmp_path_factory.mktemp("evenings")
    for words in (
        ("generate", "120", "-o", folder / "a.jsonl"),
        ("import", folder / "a.jsonl", "--db", folder / "a.db"),
    ):
        assert run(*words).exit_code == 0
    return (folder / "a.db").read_bytes()


def wrong_in(path: Path) -> list[WrongDeal]:
    with closing(connect_read(path)) as conn:
        return list(wrong_deals(conn))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("table", CHANGES)
def test_the_deal_whose_rows_differ_is_named_with_its_table(table: str, evenings: bytes, tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    path.write_bytes(evenings)
    sql(CHANGES[table])(path)
    assert wrong_in(path) == [(60, (table,))]


def test_a_deal_without_a_row_and_one_under_another_session_are_named(evenings: bytes, tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    path.write_bytes(evenings)
    sql("DELETE FROM deals WHERE id = 60")(path)
    assert (60, ()) in wrong_in(path)
    path.write_bytes(evenings)
    sql("UPDATE deals SET session_id = (SELECT max(id) FROM sessions) WHERE id = 1")(path)
    assert {deal for deal, _ in wrong_in(path)} >= {1}


def test_no_session_of_a_whole_archive_is_looked_at_deal_by_deal(
    evenings: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "archive.db"
    path.write_bytes(evenings)
    looked_at = list[object]()
    monkeypatch.setattr(RowComparison, "of_session", lambda self, session, *_: looked_at.append(session) or iter(()))
    assert wrong_in(path) == []
    assert looked_at == []
