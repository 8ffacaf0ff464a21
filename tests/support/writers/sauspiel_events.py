"""Our deals as the JSON events of sauspiel.de: one array a deal, an event a line, in the order of what happened."""

import json
from typing import Any

from msgspec.structs import replace

from archive.judge.judge_deal import judge_session
from archive.record import Deal, Double, Session, Stated
from importers.sauspiel import site_words

CODES = {"none": -1, "ramsch": 0, "rufspiel": 1, "farbwenz": 2, "geier": 3, "wenz": 4, "solo": 5}
NAMES = {"rufspiel": "Sauspiel", "ramsch": "Ramsch", "wenz": "Wenz", "farbwenz": "Farbwenz", "geier": "Geier"}
RATES = {"rufspiel": 20, "ramsch": 20}
ALONE = ("ramsch", "none")


def card(code: str) -> str:
    return code.replace("Z", "X")


def doubles(deal: Deal) -> tuple[Double, ...]:
    """Return the doubles, each with its moment: answers come at once."""
    found: list[Double] = []
    for each in deal.doubles or () if not isinstance(deal.doubles, int) else ():
        moment = (found[-1].trick, found[-1].card) if each.trick is None and found else (each.trick, each.card)
        found.append(replace(each, trick=moment[0], card=moment[1]))
    return tuple(found)


def rates(deal: Deal) -> tuple[int, int]:
    return RATES.get(deal.game.contract if deal.game else "", 50), 10


def events(head: Session, deal: Deal, winners: tuple[int, ...]) -> list[dict[str, Any]]:
    """Return what happened, the owner of the log at position 0."""
    game, stated = deal.game, deal.stated or Stated()
    said: list[dict[str, Any]] = [
        {"type": "yourAuthenticationSucceeded", "position": 0, "userName": head.players[0], "balancePlay": 3000},
        *({"type": "joinedTable", "position": n, "userName": head.players[n], "userID": 100 + n} for n in (1, 2, 3)),
        {"type": "gameStarted", "gameID": int(deal.id or 0), "playInstant": False},
        {"type": "youGotCards", "cards": [card(code) for code in (deal.hands or ((),))[0] or ()]},
        *({"type": "hasKnocked", "position": seat} for seat in knocks(deal)),
        {
            "type": "playsTheGame", "position": game.declarer, "suit": game.suit, "gameType": CODES[game.contract],
            "announcement": int("tout" in game.words),
        },
    ]  # fmt: skip
    said += play(deal, winners)
    said.append(
        {"type": "playersGotCards", "cards": [[card(code) for code in hand or ()] for hand in deal.hands or ()]}
    )
    rate, base = rates(deal)
    result = {
        "type": "gameResult", "won": stated.won, "points": stated.points, "amount": stated.price, "balanceType": 0,
        "gameType": NAMES.get(game.contract, "Solo"), "gameRate": f"P {rate}", "baseRate": f"P {base}",
        "runners": stated.runners or 0, "result": 1, "knockings": len(knocks(deal)), "contras": len(doubles(deal)),
        "announcement": int("tout" in game.words),
    }  # fmt: skip
    return [*said, {key: value for key, value in result.items() if value is not None}]


def knocks(deal: Deal) -> tuple[int, ...]:
    return deal.knocks if isinstance(deal.knocks, tuple) else ()


def play(deal: Deal, winners: tuple[int, ...]) -> list[dict[str, Any]]:
    """Return cards, tricks won, and every double before its card."""
    said: list[dict[str, Any]] = []
    for number, trick in enumerate(deal.tricks or (), 1):
        for place, code in enumerate(trick.cards, 1):
            due = (each for each in doubles(deal) if (each.trick, each.card) == (number, place))
            said += ({"type": "hasContra", "position": each.seat} for each in due)
            seat = ((trick.leader or 0) + place - 1) % 4
            said.append({"type": "playedACard", "position": seat, "cardID": card(code)})
        cards = [card(code) for code in trick.cards]
        if len(cards) == 4:
            said.append({"type": "wonTheTrick", "position": winners[number - 1], "cards": cards})
    return said


def array(said: list[dict[str, Any]]) -> bytes:
    """Return an event a line."""
    return ("[\n" + ",\n".join(json.dumps(each, ensure_ascii=False) for each in said) + "\n]\n").encode()


def winners(head: Session, deal: Deal) -> tuple[int, ...]:
    (found,) = judge_session(head, [deal])
    return tuple(seat for seat in found.replay.winners if seat is not None)


def write(head: Session, deals: tuple[Deal, ...]) -> list[bytes]:
    """Return one file a deal."""
    return [array(events(head, deal, winners(head, deal))) for deal in deals]


def held(head: Session, deal: Deal) -> tuple[Session, Deal]:
    """Return what the events have of a deal: no auction, no payments, and of a Ramsch no points, which mean nothing
    here."""
    game, stated = deal.game, deal.stated or Stated()
    rate, base = rates(deal)
    special = {"farbwenz": {}, "geier": {}, "ramsch": {"all_pass": "ramsch"}}
    house = site_words.site_settings(None, None)
    why: tuple[str, ...] = ()
    if game.contract in special:
        found = {"contracts": ["rufspiel", "wenz", "solo", "sie", game.contract]} | special[game.contract]
        why = tuple(f"house.{key}: by what is played in this deal" for key in found)
        house |= found
    house["price"] = {game.contract: rate, "schneider": base, "schwarz": 2 * base, "runner": base}
    why += ("house.price: gameRate and baseRate of gameResult",)
    session = Session(
        players=head.players, rules="bavarian", recorder=head.players[0], unit="P", house=house, inferred=why,
        origin="sauspiel.de",
    )  # fmt: skip
    alone = game.contract in ALONE
    rest = {"won": stated.won, "points": stated.points, "runners": stated.runners or 0} if alone else {}
    rest |= {"balanceType": 0, "result": 1, "announcement": int("tout" in game.words)}
    return session, Deal(
        id=deal.id,
        inferred=("dealer: who leads the first trick is forehand",),
        dealer=deal.dealer,
        hands=deal.hands,
        knocks=knocks(deal),
        game=game,
        doubles=doubles(deal),
        tricks=deal.tricks,
        stated=Stated(
            points=None if alone else stated.points,
            winners=winners(head, deal),
            won=None if alone else stated.won,
            runners=None if alone else stated.runners or None,
            price=stated.price,
        ),
        x={"gameResult": {key: value for key, value in rest.items() if value is not None}},
    )
