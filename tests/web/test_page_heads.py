"""What the head of a page says: a title and a description in its language, for links, and up to where it is painted at
once."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser
from support.web_archive import make_archive

from archive.web.app import create_app
from archive.web.texts import TEXTS
from archive.web.vega import Chart, draw_plot, mark_texts


@pytest.fixture(name="client")
def client_of(tmp_path: Path) -> FlaskClient:
    return create_app(make_archive(tmp_path / "archive.db")).test_client()


def head(client: FlaskClient, address: str) -> dict[str, str]:
    page = LexborHTMLParser(client.get(address).text)
    return {
        str(each.attributes.get("property") or each.attributes["name"]): str(each.attributes["content"])
        for each in page.css('meta[property^="og:"], meta[name="description"]')
    }


@pytest.mark.one_in(3)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("page", ["deals/1", "deals/2", "sessions/1", "players/1", "stats/points_histogram"])
def test_a_page_says_what_it_is_about(client: FlaskClient, page: str, language: str) -> None:
    said = head(client, f"/{page}?lang={language}")
    assert said["og:title"]
    assert said["description"] == said["og:description"] != ""


@pytest.mark.parametrize("page", ["", "deals/1", "sessions/1", "players/1", "stats", "check"])
def test_a_page_is_painted_down_to_one_mark(client: FlaskClient, page: str) -> None:
    drawn = LexborHTMLParser(client.get(f"/{page}").text)
    assert [each.attributes["href"] for each in drawn.css('link[rel="expect"][blocking="render"]')] == ["#first-look"]
    assert len(drawn.css("#first-look")) == 1


def test_a_deal_tells_its_result_but_not_where_hands_are_hidden(client: FlaskClient) -> None:
    assert " : " in head(client, "/deals/2?lang=en")["description"]
    assert not {"description", "og:description"} & set(head(client, "/deals/2?lang=en&open=0"))


def test_marks_say_the_values_of_their_row() -> None:
    rows = (
        {"label": "Anna", "value": 5, "drawn": 5, "says": "5"},
        {"label": "Ben <i>", "value": -3, "drawn": -3, "says": "-3"},
    )
    chart = Chart(spec="bars", rows=rows, title="x", says="", caption="", heads=("who", "paid"),
                  cells=(("Anna", "+5"), ("Ben <i>", "−3")), values={"x": "paid", "signs": True})  # fmt: skip
    assert mark_texts(chart) == {"Anna": "Anna: paid +5", "Ben <i>": "Ben <i>: paid −3"}
    for svg in (draw_plot(chart, "", TEXTS["en"]).wide, draw_plot(chart, "", TEXTS["en"]).narrow):
        assert "<title>Anna: paid +5</title>" in svg
        assert "<title>Ben &lt;i&gt;: paid −3</title>" in svg
        assert "aria-label" not in svg
