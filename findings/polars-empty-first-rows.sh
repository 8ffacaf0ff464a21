#!/usr/bin/env bash
# polars 2.1.0: `read_database` of a SQLite table fails where a column is NULL in the first hundred rows and has a value later,
# although the column is declared INTEGER: one row fewer is read. A guess would be a column of whole numbers, as the table
# says, or one without values; pandas 3.1.1 reads the same rows. `infer_schema_length=None` looks at all rows.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/empty.py" <<'PY'
import sqlite3
from importlib.metadata import version

import pandas
import polars


def read(empty, **settings):
    """What polars makes of so many rows without a value and one with it."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE deals (bid INTEGER) STRICT")
    connection.executemany("INSERT INTO deals VALUES (?)", [(None,)] * empty + [(65,)])
    rows = pandas.read_sql("SELECT bid FROM deals", connection)
    assert rows["bid"].tolist()[-1] == 65
    try:
        return str(polars.read_database("SELECT bid FROM deals", connection, **settings)["bid"].dtype)
    except polars.exceptions.ComputeError:
        return "ComputeError"


print("polars", version("polars"), "pandas", version("pandas"))
seen = [read(99), read(100), read(100, infer_schema_length=None)]
print("99 empty rows, 100, 100 and looking at all of them:", seen)
raise SystemExit(0 if seen == ["Int64", "ComputeError", "Int64"] else 1)
PY
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check polars==2.1.0 pandas==3.1.1
"$folder/venv/bin/python" "$folder/empty.py"
