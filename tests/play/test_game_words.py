"""The words of a game, and whether its contract is played with them at this table."""

import pytest
from support.tables import judge_one, rules_of

MUSS = 'card = "EO", contract = "rufspiel", stoss = false'
MUSS = f"muss = {{ {MUSS}, levels = {{ win = 60, schneider = 90, schneider_against = 90 }} }}\n"


@pytest.mark.parametrize(
    ("game", "house", "played"),
    [
        ("Ben solo E tout", "", True),
        ("Ben rufspiel E tout", "", False),
        ("Ben sie tout", "", False),
        ("Ben geier tout", 'rank = { "geier tout" = 95 }', True),
        ("Ben bettel open", "", False),
        ("Ben bettel open", 'bettel.open = "trick-1"', True),
        ("Ben bettel open", 'bettel.open = "deal"', True),
        ("Ben bettel open", 'rank = { "bettel open" = 105 }', False),
        ("Ben bettel open", 'bettel.open = "trick-1"\nrank = { "bettel open" = 105 }', True),
        ("Ben wenz open", 'bettel.open = "trick-1"\nrank = { "bettel open" = 105 }', False),
        ("Ben wenz hand", "", False),
        ("Ben wenz hand", 'hand = "all"', False),  # without a blind every game is played from the hand
        ("Ben rufspiel E muss", "", False),
        ("Ben rufspiel E muss", MUSS, False),  # agreed, but all pass is something else here
        ("Ben rufspiel E muss", f'all_pass = "muss"\n{MUSS}', True),
        ("Ben solo E du", "", False),
        ("Ben wenz 70", "", False),
        ("Ben wenz 70", "bids = { start = 65, step = 5 }", True),
    ],
)
def test_a_word_is_played_where_the_house_plays_it(game: str, house: str, played: bool) -> None:
    judgement = judge_one(f'[[deal]]\ndealer = "Dora"\ngame = "{game}"\n', "bavarian", house)
    assert ("word-not-played" in rules_of(judgement)) == (not played)
    assert (judgement.verdict == "unplayable") == (not played)


def test_002_06_3_a_hand_is_played_where_there_is_a_blind_to_leave() -> None:
    deal = '[[deal]]\nplayers = ["Anna", "Ben", "Cem"]\ngame = "Ben wenz hand tout 70"\n'
    judgement = judge_one(deal, "three-player-blind")
    assert rules_of(judgement) == []
