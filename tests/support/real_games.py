"""The real games beside the project, read into records. Not an importer: these files are only for tests."""

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.judge.types import Case, case_of
from archive.record import Carry, Deal, Double, Finding, Game, Session, Source, Stated, Trick
from archive.settle.rounds import special_rounds
from importers import netschafkopf
from support import oracle
from support.paths import ROOT

FOLDER = Path(os.environ.get("SCHAFKOPF_REAL_GAMES", ROOT.parent / "shared" / "real-games"))
needed = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no real games in {FOLDER}")
PLAYERS = ("Forehand", "Second", "Third", "Dealer")
ALL_CONTRACTS = "rufspiel wenz farbwenz geier farbgeier kaiser eisenbahner solo sie bettel ramsch".split()
VIRGINS = {None: "no", "DoubleAll": "double-all", "DoubleIndividuallyMultiple": "double-own"}


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


@cache
def logs() -> tuple[tuple[str, tuple[Judgement | Finding, ...]], ...]:
    """Return the session logs of NetSchafkopf, by name, read and judged with the settings that they imply."""
    paths = sorted((FOLDER / "netschafkopf").glob("*.txt"))
    return tuple(
        (each.name, tuple(judge_stream(netschafkopf.read(each.read_bytes(), Source(each.name))))) for each in paths
    )


def cases_of_logs() -> list[Case]:
    """Return the deals of the session logs; none if they are not there."""
    every = (each for _, judged in logs() for each in judged) if FOLDER.is_dir() else ()
    return [case for each in every if isinstance(each, Judgement) and (case := case_of(each))]


def settled() -> Iterator[tuple[Session, Deal]]:
    """Yield `settled.jsonl`: every game under its own house, with its payments."""
    for number, raw in enumerate(lines("settled.jsonl"), 1):
        house = house_of(raw["rules"]) | {"knock": "anyone", "deck": 24 if raw["deck"] == "kurz" else 32}
        house["stock"] = {"won_by": ["rufspiel"]}
        yield session(house), deal(raw, "settled.jsonl", number)


def played() -> Iterator[tuple[Session, Deal]]:
    """Yield `played.jsonl`: hands and tricks alone."""
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
    """Return a judged deal (or one like it, under the same house) in the words of the second opinion.

    If cards were passed on unrecorded, the hands are those that were played.
    """
    deal = deal or found.deal
    game, ruleset = deal.game, found.ruleset
    assert found.replay
    dealer = found.replay.dealer if deal.dealer is None else deal.dealer
    assert dealer is not None
    playing = in_play(found, deal)
    if len(playing) < len(found.session.players):
        return without_sitters(found, deal, dealer, playing)
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
        tout=bool({"tout", "du"} & set(game.words)),
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
        expected=tuple(name for name, _ in found.before.rounds or ()) if special_rounds(ruleset) else None,
        bids=None if deal.auction is None else tuple((c.seat, c.call) for c in deal.auction if c.call not in PASSES),
        hausbock=found.before.hausbock,
        stake=found.before.stake,
        klopfen=deal.cut is not None and "knocks" in deal.cut,
        rules=ruleset.id,
        calls=None if deal.auction is None else tuple((each.seat, each.call) for each in deal.auction),
        events=tuple((each.seat, each.verb) for each in deal.events or ()),
        chalk=found.before.chalk,
        marks=found.before.marks,
        first=None if found.before.game_deals is None else found.before.game_deals == 0,
    )


def in_play(found: Judgement, deal: Deal) -> list[int]:
    """Return the seats that play."""
    out = deal.sits_out or ()
    return [seat for seat in range(len(found.session.players)) if seat not in out]


def without_sitters(found: Judgement, deal: Deal, dealer: int, playing: list[int]) -> oracle.Play:
    """Return the deal as if nobody else were at the table: seats are counted anew, and the dealer is the player before
    forehand. The message says if anybody who sits out acts in the deal."""
    at = {seat: place for place, seat in enumerate(playing)}
    tricks = tuple(each.leader for each in deal.tricks or ())
    doubles = deal.doubles if isinstance(deal.doubles, tuple) else ()
    knocks = deal.knocks if isinstance(deal.knocks, tuple) else ()
    acting = {each.seat for each in (*(deal.auction or ()), *doubles, *(deal.events or ()))}
    acting |= {deal.game.declarer, deal.partner, *tricks, *knocks}
    for passed in deal.exchange or ():
        acting |= {passed.giver, passed.taker}
    before = next(seat for step in range(9) if (seat := (dealer - step) % len(found.session.players)) in at)
    strange = acting - {None, *playing}
    fewer = replace(
        deal,
        sits_out=(),
        dealer=at[before],
        hands=tuple(hand for seat, hand in enumerate(deal.hands or ()) if seat in at) if deal.hands else None,
        game=replace(deal.game, declarer=at.get(deal.game.declarer) if deal.game.declarer is not None else None),
        partner=at.get(deal.partner) if deal.partner is not None else None,
        exchange=_at(deal.exchange, at, "giver", "taker"),
        auction=_at(deal.auction, at, "seat"),
        doubles=_at(deal.doubles, at, "seat") if isinstance(deal.doubles, tuple) else deal.doubles,
        knocks=tuple(at[seat] for seat in knocks if seat in at) if isinstance(deal.knocks, tuple) else deal.knocks,
        events=_at(deal.events, at, "seat"),
        tricks=_at(deal.tricks, at, "leader"),
    )
    names = tuple(found.session.players[seat] for seat in playing)
    play = plain(replace(found, session=replace(found.session, players=names)), fewer)
    pays = found.ruleset is not None and found.ruleset.house.sitter_pays
    return play._replace(
        sitters=len(found.session.players) - len(playing) if pays else 0, strange="sits out" if strange else ""
    )


def _at(items: tuple[Any, ...] | None, at: dict[int, int], *keys: str) -> tuple[Any, ...] | None:
    """Return the same with its seats counted anew, without the acts of those who sit out."""
    if items is None:
        return None
    found = []
    for each in items:
        seats = {key: getattr(each, key) for key in keys}
        if all(seat is None or seat in at for seat in seats.values()):
            found.append(replace(each, **{key: None if seat is None else at[seat] for key, seat in seats.items()}))
    return tuple(found)


def same(facts: oracle.Facts | None, found: Judgement) -> bool:
    """Return whether both opinions give the same tricks, points, parties, payments or marks."""
    replay, settlement = found.replay, found.settlement
    playing = in_play(found, found.deal)
    unplayed = (None,) * len(playing)
    out = [seat for seat in range(len(found.session.players)) if seat not in playing]
    of: dict[int | None, int | None] = {None: None, **dict(enumerate(playing))}
    computed = (replay.winners, tuple(replay.points[seat] for seat in playing), replay.partner)
    tricks = tuple(replay.tricks_won[seat] for seat in playing)
    settled_as = (settlement.won, settlement.schneider, settlement.schwarz, settlement.runners, settlement.loser)
    paid = None if settlement.payments is None else tuple(settlement.payments[seat] for seat in (*playing, *out))
    chalk = None if settlement.chalk is None else settlement.chalk % 2
    return (
        (tuple(of[seat] for seat in facts.winners), facts.points or unplayed, of[facts.partner]) == computed
        and (facts.tricks or unplayed) == tricks
        and (facts.won, facts.schneider, facts.schwarz, facts.runners, of[facts.loser]) == settled_as
        and tuple(of[seat] for seat in facts.virgins) == tuple(sorted(settlement.virgins))
        and (facts.payments + (0,) * (len(out) * (len(facts.payments) == len(playing))) or None) == paid
        and (facts.marks, facts.chalk) == (settlement.marks, chalk)
    )
