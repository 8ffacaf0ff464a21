"""Houses of public tables and programs: prices by factor, three at a called ace, each loser and each winner, a Sie by
the table's own Tout, the highest Ace, the card for a Hochzeit, Kontra by cards, hands without points, Solos in Herz."""

from dataclasses import dataclass
from typing import Any

import pytest
from msgspec.structs import replace
from support.tables import auction_findings, judge_one, judge_text, missing_of, rules_of
from support.worked_examples import EXAMPLE_1, PLAYERS, bavarian, settled

from archive.bulk.plans import plan_of
from archive.cli.explain import session_lines
from archive.explain import explain, explain_session
from archive.explain.report import session_report
from archive.explain.slips import deal_slip, slips_report
from archive.explain.types import Explanation
from archive.judge import Judgement, judge
from archive.judge.judge_stream import judge_stream
from archive.notation import read_toml
from archive.record import Deal, Game, Session, Source
from archive.rules import load
from archive.say import say
from archive.settle.ledger import empty_ledger
from archive.settle.types import Settlement
from archive.text.slips import slips_paper

DOUBLED = {"bonus_times": {"schneider": 2, "schwarz": 4}}


def lines_of(found: Settlement) -> list[tuple[str, str, int, int | None]]:
    return [(line.part, line.kind, line.amount, line.running) for line in found.lines]


def judged(text: str, house: str = "", rules: str = "bavarian") -> Judgement:
    return judge_one(text, rules, house)


# --- Schneider and Schwarz as factors ---------------------------------------------------------------------------------


def test_schneider_doubles_the_price_and_schwarz_takes_it_four_times() -> None:
    rules = bavarian(tariff="10/20/50", **DOUBLED)
    assert [settled("rufspiel", *made, rules=rules).price for made in ((90, 6), (91, 6), (120, 8))] == [20, 40, 80]
    assert [settled("solo", *made, rules=rules).price for made in ((90, 6), (30, 2), (120, 8))] == [50, 100, 200]
    assert [settled("wenz", *made, rules=rules).price for made in ((31, 2), (30, 2), (0, 0))] == [50, 100, 200]


def test_a_factor_is_one_line_with_its_setting_and_the_parts_add_up() -> None:
    found = settled("rufspiel", 120, 8, rules=bavarian(tariff="10/20/50", **DOUBLED))
    assert lines_of(found) == [("game", "add", 20, 20), ("schwarz", "times", 4, 80)]
    assert found.lines[1].cite == "this table: house.bonus_times.schwarz"
    assert (found.base, found.schneider_amount, found.schwarz_amount, found.multiplier) == (20, 20, 40, 1)


def test_a_factor_multiplies_the_runners_too_and_kontra_all_of_it() -> None:
    """Ben wins example 1 of 001 with three runners; here with 91 points."""
    plain = judge_one(EXAMPLE_1, house='tariff = "10/20/50"')
    assert plain.settlement is not None
    text = '[[deal]]\ndealer = "Dora"\ngame = "Ben rufspiel S"\ndoubles = 1\nknocks = 0\n'
    text += 'stated = { partner = "Cem", points = 91, runners = 3, payments = [-200, 200, 200, -200] }\n'
    house = 'tariff = "10/20/50"\nbonus_times = { schneider = 2, schwarz = 4 }'
    assert judged(text, house).verdict == "agrees"
    assert judged(text.replace("200", "120"), 'tariff = "10/20/50"').verdict == "agrees"


def test_a_tout_knows_no_factor_but_where_the_house_doubles_everything() -> None:
    base = bavarian(tariff="10/20/50", **DOUBLED)
    every = bavarian(tariff="10/20/50", tout="all", **DOUBLED)
    assert settled("solo", 120, 8, "tout", rules=base).price == 100
    assert (
        settled("solo", 120, 8, "tout", rules=every).price == settled("solo", 100, 7, "tout", rules=every).price == 400
    )


# --- three at a called ace --------------------------------------------------------------------------------------------

THREE = """
format = "schafkopf-record/1"
rules = "bavarian"
players = ["Anna", "Ben", "Cem"]
house = { seats = 3, deck = 24, contracts = ["rufspiel", "wenz", "solo"], tariff = "50/100"%s }

[[deal]]
dealer = "Cem"
game = "Anna rufspiel E"
knocks = 0
doubles = 0
stated = { partner = "Ben", points = %s, runners = 1 }
"""


def of_three(points: int, more: str = "") -> Settlement:
    (found,) = judge_stream(read_toml((THREE % (more, points)).encode(), Source("three.toml")))
    assert found.settlement
    return found.settlement


def test_between_three_the_one_who_loses_a_called_ace_pays_both() -> None:
    assert of_three(61).payments == (50, 50, -100)
    assert of_three(60).payments == (-50, -50, 100)
    assert of_three(91).payments == (100, 100, -200)


def test_a_limit_of_what_one_pays_in_all_is_shared_by_two_opponents() -> None:
    assert of_three(91, ', cap = 120, cap_of = "player"').payments == (60, 60, -120)


def test_a_called_ace_of_three_is_judged_by_integers() -> None:
    rules = bavarian(seats=3, deck=24, contracts=["rufspiel", "wenz", "solo"])
    plan = plan_of(rules, Game("rufspiel", None, "E", "EA"))
    assert not plan.lacking


# --- each loser pays each winner --------------------------------------------------------------------------------------


def test_each_loser_pays_each_winner() -> None:
    rules = bavarian(tariff="10/20/50", each_pays_each=True)
    found = settled("rufspiel", 61, 5, rules=rules)
    assert (found.price, found.payments) == (20, (40, -40, -40, 40))
    assert settled("rufspiel", 60, 5, rules=rules).payments == (-40, 40, 40, -40)
    assert settled("solo", 61, 5, rules=rules).payments == (150, -50, -50, -50)
    capped = bavarian(tariff="10/20/50", each_pays_each=True, cap=30, cap_of="player")
    assert settled("rufspiel", 61, 5, rules=capped).payments == (30, -30, -30, 30)


@pytest.mark.parametrize("key", ["bonus_times", "each_pays_each"])
def test_beside_a_table_of_points_there_is_no_use_for_it(key: str) -> None:
    ruleset, findings = load("bavarian-tournament", {key: {**DOUBLED, "each_pays_each": True}[key]})
    assert ruleset is None
    assert [(each.rule, each.facts["key"]) for each in findings] == [("bad-setting", f"house.{key}")]


# --- a Sie by the table's own Tout ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tout", "price"), [("base", 50 * 4 + 80), ("base+runners", 130 * 4), ("all", 150 * 4)])
def test_a_sie_is_four_times_what_a_tout_doubles(tout: str, price: int) -> None:
    """Eight runners at 10, Schneider and Schwarz 10 each, where a Tout pays these."""
    rules = bavarian(tariff="10/20/50", sie="tout-rule", tout=tout)
    deal = Deal(
        game=Game("sie", 0), dealer=3, hands=(("EO", "GO", "HO", "SO", "EU", "GU", "HU", "SU"), None, None, None)
    )
    head = Session(rules="bavarian", players=PLAYERS, house={"tariff": "10/20/50", "sie": "tout-rule", "tout": tout})
    found = judge(head, deal, 1, empty_ledger(4)).settlement
    assert found.price == price
    assert not plan_of(rules, Game("sie")).lacking


# --- a card for a Hochzeit --------------------------------------------------------------------------------------------

HOCHZEIT = """
[[deal]]
dealer = "Cem"
hands = ["Ben: G8 E8 S9 G9 H8 S7 E7 S8"]
game = "Ben hochzeit"
with = "Anna"
exchange = ["Ben > Anna: H8", "Anna > Ben: %s"]
"""
HOUSE = 'contracts = ["rufspiel", "hochzeit", "solo"]\nhochzeit = { when = "before"%s }'


def test_a_trump_is_not_given_back_for_the_trump_of_a_hochzeit() -> None:
    plain, any_card = HOUSE % ', back = "plain"', HOUSE % ""
    assert "wrong-exchange" not in rules_of(judged(HOCHZEIT % "GA", plain))
    assert "wrong-exchange" not in rules_of(judged(HOCHZEIT % "HU", any_card))
    found = judged(HOCHZEIT % "HU", plain)
    assert [each.message for each in found.findings if "no trump" in each.message]


# --- Kontra by cards --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "allowed"), [("@1.1", True), ("@7.4", True), ("@8.1", False), ("@8.3", False)])
def test_kontra_until_everybody_has_played_seven_cards(at: str, allowed: bool) -> None:
    found = judged(f'{EXAMPLE_1}doubles = ["{at} Dora kontra"]\n', 'stoss = { until = "cards", cards = 7 }')
    assert ("double-not-allowed" not in rules_of(found)) == allowed


@pytest.mark.parametrize(
    ("stoss", "key"), [({"until": "cards"}, "until"), ({"until": "own-card", "cards": 7}, "cards")]
)
def test_kontra_by_cards_says_how_many(stoss: dict[str, Any], key: str) -> None:
    """Said at the setting that the table wrote."""
    ruleset, findings = load("bavarian", {"stoss": stoss})
    assert ruleset is None
    assert [each.facts["key"] for each in findings] == [f"house.stoss.{key}"]


# --- hands without points ---------------------------------------------------------------------------------------------

BLANK = '[[deal]]\ndealer = "Dora"\nhands = ["Anna: E9 E8 E7 G9 G8 G7 S9 S8"]\ngame = "none"\n'
POT = "stock = { amount = 10 }\nblanks = 8"


def test_a_deal_thrown_in_for_a_hand_without_points_costs_nothing() -> None:
    found = judged(BLANK, POT).settlement
    assert (found.payments, found.pot) == ((0, 0, 0, 0), 0)
    seven = judged(BLANK.replace("S8", "SK"), POT)
    assert (seven.verdict, seven.settlement.payments) == ("undecidable", None)
    passed = judged(BLANK.replace("S8", "SK") + 'auction = ["Anna pass", "Ben pass", "Cem pass", "Dora pass"]\n', POT)
    assert passed.settlement.payments == (-10,) * 4


def test_it_is_not_known_why_a_deal_was_thrown_in_whose_hands_nobody_knows() -> None:
    found = judged('[[deal]]\ndealer = "Dora"\ngame = "none"\n', POT)
    assert missing_of(found) == ("whether all passed, or a hand without points was thrown in (auction, hands)",)


def test_a_hand_without_points_is_thrown_in_though_somebody_bids() -> None:
    calls = 'auction = ["Anna pass", "Ben play", "Cem pass", "Dora pass"]\n'
    assert "auction-result" in rules_of(judged(BLANK + calls))
    assert "auction-result" not in rules_of(judged(BLANK + calls, "blanks = 8"))


# --- Solos in Herz ----------------------------------------------------------------------------------------------------

ABOVE = 'rank = { "solo H" = 95 }'


def test_a_solo_in_herz_outranks_the_others() -> None:
    calls = "Anna solo, Ben solo H, Cem pass, Dora pass, Anna pass"
    assert auction_findings(calls, "Ben solo H", "bavarian", ABOVE) == []
    assert "auction-too-low" in auction_findings(calls, "Ben solo H", "bavarian")
    assert "auction-result" in auction_findings(calls, "Ben solo E", "bavarian", ABOVE)
    equal = "Anna solo H, Ben solo, Cem pass, Dora pass"
    assert "auction-too-low" in auction_findings(equal, "Anna solo H", "bavarian", ABOVE)


def test_a_solo_in_herz_costs_what_the_table_says() -> None:
    house = 'tariff = "10/20/50"\nprice = { "solo H" = 100 }'
    text = '[[deal]]\ndealer = "Dora"\ngame = "Anna solo%s"\nknocks = 0\ndoubles = 0\n'
    text += "stated = { points = 70, runners = 1 }\n"
    prices = [judged(text % suit, house).settlement for suit in (" H", " E")]
    assert [each and each.price for each in prices] == [100, 50]
    assert "the trump suit" in missing_of(judged(text % "", house))


# --- explained --------------------------------------------------------------------------------------------------------


@dataclass
class Case:
    game: str
    stated: str
    key: str
    value: Any


@pytest.mark.parametrize(
    "case",
    [
        Case("Anna rufspiel E", 'partner = "Dora", points = 100, runners = 1, payments = [60, -60, -60, 60]',
             "bonus_times", {"schneider": 2, "schwarz": 3}),
        Case("Anna rufspiel E", 'partner = "Dora", points = 70, runners = 1, payments = [60, -60, -60, 60]',
             "each_pays_each", True),
        Case("Anna solo H", 'points = 70, runners = 1, payments = [300, -100, -100, -100]', "price.solo H", 100),
    ],
)  # fmt: skip
def test_another_house_is_offered_as_a_reading(case: Case) -> None:
    text = f'[[deal]]\ndealer = "Dora"\ngame = "{case.game}"\nknocks = 0\ndoubles = 0\nstated = {{ {case.stated} }}\n'
    found = judged(text, 'tariff = "20/30/50"')
    assert found.verdict == "differs"
    fits = [changes for each in explain(found).explanations for changes in (each.changes, *each.ways)]
    offered = [change for changes in fits for change in changes]
    assert (case.key, case.value) in [(change.setting, change.value) for change in offered]
    assert all(say(change.clause, language) for change in offered for language in ("en", "de"))


@pytest.mark.parametrize(("faces", "suit"), [("german", "Herz"), ("french", "Hearts")])
def test_an_evening_tells_whether_all_solos_are_dearer_or_those_in_herz_alone(faces: str, suit: str) -> None:
    deal = '[[deal]]\ndealer = "Dora"\ngame = "Anna solo %s"\nknocks = 0\ndoubles = 0\n'
    deal += "stated = { points = 70, runners = 1, payments = [%d, -%d, -%d, -%d] }\n"
    evening = "".join(deal % (suit, 3 * each, each, each, each) for suit, each in (("H", 100), ("E", 50), ("H", 100)))
    found = judge_text(evening, house=f'tariff = "20/30/50"\nfaces = "{faces}"')
    explained = explain_session(found)
    best = explained.readings[0]
    assert (best.change.setting, best.change.value, best.breaks) == ("price.solo H", 100, ())
    assert session_report(explained)["readings"][0]["setting"] == 'house.price."solo H"'
    assert f"Solo with {suit} as trump" in session_report(explained)["readings"][0]["words"]["en"]
    other = "Herz" if suit == "Hearts" else "Hearts"
    lines = " ".join(session_lines(explained, 100, "en"))
    assert (f"Solo with {suit} as trump" in lines, other in lines) == (True, False)
    of_deal = replace(explain(found[0]), explanations=(Explanation((best.change,), 0),))
    slips = [deal_slip(found[0], of_deal, 1, 1)]
    report = slips_report(slips, 1)
    for words in (report["slips"][0]["words"], report["kinds"][0]["example"]):
        assert f"Solo with {suit} as trump" in words["en"]
    assert f"Solo with {suit} as trump" in slips_paper(slips, 1, of_deal.message, "en").deals[0][1]
