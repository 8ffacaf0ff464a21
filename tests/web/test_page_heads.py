"""What the head of a page says: a title and a description in its language, for links, and up to where it is painted at
once."""

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser

from archive.web.texts import TEXTS
from archive.web.vega import Chart, draw_plot, mark_texts


@pytest.mark.parametrize("page", ["", "deals/1", "sessions/1", "players/1", "stats", "check"])
def test_a_page_is_painted_down_to_one_mark(client: FlaskClient, page: str) -> None:
    drawn = LexborHTMLParser(client.get(f"/{page}").text)
    assert [each.attributes["href"] for each in drawn.css('link[rel="expect"][blocking="render"]')] == ["#first-look"]
    assert len(drawn.css("#first-look")) == 1


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
