"""Who cuts and how deep, and in which packets the cards are dealt: notes, since no score rests on them."""

import pytest
from support.tables import judge_one, rules_of

from archive.rules import load


def notes(entries: str, rules: str = "bavarian", house: str = "") -> list[str]:
    found = judge_one(f'[[deal]]\ndealer = "Dora"\n{entries}\ngame = "none"\n', rules, house)
    assert found.verdict != "differs"
    return [rule for rule in rules_of(found) if rule in ("cut-not-allowed", "packets-not-allowed")]


@pytest.mark.parametrize(("cut", "is_right"), [("Cem", True), ("Seat3", True), ("Ben", False), ("Dora", False)])
def test_001_deal_the_player_to_the_dealers_right_cuts(cut: str, is_right: bool) -> None:
    assert (notes(f'cut = "{cut}"') == []) == is_right


@pytest.mark.parametrize(("off", "is_right"), [(2, False), (3, True), (29, True), (30, False)])
def test_001_deal_at_least_three_cards_in_each_packet_of_the_cut(off: int, is_right: bool) -> None:
    assert (notes(f'cut = "Cem {off}"') == []) == is_right


def test_003_dealing_one_card_or_more_is_taken_off() -> None:
    assert notes('cut = "Cem 1"', "sheepshead-basic") == []
    assert notes('cut = "Cem 0"', "sheepshead-basic") == ["cut-not-allowed"]


@pytest.mark.parametrize(("cut", "is_right"), [
    ("Ben for Cem", True), ("Ben für Cem", True), ("Anna for Cem", False), ("Dora for Cem", False),
    ("Cem for Ben", False),
])  # fmt: skip
def test_003_dealing_for_an_absent_cutter_any_but_the_dealer_and_his_left(cut: str, is_right: bool) -> None:
    assert (notes(f'cut = "{cut}"', "sheepshead-basic") == []) == is_right


def test_001_klopfen_a_cutter_for_another_may_knock() -> None:
    found = judge_one('[[deal]]\ndealer = "Dora"\ncut = "Ben for Cem knocks"\ngame = "none"\n', house="klopfen = true")
    assert "cutter-knock-not-allowed" not in rules_of(found)


def test_004_asserufen_deal_the_player_to_the_dealers_left_cuts() -> None:
    assert notes('cut = "Anna"', "asserufen") == []
    assert notes('cut = "Cem"', "asserufen") == ["cut-not-allowed"]


def test_a_cut_in_other_words_is_no_mistake() -> None:
    assert notes('cut = "deep, with a joke"') == []


PACKETS = [
    ("bavarian", "4 4", "2 2 2 2"),
    ("expats", "2 2 2 2", "3 3 2"),
    ("sheepshead-basic", "4 4", "8"),
    ("asserufen", "4 4", "3 3 2"),
    ("bauernstoss", "4 4", "2 2 2 2"),
]


@pytest.mark.parametrize(("rules", "right", "wrong"), PACKETS)
def test_the_packets_of_the_documents(rules: str, right: str, wrong: str) -> None:
    assert notes(f'packets = "{right}"', rules) == []
    assert notes(f'packets = "{wrong}"', rules) == ["packets-not-allowed"]


def test_002_three_players_and_004_deal_three_two_to_the_middle_four_and_three() -> None:
    for name in ("three-player-blind", "palatinate"):
        house = load(name)[0]
        assert house.house.packets == ("3 b2 4 3",)
        text = '[[deal]]\ndealer = "Cem"\nplayers = ["Anna", "Ben", "Cem"]\npackets = "{}"\ngame = "none"\n'
        for packets, expected in (("3 b2 4 3", []), ("5 5", ["packets-not-allowed"])):
            found = judge_one(text.format(packets), name)
            assert [rule for rule in rules_of(found) if rule == "packets-not-allowed"] == expected


@pytest.mark.parametrize(("packet", "is_right"), [(3, False), (4, True), (5, False)])
def test_001_deal_a_first_packet_has_four_cards(packet: int, is_right: bool) -> None:
    assert (notes(f'hands = ["Ben: EO GO HO SO EU GU HU EA"]\npacket = {packet}') == []) == is_right


def test_001_klopfen_the_cutter_says_the_packets() -> None:
    assert notes('cut = "Cem knocks, 4x2"\npackets = "2 2 2 2"', house="klopfen = true") == []
