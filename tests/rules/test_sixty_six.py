"""Sixty-six, rule by rule. 002 06.1."""

import json
from random import Random

import pytest
from msgspec.structs import replace
from support.rulesets import load_rules
from support.tables import rules_of
from support.two_players import judge_two, judged, worked

from archive import generate
from archive.judge import Judgement
from archive.play.other.sixty_six import marriage_worth
from archive.rules import tables


def deal(hands: str, talon: str, tricks: str, events: str = "") -> str:
    """A deal of Ben's, to Anna | Ben."""
    names, lists = ("Anna", "Ben"), {"tricks": tricks.split(", ")} | ({"events": events.split(", ")} if events else {})
    lists["hands"] = [f"{name}: {cards}" for name, cards in zip(names, hands.split(" | "), strict=True)]
    rows = [f"{key} = {json.dumps(value)}" for key, value in {"talon": talon, **lists}.items()]
    return "\n".join(['[[deal]]\ndealer = "Ben"\ngame = "sixty-six"', *rows, ""])


WORKED = deal(
    "SK SA HZ SO GK | GZ SU EO HU EA",
    "GU GA SZ GO HO EK EZ HK EU HA",
    "Anna: SK EA, Anna: GK GZ, Ben: HA HZ, Ben: EO SA, Ben: SZ SO, Ben: SU GU",
    "@1.1 Anna marriage S, @3.1 Ben takes-trump HA, @3.1 Ben closes, @7.1 Ben calls 66",
)
# Nobody does anything but play.
PLAYED_OUT = deal(
    "EK EA GK GZ GA | HO EU GO SK EZ",
    "HZ SA SZ HK SU GU EO HU HA SO",
    "Anna: GA HO, Anna: HZ SK, Ben: SA EK, Ben: SU GU, Ben: SZ HU, "
    "Ben: EZ EA, Anna: GZ GO, Anna: GK EU, Anna: HK HA, Ben: EO SO",
)
ALONE = deal(
    "HA HK SZ SA GA | EK SU EA SK EO",
    "HZ GZ HU EU EZ GK GO GU SO HO",
    "Anna: HA SU, Anna: GA EO",
    "@3.1 Anna takes-trump HO, @3.1 Anna marriage H, @3.1 Anna calls 66",
)
IN_VAIN = deal(
    "EA EZ EK SK GZ | SZ HA SU GO HZ",
    "GU HK GA HO HU SO EO SA GK EU",
    "Anna: SK SZ, Ben: SU EK, Anna: EZ GO, Anna: HK HZ, Ben: GU GZ, Anna: EA HA",
    "@2.2 Anna closes",
)
BOTH = deal(
    "EK HU HA GZ EA | HK EU HO GU SU",
    "SK GA EZ EO HZ SA GK GO SZ SO",
    "Anna: HA SO, Ben: HK HU, Ben: EZ EA, Anna: EK SK, Ben: EU EO, Anna: GZ GU, Anna: SZ SA, Ben: GK GA, Anna: GO",
    "@1.2 Ben takes-trump SO, @2.1 Ben marriage H, @4.1 Anna marriage E, @9.2 Ben calls 66",
)
# The talon is out after the fifth trick: then Anna must beat, in the next deal trump, in the last Ben must follow.
MUST_BEAT = deal(
    "HA HK SZ SA GA | EK SU EA SK EO",
    "HZ GZ HU EU EZ GK GO GU SO HO",
    "Anna: HA SU, Anna: GA EO, Anna: HZ EU, Anna: HK EK, Anna: HU GU, "
    "Anna: EZ EA, Ben: GZ GO, Ben: SK SZ, Anna: SO HO, Ben: GK SA",
)
MUST_TRUMP = deal(
    "HA GK SK EK EO | GU SA EA HK GA",
    "SU SZ GZ SO GO EZ EU HU HO HZ",
    "Anna: GK GA, Ben: GU SK, Ben: SA HA, Anna: SO GZ, Anna: SZ HU, "
    "Ben: SU HZ, Anna: EU EZ, Ben: HO EO, Ben: HK GO, Ben: EA EK",
)
MUST_FOLLOW = deal(
    "HA EZ GZ EK HZ | GO GU SU HU SA",
    "EO SO SK EA EU GK SZ HK HO GA",
    "Anna: EZ GU, Ben: GO GZ, Anna: SO SA, Ben: EU EK, Anna: SK HU, "
    "Anna: GK GA, Ben: EO SZ, Ben: SU HO, Ben: HK HZ, Anna: HA EA",
)


def seen(text: str, house: str = "") -> Judgement:
    return judge_two(text, "sixty-six", house)


def changed(*pairs: tuple[str, str], text: str = WORKED) -> str:
    for was, now in pairs:
        assert was in text, was
        text = text.replace(was, now)
    return text


def whys(found: Judgement) -> list[tuple[str, str | None, str]]:
    """The findings, each with its place and the id of its reason."""
    return [(each.rule, each.at, getattr(each.facts.get("why"), "id", "")) for each in found.findings]


def test_the_worked_deal_is_won_by_who_closed_and_called_with_66() -> None:
    found = worked(seen(WORKED + "stated.points = [35, 66]\nstated.marks = [0, 1]"))
    assert found.settlement.marks == (0, 1)
    assert found.settlement.payments is None
    assert found.settlement.lines[0].text == "Ben called with 66, and Anna has 35, 33 or more"
    assert found.replay.talon.draws[-1].card == "GO"


# --- the table of match points ----------------------------------------------------------------------------------------

CALLED = "@7.1 Ben calls 66"
WRONGLY = changed((CALLED, "@6.1 Ben calls 66"), (', "Ben: SU GU"', ""))
MATCH_POINTS = {  # the points of both, what each is given, and how the line of it begins
    "called_and_the_other_has_33_or_more_is_one": (WORKED, (35, 66), (0, 1), "Ben called with 66"),
    "called_and_the_other_has_less_than_33_is_two": (
        changed(('"@1.1 Anna marriage S", ', "")), (15, 66), (0, 2), "Ben called with 66"),
    "called_and_the_other_has_no_trick_is_three": (ALONE, (67, 0), (3, 0), "Anna called with 67, and Ben has no trick"),
    "called_wrongly_is_two_for_the_other": (
        WRONGLY, (35, 62), (2, 0), "Ben called with only 62, and Anna has 35, 33 or more"),
    "called_wrongly_is_three_for_the_other_without_a_trick": (
        changed(("@3.1 Anna marriage H", "@3.1 Anna closes"), text=ALONE), (27, 0), (0, 3), "Anna called with only 27"),
    "closed_and_not_reached_is_two_for_the_other": (
        IN_VAIN, (53, 14), (0, 2), "Anna closed and made only 53, and Ben has 14, less than 33"),
    "who_has_closed_and_made_66_need_not_call": (
        changed((', "@7.1 Ben calls 66"', ""), ('"Ben: SU GU"', '"Ben: SU GU", "Ben: GA GO"')), (35, 80), (0, 1), ""),
    "nobody_called_and_the_last_trick_is_one": (
        PLAYED_OUT, None, (1, 0), "nobody called, and Anna took the last trick"),
}  # fmt: skip


@pytest.mark.parametrize("case", MATCH_POINTS)
def test_the_table_of_match_points(case: str) -> None:
    text, points, marks, says = MATCH_POINTS[case]
    found = worked(seen(text))
    assert found.replay.points == (points or found.replay.points)
    assert found.settlement.marks == marks
    assert found.settlement.lines[0].text.startswith(says)


def test_when_the_talon_is_closed_the_others_points_are_frozen() -> None:
    found = worked(seen(IN_VAIN)).replay
    assert found.tricks_won == (4, 2)
    assert found.talon.tricks == (4, 1)  # the trick with GU and GZ counts no more


@pytest.mark.parametrize("player", ["Anna", "Ben"])
def test_002_06_1_a_call_after_the_last_card_counts_for_nothing(player: str) -> None:
    """ "When it's your turn": the game has ended when all the cards have been played, and the last trick has won it."""
    text = PLAYED_OUT.rstrip() + f'\nevents = ["@end {player} calls 66"]\n'
    found = seen(text)
    assert (found.verdict, [each.rule for each in found.findings]) == ("agrees", ["called-too-late"])
    assert found.settlement.marks == (1, 0)


def test_there_are_120_points_besides_marriages() -> None:
    assert sum(worked(seen(PLAYED_OUT)).replay.points) == 120
    rules = load_rules("sixty-six", {"deck": 24, "hand_size": 6})
    assert sum(tables(rules, "sixty-six", "E").points) == 120


def test_the_first_to_call_wins_though_both_have_66() -> None:
    found = worked(seen(BOTH))
    assert found.replay.points == (73, 69)
    assert found.settlement.marks == (0, 1)
    second = seen(changed(('"@9.2 Ben calls 66"', '"@9.1 Anna calls 66", "@9.2 Ben calls 66"'), text=BOTH))
    assert ("act-not-allowed", "9.2", "play.called-before") in whys(second)


# --- the talon --------------------------------------------------------------------------------------------------------


def test_a_card_that_is_drawn_later_is_not_in_hand() -> None:
    found = seen(changed(("Anna: GK GZ", "Anna: GO GZ")))
    assert ("not-in-hand", "2.1") in [(each.rule, each.at) for each in found.findings]


def test_who_does_not_deal_leads() -> None:
    assert rules_of(seen(changed(("Anna: SK EA", "Ben: EA SK"))))[0] == "wrong-leader"


def test_while_there_is_a_talon_nobody_must_follow() -> None:
    assert worked(seen(WORKED)).replay.steps[1].card == "EA"


def test_with_the_talon_closed_one_must_follow() -> None:
    found = seen(changed(('"Ben: HA HZ"', '"Ben: HA SA"'), ('"Ben: EO SA"', '"Ben: EO HZ"')))
    assert ("must-follow", "3.2") in [(each.rule, each.at) for each in found.findings]


@pytest.mark.parametrize(
    ("text", "one", "other", "rule", "at"),
    [
        (MUST_BEAT, "Ben: SK SZ", "Anna: SO HO", "must-overtake", "8.2"),
        (MUST_TRUMP, "Ben: SU HZ", "Anna: EU EZ", "must-trump", "6.2"),
        (MUST_FOLLOW, "Anna: GK GA", "Ben: EO SZ", "must-follow", "6.2"),
    ],
)
def test_with_the_talon_out_one_must_beat_trump_and_follow(text: str, one: str, other: str, rule: str, at: str) -> None:
    assert worked(seen(text)).replay.complete
    refused, later = f"{one[:-2]}{other[-5:-3]}", f"{other[:-5]}{one[-2:]}{other[-3:]}"
    found = seen(changed((one, refused), (other, later), text=text))
    assert (rule, at) == (found.findings[0].rule, found.findings[0].at)


# --- what one may do at a turn ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("was", "now", "at", "why"),
    [
        ("@1.1 Anna marriage S", "@1.1 Anna marriage G", "1.1", "play.marriage-not-held"),
        ("@1.1 Anna marriage S", "@1.2 Ben marriage S", "1.2", "play.marriage-not-led"),
        ("@1.1 Anna marriage S", "@1.1 Ben marriage S", "1.1", "play.not-on-turn"),
        ("@1.1 Anna marriage S", "@1.1 Anna marriage S', '@1.1 Anna marriage S", "1.1", "play.marriage-shown"),
        ("Anna: SK EA", "Anna: HZ EA", "1.1", "play.marriage-other-lead"),
        ("@3.1 Ben takes-trump HA", "@3.1 Ben takes-trump HK", "3.1", "play.other-card-turned"),
        ("@3.1 Ben takes-trump HA", "@2.1 Anna takes-trump HA", "2.1", "play.lowest-trump-not-held"),
        ("@3.1 Ben takes-trump HA", "@4.1 Ben takes-trump HA", "4.1", "play.talon-closed"),
        ("@3.1 Ben closes", "@3.2 Ben closes", "3.2", "play.not-on-turn"),
        ("@3.1 Ben closes", "@3.1 Ben closes', '@4.1 Ben closes", "4.1", "play.talon-closed"),
        ("@7.1 Ben calls 66", "@7.1 Anna calls 66", "7.1", "play.not-on-turn"),
        ("@7.1 Ben calls 66", "@7.1 Ben calls 60", "7.1", "play.other-number"),
        ("@7.1 Ben calls 66", "@9.1 Ben calls 66", "9.1", "play.no-such-trick"),
    ],
)
def test_what_is_not_allowed_at_a_turn_is_found_there(was: str, now: str, at: str, why: str) -> None:
    text = WORKED.replace(f'"{was}"', f'"{now}"'.replace("', '", '", "'))
    assert text != WORKED
    assert ("act-not-allowed", at, why) in whys(seen(text))


def test_what_is_played_after_a_call_is_found() -> None:
    found = seen(changed(("@7.1 Ben calls 66", "@5.1 Ben calls 66")))
    assert ("played-after-call", "5.1", "") in whys(found)


def test_an_act_of_another_game_is_found() -> None:
    found = judge_two('[[deal]]\ndealer = "Ben"\ngame = "Anna solo E"\nevents = ["@1.1 Anna closes"]\n', "vicars")
    assert ("act-not-allowed", None, "play.act-not-known") in whys(found)


def test_a_moment_that_nobody_wrote_down_leaves_the_deal_open() -> None:
    found = seen(changed(("@7.1 Ben calls 66", "Ben calls 66")))
    assert (found.verdict, [each.id for each in found.missing]) == ("undecidable", ["missing.when"])


def test_in_a_trick_alone_is_at_the_own_turn_of_it() -> None:
    assert worked(seen(changed(("@3.1 Ben closes", "@3 Ben closes")))).settlement.marks == (0, 1)


# --- settings ---------------------------------------------------------------------------------------------------------


def test_who_calls_wrongly_may_cost_less_by_the_table() -> None:
    assert worked(seen(WRONGLY, "match = { wrong = [1, 1, 3] }")).settlement.marks == (1, 0)


def test_a_marriage_may_count_only_from_the_first_trick_on() -> None:
    rules = load_rules("sixty-six")
    row = rules.contracts["sixty-six"].marriage
    assert row
    later, open_only = replace(row, at_once=False), replace(row, closed=False)
    assert [marriage_worth(rule, is_trumps=True, seat=0, tricks=0, closer=None) for rule in (row, later)] == [40, 0]
    assert marriage_worth(later, is_trumps=False, seat=0, tricks=1, closer=None) == 20
    assert [marriage_worth(rule, True, seat=0, tricks=1, closer=0) for rule in (row, open_only)] == [40, 0]
    assert marriage_worth(row, is_trumps=True, seat=0, tricks=1, closer=1) == 0


def test_with_24_cards_there_are_six_in_hand_and_the_nine_is_the_lowest_trump() -> None:
    evening, taken = generate.session("sixty-six", {"deck": 24, "hand_size": 6}), set()
    for seed in range(60):
        deal = generate.deal(Random(seed), evening)
        assert {len(hand or ()) for hand in deal.hands or ()} == {6}
        found = judged(evening, deal).replay
        taken |= {act.cards[0][1] for act in found.talon.acts if act.verb == "takes-trump"}
    assert taken == {"9"}


# --- half a record --------------------------------------------------------------------------------------------------


def test_without_the_hands_the_tricks_show_who_won() -> None:
    text = changed(('hands = ["Anna: SK SA HZ SO GK", "Ben: GZ SU EO HU EA"]\n', ""))
    found = seen(text + "stated.points = [35, 66]")
    assert (found.verdict, found.settlement and found.settlement.marks) == ("agrees", (0, 1))


def test_without_the_turned_card_nobody_knows_the_trumps() -> None:
    found = seen(changed(("HK EU HA", "HK EU ??")))
    assert (found.verdict, [each.id for each in found.missing]) == ("undecidable", ["missing.trump-suit"])
    assert seen(changed(("EZ HK EU HA", "EZ HK EU H?"), ("takes-trump HA", "takes-trump HA"))).verdict == "agrees"


def test_a_marriage_with_the_turned_card_is_none_too_many_if_nobody_wrote_down_what_was_turned() -> None:
    found = seen("""[[deal]]
dealer = "Ben"
hands = ["GO SZ HU HK EO", "SA SO GK HZ EA"]
game = "sixty-six"
events = ["@1.1 Anna takes-trump HO", "@1.1 Anna marriage H", "@7.2 Anna calls 66"]
stated.marks = [2, 0]
""")
    assert (found.verdict, rules_of(found)) == ("undecidable", [])


def test_a_talon_of_another_size_or_with_a_card_of_a_hand_is_found() -> None:
    assert "hand-size" in rules_of(seen(changed(("GU GA", "GA"))))
    assert "card-twice" in rules_of(seen(changed(("GU GA", "SK GA"))))
