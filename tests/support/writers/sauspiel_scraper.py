"""Our deals as the JSON lines of the sauspiel-scraper: one line a deal, the players of each with forehand first."""

import json
from typing import Any

from archive.cards import SUIT_NAMES
from archive.judge.judge_deal import judge_session
from archive.record import Deal, Double, Game, Session, Stated, Trick
from importers.sauspiel import site_words

CALLED = {"E": "die Alte", "G": "die Blaue", "S": "die Hundsgfickte"}
NAMES = {"wenz": "Wenz", "geier": "Geier", "farbwenz": "Farbwenz", "solo": "Solo", "ramsch": "Ramsch"}
SEATS = range(4)
TARIFF = "P 10 / 20 / 50"
DAY = "2026-04-15"


def turned(deal: Deal, seat: int | None) -> int | None:
    """Return a seat counted from forehand."""
    return None if seat is None else (seat - 1 - (deal.dealer or 0)) % 4


def forehand_first(deal: Deal, values: Any) -> tuple[Any, ...]:
    """Return the values of the seats, forehand first."""
    first = 1 + (deal.dealer or 0)
    return tuple(values[(first + seat) % 4] for seat in SEATS)


def card(code: str) -> str:
    return f"{code[0]}-{code[1].replace('Z', 'X')}"


def title(deal: Deal, players: tuple[str, ...]) -> str:
    """Return the title of the page."""
    game, runners = deal.game, deal.stated.runners if deal.stated else None
    if game.contract in ("ramsch", "none"):
        return {"ramsch": "Ramsch", "none": "Zamgworfen"}[game.contract]
    if game.contract == "rufspiel":
        words = f"Sauspiel auf {CALLED[game.suit or '']}"
    else:
        words = f"{SUIT_NAMES[game.suit]}-{NAMES[game.contract]}" if game.suit else NAMES[game.contract]
    words += "-Tout" if "tout" in game.words else ""
    words += f" {'mit' if runners > 0 else 'ohne'} {abs(runners)}" if runners else ""
    return f"{words} von {players[turned(deal, game.declarer) or 0]}"


def outcome(stated: Stated) -> str:
    """Return the result in words; a Tout has no level."""
    level = "Schwarz" if stated.schwarz else "Schneider" if stated.schneider else "Normal"
    words = f"{'Gewonnen' if stated.won else 'Verloren'} mit {stated.points} Augen"
    return words if stated.schneider is None else f"{words} ({level})"


def roles(head: Session, deal: Deal, players: tuple[str, ...]) -> dict[str, str]:
    """Return the declarer, the partner, the opponents; in a Ramsch everybody alone."""
    (found,) = judge_session(head, [deal])
    game = deal.game
    if game.declarer is None:
        return {}
    said = dict.fromkeys(players, "Gegenspieler") | {players[turned(deal, game.declarer) or 0]: "Spieler"}
    if found.replay.partner is not None:
        said[players[turned(deal, found.replay.partner) or 0]] = "Mitspieler"
    return said


def winners(head: Session, deal: Deal) -> tuple[int, ...]:
    (found,) = judge_session(head, [deal])
    return tuple(turned(deal, seat) or 0 for seat in found.replay.winners)


def game(head: Session, deal: Deal, deck_type: str | None = None) -> dict[str, Any]:
    """Return the object of a line."""
    players, stated = forehand_first(deal, head.players), deal.stated or Stated()
    took = winners(head, deal)
    tricks = []
    for number, trick in enumerate(deal.tricks or ()):
        leader = turned(deal, trick.leader) or 0
        cards = [f"{(leader + place) % 4}:{card(code)}" for place, code in enumerate(trick.cards)]
        tricks.append({"winner": took[number] if number < len(took) else None, "cards": cards})
    runners = stated.runners if deal.game.declarer is not None else None
    doubles = deal.doubles if isinstance(deal.doubles, tuple) else ()
    meta = {
        "date": f"{DAY}T20:08:00",
        "deck_type": deck_type,
        "wert": f"P {stated.price}",
        "spielausgang": outcome(stated) if deal.game.declarer is not None else "-",
        "laufende": str(abs(runners)) if runners else "-",
        "extra_fields": {
            "tarif": TARIFF,
            "sonderregeln": "",
            "kontra_und_retour": ",".join(head.players[each.seat] for each in doubles) or "-",
        },
    }
    hands = forehand_first(deal, deal.hands or (None,) * 4)
    words = title(deal, players)
    return {
        "game_id": deal.id,
        "url": f"https://www.sauspiel.de/spiele/{deal.id}",
        "title": words,
        "game_type": words.split()[0],
        "players": list(players),
        "roles": roles(head, deal, players),
        "klopfer": [head.players[seat] for seat in (deal.knocks if isinstance(deal.knocks, tuple) else ())],
        "initial_hands": {name: [card(code) for code in hand] for name, hand in zip(players, hands, strict=True)},
        "tricks": tricks,
        "meta": {key: value for key, value in meta.items() if value is not None},
    }


def line(said: dict[str, Any]) -> bytes:
    return json.dumps(said, ensure_ascii=False).encode()


def write(head: Session, deals: tuple[Deal, ...]) -> list[bytes]:
    """Return one file, a line a deal."""
    return [b"".join(line(game(head, deal)) + b"\n" for deal in deals)]


def told(stated: Stated) -> dict[str, Any]:
    """Return what title and result contain; Schwarz implies nothing about Schneider."""
    return {
        "points": stated.points,
        "won": stated.won,
        "runners": stated.runners,
        "schwarz": stated.schwarz,
        "schneider": None if stated.schwarz else stated.schneider,
        "result": outcome(stated),
    }


def held(head: Session, deal: Deal) -> tuple[Session, Deal]:
    """Return what the line has of a deal: no auction, no payments, no moment of a Kontra."""
    game, stated = deal.game, deal.stated or Stated()
    players = forehand_first(deal, head.players)
    shown, why = site_words.implied_settings(game, 8)
    session = Session(
        players=players, rules="bavarian", date=DAY, unit="P", house=site_words.site_settings("10/20/50", None) | shown,
        inferred=why or None, origin="sauspiel.de",
    )  # fmt: skip
    doubles = deal.doubles if isinstance(deal.doubles, tuple) else ()
    alone = game.declarer is None
    partner = [name for name, role in roles(head, deal, players).items() if role == "Mitspieler"]
    return session, Deal(
        id=deal.id,
        inferred=("dealer: forehand is the first of the four players, the dealer the last",),
        dealer=3,
        hands=forehand_first(deal, deal.hands or (None,) * 4),
        knocks=tuple(turned(deal, seat) or 0 for seat in (deal.knocks if isinstance(deal.knocks, tuple) else ())),
        game=Game(game.contract, turned(deal, game.declarer), game.suit, game.called, game.words),
        doubles=tuple(Double(turned(deal, each.seat) or 0, each.word) for each in doubles),
        tricks=tuple(Trick(trick.cards, turned(deal, trick.leader)) for trick in deal.tricks or ()),
        stated=Stated(
            winners=winners(head, deal),
            partner=players.index(partner[0]) if partner else None,
            price=stated.price,
            **({} if alone else told(stated)),
        ),
        url=f"https://www.sauspiel.de/spiele/{deal.id}",
        time=f"{DAY}T20:08",
    )
