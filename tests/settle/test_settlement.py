"""Settlement of two sides: what is in no document as a worked example. Every bill adds up."""

from math import prod
from random import Random

import pytest
from msgspec import structs
from support.rulesets import load_rules
from support.tables import judge_one, judge_text, missing_of
from support.worked_examples import EXAMPLE_1, EXAMPLE_2, EXAMPLE_4, PLAYERS, bavarian, played, settled

from archive.generate import deal, deals, session
from archive.judge.judge_deal import judge_session
from archive.record import Deal, Game
from archive.settle.settle import settle
from archive.settle.types import LedgerState, Settlement
from archive.text.deal import game_of_deal


def half(tie: str, points: int = 60, before: LedgerState | None = None) -> Settlement:
    rules = bavarian(levels={"tie": tie})
    return settle(Deal(game=Game("wenz", 0)), PLAYERS, rules, played(points, 4, "wenz", None), before or LedgerState())


def test_60_to_60_is_lost_by_the_declarer_or_nobodys_or_carried_over() -> None:
    assert [(half(tie).won, half(tie).stake) for tie in ("lost", "undecided", "stake")] == [
        (False, 0),
        (None, 0),
        (None, 1),
    ]
    for tie in ("undecided", "stake"):
        found = half(tie)
        assert (found.undecided, found.price, found.payments, found.winners) == (True, 0, (0, 0, 0, 0), ())
        (line,) = found.lines
        assert "undecided 60 : 60" in line.text


def test_a_contract_may_have_a_tie_of_its_own() -> None:
    """Crosswise partners by their seats have no declarer who could lose it. 001 Special Rounds: Kreuz."""
    rules = bavarian(kreuz={"by": "seats"}, contracts=["kreuz"])
    deal, replay = Deal(game=Game("kreuz")), played(60, 4, "kreuz", 2)
    assert settle(deal, PLAYERS, rules, replay).undecided
    won = settle(deal, PLAYERS, rules, played(61, 4, "kreuz", 2))
    assert won.payments == (10, -10, 10, -10)
    assert won.lines[0].text == "Kreuz, won by Anna and Cem 61 : 59"


def test_stakes_that_are_carried_over_come_after_every_doubling() -> None:
    rules = bavarian(levels={"tie": "stake"})
    deal = Deal(game=Game("wenz", 0), doubles=1)
    won = settle(deal, PLAYERS, rules, played(70, 4, "wenz", None), LedgerState(stake=2))
    assert (won.price, won.stake, won.multiplier) == (2 * 50 + 2 * 50, -2, 2)


def test_less_than_nothing_on_the_table_is_nothing() -> None:
    rules = bavarian(levels={"tie": "stake"}, hausbock=True, stock={"amount": 10, "won_by": ["wenz"]})
    table = LedgerState(stake=-1, hausbock=-1, stock=-40)
    won = settle(Deal(game=Game("wenz", 0)), PLAYERS, rules, played(70, 4, "wenz", None), table)
    assert (won.price, won.pot, won.stake) == (50, 0, 0)


@pytest.mark.parametrize("tout", ["base", "base+runners", "all"])
def test_a_tout_that_is_lost_costs_what_it_would_have_won(tout: str) -> None:
    rules = bavarian(tout=tout)
    won, lost = settled("solo", 120, 8, "tout", rules=rules), settled("solo", 70, 7, "tout", rules=rules)
    assert won.price == lost.price == (140 if tout == "all" else 100)
    assert (lost.won, lost.schneider, lost.schwarz) == (False, None, None)


@pytest.mark.parametrize(
    ("example", "house", "price"),
    [
        (EXAMPLE_1, "runners_most = 0", 70),  # five runners, at 10
        (EXAMPLE_1, "runners_most = 5", 70),
        (EXAMPLE_1, "runners_most = 4", 60),
        (EXAMPLE_1, "runners_most = 3", 50),
        (EXAMPLE_2, "runners_most = 4", 80),  # three, at 10
        (EXAMPLE_2, "runners_most = 3", 80),
        (EXAMPLE_2, "runners_most = 4\nrunners_from.solo = 4", 50),  # too few
        (EXAMPLE_4, "runners_most = 3", 240),  # two, at 10, doubled
    ],
)
def test_other_a_tournament_pays_three_or_four_runners_at_most(example: str, house: str, price: int) -> None:
    (found,), (plain,) = judge_text(example, house=house), judge_text(example)
    assert (found.settlement.price, found.settlement.runners) == (price, plain.settlement.runners)


def test_the_line_of_runners_says_how_many_are_paid_at_most_and_where_that_stands() -> None:
    found = judge_one(EXAMPLE_1, house="runners_most = 4")
    (line,) = [line for line in found.settlement.lines if line.part == "runners"]
    assert (line.text, line.amount, line.cite) == (
        "5 runners, with; 4 at most are paid",
        40,
        "this table: house.runners_most",
    )


@pytest.mark.parametrize("name", ["bavarian", "schierling", "bierkopf", "bavarian-tournament", "expats", "pub"])
def test_lines_parts_and_payments_add_up_in_random_deals(name: str) -> None:
    house = {"hand": "base", "cap": 300, "point": 3} if name == "pub" else None
    evening = session(name, house)
    ruleset = load_rules(name, house)
    for found in judge_session(evening, list(deals(Random(name), evening, 40))):
        settlement = found.settlement
        assert found.verdict in ("agrees", "undecidable"), found.reason
        if settlement is None or settlement.payments is None:
            continue
        assert sum(amount or 0 for amount in settlement.payments) + settlement.pot == 0
        running = 0
        for line in settlement.lines:
            moved = {"add": running + line.amount, "times": running * line.amount, "at-most": line.amount}
            if line.running is not None:
                running = moved[line.kind]
                assert line.running == running
            assert line.cite
        if settlement.base is not None and settlement.schneider_amount is not None and not settlement.stake:
            parts = (settlement.base, settlement.schneider_amount, settlement.schwarz_amount, settlement.runners_amount)
            whole = sum(part or 0 for part in parts) * prod([settlement.multiplier or 1])
            assert settlement.price == min(whole, ruleset.house.cap or whole)


# --- a source without a tariff ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("contract", ["rufspiel", "solo", "wenz", "bettel", "ramsch"])
def test_without_a_tariff_the_play_is_judged_and_no_amount_is(contract: str) -> None:
    known = session("bavarian", {"contracts": ["rufspiel", "solo", "wenz", "bettel", "ramsch"]})
    made = deal(Random(5), known, contract, state=("points", "won", "payments", "price"))
    unknown = structs.replace(known, house={**(known.house or {}), "tariff": "unknown"})
    [settled, unsettled] = (next(judge_session(evening, [made])) for evening in (known, unknown))
    assert settled.settlement
    assert (settled.verdict, unsettled.verdict) == ("agrees", "undecidable")
    assert missing_of(unsettled) == ("the tariff",)
    assert (unsettled.settlement.payments, unsettled.settlement.price, unsettled.settlement.lines) == (None, None, ())
    for fact in ("won", "winners", "side_points", "schneider", "schwarz", "runners", "loser"):
        assert getattr(unsettled.settlement, fact) == getattr(settled.settlement, fact)


def test_a_price_of_the_table_itself_needs_no_tariff() -> None:
    price = {"rufspiel": 20, "schneider": 10, "schwarz": 20, "runner": 10}
    made = deal(Random(5), session(), "rufspiel", state=("points",))
    [found] = judge_session(session("bavarian", {"tariff": "unknown", "price": price}), [made])
    assert found.settlement.payments


@pytest.mark.parametrize("word", ["tout", "du"])
@pytest.mark.parametrize("house", ["du = false", "du = true"])
def test_a_tout_has_the_name_in_its_settlement_that_it_has_in_its_title(word: str, house: str) -> None:
    found = judge_one(EXAMPLE_4.replace("tout", word), house=house)
    settled = settle(found.deal, PLAYERS, bavarian(du="true" in house), found.replay or played(120, 8, "wenz", None))
    texts = [line.text for line in settled.lines]
    assert game_of_deal(found) == f"Wenz {word.capitalize()}"
    assert texts[0] == f"Wenz {word.capitalize()}, won 120 : 0"
    assert word.capitalize() in texts
