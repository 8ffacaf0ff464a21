"""Records that do not tell everything: nothing is held against what is not there, and nothing real gets by."""

import pytest
from support.point_auctions import found
from support.tables import judge_one, judge_text, missing_of, rules_of


def test_a_card_that_nobody_knows_may_have_been_the_one_that_was_due() -> None:
    hand = 'hands = ["Anna: H7 G7 H8 H9 EZ EK SK SZ"]'
    play = 'tricks = ["Ben: HA HZ HK {}", "Ben: GA GZ GK SZ"]'
    text = f'[[deal]]\ndealer = "Anna"\ngame = "Ben solo E"\n{hand}\n{play}\n'
    assert rules_of(judge_text(text.format("H7"))[0]) == ["must-follow"]
    assert rules_of(judge_text(text.format("??"))[0]) == []  # it may have been the Seven of Leaves


@pytest.mark.parametrize(("winners", "rules"), [(["Anna"], []), (["Anna", "Ben"], []), (["Ben"], ["stated-winners"])])
def test_a_trick_that_is_broken_off_has_no_winner_to_compare(winners: list[str], rules: list[str]) -> None:
    text = '[[deal]]\ndealer = "Dora"\ngame = "Anna solo H"\ntricks = ["Anna: EO H7 H8 H9", "Anna: GO SA"]\n'
    assert rules_of(judge_text(f"{text}stated.winners = {winners}")[0]) == rules


def test_what_a_lead_that_nobody_knows_asks_for_is_not_held_against_anybody() -> None:
    hand = 'hands = ["Cem: EA E9 SA HA HZ HK GA GZ"]'
    text = f'[[deal]]\ndealer = "Anna"\ngame = "Ben rufspiel E"\n{hand}\ntricks = ["Ben: {{}} E9 E7 EK"]\n'
    assert rules_of(judge_text(text.format("E8"))[0]) == ["called-card-withheld"]
    assert rules_of(judge_text(text.format("??"))[0]) == []


@pytest.mark.parametrize("tout", ["", " tout"])
def test_a_trick_that_nobody_knows_leaves_the_game_undecided(tout: str) -> None:
    game, play = f'game = "Ben wenz{tout}"\n', 'tricks = ["Anna: ?? SA SK SZ", "Anna: EA EZ EK E9"]\n'
    lost = "stated.won = false\n"
    judged = [judge_text(f'[[deal]]\ndealer = "Dora"\n{text}')[0] for text in (game + play, game + play + lost)]
    assert [(each.verdict, each.basis) for each in judged] == [("undecidable", None), ("agrees", "facts")]


def test_002_06_3_nobody_bids_more_than_the_pack_has() -> None:
    assert found("Anna play, Ben 120, Anna pass, Cem pass", "Ben solo E 120") == []
    assert found("Anna play, Ben 125, Anna pass, Cem pass", "Ben solo E 125") == ["word-not-played", "auction-call"]


def test_cards_passed_on_in_a_game_that_is_not_recorded_are_any_game_s() -> None:
    text = '[[deal]]\ndealer = "Dora"\nexchange = ["Anna > Ben: H7", "Ben > Anna: SA"]\n'
    assert rules_of(judge_text(text)[0]) == []
    assert rules_of(judge_text(text + 'game = "Anna solo E"\n')[0]) == ["exchange-order"]


def test_001_langendorf_doublings_of_a_game_that_is_not_recorded_may_be_those_of_a_ramsch() -> None:
    text = '[[deal]]\ndealer = "Dora"\nknocks = 1\ndoubles = ["@1.3 Cem double", "@1.4 Dora double"]\n'
    assert rules_of(judge_text(text, "langendorf")[0]) == []


def test_001_wedding_is_played_where_it_can_be_offered() -> None:
    text = '[[deal]]\ndealer = "Dora"\ngame = "Anna hochzeit"\nwith = "Ben"\n'
    assert rules_of(judge_text(text, "pub", 'hochzeit = { when = "before" }')[0]) == []
    assert rules_of(judge_text(text, "pub")[0]) == ["contract-not-played"]


def test_points_of_the_others_are_not_known_where_the_partner_is_not() -> None:
    play = 'tricks = ["Anna: H7 H8 H9 HZ", "Dora: SA S7 S8 S9"]\nstated.points_against = 21\n'
    hand = 'events = ["@3.1 Ben shows none"]\n'
    judgement = judge_one(f'[[deal]]\ndealer = "Dora"\ngame = "Ben rufspiel"\n{play}{hand}')
    assert judgement.verdict == "undecidable"


@pytest.mark.parametrize(
    ("hands", "deck"),
    [
        (['round = ["schieber"]\nhands = ["Anna: H8 SA GK EA HU H9"]'], 32),  # the dealer's, who is dealt six
        (['round = ["tarock"]\nhands = ["Anna: HZ SA GK EA HU H9"]'], 24),
        (['hands = ["Anna: H8 SA GK EA HU H9 H7 S7"]'] * 2 + ['hands = ["Anna: H8 SA GK EA HU H9"]'], 32),
        (['hands = ["Anna: HZ SA GK EA HU H9"]'] * 2, 24),
    ],
)
def test_the_pack_is_inferred_from_what_most_hands_show(hands: list[str], deck: int) -> None:
    told = 'dealer = "Anna"\ngame = "Ben solo S"\n[deal.stated]\nsteps = ["base 50"]\n'
    found = judge_text("".join(f"[[deal]]\n{each}\n{told}" for each in hands))
    assert found[0].session.house is None or found[0].session.house.get("deck", 32) == deck
    assert found[0].ruleset is None or found[0].ruleset.house.deck == deck


def test_001_bock_a_queue_begins_at_once_where_no_round_is_under_way() -> None:
    house, deal = 'bock = { on = ["60-60"] }', '[[deal]]\ngame = "Anna sie"\n'
    first = '[[deal]]\ndealer = "Dora"\ncarry.queue = ["bock"]\n{}game = "Anna sie"\n'
    for told in ("", 'round = ["bock"]\n'):
        found = judge_text(first.format(told) + deal * 4, house=house)
        assert [rules_of(each) for each in found] == [[]] * 5
        paid = [each.settlement.payments[0] for each in found if each.settlement and each.settlement.payments]
        assert paid == [1200, 1200, 1200, 1200, 600]


def test_001_kreuz_a_game_of_a_round_that_is_not_under_way_is_noticed() -> None:
    house, kreuz = 'kreuz = { on = ["sie"] }', '[[deal]]\ngame = "Anna kreuz"\nwith = "Ben"\n'
    found = judge_text('[[deal]]\ndealer = "Dora"\ngame = "Anna sie"\n' + kreuz * 5, house=house)
    assert [rules_of(each) for each in found] == [[]] * 5 + [["round-expected"]]


def test_001_stock_who_pays_is_not_known_where_nobody_knows_who_sits_out() -> None:
    players = 'players = ["Anna", "Ben", "Cem", "Dora", "Emil"]'
    house = 'stock = { amount = 10, won_by = ["rufspiel"] }'
    known = judge_one(f'[[deal]]\ndealer = "Emil"\n{players}\ngame = "none"\n', "expats", house)
    assert known.settlement.payments == (-10, -10, -10, -10, 0)
    found = judge_one(f'[[deal]]\n{players}\ngame = "none"\n', "expats", house)
    assert (found.verdict, missing_of(found)) == ("undecidable", ("who sits out",))


def test_001_schieber_who_pays_is_not_known_where_nobody_knows_who_deals() -> None:
    house, text = "schieber = { thrown_in = 50 }", '[[deal]]\nround = ["schieber"]\ngame = "none"\n'
    found = judge_one(text, house=house)
    assert (found.verdict, missing_of(found)) == ("undecidable", ("the dealer",))


def test_what_a_record_calls_irregular_is_shown_where_it_says_it_was() -> None:
    hand = 'hands = ["Anna: H7 G7 H8 H9 EZ EK SK SZ"]\ntricks = ["Anna: H7 HA HZ HK", "Ben: GA GZ GK G7"]'
    text = f'[[deal]]\ndealer = "Dora"\ngame = "Ben solo E"\n{hand}\nevents = ["@{{}} Anna revoke"]\n'
    (found,) = [each for each in judge_text(text.format("2.4"))[0].findings if each.rule == "nothing-irregular"]
    assert found.at == "2.4"


def test_a_schieber_that_is_dealt_again_costs_nothing() -> None:
    text = '[[deal]]\ndealer = "Dora"\nround = ["schieber"]\ngame = "{}"\n'
    paid = [judge_text(text.format(word), house="schieber = { thrown_in = 50 }")[0] for word in ("none", "misdeal")]
    assert [each.settlement.payments for each in paid if each.settlement] == [(-50, 50, 50, -50), (0, 0, 0, 0)]
