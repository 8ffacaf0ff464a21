"""Sentences for people have no key of a file, no id of a finding, no document's number without its title, and no day as
programs write it; in `<code>`, in settings to read and in what unfolds for details these may stand."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser
from support.cardless_club import make_club
from support.web_archive import make_archive, with_a_blind

from archive.cli.inputs import read_pasted
from archive.web.app import create_app

DETAILS = "script, style, code, pre, svg, noscript, template, .keys, details > :not(summary), textarea, input"
KEYS = re.compile(r"\bhouse\.\w+|\b00\d [A-Z]\w+|\b\d{4}-\d\d-\d\d\b")
PAGES = (
    "/", "/deals/1", "/deals/2", "/deals/7", "/deals/8", "/deals/1/embed", "/deals/1?rules=expats", "/sessions",
    "/sessions/1",
    "/players", "/players/1", "/findings", "/evenings", "/check", "/rulesets", "/stats",
    "/price?q=Sepp+Solo+Eichel,+gewonnen,+mit+3&rules=pub&tariff=10/20/50", "/cases",
)  # fmt: skip


@pytest.fixture(scope="module", name="sites")
def sites_of(tmp_path_factory: pytest.TempPathFactory) -> list[FlaskClient]:
    """The archive of a club without a card, and the invented evening with cards."""
    folder = tmp_path_factory.mktemp("plain")
    cards = make_archive(folder / "cards.db")
    with_a_blind(cards)
    club: Path = make_club(folder / "club.db")
    return [create_app(path, read_pasted).test_client() for path in (cards, club)]


def keys_in(html: str) -> list[str]:
    """The keys and ids in what a page says."""
    page = LexborHTMLParser(html)
    for part in page.css(DETAILS):
        part.decompose()
    body = page.body
    return KEYS.findall(body.text(separator=" "))


@pytest.mark.parametrize("path", PAGES)
def test_no_page_in_german_speaks_in_keys(sites: list[FlaskClient], path: str) -> None:
    mark = "&" if "?" in path else "?"
    for client in sites:
        answer = client.get(f"{path}{mark}lang=de")
        assert answer.status_code == 200
        assert keys_in(answer.text) == []


def test_a_key_would_be_found() -> None:
    assert keys_in("<body><p>dieser Tisch: house.tariff</p><p>001 Runners, 2026-11-14</p><code>house.knock</code>") == [
        "house.tariff",
        "001 Runners",
        "2026-11-14",
    ]
