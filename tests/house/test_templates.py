"""Templates read like the page: a reader of one sees its structure without a line that leaves the window."""

from pathlib import Path

import pytest
from support.paths import ROOT

LONGEST = 160  # signs of a line, its indentation counted
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


def long_lines(text: str) -> list[int]:
    """Return the numbers of the lines that are over `LONGEST` signs long."""
    return [number for number, line in enumerate(text.splitlines(), 1) if len(line) > LONGEST]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_no_line_of_a_template_leaves_the_window(template: Path) -> None:
    assert long_lines(template.read_text("utf-8")) == []


def test_a_line_that_is_too_long_is_seen() -> None:
    assert long_lines(f"<p>\n{'-' * LONGEST}\n{'-' * (LONGEST + 1)}\n") == [3]
