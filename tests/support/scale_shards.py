"""Shards of the samples, and answers about them that can be compared: ids replaced by what they stand for."""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from archive.cli.inputs import open_files
from archive.notation import read_lines, write_line
from archive.record import Deal, Session, Source
from support.paths import ROOT

VALID, BROKEN = ROOT / "sample_games" / "valid", ROOT / "sample_games" / "broken"
Rows = Sequence[Sequence[Any]]
WHAT = {"deal": "deal", "first_deal": "deal", "last_deal": "deal", "session": "session", "player": "player",
        "partner": "player", "event": "event", "source": "source"}  # fmt: skip
LEFT = ("viewer", "ruling", "shard")  # columns that are ids in another form
DEALS = "SELECT id, lower(hex(hash)) FROM records"
SESSIONS = "SELECT s.id, f.path, s.line FROM sessions s JOIN sources f ON f.id = s.source_id"
PLAYERS = "SELECT id, name FROM players"


def sample_lines(folder: Path, fits: str = "*") -> Iterator[bytes]:
    """Yield every deal of the samples in a folder, as a record line."""
    for path in sorted(folder.glob(fits)):
        for file in open_files(path, None) if path.is_file() else ():
            head = None
            for item in file.items():
                head = item if isinstance(item, Session) else head
                if isinstance(item, Deal) and head is not None:
                    yield write_line(head, item)


def in_sessions(lines: Iterable[bytes], parts: int) -> list[bytes]:
    """Return the lines as so many texts, cut between sessions."""
    every = b"\n".join(lines) + b"\n"
    rows = every.splitlines(keepends=True)
    starts = [item.source.line - 1 for item in read_lines(every, Source("x")) if isinstance(item, Session)]
    cuts = [next(start for start in starts if start >= n * len(rows) // parts) for n in range(parts)] + [len(rows)]
    return [b"".join(rows[cuts[n] : cuts[n + 1]]) for n in range(parts)]


class Meant:
    """Ids replaced by what they stand for: a deal by its hash, a session by its place, a player by the name, a source
    by its file."""

    def __init__(self, rows: Callable[[str], Rows]) -> None:
        self.of: dict[str, dict[Any, Any]] = {
            "deal": {row[0]: row[1] for row in rows(DEALS)},
            "session": {row[0]: f"{Path(row[1]).name}:{row[2]}" for row in rows(SESSIONS)},
            "player": {row[0]: row[1] for row in rows(PLAYERS)},
            "source": {row[0]: Path(row[1]).name for row in rows("SELECT id, path FROM sources")},
        }

    def rows(self, columns: Sequence[str], found: Rows) -> list[tuple[Any, ...]]:
        """Return rows in an order of their own, without the columns that are only ids."""
        if "declared_by_first" in columns:  # of a pair the one with the lower id stands first
            found = [in_order(dict(zip(columns, row, strict=True))) for row in found]
        kept = [n for n, name in enumerate(columns) if name not in LEFT]
        told = [tuple(self.value(columns[n], row[n]) for n in kept) for row in found]
        return sorted(told, key=lambda row: repr([round(x, 2) if isinstance(x, float) else x for x in row]))

    def value(self, column: str, value: Any) -> Any:
        kind = WHAT.get(column)
        if isinstance(value, str) and (found := re.fullmatch(r"session (\d+)", value)):
            return self.of["session"][int(found[1])]
        if kind is None or kind == "event" or not isinstance(value, int):
            return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
        return self.of[kind][value]


def in_order(pair: dict[str, Any]) -> tuple[Any, ...]:
    """Return a row of two players with them in the order of their names."""
    if pair["partner_name"] < pair["name"]:
        pair["player"], pair["partner"] = pair["partner"], pair["player"]
        pair["name"], pair["partner_name"] = pair["partner_name"], pair["name"]
        pair["declared_by_first"] = pair["deals"] - pair["declared_by_first"]
    return tuple(pair.values())


def of_archive(conn: sqlite3.Connection) -> Meant:
    return Meant(lambda sql: [tuple(row) for row in conn.execute(sql)])
