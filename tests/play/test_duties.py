"""What may be played from a hand, sentence by sentence: documents 000 Play, 001 Contracts and Play, 002, 003, 004.

A row has the hand, what lies in the trick, what may be played, and cards that are refused with the rule that refuses
them; before it the game where it is no Rufspiel on Acorns, a table, and whether the called suit was led before.
"""

import pytest
from support.duties import narrow_hand
from support.rulesets import load_rules

HOUSES = {
    "beating": {"bettel": {"trumps": "none", "beat": True, "lead": "forehand"}},
    "hearts": {"bettel": {"trumps": "hearts", "beat": False, "lead": "forehand"}},
    "run-away-with-two": {"call": {"run_away": 3}},
}
RULES = ("alter-schoofkopp", "asserufen")
DUTIES = {
    "001_rufer_if_an_ober_is_led_players_must_play_a_trump_if_able": ["H7 GU SO GA | GO | H7 GU SO"],
    "001_rufer_if_a_heart_is_led_ober_unter_and_hearts_follow": ["EO EU H8 GA S7 | HK | EO EU H8"],
    "001_rufer_the_ober_of_leaves_is_no_part_of_the_suit_of_leaves": [
        "GO GZ | G9 | GZ | GO must-follow",
        "GO SZ | G9 | GO SZ",
    ],
    "001_wenz_the_obers_are_suit_cards": ["wenz: GO GU SA | G9 | GO", "wenz: GO GU SA | EU | GU"],
    "001_play_follow_suit_if_able_otherwise_any_card": ["GZ G7 EO S7 | G9 | GZ G7", "EO S7 H9 | G9 | EO S7 H9"],
    "003_3_2_a_higher_or_lower_card_may_be_selected": ["GA G7 | G9 | GA G7"],
    "001_play_no_requirement_to_head_the_trick": ["EO H7 | GO | EO H7"],
    "001_play_no_requirement_to_trump_when_void": ["EO S7 | GA | EO S7"],
    "003_3_2_without_trump_any_card_may_be_thrown_on_a_trump": ["GA S7 SK | EO | GA S7 SK"],
    "001_called_ace_must_be_played_to_the_first_lead_of_its_suit": [
        "EA EZ E7 GO | E8 | EA | EZ called-card-withheld",
        "rufspiel EZ: EZ EK H7 | E7 | EZ",  # as a called Ten
    ],
    "001_called_ace_must_be_played_even_if_the_trick_has_been_trumped": ["EA EZ | E8 GO | EA"],
    # 002 01.2: you can only do this when you lead
    "001_called_ace_must_be_played_by_who_could_have_run_away_but_does_not_lead": ["EA EZ EK E7 GO | E8 | EA"],
    "001_called_ace_may_be_led_to_any_trick": [
        "EA EZ GO G7 | | EA GO G7",
        "EA EZ EK E7 GO | | EA EZ EK E7 GO",
        "searched: EA G7 | | EA G7",
    ],
    "001_called_ace_may_not_be_thrown_on_another_suit_before_its_suit_is_led": [
        "EA S7 H9 | G9 | S7 H9 | EA called-card-thrown-off",
        "EA S7 S9 | GO | S7 S9",
        "rufspiel EZ: EZ GK H7 | S7 | GK H7",
    ],
    # 003 3.2: not played during the first seven tricks, it can be played only on the last
    "001_called_ace_may_be_thrown_in_the_last_trick": ["EA | G9 | EA"],
    # 003 3.2: with two or fewer cards besides the called Ace, the Ace must be led
    "001_called_ace_its_suit_may_not_be_led_under_it_with_two_others": [
        "EA EZ E7 GO S7 | | EA GO S7 | E7 called-card-led-under",
        "rufspiel EZ: EZ EK H7 | | EZ H7",
        "rufspiel EK: EK E9 E8 H7 | | EK H7",
    ],
    "001_called_ace_lords_of_its_suit_are_none_of_the_three_others": ["EA EZ E7 EO EU | | EA EO EU"],
    "001_run_away_with_three_others_by_leading_a_lower_card_of_the_suit": [
        "EA EZ EK E7 GO | | EA EZ EK E7 GO",
        "rufspiel EK: EK E9 E8 E7 H7 | | EK E9 E8 E7 H7",
    ],
    # who was searched has played the Ace; who holds it still has run away, and is free
    "001_run_away_only_before_the_suit_has_been_led": ["searched: EA EZ | | EA EZ"],
    # 002 01.2: withhold it when its suit is played, or butter it into a partner's trick
    "001_run_away_leaves_the_ace_free_to_be_discarded_and_withheld": [
        "searched: EA EZ S7 | G9 | EA EZ S7",
        "searched: EA EZ S7 | E9 | EA EZ",
    ],
    "001_run_away_is_a_setting_of_the_house": ["run-away-with-two: EA EZ E7 GO | | EA EZ E7 GO"],
    "001_called_ace_binds_its_holder_alone": ["EZ E7 GO | E8 | EZ E7", "EZ E7 GO | | EZ E7 GO"],
    "001_bettel_no_requirement_to_beat_unless_the_house_says_so": ["bettel: GA G7 SA | G9 | GA G7"],
    "001_bettel_must_beat_the_highest_card_when_following_suit_if_possible": [
        "bettel beating: GA GZ G7 SA | G9 | GA GZ",
        "bettel beating: GZ G7 SA | G9 GK | GZ G7",
        "bettel beating: GA G7 SA | G9 SK | GA",
        "bettel beating: SA S7 | G9 | SA S7",
    ],
    "001_bettel_with_hearts_as_trumps": ["bettel hearts: GO GZ | G9 | GZ", "bettel: GO GZ | G9 | GO GZ"],
    "000_the_play_jacks_belong_to_the_trump_suit": [
        "bauernstoss H: EU E9 H7 | EA | E9",
        "bauernstoss H: EU E9 H7 | HA | EU H7",
    ],
    "000_the_play_who_has_no_card_of_the_suit_led_must_trump": [
        "bauernstoss H: G9 GA H7 SU | EA | H7 SU | GA must-trump"
    ],
    "000_the_play_even_if_the_trick_is_trumped_by_the_partner_or_by_a_card_that_cannot_be_beaten": [
        "bauernstoss H: G9 GA H7 | EA HZ E7 | H7",
        "bauernstoss H: G9 GA H7 | EA EU | H7",
    ],
    "000_the_play_without_the_suit_and_without_trumps_any_card": ["bauernstoss H: G9 GA S7 | EA | G9 GA S7"],
    "000_the_play_a_trump_played_on_a_jack_must_be_a_higher_jack": [
        "bauernstoss H: H7 HA GU EU | SU | GU EU | HA must-beat-lord",
        "bauernstoss H: G9 H7 HA GU | EA SU | GU",
        "bauernstoss H: H7 HA SU | HK GU | H7 HA SU",  # no higher one
        "bauernstoss H: H7 HA HU | SU GU | H7 HA HU",  # it would not overtake the one that has the trick
    ],
    "000_the_play_a_jack_in_the_trick_does_not_concern_who_follows_a_plain_suit": ["bauernstoss H: E9 EU | EA SU | E9"],
    "000_the_play_a_trump_that_is_no_jack_need_not_be_beaten": [
        "bauernstoss H: H7 EU HA | HK | H7 EU HA",
        "bauernstoss H: H7 EU HA | EA HK | H7 EU HA",
    ],
    "000_the_play_the_queen_is_a_plain_card": ["bauernstoss H: EO HO | E7 | EO"],
    "000_alter_schoofkopp_when_trumps_are_led_the_highest_must_be_beaten": [
        "bauernstoss H alter-schoofkopp: H7 HA EU | HK | HA EU | H7 must-overtake-trump",
        "bauernstoss H alter-schoofkopp: H7 H8 | HK | H7 H8",
    ],
    "000_alter_schoofkopp_who_trumps_a_plain_suit_need_not_beat_a_trump": [
        "bauernstoss H alter-schoofkopp: G9 H7 HA EU | EA HK | H7 HA EU"
    ],
    "000_alter_schoofkopp_no_special_rule_about_beating_jacks": [
        "bauernstoss H alter-schoofkopp: G9 H7 HA EU | EA SU | H7 HA EU"
    ],
    # E* is the Ace of Acorns and, in its place, the Ten
    "004_asserufen_play_1_the_called_card_is_played_when_another_leads_its_suit": [
        "rufspiel E* asserufen: E* EK E9 E8 HA | E7 | E* | EK called-card-withheld"  # however many cards of it
    ],
    "004_asserufen_play_2_the_partner_leads_the_called_card_of_its_suit": [
        "rufspiel E* asserufen: E* EK E9 HA GA | | E* HA GA | EK called-card-led-under",
        "rufspiel E* asserufen: EK E9 HA GA | | EK E9 HA GA",  # another player
    ],
    "004_asserufen_play_3_the_called_card_is_not_thrown_on_another_suit": [
        "rufspiel E* asserufen: E* EK SA S9 | G7 | EK SA S9 | E* called-card-thrown-off",
        "rufspiel E* asserufen: E* EK SA S9 | H7 | EK SA S9 | E* called-card-thrown-off",
        "rufspiel E* asserufen: E* | G7 | E*",
        "rufspiel E* asserufen: E* | H7 | E*",
    ],
    "004_asserufen_play_4_with_four_cards_the_partner_may_underlead_and_is_released": [
        "rufspiel E* asserufen: E* EK E9 E8 HA | | E* EK E9 E8 HA",
        "rufspiel E* asserufen: E* EK EU E8 HA | | E* EU HA | E8 called-card-led-under",  # a Jack is none of the suit
        "rufspiel E* asserufen searched: E* EK HA | G7 | E* EK HA",
        "rufspiel E* asserufen searched: E* EK HA | E7 | E* EK",
        "rufspiel E* asserufen searched: E* EK HA | | E* EK HA",
    ],
}


@pytest.mark.parametrize("sentence", DUTIES)
def test_what_may_be_played(sentence: str) -> None:
    for row in {each.replace("E*", called): "" for each in DUTIES[sentence] for called in ("EA", "EZ")}:
        before, _, rest = row.rpartition(": ")
        hand, on, may, *refused = (each.strip() for each in rest.split("|"))
        flags = {*before.split()} & {"searched", *RULES, *HOUSES}
        game = [each for each in before.split() if each not in flags] or ["rufspiel", "EA"]
        if game[0] == "rufspiel":
            game.insert(1, game[1][0])
        name = next((each for each in RULES if each in flags), game[0] if game[0] == "bauernstoss" else "pub")
        rules = load_rules(name, next((HOUSES[each] for each in flags if each in HOUSES), {}))
        for card, rule in [each.split() for each in refused] or [("", None)]:
            assert narrow_hand(hand, on, card, rules, tuple(game), "searched" in flags) == ({*may.split()}, rule), row
