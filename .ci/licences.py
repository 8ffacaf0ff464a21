"""The licences of all packages that the project needs: each is permitted, and docs/licences.md lists it.

python .ci/licences.py            says what is not so; exit status 1
python .ci/licences.py --write    writes docs/licences.md
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bill import components, name_of
from packages import ROOT, needed_for

PAGE = ROOT / "docs" / "licences.md"
TERMS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
HEAD = """\
# Licences of the dependencies

What is installed with the program, with its extras, and for tests and upkeep; as the packages state it. Written by
`.ci/licences.py`, which refuses a licence that `.ci/licences.toml` does not permit.

| package | licence | for |
|---|---|---|
"""


def licence(component: dict[str, Any]) -> str:
    """What a package states, as an SPDX expression; "" where it states nothing that can be read."""
    if stated := TERMS["by_hand"].get(name_of(component)):
        return str(stated)
    for entry in component.get("licenses", ()):
        word = entry.get("expression") or entry["license"].get("id") or TERMS["older"].get(entry["license"]["name"])
        if word:
            return str(word)
    return ""


def is_permitted(expression: str) -> bool:
    """Whether all of an expression is permitted, or of `A OR B` one part."""
    bare = expression.replace("(", "").replace(")", "")
    either = [re.split(r" AND ", part) for part in bare.split(" OR ")]
    return any(all(word.strip() in TERMS["permitted"] for word in words) for words in either)


def rows() -> Iterator[tuple[str, str, str]]:
    uses = needed_for()
    by_name = {name_of(component): component for component in components()["components"]}
    return ((name, licence(by_name[name]), uses[name]) for name in sorted(uses))


def complaints(found: list[tuple[str, str, str]]) -> Iterator[str]:
    page = PAGE.read_text("utf-8") if PAGE.exists() else ""
    for name, stated, use in found:
        if not stated:
            yield f"{name} states no licence that can be read: look, and put it below [by_hand] in .ci/licences.toml"
        elif not is_permitted(stated):
            yield f"{name} has the licence {stated}, which .ci/licences.toml does not permit"
        elif line(name, stated, use) not in page:
            yield f"{name} ({stated}, for {use}) is not in docs/licences.md: python .ci/licences.py --write"


def line(name: str, stated: str, use: str) -> str:
    return f"| {name} | {stated} | {use} |\n"


if __name__ == "__main__":
    every = list(rows())
    if "--write" in sys.argv:
        PAGE.write_text(HEAD + "".join(line(*row) for row in every), "utf-8")
    wrong = list(complaints(every))
    print("\n".join(wrong) or f"licences: {len(every)} packages, all permitted")
    sys.exit(bool(wrong))
