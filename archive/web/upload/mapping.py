"""The `columns.toml` of a score sheet from the choices of a form; `docs/formats/score-sheet.md` has its keys."""

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from archive.notation.toml import toml_key, toml_value
from archive.record import ColumnView

ROLES = (
    *("number", "date", "time", "event", "table", "list", "special", "dealer", "contract", "suit", "tout", "declarer"),
    *("partner", "result", "points", "points_against", "schneider", "schwarz", "runners", "knocks", "doubles", "re"),
    *("price", "stock", "check", "note"),
)
OF_PLAYERS = ("payments", "totals")
SKIP = "skip"
LISTS = ("players", "names", "totals", "skip")
HEAD = ("rules", "tariff", "unit")  # facts that a sheet seldom has
ANSWERS = ("deals", "not_deals")  # lists of lines
Table = dict[str, Any]


def table_of(text: str) -> Table | None:
    """Return the tables of a `columns.toml`; None if it is no TOML."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # no TOML, too long a number
        return None


def mapping_of_choices(columns: Sequence[ColumnView], form: Mapping[str, str], before: Table) -> str:
    """Return the columns as the choices of a form name them, by `role.LETTER` and `name.LETTER`; keys that the form
    does not have stay as they were `before`."""
    heads = [each.head for each in columns]
    named = {each.letter: each.head if each.head and heads.count(each.head) == 1 else each.letter for each in columns}
    chosen = {each.letter: form.get(f"role.{each.letter}", "") for each in columns}
    players = [letter for letter, role in chosen.items() if role == OF_PLAYERS[0]]
    table: Table = {key: value for key, value in before.items() if key not in (*LISTS, "columns")}
    lists = {
        "players": [named[letter] for letter in players],
        "names": [form.get(f"name.{letter}", "").strip() or named[letter] for letter in players],
        "totals": [named[letter] for letter, role in chosen.items() if role == OF_PLAYERS[1]],
        "skip": [named[letter] for letter, role in chosen.items() if role == SKIP],
    }
    table |= {key: each for key, each in lists.items() if each}
    table["columns"] = {role: named[letter] for letter, role in chosen.items() if role in ROLES}
    for key in HEAD:
        if text := form.get(key, "").strip():
            table[key] = text
    return mapping_text(table)


def with_answer(before: Table, key: str, line: int) -> str:
    """Return the columns with the answer to a question: the row of that line is a deal, or is none."""
    left = {other: [each for each in before.get(other, []) if each != line] for other in ANSWERS}
    left[key] = sorted([*left[key], line])
    return mapping_text({**before, **{other: lines for other, lines in left.items() if lines}})


def mapping_text(table: Table) -> str:
    """Return tables as TOML: the keys first, then the tables under a name."""
    flat = {key: value for key, value in table.items() if not isinstance(value, dict)}
    lines = [f"{toml_key(key)} = {toml_value(value)}" for key, value in flat.items()]
    for name, inner in table.items():
        if isinstance(inner, dict):
            lines += [
                "",
                f"[{toml_key(name)}]",
                *(f"{toml_key(key)} = {toml_value(value)}" for key, value in inner.items()),
            ]
    return "\n".join(lines).strip() + "\n"
