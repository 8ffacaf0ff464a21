#!/usr/bin/env bash
# sqlite-utils 4.2.1: `upsert` of a row that is there, with its key and one column, fails where any other column is NOT NULL
# without a default, though that has its value; 3.39 changed the one column. 4 writes INSERT … ON CONFLICT DO UPDATE, and
# SQLite looks at NOT NULL before it looks for the conflict. So whether columns may be left out depends on the other columns
# of the table, and a NOT NULL that is added later breaks calls that never touch it; `update` is not concerned.
# (Seen with Python 3.11 and its SQLite: IntegrityError, and the row stays as it was.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/row.py" <<'PY'
import sqlite3
from importlib.metadata import version

from sqlite_utils import Database

db = Database(memory=True)
db.execute("CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT)")
players = db.table("players")
players.insert({"id": 1, "name": "Anna", "town": "Passau"})
try:
    players.upsert({"id": 1, "town": "Landshut"}, pk="id")
    said = "nothing"
except sqlite3.IntegrityError as error:
    said = f"{type(error).__name__}: {error}"
by_upsert = players.get(1)
players.update(1, {"town": "Landshut"})
print("sqlite-utils", version("sqlite-utils"), "| upsert says", said, "|", by_upsert, "| after update:", players.get(1)["town"])
PY
for release in 3.39 4.2.1; do
    python3 -m venv "$folder/$release"
    "$folder/$release/bin/pip" install --quiet --no-compile --disable-pip-version-check "sqlite-utils==$release"
    "$folder/$release/bin/python" "$folder/row.py" | tee "$folder/of-$release"
done
grep -q "says nothing | .*'town': 'Landshut'} | after update: Landshut" "$folder/of-3.39"
grep -q "IntegrityError: NOT NULL constraint failed: players.name | .*'town': 'Passau'} | after update: Landshut" "$folder/of-4.2.1"
