"""Who has lately taken much of the processor is answered one page after the other; whoever else comes, at once.

No test here asserts a time: who is answered first is seen by order.
"""

import asyncio
import math
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.asgi import request
from support.patience import WAIT
from support.web_archive import make_archive

from archive.serve import gate
from archive.serve.gate import MUCH, Taken, measure_task, queue_by_cpu
from archive.serve.proxy import Receive, Scope, Send
from archive.web import serve

HEAVY, OTHER, LIGHT = "192.0.2.1", "192.0.2.2", "192.0.2.3"


def scope_of(address: str, path: str = "/", method: str = "GET") -> Scope:
    return {"type": "http", "method": method, "path": path, "client": (address, 1)}


class Pages:
    """An application whose pages are made when they are let; it notes who begins and who has an answer."""

    def __init__(self) -> None:
        self.let, self.begun = asyncio.Event(), list[str]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.begun.append(scope["client"][0])
        await self.let.wait()
        await send({"type": "http.response.body", "body": b""})


async def nothing() -> Any:
    raise AssertionError


def test_much_is_forgotten_over_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(gate.time, "monotonic", lambda: now[0])
    taken = Taken()
    taken.add(HEAVY, 1.5 * MUCH)
    assert taken.is_much(HEAVY)
    assert not taken.is_much(LIGHT)
    now[0] += gate.HALF
    assert not taken.is_much(HEAVY)
    taken.add(HEAVY, 0.5 * MUCH)
    assert taken.is_much(HEAVY)


def test_those_who_take_much_are_answered_queue_by_cpu_by_turns_and_others_at_once() -> None:
    async def crowd() -> tuple[list[str], list[str]]:
        pages, taken = Pages(), Taken()
        for address in (HEAVY, OTHER):
            taken.add(address, 100 * MUCH)
        app = queue_by_cpu(pages, taken)

        async def send(message: Any) -> None:
            assert message["type"] == "http.response.body"

        asked = (HEAVY, HEAVY, HEAVY, OTHER, LIGHT, LIGHT)
        tasks = [asyncio.create_task(app(scope_of(address), nothing, send)) for address in asked]
        tasks.append(asyncio.create_task(app(scope_of(HEAVY, method="POST"), nothing, send)))
        for _ in range(5):
            await asyncio.sleep(0)
        at_once = [*pages.begun]
        pages.let.set()
        await asyncio.gather(*tasks)
        return at_once, pages.begun

    at_once, all_of_them = asyncio.run(crowd())
    assert sorted(at_once) == sorted([HEAVY, LIGHT, LIGHT, HEAVY]), "what is written waits for nobody"
    assert all_of_them[4:] == [OTHER, HEAVY, HEAVY]


def test_who_reads_slowly_keeps_nobody_from_the_turn() -> None:
    async def crowd() -> None:
        pages, taken = Pages(), Taken()
        for address in (HEAVY, OTHER):
            taken.add(address, 100 * MUCH)
        app = queue_by_cpu(pages, taken)
        pages.let.set()
        never, sent = asyncio.Event(), list[str]()

        async def slow(message: Any) -> None:
            await never.wait()

        async def quick(message: Any) -> None:
            sent.append("quick")

        first = asyncio.create_task(app(scope_of(HEAVY), nothing, slow))
        await asyncio.wait_for(app(scope_of(OTHER), nothing, quick), WAIT)
        assert (sent, first.done()) == (["quick"], False)
        never.set()
        await first

    asyncio.run(crowd())


def test_a_task_gives_what_it_gives_without_being_measured_and_its_work_is_counted() -> None:
    taken = Taken()

    async def work() -> None:
        end = time.thread_time() + 2 * MUCH
        await asyncio.sleep(0)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 0.01)
        while time.thread_time() < end:
            pass
        raise KeyError("handed on")

    async def run() -> None:
        await measure_task(taken, HEAVY, work())

    with pytest.raises(KeyError, match="handed on"):
        asyncio.run(run())
    assert taken.is_much(HEAVY)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[serve.Site]:
    with closing(serve.Site(make_archive(tmp_path / "archive.db"))) as found:
        yield found


def test_pages_of_both_sites_count_and_who_has_much_gets_tables_beside_the_others(
    site: serve.Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, float]] = []
    add = Taken.add
    monkeypatch.setattr(Taken, "add", lambda taken, *what: (seen.append(what), add(taken, *what)))
    drawn: list[str] = []
    for part in site.parts:

        async def noting(scope: Any, receive: Any, send: Any, app: Any = part.app, name: str = part.name) -> None:  # type: ignore[union-attr]
            drawn.append(name)
            await app(scope, receive, send)

        monkeypatch.setattr(part, "app", noting)

    for much, number in ((math.inf, 1), (-1.0, 2)):
        monkeypatch.setattr(gate, "MUCH", much)
        for path in (f"/deals/{number}", f"/data/deals.json?_next={number}"):
            assert request(site.app, path, visitor=HEAVY).status_code == 200
    assert {address for address, _ in seen} == {HEAVY}
    assert sum(seconds for _, seconds in seen) > 0
    assert drawn == ["datasette", "visitors"]
