"""Datasette's queries to an archive under `schafkopf serve`: answered by workers, processes of their own
(`query_process`), each query within its limits and with an end in time."""

import asyncio
import re
import sqlite3
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, cast

import msgspec
from cachetools import TTLCache
from datasette.database import Database, QueryInterrupted, Results, connections  # type: ignore[import-untyped]
from datasette.views.base import DatasetteError  # type: ignore[import-untyped]

from archive.serve.worker_pool import WorkerPool
from archive.stats.database import read_only
from archive.web.datasette.query_process import Answer, Failed, Late, Long, Query, Uncounted

# How Datasette counts the rows of a whole table, and a facet of it; that of a part of a table is left to Datasette.
COUNTED = re.compile(r"select count\(\*\) from \[?(?P<table>\w+)\]?\s*")
FACET = re.compile(
    r"\s*select \[?(?P<column>\w+)\]? as value, count\(\*\) as count from \(\s*"
    r"select [\w\s,.\[\]*]+ from \[?(?P<table>\w+)\]?\s*\)\s*"
    r"where \[?\w+\]? is not null\s+group by \[?\w+\]? order by count desc, value limit (?P<limit>\d+)\s*",
)

DEALS = "(SELECT coalesce(sum(deals), 0) FROM session_facts)"
ROWS = {"outcomes": f"SELECT {DEALS}", "deals": f"SELECT {DEALS}", "ledger": "SELECT count(*) FROM seats"}
NEVER_COUNTED = ("plays",)  # whose rows cannot be counted in time
MOST_ROWS = 10_000  # of a table that are counted in the list of all tables

CONTRACTS = "SELECT contract AS value, sum(deals) AS count FROM dealt_facts GROUP BY contract"
VERDICTS = " UNION ALL ".join(
    f"SELECT '{verdict}' AS value, sum({verdict}) AS count FROM session_facts"
    for verdict in ("agrees", "differs", "undecidable", "unplayable")
)
RULES = """SELECT name AS value, sum(count) AS count FROM rulesets JOIN
    (SELECT ruleset_id, count(*) AS count FROM deals GROUP BY ruleset_id) ON ruleset_id = id GROUP BY name"""
FACETS = {
    ("deals", "contract"): CONTRACTS,
    ("deals", "verdict"): VERDICTS,
    ("outcomes", "contract"): CONTRACTS,
    ("outcomes", "verdict"): VERDICTS,
    ("outcomes", "rules"): RULES,
}


def counted_sql(sql: str) -> str:
    """Return the query that gives the result of one of Datasette's from what is counted; itself if there is none."""
    if count := COUNTED.fullmatch(sql):
        return ROWS.get(count["table"], sql)
    if (facet := FACET.fullmatch(sql)) and (counted := FACETS.get((facet["table"], facet["column"]))):
        return f"SELECT value, count FROM ({counted}) WHERE count > 0 ORDER BY count DESC, value LIMIT {facet['limit']}"
    return sql


def all_counts_sql(tables: Iterable[str]) -> str:
    """Return the query for the number of rows of each table, NULL if there are more than are counted; that of deals is
    known."""
    counts = (
        ROWS.get(table)
        or f"SELECT nullif(count(*), {MOST_ROWS + 1}) FROM (SELECT 1 FROM [{table}] LIMIT {MOST_ROWS + 1})"
        for table in tables
    )
    return " UNION ALL ".join(f"SELECT ({count})" for count in counts)


COUNT, COUNT_MS = "select count(*) from ", 60  # how Datasette counts a table; milliseconds
COUNTS, REST = 1_000, 600  # that took longer; seconds until they are tried again
MOST_BYTES = 24_000_000  # of an answer: a row with the longest value
VISITORS, VISITORS_BYTES = 2, 4_000_000  # processes for what visitors ask of their own, and bytes of an answer to it

# The kind of the visitor's own query, for which only others of its kind wait: `sql`, `own` (a filter, an
# order, facets, a parameter), `stream` (a whole table); empty for nothing.
visitors_own: ContextVar[str] = ContextVar("visitors_own", default="")
# Whether the answer is CSV, as which Datasette sends an empty table if a query fails.
as_csv: ContextVar[bool] = ContextVar("as_csv", default=False)
UNCOUNTED = (
    "This is not counted: a large import or an upgrade runs, or was cut off. When it has ended, `schafkopf upgrade` of "
    "this archive counts it. Deals, sessions and all other tables can be read meanwhile."
)
TOO_LATE = (
    "This takes more than {seconds} seconds of a processor. Ask for less at once: one session, player or contract, "
    "no facets, no other order; or a standard question, whose answer is counted already."
)


TARGET = "archive.web.datasette.query_process:answer_queries"
LONGEST = 60.0  # seconds on the wall, for whatever may hold up a query without working
_decode = msgspec.msgpack.Decoder(Answer).decode


class QueryPool:
    """So many workers at most; further queries wait for one. `last`: all other processes come first."""

    def __init__(self, most: int, last: bool = False) -> None:
        self.workers = WorkerPool(TARGET, most, last)
        self.end_processes = self.workers.end_processes

    async def answer(self, query: Query) -> Answer:
        """Return the answer to a query; `Late` if its worker has ended over it."""
        return await asyncio.get_running_loop().run_in_executor(self.workers.executor, self.ask, query)

    def ask(self, query: Query) -> Answer:
        """Return the answer while the thread waits."""
        try:
            packed = msgspec.msgpack.encode(query)
        except (ValueError, OverflowError, TypeError) as error:  # of a parameter that SQLite cannot take either
            return Failed("OperationalError", str(error))
        answer = self.workers.ask(packed, LONGEST + 2 * query.seconds)
        return Late() if answer is None else cast(Answer, _decode(answer))


@cache
def query_pool(most: int, last: bool = False) -> QueryPool:
    """Return the pool of this process with so many workers, which come last or not."""
    return QueryPool(most, last)


class Row(tuple[Any, ...]):
    """A row as sqlite3.Row has it: by number, and by name."""

    __slots__ = ()
    places: dict[str, int]
    columns: list[str]

    def __getitem__(self, key: Any) -> Any:
        return tuple.__getitem__(self, self.places[key.lower()] if isinstance(key, str) else key)

    def keys(self) -> list[str]:
        return self.columns


def rows_of(columns: list[str], rows: list[tuple[Any, ...]]) -> list[Row]:
    """Return rows by number and name; if columns have the same name, the first counts."""
    places = {name.lower(): place for place, name in reversed([*enumerate(columns)])}
    kind = type("Row", (Row,), {"__slots__": (), "places": places, "columns": columns})
    return [kind(row) for row in rows]


class Counting(Database):  # type: ignore[misc]
    """An archive whose queries are answered by other processes, those of visitors by processes apart. Its tables and
    views are counted for a short time only: if their rows take longer, as those of a view over all deals do, a page
    comes without their number, and for a while so do the next ones. `where` gives at each query the file of the
    archive, for readers who may not see all of it."""

    def __init__(self, datasette: Any, path: str, where: Callable[[], Path]) -> None:
        super().__init__(datasette, path=path, is_mutable=True)  # which means mode=ro, not immutable=1
        self.where = where
        self.own = query_pool(datasette.setting("num_sql_threads"))
        self.visitors = query_pool(VISITORS, last=True)
        self.late_counts: TTLCache[tuple[str, str], bool] = TTLCache(COUNTS, REST)

    async def execute_fn(self, fn: Callable[[sqlite3.Connection], Any]) -> Any:
        """Call a function with a connection of the server itself; Datasette does so to read the schema."""
        path = await asyncio.to_thread(self.where)

        def in_thread() -> Any:
            opened: tuple[Path, sqlite3.Connection] | None = getattr(connections, self.name, None)
            if opened is None or opened[0] != path:
                if opened:
                    opened[1].close()
                    self._all_file_connections.remove(opened[1])
                conn = sqlite3.connect(read_only(path), uri=True, check_same_thread=False)
                self._all_file_connections.append(conn)
                self.ds._prepare_connection(conn, self.name)
                opened = path, conn
                setattr(connections, self.name, opened)
            return fn(opened[1])

        return await asyncio.get_event_loop().run_in_executor(self.ds.executor, in_thread)

    async def execute(self, sql: str, params: Any = None, truncate: bool = False, custom_time_limit: int | None = None,
                      page_size: int | None = None, log_sql_errors: bool = True) -> Any:  # fmt: skip
        """Answer a query. Raises QueryInterrupted after the limit of time, sqlite3.Error for anything else that is
        wrong."""
        limit, path = self.ds.sql_time_limit_ms, str(await asyncio.to_thread(self.where))
        if not truncate:  # no query of the reader
            count = COUNTED.fullmatch(sql)
            if (count is not None and count["table"] in NEVER_COUNTED) or (path, sql) in self.late_counts:
                raise QueryInterrupted(sqlite3.OperationalError("interrupted"), sql, params)
            limit = min(limit, COUNT_MS) if sql.startswith(COUNT) else limit
        counted = sql if truncate else counted_sql(sql)
        most = self.ds.max_returned_rows + (self.ds.max_returned_rows == (page_size or self.ds.page_size))
        own = visitors_own.get()
        query = Query(
            path,
            counted,
            params,
            min(limit, custom_time_limit or limit) / 1000,
            most if truncate else None,
            VISITORS_BYTES if own else MOST_BYTES,
        )
        pool = self.visitors if own else self.own
        answer = await pool.answer(query)
        if isinstance(answer, Uncounted) and counted != sql:
            answer = await pool.answer(msgspec.structs.replace(query, sql=sql))
        why = _why_none(answer, query) if truncate and as_csv.get() else ""
        if why and (own == "sql" or not isinstance(answer, Late)):
            raise DatasetteError(why, title="Invalid SQL", status=400)
        match answer:
            case Late() if truncate and own != "sql":  # the rows of a page, not a count or facet beside them
                raise DatasetteError(TOO_LATE.format(seconds=limit / 1000), title="Too much at once", status=503)
            case Late():
                if not params and sql.startswith(COUNT):
                    self.late_counts[path, sql] = True
                raise QueryInterrupted(sqlite3.OperationalError("interrupted"), sql, params)
            case Uncounted():
                raise DatasetteError(UNCOUNTED, title="Not counted yet", status=503)
            case Long():
                raise sqlite3.OperationalError(_why_none(answer, query))
            case Failed(error, words):
                raise getattr(sqlite3, error, sqlite3.OperationalError)(words)
        return Results(rows_of(answer.columns, answer.rows), answer.truncated, [(name,) for name in answer.columns])

    async def table_counts(self, limit: int = 10) -> dict[str, int | None]:
        """Return the rows of each table, all in one query; None if there are many."""
        tables = await self.table_names()
        try:
            counts = [row[0] for row in await self.execute(all_counts_sql(tables))] if tables else []
        except (QueryInterrupted, sqlite3.OperationalError):
            return dict.fromkeys(tables)
        return dict(zip(tables, counts, strict=True))

    def close(self) -> None:
        self.own.end_processes()
        self.visitors.end_processes()
        super().close()


def _why_none(answer: Answer, query: Query) -> str:
    """Return why an answer has no rows; empty if it has."""
    match answer:
        case Late():
            return TOO_LATE.format(seconds=query.seconds)
        case Long():
            return f"the answer has more than {query.most_bytes // 10**6} million bytes: ask for fewer rows or columns"
        case Failed(_, words):
            return words
    return ""
