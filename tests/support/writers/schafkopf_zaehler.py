"""Our deals as the data that the app schafkopf_zaehler exports: a table with a round a deal, in euros."""

import json
from typing import Any

from msgspec.structs import replace

from archive.record import Deal, Session, Stated
from support.writers.score_sheet import WORDS, partner_of

TABLE = "7d0c"


def game_named(deal: Deal) -> str:
    suit = "" if deal.game.contract == "rufspiel" else WORDS["german"].get(deal.game.suit, "")
    word = "Sauspiel" if deal.game.contract == "rufspiel" else WORDS["german"][deal.game.contract].format(suit)
    return word + (" Tout" if "tout" in deal.game.words else "")


def ours(deal: Deal) -> list[int]:
    """Return the seats of the declarer's side, or in a Ramsch of the loser."""
    payments = [amount or 0 for amount in deal.stated.payments or ()]
    if deal.game.declarer is None:
        return [payments.index(min(payments))]
    partner = partner_of(deal)
    return [deal.game.declarer] + ([] if partner is None else [partner])


def times(deal: Deal) -> int:
    """Return the one factor of the app, for knocks and doublings."""
    said = (deal.knocks, deal.doubles)
    return 1 << sum(len(each) if isinstance(each, tuple) else each or 0 for each in said)


def moment(head: Session, place: int) -> str:
    return f"{head.date}T{19 + place // 30:02}:{2 * (place % 30):02}:03.128400"


def write(head: Session, deals: tuple[Deal, ...]) -> list[bytes]:
    """Return one file, indented as the app does it."""
    extra, call, solo = ((head.house or {})["tariff"]).split("/")
    rounds = [_round(head, deal, place) for place, deal in enumerate(deals)]
    ids = [f"id-{seat}" for seat in range(len(head.players))]
    text = {
        "allePlayerinnen": [{"id": id, "name": name} for id, name in zip(ids, head.players, strict=True)],
        "spielarten": [{"id": "wenz", "name": "Wenz", "einzelspieler": True, "individuelleGewinner": False}],
        "standardTarif": {"sauspielPreis": 0.2, "soloPreis": 0.5, "aufpreis": 0.1},
        "standardAusgewaehlteSpielartenIds": ["wenz"],
        "tische": [
            {
                "id": TABLE, "erstelltAm": moment(head, 0), "beendetAm": None, "status": "aktiv",
                "tarif": {"sauspielPreis": int(call) / 100, "soloPreis": int(solo) / 100, "aufpreis": int(extra) / 100},
                "spielerIds": ids, "spielartenIds": ["wenz"], "runden": rounds,
            }
        ],
    }  # fmt: skip
    return [json.dumps(text, indent=2, ensure_ascii=False).encode()]


def _round(head: Session, deal: Deal, place: int) -> dict[str, Any]:
    stated = deal.stated or Stated()
    seats = ours(deal)
    return {
        "id": f"round-{place}",
        "zeitpunkt": moment(head, place),
        "spielartName": game_named(deal),
        "spielartEinzelspieler": deal.game.contract != "rufspiel",
        "spielerParteiIds": [f"id-{seat}" for seat in seats],
        "gegenParteiIds": [f"id-{seat}" for seat in range(4) if seat not in seats],
        "anzahlLaufende": abs(stated.runners or 0),
        "schneider": bool(stated.schneider),
        "schwarz": bool(stated.schwarz),
        "gewonnen": bool(stated.won),
        "unentschieden": False,
        "multiplikator": times(deal),
        "spielwert": (stated.price or 0) / 100,
        "punkteProSpieler": {f"id-{seat}": (paid or 0) / 100 for seat, paid in enumerate(stated.payments or ())},
    }


PRICED = "not in the file: the program that wrote it always prices so"
INFERRED = (
    "rules: the app names none",
    "house.contracts: the games of the evening beside the usual ones",
    f"house.ramsch: {PRICED}",
    "game: of two who play together nobody says who has called; the first is taken for the declarer",
)


def held(head: Session, deal: Deal) -> tuple[Session, Deal]:
    """Return the deal without cards, points and the dealer."""
    from support.forty import forty

    _, every = forty()
    place = every.index(deal)
    played = dict.fromkeys(each.game.contract for each in every if each.game)
    others = [contract for contract in played if contract not in ("rufspiel", "wenz", "solo", "sie")]
    session = Session(
        players=head.players, rules="bavarian", date=head.date, unit="ct",
        house={
            "tariff": (head.house or {})["tariff"], "contracts": ["rufspiel", "wenz", "solo", "sie", *others],
            "ramsch": {"price": 50},
        },
        inferred=INFERRED,
        x={"id": TABLE},
    )  # fmt: skip
    game, stated = deal.game, deal.stated or Stated()
    is_plain, is_game = times(deal) == 1, game.declarer is not None
    schwarz = bool(stated.schwarz)
    return session, Deal(
        id=f"round-{place}",
        time=moment(head, place)[:16],
        game=replace(game, suit=None if game.contract == "rufspiel" else game.suit, called=None),
        partner=partner_of(deal),
        knocks=0 if is_plain else None,
        doubles=0 if is_plain else None,
        stated=Stated(
            won=bool(stated.won) if is_game else None,
            loser=None if is_game else ours(deal)[0],
            schneider=None if schwarz else bool(stated.schneider),
            schwarz=schwarz,
            runner_count=abs(stated.runners or 0) or None,
            price=stated.price,
            payments=stated.payments,
        ),
        **({} if is_plain else _multiplied(head, deal)),
    )


def _multiplied(head: Session, deal: Deal) -> dict[str, Any]:
    """Return the part of a deal's price that is paid several times over."""
    by, prices = times(deal), ((head.house or {})["tariff"]).split("/")
    house: dict[str, Any] = {"tariff": "/".join(str(by * int(price)) for price in prices)}
    ramsch = {"ramsch": {"price": by * int(prices[2])}} if deal.game.contract != "rufspiel" else {}
    note = f"house: the app has one factor for knocks, doublings and Tout, which is {by} here"
    return {"house": house | ramsch, "inferred": (note,), "x": {"multiplikator": by}}
