"""A true addition keeps a verdict: what is decided stays decided, alike, when something true is beside it."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import event as tally
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.partial_records import KEYS, half_record, right_deal
from support.tables import judge_text, rules_of
from support.thorough import examples
from support.worked_examples import TRICKS

from archive.generate import session, stated_as_computed
from archive.generate.playing import Wish, judged_deal
from archive.judge import Judgement, judge
from archive.judge.decisive_facts import decisive_facts
from archive.judge.judge_stream import judge_stream
from archive.judge.price_range import price_range
from archive.notation import read_toml
from archive.record import Deal, Event, Source, Stated
from archive.rules import bundled
from archive.settle.marks_ledger import marks_after


def judged(text: str, rules: str = "bavarian", house: str = "") -> Judgement:
    return judge_text(f'[[deal]]\ndealer = "Dora"\n{text}', rules, house)[0]


SOLO = 'game = "Anna solo H"\nknocks = []\ndoubles = []\nstated.points = 70\nstated.price = '
HARMLESS = (
    "@1.2 Ben remarks hm", "@1.2 Ben looks at a trick", "@1.1 Anna no-claim", "@2 Cem prevented HA by Ben",
    "@1.1 Ben announces breakthrough",
)  # fmt: skip


@pytest.mark.parametrize("event", HARMLESS)
@pytest.mark.parametrize("price", [50, 999])
def test_an_event_of_which_nothing_follows_keeps_a_verdict(event: str, price: int) -> None:
    without, beside = judged(f"{SOLO}{price}"), judged(f'{SOLO}{price}\nevents = ["{event}"]')
    assert without.verdict == ("agrees" if price == 50 else "differs")
    assert (beside.verdict, paid(beside)) == (without.verdict, paid(without))


def paid(found: Judgement) -> object:
    return found.settlement and (found.settlement.price, found.settlement.payments)


RAMSCH = 'game = "ramsch"\nstated.points = [40, 40, 30, 10]\n'
BY_TRICKS = '[house.ramsch]\ntie = ["tricks", "taken-trumps"]\n'


@pytest.mark.parametrize(("tricks", "loser"), [((3, 2, 2, 1), 0), ((2, 3, 2, 1), 1), ((2, 2, 3, 1), None)])
def test_001_ramsch_tricks_by_player_decide_equal_points(tricks: tuple[int, ...], loser: int | None) -> None:
    found = judged(f"{RAMSCH}stated.tricks = {list(tricks)}", "pub", BY_TRICKS)
    assert judged(RAMSCH, "pub", BY_TRICKS).verdict == "undecidable"
    assert found.verdict == ("undecidable" if loser is None else "agrees")
    assert found.settlement.loser == loser


@pytest.mark.parametrize("tricks", ["", "stated.tricks = 4\n"])
@pytest.mark.parametrize("points", [42, 70])
def test_tricks_beside_points_keep_a_verdict_in_bauernstoss(tricks: str, points: int) -> None:
    text = f'carry.marks = [2, 0, 2, 0]\ncarry.chalk = "Anna"\ngame = "Ben bauernstoss H"\nstated.points = {points}\n'
    found = judged(text + tricks, "bauernstoss")
    assert (found.verdict, rules_of(found)) == ("agrees", [])


@pytest.mark.parametrize("trick", ["", 'tricks = ["Anna: EO GO H7 H9"]\n'])
def test_a_lost_bettel_may_have_been_played_on(trick: str) -> None:
    found = judged(f'game = "Anna bettel"\n{trick}stated.points = 120\nstated.won = false', "pub")
    assert (found.verdict, rules_of(found)) == ("agrees", [])


@pytest.mark.parametrize("dealer", ["", 'dealer = "Anna"\n'])
def test_stated_marks_without_turns_are_undecidable(dealer: str) -> None:
    found = judge_text(f'[[deal]]\n{dealer}game = "schnauz"\nstated.marks = [2, 3, 2, 2]', "schnauz")[0]
    assert found.verdict == "undecidable"
    assert (decisive_facts(found), price_range(found)) == ((), None)


# --- the law ----------------------------------------------------------------------------------------------------------

Addition = Callable[[Random, Judgement, Deal], Deal]


def an_event(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """Return the deal with a remark or a look, which has no consequences."""
    seats = right.replay.active if right.replay else ()
    noted = Event(rng.choice(seats or (0,)), rng.choice(("remarks", "looks")), None, "a word")
    return deal if deal.events is None else replace(deal, events=(*deal.events, noted))


def note(rng: Random, right: Judgement, deal: Deal) -> Deal:
    return replace(deal, note="late")


def what_happened(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """Return the deal with its events, an offered surrender with its answer among them, or the statement that there
    were none."""
    return deal if deal.events is not None else replace(deal, events=right.deal.events or ())


def one_value(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """Return the deal with one more value as the rules compute it."""
    return with_value(right, deal, rng.choice(KEYS))


def won(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """Return the deal with the statement whether the declarer has won."""
    return with_value(right, deal, "won")


def with_value(right: Judgement, deal: Deal, key: str) -> Deal:
    """Return the deal with one more value as the rules compute it, if it states none."""
    value, stated = getattr(stated_as_computed(right, (key,)), key), deal.stated or Stated()
    return replace(deal, stated=replace(stated, **{key: value})) if getattr(stated, key) is None else deal


def by_player(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """Return the deal with the tricks or the card points of each player."""
    played, stated = right.replay, deal.stated or Stated()
    key, own = rng.choice((("tricks", "tricks_won"), ("points", "points")))
    if played is None or played.ending or not played.complete or not played.winners or played.talon:
        return deal
    value = getattr(played, own)
    return replace(deal, stated=replace(stated, **{key: value})) if getattr(stated, key) is None else deal


def knocks(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """Return the deal with the players who knocked and doubled, if nothing or only the number is recorded."""
    names = {key: getattr(right.deal, key) or () for key in ("knocks", "doubles")}
    away = {key: value for key, value in names.items() if not isinstance(getattr(deal, key), tuple)}
    return replace(deal, **away)


def trick(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """Return the deal with its first tricks, if the record has none."""
    return deal if deal.tricks else replace(deal, tricks=(right.deal.tricks or ())[: rng.choice((1, 3))] or None)


ADDITIONS: tuple[Addition, ...] = (an_event, note, what_happened, one_value, won, by_player, knocks, trick)
AMOUNTS = ("price", "payments", "marks", "totals")


def is_amount_that_was_not_taken_so(half: Judgement, right: Judgement, longer: Deal) -> bool:
    """Return whether an addition is an amount, and the half record was decided by another amount than the true one,
    since it lacks something that happened: that leaves a deal open, and says what may have happened."""
    before, after = half.deal.stated or Stated(), longer.stated or Stated()
    is_amount = any(getattr(before, key) != getattr(after, key) for key in AMOUNTS)
    computed, true = half.settlement, right.settlement
    amounts = [None if each is None else (each.payments, each.marks) for each in (computed, true)]
    return is_amount and (None in amounts or amounts[0] != amounts[1])


def with_wrong_price(found: Judgement, half: Deal) -> tuple[Judgement, Deal]:
    """Return the half with an amount that no deal can have, and its judgement."""
    wrong = replace(half, stated=replace(half.stated or Stated(), price=9_999))
    return judge(found.session, wrong, 1, found.before), wrong


@settings(max_examples=examples(10, 20_000), deadline=None)
@given(
    st.sampled_from(bundled()),
    st.integers(0, examples(2, 499)),
    st.integers(0, 10**6),
    st.sampled_from(ADDITIONS),
    st.booleans(),
)
def test_something_true_beside_a_half_record_takes_no_verdict_from_it(
    rules: str, number: int, seed: int, add: Addition, wrong: bool
) -> None:
    rng, whole = Random(seed), right_deal(rules, number)
    found, half = half_record(rng, whole)
    assert found.verdict in ("agrees", "undecidable"), (found.reason, half)
    if wrong and found.verdict == "agrees":
        found, half = with_wrong_price(found, half)
    longer = add(rng, whole, half)
    if found.verdict == "undecidable" or longer == half or is_amount_that_was_not_taken_so(found, whole, longer):
        return
    tally(f"{add.__name__} beside one that {found.verdict}")
    again = judge(found.session, longer, 1, found.before)
    assert again.verdict == found.verdict, (add.__name__, again.reason, longer)


# --- facts beside cards -----------------------------------------------------------------------------------------------

# Won with every trick, and one runner, which is not paid.
SHEET = 'game = "Anna rufspiel G"\nwith = "Dora"\nknocks = []\ndoubles = []\n'


@pytest.mark.parametrize("tricks", range(8))
@pytest.mark.parametrize(("price", "verdict"), [(30, "agrees"), (40, "differs")])
def test_the_first_tricks_beside_facts_that_decide_leave_the_verdict(tricks: int, price: int, verdict: str) -> None:
    facts = f"stated.points = 120\nstated.runners = 1\nstated.schwarz = true\nstated.price = {price}\n"
    play = f"tricks = {list(TRICKS[:tricks])}\n" if tricks else ""
    found = judged(f"{SHEET}{play}{facts}")
    assert (found.verdict, found.basis, found.settlement.price) == (verdict, "facts", 30), found.reason
    assert rules_of(found) == (["stated-price"] if verdict == "differs" else [])


def test_the_tricks_that_are_seen_bound_what_facts_may_fill() -> None:
    """With 105 points in seven tricks the game is won, and the others are Schneider."""
    seven = f"tricks = {list(TRICKS[:7])}\n"
    assert judged(f"{SHEET}{seven}stated.won = true").settlement.won is True
    assert rules_of(judged(f"{SHEET}{seven}stated.won = false")) == ["stated-won"]
    assert rules_of(judged(f"{SHEET}{seven}stated.schneider = false")) == ["stated-schneider"]


@pytest.mark.parametrize("tricks", [1, 7])
def test_of_a_play_that_breaks_off_and_states_nothing_nothing_is_taken_as_not_having_happened(tricks: int) -> None:
    found = judged(f"{SHEET}tricks = {list(TRICKS[:tricks])}\n")
    assert (found.verdict, found.basis, found.unwritten) == ("undecidable", None, ())


HOW = {
    "by player": "stated.points = [70, 10, 20, 20]",
    "won": "stated.won = true",
    "a note": 'note = "late"',
    "knocks by name": 'knocks = ["Ben"]',
    "tricks by player": "stated.tricks = [5, 1, 1, 1]",
    "who won each": 'stated.winners = ["Anna", "Ben", "Cem", "Dora", "Anna", "Anna", "Anna", "Anna"]',
    "claims": 'events = ["@1.1 Anna claims runners"]',
}


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(("price", "verdict"), [(100, "agrees"), (990, "differs")])
def test_card_points_by_player_won_knocks_and_a_note_leave_a_verdict(how: str, price: int, verdict: str) -> None:
    """One knock doubles a Solo of 50."""
    text = f'game = "Anna solo H"\ndoubles = []\nstated.points_against = 50\nstated.price = {price}\n'
    knocks = "" if how == "knocks by name" else "knocks = 1\n"
    texts = f"{text}knocks = 1\n", f"{text}{knocks}{HOW[how]}"
    without, beside = (judged(each, "pub", 'tariff = "10/20/50"') for each in texts)
    assert (without.verdict, beside.verdict) == (verdict, verdict), beside.reason
    assert (beside.settlement.payments, beside.basis) == (without.settlement.payments, "facts")


GIVEN_UP = 'events = ["Ben offers-surrender", "Anna accepts"]\n'
REFUSED = 'events = ["Ben offers-surrender", "Anna refuses"]\n'


def judged_by_three(text: str) -> Judgement:
    head = 'format = "schafkopf-record/1"\nplayers = ["Anna", "Ben", "Cem"]\nrules = "palatinate"\n'
    (found,) = judge_stream(read_toml(f'{head}[[deal]]\ndealer = "Cem"\n{text}'.encode(), Source("test.toml")))
    assert isinstance(found, Judgement)
    return found


@pytest.mark.parametrize(("price", "verdict"), [(None, "agrees"), (999, "differs")])
@pytest.mark.parametrize("events", [GIVEN_UP, REFUSED])
@pytest.mark.parametrize("runners", ["", "stated.runners = 0\n", "stated.runners = -4\n"])
def test_004_a_surrender_beside_who_won_leaves_the_verdict(
    runners: str, events: str, price: int | None, verdict: str
) -> None:
    text = f'game = "Anna solo H"\ndoubles = []\nstated.won = true\n{runners}'
    text += "" if price is None else f"stated.price = {price}\n"
    silent, beside = judged_by_three(f"{text}events = []"), judged_by_three(text + events)
    assert (silent.verdict, beside.verdict) == (verdict, verdict), (silent.reason, beside.reason)


# --- Lake Constance Jass ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("wrong", [0, 1])
def test_002_06_4_the_tallies_of_lake_constance_jass_follow_from_its_points(number: int, wrong: int) -> None:
    """Of one player, of both, or of the other; beside them the first tricks, or how many tricks the declarer took."""
    right = judged_deal(Random(f"jass {number}"), session("bodensee-jass"), Wish(contract="jass"))
    points, own = right.replay.points, right.deal.game.declarer or 0
    marks = marks_after(right.before, right.settlement)
    assert marks
    row = tuple((each or 0) + wrong for each in marks)
    with_tricks = Stated(points=points[own], tricks=right.replay.tricks_won[own])
    of_points = (Stated(points=points), Stated(points=points[own]), Stated(points_against=points[1 - own]))
    for stated in (*of_points, with_tricks):
        for tricks in (None, (right.deal.tricks or ())[:1], (right.deal.tricks or ())[:17]):
            deal = replace(right.deal, hands=None, tricks=tricks, stated=replace(stated, marks=row))
            found = judge(right.session, deal, 1, right.before)
            assert (found.verdict, found.basis) == ("differs" if wrong else "agrees", "facts"), found.reason
            assert found.settlement.marks == right.settlement.marks


def test_002_06_4_who_has_won_alone_tells_no_tallies_for_nobody_knows_who_was_in_the_sack() -> None:
    right = judged_deal(Random("jass 0"), session("bodensee-jass"), Wish(contract="jass"))
    deal = replace(right.deal, hands=None, tricks=None, stated=Stated(won=right.settlement.won))
    assert judge(right.session, deal, 1, right.before).verdict == "undecidable"


def test_002_06_4_points_of_both_are_those_of_the_pack_and_the_last_trick_whoever_played() -> None:
    """Without a declarer, too: a half record of 106 and 51, which are 157 with the five of the last trick."""
    for number in range(4):
        right = judged_deal(Random(f"jass {number}"), session("bodensee-jass"), Wish())
        game = right.deal.game
        if game is None or right.replay is None or not right.replay.complete:
            continue
        deal = replace(right.deal, game=replace(game, declarer=None), tricks=(right.deal.tricks or ())[:16])
        found = judge(right.session, replace(deal, stated=Stated(points=right.replay.points)), 1, right.before)
        assert "stated-points" not in rules_of(found), found.reason
