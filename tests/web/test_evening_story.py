"""The story of an evening: ranking, three sentences, a plot that leads to its deals, reasons beside disputed rows."""

import tomllib
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from support.samples import VALID
from support.store_samples import store
from support.strict_html import read_page as page
from support.web_archive import make_archive

from archive.say import say
from archive.store import open_archive
from archive.web.app import create_app
from archive.web.evening.wall import standing_of
from archive.web.request import request_texts
from archive.web.session.closing import lead_message, verdict_message
from archive.web.session.plot import TotalsSeries


@pytest.fixture(name="client")
def client_of(tmp_path: Path) -> FlaskClient:
    path = make_archive(tmp_path / "archive.db")
    sample = VALID / "stammtisch.toml"
    db = open_archive(path)
    store(db, sample.read_text("utf-8"))
    db.conn.close()
    return create_app(path).test_client()


def test_an_evening_whose_head_names_no_unit_counts_what_its_rules_say(tmp_path: Path) -> None:
    db = open_archive(tmp_path / "archive.db")
    store(db, (VALID / "bavarian-tournament.toml").read_text("utf-8").replace('unit = "P"\n', ""))
    with create_app(tmp_path / "archive.db").test_request_context("/"):
        story = standing_of(db.conn, 1, request_texts())["story"]
    assert [each.total for each in story.ranking] == ["+57 P", "−1 P", "−15 P", "−41 P"]


def series(**lines: tuple[int | None, ...]) -> TotalsSeries:
    count = len(next(iter(lines.values())))
    numbers = tuple(range(1, count + 1))
    return TotalsSeries(numbers, tuple(lines.items()), (), numbers, (), False, False)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ({"Anna": (5, 9, 12), "Ben": (-5, -9, -12)}, "Anna leads from the first deal to the last."),
        ({"Anna": (5, 9, -1), "Ben": (-5, -9, 1)}, "Ben takes the lead with the last deal."),
        ({"Anna": (5, -9, -12, -3), "Ben": (-5, 9, 12, 3)}, "Ben leads from deal 2 on."),
        ({"Anna": (5, 3), "Ben": (-5, 3), "Cem": (0, -6)}, "Anna and Ben share the lead."),
        ({"Anna": (5, 0), "Ben": (-5, 0)}, None),
        ({"Anna": (5, None), "Ben": (-5, None)}, None),
        ({"Anna": (5,), "Ben": (-5,)}, None),
    ],
)
def test_who_leads_is_said_with_the_deal_from_which_on(
    lines: dict[str, tuple[int | None, ...]], says: str | None
) -> None:
    lead = lead_message(series(**lines))
    assert (lead and say(lead)) == says


@pytest.mark.parametrize(
    ("verdicts", "says"),
    [
        ({"agrees": 3}, "Alle Spiele stimmen mit dem Aufschrieb überein: 3."),
        ({"agrees": 3, "differs": 1}, "1 Spiel ist strittig."),
        ({"differs": 1, "unplayable": 1, "undecidable": 2}, "2 Spiele sind strittig, 2 sind offen."),
        ({"undecidable": 1}, "1 Spiel ist offen."),
    ],
)
def test_what_is_in_dispute_is_counted(verdicts: dict[str, int], says: str) -> None:
    assert say(verdict_message(verdicts), "de") == says


def test_the_ranking_stands_first_with_links_and_adds_up(client: FlaskClient) -> None:
    html = page(client, "/sessions/2?lang=en")
    rows = html.css(".ranking li")
    assert [each.css_first(".place").text() for each in rows] == ["1.", "2.", "3.", "4."]
    assert all(str(each.css_first("a.who").attributes["href"]).startswith("/players/") for each in rows)
    totals = [each.css_first(".n").text() for each in rows]
    amounts = [float(text.replace("−", "-").replace("€", "").replace("+", "").strip("()")) for text in totals]
    assert amounts == sorted(amounts, reverse=True)
    assert round(sum(amounts), 2) == 0
    assert html.html.index("ranking") < html.html.index('class="list ledger'), "before the sheet"


@pytest.mark.parametrize(("language", "dearest"), [("en", "Costliest game: "), ("de", "Teuerstes Spiel: ")])
def test_three_sentences_tell_the_evening(client: FlaskClient, language: str, dearest: str) -> None:
    said = page(client, f"/sessions/2?lang={language}").css(".story p")
    assert len(said) == 3
    assert said[1].text().startswith(dearest)
    assert "/deals/" in str(said[1].css_first("a").attributes["href"])
    assert "€" in said[1].text()


def test_the_plot_says_the_totals_after_each_deal_and_leads_to_it(client: FlaskClient) -> None:
    columns = page(client, "/sessions/2?lang=en").css(".on-wide svg a")
    assert len(columns) == 12
    assert all("/deals/" in str(each.attributes["href"]) for each in columns)
    assert str(columns[0].attributes["aria-label"]).startswith("Deal 1: ")


def test_a_row_in_dispute_tells_its_reason_and_where_to_look(client: FlaskClient) -> None:
    html = page(client, "/sessions/1?lang=en")
    rows = html.css("tr.why")
    for each in rows:
        number = str(each.attributes["id"]).removeprefix("why-")
        links = [
            str(link.attributes["href"]) for link in each.css("a") if "/players/" not in str(link.attributes["href"])
        ]
        assert f"/deals/{number}?lang=en#settlement" in links
        assert f"/deals/{number}/dossier?lang=en" in links
    assert html.css_first(f'.story a[href="#{rows[0].attributes["id"]}"]')


def test_an_evening_is_taken_away_as_toml_and_csv(client: FlaskClient) -> None:
    toml = client.get("/sessions/2.toml")
    assert toml.headers["Content-Disposition"].startswith("attachment")
    assert len(tomllib.loads(toml.text)["deal"]) == 12
    assert len(client.get("/sessions/2.csv").text.splitlines()) == 13
    assert client.get("/sessions/99.toml").status_code == 404


def test_the_list_of_sessions_tells_who_sat_there_and_where_they_stood(client: FlaskClient) -> None:
    ends = page(client, "/sessions?lang=de").css("td.ends")
    assert all(len(each.css("a.who")) == 4 for each in ends)
    assert "€" in ends[0].text()
