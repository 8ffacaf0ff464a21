"""What does a reader notice of visitors who ask `schafkopf serve` for too much?

    python benchmarks/attacks.py                          the recorded run, in benchmarks/results/attacks.md
    python benchmarks/attacks.py --deals 200 --seconds 2 --tried 50 --out -

Three visitors, each with an address of its own and all in a process of their own, send an attack again and again.
Meanwhile one reader after the other requests a row of Datasette and a page of the viewer, from so many addresses that
none of them reads much, and nothing is answered from memory. Just before and just after it they are alone, so that
other work of the machine affects both. Then each attack of attack_list.toml is sent once, with its answer and the
longest wait of the reader meanwhile, and many requests of a fuzzer (the same seed gives the same), of which the longest
are listed. The exit status is 1 if the reader was refused, an answer was 500, or the reader waited more than 100 ms
longer (95th percentile).

On a machine with other work, Linux can put this one first, with all that it starts, as a whole:

    sudo setsid sh -c 'echo -15 > /proc/self/autogroup; exec python benchmarks/attacks.py'
"""

import multiprocessing
import re
import sys
import time
import tomllib
from argparse import Namespace
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from http.client import HTTPConnection
from itertools import count, cycle, islice
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event as SharedEvent
from pathlib import Path
from random import Random
from threading import Event, Thread
from urllib.parse import quote, urlencode

from measured import MIB, Measured, ask_server, benchmark, children, markdown, run_together, span
from msgspec import Struct
from viewer_load import SERVER, Served, served_archive, server

from archive.serve.worker_process import held_memory

OURS = SERVER + "serve_archive(Path(sys.argv[1]), port=0, behind_proxy=True)"
ATTACKERS = 3
LISTS = tomllib.loads(Path(__file__).with_name("attack_list.toml").read_text("utf-8"))
FORMS = {"a page": "", "JSON": ".json", "CSV": ".csv"}
OF_COLUMNS = ("_sort", "_sort_desc", "_facet", "_facet_array", "_col", "_nocol")
READ, NAMES = ("/data/deals/3.json", "/deals/3"), ("row", "page")
READERS, LEAST = 40, 20  # addresses of the readers, in turn; and how often at least
MOST = 0.1  # seconds that the reader may wait longer (95th percentile)
ATTACKED = (  # attacks that are sent again and again, of the list and others
    "nested stars, as JSON", "six nested stars, as JSON", "1,000 rows of 256 KB, as JSON",
    "1,000 rows of 3.5 KB, as JSON", "1,000 rows of 3.5 KB, as a page", "an endless query, as JSON",
    "a sort without end, as JSON", "1,000 rows as a page", "a filter with stars", "every facet of plays",
    "a search that reads every deal", "every row of a question", "a question of a basis", "an evening",
    "100 rows as a page", "a picture",
)  # fmt: skip
KEPT = 30  # requests of the fuzzer that are listed


class Attack(Struct, frozen=True):
    """A request: its kind, its address, and whether a fuzzer has made it."""

    name: str
    path: str
    fuzzed: bool = False


def written_out(text: str) -> str:
    """Return a text of the lists with its parts and repetitions in it."""
    text = re.sub(r"\$(count|rows|stars)", lambda each: written_out(LISTS["parts"][each[1]]), text)
    text = re.sub(r"\$long(\d+)", r"<\1:hex(>'aaaaaaaaaaaaaaaa'<\1:)>", text)
    return re.sub(
        r"<(\d+):(.+?)>", lambda part: "".join(part[2].replace("#", str(n)) for n in range(int(part[1]))), text
    )


def thought_of() -> Iterator[Attack]:
    """Return the attacks of the list."""
    for n, (name, sql) in enumerate(LISTS["sql"].items()):
        for form, ending in FORMS.items():
            if n < 4 or form == "JSON":
                yield Attack(f"{name}, as {form}", f"/data{ending}?sql={quote(written_out(sql))}")
    yield from (Attack(name, f"/data/{written_out(path)}") for name, path in LISTS["tables"].items())
    yield from (Attack(name, written_out(path)) for name, path in LISTS["viewer"].items())


def fuzzed(seed: int) -> Iterator[Attack]:
    """Yield requests put together at random, without end."""
    rng = Random(seed)
    paths, keys, endings = (LISTS[name] for name in ("paths", "keys", "endings"))
    words = list(map(written_out, LISTS["words"]))
    number = 0
    while True:
        number += 1
        path, pairs = rng.choice(paths), []
        ending = rng.choice(endings) if path.startswith("/data/") else ""
        for _ in range(rng.randrange(5)):
            key = rng.choice(keys)
            own = LISTS["columns"] if key in OF_COLUMNS else words
            pairs.append((key, rng.choice(own if rng.random() < 0.8 else words)))
        query = urlencode(pairs)
        yield Attack(f"number {number} of the fuzzer", f"{path}{ending}?{query}" if query else path + ending, True)


class Attacked(Struct, frozen=True):
    """An attack: the statuses of its answers, and how long the reader waited during it and alone, for each of
    `READ`."""

    name: str
    statuses: dict[int, int]
    waited: list[Measured]
    alone: list[Measured]
    refused: int

    @property
    def longer(self) -> list[float]:
        """Return the seconds that the reader waited longer during it, at the 95th percentile."""
        return [own.p95 - usual.p95 for own, usual in zip(self.waited, self.alone, strict=True)]


class Answered(Struct, frozen=True):
    """An attack that was sent once: its answer, and the longest wait of the reader meanwhile."""

    attack: Attack
    status: int
    seconds: float
    size: int
    waited: float


def get(served: Served, path: str, address: str) -> tuple[int, int]:
    """Return the status of an answer that nobody else gets (by its cookie), 0 for none, and its bytes."""
    connection = HTTPConnection(served.address.removeprefix("http://"), timeout=300)
    headers = {"X-Forwarded-For": address, "Cookie": "schafkopf=of-mine"}
    status, body = ask_server(connection, path, headers)
    connection.close()
    return status, len(body)


def read_once(served: Served, path: str, nth: int) -> tuple[float, int]:
    """Return the seconds that a reader waits for an answer that nobody has had before, and its status."""
    once = f"{path}?_size={nth % 100 + 1}" if path.startswith("/data") else f"{path}?nth={nth}"
    begun = time.perf_counter()
    status, _ = get(served, once, f"203.0.113.{nth % READERS}")
    return time.perf_counter() - begun, status


def reader(served: Served, seconds: float, nth: Iterator[int]) -> tuple[list[Measured], int]:
    """Return how long a reader waits for each of `READ`, and how often it is refused."""
    times: list[list[float]] = [[] for _ in READ]
    refused, end = 0, time.perf_counter() + seconds
    while time.perf_counter() < end or len(times[-1]) < LEAST:
        for path, took in zip(READ, times, strict=True):
            waited, status = read_once(served, path, next(nth))
            refused += status != 200
            took.append(waited)
    return [Measured(tuple(each)) for each in times], refused


def attackers(served: Served, path: str, over: SharedEvent, statuses: Connection) -> None:
    """Send an attack again and again, as several visitors, until it is over; then put the statuses of its answers."""
    counts = Counter[int]()

    def attacker(number: int) -> None:
        while not over.is_set():
            counts[get(served, path, f"192.0.2.{number}")[0]] += 1

    run_together(attacker, ((number,) for number in range(1, ATTACKERS + 1)))
    statuses.send(dict(counts))


def attack(served: Served, name: str, path: str, seconds: float, nth: Iterator[int]) -> Attacked:
    """Return what a reader notices while an attack goes on, and alone before and after it."""
    before, _ = reader(served, seconds / 2, nth)
    over, (statuses, theirs) = multiprocessing.Event(), multiprocessing.Pipe(duplex=False)
    visitors = multiprocessing.Process(target=attackers, args=(served, path, over, theirs))
    visitors.start()
    waited, refused = reader(served, seconds, nth)
    over.set()
    counted = statuses.recv()
    visitors.join()
    after, _ = reader(served, seconds / 2, nth)
    alone = [Measured(one.runs + other.runs) for one, other in zip(before, after, strict=True)]
    found = Attacked(name, counted, waited, alone, refused)
    print(name, counted, [f"{1000 * each:.1f} ms" for each in found.longer], file=sys.stderr)
    return found


def send_each(served: Served, attacks: Iterable[Attack], nth: Iterator[int]) -> Iterator[Answered]:
    """Yield each attack once, while the reader goes on; requests that began before its end count for it."""
    reads: list[tuple[float, float]] = []  # when each began, and the seconds that it took
    stop = Event()

    def read() -> None:
        for path, n in zip(cycle(READ), nth, strict=False):
            begun = time.perf_counter()
            reads.append((begun, read_once(served, path, n)[0]))
            if stop.is_set():
                return

    thread = Thread(target=read)
    thread.start()
    for n, each in enumerate(attacks):
        reads.clear()
        begun = time.perf_counter()
        status, size = get(served, each.path.replace(" ", "%20"), f"198.51.100.{n % 200}")
        end = time.perf_counter()
        while not reads or sum(reads[-1]) < end:
            time.sleep(0.001)
        waited = max(took for at, took in [*reads] if begun < at + took and at < end)
        yield Answered(each, status, end - begun, size, waited)
    stop.set()
    thread.join()


def answer_rows(answers: Iterable[Answered]) -> Iterator[tuple[str, str, str, str, str]]:
    for one in answers:
        said = str(one.status or "none: not sent, or no answer")
        path = one.attack.path.replace("|", "%7C")
        name = f"`{path[:90]}{'…' if len(path) > 90 else ''}`" if one.attack.fuzzed else one.attack.name
        yield name, said, span(one.seconds), f"{one.size:,}", span(one.waited)


@benchmark("Attacks: what another reader notices", ("datasette", "uvicorn", "flask"),
           deals=5_000, seconds=6, archive="", once=1_000, tried=400, seed=29)  # fmt: skip
def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    path = served_archive(given, folder)
    with server(OURS, path) as served:
        nth = count()
        reader(served, 0.5, nth)
        get(served, "/data.json?sql=select+1", "203.0.113.99")
        begun = held_memory(served.process) / MIB
        ways = {each.name: each.path for each in thought_of()}
        attacked = [attack(served, name, ways[name], float(given.seconds), nth) for name in ATTACKED]
        thought = list(send_each(served, islice(thought_of(), given.once), nth))
        chance = sorted(send_each(served, islice(fuzzed(given.seed), given.tried), nth), key=lambda one: -one.seconds)
        size, apart = (sum(map(held_memory, each)) / MIB for each in ([served.process], children(served.process)))
    late = [one.name for one in attacked if max(one.longer) > MOST]
    broken = [one.attack.path for one in (*thought, *chance) if one.status == 500]
    yield f"An archive of {given.deals:,} generated deals; {ATTACKERS} visitors attack, one reads {' and '.join(READ)}."
    yield f"After the first pages the server had {begun:.0f} MiB for itself, at the end {size:.0f} MiB, and its"
    yield f"processes {apart:.0f} MiB together.\n"
    yield "## Again and again\n"
    yield "How long the reader waited in milliseconds, alone and beside the attack. *Longer*: of a hundred times 95, by"
    yield f"how much; at most it should be {1000 * MOST:.0f}.\n"
    heads = " | ".join(f"{name}: alone, median | 95 % below | attacked, median | 95 % below | longer" for name in NAMES)
    yield markdown(f"attack | answers | {heads} | refused", [
        (one.name, ", ".join(f"{count} times {status}" for status, count in sorted(one.statuses.items())),
         *(f"{1000 * each:.1f}" for own, usual, longer in zip(one.waited, one.alone, one.longer, strict=True)
           for each in (usual.p50, usual.p95, own.p50, own.p95, longer)), one.refused)
        for one in attacked
    ])  # fmt: skip
    yield f"Longer at most by {span(max(max(one.longer) for one in attacked))}.\n"
    yield f"## {len(thought)} attacks, each once\n"
    yield "How long the answer took, its bytes, and the longest that the reader waited meanwhile.\n"
    yield markdown("attack | answer | after | bytes | the reader", list(answer_rows(thought)))
    statuses = Counter(one.status for one in chance)
    yield f"## {given.tried} requests of a fuzzer, seed {given.seed}\n"
    yield f"{', '.join(f'{count} times {status}' for status, count in sorted(statuses.items()))}; the {KEPT} that took"
    yield "longest:\n"
    yield markdown("request | answer | after | bytes | the reader", list(answer_rows(chance[:KEPT])))
    if held_up := bool(late or broken or any(one.refused for one in attacked)):
        who = ", ".join(dict.fromkeys(late)) or "a refusal"
        yield f"**The reader was held up by: {who}.** Answers of 500: {', '.join(broken) or 'none'}."
    return held_up
