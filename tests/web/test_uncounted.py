"""An archive whose facts are not counted, as an upgrade leaves it that was killed: what is counted is not shown, and
what to do is said; all else is there."""

import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest
from support.asgi import request
from support.running import run
from support.web_archive import make_archive

from archive.serve.gate import Line
from archive.serve.worker_process import BackgroundLoop
from archive.stats import FACTS
from archive.stats.catalogue import COUNTED
from archive.store import event_standing_rows, open_archive
from archive.store.readers import open_reader
from archive.store.transaction import writing
from archive.store.unfinished import note_unfinished
from archive.web import request as requests
from archive.web import serve
from archive.web.app import create_app
from archive.web.datasette.counting import QueryPool
from archive.web.datasette.query_process import Late
from archive.web.search.filters import Search
from archive.web.search.queries import fitting_deals, played_contracts
from archive.web.texts import TEXTS

COUNTED_PAGES = ("/stats/pairs", "/stats/pairs/plot.json", "/stats/fairness", "/players", "/api/v1/questions/pairs")
OTHER_PAGES = ("/", "/?rules=bavarian", "/stats", "/players/1", "/sessions/1", "/deals/1", "/findings", "/api/v1/deals")


@pytest.fixture
def uncounted(tmp_path: Path) -> Path:
    path = make_archive(tmp_path / "archive.db")
    with closing(open_archive(path).conn) as conn, writing(conn):
        for facts in FACTS:
            conn.execute(f"DELETE FROM {facts.name}")
        note_unfinished(conn, COUNTED)
    return path


def test_a_page_of_counted_numbers_says_what_to_do_and_shows_none_and_all_others_are_there(uncounted: Path) -> None:
    client = create_app(uncounted).test_client()
    for address, language in product(COUNTED_PAGES, ("en", "de")):
        answer = client.get(address, headers={"Accept-Language": language})
        assert (answer.status_code, bool(answer.headers["Retry-After"])) == (503, True), address
        assert "schafkopf upgrade archive.db" in answer.text
        assert TEXTS[language]["uncounted"] in answer.text or address.startswith("/api/")
    for address in OTHER_PAGES:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert ("schafkopf upgrade archive.db" in answer.text) == (not address.startswith("/api/")), address


def test_what_other_pages_count_is_counted_from_the_deals(path: Path, uncounted: Path) -> None:
    def numbers(of: Path) -> list[object]:
        with closing(open_reader(of)) as conn:
            events = [row[0] for row in conn.execute("SELECT DISTINCT event FROM sessions ORDER BY event")]
            return [
                fitting_deals(conn, Search({}), 20),
                played_contracts(conn),
                *(([tuple(row) for row in event_standing_rows(conn, event)[0]]) for event in events),
            ]

    assert numbers(uncounted) == numbers(path)


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


# --- a page that would work for too long: what is late here has its deadline before its beginning -------------------


PAGES = {
    "/?contract=solo": "late_list",
    "/findings?rule=must-follow": "late_findings",
    "/players/1": "late_player",
    "/stats/pairs?player=1": "late_question",
    "/stats/pairs/plot.json?player=1": "late_question",
    "/stats/fairness": "late_fairness",
    "/sessions/1": "late_other",
}


@pytest.fixture
def _overdue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "DEADLINE", -1.0)
    monkeypatch.setattr(requests, "STEPS", 1)


@pytest.mark.usefixtures("_overdue")
def test_a_late_page_says_when_to_come_again_and_what_to_narrow(path: Path) -> None:
    client = create_app(path).test_client()
    for (address, narrower), language in product(PAGES.items(), ("en", "de")):
        answer = client.get(f"{address}{'&' if '?' in address else '?'}lang={language}")
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0
        assert answer.headers["Cache-Control"] == "no-store"
        assert TEXTS[language][narrower].replace("&", "&amp;") in answer.text


def test_pages_that_are_slow_take_turns_and_one_too_many_is_told_to_come_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Line(1)
    monkeypatch.setattr(requests, "slow_pages", slow)
    monkeypatch.setattr(requests, "SLOW", -1.0)
    monkeypatch.setattr(requests, "STEPS", 1)
    client = create_app(path).test_client()
    assert client.get("/players/1").status_code == 200
    assert slow.begin(), "the page has given its turn back"
    answer = create_app(path).test_client().get("/players/1?lang=en")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert TEXTS["en"]["busy"] in answer.text
    slow.end()
    assert client.get("/players/1").status_code == 200


def test_a_late_table_says_in_the_language_of_the_reader_what_to_narrow(
    site: serve.Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = QueryPool.ask
    monkeypatch.setattr(QueryPool, "ask", lambda pool, query: Late() if query.most_rows else ask(pool, query))
    for address in ("/data/plays.json?_sort=name", "/data/ask_balances.json?rules=pub"):
        late = request(site.app, address)
        assert (late.status_code, late.headers["Retry-After"], "sk for less at once" in late.text) == (503, "5", True)
    for language in ("en", "de"):
        answer = request(site.app, f"/data/plays?_sort=name&_lang={language}")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert TEXTS[language]["late"] in answer.text
        assert TEXTS[language]["ds_late"].format(seconds=1.5) in answer.text


# --- loops apart ------------------------------------------------------------------------------------------------------


@pytest.fixture
def site(path: Path) -> Iterator[serve.Site]:
    with closing(serve.Site(path)) as found:
        yield found


def test_pages_of_datasette_are_drawn_outside_the_loop_that_answers(
    site: serve.Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of visitors' own apart from all others."""
    seen: list[tuple[str, str]] = []
    for loop in site.parts:
        app = loop.app

        async def noting(scope: object, receive: object, send: object, app: object = app) -> None:
            seen.append((threading.current_thread().name, scope["path"]))  # type: ignore[index]
            await app(scope, receive, send)  # type: ignore[operator]

        monkeypatch.setattr(loop, "app", noting)
    addresses = ("/data/deals.json", "/data/deals.json?_sort=price", "/data/deals.json?_size=max", "/healthz")
    assert [request(site.app, address).status_code for address in addresses] == [200] * 4
    assert seen == [
        ("datasette", "/data/deals.json"),
        ("visitors", "/data/deals.json"),
        ("visitors", "/data/deals.json"),
    ]


def test_a_loop_of_its_own_passes_on_bodies_answers_and_errors() -> None:
    async def echo(scope: object, receive: object, send: object) -> None:
        body = (await receive())["body"]  # type: ignore[operator]
        if body == b"fail":
            raise ValueError("no")
        await send({"type": "http.response.start", "status": 200, "headers": []})  # type: ignore[operator]
        await send({"type": "http.response.body", "body": body[::-1]})  # type: ignore[operator]

    app = BackgroundLoop(echo, "echo")
    assert request(app, "/", "POST", content=b"abc").text == "cba"
    with pytest.raises(ValueError, match="no"):
        request(app, "/", "POST", content=b"fail")
    app.close()
