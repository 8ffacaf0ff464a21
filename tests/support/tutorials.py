"""What a tutorial asks its reader to do: files to save, commands with what they print, addresses to open."""

import re

from support.paths import ROOT

FOLDER = ROOT / "docs" / "tutorials"
BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
PRINTED = re.compile(r"\A\n```text\n(.*?)^```\n", re.MULTILINE | re.DOTALL)  # right after what prints it
LINKED = re.compile(r"\]\((?:\.\./)+(sample_games/[^)]+)\)")
ADDRESS = re.compile(r"`(/[\w/.?=-]*)`")


def beginning(out: str, shown: str) -> str:
    """What was printed; as many lines of it as are shown, where the last line that is shown says that it goes on."""
    lines = shown.splitlines()
    if lines and lines[0] == "…":  # versions stand before it
        return "…\n" + "".join(out.splitlines(keepends=True)[1 - len(lines) :])
    return out if not lines or lines[-1] != "…" else "".join(out.splitlines(keepends=True)[: len(lines) - 1]) + "…\n"
