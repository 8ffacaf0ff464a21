#!/usr/bin/env bash
# Datasette 0.65.5 and metadata that describes many tables: the page of a database asks for each table whether it may be
# seen, and each of these questions copies the metadata of all tables once more. Twice the tables are four times the
# copies; 0.65.1 copies nothing. Who describes 100 tables sees it on every page that lists them.
# (Seen with Python 3.11: 0.65.1 copies none; 0.65.5 copies 800 of 20 tables for one page, and 3,200 of 40.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/count.py" <<'PY'
import asyncio, copy, sys
from types import SimpleNamespace

import datasette.app
from datasette.app import Datasette

copied = 0


def count(value):
    global copied
    if isinstance(value, dict):
        for database in (value.get("databases") or {}).values():
            copied += len(database.get("tables") or {})
    return copy.deepcopy(value)


datasette.app.copy = SimpleNamespace(deepcopy=count)


async def descriptions_copied(tables):
    global copied
    names = [f"t{n}" for n in range(tables)]
    d = f"d{tables}"
    metadata = {"databases": {d: {"tables": {name: {"description": name} for name in names}}}}
    site = Datasette(memory=True, metadata=metadata)
    db = site.add_memory_database(d)
    for name in names:
        await db.execute_write(f"CREATE TABLE {name} (a)")
    await site.invoke_startup()
    copied = 0
    assert (await site.client.get(f"/{d}")).status_code == 200
    return copied


few, many = (asyncio.run(descriptions_copied(tables)) for tables in (20, 40))
print(f"datasette {datasette.__version__}: of 20 tables {few} descriptions are copied for one page, of 40 tables {many}")
assert (few > 0) == (sys.argv[1] == "copies")
assert few == 0 or many / few >= 3.5
PY
for release in 0.65.1:none 0.65.5:copies; do
    python3 -m venv "$folder/${release%:*}"
    "$folder/${release%:*}/bin/pip" install --quiet "datasette==${release%:*}"
    "$folder/${release%:*}/bin/python" "$folder/count.py" "${release#*:}"
done
