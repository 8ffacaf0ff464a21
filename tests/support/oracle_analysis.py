"""Plain answers to the questions of `archive.stats.questions.analysis`, from analyses made anew."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache, partial
from math import sqrt
from statistics import fmean, linear_regression, stdev
from typing import Any, NamedTuple

from archive.analysis import Analysis, Decision, analyse
from archive.analysis.solver import Solver
from archive.cards import NUMBER
from archive.engine.compile import has_compiler
from archive.judge.types import Case, case_of
from archive.rules import tables
from support.oracle_people import Sat, seats
from support.question_oracle import Z, mean, player_numbers, wilson

Rows = list[tuple[Any, ...]]
LEAST_FITTED = 30


class Valued(NamedTuple):
    """A seat of an analysed deal, in payments: the worth of the first position and of the last one, and its decisions
    that mattered."""

    sat: Sat
    case: Case
    analysis: Analysis
    value: int
    result: int
    choices: tuple[Decision, ...]

    @property
    def game(self) -> tuple[Any, ...]:
        return (*self.sat.house, self.sat.deal.get("contract"))

    def change(self, each: Decision) -> int:
        """Return how much a card changed the payment of this seat."""
        before, after = (self.analysis.level(number).payments[self.sat.seat] for number in (each.best, each.value))
        return before - after

    def lost(self, whose: Callable[[int], bool]) -> int:
        return sum(self.change(each) for each in self.analysis.decisions if whose(each.seat))

    def side(self, seat: int) -> bool:
        """Return whether another seat plays with this one."""
        return seat != self.sat.seat and self.case.replay.sides[seat] == self.case.replay.sides[self.sat.seat]


@cache
def valued() -> tuple[Valued, ...]:
    solver, found = Solver(fast=has_compiler()), []
    analyses: dict[int, Analysis | str] = {}
    for sat in seats():
        case = case_of(sat.deal.judgement)
        if case is None or sat.role is None:
            continue
        if sat.deal.number not in analyses:
            analyses[sat.deal.number] = analyse(case, solver)
        analysis = analyses[sat.deal.number]
        if isinstance(analysis, str) or sat.seat not in case.replay.playing:
            continue
        ends = (analysis.level(number).payments[sat.seat] for number in (analysis.start, analysis.end))
        mattered = (each for each in analysis.decisions if len(set(each.values.values())) > 1)
        found.append(Valued(sat, case, analysis, *ends, tuple(each for each in mattered if each.seat == sat.seat)))
    return tuple(found)


def grouped(every: Iterable[Any], key: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    groups: dict[Any, list[Any]] = defaultdict(list)
    for each in every:
        groups[key(each)].append(each)
    return groups


def worth(mine: list[Valued]) -> tuple[float | None, ...]:
    """Return result, worth, their difference, and half of its interval."""
    beyond = [each.result - each.value for each in mine]
    middle, half = sum(beyond) / len(beyond), None
    if len(mine) > 1:
        half = Z * sqrt(sum((each - middle) ** 2 for each in beyond) / (len(mine) - 1) / len(mine))
    return mean([each.result for each in mine]), mean([each.value for each in mine]), middle, half


def choices_of(mine: Iterable[Valued]) -> list[tuple[Valued, Decision]]:
    return [(each, choice) for each in mine for choice in each.choices]


def right(choices: list[tuple[Valued, Decision]]) -> tuple[Any, ...]:
    good = sum(choice.loss == 0 for _, choice in choices)
    return len(choices), good, *wilson(good, len(choices))


def games(choices: list[tuple[Valued, Decision]]) -> tuple[int, int]:
    """Return cards that turned the game, and others that cost something."""
    turned = [
        each.analysis.level(choice.best).settlement.won != each.analysis.level(choice.value).settlement.won
        for each, choice in choices
        if choice.loss
    ]
    return sum(turned), len(turned) - sum(turned)


def lost(choices: list[tuple[Valued, Decision]]) -> int:
    return sum(choice.loss for _, choice in choices)


def stake(choices: list[tuple[Valued, Decision]]) -> int:
    total = 0
    for each, choice in choices:
        paid = [each.analysis.level(number).payments[each.sat.seat] for number in choice.values.values()]
        total += max(paid) - min(paid)
    return total


def accuracy_by_player() -> Rows:
    rows = []
    for (player, rules, role), mine in grouped(
        valued(), lambda each: (each.sat.player, each.sat.house[0], each.sat.role)
    ).items():
        choices = choices_of(mine)
        kept = 1 - lost(choices) / stake(choices) if choices else None
        own = [each.lost(lambda seat, at=each.sat.seat: seat == at) for each in mine]
        rows.append((*player, rules, role, len(mine), *right(choices), kept, *games(choices), mean(own)))
    return rows


def fitted_lines() -> dict[Any, Callable[[float], float]]:
    """Return, for games and roles with enough deals, the result that a worth leads to, by least squares."""
    lines: dict[Any, Callable[[float], float]] = {}
    for key, mine in grouped(valued(), lambda each: (each.game, each.sat.role)).items():
        if len(mine) >= LEAST_FITTED and len({each.value for each in mine}) > 1:
            slope, base = linear_regression([each.value for each in mine], [each.result for each in mine])
            lines[key] = partial(along, slope, base)
    return lines


def along(slope: float, base: float, value: float) -> float:
    return base + slope * value


def adjusted(mine: list[Valued]) -> tuple[Any, ...]:
    """Return the result less what the worth leads to, half of its interval, and for how many deals that is known."""
    lines = fitted_lines()
    keys = [(each.game, each.sat.role) for each in mine]
    rest = [each.result - lines.get(key, float)(each.value) for each, key in zip(mine, keys, strict=True)]
    half = Z * stdev(rest) / sqrt(len(rest)) if len(rest) > 1 else None
    return fmean(rest), half, sum(key in lines for key in keys)


def luck_adjusted_standings() -> Rows:
    rows = []
    for (player, house), mine in grouped(valued(), lambda each: (each.sat.player, each.sat.house)).items():
        own = [each.lost(lambda seat, at=each.sat.seat: seat == at) for each in mine]
        partners = [each.lost(each.side) for each in mine]
        others = [-each.lost(lambda seat, of=each: seat != of.sat.seat and not of.side(seat)) for each in mine]
        rows.append(
            (*player, *house, len(mine), *worth(mine), mean(own), mean(partners), mean(others), *adjusted(mine))
        )
    return rows


def pairs_with_open_cards() -> Rows:
    def mate(each: Valued) -> Any:
        partner = each.case.replay.partner
        if each.sat.role != "declarer" or partner is None:
            return None
        name = each.case.players[partner]
        return player_numbers()[name], name

    groups = grouped(
        (each for each in valued() if mate(each)), lambda each: (*each.sat.player, *mate(each), *each.game)
    )
    return [(*key, len(mine), *worth(mine)) for key, mine in groups.items()]


def seats_with_open_cards() -> Rows:
    def at(each: Valued) -> tuple[int, int]:
        playing = each.case.replay.playing
        return len(playing), playing.index(each.sat.seat) + 1

    groups = grouped(valued(), lambda each: (*each.sat.house, *at(each)))
    return [(*key, len(mine), *worth(mine), *right(choices_of(mine))) for key, mine in groups.items()]


def shares(mine: list[Valued]) -> tuple[Any, Any]:
    """Return how many are worth more than nothing, and how many were paid."""
    return (
        wilson(sum(each.value > 0 for each in mine), len(mine)),
        wilson(sum(each.result > 0 for each in mine), len(mine)),
    )


def contracts_against_expectation() -> Rows:
    rows = []
    for key, mine in grouped(
        (each for each in valued() if each.sat.role == "declarer"), lambda each: each.game
    ).items():
        worthy, paid = shares(mine)
        open_won = [each for each in mine if each.value > 0]
        others = [each for each in mine if each.value <= 0]
        foretold = (wilson(sum(each.result > 0 for each in part), len(part)) for part in (open_won, others))
        ends = (number for each in foretold for number in each)
        rows.append((*key, len(mine), *paid, *worthy, *worth(mine), len(open_won), *ends))
    return rows


def costliest_mistakes() -> Rows:
    wrong = [(each, choice) for each, choice in choices_of(valued()) if choice.loss]
    rows = []
    for key, mine in grouped(wrong, lambda one: (*one[0].sat.player, *one[0].game)).items():
        worst = max((choice.loss, each.sat.deal.number) for each, choice in mine)
        rows.append((*key, len(mine), *games(mine), lost(mine), *worst))
    return rows


def lost_by_trick() -> Rows:
    rows = []
    groups = grouped(choices_of(valued()), lambda one: (*one[0].game, one[0].sat.role, one[1].trick))
    for key, mine in groups.items():
        wrong = sum(choice.loss > 0 for _, choice in mine)
        rows.append((*key, len(mine), wrong, *wilson(wrong, len(mine)), *games(mine), lost(mine) / len(mine)))
    return rows


def opening_leads_with_open_cards() -> Rows:
    def lead(each: Valued) -> str:
        card, game = each.analysis.decisions[0].card, each.case.deal.game
        compiled = tables(each.case.ruleset, game.contract, game.suit, game.called)
        if compiled.groups[-1] >> NUMBER[card] & 1:
            return "trump"
        called = each.case.ruleset.contracts[game.contract].parties == "called" and card[0] == game.suit
        return "called" if called else "ace" if card[1] == "A" else "plain"

    rows = []
    leads = [each for each in valued() if each.analysis.decisions[0].seat == each.sat.seat]
    for key, mine in grouped(leads, lambda each: (*each.game, each.sat.role, lead(each))).items():
        choices = [(each, choice) for each, choice in choices_of(mine) if choice.at == (1, 1)]
        wrong = sum(choice.loss > 0 for _, choice in choices)
        ends = *wilson(wrong, len(mine)), *games(choices), lost(choices) / len(mine)
        rows.append((*key, len(mine), len(choices), wrong, *ends))
    return rows


def calls(mine: list[Valued]) -> tuple[Any, ...]:
    worthy, paid = shares(mine)
    return len(mine), *worthy, *paid, mean([each.value for each in mine]), mean([each.result for each in mine])


def knocks_worth_it() -> Rows:
    def knocked(each: Valued) -> bool:
        told = each.case.deal.knocks
        return isinstance(told, tuple) and each.sat.seat in told

    groups = grouped((each for each in valued() if knocked(each)), lambda each: (*each.game, each.sat.role))
    return [(*key, *calls(mine)) for key, mine in groups.items()]


def kontra_worth_it() -> Rows:
    said = [
        (double.word, each)
        for each in valued()
        for double in (each.case.deal.doubles if isinstance(each.case.deal.doubles, tuple) else ())
        if double.seat == each.sat.seat
    ]
    groups = grouped(said, lambda one: (*one[1].game, one[0], one[1].sat.role))
    return [(*key, *calls([each for _, each in mine])) for key, mine in groups.items()]


ORACLES: dict[str, Callable[[], Rows]] = {
    each.__name__: each
    for each in (
        accuracy_by_player, luck_adjusted_standings, pairs_with_open_cards, seats_with_open_cards,
        contracts_against_expectation, costliest_mistakes, lost_by_trick, opening_leads_with_open_cards,
        knocks_worth_it, kontra_worth_it,
    )
}  # fmt: skip
