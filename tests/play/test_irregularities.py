"""Irregularities and shortened games: document 003, 2.1, 3.1, 3.2 and 3.4, section by section.

One deal of ours is changed from test to test. Ben calls the Gras Ace, which Dora holds; they make 78.
Tricks to Cem 11, Dora 18, Cem 16, Dora 31, Dora 5, Ben 11, Ben 13, Anna 15; one runner, which is not paid.
"""

from itertools import pairwise

import pytest
from support.irregular_deals import HANDS, REVOKED, TRICKS, deal
from support.tables import judge_one, missing_of, rules_of

from archive.judge import Judgement
from archive.rules import load
from archive.say import say

SOLO = """dealer = "Anna"
hands = [
    "Anna: GA GZ GK G9 EZ EK E9 SA",
    "Ben: EO GO HO SO EU GU HU EA",
    "Cem: SU HA HZ HK E7 E8 G7 G8",
    "Dora: H9 H8 H7 S7 S8 S9 SK SZ",
]
"""


def judged(text: str, rules: str = "sheepshead-basic", house: str = "") -> Judgement:
    return judge_one(text, rules, house)


def outcome(found: Judgement) -> tuple[object, ...]:
    """Won, points, tricks, Schneider, Schwarz and the payments of a deal that is settled without a finding."""
    settled = found.settlement
    assert (rules_of(found), missing_of(found), found.verdict) == ([], (), "agrees")
    return settled.won, settled.side_points, settled.side_tricks, settled.schneider, settled.schwarz, settled.payments


def line(found: Judgement, word: str) -> tuple[str, str, tuple[str, ...]]:
    """The text, source and proof of the line of the settlement that has a word."""
    return next((each.text, each.cite, each.proof) for each in found.settlement.lines if word in each.text)


def test_the_deal_as_it_was_played() -> None:
    assert outcome(judged(deal())) == (True, 78, 5, False, False, (-10, 10, -10, 10))


# --- 003 2.1 ----------------------------------------------------------------------------------------------------------


def test_003_2_1_a_card_exposed_by_the_dealer_is_dealt_again() -> None:
    found = judged(deal("@deal Dora exposes S7", more='game = "misdeal"', hands=""))
    assert outcome(found)[-1] == (0, 0, 0, 0)
    assert found.after.dealer == 3  # the same dealer again
    text, cite, proof = line(found, "dealt again")
    assert (text, cite, proof) == (
        "dealt again: Dora exposed S7 while dealing", "003 2.1 Dealing the Cards", ("v1",),
    )  # fmt: skip


def test_003_2_1_a_card_exposed_while_cutting_is_shuffled_and_cut_again() -> None:
    """Nothing had been dealt: the deal goes on, whether that cut has an entry of its own or not."""
    played = judged(deal("@cut Cem exposes S7", more='cut = "Cem 9"'))
    assert outcome(played) == (True, 78, 5, False, False, (-10, 10, -10, 10))
    again = judged(deal("@cut Cem exposes S7", more='game = "misdeal"', hands=""))
    assert outcome(again)[-1] == (0, 0, 0, 0)
    assert again.after.dealer == 3


def test_a_card_exposed_while_cutting_is_left_to_a_table_that_has_no_rule_for_it() -> None:
    found = judged(deal("@cut Cem exposes S7"), "bavarian")
    assert (found.verdict, missing_of(found)) == (
        "undecidable",
        ("what the table decided: Cem exposed S7 when cutting",),
    )
    dealt = judged(deal("@cut Cem exposes S7"), "bavarian", 'consequences = { exposed-cutting = "dealt-again" }')
    assert rules_of(dealt) == ["wrong-consequence"]


@pytest.mark.parametrize(
    ("name", "consequence", "why"),
    [
        ("revoke", "cut-again", "the cards are only cut again after one exposed while cutting"),
        ("exposed-cutting", "lost-schwarz", "before the deal the cards are only cut or dealt again"),
    ],
)
def test_cards_are_cut_again_before_the_deal_and_for_nothing_else(name: str, consequence: str, why: str) -> None:
    ruleset, (wrong,) = load("sheepshead-basic", {"consequences": {name: consequence}})
    assert ruleset is None
    assert (wrong.facts["key"], say(wrong.facts["why"])) == (f"house.consequences.{name}", why)


@pytest.mark.parametrize("rules", ["sheepshead-basic", "bavarian"])
def test_003_3_1_of_a_card_that_was_prevented_nothing_follows(rules: str) -> None:
    found = judged(deal("@2.2 Dora prevented GK by Ben"), rules)
    assert outcome(found) == outcome(judged(deal(), rules))


@pytest.mark.parametrize(
    ("event", "at"),
    [
        ("@deal Cem looks at the hand of Dora by Anna", None),  # 003 2.1
        ("@1.1 Anna remarks a Spade would be nice", "1.1"),  # 003 3.1
        ("@3.1 Anna remarks four trumps are left by Cem", "3.1"),  # 003 3.3
    ],
)
def test_003_3_3_words_and_looks_are_noted_and_the_table_decides(event: str, at: str | None) -> None:
    found = judged(deal(event))
    assert [(each.rule, each.severity, each.at) for each in found.findings] == [("left-to-table", "note", at)]
    assert found.verdict == "agrees"
    assert found.settlement == judged(deal()).settlement


def test_003_2_1_a_deal_that_had_to_be_dealt_again_has_no_amounts() -> None:
    found = judged(deal("@deal Dora exposes S7"))
    assert rules_of(found) == ["wrong-consequence"]
    assert found.verdict == "unplayable"
    assert found.settlement.payments is None


def test_003_2_1_a_card_that_another_exposed_is_left_to_the_table() -> None:
    found = judged(deal("@deal Anna exposes S7"))
    assert (found.verdict, missing_of(found)) == ("undecidable", ("what the table decided: Anna exposed S7",))


NINE = HANDS.replace("Anna: HA ", "Anna: ").replace("Cem: H7", "Cem: HA H7")


@pytest.mark.parametrize("moment", ["@deal ", ""])
def test_003_2_1_too_few_or_too_many_cards_are_dealt_again(moment: str) -> None:
    counts = (f"{moment}Cem miscount 1", f"{moment}Anna miscount -1")
    found = judged(deal(*counts, more='game = "misdeal"', hands=NINE))
    assert outcome(found)[-1] == (0, 0, 0, 0)
    assert line(found, "dealt again")[0] == "dealt again: Cem had 1 card too many"


def test_003_2_1_what_the_record_does_not_own_up_to_stays_a_finding() -> None:
    found = judged(deal("@deal Cem miscount 1", more='game = "misdeal"', hands=NINE))
    assert [each.message for each in found.findings] == ["Anna has 7 cards, expected 8"]


def test_a_miscount_of_a_hand_that_is_right_is_none() -> None:
    found = judged(deal("@deal Cem miscount 1", more='game = "misdeal"'))
    assert rules_of(found) == ["nothing-irregular"]


# --- 003 3.1 ----------------------------------------------------------------------------------------------------------


def test_003_3_1_a_card_played_out_of_turn_ends_the_hand() -> None:
    """After two tricks, 11 to Cem and 18 to Dora, the other 91 go to the declarer's side."""
    found = judged(deal("@3.1 Anna out-of-turn by Ben", tricks=TRICKS[:2]))
    assert outcome(found) == (True, 109, 7, True, False, (-20, 20, -20, 20))
    text = "the rest, 91 in 6 tricks, to the declarer's side: Anna played out of turn in trick 3"
    assert line(found, "rest") == (text, "003 3.1 Leading", ("v1",))


def test_003_3_1_a_lead_out_of_turn_that_the_record_owns_up_to_is_no_finding() -> None:
    led = (*TRICKS[:2], "Anna: HA")
    assert rules_of(judged(deal(tricks=led))) == ["wrong-leader"]
    assert outcome(judged(deal("@3.2 Anna out-of-turn", tricks=led)))[1] == 109


def test_003_3_1_the_unfinished_trick_goes_to_the_other_side_too() -> None:
    found = judged(deal("@3.3 Ben out-of-turn", tricks=(*TRICKS[:2], "Dora: H9 HA")))
    assert outcome(found) == (False, 18, 1, True, False, (20, -20, 20, -20))


@pytest.mark.parametrize("moment", ["", "@end "])
def test_a_card_out_of_turn_in_a_play_that_was_whole_has_no_trick(moment: str) -> None:
    assert missing_of(judged(deal(f"{moment}Ben out-of-turn"))) == ("when this was: Ben out-of-turn",)


# --- 003 3.2 ----------------------------------------------------------------------------------------------------------


def test_003_3_2_failing_to_follow_suit_ends_the_game() -> None:
    found = judged(deal("@3.4 Cem revoke by Anna", tricks=(*TRICKS[:2], "Dora: H9 HA SU S8")))
    assert outcome(found) == (True, 109, 7, True, False, (-20, 20, -20, 20))
    text = "the rest, 91 in 6 tricks, to the declarer's side: Cem revoked in trick 3"
    assert line(found, "rest") == (text, "003 3.2 Following Suit", ("t3.4", "v1"))


def test_003_3_2_in_the_first_trick_everything_goes_to_the_other_side() -> None:
    found = judged(deal("@1.3 Ben revoke", tricks=("Anna: G7 HK",)))
    assert outcome(found) == (False, 0, 0, True, True, (30, -30, 30, -30))


def test_003_3_2_the_called_ace_withheld_is_a_misplay_too() -> None:
    found = judged(deal("@1.4 Dora revoke by Cem", tricks=("Anna: G7 G9 H7 GK",)))
    assert outcome(found) == (False, 0, 0, True, True, (30, -30, 30, -30))


def test_003_3_2_a_card_that_was_taken_back_need_not_be_written() -> None:
    found = judged(deal("@3.4 Cem revoke", tricks=(*TRICKS[:2], "Dora: H9 HA SU")))
    assert outcome(found)[1] == 109


@pytest.mark.parametrize("moment", ["5.4", "5", "6.1"])
def test_003_3_2_it_is_found_at_once_until_the_next_trick_is_led(moment: str) -> None:
    """Four tricks, 49 to the declarer's side and 27 to the defence, then the rest of 44."""
    found = judged(deal(f"@{moment} Cem revoke", tricks=REVOKED[:5]))
    assert outcome(found) == (True, 93, 6, True, False, (-20, 20, -20, 20))


@pytest.mark.parametrize("moment", ["6.2", "6", "7.3", "end"])
def test_003_3_2_found_after_the_fact_the_game_is_lost_schwarz(moment: str) -> None:
    found = judged(deal(f"@{moment} Cem revoke by Ben", tricks=REVOKED))
    assert outcome(found) == (True, 78, 5, True, True, (-30, 30, -30, 30))
    assert line(found, "lost Schwarz") == (
        "lost Schwarz: Cem revoked in trick 5", "003 3.2 Following Suit", ("t5.4", "v1"),
    )  # fmt: skip


def test_003_3_2_the_side_that_misplayed_loses_though_it_had_the_points() -> None:
    """Ben keeps the HU back in trick 5 and trumps with it in trick 6; found at the end, 78 points do not help."""
    revoked = (*TRICKS[:4], "Dora: SO G8 S7 H8", "Dora: EK SK HO E9", "Ben: EO S8 SZ S9", "Ben: HU E8 GK SA")
    found = judged(deal("@end Ben revoke by Cem", tricks=revoked))
    assert outcome(found)[0] is False
    assert outcome(found)[3:] == (True, True, (30, -30, 30, -30))


def test_003_3_2_a_revoke_that_nobody_owns_up_to_is_a_finding() -> None:
    assert rules_of(judged(deal(tricks=REVOKED))) == ["must-follow"]
    assert "must-follow" in rules_of(judged(deal("@5.3 Cem revoke", tricks=REVOKED)))  # before the card


def test_a_revoke_of_a_player_who_followed_suit_is_none() -> None:
    found = judged(deal("@end Dora revoke by Cem"))
    assert rules_of(found) == ["nothing-irregular"]
    assert "every card up to then could be played" in found.findings[0].message


def test_there_is_no_ninth_trick() -> None:
    assert rules_of(judged(deal("@9.2 Cem revoke"))) == ["nothing-irregular"]


def test_each_event_owns_up_to_one_card() -> None:
    twice = ("Anna: G7 G9 H7 GA", "Cem: HZ EU GU S7", *REVOKED[2:6], "Ben: EO H8 SZ S9", "Ben: HK E8 GK SA")
    assert rules_of(judged(deal("@end Cem revoke", tricks=twice))) == ["must-follow"]


def test_003_3_2_a_wrong_number_of_cards_found_during_the_game_loses_schwarz() -> None:
    found = judged(deal("@2.1 Cem miscount 1", "@2.1 Anna miscount -1", tricks=TRICKS[:1], hands=NINE))
    assert outcome(found) == (True, None, None, True, True, (-30, 30, -30, 30))
    assert line(found, "lost Schwarz")[:2] == ("lost Schwarz: Cem had 1 card too many", "003 3.2 Following Suit")


def test_wrong_numbers_on_both_sides_are_left_to_the_table() -> None:
    hands = HANDS.replace("Ben: HK ", "Ben: ").replace("Cem: H7", "Cem: HK H7")
    found = judged(deal("@2.1 Cem miscount 1", "@2.1 Ben miscount -1", tricks=TRICKS[:1], hands=hands))
    assert missing_of(found) == ("what the table decided: Cem had 1 card too many and Ben had 1 card too few",)


def test_a_game_lost_by_the_rules_is_not_dealt_again() -> None:
    found = judged(deal("@2.1 Cem miscount 1", "@2.1 Anna miscount -1", more='game = "misdeal"', hands=NINE))
    assert rules_of(found) == ["wrong-consequence"]


# --- 003 3.4 ----------------------------------------------------------------------------------------------------------


def test_003_3_4_who_expects_no_more_tricks_gives_all_the_rest() -> None:
    """Ben still has the Eichel-Ober, which could not be beaten: it does not matter. The rest is 28."""
    found = judged(deal("@7.1 Ben shows none", tricks=TRICKS[:6]))
    assert outcome(found) == (True, 65, 4, False, False, (-10, 10, -10, 10))
    assert line(found, "rest")[1:] == ("003 3.4 Shortened Games", ("v1",))


def test_003_3_4_a_claim_that_is_not_so_gives_the_rest_to_the_others() -> None:
    found = judged(deal("@7.1 Ben shows all", tricks=TRICKS[:6]))
    assert outcome(found) == (True, 65, 4, False, False, (-10, 10, -10, 10))
    assert "does not take it" in line(found, "rest")[0]


def test_003_3_4_tricks_after_the_claim_do_not_count() -> None:
    """They were played for nothing; but they are looked at like all others."""
    assert outcome(judged(deal("@7.1 Ben shows all")))[1] == 65
    wrong = (*TRICKS[:6], "Ben: EO S8 SZ S9", "Ben: S7 E8 GK EO")
    assert "card-twice" in rules_of(judged(deal("@7.1 Ben shows all", tricks=wrong)))


@pytest.mark.parametrize(("moment", "tricks"), [("@1.1 ", "[]"), ("@deal ", "[]"), ("", "[]"), ("@1.2 ", '["EO"]')])
def test_003_3_4_a_claim_that_is_so_takes_all_the_rest(moment: str, tricks: str) -> None:
    """Seven runners, Schneider and Schwarz: 50 + 20 + 70."""
    found = judged(f'[[deal]]\n{SOLO}game = "Ben solo H"\ntricks = {tricks}\nevents = ["{moment}Ben shows all"]\n')
    assert outcome(found) == (True, 120, 8, True, True, (-140, 420, -140, -140))


def test_003_3_4_a_claim_that_is_so_needs_no_rule_of_the_house() -> None:
    text = f'[[deal]]\n{SOLO}game = "Ben solo H tout"\ntricks = []\nevents = ["Ben shows all"]\n'
    found = judged(text, rules="bavarian", house="solo_needs_suit = false")
    assert outcome(found)[-1] == (-170, 510, -170, -170)


def test_003_3_4_a_claim_needs_the_hands() -> None:
    hands = HANDS.replace("Cem: H7 S8", "Cem: H7 ??")
    found = judged(deal("@7.1 Ben shows all", tricks=TRICKS[:6], hands=hands))
    assert "the cards that were left when Ben claimed the rest" in missing_of(found)
    assert found.verdict == "undecidable"


def test_003_3_4_a_claim_that_nothing_can_beat_needs_one_hand_only() -> None:
    own = 'hands = ["Ben: EO GO HO SO EU GU HU EA"]'
    text = '[[deal]]\ndealer = "Anna"\n{hands}\ngame = "Ben solo H"\ntricks = []\nevents = ["@1.1 Ben shows all"]\n'
    found = judged(text.format(hands=own))
    assert "the cards that were left when Ben claimed the rest" in missing_of(found)  # SU might take the Ace
    found = judged(text.format(hands=own.replace("EA", "SU")))
    assert outcome(found) == (True, 120, 8, True, True, (-150, 450, -150, -150))


def test_003_3_4_the_hand_that_gives_up_needs_no_other_hand_for_the_points() -> None:
    found = judged(deal("@7.1 Ben shows none", tricks=TRICKS[:6], hands='hands = ["Ben: HK G9 HO SU EO GZ S7 HU"]'))
    assert (found.replay.ending.points, found.replay.ending.tricks) == (28, 2)


def test_a_hand_shown_after_the_last_trick_is_no_claim() -> None:
    assert outcome(judged(deal("@end Ben shows all")))[1] == 78
    assert outcome(judged(deal("@end Ben shows none")))[1] == 78


# --- what the rules leave open ----------------------------------------------------------------------------------------


def test_where_the_rules_are_silent_the_table_decides() -> None:
    found = judged(deal("@end Cem revoke", tricks=REVOKED), rules="bavarian")
    assert (found.verdict, missing_of(found)) == ("undecidable", ("what the table decided: Cem revoked in trick 5",))
    assert found.settlement.payments is None


def test_what_the_table_decided_is_in_the_ruling() -> None:
    ruling = '[[deal.ruling]]\nby = "Dora"\nwhen = "2026-03-01"\nwhy = "a revoke"\npayments = [-20, 20, -20, 20]\n'
    found = judged(deal("@end Cem revoke", tricks=REVOKED, more=ruling), rules="bavarian")
    assert outcome(found)[-1] == (-20, 20, -20, 20)
    assert line(found, "ruled") == ("ruled by Dora: Cem revoked in trick 5", "this table: ruling", ("t5.4", "v1"))


RULED = '[[deal.ruling]]\nby = "Dora"\nwhen = "2026-03-01"\nwhy = "a revoke"\npayments = {}\n'


def ruled(payments: list[int], house: str, carry: str = "") -> Judgement:
    text = deal("@end Cem revoke", tricks=REVOKED, more=f"{carry}\n{RULED.format(payments)}")
    return judged(text, rules="bavarian", house=house)


def test_a_ruling_pays_out_of_the_pot_what_it_pays_more_than_nothing() -> None:
    found = ruled([0, 20, 0, 20], 'stock = { amount = 10, won_by = ["rufspiel"] }', "carry.stock = 40")
    assert (rules_of(found), found.verdict) == ([], "agrees")
    assert (found.settlement.pot, found.after.stock) == (-40, 0)


def test_a_ruling_without_a_pot_sums_to_zero() -> None:
    assert rules_of(ruled([-20, 30, -20, 20], "knock = 'no'")) == ["stated-sum"]


def test_after_a_ruling_it_is_not_known_whether_a_round_or_a_stake_is_to_come() -> None:
    found = ruled([-20, 20, -20, 20], 'bock = { on = ["schwarz"] }\nlevels = { tie = "stake" }', "carry.stake = 1")
    assert (found.after.rounds, found.after.queue, found.after.stake) == (None, None, None)


def test_a_house_may_play_on() -> None:
    house = 'consequences = { revoke-later = "played-on" }'
    assert outcome(judged(deal("@end Cem revoke", tricks=REVOKED), house=house))[1] == 78


def test_a_tout_goes_on_to_be_won_when_the_defence_revokes() -> None:
    tout = '["Ben: EO SU H9 GA", "Ben: GO E7"]'
    text = f'[[deal]]\n{SOLO}game = "Ben solo H tout"\ntricks = {tout}\nevents = ["@2.3 Cem revoke"]\n'
    assert outcome(judged(text))[-1] == (-170, 510, -170, -170)


def test_in_a_game_without_sides_the_table_decides() -> None:
    found = judged(
        deal("@7.1 Ben shows all", tricks=TRICKS[:6], more='game = "ramsch"'), house='contracts = ["ramsch"]'
    )
    assert say(found.missing[0]).startswith("what the table decided: Ben claimed the rest")


def test_where_tricks_are_not_wanted_they_are_no_amends() -> None:
    """A Bettel, which document 003 does not know: its rest would reward who revoked."""
    text = f'[[deal]]\n{SOLO}game = "Dora bettel"\ntricks = ["Ben: EA E7 S7 EK", "Ben: EU S8"]\n'
    found = judged(text + 'events = ["@2.3 Cem out-of-turn"]\n', house='contracts = ["bettel"]')
    assert "what the table decided: Cem played out of turn in trick 2" in missing_of(found)


def test_who_sits_out_breaks_no_rule() -> None:
    five = 'players = ["Anna", "Ben", "Cem", "Dora", "Emil"]\nsits_out = ["Emil"]'
    found = judged(deal("@3.1 Emil out-of-turn", more=five))
    assert rules_of(found) == ["nothing-irregular"]
    assert "sits out" in found.findings[0].message


def test_the_points_of_both_sides_make_the_pack() -> None:
    """Wherever play ends, whoever ends it: 120 points in eight tricks, and payments that sum to zero."""
    for played, _ in pairwise(range(9)):
        for name in ("Anna", "Ben", "Cem", "Dora"):
            found = judged(deal(f"@{played + 1}.1 {name} shows none", tricks=TRICKS[:played]))
            won, made, tricks, _, schwarz, paid = outcome(found)
            ending = found.replay.ending if found.replay else None
            own = {"Ben": "defence", "Dora": "defence"}.get(name, "declarer")
            assert ending.to == own
            assert isinstance(made, int)
            assert won == (made >= 61)
            assert schwarz == (tricks in (0, 8))
            assert isinstance(paid, tuple)
            assert sum(paid) == 0
