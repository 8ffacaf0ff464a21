"""What is shared of a deal: links, the board in a frame of another site, a picture, a text, a deal that its link holds.

All in a real Chromium, but for what a client without one sees."""

import base64
import json
import re
import struct
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, Route, expect
from support.web_archive import EVENING, evening, make_archive
from support.web_site import PHONE, OpenPage, complaints_of, expect_at, press, served

from archive.web.app import create_app
from archive.web.deal import permalink as permalink

pytestmark = pytest.mark.browser
WITH_CARDS = (1, 2, 3, 4, 7, 8)  # of the other two no card is known: each has a receipt
WIDTHS = (280, 390, 620, 1100)
DROP_LINK = """each => ['dragover', 'drop'].map(kind => {
  const dataTransfer = new DataTransfer();
  dataTransfer.setData('text/uri-list', '/');
  return !each.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
})"""


def shared(page: Page, *unchecked: str) -> dict[str, str]:
    """What the dialog offers, without what is unchecked."""
    page.locator("[data-do=share]").click()
    for name in unchecked:
        page.locator(f"#share-{name}").uncheck()
    fields = {
        field.get_attribute("id") or "": field.input_value() for field in page.locator("#share input[readonly]").all()
    }
    return {name.removeprefix("share-"): value for name, value in fields.items()}


# --- the dialog -------------------------------------------------------------------------------------------------------


def test_the_dialog_offers_the_moment_and_the_view(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1?seat=4&open=0&cards=french&lang=de&theme=dark#t5.3")
    offered = shared(page)
    assert offered["link"] == f"{site}/deals/1?cards=french&lang=de&seat=4&open=0#t5.3"
    frame = re.search(r'src="([^"]*)"', offered["frame"])
    assert frame[1] == f"{site}/deals/1/embed?lang=de&amp;cards=french&amp;theme=dark&amp;seat=4&amp;open=0#t5.3"
    assert offered["whole"].startswith(f"{site}/view?cards=french&lang=de&seat=4&open=0#")
    assert offered["whole"].endswith("/t5.3")
    expect(page.locator("#share")).to_contain_text("Platz von Dora")


def test_its_boxes_change_every_address(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1?seat=4&open=0#t5.3")
    offered = shared(page, "card", "seat")
    page.locator("#share-open").check()
    expect(page.locator("#share-link")).to_have_value(f"{site}/deals/1?lang=en")
    expect(page.locator("#share-frame")).to_have_value(re.compile(f'src="{site}/deals/1/embed"'))
    expect(page.locator("#share-whole")).to_have_value(re.compile(f"^{site}/view\\?lang=en#[\\w-]+$"))
    assert offered["link"] == f"{site}/deals/1?lang=en&open=0"
    page.keyboard.press("Escape")
    press(page, "f", "ArrowRight")
    expected = f"{site}/deals/1?lang=en&seat=1&open=0#t5.4"
    assert shared(page)["link"] == expected, "it is asked anew for what is shown now"


def test_a_day_stays_in_what_is_shared(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1?as-of=2099-01-01#t1.1")
    offered = shared(page)
    assert offered["link"] == f"{site}/deals/1?as-of=2099-01-01&lang=en#t1.1"
    assert "embed?as-of=2099-01-01" in offered["frame"]
    for kind in ("txt", "toml", "json"):
        expect(page.locator(f"#share a[href='/deals/1.{kind}?as-of=2099-01-01']")).to_have_count(1)


def test_a_link_is_copied(site: str, open_page: OpenPage) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{site}/deals/1#t2.2")
    link = shared(page)["link"]
    page.locator("[data-copy=share-link]").click()
    expect(page.locator("#share-said")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == link


def test_what_cannot_be_copied_is_selected(site: str, page: Page) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.goto(f"{site}/deals/1#t2.2")
    link = shared(page)["link"]
    page.locator("[data-copy=share-link]").click()
    expect(page.locator("#share-said")).to_have_text("Selected. Copy it with the keyboard or the menu.")
    assert page.evaluate("getSelection().toString()") == link


def test_the_dialog_works_by_keyboard_alone(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1#t2.2")
    page.locator("[data-do=share]").focus()
    page.keyboard.press("Enter")
    reached = []
    for _ in range(15):
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
        page.keyboard.press("Tab")
    for name in ("share-link", "share-frame", "share-whole", "share-card", "share-seat", "share-open", "share-picture"):
        assert name in reached
    assert {"✕", "Copy", "Text protocol", "TOML", "JSON"} <= set(reached)
    page.keyboard.press("Escape")
    expect(page.locator("#share")).to_be_hidden()
    expect(page.locator("[data-do=share]").first).to_be_focused()


# --- the board in a frame ---------------------------------------------------------------------------------------------


def framed(page: Page, body: str) -> None:
    """Opens a page of another site, which says of itself no more than that it is one."""

    class Host(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(f"<!doctype html><link rel=icon href=data:,><body style='margin:0'>{body}".encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Host) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page.goto(f"http://localhost:{server.server_port}/")
        server.shutdown()


def framed_in_each_width(page: Page, snippet: str) -> None:
    """Opens such a page with frames side by side, all in sight: one that is not runs nothing."""
    page.set_viewport_size({"width": sum(WIDTHS), "height": 900})
    frames = "".join(f"<div style='width:{width}px'>{snippet}</div>" for width in WIDTHS)
    framed(page, f"<div style='display:flex'>{frames}</div>")


OVERFLOW = """() => {
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
  return [scrollWidth - clientWidth, Math.max(0, scrollHeight - clientHeight)];
}"""
FITS = f"""() => innerHeight === Math.ceil(document.documentElement.getBoundingClientRect().height)
  && ({OVERFLOW})().every(over => over === 0)"""


def test_frames_of_another_site_follow_the_height_of_their_boards(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1?seat=2&open=0#t5.3")
    framed_in_each_width(page, shared(page)["frame"])
    page.wait_for_function("[...document.querySelectorAll('iframe')].every(el => el.style.height)")
    for frame, width in zip(page.frames[1:], WIDTHS, strict=True):
        expect(frame.locator(".say .what")).to_contain_text("Dora plays Eichel-9")
        frame.wait_for_function(FITS)
        frame.locator("[data-do=hands]").click()
        expect(frame.locator("[data-do=hands]")).to_have_attribute("aria-pressed", "false")
        frame.wait_for_function(FITS)
        for button in frame.locator(".moves .btn:visible").all():
            left, right = button.evaluate("el => [el.getBoundingClientRect().left, el.getBoundingClientRect().right]")
            assert 0 <= left < right <= width
    heights = {frame.frame_element().evaluate("el => el.clientHeight") for frame in page.frames[1:]}
    assert len(heights) == len(WIDTHS), "each has its own"


def test_without_the_script_a_frame_is_of_use(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1#t5.3")
    framed_in_each_width(page, shared(page)["frame"].split("<script")[0])
    for frame, width in zip(page.frames[1:], WIDTHS, strict=True):
        expect(frame.locator(".say .what")).to_be_visible()
        across, down = frame.evaluate(OVERFLOW)
        assert across == 0
        assert down == 0 if width > 300 else down < 100, "the height that the snippet names is enough"


def test_only_its_own_frame_can_set_a_height(site: str, page: Page) -> None:
    """Neither the host's own messages, nor those of a frame from elsewhere, nor nonsense from the archive's."""
    page.goto(f"{site}/deals/1#t5.3")
    stranger = (
        "<script>parent.postMessage({'schafkopf-archive': {height: 77}}, '*')</scr" + "ipt>"  # its origin is none
    )
    framed(page, f'<iframe id="other" sandbox="allow-scripts" srcdoc="{stranger}"></iframe>{shared(page)["frame"]}')
    page.wait_for_function("document.querySelector('iframe[src]').style.height")
    height = page.locator("iframe[src]").evaluate("el => el.style.height")
    page.evaluate("postMessage({'schafkopf-archive': {height: 55}}, '*')")
    for nonsense in ("'x'", "-5", "1e9", "NaN", "null", "{}"):
        page.frames[2].evaluate(f"parent.postMessage({{'schafkopf-archive': {{height: {nonsense}}}}}, '*')")
    page.frames[2].evaluate("parent.postMessage(null, '*')")
    page.wait_for_timeout(200)
    assert page.locator("iframe[src]").evaluate("el => el.style.height") == height
    assert page.locator("#other").evaluate("el => el.style.height") == ""


def test_a_frame_hides_the_result_with_the_hands(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1/embed?seat=1&open=0#t5.1")
    expect(page.locator(".line")).to_contain_text("Deal 1: Rufspiel Gras")
    for place in (".facts", ".finish"):
        expect(page.locator(place).get_by_text("75 : 45")).to_be_hidden()
    expect(page.locator(".line [data-secret]")).to_have_text("?")
    assert press(page, "End") == "end"
    expect(page.get_by_text("75 : 45").first).to_be_visible()
    page.goto(f"{site}/deals/1/embed#t5.1")
    expect(page.get_by_text("75 : 45").first).to_be_visible()


def test_a_frame_leads_to_the_whole_page_at_its_moment(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1/embed?lang=de&seat=4#t5.1")
    press(page, "ArrowRight", "h")
    link = page.locator("#whole")
    assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener")
    with page.context.expect_page() as opened:
        link.click()
    opened.value.wait_for_load_state()
    url = urlsplit(opened.value.url)
    assert (url.path, parse_qs(url.query), url.fragment) == (
        *("/deals/1", {"lang": ["de"], "seat": ["4"], "open": ["0"]}, "t5.2"),
    )


def test_a_frame_keeps_what_its_reader_chose(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1/embed?lang=de&cards=french&theme=dark#t5.1")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator(".felt.js use").first).to_have_attribute("href", re.compile("cards-french"))
    expect(page.locator(".say .what")).to_contain_text("spielt")


def test_a_frame_of_no_deal_says_so(client: FlaskClient) -> None:
    answer = client.get("/deals/99/embed?lang=de")
    assert answer.status_code == 404
    assert "99" in answer.text


def test_another_page_cannot_be_framed(site: str, open_page: OpenPage) -> None:
    page = open_page()
    heard = complaints_of(page)
    framed(page, f'<iframe src="{site}/deals/1"></iframe>')
    page.wait_for_load_state("networkidle")
    assert any("frame-ancestors" in each for each in heard)


# --- files ------------------------------------------------------------------------------------------------------------


def test_the_protocol_is_text(client: FlaskClient) -> None:
    answer = client.get("/deals/1.txt")
    assert (answer.status_code, answer.content_type) == (200, "text/plain; charset=utf-8")
    assert "Deal 1: Rufspiel Gras" in answer.text
    assert all(len(line) <= 78 for line in answer.text.splitlines())
    german = client.get("/deals/3.txt?lang=de").text
    assert "Stich 2 Karte 2: Dora spielt SA, muss aber Trumpf zugeben" in " ".join(german.split())
    assert "Dora played SA" in client.get("/deals/3.txt?lang=en").text
    assert client.get("/deals/99.txt").status_code == 404
    assert client.get("/deals/1.txt?as-of=2000-01-01").status_code == 404
    assert client.get("/deals/1.txt?as-of=nonsense").status_code == 400


def png_size(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", data[16:24])


@pytest.mark.parametrize("query", ["", "?cards=french", "?cards=french&look=four", "?look=letters&theme=dark"])
def test_the_position_is_kept_as_a_picture(site: str, page: Page, query: str) -> None:
    page.goto(f"{site}/deals/1{query}#t5.3")
    shared(page)
    with page.expect_download() as download:
        page.locator("#share-picture").click()
    assert download.value.suggested_filename == "deal-1-t5.3.png"
    data = Path(download.value.path()).read_bytes()
    width, height = png_size(data)
    assert width == 2000
    assert 1500 < height < 2000
    assert len(data) > 50_000, "something is drawn on it"
    expect(page.locator("#share-said")).to_have_text("The picture is saved.")


SKETCH = """async () => {
  const script = document.querySelector('script[src$="share.js"]').src;
  const { sketch } = await import(script.replace('share.js', 'picture.js'));
  return sketch();
}"""


def sketch(page: Page) -> str:
    return page.evaluate(SKETCH)


def drawn(text: str) -> set[str]:
    """The cards of a picture, but for the drawings that it holds of all."""
    return set(re.findall(r'<use href="#([EGHS][A-Z0-9])"', text.split("</defs>\n<rect", 1)[1]))


def test_a_picture_shows_what_the_table_shows(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1#t5.3")
    text = sketch(page)
    lying = page.evaluate(
        "[...document.querySelectorAll('.felt.js .fan .card:not(.gone):not(.away)')].map(el => el.dataset.code)"
    )
    assert drawn(text) == {*lying, "EK", "EA", "E9", "GA"}, "the hands, the trick, the called card"
    for said in ("Deal 1: Rufspiel Gras", "Dora plays Eichel-9.", "Anna must follow Eichel", "Kontra", ">49<", ">11<"):
        assert said in text, said
    assert urlsplit(site).netloc + "/deals/1#t5.3" in text
    assert 'href="http' not in text


@pytest.mark.parametrize(("theme", "paper"), [("light", "rgb(250, 248, 242)"), ("dark", "rgb(20, 23, 20)")])
def test_a_picture_has_the_colours_of_its_theme(site: str, page: Page, theme: str, paper: str) -> None:
    page.goto(f"{site}/deals/1?theme={theme}#t5.3")
    text = sketch(page)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == paper
    assert f'fill="{paper}"' in text
    assert "var(" not in text
    assert "light-dark(" not in text


def test_what_is_hidden_is_not_in_the_picture(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1?seat=1&open=0#t5.3")
    text = sketch(page)
    own = page.evaluate(
        "[...document.querySelectorAll('.seat[data-seat=\"0\"] .card:not(.gone)')].map(el => el.dataset.code)"
    )
    assert drawn(text) == {*own, "EK", "EA", "E9", "GA"}
    assert "75 : 45" not in text
    assert ">Partner<" not in text
    page.goto(f"{site}/deals/1?seat=1&open=0#end")
    assert "75 : 45" in sketch(page)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("number", WITH_CARDS)
def test_every_deal_can_be_drawn(site: str, page: Page, number: int) -> None:
    for moment in ("start", "end"):
        page.goto(f"{site}/deals/{number}#{moment}")
        shared(page)
        with page.expect_download() as download:
            page.locator("#share-picture").click()
        assert png_size(Path(download.value.path()).read_bytes())[0] == 2000
        page.keyboard.press("Escape")


# --- a deal that its link holds ---------------------------------------------------------------------------------------


def packed(text: bytes) -> str:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.urlsafe_b64encode(deflate.compress(text) + deflate.flush()).decode().rstrip("=")


RECORD = permalink.pack_deal(evening()[0])
SHOWN = """() => {
  const own = el => el.innerText.replace(/\\s+/g, ' ').trim();
  const beside = ['h1', '.facts', '.strip dl', '.note p:not(.acts)', '.side', '#settlement', '#accounts'];
  const parts = [...beside, '.felt.js', '.say', '.segs'];
  const codes = [...document.querySelectorAll('.felt.js use')].map(el => el.getAttribute('href'));
  const told = parts.map(part => [...document.querySelectorAll(`main ${part}`)].map(own));
  return [...told, codes, JSON.parse(document.querySelector('#replay').textContent)];
}"""


def opened(page: Page, link: str) -> None:
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator(".say .what")).not_to_be_empty()


@pytest.mark.one_in(6)
@pytest.mark.parametrize("number", WITH_CARDS)
def test_a_link_shows_the_same_deal_without_the_archive(site: str, page: Page, number: int) -> None:
    page.goto(f"{site}/deals/{number}#end")
    page.evaluate(
        "document.querySelectorAll('.side .acts.noprint').forEach(el => el.remove())"
    )  # ways into the archive
    there = page.evaluate(SHOWN)
    opened(page, shared(page)["whole"])
    expect(page).to_have_url(re.compile("/end$"))
    assert page.evaluate(SHOWN) == there
    assert page.title() == f"{page.locator('h1').inner_text()} · Schafkopf-Archiv"


def test_a_link_keeps_the_view_and_the_moment(site: str, page: Page) -> None:
    opened(page, f"{site}/view?seat=4&open=0&cards=french&lang=de#{RECORD}/t5.3")
    expect(page.locator(".felt.js .seat[data-pos=s]")).to_have_attribute("aria-label", "Dora")
    expect(page.locator("#hands")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".say .what")).to_contain_text("spielt")
    expect(page.locator(".felt.js use").first).to_have_attribute("href", re.compile("cards-french"))


def test_keys_and_the_back_button_work_inside_a_link(site: str, page: Page) -> None:
    opened(page, f"{site}/view#{RECORD}")
    assert [press(page, key) for key in ("2", "ArrowRight", "5", "End")] == [
        f"{RECORD}/{moment}" for moment in ("t2.1", "t2.2", "t5.1", "end")
    ]
    page.go_back()
    expect_at(page, f"{RECORD}/t5.1")
    expect(page.locator(".seg[aria-current]")).to_contain_text("5")
    page.go_back()
    expect_at(page, f"{RECORD}/t2.2")
    page.locator(".proto [data-code=GA]").click()
    expect_at(page, f"{RECORD}/t8.3")
    page.reload()
    expect(page.locator(".seg[aria-current]")).to_contain_text("8")


def test_another_pack_keeps_the_deal_of_a_link(site: str, page: Page) -> None:
    opened(page, f"{site}/view#{RECORD}/t2.2")
    page.keyboard.press("c")
    page.wait_for_url(re.compile(r"/view\?cards=french#"))
    expect(page.locator(".say .what")).not_to_be_empty()
    expect_at(page, f"{RECORD}/t2.2")
    expect(page.locator(".felt.js use").first).to_have_attribute("href", re.compile("cards-english"))


def test_another_link_in_the_same_window_is_another_deal(site: str, page: Page) -> None:
    opened(page, f"{site}/view#{RECORD}/t2.2")
    other = permalink.pack_deal(evening()[1])
    page.evaluate("hash => { location.hash = hash }", f"{other}/t1.1")
    expect(page.locator("h1")).to_have_text("Deal 2: Wenz")


def test_a_deal_of_a_link_is_shared_by_a_link(site: str, page: Page) -> None:
    opened(page, f"{site}/view#{RECORD}/t2.2")
    offered = shared(page)
    assert list(offered) == ["link"]
    assert re.fullmatch(re.escape(f"{site}/view?lang=en#") + r"[\w-]+/t2\.2", offered["link"])
    with page.expect_download() as download:
        page.locator("#share-picture").click()
    assert download.value.suggested_filename == "deal-t2.2.png"
    page.keyboard.press("Escape")
    opened(page, offered["link"])
    expect(page.locator("h1")).to_have_text("Deal 1: Rufspiel Gras")


@pytest.mark.parametrize("path", ["deals/1", f"view#{RECORD}"])
def test_no_dialog_opens_before_it_can_be_filled(site: str, page: Page, path: str) -> None:
    late: list[Route] = []
    page.route("**/share.js", lambda route: late.append(route))
    with page.expect_request("**/share.js"):
        page.goto(f"{site}/{path}", wait_until="commit")
    page.locator("[data-do=share]").click()
    expect(page.locator("#share")).to_be_hidden()
    late[0].continue_()
    expect(page.locator(".say .what")).not_to_be_empty()
    assert all(shared(page).values())


def test_a_record_alone_is_a_link_too(site: str, page: Page) -> None:
    line = json.dumps(
        {"format": "schafkopf-record/1", "rules": "bavarian", "players": ["A", "B", "C", "D"], "game": "none"}
    )
    page.goto(f"{site}/view#{packed(line.encode())}")
    expect(page.locator("h1")).to_have_text("Deal 1: thrown in")


def test_the_record_of_a_link_is_sent_to_check_and_nowhere_else(open_page: OpenPage, tmp_path: Path) -> None:
    asked: list[str] = []
    with served(make_archive(tmp_path / "archive.db"), asked) as address:
        page = open_page()
        sent: list[tuple[str, str]] = []
        page.on("request", lambda request: sent.append((request.method, request.url)))
        opened(page, f"{address}/view#{RECORD}/t2.2")
    assert [url for method, url in sent if method != "GET"] == [f"{address}/check"]
    assert not [path for path in asked if RECORD[:20] in path]
    assert asked.count("/check") == 1


LINE = permalink.record_lines(evening()[0])
WRONG = {  # bytes are yet to be packed
    "cut off": (RECORD[:-40], "This link is damaged", "Dieser Link ist beschädigt"),
    "changed": (f"{RECORD[:60]}AAAA{RECORD[64:]}", "This link is damaged", "Dieser Link ist beschädigt"),
    "no base64": ("%%%", "This link is damaged", "Dieser Link ist beschädigt"),
    "no text": (b"\xff\xfe\xfd", "This link is damaged", "Dieser Link ist beschädigt"),
    "nothing": ("", "There is no deal in this link", "In diesem Link steht kein Spiel"),
    "no deal": (b"hello", "No deal could be read.", "Kein Spiel konnte gelesen werden."),
    "no table": (LINE.split(b"\n")[0] + b"\n{}", "No deal could be read.", "Kein Spiel konnte gelesen werden."),
    "too long": (b"x" * (permalink.LONGEST_RECORD + 1), "longer than any deal", "länger, als ein Spiel sein kann"),
    "a bomb": (bytes(60_000_000), "longer than any deal", "länger, als ein Spiel sein kann"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_a_link_is_said(site: str, open_page: OpenPage, wrong: str) -> None:
    given, *said = WRONG[wrong]
    fragment = packed(given) if isinstance(given, bytes) else given
    for language, words in zip(("en", "de"), said, strict=True):
        page = open_page()
        errors: list[str] = []
        page.on("pageerror", lambda error, errors=errors: errors.append(str(error)))
        page.goto(f"{site}/view?lang={language}#{fragment}")
        expect(page.get_by_role("alert").first).to_contain_text(words)
        expect(page.locator("main a[href^='/check']")).to_be_visible()
        expect(page.locator("#status")).to_be_hidden()
        assert errors == []


@pytest.mark.parametrize(("code", "said"), [(413, "too much to check here"), (503, "Others are checking records")])
def test_what_the_site_refuses_is_said_as_it_says_it(site: str, open_page: OpenPage, code: int, said: str) -> None:
    page = open_page()
    body = f'<main><div class="note" role="alert"><p>{said}</p></div></main>'
    page.route("**/check", lambda route: route.fulfill(status=code, content_type="text/html", body=body))
    page.goto(f"{site}/view#{RECORD}/t2.2")
    expect(page.get_by_role("alert")).to_contain_text(said)
    page.unroute("**/check")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("h1")).to_have_text("Deal 1: Rufspiel Gras")
    expect_at(page, f"{RECORD}/t2.2")


def test_a_site_that_does_not_answer_is_not_the_links_fault(site: str, open_page: OpenPage) -> None:
    page = open_page()
    page.route("**/check", lambda route: route.abort())
    page.goto(f"{site}/view#{RECORD}")
    expect(page.get_by_role("alert")).to_contain_text("The archive did not answer.")


def test_without_scripts_a_link_says_what_to_do(site: str, open_page: OpenPage) -> None:
    page = open_page(java_script_enabled=False)
    page.goto(f"{site}/view?lang=de#{RECORD}")
    expect(page.locator("main")).to_contain_text("nur ein Skript kann es lesen", use_inner_text=True)
    expect(page.locator("#status")).to_be_hidden()
    expect(page.locator("main a[href='/check?lang=de']")).to_be_visible()


def test_links_that_hold_a_deal_are_offered_only_where_they_are_read(tmp_path: Path) -> None:
    client = create_app(make_archive(tmp_path / "archive.db")).test_client()
    assert client.get("/view").status_code == 404
    text = client.get("/deals/1").text
    assert "share-link" in text
    assert "share-whole" not in text


# --- a record that is checked -----------------------------------------------------------------------------------------


def test_a_checked_deal_has_a_link_to_itself(site: str, page: Page) -> None:
    page.goto(f"{site}/check?lang=de")
    page.locator("textarea").fill(EVENING.read_text("utf-8"))
    page.locator(".paste button").click()
    page.wait_for_url("**/check?lang=de")
    links = [
        link.get_attribute("href") or "" for link in page.locator(".checked a", has_text="Link zu diesem Spiel").all()
    ]
    assert len(links) == 7
    assert len(set(links)) == 7
    offered = shared(page)
    assert list(offered) == ["link"]
    for link, title in (
        (links[2], "Spiel 3: Solo Eichel"),
        (offered["link"].removeprefix(site), "Spiel 1: Rufspiel auf die Blaue"),  # in the language of who shares it
    ):
        opened(page, site + link)
        expect(page.locator("h1")).to_have_text(title)


def test_a_file_is_dropped_anywhere_and_the_answer_keeps_the_language(site: str, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True)
    heard = complaints_of(page)
    page.goto(f"{site}/check?lang=de")
    for _ in range(2):  # into the empty page, and into the answer
        file = page.evaluate_handle(
            "text => { const data = new DataTransfer(); data.items.add(new File([text], 'abend.toml')); return data; }",
            EVENING.read_text("utf-8"),
        )
        page.dispatch_event("main", "dragover", {"dataTransfer": file})
        with page.expect_navigation():
            page.dispatch_event("main", "drop", {"dataTransfer": file})
        expect(page.get_by_role("heading", name="Aufschrieb prüfen")).to_contain_text("abend.toml")
        expect(page.locator(".checked")).to_contain_text("Spiel 3: Solo Eichel")
        assert page.evaluate("document.documentElement.scrollWidth") == 390
    for place, is_kept_off in (("main", True), ("textarea", False)):  # a browser goes to a link that is dropped
        assert page.locator(place).first.evaluate(DROP_LINK) == [is_kept_off] * 2
    assert heard == []
