"""The documents that the rules come from, if they are at hand."""

import os
import re
from functools import cache
from pathlib import Path

from support.paths import ROOT

SOURCES = Path(os.environ.get("SCHAFKOPF_SOURCES", ROOT.parent / "shared" / "sources"))


def plain(text: str) -> str:
    """Return a heading without its number and the marks around it."""
    return re.sub(r"^[o\d.]+\s+", "", text.strip(" #*")).lower()


@cache
def lines_of_documents() -> dict[str, list[str]]:
    """Return the lines of each document, by its number."""
    return {path.name[:3]: [plain(line) for line in path.read_text("utf-8").splitlines()] for path in SOURCES.iterdir()}
