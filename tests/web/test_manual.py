"""The documentation as pages: every page is in the contents, every link leads somewhere, nothing is loaded from
elsewhere, and what a finding or its remedy names is there."""

import re
from urllib.parse import unquote, urlsplit

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser
from support.paths import ROOT
from support.running import run

from archive.record import remedy, severities
from archive.say import LANGUAGES
from archive.web.app import create_app
from archive.web.manual.pages import contents, page_files, page_html, page_sections, place_of, search
from archive.web.manual.routes import with_document_links


@pytest.fixture(scope="module", name="client")
def client_without_archive(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    return create_app(tmp_path_factory.mktemp("manual") / "none.db").test_client()


@pytest.fixture(scope="module", name="pages")
def all_pages(client: FlaskClient) -> dict[str, LexborHTMLParser]:
    """Every page of the documentation, by its address."""
    found = {f"/docs/{name}/": client.get(f"/docs/{name}/") for name in page_files()}
    assert {answer.status_code for answer in found.values()} == {200}
    return {address: LexborHTMLParser(answer.text) for address, answer in found.items()}


def test_every_page_is_in_the_contents_once() -> None:
    names = [name for part in contents() for name in part.pages]
    assert sorted(names) == sorted(page_files())
    assert {path.resolve() for path in ROOT.glob("docs/**/*.md")} <= {path.resolve() for path in page_files().values()}


def test_every_link_leads_to_a_page_and_an_anchor(client: FlaskClient, pages: dict[str, LexborHTMLParser]) -> None:
    anchors = {address: {node.attributes["id"] for node in page.css("[id]")} for address, page in pages.items()}
    links = {
        (address, node.attributes["href"] or "")
        for address, page in pages.items()
        for node in page.css("article a[href]")
    }
    inside = [(address, urlsplit(link)) for address, link in links if not urlsplit(link).scheme]
    assert len(inside) > 400
    files = {parts.path for _, parts in inside if parts.path.startswith("/docs/file/")}
    assert {path: client.get(path).status_code for path in files if client.get(path).status_code != 200} == {}
    for address, parts in inside:
        target = parts.path or address
        assert target in pages or target in files or target == "/docs/", (address, target)
        assert not parts.fragment or unquote(parts.fragment) in anchors[target], (address, parts.geturl())


def test_no_page_loads_anything_from_elsewhere(client: FlaskClient, pages: dict[str, LexborHTMLParser]) -> None:
    loaded = "script[src], link[rel=stylesheet], link[rel=icon], img[src], iframe[src]"
    files = {
        node.attributes.get("src") or node.attributes.get("href") or ""
        for page in pages.values()
        for node in page.css(loaded)
    }
    assert {path: client.get(path).status_code for path in files if client.get(path).status_code != 200} == {}


def test_the_sections_that_are_searched_have_the_anchors_of_the_page() -> None:
    for name in page_files():
        ids = re.findall(r'<h\d id="([^"]*)"', page_html(name))
        assert [section.anchor for section in page_sections(name)] == ids, name


def test_a_search_finds_the_section(client: FlaskClient) -> None:
    first = search("penalty dossier column")[:1] or search("penalty")[:1]
    assert first
    assert search("unknown-key")[0]["page"] == "findings"
    assert not search("zzzzqq")
    page = client.get("/docs/?q=unknown-key&lang=de").text
    assert "Stellen mit „unknown-key“" in page
    assert client.get("/docs/?q=<b>&lang=de").text.count("<b>&") == 0


def test_a_reader_of_german_begins_in_german(client: FlaskClient) -> None:
    assert '<article lang="de">' in client.get("/docs/?lang=de").text
    assert '<article lang="en">' in client.get("/docs/").text
    assert 'hreflang="de"' in client.get("/docs/tutorials/player/").text
    assert place_of("typing", "de") == "typing.de/"
    assert place_of("typing") == place_of("typing", "en") == "typing/"
    assert place_of("unknown-key", "de") == "findings/#unknown-key"


def test_a_page_is_found_by_the_end_of_its_name_and_a_file_where_a_page_names_it(client: FlaskClient) -> None:
    assert client.get("/docs/pub/").location.endswith("/docs/rules/pub/")
    assert client.get("/docs/nothing/").status_code == 404
    for path in ("pyproject.toml", "archive/own_files.py", "docs/../pyproject.toml", "sample_games"):
        assert client.get(f"/docs/file/{path}").status_code == 404, path
    hosting = client.get("/docs/file/docs/hosting/Caddyfile")
    assert (hosting.status_code, hosting.mimetype) == (200, "text/plain")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_remedy_names_is_a_page_that_docs_opens(language: str, pages: dict[str, LexborHTMLParser]) -> None:
    named = {page for rule in severities() for page in re.findall(r"docs/([\w/-]+)\.md", remedy(rule, language))}
    assert named >= {"record-format", "formats/score-sheet"}
    for name in [*named, *severities()]:
        path, _, anchor = (place_of(name) or "").partition("#")
        page = pages[f"/docs/{path}"]
        assert not anchor or page.css(f'[id="{anchor}"]'), name


def test_a_remedy_leads_to_the_page_that_it_names(client: FlaskClient) -> None:
    with client.application.test_request_context("/?lang=de&cards=french"):
        said = with_document_links("See <docs/typing.md> or docs/nowhere.md.")
    to = "/docs/typing/?lang=de&amp;cards=french"
    assert said == f'See &lt;<a href="{to}">docs/typing.md</a>&gt; or docs/nowhere.md.'


def test_a_page_that_is_none_is_refused_with_the_nearest() -> None:
    ran = run("docs", "recordformat")
    assert ran.exit_code == 2
    assert "did you mean 'record-format'?" in ran.stderr
