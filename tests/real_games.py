"""The real games beside the project, read into records. Not an importer: these files are only for tests."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import oracle
import pytest
from msgspec import to_builtins

from archive.audit import Judgement
from archive.audit.stream import judged
from archive.record import Carry, Deal, Double, Finding, Game, Session, Source, Stated, Trick
from archive.settle.rounds import specials
from importers import netschafkopf

FOLDER = Path(os.environ.get("SCHAFKOPF_REAL_GAMES", Path(__file__).parents[2] / "shared" / "real-games"))
needed = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no real games in {FOLDER}")
PLAYERS = ("Forehand", "Second", "Third", "Dealer")
ALL_CONTRACTS = "rufspiel wenz farbwenz geier farbgeier kaiser eisenbahner solo sie bettel ramsch".split()
VIRGINS = {None: "no", "DoubleAll": "double-all", "DoubleIndividuallyMultiple": "double-own"}


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


def logs() -> Iterator[tuple[str, list[Judgement | Finding]]]:
    """The session logs of NetSchafkopf, by name, read and judged with the settings that they imply."""
    for path in sorted((FOLDER / "netschafkopf").glob("*.txt")):
        yield path.name, list(judged(netschafkopf.read(path.read_bytes(), Source(path.name))))


def settled() -> Iterator[tuple[Session, Deal]]:
    """`settled.jsonl`: every game under its own house, with its payments."""
    for number, raw in enumerate(lines("settled.jsonl"), 1):
        house = house_of(raw["rules"]) | {"knock": "anyone", "deck": 24 if raw["deck"] == "kurz" else 32}
        house["stock"] = {"won_by": ["rufspiel"]}
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


PASSES = ("pass", "good", "no", "accept", "hold")


def plain(found: Judgement, deal: Deal | None = None) -> oracle.Play:
    """A judged deal (or one like it, under the same house) in the words of the second opinion.

    Where cards were passed on unrecorded, the hands are those that were played.
    """
    deal = deal or found.deal
    game, ruleset = deal.game, found.ruleset
    assert game
    assert ruleset
    assert found.replay
    dealer = found.replay.dealer if deal.dealer is None else deal.dealer
    assert dealer is not None
    hands: list[tuple[str, ...]] = [hand or () for hand in deal.hands or ((),) * 4]
    unseen = found.ruleset.rounds.keys() & set(deal.round or ()) and any("?" in c for hand in hands for c in hand)
    if unseen or not any(hands):
        tricks = [(trick.leader or 0, trick.cards) for trick in deal.tricks or ()]
        hands = [tuple(cards[(own - leader) % 4] for leader, cards in tricks) for own in range(4)]
    doubles = deal.doubles or ()
    return oracle.Play(
        hands=tuple(hands),
        dealer=dealer,
        contract=game.contract,
        declarer=game.declarer,
        suit=game.suit,
        called=game.called,
        tout="tout" in game.words,
        tricks=tuple((trick.leader, trick.cards) for trick in deal.tricks or ()),
        knocks=deal.knocks or (),
        doubles=doubles if isinstance(doubles, int) else tuple(each.seat for each in doubles),
        partner=deal.partner,
        stock=found.before.stock,
        house=to_builtins(ruleset.house),
        prices=ruleset.prices,
        exchange=tuple((each.giver, each.taker, each.cards) for each in deal.exchange or ()),
        blind=() if unseen else deal.blind or (),
        words=tuple(word for word in game.words if word != "tout"),
        bid=game.bid,
        rounds=() if unseen else deal.round or (),
        expected=tuple(name for name, _ in found.before.rounds or ()) if specials(ruleset) else None,
        bids=None if deal.auction is None else tuple((c.seat, c.call) for c in deal.auction if c.call not in PASSES),
        hausbock=found.before.hausbock,
        stake=found.before.stake,
        klopfen=deal.cut is not None and "knocks" in deal.cut,
    )


def same(facts: oracle.Facts | None, found: Judgement) -> bool:
    """Whether both opinions give the same tricks, points, parties and payments."""
    replay, settlement = found.replay, found.settlement
    assert facts
    assert replay
    assert settlement
    computed = (replay.winners, replay.points, replay.tricks_won, replay.partner)
    settled_as = (settlement.won, settlement.schneider, settlement.schwarz, settlement.runners, settlement.loser)
    return (
        (facts.winners, facts.points, facts.tricks, facts.partner) == computed
        and (facts.won, facts.schneider, facts.schwarz, facts.runners, facts.loser) == settled_as
        and (facts.virgins, facts.payments) == (tuple(sorted(settlement.virgins)), settlement.payments)
    )
