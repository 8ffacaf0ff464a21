"""The bill of materials of the program in CycloneDX: what is installed with it, without what is for upkeep."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from packages import ROOT, needed_for
from packaging.utils import canonicalize_name


def components() -> dict[str, Any]:
    """All that is installed here, as `cyclonedx-py` writes it."""
    words = ["environment", "--pyproject", "pyproject.toml", "--output-reproducible", "--short-PURLs"]
    command = [sys.executable, "-m", "cyclonedx_py", *words, sys.executable]
    bill: dict[str, Any] = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    return bill


def name_of(component: dict[str, Any]) -> str:
    return canonicalize_name(component["name"])


def of_the_program() -> dict[str, Any]:
    """The bill of a release: what the program needs is `required`, what only an extra needs is `optional`."""
    bill, uses = components(), needed_for()
    bill["components"] = [
        component | {"scope": "required" if uses[name_of(component)] == "the program" else "optional"}
        for component in bill["components"]
        if uses.get(name_of(component), "upkeep") != "upkeep"
    ]
    left = {component["bom-ref"] for component in bill["components"]}
    root = bill["metadata"]["component"]["bom-ref"]
    bill["dependencies"] = [
        entry | {"dependsOn": [ref for ref in entry.get("dependsOn", ()) if ref in left]}
        for entry in bill["dependencies"]
        if entry["ref"] in left | {root}
    ]
    return bill


def write(path: Path) -> None:
    path.write_text(json.dumps(of_the_program(), indent=2, ensure_ascii=False) + "\n", "utf-8")
