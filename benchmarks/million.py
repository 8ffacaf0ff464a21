"""A large archive to measure: generated evenings of many clubs, imported.

    python benchmarks/million.py million.db                             a million deals
    python benchmarks/million.py small.db --deals 50000 --seed 7

The deals are those of `schafkopf generate` under several rulesets. Players, days, events and places are added: forty
clubs of seven members each, and eight regulars who play at every twelfth table. Some deals have a note, and some
evenings have the mistakes of `generate --disputes`. The same seed gives the same deals.
"""

import argparse
import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

from measured import folder_for_files, schafkopf
from msgspec import Struct
from msgspec.structs import replace
from support.rulesets import load_rules

from archive.generate.evenings import DealtEvening, evenings
from archive.generate.mistakes import with_mistakes
from archive.notation import write_line
from archive.record import Deal
from archive.stats import FACTS
from archive.store import open_archive
from archive.store.people import merge_players

RULES = {"bavarian": 44, "pub": 28, "bavarian-tournament": 10, "palatinate": 8, "short": 5, "three-hand": 3,
         "bauernstoss": 2}  # of a hundred evenings  # fmt: skip
REGULARS = tuple(f"Stamm{n}" for n in range(1, 9))
CLUBS, MEMBERS = 40, 7
OTHER = "alt"  # the end of another name of a player, who is merged with the first
FIRST, DAYS = date(2004, 1, 2), 365 * 20
DAILY, DISPUTED, NOTED, OTHERWISE = 0.08, 0.1, 0.01, 0.01
FILE = 50_000  # deals
SEED = 2026
TIMED_OUT = re.compile(r"These facets timed out: ([^<]*)")
HIDDEN = ("sqlite_", "_sqlite", "notes_fts_", "large_")


def renamed(evening: DealtEvening, rng: Random) -> Iterator[bytes]:
    """Yield the lines of an evening with other players, day, event and place; some of its deals with a note."""
    head, daily = evening.session, rng.random() < DAILY
    club, day = rng.randrange(CLUBS), FIRST + timedelta(rng.randrange(DAYS))
    members = REGULARS if daily else tuple(f"Spieler{club * MEMBERS + n + 1}" for n in range(MEMBERS))
    names = [name + OTHER * (rng.random() < OTHERWISE) for name in rng.sample(members, len(head.players))]
    club_event = f"Turnier {day.year}" if head.rules == "bavarian-tournament" else f"Stammtisch {club + 1}"
    session = replace(
        head, players=tuple(names), date=day.isoformat(), event=f"Daily table {day.year}" if daily else club_event,
        place=rng.choice(("Landshut", "Straubing", "Passau", "Speyer", None)), recorder=rng.choice((*names, None)),
    )  # fmt: skip
    before, after = (write_line(each, Deal())[:-1] for each in (head, session))
    new = dict(zip(map(str.encode, head.players), map(str.encode, names), strict=True))
    name = re.compile(rb"\b(" + b"|".join(new) + rb")\b")
    for line in evening.lines:
        text = after + name.sub(lambda match: new[match[1]], line[len(before) :])
        yield text[:-1] + b',"note":"Played in the garden."}' if rng.random() < NOTED else text


def write_file(path: Path, rules: str, seed: int, deals: int) -> None:
    """Write a file of generated evenings under one ruleset."""
    ruleset, rng = load_rules(rules), Random(f"{seed} {rules}")
    with path.open("wb") as file:
        for evening in evenings(ruleset, seed, deals):
            whole = with_mistakes(evening, rng)[0] if rng.random() < DISPUTED else evening
            file.writelines(line + b"\n" for line in renamed(whole, rng))


def write_files(folder: Path, deals: int, seed: int) -> None:
    """Write files of all rulesets, with as many processes as there are cores."""
    tasks = list[tuple[Path, str, int, int]]()
    for rules, share in RULES.items():
        for left in range(deals * share // 100, 0, -FILE):
            tasks.append((folder / f"{len(tasks):03}.jsonl", rules, seed + len(tasks), min(left, FILE)))
    with ProcessPoolExecutor() as pool:
        list(pool.map(write_file, *zip(*tasks, strict=True)))


def make_archive(path: Path, deals: int, seed: int = SEED) -> None:
    """Make an archive of so many deals."""
    with folder_for_files() as folder:
        write_files(folder, deals, seed)
        schafkopf("import", folder, "--db", path, "--origin", "generated")
    db = open_archive(path)
    names = {name for (name,) in db.conn.execute("SELECT name FROM players")}
    for name in sorted(names):
        if name + OTHER in names:
            merge_players(db, [name + OTHER], name, "benchmark", "the same person")
    db.close()


def archive_or_new(given: argparse.Namespace, folder: Path) -> Path:
    """Return the archive that is named, else one of so many deals, with the counts of its large parts, in a folder."""
    if given.archive:
        return Path(given.archive)
    make_archive(path := folder / "million.db", given.deals)
    schafkopf("stats", "--rebuild", "--db", path)
    return path


class Choice(Struct, frozen=True):
    """The subjects of the questions: the rules and contract that most deals have, players, sessions, events."""

    rules: str
    contract: str
    player: int  # one with as many deals as half of them have
    regular: int  # the one with most
    session: int
    event: str  # the middle one by its deals
    league: str  # the largest
    deal: int

    def parts(self) -> dict[str, dict[str, str | int]]:
        """Return parameters of a question, by the part of the archive that they select."""
        return {"session": {"session": self.session}, "player": {"player": self.player}, "event": {"event": self.event},
                "most: player": {"player": self.regular}, "most: event": {"event": self.league}}  # fmt: skip


def choose(conn: sqlite3.Connection) -> Choice:
    """Return subjects chosen by their numbers of deals."""

    def of(sql: str, at: float) -> Any:
        rows = conn.execute(sql).fetchall()
        return rows[int(at * (len(rows) - 1))][0]

    players = "SELECT player FROM player_facts GROUP BY player ORDER BY sum(deals), player"
    events = """SELECT e.event FROM session_facts f JOIN sessions e ON e.id = f.session WHERE e.event IS NOT NULL
        GROUP BY e.event ORDER BY sum(f.deals), e.event"""
    session = of("SELECT session FROM session_facts GROUP BY session ORDER BY sum(deals), session", 0.5)
    rules, contract = (
        of(f"SELECT {name} FROM contract_facts GROUP BY {name} ORDER BY sum(deals)", 1)
        for name in ("rules", "contract")
    )
    (deal,) = conn.execute("SELECT id FROM deals WHERE session_id = ?", (session,)).fetchone()
    return Choice(rules, contract, of(players, 0.5), of(players, 1), session, of(events, 0.5), of(events, 1), deal)


def table_pages(conn: sqlite3.Connection) -> list[str]:
    """Return the first page of every table and view, with the facets that it has."""
    facts = {table.name for table in FACTS}
    sql = "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY type, name"
    names = [row[0] for row in conn.execute(sql) if not row[0].startswith(HIDDEN) and row[0] not in facts]
    return ["/data", *(f"/data/{name}" for name in names)]


def missing_facets(text: str) -> tuple[str, ...]:
    """Return the facets of a table page that were not counted in time."""
    match = TIMED_OUT.search(text)
    return tuple(match[1].split(", ")) if match else ()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    if given.archive.exists():
        parser.error(f"{given.archive} is there already")
    make_archive(given.archive, given.deals, given.seed)


if __name__ == "__main__":
    main()
