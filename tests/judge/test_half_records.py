"""Half a record accuses nobody (`test_true_additions` tries many), and what no completion of it gives is found."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from support.tables import judge_one, judge_text, rules_of
from support.worked_examples import TRICKS

from archive.generate import deal, session
from archive.generate.playing import Wish, judged_deal
from archive.judge import Judgement, judge, judge_session
from archive.record import Event, Game, Stated
from archive.rules import load
from archive.settle.ledger import empty_ledger

MARKS = ("alter-schoofkopp", "bauernstoss", "deutscher-schafkopf")
CALLS = 'game = "Anna rufspiel G"\n'  # won by Anna and Dora with 99


def play(*tricks: str) -> str:
    return f"tricks = {list(tricks)}\n"


def judged(text: str, rules: str = "bavarian", house: str = "") -> Judgement:
    return judge_text(f'[[deal]]\ndealer = "Dora"\n{text}', rules, house)[0]


# --- a: running marks -------------------------------------------------------------------------------------------------


def with_marks(rules: str, points: int, marks: list[int]) -> Judgement:
    """A game of Anna and Cem with so many points, at two marks of theirs, without a card."""
    contract = next(row.id for row in load(rules)[0].contracts.values() if not row.marks and row.parties == "opposite")
    suit = "H " if load(rules)[0].contracts[contract].takes == "trump" else ""
    text = f'carry.marks = [2, 0, 2, 0]\ncarry.chalk = "Anna"\ngame = "Ben {contract} {suit}"\n'
    return judged(text + f"stated.points = {points}\nstated.marks = {marks}", rules)


@pytest.mark.parametrize("rules", MARKS)
def test_a_running_marks_are_those_after_the_deal(rules: str) -> None:
    schneider = load(rules)[0].house.marks.schneider
    assert with_marks(rules, schneider, [2, 2, 2, 2]).verdict == "agrees"
    assert rules_of(with_marks(rules, schneider, [0, 2, 0, 2])) == ["stated-marks"]


# --- b: unplayable deals ----------------------------------------------------------------------------------------------


def test_b_an_unplayable_deal_has_no_amounts_and_the_next_is_not_accused() -> None:
    head = session("bavarian")
    first, second = (deal(Random(seed), head, "solo", ("payments", "totals")) for seed in (0, 7))
    whole = [each.after.totals for each in judge_session(head, [first, replace(second, stated=None)])]
    second = replace(second, stated=Stated(totals=whole[1]))
    tricks = first.tricks or ()
    cards = tricks[0].cards
    swapped = replace(first, tricks=(replace(tricks[0], cards=(cards[1], cards[0], *cards[2:])), *tricks[1:]))
    broken, following = judge_session(head, [swapped, second])
    assert broken.verdict == "unplayable"
    assert (broken.settlement.payments, broken.settlement.marks, broken.settlement.lines) == (None, None, ())
    assert broken.after.stated_totals == whole[0]
    assert broken.after.settled == whole[0]
    assert (broken.after.totals, broken.basis) == (None, "amounts")
    assert following.verdict == "agrees", following.reason


# --- c: shares of a play that is not seen to its end ------------------------------------------------------------------

SHARES = {
    "incomplete": play(*TRICKS[:7]),
    "unknown cards": play(*TRICKS[:2], TRICKS[2].replace("EZ", "??"), *TRICKS[3:]),
    "unknown card at the end": play(*TRICKS[:7], TRICKS[7].replace("EK", "??")),
}


@pytest.mark.parametrize("name", SHARES)
def test_c_shares_of_a_play_that_is_not_whole_are_not_refuted(name: str) -> None:
    seen = judged(CALLS + play(*TRICKS)).replay
    text = CALLS + SHARES[name]
    for key, values in (("points", seen.points), ("tricks", seen.tricks_won)):
        assert rules_of(judged(text + f"stated.{key} = {list(values)}")) == [], (key, values)
        wrong = [0, sum(values), 0, 0]
        assert rules_of(judged(text + f"stated.{key} = {wrong}")) == [f"stated-{key}"], (key, wrong)


LOST_TOUT = 'game = "Anna solo H tout"\n' + play("Anna: S8 SA S7 SK")


def test_c_shares_of_a_lost_tout_that_was_played_on_are_not_refuted() -> None:
    assert judged(LOST_TOUT).settlement.won is False
    for stated in (
        "points = [90, 15, 15, 0]",
        "tricks = [6, 1, 1, 0]",
        "points = 90",
        "points_against = 30",
        "tricks = 6",
    ):
        assert rules_of(judged(LOST_TOUT + f"stated.{stated}")) == [], stated
    for stated in (
        "points = [120, 0, 0, 0]",
        "tricks = [8, 0, 0, 0]",
        "points = 120",
        "points_against = 0",
        "tricks = 8",
    ):
        assert len(rules_of(judged(LOST_TOUT + f"stated.{stated}"))) == 1, stated


def test_c_points_after_a_lost_tout_are_those_of_cards_that_may_be_taken_there() -> None:
    """001 Tout: the game is lost with the first trick of the opponents, here that of Ben with 15 points. By the
    points of 001 no card and no two of them count one."""
    for stated in ("points = 1", "points_against = 16", "points = [1, 15, 0, 0]", "points = [0, 16, 0, 0]"):
        assert len(rules_of(judged(LOST_TOUT + f"stated.{stated}"))) == 1, stated
    for stated in ("points = 2", "points_against = 17", "points = [2, 15, 0, 0]", "points = [0, 17, 0, 0]"):
        assert rules_of(judged(LOST_TOUT + f"stated.{stated}")) == [], stated


def test_c_a_trick_after_a_lost_tout_has_a_card_of_every_hand() -> None:
    """The cheapest trick has an Unter of Anna and a ten of Ben."""
    hands = ("S8 EO GO HO SO EU GU HU", "SA HA HZ EA EZ GA GZ SZ", "S7 SU HK EK GK H9 H8 H7", "SK E9 E8 E7 G9 G8 G7 S9")
    text = f"hands = {list(hands)}\n" + LOST_TOUT.replace("solo H", "solo S")
    for points, rules in ((2, ["stated-points"]), (11, ["stated-points"]), (12, []), (13, []), (105, [])):
        assert rules_of(judged(text + f"stated.points = {points}")) == rules, points


# --- d: a revoke of which nothing is seen -----------------------------------------------------------------------------


@pytest.mark.parametrize("bare", [{"tricks": None}, {"game": Game("solo", suit="E")}, {"game": Game("solo", 1)}])
def test_d_a_revoke_without_tricks_declarer_or_suit_is_undecidable(bare: dict[str, Any]) -> None:
    right = deal(Random(3), session("bavarian"), "solo")
    told = replace(right, auction=None, events=(Event(2, "revoke", "end"),), **bare)
    assert judge(session("bavarian"), told, 1, empty_ledger(4)).verdict == "undecidable"


def test_d_a_revoke_that_the_whole_play_does_not_show_is_still_found() -> None:
    right = deal(Random(3), session("bavarian"), "solo")
    told = replace(right, events=(Event(2, "revoke", "end"),))
    assert rules_of(judge(session("bavarian"), told, 1, empty_ledger(4))) == ["nothing-irregular"]


# --- e: a march at 90, a surrender without its suit -------------------------------------------------------------------


def ramsch_march() -> Judgement:
    head = session("bavarian", {"contracts": ["rufspiel", "ramsch"], "ramsch": {"march": 90}})
    wanted = Wish(contract="ramsch", want=lambda found: found.settlement.march and not found.settlement.virgins)
    return judged_deal(Random(1), head, wanted)


def test_e_a_march_at_90_is_not_refuted_without_its_last_tricks() -> None:
    right = ramsch_march()
    for count in range(8):
        half = replace(
            right.deal, tricks=(right.deal.tricks or ())[:count], stated=Stated(payments=right.settlement.payments)
        )
        found = judge(right.session, half, 1, right.before)
        assert found.verdict in ("undecidable", "agrees"), (count, found.reason)


def test_e_an_accepted_surrender_without_its_suit_is_not_refuted() -> None:
    given_up = Wish(want=lambda found: found.replay.ending and found.deal.game.suit == "H")
    right = judged_deal(Random(1), session("palatinate"), given_up)
    stated = Stated(payments=right.settlement.payments)
    half = replace(right.deal, game=replace(right.deal.game, suit=None), auction=None, stated=stated)
    found = judge(right.session, half, 1, right.before)
    assert found.verdict == "undecidable", found.reason


RAMSCH = (
    "Cem: SZ SA S8 S9", "Dora: HK H9 GO HZ", "Ben: GK SK GZ G8", "Dora: EK EZ GA E7", "Anna: G7 G9 EO EA",
    "Cem: HO SO HA HU", "Cem: EU E9 GU H8",
)  # fmt: skip


def test_e_who_loses_a_tie_that_the_last_trick_makes_is_not_refuted() -> None:
    text = f'[[deal]]\ndealer = "Ben"\ngame = "ramsch"\n{play(*RAMSCH)}stated.loser = '
    for loser, rule in (("Cem", []), ("Dora", []), ("Anna", ["stated-loser"])):  # 39 points each, or 35 and 43
        assert rules_of(judge_text(f'{text}"{loser}"', "expats")[0]) == rule, loser


def test_e_a_virgin_who_took_a_trick_without_points_is_not_refuted() -> None:
    text = 'game = "ramsch"\nstated.loser = "Cem"\nstated.tricks = [3, 1, 4, 0]\nstated.virgins = {}'
    for virgins, rule in ((["Ben", "Dora"], []), (["Dora"], []), (["Ben"], ["stated-virgins"])):
        assert rules_of(judged(text.format(virgins), "expats")) == rule, virgins
    for virgins, rule in ((["Dora"], []), (["Ben", "Dora"], ["stated-virgins"])):
        assert rules_of(judged(text.format(virgins), "bavarian", 'contracts = ["ramsch"]')) == rule, virgins


# --- f: what no completion gives --------------------------------------------------------------------------------------


def test_f_wrong_virgins_of_a_march_are_refuted() -> None:
    right = ramsch_march()
    for virgins, expected in (((0,), ["stated-virgins"]), (right.settlement.virgins, [])):
        half = replace(right.deal, auction=None, stated=Stated(virgins=virgins))
        found = judge(right.session, half, 1, right.before)
        assert rules_of(found) == expected


FIVE = 'players = ["Anna", "Ben", "Cem", "Dora", "Emil"]\nsits_out = ["Emil"]\n'


@pytest.mark.parametrize("points", [[60, 43, 0, 17, 17], [60, 60, 0, 17, 0], [60, 43, 0, 0, 17]])
def test_f_points_of_who_sat_out_and_more_than_the_pack_has_are_refuted(points: list[int]) -> None:
    text = f'[[deal]]\n{FIVE}dealer = "Emil"\ngame = "Anna solo H"\nstated.points = {{}}\n'
    assert rules_of(judge_text(text.format(points), "bavarian")[0]) == ["stated-points"]
    assert rules_of(judge_text(text.format([60, 43, 0, 17, 0]), "bavarian")[0]) == []


# --- g: one meaning each ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tout", ["base", "base+runners", "all"])
def test_g_the_multiplier_has_no_tout_in_it(tout: str) -> None:
    head = session("bavarian", {"tout": tout, "stoss": {"until": "no"}, "knock": "no"})
    for number in range(4):
        found = judged_deal(Random(number), head, Wish(contract="solo", tout=True, lean=1.0))
        settled = found.settlement
        assert settled.multiplier == 1
        parts = (settled.base, settled.schneider_amount, settled.schwarz_amount, settled.runners_amount)
        assert sum(parts) == settled.price


def test_g_a_bettel_has_no_runners() -> None:
    for trumps in ("none", "hearts"):
        head = session("bavarian", {"contracts": ["rufspiel", "bettel"], "bettel": {"trumps": trumps}})
        settled = judged_deal(Random(1), head, Wish(contract="bettel")).settlement
        assert (settled.runners, settled.runners_paid) == (None, None)


def test_g_a_play_that_went_on_names_its_trick() -> None:
    found = judged(LOST_TOUT.replace("SK'", "SK', 'Ben: GA GK G8 G7'"), house="du = true")
    assert [(each.rule, each.at) for each in found.findings] == [("play-went-on", "2")]


def test_g_a_tie_of_lengths_is_conceded_by_pass() -> None:
    calls = 'auction = ["Anna 4", "Ben mit", "Cem good", "Dora good", "Anna lowest 8", "Ben {}"]'
    text = f'{calls}\ngame = "Anna bauernstoss H 4"'
    for word in ("concede", "pass"):
        assert rules_of(judged(text.format(word), "bauernstoss")) == []


def test_g_an_auction_that_contradicts_the_declarer_is_an_error_where_it_decides() -> None:
    head = session("alter-schoofkopp")
    level = judged_deal(
        Random(1), head, Wish(before=empty_ledger(4), want=lambda found: found.settlement.side_points == 60)
    )
    uneven = judged_deal(
        Random(2), head, Wish(before=empty_ledger(4), want=lambda found: found.settlement.side_points not in (None, 60))
    )
    for right, verdict in ((level, "unplayable"), (uneven, "agrees")):
        game = right.deal.game
        active = right.replay.active
        other = active[(active.index(game.declarer) + 1) % 4]
        told = judge(head, replace(right.deal, game=replace(game, declarer=other)), 1, empty_ledger(4))
        assert ("auction-result" in rules_of(told), told.verdict) == (True, verdict), told.findings


# --- a pot that nobody knows ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("payments", "refuted"),
    [
        ([20, 20, -20, -20], False),
        ([60, 60, -20, -20], False),  # 80 in the pot, half of it for each
        ([-60, -60, 20, 20], False),  # lost, and the pot doubled
        ([21, 20, -20, -20], True),  # no pot gives one of two a cent
        ([20, 20, -21, -20], True),
        ([60, 60, -60, -20], True),
    ],
)
def test_payments_that_no_pot_gives_are_refuted_where_nobody_knows_the_pot(payments: list[int], refuted: bool) -> None:
    text = (
        f'knocks = []\ndoubles = []\ngame = "Anna rufspiel G"\nstated.partner = "Ben"\nstated.payments = {payments}\n'
    )
    first = judge_one(f'[[deal]]\ndealer = "Dora"\n{text}', "schierling", "")
    again = judge(first.session, first.deal, 1, replace(first.before, stock=None))
    assert again.verdict == ("differs" if refuted else "undecidable"), again.reason


# --- games that end with a trick --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["Anna bettel", "Anna solo H tout"])
def test_a_lost_game_that_was_played_on_may_have_any_trick_beside_the_one_that_lost_it(game: str) -> None:
    """001 Bettel: the declarer undertakes to lose every trick. No document ends the play with the first."""
    lost = {"Anna bettel": range(1, 9), "Anna solo H tout": range(8)}[game]
    for tricks in range(9):
        found = judged(f'game = "{game}"\nstated.won = false\nstated.tricks = {tricks}\n', "langendorf")
        assert (found.verdict == "differs") == (tricks not in lost), tricks
