"""The processor time of every page on a large archive: the viewer's, every question plain and narrowed, every table.

    python benchmarks/million.py million.db                   makes the archive, once
    python benchmarks/processor_time.py million.db            the recorded run, in benchmarks/results/processor-time.md
    python benchmarks/processor_time.py million.db --only pairs --worst 20 --out -
    python benchmarks/processor_time.py --deals 50000         an archive that is made for it and deleted

Each address is requested with different choices of the reader, so that no page is remembered: once after an earlier
request, which is what counts, and three times after all pictures were forgotten; the median of these is the first view.
The time is that of the process that answers and of those that answer its queries, whatever else the machine does. The
exit status is 1 if an answer is not 200, a facet is missing, or the limit is exceeded.
"""

import asyncio
import sys
import time
from argparse import Namespace
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from urllib.parse import quote

import httpx
from measured import benchmark, count_rows, markdown
from million import Choice, archive_or_new, choose, missing_facets, table_pages
from msgspec import Struct

from archive.stats import QUESTIONS
from archive.store import open_read
from archive.web import vega
from archive.web.datasette.counting import query_pool
from archive.web.datasette.data_app import SETTINGS
from archive.web.serve import Site

PAGES = Path(__file__).with_name("pages.txt")  # of the viewer, for usual and for the largest players and events
LIMIT = 150.0  # milliseconds
CHOICES = ("theme=dark", "theme=light", "theme=dark&lang=en", "theme=light&lang=en")  # which change no picture
COUNTED = ("deals", "seats", "sessions", "players")


class Cost(Struct, frozen=True):
    """An address, its status, the milliseconds of a processor, those of the first view, and what is missing on the
    page."""

    address: str
    status: int
    milliseconds: float
    first: float
    missing: tuple[str, ...]

    @property
    def is_fine(self) -> bool:
        return self.status == 200 and not self.missing and self.milliseconds <= LIMIT


def addresses(choice: Choice, tables: list[str]) -> Iterator[str]:
    """Yield all addresses, in groups: pages, questions of everything and of each kind of part, tables."""
    values = {name: quote(str(getattr(choice, name))) for name in Choice.__struct_fields__}
    yield from (page.format_map(values) for page in PAGES.read_text("utf-8").splitlines())
    parts = ["", "?rules={rules}", "?player={player}", "?player={regular}", "?session={session}", "?event={event}",
             "?event={league}", "?basis=cards", "?since=2015&until=2015", "?since=2014-10&until=2015-05"]  # fmt: skip
    for name, question in QUESTIONS.items():
        for part in parts:
            if "rules" not in part or "rules" in question.narrow:
                yield f"/stats/{name}{part.format_map(values)}"
    yield from tables


def processor_seconds(datasettes: int) -> float:
    """Return the seconds of processors of this process, and of those that answer its queries."""
    processes = [each.process.pid for each in query_pool(datasettes).workers.idle]
    texts = (Path(f"/proc/{process}/schedstat").read_text("utf-8") for process in processes)
    return time.process_time() + sum(int(text.split()[0]) for text in texts) / 1e9


async def start_processes(client: httpx.AsyncClient) -> None:
    await asyncio.gather(*(client.get(f"/data/sessions?_size={n}") for n in range(1, 9)))


def costs(path: Path, every: list[str]) -> Iterator[Cost]:
    threads = int(SETTINGS["num_sql_threads"])
    with closing(Site(path)) as site, asyncio.Runner() as loop:
        transport = httpx.ASGITransport(app=site.app)  # type: ignore[arg-type]
        client = httpx.AsyncClient(transport=transport, base_url="http://archive", timeout=600)
        loop.run(start_processes(client))
        for address in every:
            sign = "&" if "?" in address else "?"
            choices = [f"_size={n}" for n in (40, 41, 42, 43)] if address.startswith("/data/") else CHOICES
            loop.run(client.get(address))
            times = []
            for nth, choice in enumerate(choices):
                if nth:  # the first has what the address itself has drawn
                    vega._drawing.cache_clear()
                begun = processor_seconds(threads)
                answer = loop.run(client.get(f"{address}{sign}{choice}"))
                times.append(1000 * (processor_seconds(threads) - begun))
            took, first = times[0], median(times[1:])
            print(f"{address}: {answer.status_code}, {took:.0f} ms, first {first:.0f} ms", file=sys.stderr, flush=True)
            yield Cost(address, answer.status_code, took, first, missing_facets(answer.text))
        loop.run(client.aclose())


@benchmark("The processor time of every page", ("datasette", "flask"),
           positional="archive?", deals=1_000_000, only="", worst=60)  # fmt: skip
def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    path = archive_or_new(given, folder)
    with closing(open_read(path)) as conn:
        choice, tables = choose(conn), table_pages(conn)
        counts = count_rows(conn, COUNTED)
        sql = "SELECT sum(deals) FROM role_facts WHERE player = ?"
        most = conn.execute(sql, (choice.regular,)).fetchone()[0]
    every = [each for each in dict.fromkeys(addresses(choice, tables)) if given.only in each]
    measured = sorted(costs(path, every), key=lambda one: -one.milliseconds)
    late = [one for one in measured if not one.is_fine]
    yield ", ".join(f"{count:,} {table}" for table, count in counts.items())
    yield f"the player with most has {most:,} deals."
    yield f"{len(measured)} addresses, {len(late)} of them not answered whole within {LIMIT:.0f} ms of a processor.\n"
    yield markdown("address | answer | ms of a processor | the first view", (
        (f"`{one.address}`", f"{one.status}{' without ' + ', '.join(one.missing) if one.missing else ''}",
         f"{one.milliseconds:,.0f}", f"{one.first:,.0f}")
        for one in measured[: max(given.worst, len(late))]
    ))  # fmt: skip
    return bool(late)
