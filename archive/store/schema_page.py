"""The schema in words: docs/schema.md, written by `python -m archive.store.schema_page > docs/schema.md`."""

import sqlite3
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from archive.stats import BY_NAME, FACTS, QUESTIONS, Facts, Question
from archive.stats.texts import all_texts, column_text
from archive.store._sqlite_utils import Database
from archive.store.schema import migrate
from archive.store.tables import TABLES
from archive.store.views import VIEWS

GUESSED = "INT"  # the type that newer versions of SQLite guess for a computed column; no table declares it

INTRODUCTION = """# The schema of an archive

An archive is one SQLite file. These names are public: they are only ever added to. This page is made from the database
by `python -m archive.store.schema_page > docs/schema.md`.

Seats count from 1 as on the score sheet, amounts are integers of the record's unit, true and false are 1 and 0, and
NULL is *not recorded* or *not decidable*. Cards are codes of suit (`E G H S`) and rank (`A Z K O U 9 8 7 6`), several
of them one text: `S8 S9 SA SK`. What is listed here as JSON keeps the order of the seats.
"""

DIAGRAM_SAYS = """## How the tables hang together

A line leads from many rows to the one that they name, by the column beside it; a ring there says that it can be none.
"""
FACTS_SAY = """## Facts

Counts that the standard questions are answered from, kept where an index is not enough. They are made from the tables
above, by every import and every correction for what it touched, and all of them anew by `schafkopf stats --rebuild`.

An archive in which a player, an event, a year or a basis has 20,000 deals or more has such tables of that part too,
named `large_` and the name of the facts, with their columns; `large_parts` says of which part and which 65,536 deals a
row's `part` is, and up to which deal they are counted.
They are filled by `--rebuild`, and go with a load of many deals; what was touched since is counted when it is asked
for, so that an answer is the same with and without them.
"""
QUESTIONS_SAY = """## Standard questions

Views over the facts, each of which `schafkopf stats NAME` answers as well, also of one player, session or event.
"""
PARTS = {
    "block": "The block of deals that are counted together",
    "player": "The name that is counted, players.id",
    "person": "The player that is counted with all names, players.id",
    "session": "The session that is counted, sessions.id",
    "analysed": "The block of deals whose analyses are counted together",
}


class Description(Struct, frozen=True, forbid_unknown_fields=True):
    """The meaning of a table or view: of a row, and of each column."""

    says: str
    columns: dict[str, str]


@cache
def all_descriptions() -> dict[str, Description]:
    """Return every table and view by name: tables, tables of facts, views, standard questions."""
    text = Path(__file__).with_name("views.toml").read_text("utf-8")
    return {
        **{
            name: Description(table.says, {column: of.says for column, of in table.columns.items()})
            for name, table in TABLES.items()
        },
        **{each.name: describe_facts(each) for each in FACTS},
        **msgspec.convert(tomllib.loads(text), dict[str, Description]),
        **{name: describe_question(each) for name, each in QUESTIONS.items()},
    }


def describe_facts(facts: Facts) -> Description:
    """Return a table of facts, in the words of the questions."""
    part = f"{PARTS[facts.by]}; what an import touches is counted again by it."
    return Description(
        facts.says, {"part": part, **{name: f"{column_text(name)}." for name in (*facts.keys, *facts.sums)}}
    )


def describe_question(question: Question) -> Description:
    """Return a standard question, in its own words."""
    texts, names = all_texts().questions[question.name], question_columns()[question.name]
    return Description(f"{texts.title.en} {texts.read.en}", {name: f"{column_text(name)}." for name in names})


@cache
def question_columns() -> dict[str, tuple[str, ...]]:
    """Return the columns of every standard question."""
    conn = empty_archive().conn
    return {question: tuple(name for name, _, _ in columns_of(conn, question)) for question in QUESTIONS}


def empty_archive() -> Database:
    """Return an empty archive in memory."""
    db = Database(memory=True, execute_plugins=False)
    migrate(db)
    return db


def schema_page(conn: sqlite3.Connection) -> str:
    """Return the page, from the tables of a database and the words beside the schema."""
    parts = [INTRODUCTION, DIAGRAM_SAYS, key_diagram(conn), "## Tables\n", *(_part(conn, name) for name in TABLES)]
    parts += [FACTS_SAY, *(_part(conn, name) for name in BY_NAME)]
    parts += ["## Views\n", *(_part(conn, name) for name in VIEWS if name not in QUESTIONS)]
    return "\n".join([*parts, QUESTIONS_SAY, *(_part(conn, name) for name in QUESTIONS)])


def key_diagram(conn: sqlite3.Connection) -> str:
    """Return the foreign keys as a picture in Mermaid: every table, with what identifies a row."""
    lines = ["```mermaid", "erDiagram"]
    for table in TABLES:
        own = [row for row in conn.execute(f"PRAGMA table_xinfo({table})") if row[5]]
        lines += [f"    {table} {{", *(f"        {row[2].lower()} {row[1]} PK" for row in own), "    }"]
    for table in TABLES:
        info = {row[1]: row for row in conn.execute(f"PRAGMA table_xinfo({table})")}
        alone = sum(row[5] > 0 for row in info.values()) == 1
        for row in sorted(conn.execute(f"PRAGMA foreign_key_list({table})"), key=lambda row: row[3]):
            *_, required, _, key, _ = info[row[3]]
            many = "|o" if key and alone else "}o"
            lines.append(f"    {table} {many}--{'||' if required or key else 'o|'} {row[2]} : {row[3]}")
    return "\n".join([*lines, "```", ""])


def columns_of(conn: sqlite3.Connection, table: str) -> Iterator[tuple[str, str, bool]]:
    """Yield name, type and whether it is required, for each column; computed columns of views have no type, whatever a
    version of SQLite gives them."""
    for row in conn.execute(f"PRAGMA table_xinfo({table})"):
        kind = row[2].removesuffix(" GENERATED ALWAYS")
        yield row[1], "" if kind == GUESSED else kind, bool(row[3])


def _part(conn: sqlite3.Connection, table: str) -> str:
    words = all_descriptions()[table]
    targets = {row[3]: f"{row[2]}.{row[4]}" for row in conn.execute(f"PRAGMA foreign_key_list({table})")}
    lines = [f"### {table}\n", f"{words.says}\n", "| column | type | meaning |", "|---|---|---|"]
    for name, kind, required in columns_of(conn, table):
        meaning = f"{words.columns[name]} → {targets[name]}" if name in targets else words.columns[name]
        lines.append(f"| `{name}` | {kind}{' not null' if required else ''} | {meaning} |")
    return "\n".join([*lines, ""])


def main() -> None:
    sys.stdout.write(schema_page(empty_archive().conn))


if __name__ == "__main__":
    main()
