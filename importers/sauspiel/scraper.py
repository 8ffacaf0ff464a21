"""The JSON lines of the open-source sauspiel-scraper, as `docs/formats/sauspiel-scraper.md` describes them.

A line is what that program found on the page of one game of sauspiel.de; what it did not find is absent. The players
are in the order of the page, forehand first. An entry that cannot be read costs its line."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Annotated, Any, NamedTuple, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from archive.cards import read_card
from archive.notation.convert import convert_table
from archive.notation.game_words import letters
from archive.notation.jsonl import without_null_keys
from archive.notation.problem import Problem
from archive.record import Deal, Double, Finding, Session, Source, Stated, Trick, finding
from archive.say import Message, message
from importers import json_text
from importers.json_text import Part
from importers.sauspiel import site_words as site
from importers.text import decode_file, on_one_line

NAME = "sauspiel-scraper"

SIGN = b'"game_id"'
KEYS = re.compile(r'"(?:initial_hands|tricks|game_type|klopfer|players|meta)"\s*:')
SEATS = range(4)
CARD = re.compile(r"(?P<seat>[0-3?]):(?P<card>.*)", re.DOTALL)
MINUTE = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
MOST = 20  # findings for one line, which the first one costs
ROLES = {"spieler", "mitspieler", "gegenspieler"}
Seat = Annotated[int, Meta(ge=0, le=3)]
T = TypeVar("T")


class ScrapedTrick(Struct):
    cards: list[str] | None = None
    winner: Seat | None = None


class ResultTable(Struct):
    """The result table of a page. Rows without a key of their own are extra, in older versions beside the others."""

    date: str | None = None
    deck_type: str | None = None
    location: str | None = None
    wert: str | None = None
    spielausgang: str | None = None
    laufende: str | None = None
    tarif: str | None = None
    turnier: str | None = None
    sonderregeln: str | None = None
    kontra_und_retour: str | None = None


class ScrapedGame(Struct):
    game_id: int | str | None = None
    url: str | None = None
    title: str | None = None
    game_type: str | None = None
    players: list[str] | None = None
    roles: dict[str, str] | None = None
    klopfer: list[str] | None = None
    initial_hands: dict[str, list[str | None]] | None = None
    tricks: list[ScrapedTrick] | None = None
    meta: dict[str, Any] | None = None


class ScrapedPage(NamedTuple):
    """A line, its result table with the rows that have no meaning here, its place, its players and its findings."""

    line: ScrapedGame
    table: ResultTable
    rest: dict[str, Any]
    source: Source
    players: tuple[str, ...]
    findings: list[Finding]

    def report(self, rule: str, **facts: Any) -> None:
        if len(self.findings) < MOST:
            self.findings.append(finding(rule, self.source, **facts))

    def refuse(self, key: str, entry: str | None, expected: Message | str) -> None:
        """Add the finding of an entry that cannot be read, with what was expected."""
        self.report("bad-entry", key=key, entry=entry, expected=expected)

    def seat(self, key: str, name: str) -> int | None:
        """Return the seat of a player; for a name that nobody has, add a finding and return None."""
        if name in self.players:
            return self.players.index(name)
        self.report("unknown-player", key=key, entry=name, players=", ".join(self.players))
        return None


# --- the file ---------------------------------------------------------------------------------------------------------


def matches(name: str, head: bytes) -> bool:
    """Return whether the first bytes of a file are those of such lines, by their own keys."""
    start = decode_file(head)
    return json_text.is_json(start) and SIGN.decode() in start and bool(KEYS.search(start))


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Return a head wherever it changes, the deals of the lines, and findings with their place."""
    return json_text.read_games(data, source, SIGN, _is_document, _games)


def _games(part: Part, value: Any, source: Source) -> Iterator[json_text.Game]:
    strange = False
    is_list = isinstance(value, list) and _is_document(value)
    parts = zip(json_text.list_parts(part), value, strict=True) if is_list else [(part, value)]
    for one, entry in parts:  # consecutive elements of a list that are no games are reported at the first
        if _is_game(entry) or not strange:
            yield _game(entry, replace(source, line=one.line, end_line=one.end_line))
        strange = not _is_game(entry)


def _is_game(value: Any) -> bool:
    return isinstance(value, dict) and "game_id" in value


def _is_document(value: Any) -> bool:
    return _is_game(value) or (isinstance(value, list) and any(map(_is_game, value)))


def _game(value: Any, source: Source) -> json_text.Game:
    """Return one game, or the findings that keep it from being read."""
    if not isinstance(value, dict):
        return json_text.unreadable_game(source, message("importers.not-an-object"))
    of_names = {key: without_null_keys(value[key]) for key in ("roles", "initial_hands") if key in value}
    line, problems = convert_table(value | of_names, ScrapedGame, strict=False)  # null for the names of other lines
    meta = (line.meta if line else None) or {}
    rows, extra = {key: meta[key] for key in meta if key != "extra_fields"}, meta.get("extra_fields")
    rows |= extra if isinstance(extra, dict) else {}
    table, wrong = convert_table(rows, ResultTable)
    if line is None or table is None:
        every = (*problems, *(Problem("", f"meta.{problem.key}", why=problem.facts["why"]) for problem in wrong))
        errors = (finding("wrong-type", source, key=problem.key, why=problem.facts["why"]) for problem in every)
        return json_text.Game(source, tuple(errors))
    rest = {key: value[key] for key in value if key not in ScrapedGame.__struct_fields__}
    rest |= {key: rows[key] for key in rows if key not in ResultTable.__struct_fields__}
    page = ScrapedPage(line, table, rest, source, tuple(line.players or ()), [])
    if len(page.players) != len(SEATS):
        return json_text.unreadable_game(source, message("importers.players-forehand-first", n=len(page.players)))
    return _record(page)


# --- the record -------------------------------------------------------------------------------------------------------


def _record(page: ScrapedPage) -> json_text.Game:
    line, table = page.line, page.table
    roles = _roles(page)
    title = _title(page, roles)
    game = title.game if title else None
    tariff = _read(page, "tarif", site.read_tariff, "P 10 / 20 / 50")
    amount = _read(page, "wert", site.read_amount, "P 400")
    unit = amount.unit if amount else tariff.unit if tariff else None
    if amount and (amount.value < 0 or (tariff and tariff.unit not in (None, unit))):
        page.refuse("meta.wert", table.wert, message("importers.price-unit"))
    time = _read(page, "date", _time, "2026-04-15T20:08:00")
    hands, tricks = _hands(page), _tricks(page)
    size = max((len(hand) for hand in hands or () if hand), default=0)
    short = on_one_line(table.deck_type or "").casefold() == site.SHORT
    settings, why = site.implied_settings(game, size, short)
    house = site.site_settings(tariff.text if tariff else None, None) | settings
    about = {"event": table.turnier, "place": table.location, "inferred": why or None}
    session = site.session_of(page.players, time, unit, house, **about)
    stated = _stated_values(page, title, roles)
    deal = Deal(
        id=None if line.game_id is None else str(line.game_id),
        inferred=(site.DEALER,),
        dealer=3,
        hands=hands,
        knocks=_knocks(page),
        game=game,
        doubles=_doubles(page),
        tricks=tricks,
        stated=site.unless_empty(replace(stated, price=amount.value if amount else None)),
        url=line.url,
        time=time,
        x=_x(page, title, roles, short),
    )
    if page.findings:
        return json_text.Game(page.source, tuple(page.findings))
    if lacks := tuple(_lacks(deal, page, size)):
        page.report("log-incomplete", what=lacks)
    return json_text.Game(page.source, tuple(page.findings), session, deal)


def _read(page: ScrapedPage, key: str, read_text: Callable[[str], T | None], expected: str) -> T | None:
    """Return the value of a row of the result table, or None if it is absent, has a dash, or cannot be read."""
    written = getattr(page.table, key)
    if written is None or written.strip() in site.NOTHING:
        return None
    value = read_text(written)
    if value is None:
        page.refuse(f"meta.{key}", written, expected)
    return value


def _time(written: str) -> str | None:
    """Return a moment with its minute, in ISO form, or None; seconds only if there are some."""
    try:
        moment = datetime.fromisoformat(written) if MINUTE.match(written) else None
    except ValueError:
        return None
    return moment.isoformat(timespec="auto" if moment.second or moment.microsecond else "minutes") if moment else None


def _roles(page: ScrapedPage) -> list[str]:
    """Return the role of each seat: spieler, mitspieler, gegenspieler, or nothing."""
    roles = [""] * len(SEATS)
    for name, role in (page.line.roles or {}).items():
        seat = page.seat("roles", name)
        if seat is not None and role.casefold() in ROLES:
            roles[seat] = role.casefold()
    return roles


def _title(page: ScrapedPage, roles: list[str]) -> site.Title | None:
    """Return the game that the title names, or None. If it could end with the names of two players, or names none, the
    roles tell the declarer."""
    written = page.line.title
    if not written:
        return None
    alone = roles.index("spieler") if roles.count("spieler") == 1 else None
    title = site.read_title(written, page.players, alone)
    if title is None:
        page.report("unknown-contract", entry=written)
        return None
    if title.game.contract in site.ALONE or alone in (None, title.game.declarer):
        return title
    if title.game.declarer is not None:
        page.refuse("roles", page.players[alone or 0], message("importers.who-plays-by-title"))
    return title._replace(game=replace(title.game, declarer=alone))


# --- cards ------------------------------------------------------------------------------------------------------------


def _code(page: ScrapedPage, key: str, written: str | None) -> str:
    """Return the code of a card, `??` for an unknown one; a title that the scraper did not know is a finding."""
    if written is None or written == "?":
        return "??"
    code = read_card(written.replace("-", ""))
    if code is None:
        page.report("unknown-card", key=key, card=written, alphabet=letters("german"))
    return code or "??"


def _hands(page: ScrapedPage) -> tuple[tuple[str, ...] | None, ...] | None:
    hands: list[tuple[str, ...] | None] = [None] * len(SEATS)
    for name, cards in (page.line.initial_hands or {}).items():
        if (seat := page.seat("initial_hands", name)) is not None:
            hands[seat] = tuple(_code(page, f"initial_hands.{name}", card) for card in cards)
    return tuple(hands) if any(hands) else None


def _tricks(page: ScrapedPage) -> tuple[Trick, ...] | None:
    if page.line.tricks is None:
        return None
    tricks = enumerate(page.line.tricks, 1)
    return tuple(_trick(page, number, taken.cards or []) for number, taken in tricks if len(page.findings) < MOST)


def _trick(page: ScrapedPage, number: int, written: list[str]) -> Trick:
    """Return the cards as played, with the leader by any card whose player is known."""
    matches = [CARD.fullmatch(text) for text in written]
    for text, match in zip(written, matches, strict=True):
        if match is None:
            page.refuse("tricks", text, message("importers.seat-and-card"))
    parts = [(match["seat"], _code(page, "tricks", match["card"])) for match in matches if match]
    leaders = {(int(seat) - place) % 4 for place, (seat, _) in enumerate(parts) if seat != "?"}
    if not written or len(written) > 4 or (len(written) < 4 and number < len(page.line.tricks or ())):
        cards = message("importers.cards", n=len(written))
        page.report("deal-unreadable", why=message("importers.trick-has", n=number, cards=cards))
    elif len(leaders) > 1:
        page.report("deal-unreadable", why=message("importers.not-in-play-order", n=number))
    return Trick(tuple(card for _, card in parts), min(leaders, default=None))


# --- calls and results ------------------------------------------------------------------------------------------------


def _knocks(page: ScrapedPage) -> tuple[int, ...] | None:
    if page.line.klopfer is None:
        return None
    seats = (page.seat("klopfer", name) for name in page.line.klopfer)
    return tuple(seat for seat in seats if seat is not None)


def _doubles(page: ScrapedPage) -> tuple[Double, ...] | None:
    """Return Kontra, Retour and so on in turn, from names that run together: `Resi,Xaver`; None if not told."""
    written = page.table.kontra_und_retour
    if written is None or written.strip() in site.NOTHING:
        return None if written is None else ()
    readings = site.read_names(written, page.players)
    if len(readings) != 1:
        page.refuse("meta.kontra_und_retour", written, message("importers.names"))
        return None
    return site.doubles_of(readings[0])


def _stated_values(page: ScrapedPage, title: site.Title | None, roles: list[str]) -> Stated:
    table, won = page.table, [taken.winner for taken in page.line.tricks or ()]
    runners = title.runners if title else None
    count = (table.laufende or "").strip()
    if count not in site.NOTHING and runners is not None and count != str(abs(runners)):
        page.refuse("meta.laufende", count, message("importers.as-in-title", n=abs(runners)))
    result = _read(page, "spielausgang", str, "")
    outcome = site.read_outcome(result) if result else None
    alone = title is None or title.game.contract in site.ALONE
    if result and outcome is None and not alone:
        page.refuse("meta.spielausgang", result, "Gewonnen mit 75 Augen (Normal)")
    return Stated(
        winners=tuple(seat for seat in won if seat is not None) if won and None not in won else None,
        partner=roles.index("mitspieler") if roles.count("mitspieler") == 1 else None,
        runners=runners,
        result=result,
        **(outcome._asdict() if outcome and not alone else {}),
    )


def _x(page: ScrapedPage, title: site.Title | None, roles: list[str], short: bool) -> dict[str, Any] | None:
    """Return the values of a line that have no meaning here, for the free table of the record."""
    line, table, x = page.line, page.table, dict(page.rest)
    if title is None:
        x["game_type"] = line.game_type
    if table.laufende and table.laufende.strip() not in site.NOTHING and (title is None or title.runners is None):
        x["laufende"] = table.laufende
    if "" in [roles[page.players.index(name)] for name in line.roles or () if name in page.players]:
        x["roles"] = line.roles
    if not short:
        x["deck_type"] = table.deck_type
    x["sonderregeln"] = table.sonderregeln
    winners = [taken.winner for taken in line.tricks or ()]
    if None in winners and set(winners) != {None}:
        x["winners"] = ["?" if seat is None else page.players[seat] for seat in winners]
    return {key: json_text.as_free_value(value) for key, value in x.items() if value not in (None, "", [], {})} or None


def _lacks(deal: Deal, page: ScrapedPage, size: int) -> Iterator[Message]:
    """Yield the parts of a whole line that this one lacks."""
    if not page.line.title:
        yield message("importers.lacks-title")
    if page.line.meta is None:
        yield message("importers.lacks-meta")
    game, played = deal.game, sum(len(trick.cards) for trick in deal.tricks or ())
    if game is None or game.contract == "none":
        return
    if deal.hands is None or None in deal.hands:
        yield message("importers.lacks-initial-hands")
    if played < 4 * size and "tout" not in game.words:
        yield message("importers.lacks-cards", n=4 * size - played, all=4 * size)
