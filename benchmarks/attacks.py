"""What does another reader notice of who asks `schafkopf serve` for too much?

    python benchmarks/attacks.py                          the recorded run, in benchmarks/results/attacks.md
    python benchmarks/attacks.py --deals 200 --seconds 2 --out -

Three visitors, each with an address of its own, send an attack again and again; one reader asks for a row of Datasette
and for a page of the viewer meanwhile. Beside it the same reader alone, before and after. Then what an ordinary query
costs in a process of its own, beside the same query in the process that asks. The exit status is 1 where the reader was
refused, or waited more than 100 ms longer in the middle.
"""

import statistics
import sys
import tempfile
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from threading import Event, Thread
from urllib.parse import quote

from measured import Measured, arguments, figure, kept, markdown, span
from msgspec import Struct
from viewer_load import Served, served_archive, server

from archive.web.datasette.query_pool import QueryPool
from archive.web.datasette.query_process import Query, connect

PACKAGES = ("datasette", "uvicorn", "flask")
OURS = "from archive.web import serve; serve.serve_archive(Path(sys.argv[3]), port=0, behind_proxy=True)"
ATTACKERS = 3
READ = ("/data/deals/3.json", "/deals/3")
MOST = 0.1  # seconds that the reader may wait longer, in the middle
COUNT = "with recursive a(n) as (select 1 union all select n + 1 from a"
TEXT = f"{'hex(' * 20}'aaaaaaaaaaaaaaaa'{')' * 20}"  # 16 MB
STARS = f"select {TEXT} glob '*{'3' * 48}*{'3' * 48}b'"
ROWS = f"{COUNT} where n < 1000)"
SQL = {
    "nested stars": STARS,
    "six of them in one statement": " union all ".join([STARS] * 6),
    "1,000 rows of 256 KB as JSON": f"{ROWS} select {'hex(' * 14}'aaaaaaaaaaaaaaaa'{')' * 14} from a",
    "1,000 rows of 3.5 KB as JSON": f"{ROWS} select substr({'hex(' * 8}'aaaaaaaaaaaaaaaa'{')' * 8}, 1, 3500) from a",
    "an endless query": f"{COUNT}) select count(*) from a",
    "a sort without end": f"{COUNT}) select n from a order by hex(n)",
}
ATTACKS = {name: f"/data.json?sql={quote(sql)}" for name, sql in SQL.items()} | {
    "1,000 rows as a page": f"/data?sql={quote('select * from outcomes limit 1000')}",
    "a filter with stars over all plays": "/data/plays.json?name__glob=*a*b*c*d*e*f&_sort_desc=name",
    "facets of all plays": "/data/plays.json?_facet=name&_facet=player&_facet=side",
    "a search that reads every deal": "/?runners=14&note=nothing",
}
QUERIES = ("select 1", "select * from deals limit 100", "select * from outcomes limit 1000")


class Attacked(Struct, frozen=True):
    """An attack: the statuses of its answers, and how long the reader waited, for each of `READ`."""

    name: str
    statuses: dict[int, int]
    waited: list[Measured]
    refused: int


def get(served: Served, path: str, address: str) -> int:
    connection = HTTPConnection(served.address.removeprefix("http://"), timeout=300)
    connection.request("GET", path, headers={"X-Forwarded-For": address})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def reader(served: Served, seconds: float) -> tuple[list[Measured], int]:
    """How long a reader waits for each of `READ`, and how often it is refused."""
    times: list[list[float]] = [[] for _ in READ]
    refused, end = 0, time.perf_counter() + seconds
    while time.perf_counter() < end or not times[-1]:
        for path, took in zip(READ, times, strict=True):
            begun = time.perf_counter()
            refused += get(served, f"{path}?_size={len(took) + 1}", "192.0.2.99") != 200
            took.append(time.perf_counter() - begun)
    return [Measured(tuple(each)) for each in times], refused


def attack(served: Served, name: str, path: str, seconds: float) -> Attacked:
    """What a reader notices while an attack goes on."""
    statuses, stop = Counter[int](), Event()

    def attacker(number: int) -> None:
        while not stop.is_set():
            statuses[get(served, path, f"192.0.2.{number}")] += 1

    threads = [Thread(target=attacker, args=(number,)) for number in range(1, ATTACKERS + 1)]
    for thread in threads:
        thread.start()
    waited, refused = reader(served, seconds)
    stop.set()
    for thread in threads:
        thread.join()
    print(name, dict(statuses), file=sys.stderr)
    return Attacked(name, dict(statuses), waited, refused)


def memory(process: int) -> float:
    """MiB that a process has in memory."""
    fields = Path(f"/proc/{process}/statm").read_text("utf-8").split()
    return int(fields[1]) * 4096 / 2**20


def query_costs(path: Path, runs: int) -> Iterator[tuple[str, str, str, str]]:
    """Milliseconds of queries in this process and in one of their own."""
    pool = QueryPool(1)
    with closing(connect(str(path))) as conn:
        for sql in QUERIES:
            here, apart = [], []
            for _ in range(runs + 1):
                begun = time.perf_counter()
                conn.execute(sql).fetchall()
                between = time.perf_counter()
                pool.ask(Query(str(path), sql, None, 60, None, 10**8))
                here.append(1000 * (between - begun))
                apart.append(1000 * (time.perf_counter() - between))
            one, other = statistics.median(here[1:]), statistics.median(apart[1:])
            yield f"`{sql}`", f"{one:.2f}", f"{other:.2f}", f"{apart[0]:.0f}"
    size = memory(pool.idle[0].process.pid)
    pool.end_processes()
    yield f"a process has {size:.0f} MiB", "", "", ""


def report(given: Namespace, path: Path) -> Iterator[str]:
    with server(OURS, path) as served:
        reader(served, 0.5)
        before, _ = reader(served, float(given.seconds))
        attacked = [attack(served, name, way, float(given.seconds)) for name, way in ATTACKS.items()]
        after, _ = reader(served, float(given.seconds))
        size = memory(served.process)
    alone = [min(one.p50, other.p50) for one, other in zip(before, after, strict=True)]
    late = [
        one.name for one in attacked for own, quiet in zip(one.waited, alone, strict=True) if own.p50 > quiet + MOST
    ]
    yield f"An archive of {given.deals:,} generated deals; {ATTACKERS} visitors attack, one reads. "
    yield f"Alone the reader waits {' and '.join(map(span, alone))}; at the end the server has {size:.0f} MiB.\n"
    heads = " | ".join(f"{path}: median | 95 % below | longer" for path in READ)
    yield markdown(f"attack | answers | {heads} | refused", [
        (one.name, ", ".join(f"{count} times {status}" for status, count in sorted(one.statuses.items())),
         *(text for own, quiet in zip(one.waited, alone, strict=True)
           for text in (span(own.p50), span(own.p95), f"{figure(own.p50 / quiet)} times")), one.refused)
        for one in attacked
    ])  # fmt: skip
    yield "## What a process of its own costs\n"
    yield "Milliseconds of a query; the first one starts the process.\n"
    yield markdown("query | here | apart | the first apart", list(query_costs(path, given.runs)))
    if late or any(one.refused for one in attacked):
        yield f"**The reader was held up by: {', '.join(dict.fromkeys(late)) or 'a refusal'}.**"


def main() -> int:
    given = arguments(__doc__, "attacks", deals=5_000, seconds=6, archive="").parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lines = list(report(given, served_archive(given, folder)))
    kept(given.out, "Attacks: what another reader notices", __file__, PACKAGES, lines)
    return int(lines[-1].startswith("**"))


if __name__ == "__main__":
    sys.exit(main())
