"""What an archive keeps of a deal is held against what it comes to today wherever a page shows both."""

import sqlite3
from pathlib import Path

import pytest
from support.web_archive import make_archive

from archive.store import load_judgement
from archive.web.app import create_app
from archive.web.stored import with_stored_facts


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_archive(tmp_path / "a.db")


def changed(path: Path, sql: str) -> None:
    with sqlite3.connect(path) as conn:
        conn.execute(sql)
    conn.close()


def page(path: Path, language: str) -> str:
    return create_app(path).test_client().get(f"/deals/2?lang={language}").get_data(as_text=True)


def found(path: Path) -> list[tuple[str, object]]:
    conn = sqlite3.connect(path)
    judged = [(deal, load_judgement(conn, deal)) for (deal,) in conn.execute("SELECT id FROM deals").fetchall()]
    shown = [with_stored_facts(conn, deal, each)[0] for deal, each in judged if each]
    conn.close()
    every = (one for each in shown for one in each.findings)
    return [(one.rule, one.facts.get("what")) for one in every if one.rule == "stored-otherwise"]


def test_of_an_archive_that_is_as_it_was_stored_nothing_is_said(path: Path) -> None:
    assert found(path) == []
    assert "otherwise than it comes to today" not in page(path, "en")


@pytest.mark.parametrize(("what", "sql"), [
    ("payments", "UPDATE seats SET payment = payment + 10 WHERE deal_id = 2"),
    ("verdict", "UPDATE deals SET verdict = 'differs' WHERE id = 2"),
])  # fmt: skip
def test_an_archive_that_keeps_another_verdict_or_payment_is_told(path: Path, what: str, sql: str) -> None:
    changed(path, sql)
    assert found(path) == [("stored-otherwise", what)]
    assert f"archive has this deal otherwise than it comes to today ({what})" in page(path, "en")
    assert "Archiv hat dieses Spiel anders, als es heute herauskommt" in page(path, "de")
