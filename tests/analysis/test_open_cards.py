"""Open cards: every value against brute force, the laws that must hold, and players who saw all cards."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support import real_games
from support.rulesets import load_rules
from support.thorough import examples

from archive.analysis import Analysis, analyse, losses_of
from archive.analysis.levels import Levels, amounts_of
from archive.analysis.open_cards import Decision
from archive.analysis.solver import Solver
from archive.cards import BIT, CODES, numbers
from archive.engine import search_rows as r
from archive.engine.compile import has_compiler
from archive.engine.duties import DUTIES, terms_of
from archive.engine.search_values import BY_POINTS
from archive.generate.evenings import evenings
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.judge.types import Case, case_of
from archive.play.replay import replay
from archive.rules import Contract, Tables, bundled, load, tables

SOLVER = Solver(fast=has_compiler())
DEALS = examples(6, 500)


@cache
def judged_deals(name: str, deals: int = DEALS, seed: int = 28) -> tuple[Judgement, ...]:
    """Random legal deals of a ruleset, judged."""
    ruleset = load_rules(name)
    items = [item for evening in evenings(ruleset, seed, deals) for item in (evening.session, *evening.deals)]
    return tuple(each for each in judge_stream(items) if isinstance(each, Judgement))


@cache
def dealt_cases(name: str, deals: int) -> tuple[Case, ...]:
    return tuple(case for each in judged_deals(name, deals) if (case := case_of(each)))


@cache
def analysed(name: str, deals: int = DEALS) -> tuple[tuple[Case, Analysis], ...]:
    results = ((case, analyse(case, SOLVER)) for case in dealt_cases(name, deals))
    return tuple((case, result) for case, result in results if isinstance(result, Analysis))


# --- brute force: every line of play, by the duties of the rules and no idea of the search ---------------------------


class Position(NamedTuple):
    """Masks by seat; `trick` are the seats and cards that lie; points and tricks are those of the declarer's side."""

    hands: dict[int, int]
    turn: int
    trick: tuple[tuple[int, int], ...] = ()
    searched: int = 0
    made: int = 0
    taken: int = 0


def brute_level(case: Case, levels: Levels, rows: tuple[Contract, Tables], at: Position) -> int:
    """The level of a position by trying every legal card to the end."""
    if not at.trick and not any(at.hands.values()):
        return level_at(levels, at.made, at.taken)
    choose = max if case.replay.sides[at.turn] == "declarer" else min
    cards = numbers(legal(rows, at.hands[at.turn], at.trick, at.searched))
    return choose(brute_level(case, levels, rows, played(case, rows[1], at, card)) for card in cards)


def played(case: Case, compiled: Tables, at: Position, card: int) -> Position:
    """The position after a card."""
    hands, trick = at.hands | {at.turn: at.hands[at.turn] & ~(1 << card)}, (*at.trick, (at.turn, card))
    playing = sorted(case.replay.playing)
    if len(trick) < len(playing):
        after = playing[(playing.index(at.turn) + 1) % len(playing)]
        return at._replace(hands=hands, trick=trick, turn=after)
    winner, best = trick[0]
    for seat, other in trick[1:]:
        if compiled.beats[best] >> other & 1:
            winner, best = seat, other
    ours = case.replay.sides[winner] == "declarer"
    made = at.made + sum(compiled.points[other] for _, other in trick) * ours
    searched = at.searched or int(compiled.groups[compiled.group[trick[0][1]]] == compiled.called_suit)
    return Position(hands, winner, (), searched, made, at.taken + ours)


def legal(rows: tuple[Contract, Tables], hand: int, trick: tuple[tuple[int, int], ...], searched: int) -> int:
    row, compiled = rows
    led = over = 0
    for place, (_, card) in enumerate(trick):
        if place == 0:
            led, over = compiled.groups[compiled.group[card]], compiled.beats[card]
        elif over >> card & 1:
            over = compiled.beats[card]
    allowed = hand
    for name in row.duties:
        allowed = DUTIES[name](terms_of(compiled), hand, led, over, searched, allowed)
    return allowed


def level_at(levels: Levels, made: int, taken: int) -> int:
    """The level that so many points and tricks are."""
    reached = 0
    for measure, need, at_least in levels.cuts:
        have = made if measure == BY_POINTS else taken
        reached += (have >= need) == bool(at_least)
    return reached


def brute_values(case: Case, analysis: Analysis, last: int) -> Iterator[tuple[Decision, dict[str, int]]]:
    """The level of each legal card in the last tricks."""
    game = case.deal.game
    row = case.ruleset.contracts[game.contract]
    rows = row, tables(case.ruleset, game.contract, game.suit, game.called)
    held = {seat: sum(BIT[code] for code in case.replay.held[seat] or ()) for seat in case.replay.playing}
    at = Position(held, case.replay.steps[0].seat, made=analysis.deal.aside)
    for decision in analysis.decisions:
        if decision.trick > analysis.deal.tricks - last:
            may = numbers(legal(rows, at.hands[at.turn], at.trick, at.searched))
            after = {CODES[card]: played(case, rows[1], at, card) for card in may}
            yield decision, {card: brute_level(case, analysis.levels, rows, each) for card, each in after.items()}
        at = played(case, rows[1], at, CODES.index(decision.card))


WITHOUT_TRICKS = {name for name in bundled() if (ruleset := load(name)[0]) and ruleset.house.play != "tricks"}
# Cards lie covered, are set aside by each, are drawn; or there are no tricks.
NOT_COVERED = {"bodensee-jass", "officers", "sixty-six", "vicars"} | WITHOUT_TRICKS
COVERED = sorted({*bundled()} - NOT_COVERED)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", COVERED)
def test_values_of_the_last_tricks_are_those_of_brute_force(name: str) -> None:
    """The last two tricks of a few deals; in a thorough run 5,000 cards and more of the last three, in each ruleset,
    and the fourth trick from the end too in so many that these are more than a thousand in all."""
    compared = fourth = 0
    for place, (case, analysis) in enumerate(analysed(name)):
        for decision, values in brute_values(case, analysis, examples(2, 4 if place < 25 else 3)):
            assert decision.values == values, (case.deal, decision)
            compared += len(values)
            fourth += decision.trick == analysis.deal.tricks - 3
    assert compared >= examples(20, 5000)
    assert fourth >= examples(0, -(-1000 // len(COVERED)))


SETTINGS = {"never": {"run_away": 9}, "with two": {"run_away": 2}, "then due": {"run_away": 2, "after_run_away": "due"}}


def settled_as(case: Case, call: dict[str, object]) -> Case:
    """The deal at a table with other settings of the call."""
    ruleset = load_rules(case.ruleset.id, {"call": call})
    return replace(case, ruleset=ruleset, replay=replay(case.deal, case.players, ruleset, case.before.dealer))


def may_run_away(case: Case, last: int) -> bool:
    """Whether the holder of the called card still has another of its suit when the last tricks begin, the suit not led
    before."""
    game = case.deal.game
    if not game or not game.called:
        return False
    suit = tables(case.ruleset, game.contract, game.suit, game.called).called_suit
    before = [step for step in case.replay.steps if step.trick <= len(case.replay.leaders) - last]
    after = [step for step in case.replay.steps[len(before) :] if BIT[step.card] & suit]
    holder = next((step.seat for step in after if step.card == game.called), None)
    searched = any(step.place == 1 and BIT[step.card] & suit for step in before)
    return not searched and sum(step.seat == holder for step in after) > 1


def test_values_with_and_without_running_away_are_those_of_brute_force() -> None:
    """Deals in which it matters in the last tricks, by each setting; and it changes values."""
    last, changed, compared = examples(2, 3), 0, 0
    for case in (each for each in dealt_cases("bavarian", examples(150, 400)) if may_run_away(each, last)):
        found = []
        for call in SETTINGS.values():
            other = settled_as(case, call)
            result = analyse(other, SOLVER)
            if isinstance(result, str):  # somebody ran away with two
                assert result == "analysis.illegal"
                continue
            for decision, values in brute_values(other, result, last):
                assert decision.values == values, (case.deal, call, decision)
                compared += len(values)
            found.append([each.values for each in result.decisions])
        changed += len(found) == len(SETTINGS) and found[0] != found[1]
    assert compared > examples(40, 100)
    assert changed


NO_VALUE = {"analysis.not-covered", "analysis.not-played", "analysis.each-alone"}


@pytest.mark.parametrize("name", sorted(NOT_COVERED))
def test_games_with_cards_that_lie_covered_or_without_tricks_have_no_value(name: str) -> None:
    assert {analyse(case, SOLVER) for case in dealt_cases(name, 3)} <= NO_VALUE


# --- laws that must hold ----------------------------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", bundled())
def test_what_a_deal_pays_is_its_start_and_the_losses_of_all(name: str) -> None:
    """result = value of the deal - own losses - the partner's + the opponents', in what each is paid; and the end is
    the settlement."""
    for case, analysis in analysed(name):
        if case.replay.complete and case.replay.ending is None:
            assert analysis.level(analysis.end).payments == amounts_of(case, case.settlement)
        for decision in analysis.decisions:
            assert decision.loss >= 0
            assert decision.values[decision.card] == decision.value
            ours = case.replay.sides[decision.seat] == "declarer"
            assert decision.best == (max if ours else min)(decision.values.values())
        for seat in range(len(case.players)):
            value = analysis.level(analysis.start).payments[seat]
            for decision in analysis.decisions:
                before, after = (analysis.level(each).payments[seat] for each in (decision.best, decision.value))
                value += after - before
            assert value == analysis.level(analysis.end).payments[seat]


def test_values_do_not_depend_on_the_seat_that_is_called_first() -> None:
    """The same deal with every player moved round the table has the same values."""
    for case, analysis in analysed("bavarian"):
        seats = len(case.players)
        for shift in range(1, seats):
            moved = analyse(turned(case, shift), SOLVER)
            assert [each.values for each in moved.decisions] == [each.values for each in analysis.decisions]


def turned(case: Case, shift: int) -> Case:
    """The case with every seat moved on."""
    seats = len(case.players)

    def move(row: tuple[object, ...]) -> tuple[object, ...]:
        return tuple(row[(seat - shift) % seats] for seat in range(seats))

    def seat_of(seat: int | None) -> int | None:
        return None if seat is None else (seat + shift) % seats

    played = case.replay
    return replace(
        case,
        replay=replace(
            played,
            active=tuple((seat + shift) % seats for seat in played.active),
            playing=tuple((seat + shift) % seats for seat in played.playing),
            held=move(played.held),
            sides=move(played.sides),
            points=move(played.points),
            tricks_won=move(played.tricks_won),
            steps=tuple(replace(step, seat=(step.seat + shift) % seats) for step in played.steps),
            leaders=tuple(map(seat_of, played.leaders)),
            winners=tuple(map(seat_of, played.winners)),
            declarer=seat_of(played.declarer),
            partner=seat_of(played.partner),
        ),
    )


Exchange = dict[str, str]  # of cards, by code


def suits_alike(case: Case) -> list[tuple[str, ...]]:
    """The plain suits that differ in nothing but their name, each from its highest card to its lowest."""
    game = case.deal.game
    compiled = tables(case.ruleset, game.contract, game.suit, game.called)
    plain = [mask for mask in compiled.groups[:-1] if mask and mask != compiled.called_suit]
    suits = [sorted(numbers(mask), key=lambda card: (compiled.beats[card] & mask).bit_count()) for mask in plain]
    worth = [[compiled.points[card] for card in suit] for suit in suits]
    return [tuple(CODES[card] for card in suit) for suit, each in zip(suits, worth, strict=True) if each == worth[0]]


def exchanged(case: Case, exchange: Exchange) -> Case:
    """The case with some cards in the place of others."""

    def moved(cards: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return cards and tuple(exchange.get(card, card) for card in cards)

    before = case.replay
    steps = tuple(replace(step, card=exchange.get(step.card, step.card)) for step in before.steps)
    held = tuple(map(moved, before.held))
    return replace(case, replay=replace(before, held=held, laid=moved(before.laid), steps=steps))


@cache
def lone_games() -> tuple[tuple[Case, Analysis], ...]:
    """Games whose plain suits are alike, three or more: each Solo, each Wenz."""
    dealt = (each for name in ("bavarian", "short", "three-hand") for each in analysed(name, examples(24, 400)))
    alike = tuple((case, analysis) for case, analysis in dealt if len(suits_alike(case)) >= 3)
    assert {case.deal.game.contract for case, _ in alike if case.deal.game} >= {"solo", "wenz"}
    return alike


@settings(max_examples=examples(15, 400))
@given(st.data())
def test_values_do_not_depend_on_which_of_like_suits_is_which(data: st.DataObject) -> None:
    case, analysis = data.draw(st.sampled_from(lone_games()))
    suits = suits_alike(case)
    others = data.draw(st.permutations(suits))
    pairs = zip(suits, others, strict=True)
    exchange = {card: other for suit, into in pairs for card, other in zip(suit, into, strict=True)}
    result = analyse(exchanged(case, exchange), SOLVER)
    for decision, other in zip(analysis.decisions, result.decisions, strict=True):
        assert other.values == {exchange.get(card, card): level for card, level in decision.values.items()}
        assert (other.best, other.value, other.loss) == (decision.best, decision.value, decision.loss)


@pytest.mark.parametrize("name", ["bavarian", "bauernstoss", "short", "three-hand"])
def test_levels_are_those_of_exact_points(name: str) -> None:
    """One search with its window wide open for the card points, against one of a single point for each level."""
    compared = 0
    for case, analysis in analysed(name):
        SOLVER.take_up(analysis.deal, analysis.levels.more_tricks)
        SOLVER.follow(analysis.deal.played)
        for place, decision in enumerate(analysis.decisions):
            if decision.trick < 3:
                continue
            points = exact_points(place)
            assert SOLVER.points_at(place) == points, (case.deal, decision)
            for level, (measure, need, _) in enumerate(analysis.levels.cuts, 1):
                if measure == BY_POINTS:
                    assert (decision.best >= level) == (points >= need), (case.deal, decision)
                    compared += 1
    assert compared > 100


def exact_points(place: int) -> int:
    """The card points of the declarer's side if all sides play for points, at a place of the play that was followed."""
    desk, at = SOLVER.points, r.PLAY + place * r.FRAME
    for field in range(r.ALPHA):
        desk[r.FRAMES + field] = desk[at + field]
    return int(desk[at + r.MADE] + SOLVER.functions["search"](desk, SOLVER.table, -1, int(desk[at + r.LEFT]) + 1))


@pytest.mark.skipif(not has_compiler(), reason="without numba there is nothing to compare")
@pytest.mark.parametrize("name", ["short", "three-hand"])
def test_the_plain_search_gives_the_same_values_as_the_compiled_one(name: str) -> None:
    plain = Solver(fast=False)
    for case, analysis in analysed(name)[: examples(2, 120)]:
        other = analyse(case, plain)
        assert other.decisions == analysis.decisions


# --- real games -------------------------------------------------------------------------------------------------------


def real_cases(source: str) -> Iterator[Case]:
    """The deals of the real games of a kind."""
    if source == "logs":
        judged = [each for _, every in real_games.logs() for each in every]
    else:
        judged = [each for pair in getattr(real_games, source)() for each in judge_stream(pair)]
    yield from (case for each in judged if isinstance(each, Judgement) and (case := case_of(each)))


@real_games.needed
@pytest.mark.parametrize("source", ["logs", "settled", "played"])
def test_every_real_deal_pays_its_worth_less_the_losses_of_its_side_and_those_of_the_others_more(source: str) -> None:
    """result = value of the deal - own losses - partners' losses + opponents' losses, for each seat; the result is the
    settlement's. Some of the deals; all of them in a thorough run."""
    held = 0
    for case in list(real_cases(source))[:: examples(18, 1)]:
        analysis = analyse(case, SOLVER)
        if isinstance(analysis, str) or not case.replay.complete or case.replay.ending is not None:
            continue
        losses = losses_of(case, analysis)
        rows = zip(losses.value, losses.own, losses.partners, losses.opponents, strict=True)
        result = tuple(value - own - partners + opponents for value, own, partners, opponents in rows)
        assert result == amounts_of(case, case.settlement), case.deal
        assert all(min(each) >= 0 for each in losses[1:])
        held += 1
    assert held > examples(2, 40)


@real_games.needed
def test_a_player_who_saw_all_cards_loses_nothing_from_trick_four_on() -> None:
    """In one of the logs a program plays for `Gast` that sees all cards from trick 3 on; in the other the same program
    plays without."""
    wrong: Counter[str] = Counter()
    critical: Counter[str] = Counter()
    for log, judged in real_games.logs():
        if not log.startswith("autoplay"):
            continue
        cases = [case_of(each) for each in judged if isinstance(each, Judgement)]
        for case in cases[: None if log.startswith("autoplay_03") else examples(30, 1000)]:
            result = analyse(case, SOLVER) if case else ""
            for decision in result.decisions if isinstance(result, Analysis) else ():
                if case and case.players[decision.seat] == "Gast" and decision.trick > 3 and decision.stake:
                    critical[log[:11]] += 1
                    wrong[log[:11]] += decision.loss > 0
    assert critical["autoplay_03"] > 40
    assert wrong["autoplay_03"] == 0
    assert wrong["autoplay_05"] > 0
