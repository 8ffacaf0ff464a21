"""The schema in words: docs/schema.md, written by `python -m archive.store.describe > docs/schema.md`."""

import sqlite3
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct
from sqlite_utils import Database

from archive.store.schema import MIGRATIONS
from archive.store.views import VIEWS

INTRODUCTION = """# The schema of an archive

An archive is one SQLite file. These names are public: they are only ever added to. This page is made from the database
by `python -m archive.store.describe > docs/schema.md`.

Seats count from 1 as on the score sheet, amounts are integers of the record's unit, true and false are 1 and 0, and
NULL is *not recorded* or *not decidable*. Cards are codes of suit (`E G H S`) and rank (`A Z K O U 9 8 7 6`), several
of them one text: `S8 S9 SA SK`. What is listed here as JSON keeps the order of the seats.
"""


class Described(Struct, frozen=True, forbid_unknown_fields=True):
    """A table or view: what a row is, what each column is."""

    says: str
    columns: dict[str, str]


@cache
def descriptions() -> dict[str, Described]:
    """Every table and view by name, tables first."""
    text = Path(__file__).with_name("descriptions.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Described])


def described(conn: sqlite3.Connection) -> str:
    """The page, from the tables of a database and the words beside the schema."""
    tables = [name for name in descriptions() if name not in VIEWS]
    parts = [INTRODUCTION, "## Tables\n", *(_part(conn, name) for name in tables)]
    return "\n".join([*parts, "## Views\n", *(_part(conn, name) for name in VIEWS)])


def columns(conn: sqlite3.Connection, table: str) -> Iterator[tuple[str, str, bool]]:
    """Name, type and whether it is required, of each column; computed columns of views have no type."""
    for row in conn.execute(f"PRAGMA table_xinfo({table})"):
        yield row[1], row[2].removesuffix(" GENERATED ALWAYS"), bool(row[3])


def _part(conn: sqlite3.Connection, table: str) -> str:
    words = descriptions()[table]
    targets = {row[3]: f"{row[2]}.{row[4]}" for row in conn.execute(f"PRAGMA foreign_key_list({table})")}
    lines = [f"### {table}\n", f"{words.says}\n", "| column | type | meaning |", "|---|---|---|"]
    for name, kind, required in columns(conn, table):
        told = f"{words.columns[name]} → {targets[name]}" if name in targets else words.columns[name]
        lines.append(f"| `{name}` | {kind}{' not null' if required else ''} | {told} |")
    return "\n".join([*lines, ""])


def main() -> None:
    db = Database(memory=True, execute_plugins=False)
    MIGRATIONS.apply(db)
    sys.stdout.write(described(db.conn))


if __name__ == "__main__":
    main()
