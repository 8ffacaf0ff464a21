"""Game pages of sauspiel.de, saved by a browser or as fetched: today's layout and the one from before 2016.

Anything damaged costs only itself and a finding with its line; the rest of the page is kept.
`docs/formats/sauspiel-page.md` says where everything is on a page."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from archive.record import Deal, Finding, Game, Session, Source, Stated, finding
from archive.say import message
from importers.html import Node, Page, attribute, classes, parse_page, text_of
from importers.sauspiel import page_protocol as protocol
from importers.sauspiel import site_words as site
from importers.sauspiel.list_items import ITEM, read_list
from importers.text import as_utf8, decode_file, on_one_line

NAME = "sauspiel-page"
SIGNS = ("game-participants", "game-result-table", "game-protocol-", "game-name-title", "trick-container")
ADDRESS = re.compile(rb"(?:og:url|canonical)[^>]{0,200}sauspiel\.de/spiele/\d")
BEGIN = re.compile(r"^[ \t]*<!doctype html|(?<=</html>)\s*<(?:!doctype |)html\b", re.IGNORECASE | re.MULTILINE)
ROLE = re.compile(r"(?:mit|gegen)?spieler\b|[^\W\d_]{4,}", re.IGNORECASE)  # units of amounts are shorter words
ROLES = ("spieler", "mitspieler", "gegenspieler")
ROWS = ("Tarif", "Turnier", "Sonderregeln", "Laufende", "Spielausgang", "Wert", "Klopfer", "Kontra und Retour")


class PageText(NamedTuple):
    """The text of a row of the result table, or of a player's box, with its element."""

    text: str
    node: Node


def matches(name: str, head: bytes) -> bool:
    """Return whether the file is an HTML page of one game of the site."""
    head = as_utf8(head)
    if not head.lstrip().startswith(b"<") or ITEM.encode() in head or b"sauspiel" not in head.lower():
        return False
    return any(sign.encode() in head for sign in SIGNS) or bool(ADDRESS.search(head))


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Yield a session and its deal for each page of the file: one, unless pages were put together, of lists too."""
    line, text = 1, decode_file(data)
    # A beginning of a page without a sign of a game is in a script.
    starts = [0, *(match.start() for match in BEGIN.finditer(text) if _has_sign(text[: match.start()]))]
    parts = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    for part in parts if all(map(_has_sign, parts)) else [text]:
        end = line + part.count("\n")
        yield from _read(part, Source(source.path, line, end, source.sha256, 1))
        line = end


def _has_sign(text: str) -> bool:
    return any(sign in text for sign in (*SIGNS, ITEM))


def _read(text: str, source: Source) -> Iterator[Session | Deal | Finding]:
    tree = parse_page(text, source.line)
    if tree is None:
        yield finding("deal-unreadable", source, why=message("importers.not-closed"))
        return
    boxes = _boxes(tree.css(".game-participants [data-username], .players [data-username]"))
    if ITEM in text and not boxes:
        yield from read_list(tree, source)
        if text.rfind("<html") > text.rfind("</html"):  # after it a list has no sign of its end
            at = Source(source.path, source.end_line or source.line, None, source.sha256)
            yield finding("log-incomplete", at, what=message("importers.lacks-rest-of-page"))
        return
    named = dict.fromkeys(filter(None, map(protocol.owner_of, tree.css(protocol.OWN_HAND))))
    page = Page(tree, source, tuple(boxes or named), [])
    if not page.players and not tree.css(f"{protocol.CARDS}, {protocol.OWN_HAND}, .show-hand"):
        yield finding("no-deals", Source(source.path, source.line, None, source.sha256))
        return
    if len(page.players) != 4:
        yield finding("deal-unreadable", source, why=message("importers.players", n=len(page.players)))
        return
    if not boxes:
        page.report("log-incomplete", None, what=message("importers.lacks-roles"))
    yield from _session_and_deal(page, list(boxes.values()))
    yield from sorted(page.findings, key=lambda item: item.source.line if item.source else 0)


def _boxes(nodes: Sequence[Node]) -> dict[str, Node]:
    """Return the players, forehand first, each with the element that tells role and amount."""
    boxes: dict[str, Node] = {}
    for node in nodes:
        box = node
        while "game-participant" not in classes(box) and box.parent is not None:
            if {"game-participants", "players"} & set(classes(box.parent)):
                break
            box = box.parent
        boxes.setdefault(on_one_line(attribute(node, "data-username")), box)
    boxes.pop("", None)
    return boxes


def _session_and_deal(page: Page, boxes: list[Node]) -> Iterator[Session | Deal]:
    rows, x = _rows(page)
    number, time = _heading(page)
    roles = [_role(page, seat, box) for seat, box in enumerate(boxes)]
    title = _title(page, roles)
    game, runners = title or (None, None)
    tariff = _tariff(page, rows)
    payments, price, unit = _amounts(page, boxes, rows.get("Wert"), tariff)
    if tariff and tariff.unit not in (None, unit):
        row, tariff = rows["Tarif"], None
        page.refuse(row.node, "Tarif", row.text, message("importers.tariff-unit", unit=unit))
    special = _special(page, rows.get("Sonderregeln"))
    url = _address(page)
    house = site.site_settings(tariff.text if tariff else None, special)
    event = rows["Turnier"].text if "Turnier" in rows else None
    yield site.session_of(page.players, time, unit, house, source=page.source, event=event)
    headings = protocol.sections(page)
    tricks, takers = protocol.tricks(page, headings, game)
    hands, packet, first = protocol.hands(page)
    size = max((len(hand) for hand in hands or () if hand), default=0)
    if tricks and len(tricks) < size and not (game and "tout" in game.words):
        page.report("log-incomplete", None, what=message("importers.lacks-tricks", n=size))
        takers += (None,) * (len(tricks) == size - 1)  # of the last one, which plays itself
    stated = _stated_values(page, rows, game, runners, boxes)
    doubled = _names(page, rows, "Kontra und Retour")
    _compare_runners(page, rows.get("Laufende"), runners, x)
    x |= {"first packet": first} if first else {}
    winners = tuple(seat for seat in takers if seat is not None)
    if winners and None in takers:
        x |= {"winners": ["?" if seat is None else page.players[seat] for seat in takers]}
    yield Deal(
        source=page.source,
        id=number or (re.findall(r"/spiele/(\d+)", url)[0] if url else None),
        inferred=(site.DEALER,),
        dealer=3,
        hands=hands,
        packet=packet,
        knocks=_names(page, rows, "Klopfer"),
        auction=protocol.auction(page, headings, game),
        game=game,
        doubles=None if doubled is None else site.doubles_of(doubled),
        tricks=tricks,
        stated=site.unless_empty(
            Stated(
                winners=None if None in takers else winners or None,
                price=price,
                payments=payments,
                partner=roles.index("mitspieler") if "mitspieler" in roles else None,
                **stated,
            )
        ),
        url=url,
        time=time,
        x=x or None,
    )


# --- the head ---------------------------------------------------------------------------------------------------------


def _heading(page: Page) -> tuple[str | None, str | None]:
    """Return number and time of the game, None for either if it is missing."""
    for node in page.tree.css(".title-supertext, h1, h2, h3"):
        match = re.search(r"\bSpiel #([\d.]{1,30})", text_of(node)[:500])
        if match and (number := site.read_number(match[1].rstrip("."))):
            time = site.read_time(text_of(node)[:500])
            if time is None:
                page.report("log-incomplete", node, what=message("importers.lacks-time"))
            return number, time
    page.report("log-incomplete", None, what=message("importers.lacks-number-and-time"))
    return None, None


def _address(page: Page) -> str | None:
    nodes = page.tree.css('meta[property="og:url"], link[rel="canonical"]')
    addresses = (attribute(node, "content") or attribute(node, "href") for node in nodes)
    return next((address for address in addresses if re.search(r"/spiele/\d", address)), None)


def _title(page: Page, roles: Sequence[str]) -> site.Title | None:
    """Return the title of the page. If it could end with the names of two players, the roles tell the declarer."""
    nodes = page.tree.css('h1, meta[property="og:title"], meta[name="twitter:title"]')
    texts = [(node, on_one_line(text_of(node) or attribute(node, "content"))[:500]) for node in nodes]
    alone = roles.index("spieler") if roles.count("spieler") == 1 else None
    for node, text in texts:
        title = site.read_title(text, page.players, alone)
        if title:
            if alone not in (None, title.game.declarer):
                expected = message("importers.who-plays", player=page.players[alone or 0])
                page.refuse(node, "title", text, expected)
            return title
    if texts:
        page.report("unknown-contract", texts[0][0], entry=texts[0][1])
    else:
        page.report("log-incomplete", None, what=message("importers.lacks-title"))
    return None


def _role(page: Page, seat: int, box: Node) -> str:
    """Return spieler, mitspieler, gegenspieler, or nothing; another word, as in a translated page, is a finding."""
    node = box.css_first(".game-participant-role, p")
    match = ROLE.match(text_of(node))
    role = match[0].casefold() if match else ""
    if role and role not in ROLES:
        page.refuse(node, page.players[seat], text_of(node)[:80], ", ".join(map(str.capitalize, ROLES)))
    return role if role in ROLES else ""


# --- the result table -------------------------------------------------------------------------------------------------


def _rows(page: Page) -> tuple[dict[str, PageText], dict[str, Any]]:
    """Return the rows of the result table that have a meaning here, and the others."""
    rows: dict[str, PageText] = {}
    others: dict[str, Any] = {}
    in_table = {node.mem_id for node in page.tree.css(".game-result-table tr")}
    for row in page.tree.css("tr"):
        head, cell = row.css_first("th"), row.css_first("td")
        if head is None or cell is None:
            continue
        label, cell_text = text_of(head).rstrip(":"), PageText(text_of(cell), cell)
        if label in rows:
            page.report("line-not-read", row, text=message("importers.row-twice", text=f"{label} {cell_text.text}"))
        elif label in ROWS:
            rows[label] = cell_text
        elif row.mem_id in in_table and label:
            others[label] = cell_text.text
    if not rows:
        page.report("log-incomplete", None, what=message("importers.lacks-table"))
    else:
        needed = [row_name for row_name in ROWS if row_name not in rows and row_name not in ("Tarif", "Turnier")]
        needed += [] if "Tarif" in rows or "Turnier" in rows else ["Tarif"]
        if needed:
            page.report("log-incomplete", next(iter(rows.values())).node, what=", ".join(needed))
    return rows, others


def _tariff(page: Page, rows: dict[str, PageText]) -> site.Tariff | None:
    row = rows.get("Tarif")
    tariff = site.read_tariff(row.text) if row else None
    if row and tariff is None:
        page.refuse(row.node, "Tarif", row.text, "P 10 / 20 / 50")
    return tariff


def _special(page: Page, row: PageText | None) -> list[str] | None:
    """Return the special rules, from titles of pictures or words, or None without a row for them."""
    if row is None:
        return None
    rules = [title for image in row.node.css("img, .rules__rule") if (title := attribute(image, "title"))]
    rules = rules or [rule.strip() for rule in row.text.split(",") if rule.strip() not in site.NOTHING]
    for rule in site.unknown_rules(rules):
        page.refuse(row.node, "Sonderregeln", rule, site.SPECIAL_RULES)
    return rules


def _amounts(
    page: Page, boxes: list[Node], row: PageText | None, tariff: site.Tariff | None
) -> tuple[tuple[int | None, ...] | None, int | None, str | None]:
    """Return the payments, the price, and the unit of both."""
    spans = [box.css_first(".game-participant-role span, p span") for box in boxes]
    places = [*(None if span is None else PageText(text_of(span), span) for span in spans), row]
    amounts = [site.read_amount(place.text) if place else None for place in places]
    units = Counter(amount.unit for amount in amounts if amount)
    units.update([tariff.unit] if tariff and tariff.unit else [])
    unit = units.most_common(1)[0][0] if units else None
    for index, (place, amount) in enumerate(zip(places, amounts, strict=True)):
        who = "Wert" if index == len(boxes) else page.players[index]
        if place and (amount is None or amount.unit != unit) and not (who == "Wert" and place.text in site.NOTHING):
            expected = message("importers.amount-unit", unit=unit) if unit else message("importers.amount-like")
            page.refuse(place.node, who, place.text, expected)
        elif place is None and index < len(boxes):
            page.report("log-incomplete", boxes[index], what=message("importers.lacks-amount", player=who))
    *payments, price = (amount.value if amount and amount.unit == unit else None for amount in amounts)
    return (tuple(payments) if any(paid is not None for paid in payments) else None), price, unit


def _names(page: Page, rows: dict[str, PageText], key: str) -> tuple[int, ...] | None:
    """Return the seats named in a row, in order: () for a dash, None without the row or with an unknown name."""
    row = rows.get(key)
    if row is None:
        return None
    names = [text_of(link) for link in row.node.css("a")]
    names = names or [part.strip() for part in row.text.split(",") if part.strip() not in site.NOTHING]
    seats = []
    for name in names:
        if (seat := page.seat(name)) is None:
            page.report("unknown-player", row.node, key=key, entry=name, players=", ".join(page.players))
            return None
        seats.append(seat)
    return tuple(seats)


def _compare_runners(page: Page, row: PageText | None, runners: int | None, x: dict[str, Any]) -> None:
    """Compare the row's runners, which have no sign, with the title's; if it has none, keep the row in `x`."""
    if row is None or row.text in site.NOTHING:
        return
    if runners is None:
        x["Laufende"] = row.text
    elif row.text != str(abs(runners)):
        page.refuse(row.node, "Laufende", row.text, message("importers.as-in-title", n=abs(runners)))


def _stated_values(
    page: Page, rows: dict[str, PageText], game: Game | None, runners: int | None, boxes: list[Node]
) -> dict[str, Any]:
    """Return result and runners. In a Ramsch the one player not marked among the winners is the loser."""
    row, stated = rows.get("Spielausgang"), {"runners": runners}
    if game and game.contract == "ramsch":
        lost = [seat for seat, box in enumerate(boxes) if "highlight" not in classes(box)]
        stated["loser"] = lost[0] if len(lost) == 1 else None
    if row is None or row.text in site.NOTHING:
        return stated
    outcome = site.read_outcome(row.text)
    if outcome is None and not (game and game.declarer is None):
        page.refuse(row.node, "Spielausgang", row.text, "Gewonnen mit 75 Augen (Normal)")
    elif outcome and game and game.declarer is not None:
        stated |= outcome._asdict()
    return stated | {"result": row.text}
