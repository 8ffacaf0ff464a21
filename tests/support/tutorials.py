"""The requests of a tutorial to its reader: files to save, commands with their output, addresses to open."""

import re

from support.paths import ROOT

FOLDER = ROOT / "docs" / "tutorials"
BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
PRINTED = re.compile(r"\A\n```text\n(.*?)^```\n", re.MULTILINE | re.DOTALL)  # right after its command
LINKED = re.compile(r"\]\((?:\.\./)+(sample_games/[^)]+)\)")
ADDRESS = re.compile(r"`(/[\w/.?=-]*)`")


def beginning(out: str, shown: str) -> str:
    """Return printed text, shortened to as many lines as a page shows, if the last of these says that it goes on."""
    lines = shown.splitlines()
    if lines and lines[0] == "…":  # versions stand before it
        return "…\n" + "".join(out.splitlines(keepends=True)[1 - len(lines) :])
    return out if not lines or lines[-1] != "…" else "".join(out.splitlines(keepends=True)[: len(lines) - 1]) + "…\n"
