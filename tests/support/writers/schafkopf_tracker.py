"""Our deals as a session of the web application schafkopf-tracker, in JSON; it has no Ramsch."""

import json
import sqlite3
from typing import Any

from msgspec.structs import replace

from archive.record import Deal, Session, Stated
from support.writers.schafkopf_zaehler import moment
from support.writers.score_sheet import partner_of

TABLE = "6f1c"
GAMES = {"rufspiel": "Sauspiel", "solo": "Solo", "wenz": "Wenz", "geier": "Geier", "farbwenz": "Farbwenz"}
COLUMNS = (
    "id seq type player partner won schneider schwarz laufende bock klopfer spielwert changes created_at archived_at"
).split()
PRICED = "not in the file: the program that wrote it always prices so"


def can_hold(deal: Deal) -> bool:
    return deal.game is not None and deal.game.contract in GAMES


def _kind(deal: Deal) -> str:
    return GAMES[deal.game.contract] + (" Tout" if "tout" in deal.game.words else "")


def _knocking(deal: Deal) -> tuple[int, ...]:
    return deal.knocks if isinstance(deal.knocks, tuple) else ()


def write(head: Session, deals: tuple[Deal, ...]) -> list[bytes]:
    """Return the same session in two files: indented as a browser shows it, and as the database."""
    session = {
        "id": TABLE, "name": "Freitag", "game_type": "schafkopf", "players": head.players, "stake": 0.5, "bock": 1,
        "created_at": f"{moment(head, 0)[:23]}Z", "archived_at": None,
        "history": [_game(head, deal, place) for place, deal in enumerate(deals, 1) if can_hold(deal)],
    }  # fmt: skip
    text = json.dumps(session, indent=2, ensure_ascii=False).encode()
    return [text, database(text)]


def database(*sessions: bytes) -> bytes:
    """Return sessions in JSON as the database of the application, which keeps a log beside it."""
    conn = sqlite3.connect(":memory:")
    conn.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY, name, game_type, players, stake REAL, created_at)")
    conn.execute(f"CREATE TABLE games (session_id TEXT, {', '.join(COLUMNS)})")
    for text in sessions:
        whole = json.loads(text)
        values = [whole["id"], whole["name"], whole["game_type"], json.dumps(whole["players"]), whole["stake"]]
        conn.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)", (*values, whole["created_at"]))
        for game in whole["history"]:
            game |= {key: json.dumps(game[key]) for key in ("klopfer", "changes")}
            row = (whole["id"], *(game.get(key) for key in COLUMNS))
            conn.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(row))})", row)
    conn.commit()
    data = bytearray(conn.serialize())
    conn.close()
    data[18:20] = b"\2\2"
    return bytes(data)


def _game(head: Session, deal: Deal, place: int) -> dict[str, Any]:
    stated, partner = deal.stated or Stated(), partner_of(deal)
    return {
        "id": place, "session_id": TABLE, "seq": place, "type": _kind(deal),
        "player": head.players[deal.game.declarer or 0],
        "partner": None if partner is None else head.players[partner],
        "won": bool(stated.won), "schneider": bool(stated.schneider and not stated.schwarz),
        "schwarz": bool(stated.schwarz),
        "laufende": abs(stated.runners or 0), "bock": 1,
        "klopfer": [head.players[seat] for seat in _knocking(deal)],
        "spielwert": (stated.price or 0) / 100,
        "changes": {name: (paid or 0) / 100 for name, paid in zip(head.players, stated.payments or (), strict=True)},
        "created_at": f"{moment(head, place)[:23]}Z", "archived_at": None,
    }  # fmt: skip


def held(head: Session, deal: Deal) -> tuple[Session, Deal] | None:
    """Return the deal without cards, points, suit, doublings and the dealer; None for a Ramsch."""
    from support.forty import forty

    if not can_hold(deal):
        return None
    _, every = forty()
    place = every.index(deal) + 1
    house: dict[str, Any] = {
        "tariff": "50/50/200", "each_pays_each": True, "knock": "anyone",
        "contracts": ["rufspiel", "wenz", "solo", "sie", "farbwenz", "geier"],
    }  # fmt: skip
    notes = [f"house.{key}: {PRICED}" for key in ("tariff", "each_pays_each", "knock")]
    notes = ["rules: the app names none", *notes, "house.contracts: the games of the evening beside the usual ones"]
    session = Session(
        players=head.players, rules="bavarian", date=head.date, unit="ct", house=house, inferred=tuple(notes),
        x={"id": TABLE, "name": "Freitag"},
    )  # fmt: skip
    game, stated = deal.game, deal.stated or Stated()
    assert game
    schwarz = bool(stated.schwarz)
    kept = Stated(
        won=bool(stated.won), schneider=None if schwarz else bool(stated.schneider), schwarz=schwarz,
        runner_count=abs(stated.runners or 0) or None, price=stated.price, payments=stated.payments,
    )  # fmt: skip
    return session, Deal(
        id=str(place),
        time=moment(head, place)[:16],
        game=replace(game, suit=None, called=None),
        partner=partner_of(deal),
        knocks=_knocking(deal),
        stated=kept,
    )
