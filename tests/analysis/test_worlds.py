"""What a player could know: worlds drawn against all worlds, counted one by one."""

from collections.abc import Iterator
from itertools import combinations

import pytest
from analysis.test_open_cards import SOLVER, Position, analysed, brute_level, judged_deals, legal, played
from msgspec.structs import replace
from support.thorough import examples

from archive.analysis import Analysis, Decision, analyse, analysis_report, expected_values, known_losses
from archive.analysis.lines import line_of
from archive.analysis.positions import OpenDeal
from archive.analysis.solver import Solver
from archive.cards import CODES, numbers
from archive.judge.types import Case, case_of
from archive.rules import Contract, Tables, tables
from archive.text.analysis import analysis_lines

Rows = tuple[Contract, Tables]
WORLDS = 300


def late_decisions(name: str, left: int) -> Iterator[tuple[Case, Analysis, Decision]]:
    """The decisions with a choice in the last tricks, of random deals."""
    for case, analysis in analysed(name):
        for decision in analysis.decisions:
            if decision.trick > analysis.deal.tricks - left and len(decision.values) > 1 and not case.replay.laid:
                yield case, analysis, decision


def every_world(case: Case, analysis: Analysis, decision: Decision, rows: Rows) -> Iterator[dict[int, int]]:
    """The hands, as they were dealt, of every deal that agrees with what the player had seen."""
    steps = case.replay.steps
    place = next(n for n, step in enumerate(steps) if (step.trick, step.place) == decision.at)
    seen = {
        seat: sum(1 << CODES.index(step.card) for step in steps[:place] if step.seat == seat)
        for seat in case.replay.playing
    }
    dealt = {step.seat: 0 for step in steps}
    for step in steps:
        dealt[step.seat] |= 1 << CODES.index(step.card)
    unseen = [card for seat in dealt if seat != decision.seat for card in numbers(dealt[seat] & ~seen[seat])]
    others = [seat for seat in dealt if seat != decision.seat]
    for given in shared_out(unseen, [(dealt[seat] & ~seen[seat]).bit_count() for seat in others]):
        hands = {decision.seat: dealt[decision.seat]} | {
            seat: seen[seat] | hand for seat, hand in zip(others, given, strict=True)
        }
        if agrees(case, rows, hands, place):
            yield hands


def shared_out(cards: list[int], sizes: list[int]) -> Iterator[list[int]]:
    """All ways to deal some cards, as masks."""
    if not sizes:
        yield []
        return
    for some in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in some]
        for more in shared_out(rest, sizes[1:]):
            yield [sum(1 << card for card in some), *more]


def agrees(case: Case, rows: Rows, hands: dict[int, int], place: int) -> bool:
    """Whether the declarer could call, and every card played so far was legal."""
    compiled, declarer = rows[1], case.replay.declarer
    caller = hands[declarer] if compiled.called and declarer is not None else compiled.called_suit & ~compiled.called
    if compiled.called and (caller & compiled.called or not caller & compiled.called_suit):
        return False
    at = Position(hands, case.replay.steps[0].seat)
    for step in case.replay.steps[:place]:
        card = CODES.index(step.card)
        if not legal(rows, at.hands[at.turn], at.trick, at.searched) >> card & 1:
            return False
        at = played(case, compiled, at, card)
    return True


def exact_means(case: Case, analysis: Analysis, decision: Decision) -> dict[str, float]:
    """What each card pays on average over all worlds."""
    game = case.deal.game
    rows = case.ruleset.contracts[game.contract], tables(case.ruleset, game.contract, game.suit, game.called)
    paid: dict[str, list[int]] = {card: [] for card in decision.values}
    for hands in every_world(case, analysis, decision, rows):
        world = with_sides(case, rows[1], hands)
        at = Position(hands, case.replay.steps[0].seat, made=analysis.deal.aside)
        for step in case.replay.steps:
            if (step.trick, step.place) == decision.at:
                break
            at = played(world, rows[1], at, CODES.index(step.card))
        for card in paid:
            level = brute_level(world, analysis.levels, rows, played(world, rows[1], at, CODES.index(card)))
            paid[card].append(analysis.level(level).payments[decision.seat])
    return {card: sum(amounts) / len(amounts) for card, amounts in paid.items()}


def with_sides(case: Case, compiled: Tables, hands: dict[int, int]) -> Case:
    """The case with whoever has the called card as the partner."""
    if not compiled.called:
        return case
    ours = {case.replay.declarer, *(seat for seat, hand in hands.items() if hand & compiled.called)}
    sides = tuple(
        None if side is None else "declarer" if seat in ours else "defence"
        for seat, side in enumerate(case.replay.sides)
    )
    return replace(case, replay=replace(case.replay, sides=sides))


@pytest.mark.parametrize("name", ["bavarian", "short", "bauernstoss", "three-hand"])
def test_drawn_worlds_give_what_all_worlds_give(name: str) -> None:
    compared = 0
    for case, analysis, decision in list(late_decisions(name, 2))[: examples(8, 200)]:
        drawn = expected_values(case, analysis, decision, SOLVER, WORLDS)
        assert drawn.worlds == WORLDS
        exact = exact_means(case, analysis, decision)
        spread = max(analysis.level(0).payments) - min(analysis.level(0).payments) or 1
        for card, mean in exact.items():
            assert abs(drawn.values[card] - mean) < 0.15 * spread  # five standard errors of 300 worlds
        compared += 1
    assert compared


@pytest.mark.parametrize("name", ["bavarian", "short"])
def test_how_hidden_cards_lie_changes_the_open_values_and_nothing_of_what_was_known(name: str) -> None:
    """Of each decision the deals that its player thought possible, one after the other as the true one."""
    opened: set[bool] = set()
    for case, analysis, decision in list(late_decisions(name, 2))[:: examples(5, 1)]:
        deal, game = analysis.deal, case.deal.game
        rows = case.ruleset.contracts[game.contract], tables(case.ruleset, game.contract, game.suit, game.called)
        place = (decision.trick - 1) * len(deal.seats) + decision.place - 1
        cards = [each.card for each in analysis.decisions[:place]]
        known, values = [], []
        for hands in list(every_world(case, analysis, decision, rows))[:4]:
            other = analysis._replace(deal=with_hands(deal, hands, with_sides(case, rows[1], hands)))
            known.append(expected_values(case, other, decision, SOLVER, 20))
            line = line_of(other.deal, analysis.levels, cards, SOLVER)
            values.append(line.moment.values)
        assert all(each == known[0] for each in known)
        opened.add(all(each == values[0] for each in values))
    assert opened == {True, False}


def with_hands(deal: OpenDeal, hands: dict[int, int], case: Case) -> OpenDeal:
    """The deal with other hands, and the sides that they make."""
    place = {card: position for position, card in enumerate(deal.layout.cards)}
    return deal._replace(
        hands=tuple(sum(1 << place[card] for card in numbers(hands[seat])) for seat in deal.seats),
        counted=sum(1 << n for n, seat in enumerate(deal.seats) if case.replay.sides[seat] == "declarer"),
    )


def test_an_analysis_says_the_same_of_open_cards_whatever_was_known() -> None:
    """Where both are asked for, as where only open cards are: the two share no number."""
    apart = 0
    for judgement in judged_deals("bavarian"):
        case = case_of(judgement)
        analysis = analyse(case, SOLVER) if case else ""
        if case and not isinstance(analysis, str):
            known = known_losses(case, analysis, SOLVER, 20)
            both = analysis_report(judgement, analysis, known)
            apart += sum(each.pop("as_known", None) is not None for each in both["decisions"])
            assert both == analysis_report(judgement, analysis)
    assert apart


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_table_with_both_answers_fits_the_terminal(language: str) -> None:
    for judgement in judged_deals("bavarian"):
        case = case_of(judgement)
        analysis = analyse(case, SOLVER) if case else ""
        if case and not isinstance(analysis, str):
            lines = list(analysis_lines(judgement, analysis, known_losses(case, analysis, SOLVER, 2), 80, language))
            assert max(map(len, "\n".join(lines).split("\n"))) <= 80


def test_the_cards_of_a_decision_by_what_was_known_do_not_change_from_run_to_run() -> None:
    case, analysis, decision = next(iter(late_decisions("three-hand", 3)))
    plain = expected_values(case, analysis, decision, Solver(fast=False), 20)
    assert plain == expected_values(case, analysis, decision, SOLVER, 20)
    assert plain.loss >= 0
