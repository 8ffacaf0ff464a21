#!/usr/bin/env bash
# msgspec 0.22.0 forgets the order in which values are declared: `inspect.type_info` of a Literal and the JSON schema of a
# Literal or an Enum list them sorted, numbers before texts. Steps of a scale (low, medium, high) come out as high, low,
# medium, so that a form made from the schema offers them so, and two schemas of the same values in another order are
# equal. `typing.get_args` and the Enum itself keep the order. (Seen with Python 3.11.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/order.py" <<'PY'
import enum
from importlib.metadata import version
from typing import Literal, get_args

import msgspec

Scale = Literal["low", "medium", "high"]
Mixed = Literal["low", 3, "high", 1, None]


class Steps(enum.Enum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


seen = {
    "typing.get_args": list(get_args(Scale)),
    "inspect.type_info": list(msgspec.inspect.type_info(Scale).values),
    "schema of a Literal": msgspec.json.schema(Scale)["enum"],
    "schema of a mixed Literal": msgspec.json.schema(Mixed)["enum"],
    "schema of an Enum": msgspec.json.schema(Steps)["$defs"]["Steps"]["enum"],
}
print("msgspec", version("msgspec"))
for what, values in seen.items():
    print(f"{what}: {values}")
alphabet = ["high", "low", "medium"]
as_seen = [["low", "medium", "high"], alphabet, alphabet, [None, 1, 3, "high", "low"], alphabet]
raise SystemExit(0 if list(seen.values()) == as_seen else 1)
PY
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check msgspec==0.22.0
"$folder/venv/bin/python" "$folder/order.py"
