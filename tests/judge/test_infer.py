"""What a session implies is what its table played by: synthetic evenings, priced by a known house and told as logs do.

The evening is recorded without that house; only its price steps, price and running totals remain.
"""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.thorough import examples

from archive import generate
from archive.judge import Judgement, LedgerState, judge
from archive.judge.infer import infer_house
from archive.judge.judge_deal import judge_session
from archive.record import Deal, Game, PriceStep, Session, Source, Stated, evidence_key, evidence_text
from archive.settle.types import add_per_seat

PLAYED = ["rufspiel", "wenz", "solo", "ramsch"]
HOUSE: dict[str, Any] = {"contracts": PLAYED, "knock": "anyone", "all_pass": "ramsch"}


def told(found: Judgement) -> tuple[PriceStep, ...]:
    """The price of a deal in cumulative steps, in the order of NetSchafkopf."""
    settled, ruleset, deal = found.settlement, found.ruleset, found.deal
    assert ruleset
    counts = {"knocks": deal.knocks or 0, "doubles": deal.doubles or 0}
    counts = {kind: each if isinstance(each, int) else len(each) for kind, each in counts.items()}
    tout = "tout" in deal.game.words and ruleset.house.tout != "base"  # a step of its own, after the parts
    twice, of_all = 1 + tout, 1 + (tout and ruleset.house.tout == "all")
    amount = (settled.base or 0) // twice
    steps = [PriceStep("base", amount)]
    for kind, more in (("schneider", settled.schneider_amount), ("schwarz", settled.schwarz_amount)):
        if more:
            amount += more // of_all
            steps.append(PriceStep(kind, amount))
    if settled.runners_amount:
        amount += settled.runners_amount // twice
        steps.append(PriceStep("runners", amount, abs(settled.runners or 0)))
    for kind, count in counts.items():
        if count:
            amount <<= count
            steps.append(PriceStep(kind, amount, count))
    if tout:
        amount *= 2
        steps.append(PriceStep("tout", amount))
    if settled.virgins and ruleset.house.ramsch.virgin == "double-all":
        amount <<= len(settled.virgins)
        steps.append(PriceStep("virgins", amount, len(settled.virgins)))
    return tuple(replace(step, text=f"{step.kind} {step.amount}") for step in steps)


def evening(house: dict[str, Any], seed: int, *games: tuple[str, dict[str, Any]]) -> tuple[Session, list[Deal]]:
    """Deals of some games under a house, with their prices and totals; and a head that says nothing of that house."""
    rng, deals, totals = Random(seed), [], (0, 0, 0, 0)
    session = generate.session("bavarian", HOUSE | house)
    for number, (contract, wishes) in enumerate(games, 1):
        made = generate.deal(rng, session, contract, dealer=(number - 1) % 4, **wishes)
        found = judge(session, made, number, LedgerState(totals=(0,) * 4))
        assert found.settlement.payments
        totals = add_per_seat(totals, found.settlement.payments)
        steps = told(found)
        said = Stated(steps=steps, price=steps[-1].amount, totals=totals)
        knocks, doubles = (each if isinstance(each, int | None) else len(each) for each in (made.knocks, made.doubles))
        source = Source("evening.txt", number * 10)
        deals.append(replace(made, source=source, no=number, stated=said, knocks=knocks or 0, doubles=doubles or 0))
    return generate.session("bavarian"), deals


def house_of(session: Session, deals: list[Deal]) -> dict[str, Any]:
    """The inferred settings, with all deals agreeing under them."""
    known = infer_house(session, deals)
    found = list(judge_session(known, deals))
    assert [(each.number, each.verdict, each.reason) for each in found if each.verdict != "agrees"] == []
    return known.house or {}


MIXED = (("rufspiel", {}), ("wenz", {}), ("solo", {}), ("ramsch", {})) * 4


@settings(max_examples=examples(10, 60))
@given(
    st.integers(0, 10**6),
    st.fixed_dictionaries(
        {
            "deck": st.sampled_from([32, 24]),
            "price": st.fixed_dictionaries(
                {name: st.integers(1, 60) for name in ("rufspiel", "solo", "ramsch", "schneider", "schwarz", "runner")}
            ).map(lambda price: price | {"schwarz": price["schneider"] + price["schwarz"]}),
            "runners_from": st.fixed_dictionaries({name: st.sampled_from([0, 2, 3, 4]) for name in PLAYED[:3]}),
            "ramsch": st.fixed_dictionaries(
                {
                    "virgin": st.sampled_from(["no", "double-all", "double-own", "double-own-once"]),
                    "tie": st.sampled_from([["own-ober"], ["taken-ober"], ["own-trump"], ["taken-trump"], ["tricks"]]),
                }
            ),
        }
    ),
)
def test_the_inferred_house_reproduces_every_price(seed: int, house: dict[str, Any]) -> None:
    session, deals = evening(house, seed, *MIXED)
    assert house_of(session, deals)


def runners(least: int, most: int) -> dict[str, Any]:
    """A wish: a game with so many runners, with or without."""
    return {"want": lambda found: least <= abs(found.settlement.runners or 0) <= most}


def virgins(count: int) -> dict[str, Any]:
    return {"want": lambda found: len(found.settlement.virgins) == count}


SCHNEIDER = {"want": lambda found: found.settlement.schneider and not found.settlement.schwarz}
SCHWARZ = {"want": lambda found: found.settlement.schwarz, "lean": 0.9}
CALLED = (("rufspiel", SCHNEIDER), ("rufspiel", runners(3, 14)))
PRICED = (*CALLED, ("solo", {}), ("solo", SCHWARZ), ("ramsch", virgins(0)))


@pytest.mark.parametrize("tariff", ["10/50", "1/2/5", "5/20", "10/20/50"])
def test_a_tariff_is_inferred_from_prices(tariff: str) -> None:
    house = house_of(*evening({"tariff": tariff}, 1, *PRICED))
    assert house["tariff"] == tariff
    assert "price" not in house


def test_steps_by_which_a_price_goes_down_imply_no_setting() -> None:
    steps = (PriceStep("base", 50), PriceStep("tout", 130), PriceStep("runners", 100, 3))
    deal = Deal(game=Game("solo", 0, "E"), stated=Stated(steps=steps))
    assert (infer_house(generate.session("bavarian"), [deal]).house or {}) == {"price": {"solo": 50}}


def test_a_tariff_is_told_with_its_evidence() -> None:
    session, deals = evening({"tariff": "1/2/5"}, 1, *PRICED)
    evidence = [evidence_text(each) for each in infer_house(session, deals).inferred or ()]
    steps = [step.kind for deal in deals if deal.stated for step in deal.stated.steps or ()]
    places = sum(kind in ("base", "schneider", "schwarz", "runners") for kind in steps)
    assert f"house.tariff: '1/2/5', from {places} of {places} places, the first in line 10" in evidence


@pytest.mark.parametrize(
    ("odd", "games"),
    [
        ({"ramsch": 1}, PRICED),
        ({"schwarz": 50}, PRICED),
        ({"runner": 5}, PRICED),
        ({"solo": 35}, CALLED),  # no solo, no tariff: price by price
    ],
)
def test_a_single_odd_price_is_inferred_beside_the_tariff(odd: dict[str, int], games: tuple[Any, ...]) -> None:
    house = house_of(*evening({"tariff": "10/50", "price": odd}, 1, *games))
    if games == PRICED:
        assert (house["tariff"], house["price"]) == ("10/50", odd)
    else:
        assert house["price"] == {"rufspiel": 10, "schneider": 10, "runner": 10}


@pytest.mark.parametrize(
    ("least", "games", "inferred"),
    [
        (3, (("rufspiel", runners(2, 2)), ("rufspiel", runners(3, 3))), None),  # as the ruleset has it
        (2, (("rufspiel", runners(1, 1)), ("rufspiel", runners(2, 2))), 2),
        (4, (("rufspiel", runners(3, 3)), ("rufspiel", runners(4, 14))), 4),
        (0, (("rufspiel", runners(4, 14)), ("wenz", runners(3, 4))), 0),
    ],
)
def test_runners_from_is_inferred_from_what_was_paid_and_what_was_not(
    least: int, games: tuple[Any, ...], inferred: int | None
) -> None:
    house = house_of(*evening({"runners_from": {"rufspiel": least, "wenz": least}}, 2, *games))
    assert house.get("runners_from", {}).get("rufspiel") == inferred


TOUTS = (("wenz", {"tout": True, "lean": 1.0} | runners(2, 4)), ("rufspiel", SCHNEIDER), ("solo", {}))


@pytest.mark.parametrize("reading", ["base+runners", "all"])
def test_what_a_tout_doubles_is_inferred(reading: str) -> None:
    wanted = {"want": lambda found: found.settlement.won and found.settlement.runners_paid}
    games = (("wenz", {"tout": True, "lean": 1.0} | wanted), *TOUTS[1:])
    assert house_of(*evening({"tout": reading}, 3, *games))["tout"] == reading


def test_a_tout_that_doubles_the_game_alone_is_inferred() -> None:
    session, deals = evening({}, 3, *TOUTS)
    text = [PriceStep("base", 50), PriceStep("tout", 100)]
    stated = deals[0].stated
    rest = [step for step in stated.steps or () if step.kind != "base"]
    first = replace(deals[0], stated=replace(stated, steps=(*text, *rest)))
    house_of(session, [first, *deals[1:]])


@pytest.mark.parametrize(
    ("reading", "games", "inferred"),
    [
        ("double-all", (virgins(2), virgins(1)), None),
        ("double-own", (virgins(2), virgins(1)), "double-own"),
        ("double-own", (virgins(1), virgins(1)), "double-own"),
        ("double-own-once", (virgins(2), virgins(1)), "double-own-once"),
        ("no", (virgins(1), virgins(0)), "no"),
    ],
)
def test_how_virgins_are_paid_is_inferred_from_totals(
    reading: str, games: tuple[dict[str, Any], ...], inferred: str | None
) -> None:
    house = house_of(*evening({"ramsch": {"virgin": reading}}, 4, *(("ramsch", wish) for wish in games)))
    assert house.get("ramsch", {}).get("virgin") == inferred


@pytest.mark.parametrize("reading", ["own-ober", "taken-ober", "own-trump", "taken-trump", "tricks"])
def test_how_a_tie_is_decided_is_inferred_from_totals(reading: str) -> None:
    tie = {"want": lambda found: "tie" in found.settlement.lines[0].text}
    house_of(*evening({"ramsch": {"tie": [reading]}}, 5, *(("ramsch", tie),) * 3))


def test_what_a_schieber_thrown_in_costs_is_inferred() -> None:
    session, deals = evening({}, 6, ("rufspiel", {}))
    steps = (PriceStep("thrown-in", 50, text="first and last pay 50"),)
    before = (deals[0].stated or Stated()).totals or ()
    # Ben deals after Anna: Cem, who leads, and Ben pay the two others
    totals = tuple((total or 0) + paid for total, paid in zip(before, (50, -50, -50, 50), strict=True))
    thrown_in = Deal(
        source=Source("evening.txt", 20),
        no=2,
        dealer=1,
        round=("schieber",),
        game=Game("none"),
        stated=Stated(steps=steps, price=50, totals=totals),
    )
    known = infer_house(session, [*deals, thrown_in])
    found = list(judge_session(known, [*deals, thrown_in]))
    assert known.house["schieber"] == {"thrown_in": 50}
    assert (found[1].settlement.payments, found[1].findings) == ((50, -50, -50, 50), ())


# --- what is not inferred ---------------------------------------------------------------------------------------------


def test_nothing_is_inferred_where_no_price_is_told() -> None:
    session, deals = evening({"tariff": "1/2/5"}, 1, *PRICED)
    bare = [replace(deal, stated=None) for deal in deals]
    assert infer_house(session, bare) is session


def test_a_sentence_that_fits_no_setting_is_named_with_its_text() -> None:
    session, deals = evening({"tariff": "10/50"}, 1, *PRICED)
    stated = deals[0].stated
    steps = (*(stated.steps or ())[:-1], PriceStep("schneider", 27, text="Mit Schneider 27 Punkte."))
    odd = replace(deals[0], knocks=0, doubles=0, stated=replace(stated, steps=steps, price=27))
    session = infer_house(session, [odd, *deals[1:]])
    found = list(judge_session(session, [odd, *deals[1:]]))
    named = [each for each in found[0].findings if each.rule == "stated-steps"]
    assert [each.facts["step"] for each in named] == ["Mit Schneider 27 Punkte."]
    assert named[0].message == 'price step "Mit Schneider 27 Punkte.": the record states 27, the rules give 20'
    assert found[0].verdict == "differs"


@pytest.mark.parametrize(
    "own",
    [
        {"tariff": "10/50"},
        {"price": {"solo": 50}},
        {"runners_from": {"rufspiel": 5}},
        {"knock": "no"},
        {"contracts": PLAYED},
        {"ramsch": {"virgin": "no", "tie": ["tricks"]}},
        {"deck": 32},
        {"tout": "all"},
    ],
)
def test_what_the_record_sets_itself_is_never_overridden(own: dict[str, Any]) -> None:
    other = {"tariff": "1/2/5", "deck": 24, "tout": "base+runners", "runners_from": {"rufspiel": 2}}
    games = (CALLED[0], ("rufspiel", runners(2, 2)), ("solo", {}), ("solo", {"tout": True}), ("ramsch", {}))
    session, deals = evening(other, 7, *games)
    known = infer_house(replace(session, house=own), deals)
    for key, value in own.items():
        kept = (known.house or {})[key]
        assert (kept if not isinstance(value, dict) else {name: kept[name] for name in value}) == value
        fixed = [f"house.{key}.{name}" for name in value] if isinstance(value, dict) else [f"house.{key}"]
        assert not {*map(evidence_key, known.inferred or ())} & set(fixed)
