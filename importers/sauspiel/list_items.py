"""The games in the list that a search on sauspiel.de gives: the players of each, what was played and what it cost, and
one hand at most. Every game is a session of its own, for nothing says that two of them belong together."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from archive.notation.game_words import letters
from archive.record import Deal, Finding, Game, Session, Source, Stated, finding
from archive.say import message
from importers.html import Node, Page, attribute, classes, line_of, text_of
from importers.sauspiel import site_words as site
from importers.text import on_one_line

ITEM = "games-item"
CARD = re.compile(r"card-icon-([EGHS?][AXZKOU987?])")
TIME = re.compile(r"\d{1,2}\.\d{1,2}\.\d{4},? \d{1,2}:\d{2}")
DASH = re.compile(r" [-–—] ")
OUTCOME = re.compile(r"\b(?:gewonnen|verloren)(?: mit \d{1,3})?\b", re.IGNORECASE)
PRICE = re.compile(r"\bErgebnis: ?((?:[^\W\d_]{1,3}|[€$]) ?[-−–]? ?\d[\d.,]{0,15})")
COUNT = re.compile(r"(?<![\d.,])(\d{0,2}) ?x (kontra|geklopft)\b", re.IGNORECASE)
OWN = "hands: the hand of a list is that of the player who is logged in"
LONG = "lange karte"


class Subtitle(NamedTuple):
    """The line under a title: `#1550000000 - 15.04.2026 20:08, in der Wirtschaft - Kurze Karte`."""

    number: str | None = None
    time: str | None = None
    place: str | None = None
    rules: tuple[str, ...] = ()


def read_list(tree: LexborHTMLParser, source: Source) -> Iterator[Session | Deal | Finding]:
    """Yield a session and its deal for each game of a page."""
    owner = text_of(tree.css_first(".topbar-username-mobile, .topbar-username"))  # of the person who saved the page
    items = tree.css(".games-item")
    if not items:
        yield finding("no-deals", source)
    for item in items:
        lines = [line_of(item), *(line_of(node) for node in item.css("*")[-1:])]
        yield from _read_item(item, owner, Source(source.path, min(lines), max(lines), source.sha256, 1))


def _read_item(item: Node, owner: str, source: Source) -> Iterator[Session | Deal | Finding]:
    names = (on_one_line(attribute(node, "data-username")) for node in item.css("[data-username]"))
    page = Page(item, source, tuple(dict.fromkeys(name for name in names if name)), [])
    if len(page.players) != 4:
        yield finding("deal-unreadable", source, why=message("importers.players", n=len(page.players)))
        return
    title, url, linked = _title(page)
    game = title.game if title else None
    subtitle = _read_subtitle(page, linked)
    hand = _hand(page)
    seat = page.seat(owner) if hand else None
    counts = _counts(item)
    stated, unit = _stated_values(page, text_of(item), title)
    is_short = any(rule.casefold() == site.SHORT for rule in subtitle.rules)
    settings, evidence = site.implied_settings(game, len(hand or ()), is_short)
    about = {"source": source, "place": subtitle.place, "inferred": evidence or None}
    yield site.session_of(page.players, subtitle.time, unit, site.site_settings(None, None) | settings, **about)
    yield Deal(
        source=source,
        id=subtitle.number or linked,
        inferred=(OWN,) if seat is not None else None,
        hands=None if seat is None else tuple(hand if place == seat else None for place in range(4)),
        knocks=counts.get("geklopft"),
        game=game,
        doubles=counts.get("kontra"),
        stated=site.unless_empty(stated),
        url=url,
        time=subtitle.time,
        x={"hand": " ".join(hand)} if hand and seat is None else None,
    )
    yield from sorted(page.findings, key=lambda item: item.source.line if item.source else 0)


def _title(page: Page) -> tuple[site.Title | None, str | None, str | None]:
    """Return the title, the address that it leads to, and the game's number in that address."""
    link = page.tree.css_first('.card-title a, a[href*="/spiele/"]')
    if link is None:
        page.report("log-incomplete", None, what=message("importers.lacks-title"))
        return None, None, None
    text = text_of(link)[:500]
    title = site.read_title(text, page.players)
    if title is None:
        page.report("unknown-contract", link, entry=text)
    address = attribute(link, "href")
    number = re.search(r"/spiele/(\d{1,15})(?!\d)", address)
    if not number:
        return title, None, None
    return title, address if re.match("https?://", address) else f"https://www.{site.ORIGIN}{address}", number[1]


def _read_subtitle(page: Page, linked: str | None) -> Subtitle:
    node = page.tree.css_first(".card-title-subtext")
    text = text_of(node)[:500]
    moment = TIME.search(text)
    time = site.read_time(moment[0]) if moment else None
    if moment is None or time is None:
        page.report("log-incomplete", node, what=message("importers.lacks-time"))
        return Subtitle(linked)
    match = re.search(r"#([\d.]{1,30})", text[: moment.start()])
    number = site.read_number(match[1].rstrip(".")) if match else None
    if number and linked and number != linked:
        page.refuse(node, "number", number, message("importers.as-linked", number=linked))
    place, *rest = DASH.split(f" {text[moment.end() :].lstrip(', ')}")
    rules = tuple(rule.strip() for part in rest for rule in part.split(","))
    for rule in site.unknown_rules(rules):
        if rule.casefold() != LONG:
            page.refuse(node, "Sonderregeln", rule, site.SPECIAL_RULES)
    return Subtitle(number, time, place.strip() or None, rules)


def _hand(page: Page) -> tuple[str, ...] | None:
    """Return the one hand of a game, or None if it was thrown in."""
    cards = []
    for node in page.tree.css('[class*="card-icon-"]'):
        named = [match[1] for name in classes(node) if (match := CARD.fullmatch(name))]
        card = site.read_card(named[0]) if named else None
        if card is None:
            page.report("unknown-card", node, key="hand", card=attribute(node, "class"), alphabet=letters("german"))
        cards.append(card or "??")
    return tuple(cards) or None


def _counts(item: Node) -> dict[str, int]:
    """Return how often the list says `kontra` and `geklopft`, if it gives a number, which may stand in an element of
    its own; the number that ends another text before it does not count."""
    texts = [" ".join(node.text().split()) for node in item.traverse(include_text=True) if node.tag == "-text"]
    texts = [text for text in texts if text]
    counts: dict[str, int] = {}
    for before, text in zip(["", *texts], texts, strict=False):
        for match in COUNT.finditer(text):
            number = match[1] or (before if match.start() == 0 and re.fullmatch(r"\d{1,2}", before) else "")
            if number:
                counts.setdefault(match[2].casefold(), int(number))
    return counts


def _stated_values(page: Page, text: str, title: site.Title | None) -> tuple[Stated, str | None]:
    """Return the stated result, runners and price, and the unit of the price."""
    game = title.game if title else Game("none")
    price, outcome = PRICE.search(text), OUTCOME.search(text)
    amount = site.read_amount(price[1].rstrip(".,")) if price else None
    read = site.read_outcome(outcome[0]) if outcome else None
    if amount is None:
        page.report("log-incomplete", None, what=message("importers.lacks-price-line"))
    if read is None and game.declarer is not None:
        page.report("log-incomplete", None, what=message("importers.lacks-winner"))
    alone = read if game.declarer is not None else None
    stated = Stated(
        points=alone.points if alone else None,
        won=alone.won if alone else None,
        runners=title.runners if title else None,
        price=amount.value if amount else None,
        result=outcome[0] if outcome else None,
    )
    return stated, amount.unit if amount else None
