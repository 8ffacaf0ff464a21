"""What visitors ask of their own is drawn by a process apart: the same answers, after all else, no harm by its end."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.patience import WAIT
from support.running import run
from support.web_archive import make_archive

from archive.serve.worker_pool import LAST
from archive.serve.worker_process import WorkerProcess, held_memory
from archive.web import serve

SAME = (
    "/data/deals?_sort=price",
    "/data/outcomes.json?_size=max&_shape=array",
    "/data/seats.csv?_stream=on",
    "/data/deals?_facet=contract&_lang=de",
    "/data.json?sql=select+nothing",
    "/data.csv?sql=select+x'00'+as+a",
    "/data/nothing?a=1",
    "/data/deals?_sort=nothing",
)


@pytest.fixture(scope="module")
def site(path: Path) -> Iterator[serve.Site]:
    with closing(serve.Site(path, apart=True)) as found:
        yield found


def visit(app: serve.App, work: Callable[[httpx.AsyncClient], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://a", timeout=WAIT) as client:
            return await work(client)

    return asyncio.run(run())


def process_of(site: serve.Site) -> WorkerProcess:
    part = site.parts[1]
    assert isinstance(part, WorkerProcess)
    return part


def test_it_begins_beside_the_first_page_of_data_reads_what_strangers_may_read_and_its_socket_goes_with_the_server(
    tmp_path: Path,
) -> None:
    path = make_archive(tmp_path / "archive.db")
    counting = "/data.json?sql=select+count(*)+from+deals+where+session_id=1"
    with closing(serve.Site(path, apart=True)) as fresh:
        process = process_of(fresh)
        visit(fresh.app, lambda client: client.get("/rulesets"))
        assert not process.expected
        assert visit(fresh.app, lambda client: client.get("/data/deals")).status_code == 200
        (beginning,) = [each for each in threading.enumerate() if each.name == "begin a process"] or [None]
        if beginning:
            beginning.join(WAIT)
        begun, folder = process.process, Path(process.folder)
        assert begun
        assert visit(fresh.app, lambda client: client.get(counting)).json()["rows"] == [[7]]
        hide = ["visibility", "set", "session", "1", "players", "--by", "Kathi", "--db", str(path)]
        assert run(*hide).exit_code == 0
        assert visit(fresh.app, lambda client: client.get(counting)).json()["rows"] == [[0]], "what strangers may see"
        assert process.process is begun
        assert folder.stat().st_mode & 0o077 == 0, "nobody else can ask it"
        visit(fresh.app, lambda client: end_over_a_request(process, client))
        process.process.stdin.close()  # as the end of the server does, however that comes
        assert process.process.wait(WAIT) == 0
        assert not folder.exists()


async def end_over_a_request(apart: WorkerProcess, client: httpx.AsyncClient) -> None:
    """Where it ends over a request, the reader is told to come again, and the next is answered by another one."""
    process = apart.process
    process.send_signal(signal.SIGSTOP)
    asked = asyncio.create_task(client.get("/data.json?sql=select+2"))
    while not apart.requests:
        await asyncio.sleep(0.01)
    process.kill()
    late, answered = await asked, await client.get("/data.json?sql=select+3")
    assert (late.status_code, late.headers["retry-after"]) == (503, "5")
    assert answered.json()["rows"] == [[3]]


def test_no_process_begins_once_its_site_is_closed(path: Path) -> None:
    site = serve.Site(path, apart=True)
    process = process_of(site)
    site.close()
    process._begin_ahead()
    assert process.process is None


def test_answers_are_those_of_an_application_in_the_server(path: Path, site: serve.Site) -> None:
    async def get_all(client: httpx.AsyncClient) -> list[httpx.Response]:
        return [await client.get(address, headers={"Accept-Encoding": "gzip"}) for address in SAME]

    with closing(serve.Site(path)) as here:
        for one, other in zip(visit(site.app, get_all), visit(here.app, get_all), strict=True):
            assert one.status_code == other.status_code
            assert without_time(one) == without_time(other)
            assert {*one.headers.items()} - {*other.headers.items()} <= {*one.headers.multi_items()}
            assert one.headers.keys() == other.headers.keys()


def without_time(answer: httpx.Response) -> Any:
    if answer.headers["content-type"].startswith("application/json"):
        found = answer.json()
        return {**found, "query_ms": None} if isinstance(found, dict) else found
    return "".join(line for line in answer.text.splitlines() if "ms" not in line)


def test_it_comes_last_and_an_interrupt_of_the_server_is_not_its_own(site: serve.Site) -> None:
    """Linux shares processors between sessions first: in one of its own it would come as often as the server."""
    visit(site.app, lambda client: client.get("/data.json?sql=select+1"))
    process = process_of(site).process
    assert os.getsid(process.pid) == os.getsid(0)
    assert os.getpgid(process.pid) != os.getpgid(0)
    assert os.getpriority(os.PRIO_PROCESS, process.pid) >= min(19, os.nice(0) + LAST)
    if sys.platform == "linux":
        assert held_memory(process.pid) > 0


def test_one_that_has_taken_much_memory_is_replaced_when_nobody_waits_for_it(
    site: serve.Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not held_memory(os.getpid()):
        pytest.skip("the system does not say how much")
    monkeypatch.setattr(process_of(site), "most_memory", 1)
    assert visit(site.app, lambda client: client.get("/data.json?sql=select+1")).status_code == 200
    assert process_of(site).process is None
