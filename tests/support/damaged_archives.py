"""An archive with something in most tables, ways to damage it, and its contents for comparison."""

import gc
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from archive.store.tables import TABLES
from support.paths import ROOT
from support.running import run
from support.store_samples import EVENING, another

RENUMBERED = ("findings", "rulesets", "contracts")  # rows that have other numbers when they are made again
NOT_COMPARED = ("notes", "waiting", "unfinished")


class Case(NamedTuple):
    """A damage: what it does to the file; what `doctor` names; whether `stats` and `show 1` must refuse the archive, or
    `show` this deal alone; whether everything comes back without the files that were imported."""

    name: str
    damage: Callable[[Path], None]
    kinds: set[str]
    refused: bool = False
    show: bool = False
    back: bool = True


@cache
def archive_and_files() -> tuple[bytes, dict[str, bytes]]:
    """Return an archive of four evenings without their files beside it, and these files: typed ones, one of JSON lines,
    a log. Two files have the same evening; there are corrections, rulings, a merge, a case."""
    with TemporaryDirectory() as folder:
        here, db = Path(folder), Path(folder) / "archive.db"
        (here / "evening.toml").write_text(EVENING)
        (here / "copy.toml").write_text(f"# once more\n{EVENING}".replace("stated.points = 75", "stated.points = 76"))
        (here / "benno.toml").write_text(another().replace("Ben", "Benno"))
        (here / "lines.jsonl").write_text(run("generate", "12", "--rules", "bavarian", "--seed", "7").stdout)
        for name in (
            "evening.toml",
            "copy.toml",
            "benno.toml",
            "lines.jsonl",
            ROOT / "sample_games/valid/netschafkopf.txt",
        ):
            assert run("import", here / name, "--db", db).exit_code in (0, 1)
        for words in (
            ("players", "merge", "Benno", "--into", "Ben", "--by", "Emil", "--why", "one person"),
            ("correct", "2", "--set", 'note="late"', "--by", "Dora", "--why", "seen"),
            ("rule", "2", "--payments", "Anna 0, Ben 0, Cem 0, Dora 0", "--by", "Emil", "--why", "w", "--cite", "c"),
            ("case", "open", "3", "--claimant", "Anna", "--text", "t", "--by", "Emil"),
            ("cash", "paid", "Anna", "1 €", "--to", "Cem", "--by", "Emil"),
        ):
            assert run(*words, "--db", db).exit_code == 0, words
        gc.collect()  # an unclosed connection refers to itself, and its writes lie beside the file
        return db.read_bytes(), {path.name: path.read_bytes() for path in here.iterdir() if path != db}


def content(path: Path, moments: bool = True) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of an archive but those of counts and notes, in no order, with the digest of a ruleset for its
    number; perhaps without the moments at which they were made."""
    with closing(sqlite3.connect(path)) as conn:
        digests = dict(conn.execute("SELECT id, digest FROM rulesets").fetchall())
        every = {}
        for table in TABLES:
            if table in NOT_COMPARED:
                continue
            cursor = conn.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in cursor.description]
            rows = [
                tuple(
                    digests.get(value) if name == "ruleset_id" else value
                    for name, value in zip(names, row, strict=True)
                    if not (name == "id" and table in RENUMBERED) and (moments or not name.endswith("_at"))
                )
                for row in cursor
            ]
            every[table] = sorted(rows, key=repr)
    return every


# --- damages --------------------------------------------------------------------------------------------------------


def sql(*statements: str) -> Callable[[Path], None]:
    """Return statements by somebody whom no key stops."""

    def damage(path: Path) -> None:
        with closing(sqlite3.connect(path)) as conn:
            conn.execute("PRAGMA foreign_keys = OFF")
            for statement in statements:
                assert conn.execute(statement).rowcount != 0, statement
            conn.commit()
            conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    return damage


def pages_of(path: Path, name: str) -> list[int]:
    """Return the pages of a table or index, from 1."""
    with closing(sqlite3.connect(path)) as conn:
        return [row[0] for row in conn.execute("SELECT pageno FROM dbstat WHERE name = ? ORDER BY pageno", (name,))]


def zero(name: str, place: int = -1) -> Callable[[Path], None]:
    """Return a damage that fills a page of a table or index with zeros: the last one or the one at this place."""

    def damage(path: Path) -> None:
        page = pages_of(path, name)[place]
        data = bytearray(path.read_bytes())
        data[(page - 1) * 8192 : page * 8192] = bytes(8192)
        path.write_bytes(data)

    return damage


def flip(name: str, at: int, place: int = -1) -> Callable[[Path], None]:
    """Return a damage that turns a bit over in a page: in the byte `at`, counted from the end of the page if that is
    negative."""

    def damage(path: Path) -> None:
        page = pages_of(path, name)[place]
        data = bytearray(path.read_bytes())
        data[(page - 1) * 8192 + at if at >= 0 else page * 8192 + at] ^= 4
        path.write_bytes(data)

    return damage


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-8192])


CASES = (
    # rows that are gone
    Case("a record", sql("DELETE FROM records WHERE id = 2"), {"key", "record", "rows"}),
    Case("the record of deal 1", sql("DELETE FROM records WHERE id = 1"), {"key", "record"}, show=True),
    Case("a deal with all that hangs on it", sql(
        "DELETE FROM records WHERE id = 3", "DELETE FROM deals WHERE id = 3", "DELETE FROM seats WHERE deal_id = 3"),
        {"record", "key"}, back=False),
    Case("a line of a file of lines", sql(
        "DELETE FROM records WHERE id = (SELECT max(id) FROM records WHERE source_id = 4)"),
        {"source", "key"}, back=False),
    Case("all records of a file", sql("DELETE FROM records WHERE source_id = 1"), {"key", "record"}, show=True),
    Case("a session", sql("DELETE FROM sessions WHERE id = 1"), {"key", "record"}, show=True),
    Case("a copy", sql("DELETE FROM copies WHERE id = 1"), {"record"}, show=True),
    Case("a file", sql("DELETE FROM sources WHERE id = 1"), {"key"}, show=True, back=False),
    Case("the text of a file", sql("UPDATE sources SET raw = x'00' WHERE id = 1"), {"source"}, back=False),
    Case("a player", sql("DELETE FROM players WHERE name = 'Ben'"), {"key", "rows"}),
    Case("a name that was merged", sql("DELETE FROM players WHERE name = 'Benno'"), {"key", "rows"}),
    Case("a ruleset", sql("DELETE FROM rulesets WHERE id = 1"), {"key", "rows"}, show=True),
    Case("the contracts", sql("DELETE FROM contracts"), {"rows"}),
    Case("a row of deals", sql("DELETE FROM deals WHERE id = 2"), {"rows", "key"}),
    Case("the seats of a deal", sql("DELETE FROM seats WHERE deal_id = 1"), {"rows", "facts"}),
    *(Case(f"all {table}", sql(f"DELETE FROM {table}"), {"rows"}) for table in (
        "calls", "exchanges", "doubles", "events", "tricks", "stated")),
    Case("the findings of deals", sql("DELETE FROM findings WHERE deal_id IS NOT NULL"), {"rows"}),
    Case("a correction", sql("DELETE FROM corrections WHERE id = 1"), {"gap"}),
    Case("a correction by hand", sql("DELETE FROM corrections WHERE why = 'seen'"), {"notes"}, back=False),
    Case("a ruling", sql("DELETE FROM rulings WHERE id = (SELECT max(id) FROM rulings)"), {"notes"}, back=False),
    Case("an act", sql("DELETE FROM acts WHERE id = 1"), {"gap"}, back=False),
    Case("a case", sql("DELETE FROM cases WHERE id = 1"), {"gap", "key"}, back=False),
    Case("the counts of a question", sql("DELETE FROM player_facts"), {"facts"}),
    Case("the notes", sql("DELETE FROM notes"), {"notes"}),
    Case("a view", sql("DROP VIEW outcomes"), {"table"}),
    Case("an index", sql("DROP INDEX records_hash"), {"table"}),
    # rows that say something else
    Case("a record packed otherwise", sql("UPDATE records SET record = substr(record, 2) WHERE id = 1"),
         {"record"}, show=True),
    Case("a record in place of another", sql(
        "UPDATE records SET record = (SELECT record FROM records WHERE id = 3) WHERE id = 1"), {"record"}, show=True),
    Case("a number", sql("UPDATE records SET number = 9 WHERE id = 1"), {"record"}, show=True),
    Case("a hash", sql("UPDATE records SET hash = zeroblob(16) WHERE id = 1"), {"record"}, show=True),
    Case("the head of a session", sql("UPDATE sessions SET head = replace(head, 'Anna', 'Hanna') WHERE id = 1"),
         {"record"}, show=True),
    Case("the event of a session", sql("UPDATE sessions SET event = 'Other' WHERE id = 1"), {"rows", "notes"}),
    Case("a copy's record", sql("UPDATE copies SET record = x'0600' WHERE record IS NOT NULL"), {"copy"}, show=True),
    Case("a name", sql("UPDATE players SET name = 'Bem' WHERE name = 'Ben'"), {"rows"}),
    Case("an amount", sql("UPDATE seats SET amount = amount + 1 WHERE deal_id = 1"), {"rows", "facts"}),
    Case("a verdict", sql("UPDATE deals SET verdict = 'unplayable' WHERE id = 2"), {"rows", "facts"}),
    Case("a state", sql("""UPDATE deals SET state_after = '{"totals":[1,2,3,4]}' WHERE id = 1"""), {"rows"}),
    Case("a count", sql("UPDATE standing_facts SET total = total + 1"), {"facts"}),
    Case("the why of a correction", sql("UPDATE corrections SET why = 'other'"), {"notes"}, back=False),
    # pages
    *(Case(f"a page of {name}, zeros", zero(name), {"pages"}, refused=True, back=back) for name, back in (
        ("records", True), ("deals", True), ("seats", True), ("tricks", True), ("copies", True), ("players", True),
        ("sessions", False), ("records_hash", True), ("player_facts", True), ("sources", False))),
    Case("the end of the file", cut, {"pages"}, refused=True),
    Case("a bit in the head of a page of seats", flip("seats", 3), {"pages"}, refused=True),
    Case("a bit in the cells of records", flip("records", -40), {"record"}),
    Case("a bit in the cells of tricks", flip("tricks", -3), {"rows"}),
)  # fmt: skip
