#!/usr/bin/env bash
# DuckDB 2.0.1 and a division by zero: since 2.0 `//` and `%` of whole numbers are an error, where 1.5.6 gave NULL, and `/` still
# gives infinity. The error offers `SET error_on_division_by_zero = false` "to return NULL for all divisions by zero", and
# TRY(...) for one: under both `/` stays infinite. Only `SET ieee_floating_point_ops = false` beside it gives NULL for all;
# alone that makes `/` an error too, where it meant NULL until 1.5.6. The setting of the error is accepted and can be read
# by current_setting, but is not in the list of duckdb_settings().
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/divide.py" <<'PY'
import duckdb

DIVISIONS = ("won / deals", "won // deals", "won % deals", "TRY(won / deals)")


def divide(*settings):
    """What each division by a count of no deals gives under these settings."""
    connection = duckdb.connect()
    for setting in settings:
        connection.execute(f"SET {setting} = false")
    return [result(connection, f"SELECT {each} FROM (VALUES (1, 0)) t(won, deals)") for each in DIVISIONS]


def result(connection, sql):
    try:
        return connection.execute(sql).fetchone()[0]
    except duckdb.InvalidInputException:
        return "error"


ZERO, FLOATS, infinite = "error_on_division_by_zero", "ieee_floating_point_ops", float("inf")
new = {
    (): [infinite, "error", "error", infinite],
    (ZERO,): [infinite, None, None, infinite],
    (FLOATS,): ["error", "error", "error", None],
    (ZERO, FLOATS): [None, None, None, None],
}
old = {(): [infinite, None, None, infinite], (FLOATS,): [None, None, None, None]}
expected = new if duckdb.__version__ == "2.0.1" else old
seen = {settings: divide(*settings) for settings in expected}
print("duckdb", duckdb.__version__, *DIVISIONS, sep=", ")
for settings, results in seen.items():
    print(*(f"SET {each} = false;" for each in settings), *results)
listed = duckdb.execute("SELECT count(*) FROM duckdb_settings() WHERE name = ?", [ZERO]).fetchone()[0]
raise SystemExit(0 if seen == expected and not listed else 1)
PY
for version in 1.5.6 2.0.1; do
    python3 -m venv "$folder/$version"
    "$folder/$version/bin/pip" install --quiet --no-compile --disable-pip-version-check "duckdb==$version"
    "$folder/$version/bin/python" "$folder/divide.py"
done
