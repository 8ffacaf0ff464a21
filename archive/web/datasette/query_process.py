"""A process that answers queries to an archive and does nothing else, so that a query which takes too long, takes too
much memory or crashes takes nothing with it: a worker of `counting.QueryPool`.

A query ends by itself after its seconds on a processor; if a single function call does not let it, the system ends the
process a moment later. Nobody waits longer because the machine is busy with something else.
"""

import resource
import signal
import sqlite3
import time
from contextlib import suppress
from functools import lru_cache
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from archive.stats import BY_NAME
from archive.stats.catalogue import is_counted, refuse_facts
from archive.stats.database import read_only
from archive.web.datasette.hardening import authorize, harden

MEMORY = 768 * 2**20  # bytes of addresses that a process may have
FILES = 512 * 2**20  # bytes of a file that SQLite sorts in
STEPS = 1000  # of SQLite's machine, after which it is asked how long the query has worked
GRACE = 0.25  # seconds of a processor after the limit, until the system ends the process
CELL = 16  # bytes of an answer that a value takes besides its text


class Query(msgspec.Struct, array_like=True):
    """A query: its file, its SQL and parameters, the seconds of a processor that it may take, and how many rows (None:
    all) and bytes its answer may have."""

    path: str
    sql: str
    parameters: Any
    seconds: float
    most_rows: int | None
    most_bytes: int


class Rows(msgspec.Struct, array_like=True, tag="rows"):
    """The answer to a query; `truncated`: there are more rows."""

    columns: list[str]
    rows: list[tuple[Any, ...]]
    truncated: bool


class Failed(msgspec.Struct, array_like=True, tag="failed"):
    """Why there is no answer: the name of the error in sqlite3, and its words."""

    error: str
    words: str


class Late(msgspec.Struct, array_like=True, tag="late"):
    """The query took too long."""


class Uncounted(msgspec.Struct, array_like=True, tag="uncounted"):
    """The query reads facts that are not counted yet."""


class Long(msgspec.Struct, array_like=True, tag="long"):
    """The answer has too many bytes."""


Answer = Rows | Failed | Late | Long | Uncounted


class QueryConnection(sqlite3.Connection):
    """A connection that knows whether the facts of its archive were counted at the last query."""

    counted = True


def connect(path: str) -> QueryConnection:
    """Return a connection as Datasette makes one, to read and nothing else."""
    conn = sqlite3.connect(read_only(path), uri=True, factory=QueryConnection)
    conn.text_factory = lambda text: str(text, "utf-8", "replace")
    conn.create_function("escape_fts", 1, _escape_fts)
    harden(conn)
    return conn


def _escape_fts(text: str) -> str:
    from datasette.utils import escape_fts  # type: ignore[import-untyped]  # takes long to import, and is rarely needed

    return str(escape_fts(text))


def answer(conn: QueryConnection, query: Query) -> Answer:
    """Return the answer to a query."""
    # facts are read or not, as they are counted now or not
    with suppress(sqlite3.Error):  # of an archive of another version
        counted = is_counted(conn)
        if counted != conn.counted:
            conn.counted = counted
            conn.set_authorizer(authorize if counted else authorize_uncounted)
    end = time.process_time() + query.seconds
    conn.set_progress_handler(lambda: time.process_time() >= end, STEPS)
    try:
        cursor = conn.execute(query.sql, query.parameters if query.parameters is not None else {})
        rows: list[tuple[Any, ...]] = []
        left = query.most_bytes
        for row in cursor:
            if query.most_rows is not None and len(rows) == query.most_rows:
                return Rows(_columns(cursor), rows, True)
            left -= sum(CELL + (len(value) if isinstance(value, str | bytes) else 0) for value in row)
            if left < 0:
                return Long()
            rows.append(row)
        return Rows(_columns(cursor), rows, False)
    except (sqlite3.Error, sqlite3.Warning) as error:
        interrupted = error.args == ("interrupted",)
        if not conn.counted and any(f"access to {name}." in str(error) for name in BY_NAME):
            return Uncounted()
        return Late() if interrupted else Failed(type(error).__name__, str(error))
    except (ValueError, TypeError, OverflowError) as error:  # of a parameter or an SQL text that SQLite cannot take
        return Failed("OperationalError", str(error))
    except MemoryError:
        return Long()
    finally:
        conn.set_progress_handler(None, 0)


def authorize_uncounted(*asked: Any) -> int:
    return refuse_facts(*asked) or authorize(*asked)


def _columns(cursor: sqlite3.Cursor) -> list[str]:
    return [column[0] for column in cursor.description or ()]


def answer_queries(handed: int) -> None:
    """Answer the queries that come by a pipe until it is closed."""
    for kind, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_FSIZE, FILES), (resource.RLIMIT_CORE, 0)):
        with suppress(OSError, ValueError):  # if the system does not know it, or has a lower one
            resource.setrlimit(kind, (most, most))
    decode, encode = msgspec.msgpack.Decoder(Query).decode, msgspec.msgpack.Encoder().encode
    with Connection(handed) as pipe, suppress(EOFError):
        while True:
            query = decode(pipe.recv_bytes())
            signal.setitimer(signal.ITIMER_PROF, query.seconds + GRACE)  # whose signal ends the process
            try:
                packed = encode(answer(last_connection(query.path), query))
            except sqlite3.Error as error:  # of an archive that is not there
                packed = encode(Failed(type(error).__name__, str(error)))
            except MemoryError:
                packed = encode(Long())
            signal.setitimer(signal.ITIMER_PROF, 0)
            pipe.send_bytes(packed)


last_connection = lru_cache(1)(connect)  # the one before ends with it
