"""Real recorded games against the engine: everything that they state equals what is computed, counted thing by thing.

Skipped where the folder of the games is missing; `SCHAFKOPF_REAL_GAMES` names it.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from support import oracle
from support.facts_of_deals import facts_of
from support.real_games import logs, needed, plain, played, same, settled
from support.tables import missing_of

from archive.judge import Judgement, LedgerState, judge
from archive.judge.sentences import say_reason
from archive.record import Deal, PriceStep, Session, evidence_key, evidence_text

pytestmark = needed

# The house settings that each log implies; nowhere does a log state them.
HOUSES: dict[str, dict[str, Any]] = {
    "Schafkopfprotokoll_vom_04.08.24.txt": {
        "contracts": ["rufspiel", "wenz", "solo", "sie", "farbwenz", "farbgeier"],
        "deck": 24,
        "tariff": "1/2/5",
        "runners_from": {"farbwenz": 3},
    },
    "Schafkopfprotokoll_vom_14.12.22.txt": {
        "contracts": ["rufspiel", "wenz", "solo", "sie", "farbwenz", "ramsch"],
        "all_pass": "ramsch",
        "knock": "anyone",
        "tariff": "10/50",
        "tout": "base+runners",
    },
    "Schafkopfprotokoll_vom_16.05.20.txt": {
        "contracts": ["rufspiel", "wenz", "solo", "sie", "farbwenz", "farbgeier", "ramsch"],
        "all_pass": "ramsch",
        "knock": "anyone",
        "tariff": "10/50",
        "schieber": {"thrown_in": 50},
        "runners_from": {"wenz": 3, "farbwenz": 3},
    },
    "autoplay_03.10.23_01.txt": {
        "contracts": ["rufspiel", "wenz", "solo", "sie", "farbwenz", "farbgeier", "ramsch"],
        "all_pass": "ramsch",
        "tariff": "1/2/5",
        "price": {"ramsch": 1},
        "tout": "base+runners",
        "runners_from": {"wenz": 3, "farbwenz": 3, "farbgeier": 3},
    },
    "autoplay_05.10.23_01.txt": {
        "contracts": ["rufspiel", "wenz", "solo", "sie", "farbwenz", "geier", "farbgeier", "ramsch"],
        "all_pass": "ramsch",
        "tariff": "1/2/5",
        "price": {"ramsch": 1},
        "runners_from": {"farbwenz": 3, "geier": 3},
    },
}


def deals(name: str) -> tuple[Judgement, ...]:
    return tuple(each for log, found in logs() if log == name for each in found if isinstance(each, Judgement))


def every() -> Iterator[Judgement]:
    return (found for name in HOUSES for found in deals(name))


def alone(records: Iterator[tuple[Session, Deal]]) -> Iterator[Judgement]:
    return (judge(session, deal, 1, LedgerState(totals=(0,) * 4)) for session, deal in records)


# --- the logs ---------------------------------------------------------------------------------------------------------


def test_logs_are_read_without_a_finding() -> None:
    read = dict(logs())
    assert list(read) == list(HOUSES)
    assert [each for found in read.values() for each in found if not isinstance(each, Judgement)] == []
    assert [len(found) for found in read.values()] == [4, 40, 32, 99, 99]


def test_logs_every_deal_that_holds_its_cards_agrees() -> None:
    assert Counter(found.verdict for found in every()) == {"agrees": 270, "undecidable": 4}
    assert [found.findings for found in every() if found.findings] == []
    assert [found.missing for found in every() if found.verdict == "agrees" and found.missing] == []


@pytest.mark.parametrize("name", HOUSES)
def test_logs_imply_their_house(name: str) -> None:
    session = deals(name)[0].session
    assert session.rules == "bavarian"
    assert session.house == HOUSES[name]
    keys = {f"house.{key}" for key, value in HOUSES[name].items() if not isinstance(value, dict)}
    keys |= {f"house.{k}.{name}" for k, value in HOUSES[name].items() if isinstance(value, dict) for name in value}
    evidence = dict(evidence_text(each).split(": ", 1) for each in session.inferred or ())
    assert set(evidence) == keys
    assert all(" places, the first in line " in told for told in evidence.values())


def test_logs_every_sentence_fits_the_implied_tariff() -> None:
    told = [
        evidence_text(each)
        for name in HOUSES
        for each in deals(name)[0].session.inferred or ()
        if evidence_key(each) == "house.tariff"
    ]
    assert [entry.split("from ")[1].split(" places")[0] for entry in told] == [
        "9 of 9", "58 of 58", "41 of 41", "124 of 124", "128 of 128",
    ]  # fmt: skip


def stated_and_computed(found: Judgement) -> Iterator[tuple[str, Any, Any]]:
    """Each thing that a log states about a deal, beside what was computed; worked out here, not by the checks."""
    said, settlement, replay = found.deal.stated, found.settlement, found.replay
    defence = [seat for seat in range(4) if replay.sides[seat] == "defence"]
    against = sum(replay.points[seat] or 0 for seat in defence)
    running = [line.running for line in settlement.lines if line.running is not None]
    payments = settlement.payments or ()
    totals = tuple(b + (p or 0) for b, p in zip(totals_before(found), payments, strict=True))
    yield from (
        ("opponents' points", said.points_against, against),
        ("partner", said.partner, replay.partner),
        ("won", said.won, settlement.won),
        ("runners", said.runners or None, settlement.runners),
        ("Schneider", said.schneider, settlement.schneider),
        ("Schwarz", said.schwarz, settlement.schwarz),
        ("loser", said.loser, settlement.loser),
        ("loser's points", said.points, _of_loser(settlement.loser, replay.points)),
        ("virgins by name", said.virgins if isinstance(said.virgins, tuple) else None, settlement.virgins),
        ("virgins by number", said.virgins if isinstance(said.virgins, int) else None, len(settlement.virgins)),
        ("price", said.price, running[-1] if running else settlement.price),
        ("totals", said.totals, totals),
    )
    kinds = {step.kind for step in said.steps or ()}
    unpaid = said.won is not None and "runners" not in kinds  # a price without that step
    yield "no runners paid", False if unpaid else None, settlement.runners_paid
    before = 0
    for step in said.steps or ():
        yield f"step {step.kind}", step.amount, after_step(step, before, found)
        before = step.amount


def _of_loser(loser: int | None, points: tuple[int | None, ...]) -> tuple[int | None, ...]:
    return tuple(amount if seat == loser else None for seat, amount in enumerate(points))


def totals_before(found: Judgement) -> tuple[int, ...]:
    """What the log itself stated in the deal before."""
    log = next(log for log in map(deals, HOUSES) if found in log)
    before = log[log.index(found) - 1].deal.stated if log.index(found) else None
    totals = before.totals if before else (0, 0, 0, 0)
    assert totals
    return tuple(total or 0 for total in totals)


def after_step(step: PriceStep, before: int, found: Judgement) -> int:
    """The price after a step, in the order of the log, from the parts that were computed."""
    assert found.settlement
    settlement, prices = found.settlement, found.ruleset.prices
    held = {"runners": abs(settlement.runners or 0), "virgins": len(settlement.virgins)}
    held |= {"knocks": found.deal.knocks, "doubles": found.deal.doubles}
    if step.count is not None:
        assert step.count == held[step.kind]
    count = step.count or 0
    steps = (found.deal.stated.steps if found.deal.stated else None) or ()
    return {
        "base": (settlement.base or 0) // (2 if any(each.kind == "tout" for each in steps) else 1),
        "schneider": before + prices["schneider"],
        "schwarz": before + prices["schwarz"] - prices["schneider"],
        "runners": before + count * prices["runner"],
        "tout": before * 2,
        "thrown-in": found.ruleset.house.schieber.thrown_in,
    }.get(step.kind, before << count)


def test_logs_each_thing_stated_is_what_is_computed() -> None:
    counts: Counter[str] = Counter()
    for found in every():
        for thing, stated, computed in stated_and_computed(found):
            if stated is not None:
                counts[thing] += 1
                assert stated == computed, (found.deal.source, thing)
    assert counts == {
        "won": 208, "opponents' points": 206, "partner": 151, "Schneider": 206, "Schwarz": 206, "runners": 51,
        "no runners paid": 157, "loser": 64, "loser's points": 63, "virgins by name": 63, "virgins by number": 1,
        "step base": 272, "step schneider": 69, "step schwarz": 15, "step runners": 51, "step knocks": 41,
        "step doubles": 6, "step tout": 2, "step virgins": 33, "step thrown-in": 2, "price": 274, "totals": 274,
    }  # fmt: skip


def test_logs_schieber_is_settled_and_says_what_is_missing() -> None:
    found = [each for each in every() if each.verdict == "undecidable"]
    assert [each.number for each in found] == [18, 19, 20, 21]
    assert {each.deal.round for each in found} == {("schieber",)}
    settlements = [each.settlement for each in found]
    assert [each.price for each in settlements if each] == [60, 50, 50, 50]
    for each, settlement in zip(found, settlements, strict=True):
        assert settlement.payments
        assert each.deal.stated.totals
        stated = zip(totals_before(each), each.deal.stated.totals, strict=True)
        assert settlement.payments == tuple((after or 0) - before for before, after in stated)
        dealer = each.session.players[each.deal.dealer or 0]
        passed = ("the cards passed on in the Schieber",) if each.deal.tricks else ()  # none where it is thrown in
        assert missing_of(each) == (f"2 cards of the hand of {dealer}", *passed)
        assert say_reason(each) == f"The record does not say: {'; '.join(missing_of(each))}."


# --- the two collections ----------------------------------------------------------------------------------------------


def test_settled_every_payment_is_equal() -> None:
    found = list(alone(settled()))
    assert len(found) == 69
    for each in found:
        assert each.deal.stated.payments is not None
        assert each.settlement.payments == each.deal.stated.payments, each.deal.id
        assert (each.verdict, each.findings) == ("agrees", ())
    assert sum(len(set(each.deal.stated.payments or ())) > 1 for each in found if each.deal.stated) == 69


def test_played_every_deal_replays_without_a_finding() -> None:
    found = list(alone(played()))
    assert [(each.deal.id, each.findings) for each in found if each.findings or each.missing] == []
    assert Counter(each.verdict for each in found) == {"agrees": 393}
    assert all(each.replay and each.replay.complete and len(each.replay.steps) == 32 for each in found)


# --- without a card ---------------------------------------------------------------------------------------------------

CARDS = ("hands", "held", "blind", "exchange", "tricks", "auction", "packet", "events", "partner")


def test_logs_without_cards_and_amounts_come_to_the_totals_of_the_log() -> None:
    bare, amounts = dict.fromkeys(CARDS), dict.fromkeys(("price", "steps", "payments", "totals"))
    for found in every():
        said = found.deal.stated
        half = replace(found.deal, stated=replace(said, **amounts), **bare)
        facts = judge(found.session, half, found.number, found.before)
        assert (facts.verdict, facts.basis, facts.missing) == ("agrees", "facts", ()), (found.deal.source, facts.reason)
        assert facts.settlement.payments
        after = tuple(b + (p or 0) for b, p in zip(totals_before(found), facts.settlement.payments, strict=True))
        assert after == said.totals, found.deal.source


@pytest.mark.parametrize("amounts", [True, False])
def test_settled_without_cards_every_payment_is_equal(amounts: bool) -> None:
    counts: Counter[tuple[str, str | None]] = Counter()
    for found in alone(settled()):
        facts = judge(found.session, facts_of(found, amounts), 1, found.before)
        assert facts.settlement.payments == found.deal.stated.payments, found.deal.id
        counts[facts.verdict, facts.basis] += 1
    assert counts == {("agrees", "facts"): 69}


# --- the second opinion -----------------------------------------------------------------------------------------------


def test_the_second_opinion_is_the_same_on_every_real_game() -> None:
    counts: Counter[str] = Counter()
    for found in (*every(), *alone(settled()), *alone(played())):
        if found.deal.game and found.deal.game.contract != "none":
            play = plain(found)
            assert oracle.fault(play) == "", found.deal.source
            assert same(oracle.facts(play), found), found.deal.source
            counts[play.contract] += 1
    assert counts == {
        "rufspiel": 472, "solo": 104, "ramsch": 67, "wenz": 40, "farbwenz": 29, "farbgeier": 16, "geier": 5,
        "bettel": 1,
    }  # fmt: skip
