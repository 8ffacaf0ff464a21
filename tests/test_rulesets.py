"""The rulesets: every value has its source, every page is current, every system has its own values."""

from pathlib import Path

import pytest

from archive.rules import bundled, load, values
from archive.rules.pages import page

PAGES = Path(__file__).parents[1] / "docs" / "rules"


@pytest.mark.parametrize("name", bundled())
def test_every_value_cites_a_document_and_a_heading(name: str) -> None:
    ruleset, findings = load(name)
    assert ruleset is not None, findings
    for key, cite in ruleset.cites.items():
        document, _, heading = cite.partition(" ")
        assert document.rstrip(":") in ruleset.sources, (key, cite)
        assert heading, (key, cite)
    assert set(ruleset.cites) <= set(values(ruleset))


@pytest.mark.parametrize("name", bundled())
def test_the_page_of_a_ruleset_is_current(name: str, update: bool) -> None:
    ruleset, _ = load(name)
    assert ruleset is not None
    path = PAGES / f"{name}.md"
    if update:
        path.parent.mkdir(exist_ok=True)
        path.write_text(page(ruleset), "utf-8")
    assert path.read_text("utf-8") == page(ruleset)


def test_there_is_no_page_without_its_ruleset() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == {*bundled(), "readings"}
