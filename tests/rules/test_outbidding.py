"""What is asked of whoever outbids, and of a Solo's suit, in the club of document 002."""

from support.tables import auction_findings, judge_one, rules_of


def test_002_01_3_who_outbids_must_say_what_is_played() -> None:
    named = "Anna play, Ben wenz, Cem pass, Dora pass, Anna good"
    unnamed = "Anna play, Ben play, Cem pass, Dora pass, Anna good"
    assert auction_findings(named, "Ben wenz", "expats") == []
    assert auction_findings(unnamed, "Ben wenz", "expats") == ["auction-call"]
    assert auction_findings(unnamed, "Ben wenz", "bavarian") == []


def test_002_01_2_a_suit_of_ones_choice_needs_no_card_of_it() -> None:
    deal = '[[deal]]\ndealer = "Dora"\nhands = ["Ben: EO GO HO SO EU GU HA HZ"]\ngame = "Ben solo S"\n'
    for rules, expected in (("expats", []), ("bavarian", ["no-card-of-trump-suit"])):
        found = judge_one(deal, rules)
        assert [rule for rule in rules_of(found) if rule == "no-card-of-trump-suit"] == expected
