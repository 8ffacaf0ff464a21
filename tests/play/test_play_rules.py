"""The rules of play, sentence by sentence: document 001 (Contracts, Play), 002 01.2, 003 1.4 to 3.4.

By changing one deal of ours; what may be played from a hand is in `test_duties`.
"""

import pytest
from support.rulesets import load_rules
from support.tables import judge_one, missing_of, rules_of
from support.worked_examples import EXAMPLE_1

from archive.cards import BIT, CODES, NUMBER
from archive.judge import Judgement
from archive.judge.sentences import say_reason
from archive.rules import tables

DEAL = EXAMPLE_1


def parts_of(game: str) -> tuple[str, ...]:
    """The contract of a game, its suit, and the ace that is called."""
    parts = game.split()
    return (*parts, f"{parts[1]}A") if parts[0] == "rufspiel" else tuple(parts)


def judged(text: str, house: str = "") -> Judgement:
    return judge_one(text, rules="pub", house=house)


def messages(text: str, house: str = "") -> list[str]:
    return [each.message for each in judged(text, house).findings]


def changed(*pairs: tuple[str, str]) -> str:
    """The deal with some of its text replaced; each text must be there just once."""
    text = DEAL
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


# --- 001 Contracts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "highest_first"),
    [
        ("rufspiel E", "EO GO HO SO EU GU HU SU HA HZ HK H9 H8 H7"),
        ("ramsch", "EO GO HO SO EU GU HU SU HA HZ HK H9 H8 H7"),
        ("solo S", "EO GO HO SO EU GU HU SU SA SZ SK S9 S8 S7"),
        ("wenz", "EU GU HU SU"),
        ("farbwenz G", "EU GU HU SU GA GZ GK GO G9 G8 G7"),
        ("geier", "EO GO HO SO"),
        ("farbgeier E", "EO GO HO SO EA EZ EK EU E9 E8 E7"),
        ("bettel", ""),
    ],
)
def test_001_contracts_trumps_and_their_order(game: str, highest_first: str) -> None:
    table = tables(load_rules("pub"), *parts_of(game))
    assert " ".join(CODES[number] for number in table.trumps) == highest_first
    for place, high in enumerate(table.trumps):
        lower = table.trumps[place + 1 :]
        assert all(table.beats[low] & 1 << high and not table.beats[high] & 1 << low for low in lower)


@pytest.mark.parametrize(
    ("game", "highest_first"),
    [
        ("rufspiel E", "GA GZ GK G9 G8 G7"),
        ("wenz", "GA GZ GK GO G9 G8 G7"),
        ("geier", "GA GZ GK GU G9 G8 G7"),
        ("bettel", "GA GK GO GU GZ G9 G8 G7"),
    ],
)
def test_001_contracts_order_of_a_plain_suit(game: str, highest_first: str) -> None:
    table, cards = tables(load_rules("pub"), *parts_of(game)), highest_first.split()
    assert set(cards) == {code for code in CODES if table.groups[1] & BIT[code]}
    for place, high in enumerate(cards):
        assert all(table.beats[NUMBER[low]] & BIT[high] for low in cards[place + 1 :])
        assert not any(table.beats[NUMBER[high]] & BIT[low] for low in cards[place + 1 :])


def test_001_rufer_declarer_needs_a_card_of_the_called_suit_other_than_unter_and_ober() -> None:
    # S7 of Ben goes to Cem for SO; SU would not do in its place
    text = changed(("GO HO S7 G9", "GO HO SO G9"), ("Cem: SO EU", "Cem: S7 EU")).split("tricks")[0]
    told = messages(text + "tricks = []\n")
    assert told == ["Ben calls SA without a plain card of Schellen: EA EO GA GZ GO G9 HO SO"]


def test_001_rufer_the_ace_of_the_trump_suit_cannot_be_called() -> None:
    told = messages(changed(("Ben rufspiel S", "Anna rufspiel H")))
    assert any(each.startswith("Anna calls HA, but it is a trump: ") for each in told)


@pytest.mark.parametrize("suit", ["E", "G", "S"])
def test_001_rufer_with_all_three_aces_there_is_none_to_call(suit: str) -> None:
    text = changed(("EO GO HO S7 G9 GA EA GZ", "EO GO HO SA G9 GA EA GZ"), ("SO EU SA EZ", "SO EU S7 EZ"))
    text = text.split("tricks")[0].replace("rufspiel S", f"rufspiel {suit}")
    assert "calls-own-card" in rules_of(judged(text + "tricks = []\n"))


SOLO = DEAL.split("game")[0] + 'game = "Ben solo H"\ntricks = []\n'


def test_001_solo_needs_a_card_of_the_suit_besides_obers_and_unters() -> None:
    assert messages(SOLO) == ["Ben names Herz without a card of it besides the lords: EA EO GA GZ GO G9 HO S7"]
    assert messages(SOLO.replace("solo H", "solo S")) == []


def test_003_1_4_there_is_no_requirement_to_hold_the_suit_named_as_trump() -> None:
    assert messages(SOLO, house="solo_needs_suit = false") == []


TOUT = DEAL.split("game")[0] + 'game = "Dora solo H tout"\ntricks = ["Anna: S8 S7 SA E8"]\n'


def test_001_tout_is_lost_when_the_opponents_win_a_trick() -> None:
    found = judged(TOUT)
    assert found.verdict == "agrees"
    assert (found.settlement.won, found.settlement.price) == (False, 100 + 5 * 10)  # without five


def test_001_tout_not_yet_lost_goes_on() -> None:
    found = judged(TOUT.replace("SA E8", "SA HU"))
    assert (found.verdict, missing_of(found)) == ("undecidable", ("the rest of the play",))


SIE = """
[[deal]]
dealer = "Dora"
hands = ["Anna: EO GO HO SO EU GU HU SU", "Ben: EA EZ EK E9 E8 E7 S7 S8",
    "Cem: GA GZ GK G9 G8 G7 S9 SK", "Dora: HA HZ HK H9 H8 H7 SA SZ"]
game = "Anna sie"
"""


def test_001_sie_and_003_3_4_the_hand_wins_without_play() -> None:
    found = judged(SIE)
    assert found.verdict == "agrees", say_reason(found)
    assert (found.settlement.won, found.settlement.payments) == (True, (600, -200, -200, -200))


def test_001_sie_is_all_obers_and_unters() -> None:
    text = SIE.replace("HU SU", "HU HA").replace("Dora: HA", "Dora: SU")
    assert messages(text) == ["Anna announces Sie, but does not hold the top trumps: EO EU GO GU HA HO HU SO"]


def test_001_sie_schierling_six_trumps_are_enough_with_24_cards() -> None:
    text = """
[[deal]]
dealer = "Dora"
hands = ["Anna: EO GO HO SO EU GU", "Ben: EA EZ EK E9 HU SU", "Cem: GA GZ GK G9 S9 SK", "Dora: HA HZ HK H9 SA SZ"]
game = "Anna sie"
"""
    assert judged(text, house="deck = 24").verdict == "agrees"


# --- 001 Play ---------------------------------------------------------------------------------------------------------


def test_the_deal_itself_is_legal() -> None:
    found = judged(DEAL)
    assert (found.verdict, found.findings, missing_of(found)) == ("agrees", (), ())


def test_001_play_clockwise_and_the_winner_leads_to_the_next_trick() -> None:
    found = judged(DEAL)
    assert [step.seat for step in found.replay.steps[:12]] == [0, 1, 2, 3, 2, 3, 0, 1, 1, 2, 3, 0]
    assert found.replay.leaders == (0, 2, 1, 1, 1, 1, 2, 3)
    assert found.replay.leaders[1:] == found.replay.winners[:-1]


def test_001_play_leaders_left_out_are_those_who_won() -> None:
    text = changed(*((f'"{name}: {cards}', f'"{cards}') for name, cards in
                     [("Anna", "SK S7"), ("Cem", "H9 HK"), ("Ben", "EO HA"), ("Dora", "E8 G7")]))  # fmt: skip
    assert judged(text).replay == judged(DEAL).replay


def test_001_play_the_highest_trump_wins_or_the_highest_card_of_the_led_suit() -> None:
    found = judged(DEAL)
    best = [
        next(step.card for step in found.replay.steps if (step.trick, step.seat) == (trick, winner))
        for trick, winner in enumerate(found.replay.winners, 1)
    ]
    assert best == ["SA", "HO", "EO", "GO", "EA", "EU", "GU", "E8"]


RUN_AWAY = """
[[deal]]
dealer = "Dora"
hands = [
    "Anna: EA EZ EK E7 S7 S8 G7 G8",
    "Ben: EO GO HO SO E8 HA GA SA",
    "Cem: EU GU HU SU E9 HZ GZ SZ",
    "Dora: HK H9 H8 H7 GK G9 SK S9",
]
game = "Ben rufspiel E"
tricks = ["Anna: E7 E8 E9 HK", "Dora: SK S7 SA SZ", "Ben: HA HZ H7 EA"]
"""


def test_001_run_away_in_play_and_the_ace_discarded_on_another_suit_afterwards() -> None:
    found = judged(RUN_AWAY)
    assert found.findings == ()
    assert missing_of(found) == ("the rest of the play",)


def test_001_without_running_away_the_ace_may_not_be_discarded() -> None:
    text = RUN_AWAY.replace("Anna: E7 E8 E9 HK", "Anna: G7 GA GZ GK").replace("Dora: SK S7 SA SZ", "Ben: SA SZ SK S7")
    assert messages(text) == [
        "trick 3 card 4: Anna threw off the called card EA before its suit was led: EZ EK E7 G8 S8 of EA EZ EK E7 G8 S8"
    ]


# --- 001 Additional Contracts: Bettel ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("lead", "leader"), [("forehand", 0), ("declarer", 1)])
def test_001_bettel_who_leads(lead: str, leader: int) -> None:
    text = DEAL.split("game")[0] + 'game = "Ben bettel"\ntricks = ["SK S7 SA E8"]\n'
    found = judged(text, house=f'bettel = {{ lead = "{lead}" }}')
    assert found.replay.leaders == (leader,)


# --- what a record may lack or get wrong ------------------------------------------------------------------------------


WRONG = {  # what is written otherwise, and what is told of it first
    "001_play_forehand_leads_to_the_first_trick": (
        [("Anna: SK S7 SA EK", "Ben: S7 SA EK SK")], ["trick 1: Ben leads, but Anna had the lead"]),
    "a_recorded_leader_is_held_against_who_took_the_trick_before": (
        [("Dora: E8 G7 G9 S9", "Anna: G7 G9 S9 E8")], ["trick 8: Anna leads, but Dora had the lead"]),
    "001_rufer_the_called_ace_is_not_ones_own": (
        [("Ben rufspiel S", "Cem rufspiel S")], ["Cem calls SA and holds it: EZ EU HA H9 SA SZ SO S9"]),
    "001_called_ace_withheld_is_told_with_what_was_allowed": (
        [("SK S7 SA EK", "SK S7 SZ EK"), ("Cem: SZ GU", "Cem: SA GU")],
        ["trick 1 card 3: Cem played SZ, but the called suit is led for the first time: "
         "SA of EZ EU HA H9 SA SZ SO S9"]),
    "a_trump_led_is_told_as_trump": (
        [("GO SO HU SU", "GO SO GK SU"), ("GA EU GK G8", "GA EU HU G8")],
        ["trick 4 card 3: Dora played GK, but must follow trump: GU HU of E9 E8 GK GU HU"]),
    "a_card_that_is_not_in_the_hand": (
        [("E8 G7 G9 S9", "E8 G9 G7 S9")],
        ["trick 8 card 2: Anna played G9, which is not in the hand: G7",
         "trick 8 card 3: Ben played G7, which is not in the hand: G9"]),
    "a_card_played_twice": (
        [("E8 G7 G9 S9", "E8 G7 G9 S8")],
        ["trick 8 card 4: S8 is there for the second time",
         "trick 8 card 4: Cem played S8, which is not in the hand: S9"]),
    "a_card_dealt_twice": (
        [("SK G7 S8 H8", "EO G7 S8 H8")],
        ["the hand of Ben: EO is there for the second time",
         "trick 1 card 1: Anna played SK, which is not in the hand: EO E7 G8 G7 HZ H8 SU S8"]),
    "a_card_that_is_not_in_the_pack": (
        [("SK G7 S8 H8", "SK G6 S8 H8"), ("E8 G7 G9", "E8 G6 G9")],
        ["the hand of Anna: G6 is not in the pack", "trick 8 card 2: G6 is not in the pack"]),
    "a_hand_of_the_wrong_size": ([("SK G7 S8 H8", "SK S8 H8")], ["Anna has 7 cards, expected 8", ...]),
    "a_trick_of_the_wrong_size": ([("SK S7 SA EK", "SK S7 SA")], ["trick 1 has 3 cards, expected 4", ...]),
    "a_trick_of_more_cards": ([("E8 G7 G9 S9", "E8 G7 G9 S9 S8")], ["trick 8 has 5 cards, expected 4", ...]),
    "a_known_card_of_a_half_known_hand_must_have_been_played": (
        [("SK G7 S8 H8", "?? EO S8 H8"), ("Ben: EO GO", "Ben: ?? GO")],
        ["Anna was dealt EO, but never played it", ...]),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_told(case: str) -> None:
    pairs, told = WRONG[case]
    found = messages(changed(*pairs))
    assert found[: len(told) - 1] == told[:-1] if told[-1] is ... else found == told


def test_the_first_broken_duty_explains_itself_and_play_goes_on_as_recorded() -> None:
    text = changed(("SK S7 SA EK", "SK G9 SA EK"), ("E8 G7 G9 S9", "E8 G7 S7 S9"))
    assert messages(text) == [
        "trick 1 card 2: Ben played G9, but must follow Schellen: S7 of EA EO GA GZ GO G9 HO S7",
        "trick 7 card 4: Ben played GZ, but must follow Schellen: S7 of GZ S7",
    ]
    found = judged(text)
    assert found.verdict == "unplayable"
    assert (len(found.replay.steps), found.replay.complete) == (32, True)
    assert found.replay.winners == (2, 1, 1, 1, 1, 2, 3, 3)


def test_findings_stand_in_the_order_of_play_and_the_first_is_the_reason() -> None:
    found = judged(changed(("EO HA H7 HZ", "EO HA E9 HZ"), ("EA EZ E9 E7", "EA EZ H7 E7")))
    assert [each.at for each in found.findings] == ["3.3", "5.3", "6"]
    assert say_reason(found).startswith("Trick 3 card 3: Dora played E9, but must follow trump")


def test_001_short_schafkopf_sevens_and_eights_are_not_in_the_pack() -> None:
    found = judged(DEAL, house="deck = 24")
    strange = {each.facts["card"] for each in found.findings if each.rule == "not-in-pack"}
    assert strange == {suit + rank for suit in "EGHS" for rank in "78"}


@pytest.mark.parametrize("last", ["", '    "Dora: E8 G7",\n'])
def test_play_broken_off_is_undecidable_and_says_so(last: str) -> None:
    found = judged(changed(('    "Dora: E8 G7 G9 S9",\n', last)))
    assert (found.verdict, found.findings, missing_of(found)) == ("undecidable", (), ("the rest of the play",))
    assert say_reason(found) == "The record does not say: the rest of the play."


def test_an_unknown_card_of_a_trick_is_undecidable_and_named() -> None:
    found = judged(changed(("E8 G7 G9 S9", "E8 ?? G9 S9")))
    assert (found.verdict, found.findings) == ("undecidable", ())
    assert missing_of(found) == ("a card of trick 8",)


def test_unknown_cards_of_a_hand_are_those_that_were_played() -> None:
    found = judged(changed(("SK G7 S8 H8", "?? G7 S? ?8")))
    assert (found.verdict, missing_of(found)) == ("agrees", ())
    assert set(found.replay.dealt[0] or ()) == {"SK", "G7", "S8", "H8", "SU", "HZ", "E7", "G8"}


def test_hands_that_are_not_recorded_are_taken_from_complete_tricks() -> None:
    text = DEAL.split("hands")[0] + "game" + DEAL.split("game")[1]
    found, whole = judged(text), judged(DEAL)
    assert (found.verdict, missing_of(found)) == ("agrees", ())
    assert list(map(set, found.replay.dealt)) == list(map(set, whole.replay.dealt))  # type: ignore[arg-type]
    assert found.settlement.payments == whole.settlement.payments


def test_a_revoke_is_found_though_no_hand_is_recorded() -> None:
    text = changed(("SK S7 SA EK", "SK G9 SA EK"), ("E8 G7 G9 S9", "E8 G7 S7 S9"))
    text = text.split("hands")[0] + "game" + text.split("game")[1]
    assert rules_of(judged(text)) == ["must-follow", "must-follow"]


def test_hands_are_not_taken_from_a_play_that_was_broken_off() -> None:
    text = changed(('    "Dora: E8 G7 G9 S9",\n', ""))
    found = judged(text.split("hands")[0] + "game" + text.split("game")[1])
    assert found.verdict == "undecidable"
    assert found.replay.dealt == (None,) * 4


@pytest.mark.parametrize(
    ("old", "new", "missing"),
    [
        ('game = "Ben rufspiel S"\n', "", "the game that was played"),
        ('dealer = "Dora"\n', "", None),  # the first leader tells forehand
        ("Ben rufspiel S", "rufspiel S", "the declarer"),
        ("Ben rufspiel S", "Ben solo", "the trump suit"),
    ],
)
def test_a_fact_that_is_not_recorded_is_named(old: str, new: str, missing: str | None) -> None:
    found = judged(changed((old, new)))
    assert found.verdict == ("undecidable" if missing else "agrees")
    assert missing is None or missing in missing_of(found)


def test_tricks_that_are_not_recorded_are_named() -> None:
    found = judged(DEAL.split("tricks")[0])
    assert (found.verdict, missing_of(found)) == ("undecidable", ("the tricks",))


def test_the_reason_of_an_unplayable_deal_is_its_error_and_not_a_note_before_it() -> None:
    found = judge_one('[[deal]]\ndealer = "Dora"\nround = ["waltz"]\ngame = "Ben geier"\n')
    assert rules_of(found) == ["contract-not-played", "unknown-round"]
    assert found.verdict == "unplayable"
    assert say_reason(found).startswith("Ruleset bavarian has no round 'waltz'")
