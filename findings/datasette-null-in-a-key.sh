#!/usr/bin/env bash
# Datasette 0.65.5 and a key with a NULL in it, which SQLite allows in a PRIMARY KEY of several columns, or of a text: where
# such a row ends a page, its NULL becomes the text "None", and the next page begins above that. What sorts below it is on
# no page, of JSON as of CSV, with no error; the count above the table has it. NOT NULL in the key, WITHOUT ROWID (where
# SQLite demands it) or no PRIMARY KEY at all gives every row. (Seen with Python 3.11: the pages and the CSV have 4 of 6.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/pages.py" <<'PY'
import asyncio

import datasette
from datasette.app import Datasette

ROWS = [(1, None), (1, "Anna"), (1, "Ben"), (2, "Anna"), (2, "Resi"), (3, None)]
KINDS = {"null_in_key": "deal INTEGER, player TEXT, PRIMARY KEY (deal, player)", "no_key": "deal INTEGER, player TEXT"}


async def look():
    site = Datasette(memory=True)
    db = site.add_memory_database("d")
    for name, columns in KINDS.items():
        await db.execute_write(f"CREATE TABLE {name} ({columns})")
        await db.execute_write_many(f"INSERT INTO {name} VALUES (?, ?)", ROWS)
    await site.invoke_startup()
    found = {}
    for name in KINDS:
        pages, token = [], ""
        while token is not None:
            page = (await site.client.get(f"/d/{name}.json?_size=1&_next={token}")).json()
            pages += [tuple(row[-2:]) for row in page["rows"]]
            token = page["next"]
        counted = page["filtered_table_rows_count"]
        lines = (await site.client.get(f"/d/{name}.csv?_stream=on&_size=1")).text.splitlines()[1:]
        found[name] = (counted, len(pages), len(lines))
        print(f"{name}: {counted} rows counted, {len(pages)} on the pages, {len(lines)} as CSV: {pages}")
    return found


print("datasette", datasette.__version__)
found = asyncio.run(look())
counted, on_pages, as_csv = found["null_in_key"]
raise SystemExit(0 if counted > on_pages and counted > as_csv and len({*found["no_key"]}) == 1 else 1)
PY
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check datasette==0.65.5
timeout 50 "$folder/venv/bin/python" "$folder/pages.py"
