"""The documentation as a site: every page is reached, every link leads somewhere, nothing is loaded from elsewhere, and
what a finding or its remedy names is there."""

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser
from support.paths import ROOT

from archive.record import remedy, severities
from archive.say import LANGUAGES
from archive.web.manual import addresses

OWN_PAGES = "docs/**/*.md"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="the extra `docs` builds the site")
    folder = tmp_path_factory.mktemp("site")
    words = ["build", "--quiet", "--strict", "--config-file", "docs/site/mkdocs.yml", "--site-dir", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, LexborHTMLParser]:
    """The pages of the site but the one for wrong addresses."""
    return {path: LexborHTMLParser(path.read_text("utf-8")) for path in site.rglob("index.html")}


@pytest.fixture(scope="module")
def anchors(pages: dict[Path, LexborHTMLParser]) -> dict[Path, set[str | None]]:
    return {path: {node.attributes["id"] for node in page.css("[id]")} for path, page in pages.items()}


def leads_nowhere(page: Path, link: str, anchors: dict[Path, set[str | None]]) -> bool:
    parts = urlsplit(link)
    target = page.parent.joinpath(unquote(parts.path)).resolve() if parts.path else page
    target = target / "index.html" if target.is_dir() else target
    return not target.is_file() or bool(parts.fragment and unquote(parts.fragment) not in anchors.get(target, ()))


def test_every_link_leads_to_a_page_and_an_anchor(
    pages: dict[Path, LexborHTMLParser], anchors: dict[Path, set[str | None]]
) -> None:
    links = {(path, node.attributes["href"] or "") for path, page in pages.items() for node in page.css("a[href]")}
    inside = [(path, link) for path, link in links if not urlsplit(link).scheme]
    assert len(inside) > 1000
    assert [(path.parent.name, link) for path, link in inside if leads_nowhere(path, link, anchors)] == []


def test_no_page_loads_anything_from_elsewhere(site: Path, pages: dict[Path, LexborHTMLParser]) -> None:
    loaded = "script[src], link[rel=stylesheet], link[rel=icon], link[rel=preconnect], img[src], iframe[src]"
    files = {
        (path, node.attributes.get("src") or node.attributes.get("href") or "")
        for path, page in pages.items()
        for node in page.css(loaded)
    }
    assert [link for path, link in files if not (path.parent / link).is_file()] == []
    styles = "".join(path.read_text("utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"url\(\"?https?:[^)]*|@import[^;]*", styles) == []


def test_every_page_of_docs_is_on_the_site(site: Path) -> None:
    for path in ROOT.glob(OWN_PAGES):
        assert (site / path.relative_to(ROOT).with_suffix("") / "index.html").is_file(), path


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_remedy_names_is_a_page_that_docs_opens(
    language: str, site: Path, anchors: dict[Path, set[str | None]]
) -> None:
    known = addresses(site)
    named = {page for rule in severities() for page in re.findall(r"docs/([\w/-]+)\.md", remedy(rule, language))}
    assert named >= {"record-format", "formats/score-sheet"}
    for name in [*named, *severities()]:
        assert not leads_nowhere(site / "index.html", known[name], anchors), name
