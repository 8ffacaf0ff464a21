"""An archive whose facts are not counted, as an upgrade leaves it that was killed: what is counted is not shown, and
what to do is said; all else is there."""

from contextlib import closing
from pathlib import Path

import pytest
from support.asgi import request
from support.running import run
from support.web_archive import make_archive

from archive.stats import FACTS
from archive.stats.catalogue import COUNTED
from archive.store import event_standing_rows, open_archive
from archive.store.readers import open_reader
from archive.store.transaction import writing
from archive.store.unfinished import note_unfinished
from archive.web import serve
from archive.web.app import create_app
from archive.web.search.filters import Search
from archive.web.search.queries import fitting_deals, played_contracts
from archive.web.texts import TEXTS

COUNTED_PAGES = ("/stats/pairs", "/stats/pairs/plot.json", "/stats/fairness", "/players", "/api/v1/questions/pairs")
OTHER_PAGES = ("/", "/?rules=bavarian", "/stats", "/players/1", "/sessions/1", "/deals/1", "/findings", "/api/v1/deals")


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_archive(tmp_path_factory.mktemp("counted") / "archive.db")


@pytest.fixture
def uncounted(tmp_path: Path) -> Path:
    path = make_archive(tmp_path / "archive.db")
    with closing(open_archive(path).conn) as conn, writing(conn):
        for facts in FACTS:
            conn.execute(f"DELETE FROM {facts.name}")
        note_unfinished(conn, COUNTED)
    return path


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_page_of_counted_numbers_says_what_to_do_and_shows_none(uncounted: Path, language: str) -> None:
    client = create_app(uncounted).test_client()
    for address in COUNTED_PAGES:
        answer = client.get(address, headers={"Accept-Language": language})
        assert (answer.status_code, bool(answer.headers["Retry-After"])) == (503, True), address
        assert "schafkopf upgrade archive.db" in answer.text
        assert TEXTS[language]["uncounted"] in answer.text or address.startswith("/api/")


def test_all_other_pages_are_there(uncounted: Path) -> None:
    client = create_app(uncounted).test_client()
    for address in OTHER_PAGES:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert ("schafkopf upgrade archive.db" in answer.text) == (not address.startswith("/api/")), address


def test_what_other_pages_count_is_counted_from_the_deals(counted: Path, uncounted: Path) -> None:
    def numbers(path: Path) -> list[object]:
        with closing(open_reader(path)) as conn:
            events = [row[0] for row in conn.execute("SELECT DISTINCT event FROM sessions ORDER BY event")]
            return [
                fitting_deals(conn, Search({}), 20),
                played_contracts(conn),
                *(([tuple(row) for row in event_standing_rows(conn, event)[0]]) for event in events),
            ]

    assert numbers(uncounted) == numbers(counted)


def test_datasette_refuses_the_questions_and_shows_the_tables(uncounted: Path) -> None:
    names = ("pairs", "deals", "outcomes")
    with closing(serve.Site(uncounted)) as site:
        questions, *tables = (request(site.app, f"/data/{name}.json?_shape=array") for name in names)
    assert (questions.status_code, "schafkopf upgrade" in questions.text) == (503, True)
    assert all(answer.status_code == 200 and answer.json() for answer in tables)


def test_an_upgrade_counts_them(uncounted: Path) -> None:
    client = create_app(uncounted).test_client()
    assert client.get("/stats/pairs").status_code == 503
    assert run("upgrade", uncounted).exit_code == 0
    answer = client.get("/stats/pairs")
    assert answer.status_code == 200
    assert "schafkopf upgrade" not in answer.text
