"""What passes from deal to deal: Hausbock, stake, pot, totals, lists, substitutes; and that it all adds up."""

from random import Random

import pytest
from msgspec.structs import replace
from support.books import proof
from support.evenings import AGAIN, OUT, evening, game, judged, payments, rules_of
from support.tables import missing_of

from archive.generate import session
from archive.judge import Judgement
from archive.judge.judge_deal import judge_session
from archive.judge.report import report
from archive.record import Carry, Deal, Game, Stated
from archive.settle.ledger import UNKNOWN, move_players
from archive.settle.types import LedgerState

CALL = game("rufspiel", won=True, knocks=False, doubles=False)
KNOCKED = game("rufspiel", knocks=True, doubles=False)
UNKNOCKED = replace(OUT, knocks=())


def proved(found: list[Judgement]) -> None:
    """Every deal sums to zero with the pot, and so do all totals."""
    for each in found:
        books = proof(each.number, each.before, each.settlement, each.after)
        assert books.rest == books.sum == 0


# --- Hausbock, 001 Langendorf Schafkopf -------------------------------------------------------------------------------


def langendorf(*made: Deal) -> list[Judgement]:
    head = session("langendorf")
    return list(judge_session(head, [replace(each, dealer=None) for each in made]))


def with_knock(deal: Deal) -> Deal:
    return replace(deal, knocks=(0,))


def call(seed: int = 1) -> Deal:
    _, (deal,) = evening(game("rufspiel", won=True, knocks=False, doubles=False), rules="langendorf", seed=seed)
    return deal


def test_langendorf_each_deal_without_a_knock_lays_a_hausbock_and_each_played_deal_uses_one() -> None:
    found = langendorf(UNKNOCKED, UNKNOCKED, with_knock(call()), with_knock(call()), with_knock(call()))
    assert [each.before.hausbock for each in found] == [0, 1, 2, 1, 0]
    assert [each.after.hausbock for each in found] == [1, 2, 1, 0, 0]
    assert [each.settlement.multiplier for each in found[2:] if each.settlement] == [4, 4, 2]
    assert not [rules_of(each) for each in found if each.findings]


def test_langendorf_a_misdeal_neither_lays_nor_uses_a_hausbock() -> None:
    found = langendorf(UNKNOCKED, AGAIN)
    assert [each.after.hausbock for each in found] == [1, 1]


def test_langendorf_a_thrown_in_deal_lays_one_where_the_record_does_not_say_who_knocked() -> None:
    assert langendorf(OUT)[0].after.hausbock == 1


def test_langendorf_who_knocked_must_play_and_nobody_else() -> None:
    thrown_in, played = langendorf(replace(OUT, knocks=(1,)), replace(call(), knocks=()))
    assert rules_of(thrown_in) == ["hausbock-not-laid"]
    assert thrown_in.after.hausbock == 0
    assert rules_of(played) == ["hausbock-not-played"]


def test_an_unrecorded_game_may_have_laid_one_and_carry_says_how_many_there_are() -> None:
    first, second = langendorf(Deal(), replace(with_knock(call()), carry=Carry(hausbock=3)))
    assert first.after.hausbock is None
    assert (second.before.hausbock, second.after.hausbock) == (3, 2)


# --- stake, 001 Bierkopf ----------------------------------------------------------------------------------------------


def test_bierkopf_a_stake_waits_for_the_next_winners() -> None:
    even = game("bierkopf", points=60)
    found = judged(even, even, game("bierkopf", won=True), game("bierkopf", won=False), rules="bierkopf")
    assert [each.before.stake for each in found] == [0, 1, 2, 0]
    assert payments(found[0]) == (0, 0, 0, 0)
    proved(found)


def test_bierkopf_the_stake_is_not_known_after_a_deal_without_tricks_until_somebody_has_won() -> None:
    head, deals = evening(game("bierkopf", won=True), game("bierkopf", won=True), rules="bierkopf")
    unknown = Deal(dealer=3, game=Game("bierkopf"))
    found = list(judge_session(head, [unknown, *deals]))
    assert [each.before.stake for each in found] == [0, None, 0]
    assert missing_of(found[1]) == ("what is carried over",)


def test_carry_restates_the_stake() -> None:
    head, deals = evening(game("bierkopf", won=True), rules="bierkopf")
    (found,) = judge_session(head, [replace(deals[0], carry=Carry(stake=2))])
    assert (found.before.stake, found.after.stake) == (2, 0)


# --- pot and totals ---------------------------------------------------------------------------------------------------


def test_the_books_of_an_evening_with_a_pot_sum_to_zero() -> None:
    stock = {"amount": 10, "won_by": ["rufspiel"]}
    found = judged(OUT, AGAIN, OUT, CALL, OUT, game("rufspiel", won=False), stock=stock)
    assert [each.before.stock for each in found] == [0, 40, 40, 80, 0, 40]
    assert found[-1].after.stock == 80
    proved(found)


def test_a_pot_that_may_have_been_won_is_not_known() -> None:
    head, deals = evening(OUT, CALL, CALL, stock={"amount": 10, "won_by": ["rufspiel"]})
    deals[1] = Deal(dealer=1, game=Game("rufspiel", 1, "E", "EA"))
    found = list(judge_session(head, deals))
    assert [each.before.stock for each in found] == [0, 40, None]
    assert missing_of(found[2]) == ("how much is in the pot",)


def test_after_a_deal_by_rules_that_nobody_can_read_nothing_is_known_of_the_table() -> None:
    head, deals = evening(OUT, CALL, CALL, stock={"amount": 10, "won_by": ["rufspiel"]}, bock={"on": ["lost-alone"]})
    _, unread, last = judge_session(head, [deals[0], replace(deals[1], rules="nowhere"), deals[2]])
    assert rules_of(unread) == ["unknown-rules"]
    assert (unread.before.stock, last.before.stock, last.before.rounds) == (40, None, None)
    assert missing_of(last) == ("which special round is played", "how much is in the pot")


def test_a_total_stated_of_one_player_alone_is_held_against_the_chain_where_it_breaks_first() -> None:
    head, deals = evening(CALL, CALL, CALL, OUT)
    right = [each.after.totals for each in judge_session(head, deals)]
    anna = [totals[0] or 0 for totals in right if totals]
    said = [Stated(totals=(total, None, None, None)) for total in (anna[0], anna[1] + 5, anna[2] + 5, anna[3] + 5)]
    found = list(judge_session(head, [replace(each, stated=told) for each, told in zip(deals, said, strict=True)]))
    assert [rules_of(each) for each in found] == [[], ["stated-totals"], [], []]
    assert [each.after.totals for each in found] == right


def test_after_missing_deals_nothing_is_known_of_the_table_but_totals_in_force_go_on() -> None:
    head, deals = evening(CALL, CALL, CALL)
    numbered = [replace(each, no=no) for each, no in zip(deals, (1, 5, 6), strict=True)]
    first, last, after = judge_session(head, numbered)
    assert rules_of(last) == ["deal-gap"]
    assert last.before == replace(UNKNOWN, settled=first.after.totals)
    paid = [each.settlement.payments for each in (first, last, after)]
    assert (after.after.totals, after.after.settled) == (None, tuple(map(sum, zip(*paid, strict=True))))


def test_who_comes_back_after_missing_deals_finds_the_total_in_force() -> None:
    head, deals = evening(CALL, CALL, CALL)
    others = (*head.players[:3], "Emil")
    changed = [replace(deals[0], no=1), replace(deals[1], no=5, players=others), replace(deals[2], no=6)]
    first, last, back = judge_session(head, changed)
    assert dict(last.before.settled_away) == {head.players[3]: first.after.totals[3]}
    assert back.before.settled[3] == first.after.totals[3]


def test_what_a_record_restates_otherwise_is_told_and_taken() -> None:
    stock = {"amount": 10, "won_by": ["rufspiel"]}
    head, deals = evening(OUT, OUT, OUT, OUT, stock=stock)
    deals[0] = replace(deals[0], carry=Carry(stock=20, totals=(5, 5, -15, -15)))  # brought in, no deal before it
    deals[1] = replace(deals[1], carry=Carry(stock=60, totals=(-5, -5, -25, -25), bock=0))
    deals[2] = replace(deals[2], carry=Carry(stock=90, totals=(-15, None, -35, -30), queue=("bock",)))
    found = list(judge_session(head, deals))
    assert [rules_of(each) for each in found] == [[], [], ["restated-otherwise"] * 3, []]
    assert [each.facts["key"].id for each in found[2].findings] == [
        f"record.carry-{key}" for key in ("totals", "stock", "queue")
    ]
    assert found[3].before.stock == 130


# --- lists, 002 01.5 --------------------------------------------------------------------------------------------------


def test_002_01_5_a_list_has_its_number_of_deals_and_its_sums_add_to_zero() -> None:
    found = judged(CALL, OUT, AGAIN, CALL, CALL, list=4)
    assert [each.before.list_deals for each in found] == [0, 1, 2, 2, 3]
    assert not [rules_of(each) for each in found if each.findings]
    state = report(found[-1])["state"]
    assert state["list"] == {"name": None, "deals": 3, "of": 4}
    assert (state["after"]["list"]["deals"], state["after"]["sum"]) == (4, 0)
    proved(found)


def test_a_deal_too_many_is_a_finding_and_another_list_begins_anew_while_the_totals_run_on() -> None:
    head, deals = evening(*[CALL] * 6, list=4)
    assert rules_of(list(judge_session(head, deals))[4]) == ["list-full"]
    deals[4] = replace(deals[4], list="2")
    found = list(judge_session(head, deals))
    assert [each.before.list_deals for each in found] == [0, 1, 2, 3, 0, 1]
    assert not found[4].findings
    assert found[4].before.totals == found[3].after.totals


@pytest.mark.parametrize(("deals", "players", "fits"), [(20, 4, True), (10, 4, False), (25, 5, True), (22, 5, False)])
def test_a_list_gives_every_player_as_many_deals(deals: int, players: int, fits: bool) -> None:
    names = ("Anna", "Ben", "Cem", "Dora", "Emil")[:players]
    head = session("expats", {"list": deals}, players=names)
    (found,) = judge_session(head, [OUT])
    assert rules_of(found) == ([] if fits else ["bad-setting"])


# --- substitutes ------------------------------------------------------------------------------------------------------

OTHERS = ("Anna", "Emil", "Cem", "Dora")


def substituted(substitute: str) -> list[Judgement]:
    """Emil plays the second deal for Ben."""
    head, deals = evening(CALL, CALL, CALL, substitute=substitute)
    deals[1] = replace(deals[1], players=OTHERS)
    return list(judge_session(head, deals))


def test_a_substitute_has_an_account_of_his_own_and_who_returns_finds_his() -> None:
    first, second, third = substituted("own")
    totals = first.after.totals
    assert second.before.totals == (totals[0], 0, totals[2], totals[3])
    assert second.before.away == (("Ben", totals[1]),)
    assert third.before.totals[1] == totals[1]
    assert third.before.away == (("Emil", payments(second)[1]),)
    assert [each.before.dealer for each in (first, second, third)] == [None, 1, 2]
    proved([first, second, third])


def test_a_substitute_plays_for_the_seat_where_the_table_says_so() -> None:
    first, second, third = substituted("seat")
    assert second.before.totals == first.after.totals
    assert third.before.totals == second.after.totals
    assert not third.before.away
    proved([first, second, third])


def test_a_fifth_player_begins_with_nothing_and_who_deals_is_not_known() -> None:
    table = move_players(LedgerState(dealer=2, totals=(1, 2, -3)), ("A", "B", "C"), ("D", "A", "B", "C"), by_seat=True)
    assert (table.dealer, table.totals, table.away) == (None, (0, 1, 2, -3), ())


def test_totals_of_an_undecided_evening_stay_unknown_for_who_leaves_and_returns() -> None:
    table = move_players(LedgerState(totals=None), ("A", "B"), ("A", "C"), by_seat=False)
    assert table.away == (("B", None),)
    assert move_players(replace(table, totals=(1, 2)), ("A", "C"), ("A", "B"), by_seat=False).totals == (1, None)


def test_random_evenings_add_up_in_every_house() -> None:
    from archive.generate import deals

    houses = (
        ("pub", {"bock": {"on": ["lost-alone", "schwarz", "thrown-in"], "mode": "overlap"}}),
        ("langendorf", None),
        ("schierling", None),
    )
    for rules, house in houses:
        head = session(rules, house)
        found = list(judge_session(head, deals(Random(7), head, 12)))
        assert not [rules_of(each) for each in found if each.findings]
        proved(found)


def test_the_turn_to_deal_stays_with_the_seat_where_somebody_stays() -> None:
    before, players = LedgerState(dealer=2), ("Anna", "Ben", "Cem", "Dora")
    assert move_players(before, players, ("Anna", "Ben", "Cem", "Emil"), False).dealer == 2
    assert move_players(before, players, ("Forehand", "Second", "Third", "Dealer"), False).dealer is None
