"""The JSON events of a game on sauspiel.de, as `docs/formats/sauspiel-events.md` describes them.

A game is a list of events in the order in which they happened, so that a Kontra has its moment by the cards before it.
A position is a place at the table, counted in the direction of play. Keys known only by their name are kept in `x`, and
an event that no reader knows is kept as text."""

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from archive.cards import SUITS
from archive.record import Deal, Double, Finding, Game, Session, Source, Stated, Trick, finding
from archive.say import Message, message
from importers import json_text
from importers.json_text import Part
from importers.sauspiel import site_words as site
from importers.sauspiel.event_log import (
    KINDS,
    SEATS,
    GameResult,
    Hand,
    Log,
    all_parts,
    card_codes,
    join_parts,
    own_parts,
    read_log,
)
from importers.text import ENDS, decode_file

NAME = "sauspiel-events"

CONTRACTS = {-1: "none", 0: "ramsch", 1: "rufspiel", 2: "farbwenz", 3: "geier", 4: "wenz", 5: "solo"}
WITH_SUIT = ("rufspiel", "farbwenz", "solo")
WORDS: dict[int, tuple[str, ...]] = {0: (), 1: ("tout",)}  # by announcement
COUNTS = {"knockings": "hasKnocked", "contras": "hasContra"}  # keys of gameResult, and the events they count
SIGN = b'"type"'
TYPE = re.compile(rf'"type"\s*:\s*"(?:{"|".join(KINDS)})"')


# --- the file ---------------------------------------------------------------------------------------------------------


def matches(name: str, head: bytes) -> bool:
    """Return whether the first bytes of a file are those of such events: by the type of one of them."""
    return json_text.is_json(start := decode_file(head)) and bool(TYPE.search(start))


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Return a head wherever it changes, the deal of each list of events, and findings with their place."""
    lines = [line.rstrip(" \r,") for line in decode_file(data).rstrip("\n" + ENDS).split("\n")]
    _, first = json_text.parse_part(Part(1, next(filter(None, lines), "").encode()))
    is_event = isinstance(first, dict) and isinstance(first.get("type"), str) and "events" not in first
    if is_event and len(lines) > 1 and not any(line.startswith("[") for line in lines):  # each on a line of its own
        joined = "\n".join(line and line + "," for line in lines)
        data = f"[{joined[:-1]}]".encode()
    return json_text.read_games(data, source, SIGN, _is_events, _games)


def _games(part: Part, value: Any, source: Source) -> Iterator[json_text.Game]:
    for each, entry in json_text.each_document(part, value, _is_events):
        one, events, x = each, entry, {}
        if isinstance(entry, dict) and isinstance(entry.get("events"), list):  # and what else is said of the game
            one, events = json_text.members(each)["events"], entry["events"]
            x = {key: value for key, value in entry.items() if key != "events"}
        yield _game(one, events, x, replace(source, line=one.line, end_line=one.end_line))


def _is_events(value: Any) -> bool:
    return any(
        isinstance(events, list) and any(isinstance(event, dict) and "type" in event for event in events)
        for events in (value, value.get("events") if isinstance(value, dict) else None)
    )


def _game(part: Part, value: Any, x: dict[str, Any], at: Source) -> json_text.Game:
    if not isinstance(value, list):
        return json_text.unreadable_game(at, message("importers.no-events"))
    log, errors = read_log(part, value, x, at)
    game, wrong = _read_contract(log) if not errors else (None, [])
    if errors or wrong or game is None:
        return json_text.Game(at, (*errors, *wrong))
    return _record_of(log, game)


# --- the contract -----------------------------------------------------------------------------------------------------


def _read_contract(log: Log) -> tuple[Game | None, list[Finding]]:
    """Return the game by playsTheGame, which gameResult may not contradict, and the findings if it cannot be read."""
    plays, result = log.one("playsTheGame"), log.one("gameResult")
    named = site.read_game(result.gameType) if result and result.gameType else None
    if plays is None:
        if named and named.contract in site.ALONE:
            return named, []
        return None, [finding("deal-unreadable", log.source, why=message("importers.no-game-event"))]
    at = log.of("playsTheGame")[0].source
    contract = CONTRACTS.get(plays.gameType)
    if contract is None:
        types = ", ".join(f"{code} ({name})" for code, name in CONTRACTS.items())
        return None, [finding("bad-entry", at, key="gameType", entry=plays.gameType, expected=types)]
    none, suit = message("importers.none-with-type", type=plays.gameType), message("importers.suit")
    fields = (
        ("announcement", (None, *WORDS), message("importers.announcement")),
        ("suit", (None, *SUITS), suit) if contract in WITH_SUIT else ("suit", (None,), none),
        ("position", (None,) if contract in site.ALONE else (None, *SEATS), none),
    )
    errors = [
        finding("bad-entry", at, key=key, entry=getattr(plays, key), expected=expected)
        for key, allowed, expected in fields
        if getattr(plays, key) not in allowed
    ]
    words = WORDS.get(plays.announcement or 0, ())
    plain = contract.removeprefix("farb")  # a Farbwenz may be called a Wenz there, which has a suit
    if named and not errors and (named.contract not in (contract, plain) or set(named.words) - set(words)):
        why = message("importers.other-game-type", named=result.gameType, type=plays.gameType)
        errors.append(finding("deal-unreadable", at, why=why))
    called = f"{plays.suit}A" if plays.suit and contract == "rufspiel" else None
    return Game(contract, plays.position, plays.suit, called, words), errors


# --- the record -------------------------------------------------------------------------------------------------------


def _record_of(log: Log, game: Game) -> json_text.Game:
    """Return the head and the deal of a game, and what its events lack."""
    names, owner = _players(log)
    hands, packet = _hands(log, owner)
    tricks = _tricks(log)
    size = max((len(hand) for hand in hands or () if hand), default=0)
    rules, why = site.implied_settings(game, size)
    prices, unit = _prices(log, game)
    if nameless := [str(seat) for seat in SEATS if seat not in names]:
        why += (f"players: no event names position {', '.join(nameless)}",)
    if prices:
        why += ("house.price: gameRate and baseRate of gameResult",)
    players = tuple(names.get(seat, f"Position {seat}") for seat in SEATS)
    about = {"recorder": None if owner is None else names.get(owner), "inferred": why or None}
    session = site.session_of(players, None, unit, site.site_settings(None, None) | rules | prices, **about)
    started = log.one("gameStarted")
    deal = Deal(
        id=str(started.gameID) if started and started.gameID is not None else None,
        inferred=("dealer: who leads the first trick is forehand",) if tricks else None,
        dealer=(tricks[0].leader - 1) % 4 if tricks and tricks[0].leader is not None else None,
        hands=hands,
        packet=packet,
        knocks=_knocks(log),
        game=game,
        doubles=_doubles(log),
        tricks=tricks,
        stated=_stated_values(log, game),
        x=_x(log, game, owner),
    )
    lacks = tuple(_lacks(log, game, size, owner))
    findings = (finding("log-incomplete", log.source, what=lacks),) if lacks else ()
    return json_text.Game(log.source, findings, session, deal)


def _players(log: Log) -> tuple[dict[int, str], int | None]:
    """Return names by position, and the owner's position or None. The last to join a place before play has it."""
    names: dict[int, str] = {}
    for event in log.of("joinedTable", "yourAuthenticationSucceeded"):
        seat, name = event.body.position, event.body.userName
        if seat is not None and name is not None and (not event.before or seat not in names):
            names[seat] = name
    owner = log.one("yourAuthenticationSucceeded")
    return names, owner.position if owner else None


def _hands(log: Log, owner: int | None) -> tuple[tuple[Hand | None, ...] | None, int | None]:
    """Return the hands, or only the owner's, and how many cards of each came first; None for what is not told."""
    everyone, own_hands = all_parts(log), own_parts(log)
    if everyone:
        hands = [join_parts([part[seat] for part in everyone]) for seat in SEATS]
        first = len(everyone[0][0])
        return tuple(hands), first if len(hands[0] or ()) > first else None
    if own_hands and owner is not None:
        hand, first = join_parts(own_hands) or (), len(own_hands[0])
        return tuple(hand if seat == owner else None for seat in SEATS), first if len(hand) > first else None
    return None, None


def _tricks(log: Log) -> tuple[Trick, ...]:
    played = log.of("playedACard")
    cards = card_codes([event.body.cardID for event in played])
    return tuple(Trick(cards[n : n + 4], played[n].body.position) for n in range(0, len(played), 4))


def _knocks(log: Log) -> tuple[int, ...] | int | None:
    """Return the seats that knocked, else the count of gameResult, else () if the log goes back to the deal."""
    seats = tuple(event.body.position for event in log.of("hasKnocked"))
    count = (log.one("gameResult") or GameResult()).knockings
    if seats or count == 0:
        return seats
    return int(count) if count else (() if log.of("gameStarted", "youGotCards") else None)


def _doubles(log: Log) -> tuple[Double, ...] | int | None:
    """Return Kontra and its answers, each with its moment, or the count of gameResult if no event tells them."""
    events, count = log.of("hasContra"), (log.one("gameResult") or GameResult()).contras
    if count and not events:
        return int(count)
    return tuple(
        Double(event.body.position, site.DOUBLES[number % 2], event.before // 4 + 1, event.before % 4 + 1)
        for number, event in enumerate(events)
    )


def _winners(log: Log) -> tuple[int, ...] | None:
    """Return the seats that took the tricks, or None unless every trick has one."""
    taken = log.of("wonTheTrick")
    whole = len(log.of("playedACard")) // 4
    return tuple(event.body.position for event in taken) if taken and len(taken) == whole else None


def _prices(log: Log, game: Game) -> tuple[dict[str, Any], str | None]:
    """Return the house setting that two rates give, and their unit; nothing unless both are amounts of one unit."""
    result = log.one("gameResult")
    if result is None or game.contract == "none":
        return {}, None
    rate, extra = _rate(result.gameRate), _rate(result.baseRate)
    if not rate or not extra or rate[0] != extra[0]:
        return {}, None
    price = {game.contract: rate[1], "schneider": extra[1], "schwarz": 2 * extra[1], "runner": extra[1]}
    return {"price": price}, rate[0]


def _rate(written: str | int | None) -> tuple[str | None, int] | None:
    if amount := site.read_amount(str(written)):
        return (amount.unit, amount.value) if amount.value >= 0 else None
    return (None, int(written)) if written is not None and re.fullmatch(r"[0-9]{1,9}", str(written)) else None


def _stated_values(log: Log, game: Game) -> Stated | None:
    result = log.one("gameResult") or GameResult()
    alone = game.contract in site.ALONE
    stated = Stated(
        points=None if alone else result.points,
        winners=None if len(log.of("playedACard")) % 4 else _winners(log),  # not if a trick breaks off
        won=None if alone else result.won,
        runners=None if alone else result.runners or None,
        price=result.amount if (result.amount or 0) >= 0 else None,
    )
    return site.unless_empty(stated)


def _x(log: Log, game: Game, owner: int | None) -> dict[str, Any] | None:
    """Return the values known only by name: everything in gameResult that is not stated, events of unknown types, cards
    of the owner that are no whole hand of the record."""
    result, x = log.one("gameResult"), dict(log.x)
    if result:
        unread = {key: getattr(result, key) for key in _unread(log, result, game)}
        x["gameResult"] = {key: value for key, value in {**unread, **x["gameResult"]}.items() if value is not None}
    own_cards = [event.body.cards for event in log.of("youGotCards")]
    if own_cards and (owner is None or (len(own_cards) > 1 and log.of("playersGotCards"))):
        x["youGotCards"] = own_cards
    values = {key: json_text.as_free_value(value) for key, value in x.items() if value not in (None, {}, [])}
    return values or None


def _unread(log: Log, result: GameResult, game: Game) -> Iterator[str]:
    if game.contract in site.ALONE:
        yield from ("won", "points", "runners")
    if (result.amount or 0) < 0:
        yield "amount"
    if result.gameType is not None and site.read_game(result.gameType) is None:
        yield "gameType"
    if not _prices(log, game)[0]:
        yield from ("gameRate", "baseRate")
    for key, kind in COUNTS.items():
        if log.of(kind) and getattr(result, key) != len(log.of(kind)):
            yield key


def _lacks(log: Log, game: Game, size: int, owner: int | None) -> Iterator[Message | str]:
    """Yield the parts of a whole log that this one lacks."""
    result, played = log.one("gameResult"), len(log.of("playedACard"))
    if result is None:
        yield "gameResult"
    if game.contract != "none" and played < 4 * size and "tout" not in game.words:
        yield message("importers.lacks-events", n=4 * size - played, all=4 * size, kind="playedACard")
    if log.of("wonTheTrick") and _winners(log) is None:
        n = played // 4 - len(log.of("wonTheTrick"))
        yield message("importers.lacks-events", n=n, all=played // 4, kind="wonTheTrick")
    if log.of("youGotCards") and owner is None:
        yield message("importers.lacks-owner")
    for key, kind in COUNTS.items():
        there, counted = len(log.of(kind)), getattr(result, key, None)
        if there and counted is not None and counted != there:
            yield message("importers.lacks-counted", kind=kind, n=there, key=key, counted=counted)
