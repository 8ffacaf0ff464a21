"""`serve --samples`: a club that one wants to look into, the same wherever it is asked for: six evenings with names and
dates, three disputes of three kinds of which one is ruled, a tournament, an evening under way."""

from contextlib import chdir, closing
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from archive.cli.inputs import read_pasted
from archive.cli.samples import import_club
from archive.store import open_read
from archive.web.app import create_app


@pytest.fixture(scope="module", name="club")
def club_of(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("anywhere")
    with chdir(folder):
        import_club("samples.db", "en")
    return folder / "samples.db"


def rows(club: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(open_read(club)) as conn:
        return [tuple(row) for row in conn.execute(sql)]


def test_there_are_six_evenings_with_names_and_dates_and_one_of_them_is_a_tournament(club: Path) -> None:
    evenings = rows(club, "SELECT DISTINCT date, event FROM sessions ORDER BY date")
    assert len(evenings) == 6
    assert all(date and event for date, event in evenings)
    assert rows(club, "SELECT count(*) FROM sessions WHERE table_name IS NOT NULL AND list IS NOT NULL") == [(2,)]


def test_there_are_three_disputes_of_three_kinds_and_one_is_ruled(club: Path) -> None:
    disputed = rows(club, "SELECT id FROM deals WHERE verdict NOT IN ('agrees', 'undecidable') ORDER BY id")
    assert len(disputed) == 3
    kinds = rows(club, "SELECT DISTINCT rule FROM findings WHERE severity = 'error' ORDER BY rule")
    assert kinds == [("must-follow",), ("stated-payments",), ("stated-totals",)]
    assert rows(club, "SELECT count(*) FROM rulings") == [(1,)]
    assert rows(club, "SELECT count(*) FROM deals WHERE verdict = 'undecidable'") == [(0,)]


def test_one_evening_is_under_way(club: Path) -> None:
    open_ones = "SELECT count(*) FROM evenings WHERE closed_at IS NULL"
    assert rows(club, open_ones) == [(1,)]
    newest = "SELECT count(*) FROM deals WHERE session_id = (SELECT id FROM sessions ORDER BY date DESC LIMIT 1)"
    assert rows(club, newest) == [(4,)]


def test_files_are_named_as_they_lie_in_the_project(club: Path) -> None:
    paths = [str(path) for (path,) in rows(club, "SELECT path FROM sources WHERE path LIKE 'sample_games%'")]
    assert len(paths) == 6
    assert all(path.startswith("sample_games/club/2026-") for path in paths)


@pytest.mark.parametrize(("language", "dispute"), [("de", "Ein Streitfall"), ("en", "A dispute")])
def test_the_front_page_leads_with_a_dispute_and_the_evening_under_way(club: Path, language: str, dispute: str) -> None:
    page = LexborHTMLParser(create_app(club, read_pasted).test_client().get(f"/?lang={language}").text)
    assert page.css_first("#featured").text() == dispute
    assert "Stammtisch im Hirschen" in page.css_first(".latest.now").text()
    looks = page.css(".looks li h3 a")
    assert 2 <= len(looks) <= 3
