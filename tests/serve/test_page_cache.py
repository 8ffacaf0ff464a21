"""Pages that are remembered: never of another reader or archive, or an older one; and many who ask at once."""

import asyncio
import shutil
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from flask.testing import FlaskClient
from support.patience import WAIT
from support.thorough import examples
from support.web_archive import make_archive, with_a_blind

from archive.serve import page_cache
from archive.serve.page_cache import App, Message, PageCache, Scope
from archive.store import DataVersion, Readers
from archive.store.readers import Reader, read_once
from archive.web import request as requests
from archive.web import serve
from archive.web.app import create_app
from archive.web.search import queries
from archive.web.serve import build_app


@pytest.fixture(name="path")
def archive_path(tmp_path: Path) -> Path:
    return make_archive(tmp_path / "archive.db")


@pytest.fixture(name="client")
def client_of(path: Path) -> FlaskClient:
    return create_app(path).test_client()


def ask(app: App, *paths: str, headers: Sequence[tuple[str, str]] = ()) -> list[httpx.Response]:
    """The answers to requests that are all there at once."""

    async def run() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://archive", timeout=WAIT) as client:
            return await asyncio.gather(*(client.get(path, headers=list(headers)) for path in paths))

    return asyncio.run(run())


def counted(answer: str = "page", delay: float = 0, version: int = 1, **headers: str) -> tuple[PageCache, list[Scope]]:
    """A cache before an application that answers with its path, and the requests that come to the application."""
    asked: list[Scope] = []

    async def app(scope: Scope, receive: page_cache.Receive, send: page_cache.Send) -> None:
        asked.append(scope)
        await asyncio.sleep(delay)
        names = {"etag": 'W/"1"', "vary": "Accept-Language", **{key.replace("_", "-"): headers[key] for key in headers}}
        pairs = [(name.encode(), value.encode()) for name, value in names.items()]
        await send({"type": "http.response.start", "status": 200, "headers": pairs})
        await send({"type": "http.response.body", "body": f"{answer} {scope['path']}".encode()})

    return PageCache(app, lambda: version), asked


def test_a_page_is_rendered_once_for_all_who_ask_at_once_and_after_them() -> None:
    app, asked = counted(delay=0.05)
    answers = [*ask(app, *["/a"] * 32), *ask(app, "/a", "/b")]
    assert {answer.text for answer in answers} == {"page /a", "page /b"}
    assert [scope["path"] for scope in asked] == ["/a", "/b"]


def test_who_is_signed_in_gets_a_page_of_their_own_and_leaves_none() -> None:
    app, asked = counted(vary="Cookie")
    ask(app, "/a", headers=[("Cookie", "schafkopf_8001=x")])
    ask(app, "/a", headers=[("Authorization", "Bearer x")])
    assert len(asked) == 2
    ask(app, "/a")
    ask(app, "/a", headers=[("Cookie", "of=others")])
    assert len(asked) == 3
    ask(app, "/a", headers=[("Cookie", "of=others; schafkopf=x")])
    assert len(asked) == 4


@pytest.mark.parametrize(
    "headers", [{"set_cookie": "a=b"}, {"vary": "*"}, {"vary": "Accept-Language, X-Seat"}], ids=str
)
def test_a_page_that_may_be_of_one_reader_alone_is_not_remembered(headers: dict[str, str]) -> None:
    app, asked = counted(**headers)
    ask(app, "/a")
    assert (ask(app, "/a")[0].text, len(asked)) == ("page /a", 2)


@pytest.mark.parametrize("field", ["path", "query_string", "method", "scheme", "root_path"])
def test_every_part_of_an_address_counts(field: str) -> None:
    values = {"path": "/a", "query_string": b"", "method": "GET", "scheme": "http", "root_path": ""}
    app, asked = counted()

    async def send(_message: Message) -> None:
        pass

    async def receive() -> Message:
        return {"type": "http.request"}

    for changed in ({}, {}, {field: b"x=1" if field == "query_string" else "POST" if field == "method" else "/x"}):
        asyncio.run(app({"type": "http", "headers": [], **values, **changed}, receive, send))
    assert len(asked) == 2


PLACES = ("/", "/deals/1", "/players", "/stats/pairs", "/sessions/1", "/rulesets", "/check", "/deals/1.json")
CHOICES = ("", "lang=de", "lang=en", "cards=french", "look=letters", "theme=dark", "seat=2&open=0")


def test_served_pages_are_those_of_the_application(path: Path) -> None:
    """Asked twice, in every language and with every choice, as the application alone answers."""
    app, flask = build_app(path), create_app(path).test_client()
    addresses = [f"{place}?{choice}" for place in ("/", "/deals/1") for choice in CHOICES]
    for address in addresses[:: examples(13, 1)]:  # the first and the last
        for language in ("de", "en", "fr, de;q=0.5"):
            alone = flask.get(address, headers={"Accept-Language": language, "Host": "archive"})
            for encoding in ("gzip", "identity"):
                headers = [("accept-language", language), ("accept-encoding", encoding)]
                for _ in range(2):
                    (answer,) = ask(app, address, headers=headers)
                    assert answer.text == alone.text
                    assert answer.headers["etag"] == alone.headers["etag"]
                    assert answer.headers.get("content-encoding", "identity") == encoding
                    assert answer.headers["content-security-policy"] == alone.headers["content-security-policy"]


def test_a_language_in_two_lines_is_no_other_one(path: Path) -> None:
    app = build_app(path)
    ask(app, "/deals/1", headers=[("accept-language", "de"), ("accept-language", "en;q=0.1")])
    assert 'lang="en"' in ask(app, "/deals/1", headers=[("accept-language", "en")])[0].text
    assert 'lang="de"' in ask(app, "/deals/1", headers=[("accept-language", "de")])[0].text


def test_two_archives_have_two_memories(tmp_path: Path) -> None:
    one, other = make_archive(tmp_path / "one.db"), make_archive(tmp_path / "other.db")
    with_a_blind(other)
    apps = build_app(one), build_app(other)
    assert [[answer.status_code for answer in ask(app, "/deals/8", "/deals/1")] for app in apps * 2] == [
        [404, 200],
        [200, 200],
    ] * 2


# --- the reader who has it --------------------------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize("place", PLACES)
def test_who_has_a_page_is_told_so(path: Path, place: str) -> None:
    app = build_app(path, read=lambda *_: iter(()))
    (first,) = ask(app, place)
    assert first.headers["cache-control"] == "private, no-cache"
    assert "Accept-Language" in first.headers["vary"]
    tag = first.headers["etag"]
    for known in (tag, f'"x", {tag}', "*"):
        (again,) = ask(app, place, headers=[("if-none-match", known)])
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert "content-length" not in again.headers
    assert ask(app, place, headers=[("if-none-match", 'W/"x"')])[0].content == first.content
    assert ask(build_app(path, read=lambda *_: iter(())), place, headers=[("if-none-match", tag)])[0].status_code == 304


@pytest.mark.parametrize("place", ["/healthz", "/deals/99", "/nowhere"])
def test_what_is_not_a_page_is_not_remembered(client: FlaskClient, place: str) -> None:
    headers = client.get(place).headers
    assert (headers["Cache-Control"], "ETag" in headers) == ("no-store", False)


# --- the archive changes ----------------------------------------------------------------------------------------------


def test_new_deals_are_there_at_once(path: Path) -> None:
    app = build_app(path)
    (before,) = ask(app, "/")
    assert ask(app, "/deals/8")[0].status_code == 404
    with_a_blind(path)
    (after,) = ask(app, "/", headers=[("if-none-match", before.headers["etag"])])
    assert after.status_code == 200
    assert 'href="/deals/8' in after.text
    assert ask(app, "/deals/8")[0].status_code == 200


def test_another_file_of_that_name_is_another_archive(path: Path, tmp_path: Path) -> None:
    app = build_app(path)
    ask(app, "/", "/deals/1")
    other = make_archive(tmp_path / "other.db")
    with_a_blind(other)
    other.replace(path)
    assert 'href="/deals/8' in ask(app, "/")[0].text
    path.write_text("no archive")
    assert ask(app, "/")[0].status_code == 503
    path.unlink()
    assert "schafkopf import" in ask(app, "/")[0].text


def test_a_version_grows_with_every_change(path: Path, tmp_path: Path) -> None:
    version = DataVersion(path)
    first = version.current()
    assert version.current() == first
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("UPDATE deals SET note = 'x' WHERE id = 1")
    second = version.current()
    assert (second, version.current()) == (first + 1, second)
    shutil.copy(path, tmp_path / "copy.db")
    (tmp_path / "copy.db").replace(path)
    assert version.current() == second + 1
    path.unlink()
    assert version.current() is None


def test_a_connection_reads_once_of_a_state_of_the_archive(path: Path) -> None:
    readers = Readers(path)
    conn = readers.lend()
    assert [read_once(conn, "key", lambda n=n: n) for n in (1, 2)] == [1, 1]
    assert read_once(conn, "another", lambda: 3) == 3
    readers.take_back(conn)
    assert read_once(readers.lend(), "key", lambda: 4) == 1
    readers.take_back(conn)
    with_a_blind(path)
    assert read_once(readers.lend(), "key", lambda: 5) == 5
    with closing(sqlite3.connect(path)) as plain:
        assert [read_once(plain, "key", lambda n=n: n) for n in (1, 2)] == [1, 2]


def test_a_connection_is_used_again_and_holds_no_old_state(path: Path) -> None:
    readers = Readers(path)
    conn = readers.lend()
    rows = conn.execute("SELECT id FROM deals")
    next(rows)  # not to its end
    readers.take_back(conn)
    assert readers.lend() is conn
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        next(rows)
    readers.take_back(conn)
    with_a_blind(path)
    again = readers.lend()
    assert again.execute("SELECT count(*) FROM deals").fetchone()[0] == 8
    assert isinstance(again, Reader)


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_memory_is_bounded() -> None:
    app, asked = counted("x" * 1000)
    app.pages = page_cache.LRUCache(40_000, getsizeof=lambda page: page.size)
    for n in range(100):
        ask(app, f"/{n}")
    assert 5 < len(app.pages) < 20
    assert sum(page.size for page in app.pages.values()) <= 40_000
    ask(app, "/99", "/0")
    assert [scope["path"] for scope in asked[100:]] == ["/0"]


def test_one_page_does_not_fill_it() -> None:
    app, asked = counted("x" * page_cache.MOST_OF_ONE)
    ask(app, "/")
    ask(app, "/")
    assert len(asked) == 2
    assert not app.pages


def test_waiting_counts_for_no_deadline(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More who ask at once than there are threads, each held up for longer than a page may work."""
    monkeypatch.setattr(requests, "DEADLINE", 0.5)
    monkeypatch.setattr(requests, "STEPS", 1)
    count = queries.fitting_deals

    def slowly(*given: object) -> object:
        time.sleep(0.7)
        return count(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(queries, "fitting_deals", slowly)
    monkeypatch.setattr(serve, "WORKERS", 2)
    answers = ask(build_app(path), *(f"/?start={n}" for n in range(3)))
    assert [answer.status_code for answer in answers] == [200] * 3


def test_too_much_work_is_said_and_may_be_asked_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "DEADLINE", -1.0)
    monkeypatch.setattr(requests, "STEPS", 1)
    client = create_app(path).test_client()
    for language, words in (("en", "Ask for less at once"), ("de", "Frag nach weniger")):
        answer = client.get(f"/players?lang={language}")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert words in answer.text
        assert (answer.headers["Cache-Control"], "ETag" in answer.headers) == ("no-store", False)
