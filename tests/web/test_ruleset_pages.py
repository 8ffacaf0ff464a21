"""The pages of the rulesets: every value with what it says and its source, in both languages."""

from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser
from support.paths import ROOT
from support.running import import_into
from support.web_archive import make_archive

from archive.rules import HERE, bundled, load
from archive.store import open_archive, open_read
from archive.text.wording import texts_of
from archive.web.app import create_app
from archive.web.rulesets.page import rulebook
from archive.web.texts import LANGUAGES, TEXTS


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", bundled())
def test_every_value_of_a_ruleset_is_told_with_its_source(client: FlaskClient, name: str, language: str) -> None:
    rules, _ = load(name)
    book = rulebook(rules, TEXTS[language])
    rows = [
        *book["house"],
        *book["idle"],
        *chain(*(each["values"] for each in book["games"]), *(rows for _, rows in book["rounds"])),
    ]
    assert len(rows) == len(rules.cites)
    assert {row.cite for row in rows} == set(rules.cites.values())
    page = LexborHTMLParser(client.get(f"/rulesets/{name}?lang={language}").text)
    assert [row.text(strip=True) for row in page.css(".values tbody td:last-child")].count(HERE) == 0
    assert len(page.css(".values tbody tr")) == len(rows)


@pytest.mark.parametrize("name", bundled())
def test_the_trumps_of_every_game_stand_in_their_order(name: str) -> None:
    rules, _ = load(name)
    assert rules
    for game in rulebook(rules, TEXTS["en"])["games"]:
        lords = [card for card in game["cards"] if card[1] in rules.contracts[game["id"]].lords]
        assert list(game["cards"][: len(lords)]) == lords, "lords are the highest"
        assert len(set(game["cards"])) == len(game["cards"]) > 0
    rufspiel = next((game for game in rulebook(rules, TEXTS["en"])["games"] if game["id"] == "rufspiel"), None)
    if rufspiel and rules.house.deck == 32:
        assert " ".join(rufspiel["cards"]) == "EO GO HO SO EU GU HU SU HA HZ HK H9 H8 H7"


def test_prices_and_sources_are_named_in_the_language_of_the_reader(client: FlaskClient) -> None:
    page = client.get("/rulesets/palatinate?lang=de").text
    for text in ("Preis: Schneider", "Preis: Schwarz", "Preis: jeder Laufende", "andere öffentliche Beschreibungen"):
        assert text in page
    assert "Preis: runner" not in page
    assert "Price of each runner" in client.get("/rulesets/palatinate?lang=en").text


def value_of(client: FlaskClient, rules: str, key: str, contract: str | None = None) -> tuple[str, str]:
    """Return the meaning and the value that the page has for a key, of the house or of a contract."""
    page = LexborHTMLParser(client.get(f"/rulesets/{rules}?lang=en").text)
    part = page.css_first(f"#{contract}") if contract else page
    assert part
    row = next(row for row in part.css(".values tbody tr") if row.css_first("code").text() == key)
    return row.css_first("th").text(strip=True).partition(key)[0], row.css("td")[0].text(strip=True)


@pytest.mark.parametrize(
    ("rules", "key", "contract", "meaning", "value"),
    [
        ("bavarian", "takes", "solo", "Named with it", "the trump suit"),
        ("sixty-six", "acts", "sixty-six", "What one may do at one's turn", "take the turned trump"),
        ("bavarian", "order", "rufspiel", "Order within a suit", "Sau, Zehner, König, 9, 8, 7"),
        ("bavarian", "order", "wenz", "Order within a suit", "Sau, Zehner, König, Ober, 9, 8, 7"),
        ("short", "order", "rufspiel", "Order within a suit", "Sau, Zehner, König, 9"),
        ("bavarian", "sie", None, "A Sie pays", "four times the game"),
        ("schierling", "sie", None, "A Sie pays", "like a Tout"),
        ("schierling", "parties", "hochzeit", "Partners", "who took it on, or was drawn"),
        ("schierling", "hochzeit.refused", None, "When nobody takes it", "they bid for the other games"),
        ("langendorf", "bettel.open", None, "When the hand of an open Bettel is laid down", "after the first trick"),
        ("langendorf", "ramsch.virgin", None, "For a virgin the payment is", "not doubled"),
        ("bavarian-tournament", "muss.card", None, "Who has this card must play it", "Eichel-Ober"),
        ("bavarian-tournament", "call.ten", None, "A ten may be called", "in the Muss game"),
    ],
)
def test_a_value_says_what_its_document_says(
    client: FlaskClient, rules: str, key: str, contract: str | None, meaning: str, value: str
) -> None:
    says, told = value_of(client, rules, key, contract)
    assert (says, value in told if key == "acts" else told) == (meaning, True if key == "acts" else value)


def test_001_langendorf_a_kreuz_is_played_since_a_solo_starts_a_round_of_it(client: FlaskClient) -> None:
    rules, _ = load("langendorf")
    assert rules
    assert {game["id"]: game["played"] for game in rulebook(rules, TEXTS["en"])["games"]}["kreuz"]


def test_002_schnauz_is_for_several_players(client: FlaskClient) -> None:
    assert "2 to 7 players, 32 cards" in client.get("/rulesets/schnauz?lang=en").text
    assert "2 bis 7 Spieler, 32 Karten" in client.get("/rulesets?lang=de").text


@pytest.mark.parametrize("name", bundled())
def test_000_scoring_a_table_that_counts_marks_shows_no_price_as_its_own(name: str) -> None:
    rules, _ = load(name)
    assert rules
    book, counted = rulebook(rules, TEXTS["en"]), rules.house.marks or rules.house.score
    shown = {row.key for row in (*book["house"], *(row for game in book["games"] for row in game["values"]))}
    assert ({"tariff", "levels.win", "price", "bonuses"} & shown == set()) == bool(counted)
    idle = {row.key for row in book["idle"]}
    assert bool({"tariff", "levels.win"} & idle) == bool(counted)
    contracts = rules.house.contracts
    assert ("sie" in shown, "runners_from.wenz" in idle) == (
        "sie" in contracts and not counted,
        "wenz" not in contracts or bool(counted),
    )


def test_what_is_not_there_leads_to_the_list_of_what_is(client: FlaskClient) -> None:
    for address, goal in (("/rulesets/nix", "/rulesets"), ("/stats/nix", "/stats"), ("/sessions/999", "/sessions")):
        page = LexborHTMLParser(client.get(f"{address}?lang=de").text)
        assert f"{goal}?lang=de" in [each.attributes["href"] for each in page.css(".empty a")]


def test_the_list_leads_to_every_ruleset(client: FlaskClient) -> None:
    page = LexborHTMLParser(client.get("/rulesets").text)
    links = [str(link.attributes["href"]) for link in page.css(".books h2 a")]
    assert links == [f"/rulesets/{name}" for name in bundled()]
    assert [client.get(link).status_code for link in links] == [200] * len(links)


def test_the_settings_of_a_table_are_marked(tmp_path: Path) -> None:
    path = import_into(tmp_path / "archive.db", ROOT / "sample_games" / "valid" / "stock.toml")
    with closing(open_read(path)) as conn:
        number, rules = conn.execute("SELECT id, name FROM rulesets").fetchone()
    client = create_app(path).test_client()
    assert f'href="/rulesets/{rules}?table={number}"' in client.get("/deals/1").text
    plain = LexborHTMLParser(client.get(f"/rulesets/{rules}").text)
    assert plain.css(".values .own") == []
    link = str(plain.css_first(".tables a").attributes["href"])
    assert link == f"/rulesets/{rules}?table={number}"
    marked = LexborHTMLParser(client.get(link).text).css(".values .own")
    assert {row.css_first("code").text() for row in marked} == {"stock.amount", "stock.won_by"}
    assert {row.css("td")[-1].text() for row in marked} == {TEXTS["en"]["rules_this_table"]}


def test_a_ruleset_of_ones_own_is_shown_as_stored(tmp_path: Path) -> None:
    path = make_archive(tmp_path / "archive.db")
    db = open_archive(path)
    db.conn.execute("UPDATE rulesets SET name = 'our-pub', title = 'Our <pub>', rules = 'our-pub.toml'")
    db.conn.commit()
    db.close()
    client = create_app(path).test_client()
    assert "/rulesets/our-pub" in client.get("/rulesets").text
    page = client.get("/rulesets/our-pub").text
    assert "Our &lt;pub&gt;" in page
    assert "stoss.until" in page


def test_the_rules_are_there_before_any_archive_is(tmp_path: Path) -> None:
    client = create_app(tmp_path / "none.db").test_client()
    assert client.get("/rulesets").status_code == 200
    assert client.get("/rulesets/bavarian").status_code == 200


@pytest.mark.parametrize(
    ("name", "key", "german", "english"),
    [
        ("patience", "building.base", "Sau", "Ace"),
        ("patience", "building.order", "6, 7, 8, 9, Zehner, Unter, Ober, König", "6, 7, 8, 9, Ten, Jack, Queen, King"),
        ("schnauz", "open_cards.all_pay", "Sau", "Ace"),
    ],
)
def test_ranks_of_a_house_are_named_by_the_faces_of_the_reader(name: str, key: str, german: str, english: str) -> None:
    rules, _ = load(name)
    assert rules is not None
    for faces, words in (("", german), ("french", english)):
        values = rulebook(rules, texts_of(rules, TEXTS["en"] | {"chosen": faces}))["house"]
        assert next(value.value for value in values if value.key == key) == words
