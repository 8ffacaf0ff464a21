"""What a link shows where it is pasted: a deal at its end and an evening as pictures, and the words beside them."""

import io
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from PIL import Image
from selectolax.lexbor import LexborHTMLParser
from support.deal_pages import deal_page
from support.odd_names import ARABIC, FAMILY, HEBREW, LONG, odd_evening
from support.store_samples import read

from archive.web.deal.model import DealPage, DealPosition
from archive.web.drawing_library import text_width
from archive.web.preview import scene as pictures
from archive.web.preview.scenes import deal_scene
from archive.web.texts import TEXTS


@pytest.fixture(name="path", scope="module")
def path_of(eight_deals: Path) -> Path:
    return eight_deals


@pytest.fixture(name="odd", scope="module")
def odd_of() -> list[DealPage]:
    """The deals of the evening of odd names, as pages."""
    judged, _ = read(odd_evening())
    return [deal_page(each, DealPosition(id=n, session=1), TEXTS["en"]) for n, (_, each) in enumerate(judged, 1)]


def heads(client: FlaskClient, address: str, **headers: str) -> dict[str, str]:
    page = LexborHTMLParser(client.get(address, headers=headers).text)
    return {
        str(each.attributes.get("property") or each.attributes["name"]): str(each.attributes["content"])
        for each in page.css('meta[property^="og:"], meta[name="description"], meta[name^="twitter:"]')
    }


# --- words ------------------------------------------------------------------------------------------------------------

PAGES = (
    "/", "/?result=won", "/deals/1", "/sessions", "/sessions/1", "/players", "/players/1", "/findings", "/rulesets",
    "/rulesets/pub", "/stats", "/stats/pairs", "/stats/points_histogram", "/stats/fairness", "/price",
    "/deals/1/dossier",
)  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_kind_of_page_has_a_title_and_a_description(client: FlaskClient, language: str) -> None:
    described = {}
    for page in PAGES:
        head = heads(client, f"{page}{'&' if '?' in page else '?'}lang={language}")
        assert head["og:title"], page
        assert len(head["description"]) > 8, page
        assert head["description"] == head["og:description"], page
        described[page] = head["description"]
    assert len(set(described.values())) == len(PAGES), "each says something of its own"


def test_a_deal_says_who_won_and_what_is_wrong_with_the_sheet(client: FlaskClient) -> None:
    said = heads(client, "/deals/1?lang=en")["og:description"]
    assert said.startswith("Ben with Dora wins 75 : 45")
    assert "320 ct – It would fit if the knock of Ben was not counted" in said
    assert "Eichel-Zehner" in heads(client, "/deals/3?lang=en")["og:description"], "cards by their names"


def test_an_evening_says_its_ranking(client: FlaskClient) -> None:
    said = heads(client, "/sessions/1?lang=en")["og:description"]
    assert said.startswith("7 deals: 1. Ben +€3.90, 2. Dora +€3.50")
    assert heads(client, "/?result=lost&lang=en")["og:description"].startswith("1 deal;")


# --- addresses --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["/deals/2", "/sessions/1"])
def test_the_picture_has_a_whole_address_its_size_and_words(client: FlaskClient, page: str) -> None:
    head = heads(client, f"{page}?lang=de&theme=dark", Host="karten.example")
    assert head["og:image"] == f"http://karten.example{page}/preview.png?lang=de"
    assert (head["og:image:width"], head["og:image:height"]) == ("1200", "630")
    assert head["og:image:alt"] == head["og:description"]
    assert head["twitter:card"] == "summary_large_image"


@pytest.mark.parametrize("address", ["/deals/1/preview.png?lang=de", "/sessions/1/preview.png?lang=en"])
def test_a_picture_is_a_png_of_its_size_and_asked_for_again_is_unchanged(client: FlaskClient, address: str) -> None:
    answer = client.get(address)
    assert answer.content_type == "image/png"
    picture = Image.open(io.BytesIO(answer.data))
    assert (picture.format, picture.size) == ("PNG", (pictures.WIDTH, pictures.HEIGHT))
    assert len(picture.convert("RGB").getcolors(2**24) or []) > 20, "something is drawn"
    assert len(answer.data) < 160_000, "messengers leave out larger ones"
    again = client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_of_what_is_not_there_there_is_no_picture(client: FlaskClient) -> None:
    for address in ("/deals/99/preview.png", "/sessions/99/preview.png"):
        assert client.get(address).status_code == 404
    assert client.get("/deals/1/preview.png?as-of=nonsense").status_code == 400


# --- what is drawn ----------------------------------------------------------------------------------------------------


def texts(scene: pictures.Scene) -> list[str]:
    return [label.text for label in scene.labels]


def test_the_end_shows_all_hands_the_points_and_what_each_is_paid(odd: list[DealPage]) -> None:
    scene = deal_scene(odd[0], TEXTS["en"])
    assert len({card.code for card in scene.cards}) == 32
    assert "75 : 45" in texts(scene)
    struck = [label.text for label in scene.labels if label.struck]
    assert sorted(struck) == sorted(["−160", "+160", "−160", "+160"])
    assert texts(scene).count("+320") == texts(scene).count("−320") == 2


def test_hidden_hands_stay_hidden_and_nothing_tells_how_it_ends(client: FlaskClient, odd: list[DealPage]) -> None:
    scene, heading = deal_scene(odd[0], TEXTS["en"], hidden=True, own=1), ("Deal 1: Rufspiel Gras", "Session 1")
    assert len([card for card in scene.cards if card.code == "back"]) == 24
    own = next(seat for seat in odd[0].table.seats if seat.seat == 1)
    assert {card.code for card in scene.cards} == {"back", *(card.code for card in own.cards)}
    assert not [text for text in texts(scene) if any(map(str.isdigit, text)) and text not in heading]
    names = {label.fill for label in scene.labels if label.text in (pictures.drawable(FAMILY), ARABIC, HEBREW, LONG)}
    assert len(names) == 1, "no colour tells the partner"
    head = heads(client, "/deals/1?open=0&seat=2&lang=en")
    assert not {"description", "og:description"} & head.keys()
    assert head["og:image"].endswith("/deals/1/preview.png?lang=en&open=0&seat=2")
    assert head["og:image:alt"] == head["og:title"]
    shown, unseen = (client.get(f"/deals/1/preview.png?lang=en{more}").data for more in ("", "&open=0&seat=2"))
    assert shown != unseen


def overlaps(scene: pictures.Scene) -> Iterator[tuple[str, str]]:
    """Texts that run into one another."""
    boxes = []
    for label in scene.labels:
        wide = text_width(label.text, label.size, label.bold)
        left = label.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor] * wide
        boxes.append((left, label.y - 0.7 * label.size, left + wide, label.y, label.text))
    for n, (left, top, right, bottom, text) in enumerate(boxes):
        for other in boxes[n + 1 :]:
            if left < other[2] and other[0] < right and top < other[3] and other[1] < bottom:
                yield text, other[4]


def test_no_name_however_odd_leaves_the_picture_or_runs_into_another(odd: list[DealPage]) -> None:
    for page in odd:
        scene = deal_scene(page, TEXTS["de"])
        assert list(overlaps(scene)) == []
        for label in scene.labels:
            wide = text_width(label.text, label.size, label.bold)
            left = label.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor] * wide
            assert left >= -1
            assert left + wide <= pictures.WIDTH + 1
            assert label.y <= pictures.HEIGHT - 4
    assert LONG in texts(deal_scene(odd[0], TEXTS["en"])), "there is room for it at the foot of the table"


def test_names_from_the_right_stand_apart_from_amounts(odd: list[DealPage]) -> None:
    shown = texts(deal_scene(odd[0], TEXTS["en"]))
    assert ARABIC in shown
    assert HEBREW in shown
    assert not [text for text in shown if text.startswith((ARABIC, HEBREW)) and "0" in text]


def test_signs_without_a_font_are_a_box_each_and_joined_ones_one() -> None:
    assert not pictures.is_drawable("\U0010fffd")
    assert (
        pictures.drawable("\U0010fffd\u200d\U0010fffd\ufe0f\U0010fffdKathi") == f"{pictures.BLANK}{pictures.BLANK}Kathi"
    )
    assert pictures.drawable("Mühlbauer 1 : 2") == "Mühlbauer 1 : 2"
    assert pictures.drawable(FAMILY) == FAMILY or pictures.BLANK in pictures.drawable(FAMILY)


def test_texts_are_cut_where_they_do_not_fit() -> None:
    assert pictures.fit_text("Anna", 100, 20) == "Anna"
    assert pictures.fit_text(LONG, 100, 20).endswith("…")
    assert text_width(pictures.fit_text(LONG, 100, 20), 20) <= 100
    assert pictures.fit_name("Anna", 100, (30, 20)) == ("Anna", 30)
    assert pictures.fit_name(LONG, 400, (30, 16)) == (LONG, 16)
    assert pictures.wrap_text("one two three four", 62, 16, 2) == ["one two", "three f…"]
    assert pictures.wrap_text("", 70, 16, 2) == []


# --- bounds -----------------------------------------------------------------------------------------------------------

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="{}" height="20" fill="red"/></svg>'


def test_a_picture_is_drawn_once_whatever_else_its_address_says(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get("/deals/2/preview.png?lang=en").data

    def refuse(_svg: str) -> bytes:
        raise AssertionError("drawn again")

    monkeypatch.setattr(pictures, "_to_png", refuse)
    assert client.get("/deals/2/preview.png?lang=en&x=1").data == first


def test_no_more_than_a_few_are_drawn_at_a_time(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    inside, going_on = threading.Semaphore(0), threading.Event()
    own = pictures._to_png

    def slow(svg: str) -> bytes:
        inside.release()
        assert going_on.wait(60)
        return own(svg)

    monkeypatch.setattr(pictures, "_to_png", slow)
    threads = [
        threading.Thread(target=pictures.draw_png, args=(SVG.format(n + 1),)) for n in range(pictures.MOST_WAITING)
    ]
    for thread in threads:
        thread.start()
    assert inside.acquire(timeout=60)
    while pictures._places.acquire(blocking=False):  # until each has its place
        pictures._places.release()
    answer = client.get("/deals/4/preview.png?lang=de&cards=french")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert answer.headers["Cache-Control"] == "no-store"
    going_on.set()
    for thread in threads:
        thread.join()
    assert client.get("/deals/4/preview.png?lang=de&cards=french").status_code == 200


def test_what_is_compressed_again_is_the_same_picture() -> None:
    drawn = pictures._to_png(SVG.format(30))
    again = pictures.compress_png(drawn)
    assert Image.open(io.BytesIO(again)).tobytes() == Image.open(io.BytesIO(drawn)).tobytes()
    assert zlib.crc32(again[12:29]) == int.from_bytes(again[29:33])
