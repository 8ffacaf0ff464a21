"""Six pages look as they did when somebody last looked at them: `tests/web/shots/`, on a wide screen and on a phone.

`pytest tests/web/test_shots.py --update` draws them anew: look at each before it is kept. A picture holds the first
screens of a page, and the places of the parts of the whole page (`PARTS`). What is compared is coarse, so that another
font or another Chromium gives the same page, and a part that is hidden, moved or without its style does not:

- the same parts are to be seen, in the same order, each about where it was (`ASIDE`, `LOWER`, `LARGER`);
- the colours of each part are about the same when it is shrunk to cells of `CELL` pixels (`PALER`),
- and there is about as much to see in it (`EMPTIER`).
"""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct
from PIL import Image, ImageChops, ImageFilter, ImageStat, PngImagePlugin
from playwright.sync_api import Browser, Page
from support.thorough import examples
from support.web_archive import EVENING
from support.web_site import context_of

pytestmark = pytest.mark.browser
SHOTS = Path(__file__).with_name("shots")
PAGES = {
    "home": "/",
    "deal": "/deals/1#t5.3",
    "session": "/sessions/3",
    "player": "/players/1",
    "ruleset": "/rulesets/bavarian",
    "check": "/check",
}
WIDTHS = {1280: 900, 390: 844}  # and the height of the window
LONGEST = {1280: 960, 390: 1600}  # pixels of a page that are kept
MOST = 60_000  # bytes of a picture
COLOURS = 64

CELL = 16  # pixels
SOME = 64  # pixels that a part may be elsewhere or larger: a title and a row of buttons that need one line more
ASIDE = 0.1  # of the width of the page, that a part may lie further left or right
LOWER = 0.06  # of its distance from the top of the page, that it may lie higher or lower too
LARGER = 0.3  # of its width and height, that it may be larger or smaller
PALER = 16  # of 255, that the colours of a part may be apart on average
EMPTIER = 3  # times as much or as little
SMALL = 64  # pixels: a part that is lower than this is a line of text, whose colours are where its letters are

# Parts that are to be seen: name, left, top, width, height.
PARTS = """() => [...document.querySelectorAll(
    'header, main, section, aside, footer, form, h1, h2, table, .felt, .seat, .lay, .bar')]
  .filter(el => el.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .map(el => [el.localName, el.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && box.height > 1)
  .map(([name, box]) => [name, ...[box.x, box.y, box.width, box.height].map(Math.round)])"""

Part = tuple[str, int, int, int, int]


class Shot(Struct, frozen=True):
    """The first screens of a page, its height, and where its parts are."""

    picture: Image.Image
    height: int
    parts: list[Part]


def opened(browser: Browser, address: str, name: str, width: int) -> Page:
    """The page, in the light, at rest."""
    window = {"width": width, "height": WIDTHS[width]}
    context = context_of(browser, viewport=window, locale="en-GB", color_scheme="light")
    page = context.new_page()
    page.goto(address + PAGES[name])
    if name == "check":
        page.locator("#text").fill(EVENING.read_text("utf-8"))
        page.locator("form.paste button").click()
        page.locator(".checked").wait_for()
        page.wait_for_load_state()
    page.evaluate("document.fonts.ready")
    return page


def drawn(page: Page) -> Shot:
    """The page as it is."""
    width = page.viewport_size["width"] if page.viewport_size else 0
    height = int(page.evaluate("document.documentElement.scrollHeight"))
    clip = {"x": 0, "y": 0, "width": width, "height": min(height, LONGEST[width])}
    data = page.screenshot(full_page=True, animations="disabled", clip=clip)  # type: ignore[arg-type]
    return Shot(Image.open(io.BytesIO(data)).convert("RGB"), height, [tuple(each) for each in page.evaluate(PARTS)])


def packed(shot: Shot) -> bytes:
    """A PNG of few colours that tells the height and the parts of the whole page."""
    told = PngImagePlugin.PngInfo()
    told.add_text("page", json.dumps([shot.height, shot.parts]), zip=True)
    out = io.BytesIO()
    few = shot.picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    few.save(out, "PNG", optimize=True, pnginfo=told)
    return out.getvalue()


def kept(data: bytes) -> Shot:
    """What was packed."""
    picture = Image.open(io.BytesIO(data))
    height, parts = json.loads(picture.text["page"])  # type: ignore[attr-defined]
    return Shot(picture.convert("RGB"), height, [tuple(each) for each in parts])


def moved(part: Part, was: Part, width: int) -> bool:
    """Whether a part is elsewhere than it was, or of another size."""
    (_, x, y, wide, high), (_, x0, y0, wide0, high0) = part, was
    return (
        abs(x - x0) > ASIDE * width
        or abs(y - y0) > SOME + LOWER * y0
        or abs(wide - wide0) > max(SOME, LARGER * wide0)
        or abs(high - high0) > max(SOME, LARGER * high0)
    )


def seen(shot: Shot, part: Part, size: tuple[int, int]) -> tuple[Image.Image, float]:
    """A part in cells, and how much there is to see of it: how far its pixels are from the usual one."""
    _, x, y, wide, high = part
    cut = shot.picture.crop((x, y, x + wide, y + high))
    small = cut.resize(size, Image.Resampling.BOX).filter(ImageFilter.BoxBlur(1))
    return small, ImageStat.Stat(cut.convert("L")).stddev[0]


def apart(shot: Shot, part: Part, other: Shot, was: Part) -> tuple[float, float]:
    """How far the colours of a part are from those that it had, and how many times as much or little is to be seen."""
    size = (max(1, was[3] // CELL), max(1, was[4] // CELL))
    (now, much), (before, much0) = seen(shot, part, size), seen(other, was, size)
    more = (much + 1) / (much0 + 1)
    paler = max(ImageStat.Stat(ImageChops.difference(now, before)).mean) if was[4] >= SMALL else 0
    return paler, max(more, 1 / more)


def differences(shot: Shot, was: Shot) -> Iterator[str]:
    """In what a page differs from its reference."""
    width, names = was.picture.width, [[part[0] for part in each.parts] for each in (shot, was)]
    if abs(shot.height - was.height) > SOME + LOWER * was.height:
        yield f"{shot.height} pixels high, was {was.height}"
    if names[0] != names[1]:
        yield f"parts {' '.join(names[0])}, were {' '.join(names[1])}"
        return
    for part, before in zip(shot.parts, was.parts, strict=True):
        if moved(part, before, width):
            yield f"{part} was {before}"
        elif before[2] + before[4] <= was.picture.height and part[2] + part[4] <= shot.picture.height:
            paler, emptier = apart(shot, part, was, before)
            if paler > PALER or emptier > EMPTIER:
                yield f"{part} looks otherwise: {paler:.0f}, {emptier:.1f}"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_looks_as_it_did(gallery: str, browser: Browser, name: str, width: int, update: bool) -> None:
    page, reference = opened(browser, gallery, name, width), SHOTS / f"{name}-{width}.png"
    if update:
        reference.write_bytes(packed(drawn(page)))
    assert reference.stat().st_size < MOST
    assert list(differences(drawn(page), kept(reference.read_bytes()))) == []
    page.context.close()


BROKEN = {
    "the felt is hidden": ".felt { visibility: hidden }",
    "the felt has no ground": ".felt { background: none }",
    "the cards have no faces": ".card svg { display: none }",
    "a seat is somewhere else": ".seat[data-pos=n] { transform: translateY(100px) }",
    "a seat is gone": ".seat[data-pos=w] { display: none }",
    "what is beside the table is below it": "main, .board { display: block !important }",
    "everything is too far right": "main { transform: translateX(200px) }",
}


def restyled(page: Page, css: str) -> None:
    """More style for a page whose policy allows none in it."""
    page.evaluate(
        """css => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(css);
          document.adoptedStyleSheets = [sheet];
        }""",
        css,
    )


def test_a_broken_page_looks_otherwise(gallery: str, browser: Browser) -> None:
    page = opened(browser, gallery, "deal", 1280)
    was = kept(packed(drawn(page)))
    for broken, css in [*BROKEN.items()][:: examples(3, 1)]:
        restyled(page, css)
        assert list(differences(drawn(page), was)), broken
    restyled(page, "")
    assert list(differences(drawn(page), was)) == []
    page.evaluate("document.querySelectorAll('link[rel=stylesheet]').forEach(link => { link.disabled = true; })")
    assert list(differences(drawn(page), was)), "without any style"
    page.context.close()
