"""The real games beside the project, read into records. Not an importer: these files are only for tests."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from archive.record import Carry, Deal, Double, Game, Session, Source, Stated, Trick

FOLDER = Path(os.environ.get("SCHAFKOPF_REAL_GAMES", Path(__file__).parents[2] / "shared" / "real-games"))
PLAYERS = ("Forehand", "Second", "Third", "Dealer")
ALL_CONTRACTS = ["rufspiel", "wenz", "farbwenz", "geier", "farbgeier", "solo", "sie", "bettel", "ramsch"]
VIRGINS = {None: "no", "DoubleAll": "double-all", "DoubleIndividuallyMultiple": "double-own"}


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


def settled() -> Iterator[tuple[Session, Deal]]:
    """`settled.jsonl`: every game under its own house, with its payments."""
    for number, raw in enumerate(lines("settled.jsonl"), 1):
        house = house_of(raw["rules"]) | {"knock": "anyone", "deck": 24 if raw["deck"] == "kurz" else 32}
        house["stock"] = {"won_by": "rufspiel"}
        yield session(house), deal(raw, "settled.jsonl", number)


def played() -> Iterator[tuple[Session, Deal]]:
    """`played.jsonl`: hands and tricks alone."""
    for number, raw in enumerate(lines("played.jsonl"), 1):
        yield session({"deck": 24 if raw["deck"] == "kurz" else 32}), deal(raw, "played.jsonl", number)


def session(house: dict[str, Any]) -> Session:
    return Session(players=PLAYERS, rules="bavarian", house={"contracts": ALL_CONTRACTS} | house)


def house_of(rules: dict[str, Any]) -> dict[str, Any]:
    tariff = rules["tariff"]
    if rules["kind"] == "ramsch":
        march = {"all-tricks": "tricks"}[tariff["durchmarsch"]]
        ramsch = {"price": tariff["price"], "virgin": VIRGINS[tariff["jungfrau"]], "march": march, "tie": ["own-trump"]}
        return {"ramsch": ramsch}
    price = {rules["kind"]: tariff["base"]}
    if "runners" not in tariff:
        return {"price": price}
    step, runners = tariff["schneider_schwarz_step"], tariff["runners"]
    price |= {"schneider": step, "schwarz": 2 * step, "runner": runners["per_runner"]}
    return {"price": price, "runners_from": {rules["kind"]: runners["min_runners"]}, "tout": "base+runners"}


def deal(raw: dict[str, Any], name: str, line: int) -> Deal:
    rules = raw["rules"]
    called = rules.get("called_ace")
    suit = called[0] if called else rules["trump_suit"] if rules["kind"] in ("solo", "farbwenz", "farbgeier") else None
    words = (rules["variant"],) if rules["variant"] else ()
    return Deal(
        source=Source(name, line),
        id=raw["id"],
        dealer=3,
        carry=Carry(stock=raw["stock_before"]) if raw.get("stock_before") else None,
        hands=tuple(tuple(hand) for hand in raw["hands"]),
        knocks=tuple(raw["doublings"]) if "doublings" in raw else None,
        doubles=tuple(Double(seat, "kontra" if n % 2 == 0 else "re") for n, seat in enumerate(raw["stoss"]))
        if "stoss" in raw
        else None,
        game=Game(rules["kind"], rules["declarer"], suit, called, words),
        tricks=tuple(Trick(tuple(trick["cards"]), trick["leader"]) for trick in raw["tricks"]),
        stated=Stated(payments=tuple(raw["payouts"])) if "payouts" in raw else None,
    )
