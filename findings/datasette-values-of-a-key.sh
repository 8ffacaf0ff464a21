#!/usr/bin/env bash
# Datasette 0.65.5 and the address of a row whose key has two columns: with one value of the two it is a 500, with a
# traceback on the console, where a row that is not there is a 404; with three values it is the row of the first two. (Seen
# with Python 3.11: 200 for the row, 404 for one that is not there, 500 for one value, 200 for three.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/rows.py" <<'PY'
import asyncio

import datasette
from datasette.app import Datasette


async def look():
    site = Datasette(memory=True)
    db = site.add_memory_database("d")
    await db.execute_write("CREATE TABLE seats (deal INTEGER, seat INTEGER, player TEXT, PRIMARY KEY (deal, seat))")
    await db.execute_write("INSERT INTO seats VALUES (1, 2, 'Anna')")
    await site.invoke_startup()
    found = {}
    for address in ("1,2", "1,3", "1", "1,2,9"):
        answer = await site.client.get(f"/d/seats/{address}.json")
        found[address] = answer.status_code
        print(address, answer.status_code, answer.json().get("rows", answer.json().get("error")))
    return found


print("datasette", datasette.__version__)
raise SystemExit(0 if asyncio.run(look()) == {"1,2": 200, "1,3": 404, "1": 500, "1,2,9": 200} else 1)
PY
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check datasette==0.65.5
timeout 50 "$folder/venv/bin/python" "$folder/rows.py" 2>"$folder/console" || { cat "$folder/console"; exit 1; }
grep --only-matching --max-count=1 "^sqlite3.ProgrammingError.*" "$folder/console"
