"""A deal and an evening as one file: it opens from a folder, without a server and without a network, asks for nothing,
steps through its tricks, is small, and shows what a stranger may see."""

import json
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect
from support.cardless_club import make_club
from support.doors import enter, writing_app
from support.forty import forty
from support.running import import_into, run
from support.thorough import THOROUGH
from support.web_site import PHONE, context_of

from archive.cli.inputs import read_pasted
from archive.notation import write_toml
from archive.store import open_archive, open_read
from archive.store.privacy import set_audience
from archive.web.app import create_app
from archive.web.portable.routes import styles

DEAL, EVENING = 150_000, 300_000  # bytes, the most that a messenger should have to carry
LAPTOP = {"width": 1280, "height": 720}
ELSEWHERE = re.compile(r"""(?:href|src|srcset|action|poster)="(?!#)|url\(|@import|https?://(?!www\.w3\.org/2000/svg)""")


@pytest.fixture(scope="module", name="path")
def path_of(eight_deals: Path) -> Path:
    return eight_deals


@contextmanager
def opened(browser: Browser, folder: Path, html: str, **settings: object) -> Iterator[Page]:
    """A file opened from its folder in a browser without network; nothing else may be asked for, nothing complained."""
    path = folder / "file.html"
    path.write_text(html, "utf-8")
    asked: list[str] = []
    complaints: list[str] = []
    with context_of(browser, offline=True, **settings) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        yield page
        assert [url for url in asked if url not in (path.as_uri(), "about:srcdoc")] == []
        assert complaints == []


def held_deals(html: str) -> str:
    """What is packed in the file of an evening."""
    found = re.search(r'id="deals">([^<]+)<', html)
    return zlib.decompress(b64decode(found[1]), -15).decode()


@pytest.mark.parametrize("window", [PHONE, LAPTOP])
def test_a_deal_is_played_to_its_end_from_a_file_without_a_network(
    client: FlaskClient, browser: Browser, tmp_path: Path, window: dict[str, int]
) -> None:
    answer = client.get("/deals/1.html?lang=de")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="spiel-1.html"'
    with opened(browser, tmp_path, answer.text, viewport=window) as page:
        bar = page.locator(".play").bounding_box()
        assert bar["y"] + bar["height"] <= window["height"]
        page.keyboard.press("2")
        shown = page.locator(".lay:not([hidden])").count()
        page.locator("[data-do=step]").first.click()
        expect(page.locator(".lay:not([hidden])")).to_have_count(shown + 1)
        page.keyboard.press("8")
        expect(page.locator(".segs [aria-current]")).to_contain_text("8")
        page.locator("[data-do=end]").first.click()
        expect(page.locator(".finish")).to_be_visible()
        page.locator("#settlement").scroll_into_view_if_needed()
        expect(page.locator("#settlement")).to_contain_text("Abrechnung")


def test_no_file_holds_an_address_and_each_is_small(client: FlaskClient) -> None:
    for number in range(1, 9):
        for language in ("de", "en")[not THOROUGH :]:
            answer = client.get(f"/deals/{number}.html?lang={language}")
            assert answer.status_code == 200
            assert ELSEWHERE.findall(answer.text) == []
            assert f'<html lang="{language}"' in answer.text
            assert len(answer.data) < DEAL
    evening = client.get("/sessions/1.html")
    assert ELSEWHERE.findall(evening.text) == []
    assert ELSEWHERE.findall(json.loads(held_deals(evening.text))["style"]) == []


def test_an_evening_of_forty_deals_is_smaller_than_300_kb_and_has_them_all(tmp_path: Path) -> None:
    sheet = tmp_path / "forty.toml"
    sheet.write_text(write_toml(*forty()), "utf-8")
    client = create_app(import_into(tmp_path / "a.db", sheet), read_pasted).test_client()
    answer = client.get("/sessions/1.html?lang=de")
    assert answer.status_code == 200
    assert len(answer.data) < EVENING
    packed = json.loads(held_deals(answer.text))
    assert [number for number, *_ in packed["deals"]] == list(range(1, 41))
    page = client.get("/deals/7?lang=de").text
    replay = re.search(r'id="replay">(.*?)</script>', page, re.DOTALL)
    assert replay[1] in "".join(piece[6] for piece in packed["pieces"])


@pytest.mark.parametrize("window", [PHONE, LAPTOP])
def test_the_deals_of_an_evening_are_opened_left_and_followed(
    client: FlaskClient, browser: Browser, tmp_path: Path, window: dict[str, int]
) -> None:
    with opened(browser, tmp_path, client.get("/sessions/1.html?lang=de").text, viewport=window) as page:
        expect(page.locator("#how")).to_contain_text("kein Netz")
        page.locator('td a[href="#deal-1"]').first.click()
        deal = page.frame_locator("#played iframe")
        expect(deal.locator("h1")).to_contain_text("Spiel 1")
        deal.locator("[data-do=end]").first.click()
        expect(deal.locator(".finish")).to_be_visible()
        page.locator("#next").click()
        expect(deal.locator("h1")).to_contain_text("Spiel 2")
        expect(page.locator("#previous")).to_be_visible()
        page.locator("#back").click()
        expect(page.locator("#played")).to_be_hidden()
        page.go_back()
        expect(deal.locator("h1")).to_contain_text("Spiel 2")
        page.keyboard.press("Escape")
        expect(page.locator("#played")).to_be_hidden()


def test_who_runs_no_script_reads_the_tricks_of_a_deal_and_the_sheet_of_an_evening(
    client: FlaskClient, browser: Browser, tmp_path: Path
) -> None:
    with opened(browser, tmp_path, client.get("/deals/3.html").text, java_script_enabled=False) as page:
        expect(page.locator(".still").first).to_be_visible()
        page.locator(".still:first-child .turns a").last.click()
        expect(page.locator(".still").nth(1).locator(".told")).to_be_visible()
    with opened(browser, tmp_path, client.get("/sessions/1.html").text, java_script_enabled=False) as page:
        expect(page.locator("table.ledger").first).to_be_visible()


def test_the_receipt_of_a_deal_without_cards_is_a_file_too(browser: Browser, tmp_path: Path) -> None:
    client = create_app(make_club(tmp_path / "club.db"), read_pasted).test_client()
    html = client.get("/deals/2.html?lang=de").text
    assert "<script" not in html
    with opened(browser, tmp_path, html, viewport=PHONE) as page:
        expect(page.locator(".outcome")).to_have_text("Sepp verliert, × 2: 100 ct")
    with opened(browser, tmp_path, client.get("/sessions/1.html?lang=de").text, viewport=PHONE) as page:
        page.locator('td a[href="#deal-2"]').click()
        expect(page.frame_locator("#played iframe").locator(".outcome")).to_contain_text("Sepp verliert")


def test_a_name_that_is_hidden_from_strangers_is_in_no_file_whoever_asks(eight_deals: Path, tmp_path: Path) -> None:
    path = tmp_path / "hidden.db"
    path.write_bytes(eight_deals.read_bytes())
    db = open_archive(path)
    number, name = db.conn.execute("SELECT id, name FROM players ORDER BY id LIMIT 1").fetchone()
    assert name in create_app(path, read_pasted).test_client().get("/deals/1.html").text
    set_audience(db, "player", number, "accounts", "Vroni")
    db.close()
    word = re.compile(rf"\b{re.escape(name)}\b")
    with writing_app(path) as (app, doors):
        keeper = enter(app.test_client(), doors)
        assert word.search(keeper.get("/deals/1").text)
        evening = keeper.get("/sessions/1.html").text
        for text in (keeper.get("/deals/1.html").text, evening, held_deals(evening)):
            assert len(text) > 10_000
            assert not word.search(text)
    outcome = run("export", "--html", "1", "--db", path)
    assert outcome.exit_code == 0
    assert not word.search(outcome.output)


def test_an_evening_that_is_not_for_everybody_is_no_file_to_give_away(eight_deals: Path, tmp_path: Path) -> None:
    path = tmp_path / "private.db"
    path.write_bytes(eight_deals.read_bytes())
    db = open_archive(path)
    set_audience(db, "session", 1, "players", "Vroni")
    db.close()
    with writing_app(path) as (app, doors):
        keeper = enter(app.test_client(), doors)
        assert keeper.get("/sessions/1").status_code == 200
        for address in ("/sessions/1.html?lang=de", "/deals/1.html?lang=de"):
            answer = keeper.get(address)
            assert answer.status_code == 404
            assert "nicht für alle" in answer.text
    outcome = run("export", "--html", "--session", "1", "--db", path)
    assert outcome.exit_code == 2
    assert "not everybody may see that" in outcome.output


def test_the_pages_offer_their_file_in_their_own_language(client: FlaskClient) -> None:
    assert 'href="/deals/1.html?lang=de" data-file=' in client.get("/deals/1?lang=de").text
    assert 'href="/sessions/1.html?lang=de"' in client.get("/sessions/1?lang=de").text
    for address in ("/deals/1.html", "/sessions/1.html", "/sessions/1?lang=de"):  # and no score sheet
        items = read_pasted("page.html", client.get(address).data)
        assert [item.facts["what"].id for item in items] == ["cli.foreign-own-page"]


def test_the_command_writes_the_file_that_the_page_gives(
    client: FlaskClient, eight_deals: Path, tmp_path: Path
) -> None:
    target = tmp_path / "deal.html"
    words = ["export", "--html", "2", "--lang", "de", "--output", str(target), "--db", str(eight_deals)]
    outcome = run(*words)
    assert outcome.exit_code == 0, outcome.output
    assert target.read_bytes() == client.get("/deals/2.html?lang=de").data
    masked = run("export", "--html", "2", "--mask", "seats", "--db", eight_deals)
    names = [row[0] for row in open_read(eight_deals).execute("SELECT name FROM players")]
    assert masked.exit_code == 0
    assert [name for name in names if re.search(rf"\b{re.escape(name)}\b", masked.output)] == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["1"], "belongs to --html"),
        (["--html"], "one DEAL, or of a --session"),
        (["--html", "1", "--session", "1"], "one DEAL, or of a --session"),
        (["--html", "1", "--to", "csv"], "a kind of its own"),
        (["--html", "--session", "1", "--as-of", "2026-01-01"], "has no --as-of"),
        (["--html", "1", "--snapshot", "x"], "it has no --"),
    ],
)
def test_what_a_page_cannot_be_asked_together_with_is_said(eight_deals: Path, words: list[str], says: str) -> None:
    outcome = run("export", *words, "--db", eight_deals)
    assert outcome.exit_code == 2
    assert says in " ".join(outcome.output.split())


def test_a_style_without_use_is_left_out_and_a_choice_between_selectors_stays() -> None:
    rules = styles(("deal",), "felt card")
    assert ".felt" in rules
    assert ".proto" not in re.sub(r":(?:not|is|where|has)\([^)]*\)", "", rules)
    assert rules.count("{") == rules.count("}")


def test_no_style_of_a_page_takes_the_name_of_a_colour_of_the_cards(
    client: FlaskClient, browser: Browser, tmp_path: Path
) -> None:
    with opened(browser, tmp_path, client.get("/deals/1.html").text, viewport=PHONE) as page:
        values = page.evaluate(
            """() => ['--e', '--g', '--h', '--s', '--face', '--edge'].map(name =>
            getComputedStyle(document.querySelector('.felt .card svg')).getPropertyValue(name).trim())"""
        )
        good = page.evaluate("values => values.map(each => !each || CSS.supports('color', each))", values)
        assert all(good), values
