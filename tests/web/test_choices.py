"""What a reader chooses: language, pack, faces and theme, on every page, kept by every link, legible in each."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import BrowserContext, Page, expect
from support import deal_pages
from support.contrast import CONTRAST, FELT
from support.paths import ROOT
from support.thorough import examples
from support.web_archive import EVENING
from support.web_site import PHONE, OpenPage, expect_at, press

from archive.cards import CODES, NAMES
from archive.cli.inputs import read_pasted
from archive.judge.judge_stream import judge_stream
from archive.notation import read_toml
from archive.record import Finding, Session, Source
from archive.rules import bundled, load
from archive.web import card_sprites as card_sprites
from archive.web.app import create_app
from archive.web.deal.model import DealPosition
from archive.web.request import CHOICES
from archive.web.texts import TEXTS

SAMPLES = ROOT / "sample_games"
DEALS = [f"/deals/{n}{more}" for n in range(1, 9) for more in ("", "/dossier")]
PAGES = ["/", "/?verdict=differs", "/?contract=ramsch", "/sessions", "/sessions/1", "/sessions/2", "/players",
         "/players/1", "/findings", "/rulesets", "/check", *DEALS]  # fmt: skip
REFUSED = ["/nowhere", "/stats/balances?since=2026&until=2025", "/deals/99", "/sessions/99", "/deals/1?as-of=x",
           "/deals/1?as-of=2020-01-01"]  # fmt: skip
READ = ("title", "aria-label", "placeholder", "alt", "data-tag", "data-one", "data-many", "data-text", "data-play")
# Words of English sentences that no German one has; a key of a record (`house.hand`) is none.
ENGLISH = re.compile(r"(?<![\w./-])(the|of|and|with|without|is|are|not|by|from|this|that|which|has|to|on)(?![\w./-])")
FIELD = re.compile(r"{\w+}")
EVERY = "lang=de&cards=french&look=letters&theme=dark"


class Text(HTMLParser):
    """The texts of a page as somebody reads or hears them, without code, quotations and records."""

    ASIDE = frozenset({"script", "style", "code", "pre", "blockquote", "textarea", "kbd", "del", "ins"})

    def __init__(self) -> None:
        super().__init__()
        self.within: list[str] = []
        self.texts: list[str] = []
        self.lang = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "html":
            self.lang = given.get("lang") or ""
        self.texts += [text for key in READ if (text := given.get(key)) and "lang" not in given]
        if tag in self.ASIDE:
            self.within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.within and self.within[-1] == tag:
            self.within.pop()

    def handle_data(self, data: str) -> None:
        if data.strip() and not self.within:
            self.texts.append(" ".join(data.split()))


def read(html: str) -> Text:
    parser = Text()
    parser.feed(html)
    return parser


@pytest.fixture(scope="module", name="path")
def path_of(eight_deals: Path) -> Path:
    return eight_deals


def asked(page: str, choices: str) -> str:
    return f"{page}{'&' if '?' in page else '?'}{choices}"


# --- language ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", name="data")
def data_of(path: Path) -> list[str]:
    """What stands in the archive as somebody wrote it, the longest first; it is not ours to translate."""
    columns = {"sessions": ("event", "place", "note"), "deals": ("note",), "rulesets": ("title", "incomplete"),
               "sources": ("path",), "players": ("name",)}  # fmt: skip
    conn = sqlite3.connect(path)
    rows = [
        row for table, names in columns.items() for name in names for row in conn.execute(f"SELECT {name} FROM {table}")
    ]
    conn.close()
    texts = {text for (text,) in rows} | {text for name in bundled() for text in _titles(name)}
    return sorted(filter(None, texts), key=len, reverse=True)


def _titles(name: str) -> tuple[str, str]:
    rules, _ = load(name)
    return rules.title, rules.incomplete


def words(text: str) -> re.Pattern[str]:
    """A text of ours wherever it stands, whatever is in its fields."""
    said = ".+?".join(map(re.escape, FIELD.split(text.strip())))
    return re.compile(rf"(?<!\w){said}(?!\w)")


def longest_piece(text: str) -> str:
    """What certainly stands where the text stands: it is looked for first, which is a hundred times as fast."""
    return max(FIELD.split(text.strip()), key=len)


@cache
def english() -> dict[str, tuple[str, re.Pattern[str]]]:
    """The English texts by key, each with its longest piece, without those that German texts or cards have in them."""
    german = "\n".join([*TEXTS["de"].values(), *NAMES["german"][0].values()])
    named = {key: text for key, text in TEXTS["en"].items() if re.search(r"[a-z]{3}", FIELD.sub("", text))}
    found = {key: (longest_piece(text), words(text)) for key, text in named.items()}
    return {key: (piece, own) for key, (piece, own) in found.items() if piece not in german or not own.search(german)}


def english_of(texts: Iterable[str], data: list[str]) -> dict[str, list[str]]:
    """What is English of each text: the keys of our texts in it, and words that no German sentence has."""
    left = {}
    for each in texts:
        text = each
        for known in data:
            text = text.replace(known, "…")
        # a heading that is cited; a key of a record
        left[each] = re.sub(r"\b\d{3} \d?.*|^\d[\d.]* .*|\w+\.\w[\w.]*", "…", text)
    every = "\n".join(left.values())
    ours = [(key, piece, own) for key, (piece, own) in english().items() if piece in every]
    found = {
        each: [*(key for key, piece, own in ours if piece in text and own.search(text)), *ENGLISH.findall(text)]
        for each, text in left.items()
    }
    return {each: keys for each, keys in found.items() if keys}


# Headings of documents, and titles of rulesets.
KNOWN = ["Three-Player Schafkopf: Scoring", "Runners", "Schafkopf for Expats", "Three-Player"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("page", [*PAGES, *REFUSED])
def test_no_english_is_left_on_a_german_page(client: FlaskClient, data: list[str], page: str) -> None:
    shown = read(client.get(asked(page, "lang=de")).text)
    assert shown.lang == "de"
    assert len(shown.texts) > 5
    assert english_of(shown.texts, [*KNOWN, *data]) == {}


def test_english_is_found_where_it_is(client: FlaskClient, data: list[str]) -> None:
    for page in PAGES[::9]:
        shown = read(client.get(asked(page, "lang=en")).text)
        assert len(english_of(shown.texts, [*KNOWN, *data])) > 5, page


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["valid", "broken"])
def test_every_deal_of_the_samples_is_told_in_german(name: str) -> None:
    told: dict[str, list[str]] = {}
    count = 0
    for file in sorted((SAMPLES / name).glob("*.toml"))[:: examples(6, 1)]:
        items = list(read_toml(file.read_bytes(), Source(file.name)))
        own = [text for each in items if isinstance(each, Session) for text in (*each.players, each.event or "")]
        for found in judge_stream(items):
            if isinstance(found, Finding):
                continue
            page = deal_pages.deal_page(found, DealPosition(id=1, session=1), TEXTS["de"])
            count += 1
            written = {*own, *found.session.players, found.session.rules, page.heading.rules, found.deal.cut or ""}
            names = sorted(written - {""}, key=len, reverse=True)
            texts = [page.heading.title, page.table.trumps_text, *page.heading.extras, *page.heading.conditions]
            texts += map(str, (page.heading.reason, *page.evidence.missing, *page.evidence.deciding))
            texts += [line.text for line in page.settlement.lines] + [row.label for row in page.settlement.comparisons]
            texts += [each.say for row in page.course.rows for each in row.links]
            texts += [mark.text for seat in page.table.seats for mark in seat.marks]
            texts += [cell.name for row in page.course.rows for cell in row.cells if cell]
            texts += [each.text for each in page.table.levels]
            told |= english_of(set(texts), names)
    assert count > 10
    assert told == {}


def test_browser_names_the_language_and_the_address_goes_before_it(client: FlaskClient) -> None:
    def language(address: str, header: str) -> str:
        return read(client.get(address, headers={"Accept-Language": header}).text).lang

    assert language("/", "de-AT,de;q=0.9,en;q=0.5") == "de"
    assert language("/", "fr,en;q=0.5") == "en"
    assert language("/", "fr") == "en"
    assert language("/?lang=en", "de") == "en"
    assert language("/?lang=de", "en") == "de"
    assert language("/?lang=fr", "de") == "de"
    assert language("/nowhere", "de") == "de"


# --- choices in the address -------------------------------------------------------------------------------------------


class Links(HTMLParser):
    """The links of a page: those of its header to choices, by what they choose, and all others."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.kept: dict[str, list[dict[str, str | None]]] = {}
        self.others: list[str] = []
        self.top = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.top = (tag == "header" and given.get("class") == "top") or (self.top and tag != "main")
        if key := given.get("data-keep"):
            self.kept.setdefault(key, []).extend([given] if self.top else [])
        elif (to := given.get("href") or given.get("action") or "").startswith("/"):
            self.others.append(to)


def query(address: str | None) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address or "").query)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("page", [*(page for page in PAGES if "dossier" not in page), *REFUSED])
def test_every_choice_leads_to_the_same_page_and_one_of_each_kind_is_current(client: FlaskClient, page: str) -> None:
    address = asked(page, f"{EVERY}&seat=2&open=0&x=%26&x=2")
    kept = Links(client.get(address).text).kept
    assert {key: len(links) for key, links in kept.items()} == {"lang": 2, "cards": 3, "look": 3, "theme": 3}
    for key, links in kept.items():
        assert Counter(link.get("aria-current") for link in links)["true"] == 1
        for link in links:
            changed = {**query(address), key: query(link["href"]).get(key)}
            assert query(link["href"]) == {name: value for name, value in changed.items() if value}
            assert urlsplit(link["href"] or "").path == urlsplit(page).path
            assert ("aria-current" in link) == (changed[key] == query(address)[key])
    assert {link["hreflang"] for link in kept["lang"]} == {link["lang"] for link in kept["lang"]} == {"de", "en"}


def test_without_a_choice_what_holds_by_itself_is_current(client: FlaskClient) -> None:
    kept = Links(client.get("/", headers={"Accept-Language": "de"}).text).kept
    current = {
        key: [query(link["href"]).get(key) for link in links if "aria-current" in link] for key, links in kept.items()
    }
    assert current == {"lang": [["de"]], "cards": [None], "look": [None], "theme": [None]}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("page", [*PAGES, *REFUSED])
def test_every_link_keeps_every_choice(client: FlaskClient, page: str) -> None:
    found = Links(client.get(asked(page, EVERY)).text).others
    ours = [to for to in found if not to.startswith(("/static/", "/data"))]
    assert ours or "dossier" in page
    assert [to for to in ours if not query(EVERY_ADDRESS).items() <= query(to).items()] == []


EVERY_ADDRESS = f"/?{EVERY}"


def test_what_is_no_choice_is_not_kept(client: FlaskClient) -> None:
    found = Links(client.get("/?lang=fr&cards=tarot&look=large&theme=red").text)
    assert not any(set(query(to)) & set(CHOICES) for to in found.others)
    assert [link["href"] for link in found.kept["theme"] if "aria-current" in link] == [
        "/?lang=fr&cards=tarot&look=large"
    ]


def test_a_choice_sends_a_pasted_record_again(client: FlaskClient) -> None:
    answer = client.post("/check", data={"record": EVENING.read_text("utf-8"), "deal": "3"})
    buttons = re.findall(r'<button form="check" name="deal" value="(\d+)" formaction="([^"]+)"', answer.text)
    assert len(buttons) == 2 + 3 * 3
    assert {deal for deal, _ in buttons} == {"3"}
    assert "data-keep" not in answer.text
    again = client.post("/check?lang=de", data={"record": EVENING.read_text("utf-8"), "deal": "3"})
    assert ("3", "/check?lang=de") in buttons
    assert read(again.text).lang == "de"
    assert "Stammtisch" in again.text


def test_pages_are_linked_where_there_are_such(path: Path) -> None:
    def pages(html: str) -> list[str]:
        return re.findall(r'href="([^"]*)"', html[html.index("<nav") : html.index("</nav>")])

    reader, without = (create_app(path, each).test_client().get("/").text for each in (read_pasted, None))
    assert pages(reader) == [
        "/", "/sessions", "/players", "/findings", "/stats", "/rulesets", "/check", "/price", "/data",
    ]  # fmt: skip
    assert pages(without) == ["/", "/sessions", "/players", "/findings", "/stats", "/rulesets", "/price", "/data"]


SECTIONS = {"/deals/1": "/sessions"} | {
    page: f"/{page.split('/')[1]}"
    for page in ("/", "/sessions", "/sessions/1", "/players/1", "/rulesets/bavarian", "/stats/touts", "/check")
}


def test_the_section_of_a_page_is_marked(client: FlaskClient) -> None:
    for page, section in SECTIONS.items():
        html = client.get(page).text
        marked = re.findall(r'<a href="([^"]*)" aria-current="(\w+)"', html[html.index("<nav") : html.index("</nav>")])
        assert marked == [(section, "page" if page == section else "true")]


# --- faces ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", ["", "letters"])
@pytest.mark.parametrize("pack", card_sprites.PACKS)
def test_a_sprite_has_every_card_once_in_the_inks_of_the_page(client: FlaskClient, pack: str, look: str) -> None:
    written = client.get(f"/static/{card_sprites.sprite_file(pack, look)}").text
    ids = re.findall(r'id="(\w+)"', written)
    assert len(ids) == len(set(ids))
    assert {*CODES, *"EGHS", "face"} <= set(ids)
    assert set(re.findall(r'href="#(\w+)"', written)) <= set(ids)
    assert all(f"var(--{suit.lower()}," in written for suit in "EGHS"), "the inks are the page's"


@pytest.mark.one_in(3)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("cards", ["", "german", "french"])
@pytest.mark.parametrize("look", ["", "four", "letters"])
def test_every_card_of_a_page_is_of_the_pack_and_look(
    client: FlaskClient, cards: str, look: str, language: str
) -> None:
    html = client.get(f"/deals/1?cards={cards}&look={look}&lang={language}").text
    pack = "english" if (cards, language) == ("french", "en") else cards or "german"
    used = {urlsplit(to).path.rpartition("/")[2] for to in re.findall(r'<use href="([^"#]+)#', html)}
    assert used == {card_sprites.sprite_file(pack, look)}
    assert f'data-look="{look}"' in html or not look
    names = {"german": "Gras-Ober", "french": "Pik-Dame", "english": "Queen of spades"}
    assert [name in html for name in names.values()] == [each == pack for each in names]
    ranks = set(re.findall(r'data-rank="[OU]">(\w)<', html))
    assert ranks == {"german": {"O", "U"}, "french": {"D", "B"}, "english": {"Q", "J"}}[pack]


# --- in a browser -----------------------------------------------------------------------------------------------------

LIGHTS: dict[str, Literal["dark", "light"]] = {
    "theme=dark": "dark",
    "theme=light": "light",
    "": "dark",  # the browser's
    "look=four": "light",
    "look=four&theme=dark": "dark",
    "cards=french&look=letters": "light",
    "look=letters&theme=dark": "dark",
}


@pytest.mark.one_in(6)
@pytest.mark.browser
@pytest.mark.parametrize("choices", LIGHTS)
@pytest.mark.parametrize("path", ["/", "/sessions/1", "/deals/1", "/deals/3", "/deals/6", "/check", "/nowhere"])
def test_all_text_has_contrast_in_every_theme_and_look(
    site: str, window: BrowserContext, path: str, choices: str
) -> None:
    light, page = LIGHTS[choices], window.new_page()
    page.emulate_media(color_scheme="light" if choices and light == "dark" else "dark")
    page.goto(f"{site}{path}?{choices if 'theme' in choices or not choices else f'{choices}&theme=light'}#t2.2")
    page.locator(".display summary").click()
    assert page.evaluate(CONTRAST, FELT[light]) == []
    page.close()


@pytest.mark.browser
def test_a_theme_is_that_of_the_browser_until_one_is_chosen(site: str, open_page: OpenPage) -> None:
    def ground(scheme: str, address: str) -> str:
        page = open_page(color_scheme=scheme)
        page.goto(f"{site}{address}")
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light, dark = ground("light", "/"), ground("dark", "/")
    assert light != dark
    assert (ground("dark", "/?theme=light"), ground("light", "/?theme=dark")) == (light, dark)


@pytest.mark.browser
def test_a_choice_keeps_the_position_and_the_view(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1#t5.3")
    press(page, "h")
    expect(page.locator(".back:not(.gone)").first).to_be_visible()
    view_of = parse_qs(urlsplit(page.url).query)
    page.locator(".pair a[lang=de]").click()
    page.wait_for_url("**lang=de**")
    expect_at(page, "t5.3")
    assert parse_qs(urlsplit(page.url).query) == {**view_of, "lang": ["de"]}
    page.locator(".display summary").click()
    page.get_by_role("link", name="Buchstaben").click()
    page.wait_for_url("**look=letters**")
    expect_at(page, "t5.3")
    assert parse_qs(urlsplit(page.url).query) == {**view_of, "lang": ["de"], "look": ["letters"]}
    played = [use.get_attribute("href") or "" for use in page.locator(".lay:not([hidden]) use").all()]
    assert len(played) == 3
    assert all("cards-german-letters.svg#" in to for to in played)
    page.locator(".display summary").click()
    page.get_by_role("link", name="Bilder").click()
    page.wait_for_url(lambda address: "look" not in address)
    expect_at(page, "t5.3")


@pytest.mark.browser
def test_the_menu_closes_by_key_and_by_a_click_beside_it(site: str, page: Page) -> None:
    page.goto(f"{site}/sessions/1")
    menu, link = page.locator(".display"), page.get_by_role("link", name="four colours")
    expect(link).to_be_hidden()
    page.locator(".display summary").focus()
    page.keyboard.press("Enter")
    expect(link).to_be_visible()
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()
    expect(page.locator(".display summary")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("h1").click()
    expect(link).to_be_hidden()
    expect(menu).not_to_have_attribute("open", re.compile(""))


@pytest.mark.browser
def test_header_and_menu_fit_a_phone(site: str, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE)
    page.goto(f"{site}/deals/1?lang=de#t2.2")
    page.locator(".display summary").click()
    for link in page.locator(".display a, .pair a").all():
        box = link.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= PHONE["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("link", name="dunkel").click()
    page.wait_for_url("**theme=dark**")
