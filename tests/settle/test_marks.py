"""Marks and chalk: document 000, Scoring and Alter Schoofkopp. Anna and Cem play against Ben and Dora."""

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace
from support.books import proof
from support.paths import ROOT
from support.rulesets import load_rules
from support.tables import judge_text, missing_of, rules_of
from support.two_players import judge_two

from archive.judge import Judgement, LedgerState
from archive.judge.judge_stream import judge_stream, judge_with_heads
from archive.judge.report import report
from archive.notation import read_toml
from archive.play.types import Ending, Replay, Step
from archive.record import Carry, Deal, Game, Ruling, Source, Stated
from archive.rules import Ruleset, load
from archive.rules.types import Score
from archive.settle.ledger import UNKNOWN, apply_carry, empty_ledger, move_players, next_state, restated_values
from archive.settle.marks_ledger import marks_at_start, winners_of_game
from archive.settle.settle import settle
from archive.settle.types import Settlement
from archive.stats.event_standings import standings

PLAYERS = ("Anna", "Ben", "Cem", "Dora")
OURS, THEIRS = (0, 2), (1, 3)
JACK = "EU"  # of clubs


def played(points: int, tricks: int, declarer: int = 0, jack: int = 0, **more: Any) -> Replay:
    """A finished play in which Anna and Cem made so many points and tricks; `jack` was dealt the Jack of clubs."""
    winners = (0,) * tricks + (1,) * (8 - tricks)
    worth = [0] * 8
    worth[0] = points if tricks else 0
    worth[-1 if tricks < 8 else 0] = 120 - points if tricks < 8 else 120
    mine = ("declarer", "defence") if declarer in OURS else ("defence", "declarer")
    facts: dict[str, Any] = {
        "active": (0, 1, 2, 3),
        "playing": (0, 1, 2, 3),
        "dealer": 3,
        "dealt": tuple((JACK,) if seat == jack else () for seat in range(4)),
        "held": (None,) * 4,
        "steps": (),
        "leaders": winners,
        "winners": winners,
        "trick_points": tuple(worth),
        "declarer": declarer,
        "partner": (declarer + 2) % 4,
        "sides": (*mine, *mine),
        "points": (points, 120 - points, 0, 0),
        "tricks_won": (tricks, 8 - tricks, 0, 0),
        "complete": True,
        "findings": (),
        "missing": (),
    }
    return Replay(**facts | more)


def rules(name: str = "bauernstoss") -> Ruleset:
    return load_rules(name)


def table(chalk: int | None = None, ours: int = 0, theirs: int = 0, deals: int | None = 1) -> LedgerState:
    return replace(empty_ledger(4), marks=(ours, theirs, ours, theirs), chalk=chalk, game_deals=deals)


def scored(play: Replay, before: LedgerState, name: str = "bauernstoss", game: str = "bauernstoss") -> Settlement:
    deal = Deal(game=Game(game, play.declarer, suit="H"))
    return settle(deal, PLAYERS, rules(name), play, before)


def side_marks(settled: Settlement) -> tuple[int, int]:
    """The marks of Anna and Cem, and of Ben and Dora."""
    assert settled.marks[:2] == settled.marks[2:]
    return settled.marks[0], settled.marks[1]


# --- 000 Scoring: the table of outcomes; its right-hand column is lost in the document: the mirror of the left ------

WITH_CHALK = [
    # points, tricks, marks of those who have the chalk, of the others
    (0, 0, 0, 3), (0, 1, 0, 2), (29, 2, 0, 2), (30, 2, 0, 1), (41, 3, 0, 1), (42, 3, 1, 0), (60, 4, 1, 0),
    (90, 6, 1, 0), (91, 6, 2, 0), (120, 7, 2, 0), (120, 8, 3, 0),
]  # fmt: skip


@pytest.mark.parametrize(("points", "tricks", "have", "others"), WITH_CHALK)
def test_000_scoring_table(points: int, tricks: int, have: int, others: int) -> None:
    for chalk, declarer in product(range(4), range(4)):
        ours = chalk in OURS
        play = played(*(points, tricks) if ours else (120 - points, 8 - tricks), declarer, jack=1 - chalk % 2)
        settled = scored(play, table(chalk))
        assert side_marks(settled) == ((have, others) if ours else (others, have)), (chalk, declarer)
        assert settled.chalk in ((0, 2) if side_marks(settled)[0] else (1, 3))
        assert settled.won == (bool(side_marks(settled)[0]) == (declarer in OURS))
        assert settled.payments is settled.price is None
        assert not settled.missing


WITHOUT_CHALK = [
    # the right-hand column: points, tricks, marks of those who have not the chalk
    (0, 0, 0), (29, 2, 0), (78, 5, 0), (79, 5, 1), (90, 5, 1), (91, 6, 2), (120, 8, 3),
]  # fmt: skip


@pytest.mark.parametrize(("points", "tricks", "marks"), WITHOUT_CHALK)
def test_000_scoring_the_side_without_the_chalk_needs_79(points: int, tricks: int, marks: int) -> None:
    settled = scored(played(points, tricks), table(chalk=1))
    assert side_marks(settled)[0] == marks
    assert bool(side_marks(settled)[1]) == (not marks)
    assert settled.chalk == (0 if marks else 1)


@pytest.mark.parametrize("name", ["bauernstoss", "alter-schoofkopp"])
def test_000_exactly_one_side_scores(name: str) -> None:
    for points, before, declarer in product(range(121), (table(0), table(1), table(deals=0)), (0, 1)):
        marks = side_marks(scored(played(points, 4, declarer), before, name))
        assert sorted(map(bool, marks)) == [False, True], (points, before, declarer)


# --- the first deal of a game -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "jack", "marks"), [(42, 0, (1, 0)), (42, 2, (1, 0)), (42, 1, (0, 1)), (78, 3, (0, 1))]
)
def test_000_in_the_first_deal_the_chalk_is_with_who_was_dealt_the_jack_of_clubs(
    points: int, jack: int, marks: tuple[int, int]
) -> None:
    assert side_marks(scored(played(points, 4, jack=jack), table(deals=0))) == marks


def test_000_who_was_dealt_the_jack_of_clubs_is_not_guessed() -> None:
    unseen = played(60, 4, dealt=(None,) * 4)
    assert missing_of(scored(unseen, table(deals=0))) == ("who was dealt EU",)
    assert scored(unseen, table(deals=0)).marks is None


def test_000_who_played_the_jack_of_clubs_was_dealt_it() -> None:
    step = Step(1, 1, 1, 1, JACK, None, None, None, None, 1, 2)
    assert side_marks(scored(played(60, 4, dealt=(None,) * 4, steps=(step,)), table(deals=0))) == (0, 1)


def test_000_with_79_points_it_does_not_matter_who_has_the_chalk() -> None:
    unseen = played(79, 5, dealt=(None,) * 4)
    for before in (table(deals=0), table(deals=None), table(deals=3)):
        assert side_marks(scored(unseen, before)) == (1, 0)
    assert missing_of(scored(played(78, 5), table(deals=None))) == ("who has the chalk",)


@pytest.mark.parametrize(
    ("points", "declarer", "marks"),
    [(61, 0, (1, 0)), (61, 1, (1, 0)), (60, 0, (0, 1)), (60, 1, (1, 0)), (59, 0, (0, 1)), (59, 1, (0, 1))],
)
def test_000_alter_schoofkopp_first_deal_61_acquire_the_chalk_and_60_60_goes_to_the_opponents_of_the_trump_makers(
    points: int, declarer: int, marks: tuple[int, int]
) -> None:
    settled = scored(played(points, 4, declarer), table(deals=0), "alter-schoofkopp")
    assert side_marks(settled) == marks
    assert settled.chalk == (0 if marks[0] else 1)


def test_000_alter_schoofkopp_afterwards_42_with_the_chalk_and_79_without() -> None:
    before = table(chalk=0)
    assert [side_marks(scored(played(p, 4), before, "alter-schoofkopp")) for p in (41, 42)] == [(0, 1), (1, 0)]
    before = table(chalk=1)
    assert [side_marks(scored(played(p, 4), before, "alter-schoofkopp")) for p in (78, 79)] == [(0, 1), (1, 0)]


@pytest.mark.parametrize("deals", [0, 5])
@pytest.mark.parametrize(("points", "tricks", "marks"), [(88, 6, 1), (89, 6, 2), (120, 7, 2), (120, 8, 4)])
def test_000_alter_schoofkopp_schneider_at_89_and_four_marks_for_schwarz_in_all_deals(
    points: int, tricks: int, marks: int, deals: int
) -> None:
    before = table(deals=deals, chalk=0 if deals else None)
    assert side_marks(scored(played(points, tricks), before, "alter-schoofkopp")) == (marks, 0)


# --- Solo ------------------------------------------------------------------------------------------------------------


def alone(won: bool, declarer: int = 0) -> Replay:
    """Anna (or another) plays alone; a lost Solo ends with the trick that loses it."""
    mine = 8 if won else 3
    winners = (declarer,) * mine + (() if won else ((declarer + 1) % 4,))
    return replace(
        played(100, mine, declarer),
        playing=tuple(seat for seat in range(4) if seat != (declarer + 2) % 4),
        winners=winners,
        points=tuple(50 if seat == declarer else 0 for seat in range(4)),
        tricks_won=tuple(winners.count(seat) for seat in range(4)),
    )


@pytest.mark.parametrize("chalk", [0, 1])
@pytest.mark.parametrize("declarer", range(4))
@pytest.mark.parametrize("won", [True, False])
@pytest.mark.parametrize(("contract", "marks"), [("small-solo", 8), ("big-solo", 12)])
def test_000_a_solo_scores_8_or_12_for_who_wins_it_and_the_chalk_goes_with_it(
    contract: str, marks: int, won: bool, declarer: int, chalk: int
) -> None:
    settled = scored(alone(won, declarer), table(chalk), game=contract)
    ours = won == (declarer in OURS)
    assert side_marks(settled) == ((marks, 0) if ours else (0, marks))
    assert settled.chalk in (OURS if ours else THEIRS)
    assert settled.won == won
    assert [line.proof for line in settled.lines] == [("t8.3" if won else "t4.3",)]


def test_000_alter_schoofkopp_a_big_solo_is_the_whole_game() -> None:
    won = scored(alone(True), table(1, 3, 14), "alter-schoofkopp", "big-solo")
    lost = scored(alone(False), table(1, 3, 14), "alter-schoofkopp", "big-solo")
    assert (side_marks(won), side_marks(lost)) == ((12, 0), (0, 1))


def test_000_alter_schoofkopp_a_big_solo_ends_the_game_whatever_its_score_was() -> None:
    before = replace(UNKNOWN, chalk=1)
    deal, settled = Deal(game=Game("big-solo", 0)), scored(alone(True), before, "alter-schoofkopp", "big-solo")
    assert (settled.won, missing_of(settled)) == (True, ("how many marks each side had",))
    following = next_state(before, deal, 4, 3, settled, rules("alter-schoofkopp"))
    assert (following.marks, following.chalk, following.game_deals) == ((0, 0, 0, 0), None, 0)


# --- lines ------------------------------------------------------------------------------------------------------------


def test_the_lines_add_up_to_the_marks_and_show_the_trick_where_the_points_were_there() -> None:
    play = played(95, 5, trick_points=(20, 30, 11, 30, 4, 0, 20, 5), winners=(0, 0, 1, 2, 2, 0, 2, 1))
    settled = scored(play, table(0))
    assert [(line.kind, line.amount, line.running, line.proof) for line in settled.lines] == [
        ("marks", 1, None, ("t2.4",)),
        ("marks", 1, None, ("t7.4",)),
    ]
    assert [line.text for line in settled.lines] == [
        "Anna and Cem, with the chalk: 95 card points, 42 needed",
        "Schneider: 91 card points",
    ]
    assert {line.cite for line in settled.lines} == {"000 Scoring"}


@pytest.mark.parametrize(
    ("before", "name", "text"),
    [
        (table(1), "bauernstoss", "Anna and Cem, for the chalk: 80 card points, 79 needed"),
        (table(deals=0), "bauernstoss", "Anna and Cem, with the chalk: 80 card points, 42 needed"),
        (table(deals=0), "alter-schoofkopp", "Anna and Cem, for the chalk: 80 card points, 61 needed"),
        (table(deals=None), "bauernstoss", "Anna and Cem, whoever has the chalk: 80 card points, 79 needed"),
    ],
)
def test_a_line_says_how_many_points_were_needed(before: LedgerState, name: str, text: str) -> None:
    assert scored(played(80, 5), before, name).lines[0].text == text


# --- what is not played, or not to its end ----------------------------------------------------------------------------


@pytest.mark.parametrize("contract", ["none", "misdeal"])
@pytest.mark.parametrize("ending", [None, Ending(kind="table", why="Anna exposed a card", seat=0)])
def test_a_deal_that_is_not_played_scores_nothing_and_the_chalk_stays(contract: str, ending: Ending | None) -> None:
    """Whatever is left to the table."""
    settled = scored(played(0, 0, ending=ending), table(1, 4, 7), game=contract)
    assert (settled.marks, settled.chalk, settled.payments) == ((0, 0, 0, 0), 1, None)
    assert (settled.lines, settled.missing) == ((), ())


def test_a_thrown_in_deal_with_a_card_exposed_is_judged() -> None:
    (judgement,) = session(DEAL + 'events = ["@deal Anna exposes EA"]\n')
    assert judgement.replay.ending.kind == "table"
    assert judgement.settlement
    assert side_marks(judgement.settlement) == (0, 0)


def test_a_game_lost_schwarz_by_who_broke_the_rules_scores_as_every_trick() -> None:
    ending = Ending(kind="schwarz", why="Anna revoked", seat=0, to="defence")
    assert side_marks(scored(played(100, 6, ending=ending), table(0))) == (0, 3)
    assert side_marks(scored(played(100, 8, ending=ending), table(0), game="big-solo")) == (0, 12)


def test_what_the_table_decides_it_decides_in_marks() -> None:
    play = played(100, 6, ending=Ending(kind="table", why="Anna revoked", seat=0))
    ruling = Ruling(by="all", when="", why="", payments=(0, 2, 0, 2))
    deal = Deal(game=Game("bauernstoss", 0, suit="H"), ruling=(ruling,))
    settled = settle(deal, PLAYERS, rules(), play, table(0))
    assert (settled.marks, settled.chalk, settled.payments) == ((0, 2, 0, 2), 1, None)
    assert missing_of(scored(play, table(0))) == ("what the table decided: Anna revoked",)
    one = replace(deal, ruling=(replace(ruling, payments=(None, 2, None, None)),))
    assert settle(one, PLAYERS, rules(), play, table(0)).marks == (0, 2, 0, 2)
    none = replace(deal, ruling=(replace(ruling, payments=(0, 0, 0, 0)),))
    assert missing_of(settle(none, PLAYERS, rules(), play, table(0))) == ("the marks that the table gave",)


def test_a_play_without_its_end_is_not_decided() -> None:
    assert scored(played(50, 4, complete=False, missing=("the rest of the play",)), table(0)).marks is None


# --- the ledger -------------------------------------------------------------------------------------------------------


def following(
    before: LedgerState, play: Replay, name: str = "bauernstoss", game: str = "bauernstoss", stated: Any = None
) -> LedgerState:
    deal = Deal(game=Game(game, play.declarer, suit="H"), stated=Stated(marks=stated) if stated else None)
    return next_state(before, deal, 4, 3, scored(play, before, name, game), rules(name), play)


def test_000_first_to_twenty_wins_and_the_next_deal_begins_a_new_game() -> None:
    before = table(0, 18, 12)
    one = following(before, played(60, 4))
    assert (one.marks, one.chalk, one.game_deals) == ((19, 12, 19, 12), 0, 2)
    two = following(one, played(91, 4))
    assert (two.marks, two.chalk, two.game_deals) == ((0, 0, 0, 0), None, 0)


def test_000_alter_schoofkopp_fifteen_win() -> None:
    assert following(table(0, 14, 12), played(60, 4), "alter-schoofkopp").marks == (0, 0, 0, 0)
    assert following(table(0, 13, 12), played(60, 4), "alter-schoofkopp").marks == (14, 12, 14, 12)


@pytest.mark.parametrize(
    ("name", "house"),
    [
        ("bauernstoss", {"marks": {"game": 0}}), ("bauernstoss", {"marks": {"chalk": 0}}),
        ("bauernstoss", {"marks": {"first": 121}}), ("bauernstoss", {"marks": {"schneider": 0}}),
        ("bauernstoss", {"marks": {"scores": (0, 1, 2)}}), ("bauernstoss", {"marks": {"scores": (3, 2, 1)}}),
        ("bauernstoss", {"marks": {"chalk_card": "jack"}}), ("bauernstoss", {"lengths": {"most_lords": 0}}),
        # that never ends
        ("bodensee-jass", {"score": {"to": 7, "step": -1}}), ("bodensee-jass", {"score": {"to": -1, "start": 3}}),
        ("bodensee-jass", {"score": {"to": 3, "start": 3}}), ("bodensee-jass", {"score": {"to": 7, "step": 0}}),
    ],
)  # fmt: skip
def test_a_score_that_cannot_be_kept_is_no_setting(name: str, house: dict[str, Any]) -> None:
    found, findings = load(name, house)
    assert (found, [each.rule for each in findings]) == (None, ["bad-setting"])


def test_a_thrown_in_deal_is_not_the_first_of_a_game() -> None:
    assert following(table(deals=0), played(0, 0), game="none").game_deals == 0
    assert following(table(deals=0), played(60, 4)).game_deals == 1


def test_the_proof_of_a_deal_names_who_scored_the_running_marks_and_who_won_the_game() -> None:
    before, play = table(0, 18, 12), played(91, 4)
    settled, ruleset = scored(play, before), rules()
    books = proof(1, before, settled, following(before, play), ruleset)
    assert (books.scored, books.marks, books.chalk, books.game) == (OURS, (20, 12, 20, 12), 0, OURS)
    assert proof(1, before, settled, following(before, play)).marks is None


def test_an_undecidable_deal_leaves_nothing_known_of_the_score() -> None:
    unseen = played(60, 4, dealt=(None,) * 4)
    left = following(table(deals=0), unseen)
    assert (left.marks, left.chalk, left.game_deals) == (None, None, None)
    left = following(left, played(80, 5))  # who scored is known; but not whether a game was won by it
    assert (left.marks, left.chalk, left.game_deals) == (None, None, None)


def test_stated_marks_tell_whether_a_game_goes_on() -> None:
    unseen = played(60, 4, dealt=(None,) * 4)
    left = following(table(deals=0), unseen, stated=(1, None, None, 0))
    assert (left.marks, left.stated_marks, left.chalk, left.game_deals) == (None, (1, 0, 1, 0), None, 1)
    over = following(replace(left, stated_marks=(19, 3, 19, 3)), played(80, 5))
    assert (over.marks, over.chalk, over.game_deals) == ((0, 0, 0, 0), None, 0)


def test_carried_marks_and_chalk_begin_in_the_middle_of_a_game() -> None:
    brought = apply_carry(empty_ledger(4), Carry(marks=(14, 11, None, None), chalk=3), 4)
    assert (brought.marks, brought.chalk, brought.game_deals) == ((14, 11, 14, 11), 3, 1)
    brought = apply_carry(empty_ledger(4), Carry(marks=(0, 0, 0, 0)), 4)
    assert (brought.chalk, brought.game_deals) == (None, 0)
    assert apply_carry(empty_ledger(4), Carry(chalk=3), 4).game_deals is None
    begun = apply_carry(table(0, 14, 11, 9), Carry(marks=(0, 0, 0, 0)), 4)
    assert (begun.marks, begun.chalk, begun.game_deals) == ((0, 0, 0, 0), None, 0)


def test_marks_and_chalk_are_restated_by_side() -> None:
    lies = table(0, 14, 11)
    told = {
        key: (stated, left) for key, stated, left in restated_values(lies, Carry(marks=(14, None, None, 12), chalk=2))
    }
    assert told["marks"] == ((14, 12, 14, 12), (14, 11, 14, 11))
    assert told["chalk"] == (2, 2)
    assert {key: left for key, _, left in restated_values(lies, Carry(chalk=3))}["chalk"] == 0


@pytest.mark.parametrize(
    ("now", "marks", "chalk"),
    [
        (("Anna", "Eva", "Cem", "Dora"), (14, 11, 14, 11), 1),
        (("Dora", "Anna", "Ben", "Cem"), (11, 14, 11, 14), 0),
        (("Eva", "Anna", "Ben", "Fritz"), (11, 14, 11, 14), 0),
        (("Anna", "Cem", "Ben", "Dora"), None, None),
        (("Anna", "Eva", "Cem", "Fritz"), None, None),
    ],
)
def test_a_side_keeps_its_marks_while_one_of_its_players_stays(now: Any, marks: Any, chalk: Any) -> None:
    moved = move_players(table(1, 14, 11), PLAYERS, now, False)
    assert moved.marks == marks
    assert (None if moved.chalk is None else moved.chalk % 2) == chalk


# --- judged -----------------------------------------------------------------------------------------------------------

DEAL = """
[[deal]]
dealer = "Dora"
game = "none"
"""


def session(text: str, name: str = "bauernstoss") -> list[Judgement]:
    return judge_text(text, name)


def test_a_report_has_the_marks_the_chalk_and_the_score() -> None:
    (found,) = session(DEAL + "carry = { marks = { Anna = 14, Ben = 11 }, chalk = 'Ben' }\n")
    told = report(found)
    assert (told["marks"], told["chalk"], told["payments"]) == ([0, 0, 0, 0], "Ben", None)
    assert (told["state"]["marks"], told["state"]["chalk"]) == ((14, 11, 14, 11), "Ben")
    assert (told["state"]["after"]["marks"], told["verdict"]) == ((14, 11, 14, 11), "agrees")


def test_no_marks_are_told_where_none_are_played_for() -> None:
    (found,) = session(DEAL, "bavarian")
    assert report(found)["state"]["marks"] is report(found)["marks"] is None


def test_stated_marks_are_compared_and_a_break_is_told_once() -> None:
    first = (
        DEAL + "carry = { marks = { Anna = 14, Ben = 11 }, chalk = 'Ben' }\nstated.marks = { Anna = 15, Ben = 11 }\n"
    )
    second = DEAL + "stated.marks = { Cem = 15, Dora = 11 }\n"
    assert [rules_of(each) for each in session(first + second)] == [["stated-marks"], ["dealer-order"]]


def test_restated_marks_and_chalk_are_compared() -> None:
    first = DEAL + "carry = { marks = { Anna = 14, Ben = 11 }, chalk = 'Ben' }\n"
    right = first + DEAL.replace("Dora", "Anna") + "carry = { marks = { Cem = 14, Dora = 11 }, chalk = 'Dora' }\n"
    wrong = first + DEAL.replace("Dora", "Anna") + "carry = { marks = { Cem = 13, Dora = 11 }, chalk = 'Anna' }\n"
    assert [rules_of(each) for each in session(right)] == [[], []]
    assert [rules_of(each) for each in session(wrong)] == [[], ["restated-otherwise"] * 2]


@pytest.mark.parametrize("deals", [0, 1])
def test_000_no_solo_in_the_first_deal_of_a_game(deals: int) -> None:
    brought = "carry = { marks = { Anna = 1, Ben = 0 } }\n" if deals else ""
    (found,) = session(DEAL.replace('"none"', '"Anna big-solo H"') + brought)
    assert ("solo-in-first-deal" in rules_of(found)) == (not deals)


# --- the proof of whole sessions --------------------------------------------------------------------------------------

VALID = ROOT / "sample_games" / "valid"


@pytest.mark.parametrize(
    ("name", "games"),
    [("bauernstoss", [OURS]), ("alter-schoofkopp", [THEIRS, OURS]), ("deutscher-schafkopf", [THEIRS])],
)
def test_every_deal_of_a_session_gives_marks_to_one_side_and_they_add_up_to_games(name: str, games: list[Any]) -> None:
    path = VALID / f"{name}.toml"
    found = [
        each for each in judge_stream(read_toml(path.read_bytes(), Source(path.name))) if isinstance(each, Judgement)
    ]
    won, running, has = [], (0, 0, 0, 0), None
    for each in found:
        books = proof(each.number, each.before, each.settlement, each.after, each.ruleset)
        assert books.scored in ((OURS, THEIRS) if each.deal.tricks else ((),))
        assert books.marks == tuple(a + b for a, b in zip(running, each.settlement.marks or (), strict=True))
        assert books.chalk in (books.scored or (has,))
        won += [books.game] if books.game else []
        running, has = ((0, 0, 0, 0), None) if books.game else (books.marks, books.chalk)
        assert (each.after.marks, each.after.chalk) == (running, has)
    assert won == games


def test_the_standings_of_a_game_for_marks_are_in_marks() -> None:
    path = VALID / "bauernstoss.toml"
    both = [
        each for each in judge_with_heads(read_toml(path.read_bytes(), Source(path.name))) if isinstance(each, tuple)
    ]
    assert [(row.player, row.total, row.undecided) for row in standings(both)] == [
        ("Gerd", 23, 0), ("Uta", 23, 0), ("Jens", 14, 0), ("Mia", 14, 0),
    ]  # fmt: skip


LIVES = Score(to=-1, start=3, step=-1)


def test_a_score_that_goes_down_is_lives_and_who_is_left_has_won() -> None:
    assert winners_of_game((3, 0, -1), LIVES) == ()
    assert winners_of_game((-1, 0, -1), LIVES) == (1,)
    assert marks_at_start((-1, 0, -1), LIVES) == (3, 3, 3)
    assert marks_at_start((1, 0, -1), LIVES) == (1, 0, -1)


def test_the_first_to_the_end_of_a_score_has_won_and_the_next_deal_begins_anew() -> None:
    assert winners_of_game((7, 6), Score(to=7)) == (0,)
    assert marks_at_start((7, 6), Score(to=7)) == (0, 0)


def test_a_game_begins_with_the_score_that_the_house_says() -> None:
    found = judge_two('[[deal]]\ngame = "none"', "bodensee-jass", "score = { to = -1, start = 3, step = -1 }")
    assert found.before.marks == (3, 3)
