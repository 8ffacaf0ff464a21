"""`/deals/<id>.html` and `/sessions/<id>.html`: a deal or an evening as one file, to be handed on: its styles, scripts
and cards, everything that needs no other address, and a policy that allows nothing else.

A file may be passed on to anybody: it holds what a stranger would see of the archive, whoever downloads it.
"""

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from hashlib import sha256
from itertools import zip_longest

from flask import Flask, Response, abort, g, render_template
from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from archive.store import load_deal, session_verdicts
from archive.web.card_sprites import static_text
from archive.web.deal.routes import deal_page
from archive.web.request import HTML, NUMBER, connection, download, request_texts
from archive.web.session.queries import deals_of_session
from archive.web.session.routes import session_page

MOST = 200  # deals of an evening in one file


def setup(app: Flask) -> None:
    @app.get(f"/deals/{NUMBER}.html")
    def deal_as_file(number: int) -> Response:
        t = _as_stranger()
        if load_deal(connection(), number) is None:
            abort(404, t["of_none_deal"].format(number=number))
        return download(deal_file(deal_page(number)), t["of_deal_name"].format(number=number) + ".html", HTML)

    @app.get(f"/sessions/{NUMBER}.html")
    def session_as_file(number: int) -> Response:
        t = _as_stranger()
        if not session_verdicts(connection(), number):
            abort(404, t["of_none_session"].format(number=number))
        connection().set_progress_handler(None, 0)  # every deal is read
        deals = deals_of_session(connection(), number)[:MOST]
        pages = ((deal, deal_page(deal)) for deal in deals)
        name = t["of_session_name"].format(number=number) + ".html"
        return download(evening_file(session_page(number), pages), name, HTML)


def _as_stranger() -> dict[str, str]:
    g.as_stranger = True
    return dict(request_texts())


IMPORT = re.compile(r"^import (\{[^}]*\}) from '\./(\w+)\.js';$", re.MULTILINE)
EXPORT = re.compile(r"^export (const|function|async function) (\w+)", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
LINE_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)
WORD = re.compile(r"[\w-]+")
BRACE = re.compile(r"[{}]")
CHOICE = re.compile(r":(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)")
NAMED = re.compile(r"[.#]([A-Za-z_][\w-]*)")
SELECTOR = re.compile(r"(?:[^,()]|\((?:[^()]|\([^()]*\))*\))+")  # one of several, separated by commas
SYMBOL = re.compile(r'<symbol id="(\w+)".*?</symbol>\s*', re.DOTALL)
BLANK = re.compile(r'("[^"]*")|([:;,{}])[ \n]+')  # after signs, but not within a text
INDENT = re.compile(r"\n\s+")


@cache
def _rules(*names: str) -> str:
    """Return style sheets, by name, as one, without comments and needless blanks."""
    text = COMMENT.sub("", "\n".join(static_text(f"{name}.css") for name in names))
    return BLANK.sub(lambda found: found[1] or found[2], INDENT.sub("\n", text)).strip()


def styles(names: Sequence[str], within: str) -> str:
    """Return the rules of some style sheets that a page and its scripts, `within`, use."""
    return _rules_in_use(_rules(*names), frozenset(WORD.findall(within)))


def _rules_in_use(rules: str, words: frozenset[str]) -> str:
    """Return the rules with a selector that names only classes and ids of the page."""
    kept, start = [], 0
    while (opened := rules.find("{", start)) >= 0:
        head, end = rules[start:opened].strip(), _end_of_block(rules, opened)
        block = rules[opened + 1 : end - 1]
        start = end
        if head.startswith(("@media", "@supports")):
            block = _rules_in_use(block, words)
        elif not head.startswith("@"):
            head = ",".join(
                each for each in SELECTOR.findall(head) if words.issuperset(NAMED.findall(CHOICE.sub("", each)))
            )
        if head and block.strip():
            kept.append(f"{head}{{{block}}}")
    return "\n".join(kept)


def _end_of_block(text: str, opened: int) -> int:
    depth = 0
    for found in BRACE.finditer(text, opened):
        depth += 1 if found[0] == "{" else -1
        if not depth:
            return found.end()
    return len(text)


@cache
def scripts(*names: str) -> str:
    """Return modules, by name, as one script, each after those that it imports. The exports of a module are the value
    of a function of its own, so that names of two modules do not meet."""
    modules = []
    for name in names:
        text = INDENT.sub("\n", LINE_COMMENT.sub("", static_text(f"{name}.js")))
        exports = ", ".join(found[1] for found in EXPORT.findall(text))
        body = EXPORT.sub(r"\1 \2", IMPORT.sub(r"const \1 = module_\2;", text))
        modules.append(f"const module_{name.replace('-', '_')} = (() => {{\n{body}\nreturn {{ {exports} }};\n}})();")
    return "\n".join(modules)


@cache
def sprite(file: str) -> str:
    """Return the symbols of a pack, to stand within a page."""
    return static_text(file).strip().replace("<svg ", '<svg class="sprite" aria-hidden="true" ', 1)


def policy(styles_of: Iterable[str], scripts_of: Sequence[str]) -> str:
    """Return the Content-Security-Policy of a file that holds just these styles and scripts, and loads nothing."""
    return (
        f"default-src 'none'; style-src {' '.join(map(_hash, styles_of))}; "
        f"script-src {' '.join(map(_hash, scripts_of))}; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


# Parts that a file has no use for: links to other pages, forms, and requests to a server.
NOT_IN_FILES = (
    "dialog, form, nav, .crumbs, #what-if, #faces, .pager, [data-do=link], [data-do=share], [data-do=ways], "
    "[data-do=help], [data-act], .unread, #questions, .questions, .panel.print, #history, details > p > a"
)
NO_SCRIPT = "noscript"
SPRITE = re.compile(r'href="[^"#]*/(cards-[\w-]+\.svg)[^"#]*#')
DEAL = re.compile(r"/deals/(\d+)(?:[?#].*)?")


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


MOST_BYTES = 149_000  # of the file of a deal
OF_DEAL = ("archive", "deal", "portable")
OF_EVENING = ("archive", "ledger", "stack", "plots", "stats", "portable")
FRAME = "portable sprite foot wrap soft played btn acts back previous next how"  # what `file.html` has besides a page
PIECE = re.compile(r'(?=<section|<script|<template|<ol|<div class="seat)')
REPLAYED = 'id="replay"'  # part of the page of a deal with a table


def deal_file(html: str) -> str:
    """Return the page of a deal as a file. The tricks for readers without scripts, such as previews on telephones, are
    left out if they would make it too large to be sent."""
    whole = ""
    for stills in (True, False):
        page = page_parts(html, stills=stills)
        script = _script_of(page.main)
        style = styles(OF_DEAL, f"{page.main} {script} {FRAME}")
        whole = render_template(
            "portable/file.html", page=page, symbols=sprite(page.sprite), style=style, script=script, deals="",
            policy=policy((style,), (script,)),
        )  # fmt: skip
        if len(whole.encode()) <= MOST_BYTES:
            break
    return whole


def evening_file(html: str, deals: Iterable[tuple[int, str]]) -> str:
    """Return the page of an evening as a file, with the pages of its deals by their numbers."""
    held = {number: page_parts(each, stills=False) for number, each in deals}
    page, script = page_parts(html, held), scripts("evening-file")
    ways = sorted({_script_of(each.main) for each in held.values()})
    style = styles(OF_EVENING, f"{page.main} {script} {FRAME}")
    of_deal = styles(OF_DEAL, " ".join((*(each.main for each in held.values()), *ways, FRAME)))
    symbols = sorted({each.sprite for each in held.values()})
    packed = {
        "style": of_deal,
        "scripts": ways,
        "sprites": [sprite(name) for name in symbols],
        "deals": [
            (number, each.title, symbols.index(each.sprite), ways.index(_script_of(each.main)))
            for number, each in held.items()
        ],
        # The first pieces of all pages first: similar ones lie near each other, and compress well.
        "pieces": list(zip_longest(*(PIECE.split(each.main) for each in held.values()), fillvalue="")),
    }
    # the symbols that the page draws without a script
    drawn = SYMBOL.sub(lambda found: found[0] if f'href="#{found[1]}"' in page.main else "", sprite(page.sprite))
    text = json.dumps(packed, ensure_ascii=False, separators=(",", ":")).encode()
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    letters = b64encode(deflate.compress(text) + deflate.flush()).decode()
    return render_template(
        "portable/file.html", page=page, symbols=drawn, style=style,
        script=script, deals=letters, policy=policy((style, of_deal), (script, *ways)),
    )  # fmt: skip


def _script_of(main: str) -> str:
    """Return the script of a page: a deal without cards is read, not played."""
    return scripts("state", "table", "deal") if REPLAYED in main else ""
