"""The parts of a page that can stand in a file: everything that needs no other address."""

import re
from collections.abc import Collection

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

# Parts that a file has no use for: links to other pages, forms, and requests to a server.
NOT_IN_FILES = (
    "dialog, form, nav, .crumbs, #what-if, #faces, .pager, [data-do=link], [data-do=share], [data-do=ways], "
    "[data-do=help], [data-act], .unread, #questions, .questions, .panel.print, #history, details > p > a"
)
NO_SCRIPT = "noscript"
SPRITE = re.compile(r'href="[^"#]*/(cards-[\w-]+\.svg)[^"#]*#')
DEAL = re.compile(r"/deals/(\d+)(?:[?#].*)?")
SIGN = re.compile(r"[?&]")


class PageParts(Struct, frozen=True):
    """The heading of a page, its main part as HTML, and the file of the sprite that its cards are drawn with."""

    title: str
    main: str
    sprite: str


def page_parts(html: str, deals: Collection[int] = (), stills: bool = True) -> PageParts:
    """Return the parts of a page of the viewer that stand in a file. A link to one of `deals` leads to `#deal-N`, one
    to any other page becomes its words; `stills` keeps the tricks for readers without scripts."""
    page = LexborHTMLParser(html)
    main = page.css_first("main")
    assert main is not None
    for part in main.css(NOT_IN_FILES if stills else f"{NOT_IN_FILES}, {NO_SCRIPT}"):
        part.decompose()
    for link in main.css("a"):
        _settle(link, deals)
    for acts in main.css(".acts"):
        if not acts.css("a, button"):
            acts.decompose()
    for fan in main.css(".still + .still .seat .fan"):  # the remaining hands, which readers with scripts see
        fan.decompose()
    heading = main.css_first("h1")
    text = (main.html or "").replace("></use>", "/>")
    found = SPRITE.search(text)
    return PageParts(
        " ".join(heading.text().split()) if heading else "",
        SPRITE.sub('href="#', text),
        found[1] if found else "cards-german.svg",
    )


def _settle(link: LexborNode, deals: Collection[int]) -> None:
    """Keep a link within the page, lead a link to a deal of the file there, turn any other into its words."""
    names = [name for name in ("href", "xlink:href") if name in link.attributes]
    address = link.attributes[names[0]] or "" if names else "#"
    if address.startswith("#"):
        return
    deal = DEAL.fullmatch(address)
    parent = link.parent
    classes = f"{link.attributes.get('class') or ''} {(parent.attributes.get('class') or '') if parent else ''}".split()
    if deal and int(deal[1]) in deals:
        for name in names:
            link.attrs[name] = f"#deal-{deal[1]}"
    elif {"btn", "acts"} & set(classes):
        link.decompose()
    else:
        link.unwrap()
