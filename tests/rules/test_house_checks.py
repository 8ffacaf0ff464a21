"""The settings of a house, each by itself and beside the others: names as people write them, no key of a table that is
none, nothing that cannot be, and nothing that changes nothing without a word."""

import hashlib
import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rulesets import load_rules
from support.tables import judge_one, judge_text, rules_of
from support.thorough import examples

from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.notation import read_toml, write_toml
from archive.record import Finding, Session, Source, say_finding
from archive.rules import Ruleset, bundled, load
from archive.rules.guide import guide, guided_rules
from archive.rules.types import House
from archive.say import LANGUAGES


def loaded(house: str, rules: str = "bavarian") -> Ruleset:
    return load_rules(rules, tomllib.loads(house))


def told(house: str, rules: str = "bavarian") -> list[tuple[str, str]]:
    """The findings of a house: their rule, and the setting they name."""
    return [(each.rule, str(each.facts["key"])) for each in load(rules, tomllib.loads(house))[1]]


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("house", "place", "is_"),
    [
        ('contracts = ["Sauspiel", "Ruf", "Farbwenz", "suit solo", "Wenz"]', "contracts",
         ["rufspiel", "farbwenz", "solo", "wenz"]),
        ("price = { Sauspiel = 20 }", "price", {"rufspiel": 20}),
        ("price = { Schneider = 5, Laufende = 15, Ruf = 30 }", "price", {"schneider": 5, "runner": 15, "rufspiel": 30}),
        ("rank = { 'Wenz Tout' = 130, 'Call Game' = 5 }", "rank", {"wenz tout": 130, "rufspiel": 5}),
        ('stock = { amount = 10, won_by = ["Sauspiel"] }', "stock.won_by", ["rufspiel"]),
        ('ramsch = { march_price = "Farbsolo" }', "ramsch.march_price", "solo"),
        ('bock = { on = ["60:60", "verlorenes Solo", "Farbsolo"] }', "bock.on", ["60-60", "lost-alone", "solo"]),
    ],
)  # fmt: skip
def test_a_setting_takes_a_contract_by_the_names_that_people_write(house: str, place: str, is_: Any) -> None:
    value: Any = msgspec.to_builtins(loaded(house).house)
    for key in place.split("."):
        value = value[key]
    assert (list(value) if isinstance(value, tuple) else value) == is_


def test_the_names_hold_in_the_runners_and_in_the_muss() -> None:
    assert loaded("runners_from = { Sauspiel = 2 }").house.runners_from["rufspiel"] == 2
    muss = loaded('muss = { contract = "Sauspiel" }', "bavarian-tournament").house.muss
    assert muss.contract == "rufspiel"


def test_the_same_house_in_other_words_is_the_same() -> None:
    one, other = loaded("price = { Sauspiel = 20 }"), loaded("price = { rufspiel = 20 }")
    assert one.digest == other.digest


@pytest.mark.parametrize("name", ["Herzsolo", "Herz-Solo", "herz solo", "Solo Herz", "solo H", "Hearts Solo"])
def test_a_suit_has_a_price_and_a_rank_of_its_own(name: str) -> None:
    ruleset = loaded(f"price = {{ '{name}' = 60 }}\nrank = {{ '{name}' = 95 }}")
    assert (ruleset.prices["solo H"], ruleset.contracts["solo"].suit_rank) == (60, {"H": 95})


def test_a_heart_solo_is_paid_by_its_own_price() -> None:
    deal = '[[deal]]\ngame = "Anna solo {}"\nstated = {{ won = true, points = 70, runners = 0 }}\n'
    found = judge_text(deal.format("H") + deal.format("G"), house="price = { Herzsolo = 60 }")
    assert [each.settlement and each.settlement.payments for each in found] == [
        (180, -60, -60, -60),
        (150, -50, -50, -50),
    ]
    assert told("price = { Herzsolo = 40 }") == []  # cheaper than the others is a price too


def test_a_suit_in_a_list_stands_for_the_contract_and_is_noted() -> None:
    assert told('contracts = ["Sauspiel", "Herzsolo"]') == [("house-note", "house.contracts")]
    assert loaded('contracts = ["Sauspiel", "Herzsolo"]').house.contracts == ("rufspiel", "solo")


def test_two_names_of_one_contract_in_a_table_are_not_guessed_between() -> None:
    assert told("runners_from = { Sauspiel = 2, Ruf = 3 }") == [("bad-setting", "house.runners_from.Ruf")]


# --- keys of tables --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("house", "key", "near"),
    [
        ("price = { rufspeil = 20 }", "house.price.rufspeil", "rufspiel"),
        ("price = { kontra = 20 }", "house.price.kontra", ""),
        ("price = { 'wenz tout' = 20 }", "house.price.wenz tout", ""),
        ("rank = { sollo = 20 }", "house.rank.sollo", "solo"),
        ("rank = { 'solo X' = 20 }", "house.rank.solo X", ""),
        ("runners_from = { 'solo H' = 2 }", "house.runners_from.solo H", ""),
        ("runners_from = { Wens = 2 }", "house.runners_from.Wens", "wenz"),
        ("table = { solo = [15], rufspiel = [1], Wetz = [3] }", "house.table.Wetz", "wenz"),
        ("consequences = { revoked = 'table' }", "house.consequences", "revoke"),
        ('bock = { on = ["schwartz"] }', "house.bock.on", "schwarz"),
        ('stock = { amount = 1, won_by = ["Solos"] }', "house.stock.won_by", "solo"),
        ('contracts = ["Rufspeil"]', "house.contracts", "rufspiel"),
    ],
)
def test_a_key_that_is_none_is_refused_with_the_name_that_is_near(house: str, key: str, near: str) -> None:
    ruleset, findings = load("bavarian", tomllib.loads(house))
    assert ruleset is None
    assert ("bad-setting", key) in [(each.rule, each.facts["key"]) for each in findings] or near == "revoke"
    assert near in " ".join(say_finding(each) for each in findings) or near == "revoke"


# --- what cannot be --------------------------------------------------------------------------------------------------


REFUSED = [
    ("hand_size = 9", "house.hand_size"),
    ("seats = 5\nhand_size = 8", "house.hand_size"),
    ("pile = 1", "house.pile"),
    ('packets = ["3 3"]', "house.packets"),
    ("stacks = 5", "house.stacks"),
    ("least_seats = 5", "house.least_seats"),
    ("levels = { win = 121 }", "house.levels.win"),
    ("levels = { win = 0 }", "house.levels.win"),
    ("levels = { schneider = 121 }", "house.levels.schneider"),
    ("levels = { schneider = 50 }", "house.levels.schneider"),
    ("levels = { schneider_against = 121 }", "house.levels.schneider_against"),
    ("levels = { schneider_against = 10 }", "house.levels.schneider_against"),
    ("ramsch = { march = 121 }", "house.ramsch.march"),
    ("ramsch = { announce = 150 }", "house.ramsch.announce"),
    ("ramsch = { bonus_under = 150 }", "house.ramsch.bonus_under"),
    ("surrender = 121", "house.surrender"),
    ('all_pass = "muss"', "house.all_pass"),
    ('auction = "lengths"', "house.auction"),
    ("bids = { start = 65, step = 0 }", "house.bids.step"),
    ("bids = { start = 130, step = 5 }", "house.bids.start"),
    ("match = { reach = 66, half = 70, right = [1, 2, 3], wrong = [2, 2, 3], last_trick = 1 }", "house.match.half"),
    ("match = { reach = 66, half = 33, right = [3, 2, 1], wrong = [2, 2, 3], last_trick = 1 }", "house.match.right"),
    ('deck = 24\ndraws = "7"', "house.draws"),
    ("contracts = []", "house.contracts"),
    ("cap = 0", "house.cap"),
    ("stock = { cap = 0 }", "house.stock.cap"),
    ("table = { rufspiel = [3, 2, 1], solo = [15, 18, 21] }", "house.table.rufspiel"),
]


@pytest.mark.parametrize(("house", "key"), REFUSED, ids=[house for house, _ in REFUSED])
def test_what_cannot_be_is_refused_once_at_its_setting(house: str, key: str) -> None:
    assert load("bavarian", tomllib.loads(house))[0] is None
    assert told(house) == [("bad-setting", key)]


def test_a_muss_wants_its_contract_its_card_and_limits_of_the_pack() -> None:
    here = "bavarian-tournament"
    assert told('contracts = ["wenz", "solo"]', here) == [("bad-setting", "house.contracts")]
    assert told('muss = { card = "XX" }', here) == [("bad-setting", "house.muss.card")]
    assert told('deck = 20\nmuss = { card = "E7" }', here)[0] == ("bad-setting", "house.muss.card")
    assert told("muss = { levels = { win = 130 } }", here) == [("bad-setting", "house.muss.levels.win")]


# --- what changes nothing --------------------------------------------------------------------------------------------


NOTED = [
    ("bavarian", 'tariff = "50/10"', "house.tariff"),
    ("bavarian", 'tariff = "10/50/20"', "house.tariff"),
    ("bavarian-tournament", 'tariff = "10/20/50"', "house.tariff"),
    ("bavarian-tournament", "runners_from = { Wenz = 2 }", "house.runners_from"),
    ("bavarian-tournament", "price = { Wenz = 2 }", "house.price"),
    ("bavarian-tournament", 'tout = "all"', "house.tout"),
    ("sixty-six", 'tariff = "10/50"', "house.tariff"),
    ("asserufen", 'tariff = "10/50"', "house.tariff"),
    ("bauernstoss", "cap = 100", "house.cap"),
    ("bavarian", 'all_pass = "ramsch"', "house.all_pass"),
    ("bavarian", 'call = { ten = "muss" }', "house.call.ten"),
    ("bavarian", "stock = { amount = 10 }", "house.stock.amount"),
    ("bavarian", 'stock = { won_by = ["Ruf"] }', "house.stock.won_by"),
    ("pub", 'stock = { amount = 10, won_by = ["Ruf"] }', "house.stock.amount"),
    ("bavarian", 'stock = { amount = 10, won_by = ["Geier"] }', "house.stock.won_by"),
    ("bavarian", 'hochzeit = { when = "before" }', "house.hochzeit.when"),
    ("bavarian", 'contracts = ["Sauspiel", "Hochzeit"]', "house.contracts"),
    ("palatinate", "bids = { start = 65, step = 5 }", "house.bids"),
    ("bavarian", "lengths = { most_lords = 3, partners_agree = true }", "house.lengths"),
    ("bavarian", 'bock = { on = ["Geier"] }', "house.bock.on"),
    ("bavarian", 'cap_of = "player"', "house.cap_of"),
    ("bavarian", 'hand = "all"', "house.hand"),
    ("bavarian", "blind_runners = true", "house.blind_runners"),
]


@pytest.mark.parametrize(("rules", "house", "key"), NOTED, ids=[f"{rules}: {house}" for rules, house, _ in NOTED])
def test_a_setting_that_changes_nothing_is_noted_and_the_rest_holds(rules: str, house: str, key: str) -> None:
    assert loaded(house, rules).house is not None
    assert told(house, rules) == [("house-note", key)]


@pytest.mark.parametrize("name", bundled())
def test_no_ruleset_of_ours_has_anything_wrong_even_said_once_more(name: str) -> None:
    ruleset, findings = load(name)
    assert ruleset is not None
    assert findings == ()
    again = msgspec.to_builtins({key: getattr(ruleset.house, key) for key in ("contracts", "unit", "levels", "stoss")})
    assert load(name, again)[1] == ()


def test_no_answers_of_the_guide_are_nonsense_together() -> None:
    for chosen in product(*(question.answers for question in guide())):
        answers = dict(zip((question.id for question in guide()), chosen, strict=True))
        rules, house = guided_rules(answers)
        assert load(rules, house)[1] == (), answers


# --- special rounds --------------------------------------------------------------------------------------------------

TEUFEL = """[[deal]]
dealer = "{}"
game = "{} solo G"
stated = {{ won = true, points = 70, runners = 0 }}
"""


def rounds_after_teufel(house: str) -> list[tuple[tuple[str, int], ...] | None]:
    dealers, forehands = ("Dora", "Anna", "Ben", "Cem", "Dora"), ("Anna", "Ben", "Cem", "Dora", "Anna")
    text = "".join(TEUFEL.format(*each) for each in zip(dealers, forehands, strict=True))
    return [each.after.rounds for each in judge_text(text, house=house)]


def test_001_a_round_does_not_follow_from_its_own_deals_unless_the_table_says_so() -> None:
    ends = rounds_after_teufel('teufel = { on = ["Solo"] }')
    assert ends == [(("teufel", 4),), (("teufel", 3),), (("teufel", 2),), (("teufel", 1),), ()]
    goes_on = rounds_after_teufel('teufel = { on = ["Solo"], follows_itself = true }')
    assert goes_on[-1] == (("teufel", 4),)
    assert told('teufel = { on = ["Solo"] }') == []


def test_rounds_that_set_each_other_off_without_end_are_noted() -> None:
    both = told('teufel = { on = ["solo"] }\nschieber = { on = ["solo"] }')
    assert {rule for rule, _ in both} == {"house-note"}
    assert {key for _, key in both} == {"house.teufel.on", "house.schieber.on"}


# --- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("none", ['"none"', "false", '"Keine"'])
def test_every_limit_can_be_written_as_none(none: str) -> None:
    assert loaded(f"cap = {none}", "langendorf").house.cap is None
    assert loaded(f"stock = {{ cap = {none} }}", "schierling").house.stock.cap is None
    assert loaded(f"stoss = {{ limit = {none} }}").house.stoss.limit == 0
    assert loaded(f"runners_most = {none}\nsurrender = {none}\nlist = {none}").house.runners_most == 0


def test_a_limit_of_nought_is_refused_with_what_to_write() -> None:
    (finding,) = load("bavarian", {"cap": 0})[1]
    assert (
        say_finding(finding) == 'house.cap: expected a whole number >= 1; a limit that there is not is written "none"'
    )


def test_a_limit_that_a_house_does_not_have_is_written_so_that_it_can_be_read() -> None:
    head = Session(players=("Anna", "Ben", "Cem", "Dora"), rules="langendorf", house={"cap": None})
    (read,) = read_toml(write_toml(head, ()).encode(), Source("test.toml"))
    assert isinstance(read, Session)
    assert read.house == {"cap": "none"}
    assert load(read.rules, read.house) == load(head.rules, head.house)


# --- where it is said ------------------------------------------------------------------------------------------------


HEAD = 'format = "schafkopf-record/1"\nrules = "{}"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\n'


def test_a_setting_is_said_at_its_line_in_the_record(tmp_path: Path) -> None:
    text = HEAD.format("bavarian") + (
        "\n[house]\nunit = 'ct'\nlevels = { win = 61 }\nprice = { wenz = 50, kontra = 5 }\n\n"
        "[[deal]]\nhouse = { cap = 0, price = { kontra = 3 } }\ngame = 'none'\n"
    )
    path = tmp_path / "evening.toml"
    path.write_text(text, "utf-8")
    source = Source(str(path), sha256=hashlib.sha256(text.encode()).hexdigest())
    found = list(judge_stream(read_toml(text.encode(), source)))
    said = [(each.source.line, each.facts["key"]) for each in found if isinstance(each, Finding) and each.source]
    assert said == [(8, "house.price.kontra")]
    (judged,) = [each for each in found if isinstance(each, Judgement)]
    assert judged.verdict == "undecidable"
    assert [(each.rule, each.source and each.source.line) for each in judged.findings] == [("bad-setting", 11)]


def test_a_setting_that_a_deal_changes_is_noted_once() -> None:
    deals = ['[[deal]]\nhouse = { stock = { amount = 10 } }\ngame = "none"\n', *['[[deal]]\ngame = "none"\n'] * 2]
    found = judge_text("".join(deals))
    assert [rules_of(each) for each in found] == [["house-note"], [], []]


def test_a_setting_is_said_at_its_line_in_a_ruleset(tmp_path: Path) -> None:
    text = (
        'id = "ours"\ntitle = "Ours"\nextends = "bavarian"\n\n[[rule]]\ncite = "we"\nhouse.price = { Sauspeil = 3 }\n'
    )
    (tmp_path / "ours.toml").write_text(text, "utf-8")
    ruleset, (finding,) = load("ours.toml", None, tmp_path)
    assert ruleset is None
    assert "(ours.toml:7)" in say_finding(finding)
    (tmp_path / "ours.toml").write_text(text.replace("Sauspeil", "Sauspiel"), "utf-8")
    assert loaded_from(tmp_path).house.price == {"rufspiel": 3}


def loaded_from(folder: Path) -> Ruleset:
    copy = folder / "again.toml"
    copy.write_text((folder / "ours.toml").read_text("utf-8"), "utf-8")
    return load_rules("again.toml", None, folder)


# --- nonsense of every setting ---------------------------------------------------------------------------------------

NONSENSE = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 300), st.text(max_size=4), st.lists(st.text(max_size=3), max_size=2),
    st.dictionaries(st.text(max_size=4), st.one_of(st.integers(-3, 200), st.text(max_size=3)), max_size=2),
    st.sampled_from(["solo", "Ruf", "Herzsolo", "none", "muss", "ramsch", "50/10", "EO", "XX"]),
)  # fmt: skip
FIELDS = [field.name for field in msgspec.structs.fields(House)]


@settings(max_examples=examples(10, 400), deadline=None)
@given(st.sampled_from(bundled()), st.dictionaries(st.sampled_from(FIELDS), NONSENSE, min_size=1, max_size=3))
def test_nonsense_of_any_setting_is_a_finding_or_a_house_never_a_traceback(rules: str, house: dict[str, Any]) -> None:
    ruleset, findings = load(rules, house)
    assert (ruleset is None) == any(each.rule == "bad-setting" for each in findings)
    assert all(say_finding(each, language) for each in findings for language in LANGUAGES)


# --- a game that is not played ---------------------------------------------------------------------------------------


def test_a_contract_that_the_table_does_not_play_has_no_price() -> None:
    deal = '[[deal]]\ngame = "Anna geier"\nstated = { won = true, points = 70, runners = 0, price = 50 }\n'
    found = judge_one(deal)
    assert (found.verdict, rules_of(found)) == ("undecidable", ["contract-not-played"])
    assert (found.settlement.payments, found.settlement.price) == (None, None)
    for house in ('contracts = ["Sauspiel", "Geier"]', "price = { Geier = 50 }"):
        assert judge_text(deal, house=house)[0].verdict == "agrees"


def test_a_ramsch_is_played_where_all_pass_leads_to_it() -> None:
    deal = '[[deal]]\ngame = "ramsch"\nstated = { loser = "Anna", payments = [-30, 10, 10, 10], virgins = [] }\n'
    assert judge_text(deal, house='all_pass = "ramsch"')[0].verdict == "agrees"
    assert judge_text(deal)[0].verdict == "undecidable"
