"""Every kind of page in the windows that people have, of a club that plays with cards and of one that writes results
alone: no page is wider than its window, no text is cut to single letters or lies under another, nothing moves after the
first paint, and what is to be tapped or played is in sight."""

from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest
from playwright.sync_api import Browser, Page
from support.cardless_club import make_club
from support.thorough import THOROUGH
from support.web_site import complaints_of, context_of, served

from archive.cli.received import columns_received, read_received
from archive.cli.samples import import_club
from archive.web.doors.keys import open_doors

pytestmark = pytest.mark.browser

WINDOWS = ((390, 844), (360, 640), (390, 664), (844, 390), (1366, 768), (768, 1024), (1024, 768), (1280, 720))
FRESH = ((390, 844), (1366, 768))  # in which a page is opened, in an ordinary run in one; in others it is looked at
ALIKE = (
    "/", "/sessions", "/sessions/1", "/sessions/1/end", "/deals/1", "/deals/2", "/players", "/players/1", "/findings",
    "/cash", "/check", "/price?q=Sepp+Herzsolo&tariff=10/20/50&rules=pub", "/stats",
)  # fmt: skip
PAGES = {
    "cards": (*ALIKE, "/deals/4", "/deals/1#end", "/events/Herbstturnier im Hirschen/ranking"),
    "results": (*ALIKE, "/deals/7", "/import", *map("/evenings{}".format, ("", "/new", "/1/add", "/1/deals/1"))),
}
LEAST_SHIFT = 0.001  # of the window, a sum that nobody sees

# What moved after the first paint; waited for as long as it takes to paint twice.
SHIFTS = """() => new Promise(done => {
  let sum = 0;
  new PerformanceObserver(list => list.getEntries().forEach(each => { sum += each.hadRecentInput ? 0 : each.value; }))
    .observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(sum), 0)));
})"""

# What is wrong with a page as it lies: its width, words that stand a letter or two to a line, texts over each other.
FAULTS = """() => {
  const faults = [], wide = document.documentElement.scrollWidth, boxes = [];
  if (wide > innerWidth) faults.push(`${wide} wide`);
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const clipped = new Map();
  const isClipped = el => {
    if (el.localName === 'main') return false;
    const { clipPath, textOverflow } = getComputedStyle(el);
    const own = clipPath !== 'none' || textOverflow !== 'clip';
    if (!clipped.has(el)) clipped.set(el, own || isClipped(el.parentElement));
    return clipped.get(el);
  };
  while (walk.nextNode()) {
    const text = walk.currentNode, el = text.parentElement, words = text.data.trim();
    if (!words || el.closest('svg, .card, script, style, textarea, select, template, [aria-hidden=true]')
      || isClipped(el) || !el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = [...range.getClientRects()].filter(box => box.width > 1 && box.height > 1);
    if (lines.length > 2 && words.length / lines.length < 3) faults.push(`letters: ${words}`);
    if (!el.closest('.scroll, .ends, .settle, .play, .felt, .bar')) boxes.push([words, lines]);
  }
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5;
  boxes.forEach(([one, lines], n) => boxes.slice(n + 1, n + 20).forEach(([two, others]) => {
    if (lines.some(a => others.some(b => meet(a, b)))) faults.push(`over each other: ${one} / ${two}`);
  }));
  return faults;
}"""


class Sites(dict[str, str]):
    """The addresses of both archives, and the link that lets one in who writes results."""

    link = ""


@pytest.fixture(scope="module", name="sites")
def sites_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sites]:
    folder: Path = tmp_path_factory.mktemp("sizes")
    import_club(str(folder / "cards.db"), "de")
    club = make_club(folder / "club.db")
    doors = open_doors(club, "Vroni", receive=read_received, columns=columns_received)
    with served(folder / "cards.db") as cards, served(club, doors=doors) as results:
        sites = Sites(cards=cards, results=results)
        sites.link = f"{results}/enter?token={doors.new_link_token()}"
        yield sites
    doors.close()


@pytest.fixture(scope="module", name="page")
def page_of(browser: Browser, sites: Sites) -> Iterator[Page]:
    """A page in which styles and scripts are fetched once."""
    context = context_of(browser, locale="de-DE", has_touch=True)
    page = context.new_page()
    page.goto(sites.link)
    yield page
    context.close()


@pytest.mark.parametrize(("club", "path"), [(club, path) for club, paths in PAGES.items() for path in paths])
def test_a_page_fits_every_window(page: Page, sites: Sites, club: str, path: str) -> None:
    complaints, faults = complaints_of(page), []
    address, mark, moment = path.partition("#")
    address = f"{sites[club]}{address}{'&' if '?' in address else '?'}lang=de{mark}{moment}"
    first = crc32(path.encode()) % len(FRESH)
    fresh = FRESH if THOROUGH else FRESH[first : first + 1]
    for width, height in (*fresh, *(each for each in WINDOWS if each not in fresh)):
        page.set_viewport_size({"width": width, "height": height})
        if (width, height) in fresh:
            page.goto("about:blank")
            page.goto(address)
            shift = page.evaluate(SHIFTS)
            faults += [(width, height, f"moves by {shift:.3f}")] if shift > LEAST_SHIFT else []
        faults += [(width, height, each) for each in page.evaluate(FAULTS)]
    page.set_viewport_size({"width": 320, "height": 640})
    wide = page.evaluate("document.documentElement.style.fontSize = '200%', document.documentElement.scrollWidth")
    faults += [(320, 640, f"{wide} wide, with large text")] if wide > 320 else []
    assert faults == []
    assert complaints == []
