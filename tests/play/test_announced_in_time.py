"""Announcing in time: a Tout before the first card, nothing played in a Sie, no surrender before the game is named."""

import pytest
from support.tables import judge_one, rules_of

HANDS = """hands = [
    "Anna: S7 S8 S9 SK G7 G8 G9 GK",
    "Ben: EO GO HO SO EU GU HU EA",
    "Cem: SU HA HZ HK H9 H8 H7 E7",
    "Dora: SA SZ GA GZ EZ EK E9 E8",
]
"""


def tout_findings(event: str, game: str = "Ben solo E tout") -> list[str]:
    found = judge_one(f'[[deal]]\ndealer = "Dora"\n{HANDS}game = "{game}"\ntricks = []\nevents = ["{event}"]\n')
    return [rule for rule in rules_of(found) if rule == "tout-not-announced"]


@pytest.mark.parametrize("moment", ["", "@deal ", "@1 ", "@1.1 "])
def test_001_tout_is_announced_before_the_first_card_is_led(moment: str) -> None:
    assert tout_findings(f"{moment}Ben announces tout") == []


@pytest.mark.parametrize("event", ["@1.2 Ben announces tout", "@3.1 Ben announces Schwarz", "@end Ben announces tout"])
def test_001_tout_is_too_late_once_a_card_is_led(event: str) -> None:
    assert tout_findings(event) == ["tout-not-announced"]


def test_001_tout_is_the_declarers_to_announce_and_stands_in_the_game() -> None:
    assert tout_findings("@1.1 Cem announces tout") == ["tout-not-announced"]
    assert tout_findings("@1.1 Ben announces tout", "Ben solo E") == ["tout-not-announced"]


def test_001_sie_nothing_is_played() -> None:
    text = '[[deal]]\ndealer = "Dora"\nhands = ["Ben: EO GO HO SO EU GU HU SU"]\ngame = "Ben sie"\n'
    for tricks, expected in (
        ("", []),
        ("tricks = []\n", []),
        ('tricks = ["Anna: E7 EO E8 E9"]\n', ["nothing-to-play"]),
    ):
        found = judge_one(text + tricks)
        assert [rule for rule in rules_of(found) if rule == "nothing-to-play"] == expected


def test_004_giving_up_is_offered_after_trumps_are_named() -> None:
    text = '[[deal]]\ndealer = "Dora"\nplayers = ["Anna", "Ben", "Cem"]\ngame = "Anna solo H"\nevents = [{}]\n'
    offered = '"{}Ben offers-surrender", "Anna accepts"'
    for moment, expected in (("@deal ", ["surrender-not-allowed"]), ("@1.1 ", []), ("", [])):
        found = judge_one(text.replace("Dora", "Cem").format(offered.format(moment)), "palatinate")
        assert [rule for rule in rules_of(found) if rule == "surrender-not-allowed"] == expected
