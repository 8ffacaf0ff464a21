"""What does another reader notice of who asks `schafkopf serve` for too much?

    python benchmarks/attacks.py                          the recorded run, in benchmarks/results/attacks.md
    python benchmarks/attacks.py --deals 200 --seconds 2 --tried 50 --out -

Three visitors, each with an address of its own, send an attack again and again; one reader asks for a row of Datasette
and for a page of the viewer meanwhile. Beside it the same reader alone, before and after. Then each attack of
`attack_list` once, with its answer and the longest that the reader waited meanwhile, and so many requests of a fuzzer,
of which those that took longest are listed. Then what an ordinary query costs in a process of its own, beside the same
query in the process that asks. The exit status is 1 where the reader was refused, an answer was 500, or the reader
waited more than 100 ms longer, of a hundred times 95.
"""

import statistics
import sys
import tempfile
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from itertools import islice
from pathlib import Path
from threading import Event, Thread

from attack_list import Attack, fuzzed, thought_of
from measured import Measured, arguments, figure, kept, markdown, span
from msgspec import Struct
from viewer_load import Served, served_archive, server

from archive.web.datasette.query_pool import QueryPool
from archive.web.datasette.query_process import Query, connect

PACKAGES = ("datasette", "uvicorn", "flask")
OURS = "from archive.web import serve; serve.serve_archive(Path(sys.argv[3]), port=0, behind_proxy=True)"
ATTACKERS = 3
READ = ("/data/deals/3.json", "/deals/3")
MOST = 0.1  # seconds that the reader may wait longer, of a hundred times 95
ATTACKED = (  # those that are sent again and again, of the list and besides
    "nested stars, as JSON", "six nested stars, as JSON", "1,000 rows of 256 KB, as JSON",
    "1,000 rows of 3.5 KB, as JSON", "1,000 rows of 3.5 KB, as a page", "an endless query, as JSON",
    "a sort without end, as JSON", "1,000 rows as a page", "a filter with stars", "every facet of plays",
    "a search that reads every deal", "every row of a question",
)  # fmt: skip
TRIED, KEPT = 400, 30  # requests of the fuzzer, and those of them that are listed: which took longest
QUERIES = ("select 1", "select * from deals limit 100", "select * from outcomes limit 1000")


class Attacked(Struct, frozen=True):
    """An attack: the statuses of its answers, and how long the reader waited, for each of `READ`."""

    name: str
    statuses: dict[int, int]
    waited: list[Measured]
    refused: int


class Answered(Struct, frozen=True):
    """An attack that was sent once: its answer, and the longest that the reader waited meanwhile."""

    attack: Attack
    status: int
    seconds: float
    size: int
    waited: float


def get(served: Served, path: str, address: str) -> tuple[int, int]:
    """The status of an answer, 0 for none, and its bytes."""
    connection = HTTPConnection(served.address.removeprefix("http://"), timeout=300)
    try:
        connection.request("GET", path, headers={"X-Forwarded-For": address})
        answer = connection.getresponse()
        return answer.status, len(answer.read())
    except (HTTPException, OSError):
        return 0, 0
    finally:
        connection.close()


def reader(served: Served, seconds: float) -> tuple[list[Measured], int]:
    """How long a reader waits for each of `READ`, and how often it is refused."""
    times: list[list[float]] = [[] for _ in READ]
    refused, end = 0, time.perf_counter() + seconds
    while time.perf_counter() < end or not times[-1]:
        for path, took in zip(READ, times, strict=True):
            begun = time.perf_counter()
            once = f"{path}?_size={len(took) % 100 + 1}" if path.startswith("/data") else f"{path}?nth={len(took)}"
            refused += get(served, once, "192.0.2.99")[0] != 200
            took.append(time.perf_counter() - begun)
    return [Measured(tuple(each)) for each in times], refused


def attack(served: Served, name: str, path: str, seconds: float) -> Attacked:
    """What a reader notices while an attack goes on."""
    statuses, stop = Counter[int](), Event()

    def attacker(number: int) -> None:
        while not stop.is_set():
            statuses[get(served, path, f"192.0.2.{number}")[0]] += 1

    threads = [Thread(target=attacker, args=(number,)) for number in range(1, ATTACKERS + 1)]
    for thread in threads:
        thread.start()
    waited, refused = reader(served, seconds)
    stop.set()
    for thread in threads:
        thread.join()
    print(name, dict(statuses), file=sys.stderr)
    return Attacked(name, dict(statuses), waited, refused)


def send_each(served: Served, attacks: Iterable[Attack]) -> Iterator[Answered]:
    """Each attack once, while the reader goes on."""
    waited, stop = [0.0], Event()

    def read() -> None:
        n = 0
        while not stop.is_set():
            for path in READ:
                n, begun = n + 1, time.perf_counter()
                get(served, path if path.startswith("/data") else f"{path}?nth=a{n}", "192.0.2.99")
                waited.append(time.perf_counter() - begun)

    thread = Thread(target=read)
    thread.start()
    for n, each in enumerate(attacks):
        time.sleep(0.02)
        waited[:] = [0.0]
        begun = time.perf_counter()
        path = each.path.replace(" ", "%20")
        status, size = get(served, path, f"198.51.100.{n % 200}")
        yield Answered(each, status, time.perf_counter() - begun, size, max(waited))
    stop.set()
    thread.join()


def answer_rows(answers: Iterable[Answered]) -> Iterator[tuple[str, str, str, str, str]]:
    for one in answers:
        said = str(one.status or "none: not sent, or no answer")
        path = one.attack.path.replace("|", "%7C")
        name = f"`{path[:90]}{'…' if len(path) > 90 else ''}`" if one.attack.fuzzed else one.attack.name
        yield name, said, span(one.seconds), f"{one.size:,}", span(one.waited)


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
        ways = {each.name: each.path for each in thought_of()}
        attacked = [attack(served, name, ways[name], float(given.seconds)) for name in ATTACKED]
        after, _ = reader(served, float(given.seconds))
        thought = list(send_each(served, thought_of()))
        chance = sorted(send_each(served, islice(fuzzed(given.seed), given.tried)), key=lambda one: -one.seconds)
        size = memory(served.process)
    alone = [min(one.p50, other.p50) for one, other in zip(before, after, strict=True)]
    quiet = [max(one.p95, other.p95) for one, other in zip(before, after, strict=True)]
    late = [
        one.name for one in attacked for own, usual in zip(one.waited, quiet, strict=True) if own.p95 > usual + MOST
    ]
    broken = [one.attack.path for one in (*thought, *chance) if one.status == 500]
    yield f"An archive of {given.deals:,} generated deals; {ATTACKERS} visitors attack, one reads. "
    yield f"Alone the reader waits {' and '.join(map(span, alone))}, 95 times of a hundred less than "
    yield f"{' and '.join(map(span, quiet))}; at the end the server has {size:.0f} MiB.\n"
    heads = " | ".join(f"{path}: median | 95 % below | longer" for path in READ)
    yield markdown(f"attack | answers | {heads} | refused", [
        (one.name, ", ".join(f"{count} times {status}" for status, count in sorted(one.statuses.items())),
         *(text for own, usual in zip(one.waited, alone, strict=True)
           for text in (span(own.p50), span(own.p95), f"{figure(own.p50 / usual)} times")), one.refused)
        for one in attacked
    ])  # fmt: skip
    yield f"## {len(thought)} attacks, each once\n"
    yield "How long the answer took, its bytes, and the longest that the reader waited meanwhile.\n"
    yield markdown("attack | answer | after | bytes | the reader", list(answer_rows(thought)))
    statuses = Counter(one.status for one in chance)
    yield f"## {given.tried} requests of a fuzzer, seed {given.seed}\n"
    yield f"{', '.join(f'{count} times {status}' for status, count in sorted(statuses.items()))}; the {KEPT} that took"
    yield "longest:\n"
    yield markdown("request | answer | after | bytes | the reader", list(answer_rows(chance[:KEPT])))
    yield "## What a process of its own costs\n"
    yield "Milliseconds of a query; the first one starts the process.\n"
    yield markdown("query | here | apart | the first apart", list(query_costs(path, given.runs)))
    if late or broken or any(one.refused for one in attacked):
        who = ", ".join(dict.fromkeys(late)) or "a refusal"
        yield f"**The reader was held up by: {who}.** Answers of 500: {', '.join(broken) or 'none'}."


def main() -> int:
    given = arguments(__doc__, "attacks", deals=5_000, seconds=6, archive="", tried=TRIED, seed=29).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lines = list(report(given, served_archive(given, folder)))
    kept(given.out, "Attacks: what another reader notices", __file__, PACKAGES, lines)
    return int(lines[-1].startswith("**"))


if __name__ == "__main__":
    sys.exit(main())
