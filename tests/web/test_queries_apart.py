"""Queries are answered by processes of their own: the same answers, and whoever asks for too much costs others nothing.

Nothing here asserts a time: that others do not wait is seen by who is answered first.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from datasette.database import QueryInterrupted  # type: ignore[import-untyped]
from support.asgi import request
from support.patience import WAIT

from archive.store.views import VIEWS
from archive.web import serve
from archive.web.datasette.counting import FACETS, ROWS, QueryPool, counted_sql, rows_of
from archive.web.datasette.data_app import DATABASE, SETTINGS, data_site
from archive.web.datasette.query_process import Failed, Late, Long, Query, Rows, connect

LONG_TEXT = f"{'hex(' * 20}'aaaaaaaaaaaaaaaa'{')' * 20}"  # 16 MB
STARS = f"select {LONG_TEXT} glob '*{'3' * 48}*{'3' * 48}b'"
ATTACKS = {  # what none of SQLite's own limits ends in time: a single call, memory, or a large answer
    "nested stars": STARS,
    "six of them": " union all ".join([STARS] * 6),
    "a like of a long text": f"select {LONG_TEXT} like '%{'3' * 90}x'",
    "an endless query": "with recursive a(x) as (select 1 union all select x + 1 from a) select count(*) from a",
    "rows of 256 KB": f"with recursive a(n) as (select 1 union all select n + 1 from a where n < 1000) "
    f"select {'hex(' * 14}'aaaaaaaaaaaaaaaa'{')' * 14} from a",
    "a sorted heap": f"with recursive a(n) as (select 1 union all select n + 1 from a) "
    f"select n, {'hex(' * 8}n{')' * 8} as x from a order by x",
    "one list of all": "with recursive a(n) as (select 1 union all select n + 1 from a) "
    "select json_group_array(hex(n)) from a",
}  # fmt: skip
ORDINARY = (
    "select 1, 1.5, null, 'ä', x'ff00', 9223372036854775807",
    "select id as a, id as A, contract from deals order by id",
    "select contract, count(*) from outcomes group by 1 order by 2 desc, 1",
    "select * from plays where deal = 1 order by trick, card",
    "select replace('abcb', 'b', 'xy'), instr('abc', 'c'), trim('xax', 'x'), 'abc' glob 'a*'",
    "select count(*) from notes_fts where notes_fts match escape_fts('a \"b')",
    "select cast(x'ff' as text)",
    "select nothing",
    "select 1; select 2",
    "delete from deals",
)


@pytest.fixture(scope="module")
def pool() -> Iterator[QueryPool]:
    pool = QueryPool(1)
    yield pool
    pool.end_processes()


@pytest.fixture(scope="module")
def app(path: Path) -> Iterator[serve.App]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SETTINGS, "sql_time_limit_ms", 150)
        with closing(serve.Site(path)) as site:
            yield site.app


def visit(app: serve.App, work: Callable[..., Awaitable[Any]], *addresses: str) -> Any:
    """What visitors from these addresses see, each with a client of its own."""

    async def run() -> Any:
        clients = [
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app, client=(address, 1)), base_url="http://a", timeout=WAIT
            )
            for address in addresses
        ]
        try:
            return await work(*clients)
        finally:
            for client in clients:
                await client.aclose()

    return asyncio.run(run())


def asked_here(path: Path, sql: str) -> list[sqlite3.Row] | Failed:
    """The rows of a query on a connection of this process, or why there are none."""
    with closing(connect(str(path))) as conn:
        conn.row_factory = sqlite3.Row
        try:
            return conn.execute(sql).fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            return Failed(type(error).__name__, str(error))


@pytest.mark.one_in(10)
@pytest.mark.parametrize("sql", [*ORDINARY, *(f"select * from {view} limit 20" for view in VIEWS)])
def test_an_answer_is_that_of_a_connection_in_this_process(path: Path, pool: QueryPool, sql: str) -> None:
    answer, expected = pool.ask(Query(str(path), sql, None, 60, 1000, 10**8)), asked_here(path, sql)
    if not isinstance(answer, Rows) or isinstance(expected, Failed):
        assert answer == expected
        return
    rows = rows_of(answer.columns, answer.rows)
    assert [tuple(row) for row in rows] == [tuple(row) for row in expected]
    assert [dict(row) for row in rows] == [dict(row) for row in expected]  # type: ignore[call-overload]


def test_rows_are_cut_and_an_answer_that_is_too_long_is_none(path: Path, pool: QueryPool) -> None:
    sql = "select seat from seats where deal_id = 1 order by seat"
    assert pool.ask(Query(str(path), sql, None, 60, 3, 10**6)) == Rows(["seat"], [(1,), (2,), (3,)], True)
    assert pool.ask(Query(str(path), sql, None, 60, 3, 40)) == Long()


def test_a_process_that_ended_is_replaced(path: Path, pool: QueryPool) -> None:
    query = Query(str(path), "select ?", ["a"], 60, None, 1000)
    assert pool.ask(query) == Rows(["?"], [("a",)], False)
    pool.workers.idle[0].process.kill()
    assert pool.ask(query) == Late()
    assert pool.ask(query) == Rows(["?"], [("a",)], False)


def test_a_number_that_sqlite_does_not_have_takes_no_process_away(path: Path, pool: QueryPool) -> None:
    there = [*pool.workers.idle]
    assert isinstance(pool.ask(Query(str(path), "select ?", [10**30], 60, None, 1000)), Failed)
    assert (pool.workers.idle, pool.workers.busy) == (there, set())
    assert pool.ask(Query(str(path), "select ?", [1], 60, None, 1000)) == Rows(["?"], [(1,)], False)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("sql", ATTACKS.values(), ids=ATTACKS)
def test_an_attack_is_ended_and_holds_up_nobody(app: serve.App, sql: str) -> None:
    """Two visitors attack at once, which takes all processes for what visitors ask of their own; a third one reads a
    row meanwhile, and is answered."""

    async def attacked(one: httpx.AsyncClient, two: httpx.AsyncClient, reader: httpx.AsyncClient) -> tuple[Any, ...]:
        await asyncio.gather(*(client.get("/data.json?sql=select+1") for client in (one, two)))
        await reader.get("/data/deals/3.json")
        attacks = [asyncio.create_task(client.get("/data.json", params={"sql": sql})) for client in (one, two)]
        await asyncio.sleep(0.01)
        page = await reader.get("/data/deals/3.json")
        return page.status_code, [(await task).status_code for task in attacks]

    assert visit(app, attacked, "192.0.2.1", "192.0.2.2", "192.0.2.3") == (200, [400, 400])


def test_whoever_asks_for_too_much_at_once_is_told_when_to_come_again_and_others_are_answered(app: serve.App) -> None:
    sql = {"sql": ATTACKS["an endless query"]}

    async def crowded(crowd: httpx.AsyncClient, other: httpx.AsyncClient) -> tuple[list[httpx.Response], int, int]:
        tasks = [asyncio.create_task(crowd.get("/data.json", params=sql)) for _ in range(9)]
        await asyncio.sleep(0)
        answered = await other.get("/data.json?sql=select+1")
        plain = await crowd.get("/data/deals/3.json")
        return [await task for task in tasks], answered.status_code, plain.status_code

    answers, answered, plain = visit(app, crowded, "192.0.2.1", "2001:db8::1")
    assert (answered, plain) == (200, 200)
    assert sorted(answer.status_code for answer in answers) == [400] * 7 + [429] * 2
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert int(refused.headers["retry-after"]) > 0
    assert "waiting" in refused.text or "answered at a time" in refused.text


# --- what is counted already ------------------------------------------------------------------------------------------


class LatePool:
    """Processes that count nothing in time."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def answer(self, query: Query) -> Late:
        self.asked.append(query.sql)
        return Late()


def test_a_view_that_was_not_counted_in_time_is_not_counted_again_at_once(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = data_site(path, True, "", lambda: path).databases[DATABASE]
    pool = LatePool()
    with monkeypatch.context() as patched:
        patched.setattr(opened, "own", pool)
        for sql in ("select count(*) from standings", "select count(*) from pairs", "select count(*) from standings"):
            with pytest.raises(QueryInterrupted):
                asyncio.run(opened.execute(sql))
        for _ in range(2):  # of a part of it each time
            with pytest.raises(QueryInterrupted):
                asyncio.run(opened.execute("select count(*) from pairs where name = :p0", {"p0": "Anna"}))
    opened.close()
    assert [sql.split(" where")[0].split()[-1] for sql in pool.asked] == ["standings", "pairs", "pairs", "pairs"]


def test_rows_and_facets_that_are_counted_already_are_those_of_a_count(path: Path) -> None:
    """Of the SQL that Datasette writes, each is held against the same SQL as it is written."""
    counts = [f"select count(*) from {table} " for table in ROWS]
    facets = [
        f"""
            select {column} as value, count(*) as count from (
                select {column} from {table} )
            where {column} is not null
            group by {column} order by count desc, value limit 31
        """
        for table, column in FACETS
    ]
    with closing(connect(str(path))) as conn:
        for sql in (*counts, *facets):
            assert counted_sql(sql) != sql
            assert conn.execute(counted_sql(sql)).fetchall() == conn.execute(sql).fetchall(), sql
    narrowed = "select count(*) from outcomes where contract = :p0"
    assert counted_sql(narrowed) == narrowed


# --- what is asked wrongly --------------------------------------------------------------------------------------------

ILL = {
    "/data/deals?_sort=nothing": "nothing",
    "/data/deals?_sort=id&_sort_desc=price": "_sort",
    "/data/players?_through={": "_through",
    "/data/players?_through=3": "_through",
    "/data/players?_through={}": "_through",
    "/data/plays?_next=max": "_next",
    "/data/outcomes?contrakt=solo": "contract",
    "/data/deals?price__above=3": "gte",
    "/data/deals?price__gt=999999999999999999999999999999": "int",
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("ending", ["", ".json", ".csv"])
@pytest.mark.parametrize(("address", "word"), ILL.items())
def test_what_is_asked_wrongly_is_refused_and_no_error_of_the_server(
    app: serve.App, address: str, word: str, ending: str
) -> None:
    table, _, query = address.partition("?")
    answer = request(app, f"{table}{ending}?{query}", visitor="192.0.2.1")
    assert (answer.status_code, word in answer.text) == (400, True)
    if ending == ".json":
        assert answer.json()["ok"] is False


@pytest.mark.parametrize("row", ["1", "1.json", "x", "1,1"])
def test_a_row_is_found_by_all_values_of_its_key_alone(app: serve.App, row: str) -> None:
    assert request(app, f"/data/seats/{row}", visitor="192.0.2.1").status_code == (200 if row == "1,1" else 404)


@pytest.mark.parametrize(
    ("sql", "word"),
    [("select nothing", "nothing"), (ATTACKS["an endless query"], "seconds"), (ATTACKS["rows of 256 KB"], "bytes")],
)
def test_a_query_that_fails_is_no_empty_table_of_csv(app: serve.App, sql: str, word: str) -> None:
    answer = request(app, "/data.csv", visitor="192.0.2.1", params={"sql": sql})
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/plain")
    assert word in answer.text
