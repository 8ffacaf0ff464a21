"""A large archive to measure: evenings that are generated and imported, then multiplied in SQL.

    python benchmarks/million.py million.db                             a million deals, in some ten minutes
    python benchmarks/million.py small.db --deals 50000 --distinct 2000 --seed 7

Some twenty thousand deals are made by archive.generate as whole evenings under several rulesets, written to files and
imported by `schafkopf import`: hands, calls, tricks, settlements, findings, records and sources are real. Then every
table that belongs to a deal is copied with other numbers until there are enough: other sources, sessions, days and
players, but eight regulars, who are the same in all copies and sit in a twelfth of all seats. Hashes are other ones;
the records, which nothing counts, are those of the first copy. The facts are counted by `schafkopf stats --rebuild`.
The same seed gives the same deals.
"""

import argparse
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random

from msgspec import Struct
from msgspec.structs import replace

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from archive import generate  # noqa: E402
from archive.audit import judge  # noqa: E402
from archive.notation import write_line, write_toml  # noqa: E402
from archive.record import Deal, Ruling, Session, Stated  # noqa: E402
from archive.settle.ledger import fresh  # noqa: E402
from archive.store import open_archive  # noqa: E402
from archive.store.people import merge_players  # noqa: E402
from archive.store.questions import FACTS  # noqa: E402

FIRST, DAYS = date(2004, 1, 2), 365 * 18  # of the evenings that are imported; copies lie up to six years later
REGULARS = tuple(f"Stammspieler {n}" for n in range(1, 9))
CLUBS, MEMBERS = 40, 7
OTHER = " (alt)"  # so ends another name of a player, who is merged with the first
PER_EVENING = (30, 60)  # deals
EVENINGS = 5  # of a file
DAILY = 0.08  # of the evenings are those of the regulars
ALL_PASS, TOUT = 0.05, 0.02


class House(Struct, frozen=True):
    """A table's rules: how many of a hundred evenings are played by them, what of each deal its records state."""

    rules: str
    often: int
    house: dict[str, object] | None
    states: tuple[str, ...]


RESULT = ("won", "points", "price", "payments", "totals")
HOUSES = (
    House("bavarian", 30, {"tariff": "10/20/50"}, RESULT),
    House("bavarian", 14, {"tariff": "5/20", "knock": "in-turn"}, ("payments",)),
    House("pub", 22, None, ("price", "payments")),
    House("pub", 6, {"tariff": "20/50", "stock": {"amount": 10}}, RESULT),
    House("palatinate", 8, None, ("payments",)),
    House("bavarian-tournament", 10, None, ("won", "payments", "totals")),
    House("short", 5, None, ("payments",)),
    House("three-hand", 3, None, ("payments",)),
    House("bauernstoss", 2, None, ("marks",)),
)
# How often a contract is played beside others, as at tables; the rest of them `SELDOM`.
USUAL = {"rufspiel": 660, "solo": 130, "wenz": 80, "ramsch": 60, "simple": 600, "geier": 20, "farbwenz": 25,
         "hochzeit": 10, "bettel": 8}  # fmt: skip
SELDOM = 5


# --- evenings ---------------------------------------------------------------------------------------------------------


def heads(seed: int, distinct: int) -> Iterator[tuple[Session, House, int, int]]:
    """The evenings: head, house, number of deals, seed. The regulars come first, so that theirs are the first numbers
    of players."""
    rng, left, known = Random(seed), distinct, set[str]()
    for n in count():
        house = HOUSES[0] if n < 2 else rng.choices(HOUSES, [each.often for each in HOUSES])[0]
        plain = generate.session(house.rules, house.house)
        seats = len(plain.players)
        daily = n < 2 or rng.random() < DAILY
        club = rng.randrange(CLUBS)
        members = REGULARS if daily else tuple(f"Spieler {club * MEMBERS + m + 1}" for m in range(MEMBERS))
        if n < 2:
            names = REGULARS[4 * n : 4 * n + 4]
        else:
            more = 1 if seats == 4 and house.rules in ("bavarian", "pub") and rng.random() < 0.1 else 0
            names = tuple(rng.sample(members, seats + more))
            names = tuple(name + OTHER if name in known and rng.random() < 0.01 else name for name in names)
        known.update(names)
        day = FIRST + timedelta(rng.randrange(DAYS))
        tournament = house.rules == "bavarian-tournament"
        head = replace(
            plain,
            players=names,
            date=None if rng.random() < 0.03 else day.isoformat(),
            event=f"Daily table {day.year}"
            if daily
            else f"Turnier {day.year}"
            if tournament
            else f"Stammtisch {club + 1}",
            list=str(rng.randint(1, 2)) if tournament else None,
            table=str(rng.randint(1, 20)) if tournament else None,
            place=rng.choice(("Landshut", "Straubing", "Passau", "Speyer", None)),
            recorder=rng.choice((*names, None)),
            note="Played in the garden." if rng.random() < 0.02 else None,
        )
        deals = min(rng.randint(*PER_EVENING), left)
        left -= deals
        yield head, house, deals, rng.randrange(2**32)
        if not left:
            return


def played(head: Session, house: House, number: int, seed: int) -> list[Deal]:
    """The deals of an evening, some of them with a mistake of who wrote them down."""
    rng, ruleset = Random(seed), generate.ruleset_of(head)
    lies, found = fresh(len(head.players)), []
    while len(found) < number:
        dealer = lies.dealer if lies.dealer is not None else rng.randrange(len(head.players))
        rounds = tuple(name for name, _ in lies.rounds or ())
        own = any(ruleset.rounds[name].contracts for name in rounds)
        made = None
        if not own and rng.random() < ALL_PASS:
            made = generate.thrown_in(rng, ruleset, dealer, len(head.players), rounds)
        if made is None:
            wanted = None if own or ruleset.house.marks else contract(rng, ruleset.house.contracts)
            try:
                tout = wanted in ("solo", "wenz") and rng.random() < TOUT
                made = generate.deal(rng, head, wanted, dealer=dealer, rounds=rounds, before=lies, tout=tout)
            except LookupError:  # no hand fits
                continue
        judged = judge(head, made, 1, lies)
        lies = judged.after
        if rng.random() < 0.9:
            made = replace(made, stated=generate.stated(judged, house.states))
        made = replace(made, note="Discussed for long." if rng.random() < 0.01 else None)
        found.append(mistaken(rng, made))
    return found


def contract(rng: Random, names: tuple[str, ...]) -> str:
    return rng.choices(names, [USUAL.get(name, SELDOM) for name in names])[0]


def mistaken(rng: Random, deal: Deal) -> Deal:
    """One deal in fifty is paid by other sums than it costs, and a quarter of these are ruled; of one in a hundred only
    the result is known; in one in a hundred two cards of the first trick stand in each other's place."""
    chance, stated = rng.random(), deal.stated
    if chance < 0.02 and stated and stated.payments:
        ruled = Ruling("Vroni", "2026-11-01", "As the rules compute it.", stated.payments, "house rules")
        paid = replace(stated, payments=tuple(2 * (each or 0) for each in stated.payments))
        return replace(deal, stated=paid, ruling=(ruled,) if chance < 0.005 else None)
    if chance < 0.03:
        return replace(deal, tricks=None, hands=None, blind=None, stated=stated or Stated(result="not written down"))
    if chance < 0.04 and deal.tricks and len(deal.tricks) > 1:
        one, *others = deal.tricks
        cards = (one.cards[1], one.cards[0], *one.cards[2:])
        return replace(deal, tricks=(replace(one, cards=cards), *others))
    return deal


def written(folder: Path, n: int, part: list[tuple[Session, House, int, int]]) -> int:
    """A file of some evenings, of one in TOML where it has only one; one in twenty is there in both formats."""
    evenings = [(head, played(head, house, number, seed)) for head, house, number, seed in part]
    lines = b"".join(write_line(head, deal) + b"\n" for head, deals in evenings for deal in deals)
    if len(evenings) > 1 or n % 4:
        (folder / f"{n:04}.jsonl").write_bytes(lines)
    if len(evenings) == 1 and (n % 4 == 0 or n % 20 == 1):
        (folder / f"{n:04}.toml").write_text(write_toml(*evenings[0]), "utf-8")
    return sum(len(deals) for _, deals in evenings)


def files(folder: Path, seed: int, distinct: int) -> None:
    """All files, by as many processes as there are cores."""
    parts: list[list[tuple[Session, House, int, int]]] = []
    for n, each in enumerate(heads(seed, distinct)):
        if n < 2 or len(parts[-1]) >= (EVENINGS if len(parts) % 3 else 1):
            parts.append([])
        parts[-1].append(each)
    with ProcessPoolExecutor() as pool:
        waiting = [pool.submit(written, folder, n, part) for n, part in enumerate(parts)]
        print(f"{sum(each.result() for each in waiting)} deals in {len(parts)} files")


# --- copies -----------------------------------------------------------------------------------------------------------

HASHES = {"sha256": 32, "hash": 32, "play_hash": 8, "redacted_sha256": 32}
KEPT = ("rulesets", "contracts", "notes")  # tables that are the same for all copies, or made again with the facts
YEARS = 6


def multiplied(conn: sqlite3.Connection, deals: int) -> int:
    """Copies everything that belongs to a deal until there are so many of them; gives the number of copies."""
    conn.create_function("digest", 2, digest, deterministic=True)
    (base,) = conn.execute("SELECT count(*) FROM deals").fetchone()
    copies = -(-deals // base)
    tables = list(copied_tables(conn))
    last = {each: conn.execute(f"SELECT coalesce(max(rowid), 0) FROM {each}").fetchone()[0]
            for each in tables if primary(conn, each)}  # fmt: skip
    sql = [copying(conn, table, last) for table in tables]
    for copy in range(1, copies):
        values = {"k": copy, "regulars": len(REGULARS), "days": copy * 365 * YEARS // copies}
        left = deals - copy * base
        for statement in sql:
            conn.execute(statement, values | {"most": last["records"] if left >= base else left})
    return copies


def copied_tables(conn: sqlite3.Connection) -> Iterator[str]:
    """The tables that are copied, parents first."""
    facts = {each.name for each in FACTS}
    for name, sql in conn.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid").fetchall():
        if sql.rstrip().upper().endswith(("STRICT", "STRICT, WITHOUT ROWID")) and name not in {*facts, *KEPT}:
            yield name


def primary(conn: sqlite3.Connection, table: str) -> bool:
    """Whether rows have a number of their own that is no other table's."""
    return any(row[1] == "id" for row in conn.execute(f"PRAGMA table_info({table})"))


def copying(conn: sqlite3.Connection, table: str, last: dict[str, int]) -> str:
    """The statement that copies the rows of a table once more, the `:k`-th time. The last copy may be of the first
    deals alone, `:most`."""
    of = {row[3]: row[2] for row in conn.execute(f"PRAGMA foreign_key_list({table})")}
    targets, values, deal = [], [], "0"
    for name, hidden in [(row[1], row[6]) for row in conn.execute(f"PRAGMA table_xinfo({table})")]:
        if hidden:
            continue
        targets.append(name)
        parent = {"records": "records", "deals": "records"}.get(of.get(name, ""), of.get(name))
        if parent == "records":
            deal = name
        values.append(value(table, name, parent, last))
    limit = "id" if table in ("records", "deals") else deal
    first = f"id <= {last[table]}" if table in last else f"{limit} <= {last['records']}"
    others = "id > :regulars" if table == "players" else f"coalesce({limit}, 0) <= :most"
    return f"""INSERT INTO {table} ({", ".join(targets)}) SELECT {", ".join(values)} FROM {table}
        WHERE {first} AND {others}"""


def value(table: str, name: str, parent: str | None, last: dict[str, int]) -> str:
    """A column of a copy."""
    if "players" in (parent, table) and name != "name":
        return f"CASE WHEN {name} <= :regulars THEN {name} ELSE {name} + :k * {last['players']} END"
    if parent in last or name == "id":
        return f"{name} + :k * {last[parent if parent in last else 'records' if table == 'deals' else table]}"
    if name in HASHES:
        return f"substr(digest({name}, :k), 1, {HASHES[name]})"
    told = {
        ("players", "name"): "name || ' von ' || :k",
        ("records", "own_id"): "own_id || '.' || :k",
        ("sources", "path"): "replace(path, '.', '.' || :k || '.')",
        ("sessions", "date"): "date(date, '+' || :days || ' days')",
        ("sessions", "event"): """CASE WHEN event NOT LIKE 'Daily table%' THEN event || ', ' || :k
            ELSE 'Daily table ' || coalesce(strftime('%Y', date, '+' || :days || ' days'), substr(event, -4)) END""",
    }
    return told.get((table, name), name)


def digest(old: bytes | None, copy: int) -> bytes | None:
    return None if old is None else sha256(old + copy.to_bytes(4, "big")).digest()


class Laid:
    """Indexes and triggers that are laid aside while rows are copied."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        sql = "SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL"
        self.conn, self.kept = conn, conn.execute(sql).fetchall()

    def __enter__(self) -> None:
        for kind, name, _ in self.kept:
            self.conn.execute(f"DROP {kind} {name}")

    def __exit__(self, *_: object) -> None:
        for _, _, sql in self.kept:
            self.conn.execute(sql)


# --- the archive ------------------------------------------------------------------------------------------------------


def build(path: Path, deals: int, distinct: int, seed: int) -> None:
    begun = time.perf_counter()

    def told(what: str) -> None:
        print(f"{time.perf_counter() - begun:6.0f} s  {what}", flush=True)

    with tempfile.TemporaryDirectory() as made:
        files(Path(made), seed, distinct)
        told("written")
        run("import", made, "--db", str(path), "--origin", "generated")
    told("imported")
    db = open_archive(path)
    for (other,) in db.conn.execute(f"SELECT name FROM players WHERE name LIKE '%{OTHER}'").fetchall():
        merge_players(db, [other], other.removesuffix(OTHER), "benchmark", "the same person")
    db.close()
    conn = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF", "cache_size = -1000000"):
        conn.execute(f"PRAGMA {pragma}")
    with Laid(conn):
        copies = multiplied(conn, deals)
        told(f"{copies} copies")
    told("indexes")
    conn.execute("PRAGMA journal_mode = WAL")
    conn.close()
    run("stats", "--rebuild", "--db", str(path))
    told("facts")


def run(*words: str) -> None:
    """The `schafkopf` command, without what it prints."""
    command = (sys.executable, "-c", "from archive.cli import main; main()", *words)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1) or "Traceback" in done.stderr:
        raise SystemExit(f"schafkopf {words[0]}: {done.stderr[-2000:]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--distinct", type=int, default=20_480)
    parser.add_argument("--seed", type=int, default=2026)
    given = parser.parse_args()
    if given.archive.exists():
        parser.error(f"{given.archive} is there already")
    build(given.archive, given.deals, given.distinct, given.seed)


if __name__ == "__main__":
    main()
