"""A setting with which a table has nothing to do is found, and cards that nobody has."""

from typing import Any

import pytest

from archive.judge.judge_stream import judge_stream
from archive.notation import read_toml
from archive.record import Finding, Source
from archive.rules import bundled, load

BUILDING = {"base": "A", "order": "6789ZUOK", "corners": 4, "again": 1}
OPEN_CARDS = {"count": 3, "ends_at": 31, "same_rank": 30.5}
NO_USE = "no contract of this table has a use for it"


@pytest.mark.parametrize(
    ("house", "key"),
    [
        ({"building": BUILDING}, "house.building"),
        ({"building": BUILDING, "play": "building"}, "house.building"),
        ({"open_cards": OPEN_CARDS}, "house.open_cards"),
        ({"open_cards": OPEN_CARDS, "play": "exchange"}, "house.open_cards"),
    ],
)
def test_a_setting_that_no_contract_of_the_table_has_a_use_for_is_found(house: dict[str, Any], key: str) -> None:
    ruleset, findings = load("bavarian", house)
    assert ruleset is None
    assert [(each.rule, each.message) for each in findings] == [("bad-setting", f"{key}: {NO_USE}")]


def test_an_open_bettel_is_played_where_the_table_plays_bettel() -> None:
    ruleset, findings = load("bavarian", {"bettel": {"open": "deal"}, "contracts": ["rufspiel", "bettel"]})
    assert (ruleset and ruleset.contracts["bettel"].open_rank, findings) == (105, ())
    assert load("langendorf", {"contracts": ["rufspiel", "solo"]})[1] == ()  # it is not the table that sets it


TWO_SEATS = """
format = "schafkopf-record/1"
rules = "bavarian"
players = ["Anna", "Ben"]
house = { seats = 2, hand_size = 8, solo_needs_suit = false }

[[deal]]
dealer = "Ben"
hands = ["Anna: EO GO HO SO EU GU HU SU", "Ben: E7 E8 E9 G7 G8 G9 S7 S8"]
game = "Anna solo E"
tricks = ["Anna: EO E7", "GO E8", "HO E9", "SO G7", "EU G8", "GU G9", "HU S7", "SU S8"]
"""


def test_cards_that_are_in_no_hand_settle_only_with_a_finding() -> None:
    """Here 100 of the 120 card points are in them."""
    wrong, judged = judge_stream(read_toml(TWO_SEATS.encode(), Source("two.toml")))
    assert isinstance(wrong, Finding)
    assert (wrong.rule, wrong.message) == (
        "bad-setting",
        "house.hand_size: 16 cards are in no hand, and no contract of this table takes them up; "
        "check house.deck and house.seats too",
    )
    assert (judged.verdict, judged.settlement) == ("undecidable", None)


@pytest.mark.parametrize("name", bundled())
def test_the_rulesets_have_a_use_for_all_their_settings(name: str) -> None:
    assert load(name)[1] == ()
