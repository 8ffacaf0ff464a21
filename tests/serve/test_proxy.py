"""The site under a path of its host, behind a proxy: every address that it gives away leads back to it."""

import asyncio
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from support.patience import WAIT
from support.thorough import examples
from support.web_archive import make_archive

from archive.cli.inputs import read_pasted
from archive.serve.proxy import base_path_of
from archive.store import ArchiveError
from archive.web import serve

BASE, HOST = "/karten", "https://verein.example"
# Where the walk begins, beside the front page: what few pages lead to, and what scripts and frames ask for.
STARTS = (
    "/", "/sessions/1", "/sessions/1/end", "/data", "/api/v1", "/view", "/static/embed.js", "/deals/1/embed",
    "/deals/1/dossier", "/players?by=name", "/data/deals?_facet=verdict&_sort=id", "/data/outcomes?_size=2",
    "/data?sql=select+viewer+from+deals", "/nothing", "/data/nothing", "/data/archive", "/search?q=Anna",
    "/data/deals/", "/deals/1?lang=de", "/data?_lang=de",
)  # fmt: skip
NAMED = re.compile(r"""(?:href|src|action|formaction|data-[a-z-]+)=["']([^"'#]*)""")
LOADED = re.compile(r"""(?:url\(|import [^'"]*|from )["']?([^"')]+)""")
LEAD = examples(1, 2)  # steps of the walk from a start


class Walk:
    """Asks a site for page after page, and remembers every address that one of them gave away."""

    def __init__(self, app: serve.App) -> None:
        self.client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1:8001", timeout=WAIT
        )
        self.given: dict[str, str] = {}  # an address, and the page that has it
        self.status: dict[str, int] = {}

    async def go(self, path: str, steps: int) -> None:
        headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "verein.example"}
        answer = await self.client.get(path, headers=headers)
        self.status[path] = answer.status_code
        for address in addresses_of(answer):
            whole = urlsplit(urljoin(f"{HOST}{path}", address))
            if whole.netloc != urlsplit(HOST).netloc and whole.netloc != "127.0.0.1:8001":
                continue
            first = address not in self.given
            self.given.setdefault(address, path)
            following = whole.path + (f"?{whole.query}" if whole.query else "")
            if first and steps and shape_of(whole.path) not in self.shapes and whole.path.startswith(BASE):
                self.shapes.add(shape_of(whole.path))
                await self.go(following, steps - 1)

    async def all(self) -> "Walk":
        self.shapes: set[str] = set()
        async with self.client:
            for start in STARTS:
                await self.go(BASE + start, LEAD)
        return self


def shape_of(path: str) -> str:
    """One of many pages of a kind is enough."""
    return re.sub(r"[0-9]+", "1", re.sub(r"/(stats|rulesets|static|data)/[^/]+", r"/\1/x", path))


def addresses_of(answer: httpx.Response) -> Iterator[str]:
    if "location" in answer.headers:
        yield answer.headers["location"]
    for cookie in answer.headers.get_list("set-cookie"):
        yield re.findall(r"[Pp]ath=([^;]*)", cookie)[0]
    kind = answer.headers.get("content-type", "")
    if "html" in kind:
        yield from (unescape(each) for each in NAMED.findall(answer.text) if each.startswith(("/", "http")))
    if "css" in kind or "javascript" in kind:
        yield from (each for each in LOADED.findall(answer.text) if each.startswith("/"))
    if "json" in kind:
        yield from (each for each in strings_in(answer.json()) if each.startswith(("/api", "/static", "http:")))


def strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from strings_in(each)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_archive(tmp_path_factory.mktemp("base") / "archive.db")


@pytest.fixture(scope="module")
def walk(archive: Path) -> Walk:
    return asyncio.run(Walk(serve.build_app(archive, read=read_pasted, base=BASE, behind_proxy=True)).all())


def test_every_address_of_every_page_begins_with_the_base_path_once(walk: Walk) -> None:
    strange = {
        address: page
        for address, page in walk.given.items()
        if not re.match(rf"(https://verein\.example)?{BASE}(/|$|\?)", address) or f"{BASE}{BASE}" in address
    }
    assert strange == {}
    assert len(walk.given) > 300


def test_every_address_leads_somewhere(walk: Walk) -> None:
    lost = {path: status for path, status in walk.status.items() if status >= 400 and "nothing" not in path}
    assert lost == {}
    assert len(walk.status) > 40


def ask(app: serve.App, path: str, **headers: str) -> httpx.Response:
    async def run() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://inside") as client:
            return await client.get(path, headers={name.replace("_", "-"): text for name, text in headers.items()})

    return asyncio.run(run())


@pytest.mark.parametrize("path", ["/", "/deals/1", "/data/deals", "/data/archive/deals", "/static/archive.css"])
def test_a_proxy_may_leave_the_base_path_in_the_address_or_take_it_away(archive: Path, path: str) -> None:
    app = serve.build_app(archive, base=BASE)
    left, taken = ask(app, BASE + path), ask(app, path)
    assert left.status_code == taken.status_code == 200
    assert re.sub(r"[0-9,.]+ ms", "", left.text) == re.sub(r"[0-9,.]+ ms", "", taken.text)


def test_the_base_path_alone_is_the_front_page(archive: Path) -> None:
    app = serve.build_app(archive, base=BASE)
    assert ask(app, BASE).text == ask(app, f"{BASE}/").text
    assert ask(app, f"{BASE}n").status_code == 404


def test_a_base_path_that_a_page_begins_with_is_taken_for_itself(archive: Path) -> None:
    app = serve.build_app(archive, base="/d")
    assert ask(app, "/d/deals/1").status_code == ask(app, "/deals/1").status_code == 200


def test_what_is_private_stays_so_under_a_base_path(archive: Path) -> None:
    app = serve.build_app(archive, base=BASE)
    assert ask(app, f"{BASE}/-/databases.json").status_code == 404


@pytest.mark.parametrize("given", ["karten", "/karten", "/karten/", "//karten//"])
def test_a_base_path_may_be_written_in_several_ways(given: str) -> None:
    assert base_path_of(given) == BASE


@pytest.mark.parametrize("given", ["/a b", "/a?b", "/ä", "/../a", "/a/./b", "/<b>", "/data", "/-/x", "https://a/b"])
def test_what_is_no_base_path_is_refused_with_a_sentence(archive: Path, given: str) -> None:
    with pytest.raises(ArchiveError, match=r"base path"):
        serve.build_app(archive, base=given)


HEADERS = {"X_Forwarded_Proto": "https", "X_Forwarded_Host": "verein.example", "X_Forwarded_For": "203.0.113.9"}


async def asked(scope: Any, _receive: Any, send: Any) -> None:
    """Answers what it was asked as."""
    host = dict(scope["headers"])[b"host"].decode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    body = f"{scope['scheme']} {host} {scope['client'][0]}".encode()
    await send({"type": "http.response.body", "body": body})


@pytest.mark.parametrize(
    ("headers", "seen"),
    [
        ({}, "http inside 127.0.0.1"),
        (HEADERS, "https verein.example 203.0.113.9"),
        ({"X_Forwarded_For": "198.51.100.1, 203.0.113.9"}, "http inside 203.0.113.9"),
        ({"X_Forwarded_For": "2001:db8::1"}, "http inside 2001:db8::1"),
        ({"X_Forwarded_For": "unknown", "X_Forwarded_Proto": "gopher"}, "http inside 127.0.0.1"),
        ({"X_Forwarded_Host": "a/b"}, "http inside 127.0.0.1"),
        ({"X_Forwarded_Host": "evil@verein.example"}, "http inside 127.0.0.1"),
        ({"X_Forwarded_Host": "[::1]:8001"}, "http [::1]:8001 127.0.0.1"),
    ],
)
def test_what_the_last_proxy_says_is_believed_if_it_can_be(headers: dict[str, str], seen: str) -> None:
    assert ask(serve.trust_proxy(asked), "/", **headers).text == seen


def test_without_a_proxy_nobody_is_believed(archive: Path) -> None:
    path = "/data/deals.json?_size=1"
    trusting, plain = serve.build_app(archive, behind_proxy=True), serve.build_app(archive)
    assert ask(trusting, path, **HEADERS).json()["next_url"].startswith("https://verein.example/data/")
    assert ask(plain, path, **HEADERS).json()["next_url"].startswith("http://inside/data/")
