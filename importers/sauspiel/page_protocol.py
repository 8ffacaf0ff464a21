"""The protocol on a game page of sauspiel.de: hands, bidding and tricks."""

import re
from itertools import compress
from typing import NamedTuple

from archive.notation.game_words import letters
from archive.record import Call, Game, Trick
from archive.say import Message, message
from importers.html import Node, Page, attribute, classes, text_of
from importers.sauspiel import site_words as site
from importers.text import on_one_line

CODE = re.compile("[EGHS][AXZKOU987]")
TRICK = re.compile(r"(\d{1,2})\. Stich")
CARDS = ".game-protocol-trick-card, .tricks > .card"
PLAYED_BY = ".game-protocol-trick-card [data-username], .tricks > .card [data-username]"
OWN_HAND = '[id$="_Karten"]'
BIDDING = "Spielermittlung"
TAKER = "game-participant-title"  # class of the heading above the player who took a trick
MOST = 8  # tricks


def _card(page: Page, node: Node, key: Message | str) -> str:
    """Return the card of an element: the one class that is a code, its own or that of an element in it; none where a
    page that is cut off has only the frame of a card."""
    for element in (node, *node.css("span")):
        for name in classes(element):
            if CODE.fullmatch(name) and (card := site.read_card(name)):
                return card
    inner = node.css_first(".card-image")
    if inner is None and "card-image" not in classes(node):
        return ""
    text = attribute(inner if inner is not None else node, "class")
    page.report("unknown-card", node, key=key, card=text, alphabet=letters("german"))
    return "??"


# --- hands ------------------------------------------------------------------------------------------------------------


def owner_of(node: Node) -> str:
    return on_one_line(attribute(node, "id").removesuffix("_Karten"))


def _hand_nodes(page: Page) -> list["Node | None"]:
    """Return the elements of the four hands, in seat order. The old layout names no owner, but has all four."""
    named: dict[int, Node] = {}
    for node in page.tree.css(OWN_HAND):
        seat = page.seat(owner_of(node))
        if seat is None:
            page.report("unknown-player", node, key="Karten", entry=owner_of(node), players=", ".join(page.players))
        elif seat in named:
            page.report("line-not-read", node, text=message("importers.second-hand", player=page.players[seat]))
        else:
            named[seat] = node
    if named:
        return [named.get(seat) for seat in range(4)]
    unnamed: list[Node | None] = list(page.tree.css(".show-hand"))
    if unnamed and len(unnamed) != 4:
        page.report("line-not-read", unnamed[0], text=message("importers.nameless-hands", n=len(unnamed)))
    return unnamed if len(unnamed) == 4 else [None] * 4


def _is_marked(node: Node) -> bool:
    return bool({"highlight", "highlighted"} & set(classes(node)))


def hands(page: Page) -> tuple[tuple[tuple[str, ...] | None, ...] | None, int | None, dict[str, str] | None]:
    """Return the four hands as dealt, cards in the order of the page, which sorts them; how many cards of each, as
    written, were dealt first; and, if those are not the first written, the first cards by player instead."""
    nodes = _hand_nodes(page)
    spans = [
        node.css(".card-image") or (node.css("span") if "show-hand" in classes(node) else [])
        if node is not None
        else []
        for node in nodes
    ]
    hands_read = [
        tuple(_card(page, span, message("importers.hand-of", player=player)) for span in card_nodes) or None
        for player, card_nodes in zip(page.players, spans, strict=True)
    ]
    lacking = [player for player, hand in zip(page.players, hands_read, strict=True) if hand is None]
    if lacking:
        what = tuple(message("importers.lacks-hand", player=player) for player in lacking)
        page.report("log-incomplete", None, what=what)
    whole = None if len(lacking) == 4 else tuple(hands_read)
    marks = {seat: [_is_marked(span) for span in spans[seat]] for seat, node in enumerate(nodes) if node is not None}
    counts = {sum(marked) for marked in marks.values()}
    if not any(counts):
        return whole, None, None
    if len(counts) == 1 and all(marked == sorted(marked, reverse=True) for marked in marks.values()):
        return whole, counts.pop(), None
    first = {page.players[seat]: " ".join(compress(hands_read[seat] or (), marked)) for seat, marked in marks.items()}
    return whole, None, first


# --- sections ---------------------------------------------------------------------------------------------------------


class Section(NamedTuple):
    """A heading of the protocol with what follows it: rows, players and played cards, in order."""

    title: str
    node: Node
    rows: list[Node]
    players: list[Node]
    cards: list[Node]


def sections(page: Page) -> list[Section]:
    """Return the headings of the page, in order."""
    cards = {node.mem_id for node in page.tree.css(CARDS)}
    within = {node.mem_id for node in page.tree.css(PLAYED_BY)}
    sections_read: list[Section] = []
    root = page.tree.css_first("body")
    for node in root.traverse() if root is not None else ():
        last = sections_read[-1] if sections_read else None
        named = classes(node)
        if "tricks" in named and last and TRICK.search(last.title) and not last.cards:
            continue  # the heading of the trick came before
        if TAKER in named and last and TRICK.search(last.title):
            continue  # a heading inside the trick, above the player who took it
        if node.tag in ("h2", "h3", "h4", "h5") or "tricks" in named:
            title = "" if "tricks" in named else text_of(node)
            sections_read.append(Section(title[:200], node, [], [], []))
        elif last and node.mem_id in cards:
            last.cards.append(node)
        elif last and "card-row" in named:
            last.rows.append(node)
        elif last and node.mem_id not in within and attribute(node, "data-username"):
            last.players.append(node)
    return sections_read


def auction(page: Page, headings: list[Section], game: Game | None) -> tuple[Call, ...] | None:
    """Return the calls in order, up to the first that cannot be read, or None if the page has no bidding."""
    section = next((heading for heading in headings if heading.title == BIDDING), None)
    if section is None or not section.rows:
        if page.tree.css_first(".show-hand") is None:
            page.report("log-incomplete", section.node if section else None, what=message("importers.lacks-bidding"))
        return None
    calls: list[Call] = []
    for row in section.rows:
        text = text_of(row)
        read = {
            Call(seat, call)
            for seat, name in enumerate(page.players)
            if text.startswith(f"{name} ") and (call := site.read_call(text[len(name) + 1 :], game))
        }
        if len(read) != 1:
            page.report("line-not-read", row, text=text[:200])
            break
        calls.append(read.pop())
    return tuple(calls)


# --- tricks -----------------------------------------------------------------------------------------------------------


def tricks(
    page: Page, headings: list[Section], game: Game | None
) -> tuple[tuple[Trick, ...] | None, tuple[int | None, ...]]:
    """Return the tricks, a missing one as unknown, and who took each; None and () if there are none."""
    by_number: dict[int, tuple[Trick, int | None]] = {}
    for section in headings:
        match = TRICK.search(section.title)
        if not match and not section.cards:
            continue
        number = int(match[1]) if match else max(by_number, default=0) + 1
        if not match and section.title:
            page.report("line-not-read", section.node, text=section.title)
        if not 1 <= number <= MOST or number in by_number:
            page.report("line-not-read", section.node, text=section.title or message("importers.trick", n=number))
        elif section.cards:
            by_number[number] = (_trick(page, section, number), _winner(page, section, number))
        else:
            page.report("log-incomplete", section.node, what=message("importers.lacks-cards-of-trick", n=number))
    last = max(by_number, default=0)
    if gaps := [number for number in range(1, last) if number not in by_number]:
        page.report("log-incomplete", None, what=tuple(message("importers.trick", n=number) for number in gaps))
    if not by_number:
        if game is None or game.contract != "none":
            page.report("log-incomplete", None, what=message("importers.lacks-all-tricks"))
        return None, ()
    unknown = (Trick(("??",) * 4), None)
    whole = [by_number.get(number, unknown) for number in range(1, last + 1)]
    tricks, takers = zip(*whole, strict=True)
    return tricks, takers[:-1] if "??" in tricks[-1].cards and takers[-1] is None else takers  # it breaks off


def _player(page: Page, node: Node) -> int | None:
    link = node.css_first("[data-username]")
    return page.seat(on_one_line(attribute(link, "data-username"))) if link is not None else None


def _trick(page: Page, section: Section, number: int) -> Trick:
    """Return the cards in the order played, `??` for a missing one; the leader is the player of the first."""
    placed: dict[int, str] = {}
    leaders: list[int] = []
    for order, node in enumerate(section.cards):
        told = (re.fullmatch(r"position-?([0-3])", name) for name in classes(node))  # the place in the trick
        place, seat = next((int(match[1]) for match in told if match), order), _player(page, node)
        if place in placed or len(section.cards) > 4:
            cards = message("importers.cards", n=len(section.cards))
            page.report("deal-unreadable", section.node, why=message("importers.trick-has", n=number, cards=cards))
            return Trick(("??",) * 4)
        if not (card := _card(page, node, message("importers.trick", n=number))):
            continue
        placed[place] = card
        if seat is None:
            what = message("importers.lacks-player-of-card", card=place + 1, n=number)
            page.report("log-incomplete", node, what=what)
        else:
            leaders.append((seat - place) % 4)
    if len(placed) < 4:
        what = message("importers.lacks-some-of-trick", some=4 - len(placed), n=number)
        page.report("log-incomplete", section.node, what=what)
    if len(set(leaders)) > 1:
        page.report("line-not-read", section.node, text=message("importers.not-in-seat-order", n=number))
    return Trick(tuple(placed.get(place, "??") for place in range(4)), leaders[0] if leaders else None)


def _winner(page: Page, section: Section, number: int) -> int | None:
    """Return the seat named as having taken the trick, else the seat whose card is marked, or None."""
    named = [page.seat(on_one_line(attribute(node, "data-username"))) for node in section.players[:1]]
    marked = [_player(page, node) for node in section.cards if _is_marked(node)]
    takers = [seat for seat in (*named, *marked) if seat is not None]
    if not takers:
        page.report("log-incomplete", section.node, what=message("importers.lacks-taker", n=number))
    elif len(set(takers)) > 1:
        names = tuple(page.players[seat] for seat in dict.fromkeys(takers))
        page.report("line-not-read", section.node, text=message("importers.taken-by", n=number, players=names))
    return takers[0] if takers else None
