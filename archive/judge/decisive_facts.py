"""The one missing fact that would decide a deal: each of its possible values is tried, and must lead to a verdict."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from archive.cards import SUITS
from archive.judge.compare_stated import same
from archive.judge.completions import (
    Completion,
    adds_up,
    completions,
    in_pack,
    possible_silent_doublings,
    settle_completion,
)
from archive.judge.judge_deal import judge
from archive.judge.partial_record import AMOUNTS, FACTS, amount_of, stated_amount
from archive.judge.sentences import faces_of
from archive.judge.types import Case, Judgement, case_of
from archive.judge.who_plays import contract_played, seats_in_play, with_any_trumps
from archive.record import Carry, Deal, Session, Stated
from archive.rules import UNKNOWN
from archive.say import Message, message, say
from archive.settle.types import Settlement

Tried = tuple[Session, Deal]
Settled = Callable[[Completion], Settlement]
Agreements = tuple[Any, ...]  # for each stated fact, whether a world agrees with it
Compared = Callable[[Completion], Agreements]
Comparisons = tuple[Compared, Compared]  # for facts, for amounts
TARIFFS = ("10/50", "20/100", "5/10/20")  # examples: only whether there is a price matters


def decisive_facts(judgement: Judgement) -> tuple[Message, ...]:
    """Return the facts each of which alone would make an undecidable deal agree or differ, whatever its value; none if
    two facts are missing that do not imply each other."""
    case = case_of(judgement)
    if judgement.verdict != "undecidable" or case is None:
        return ()
    case = with_any_trumps(case)
    single = [Message(id) for id, tries in TRIES.items() if is_enough(judgement, [*tries(case, judgement.session)])]
    every, settled = completions(case), remember_settlements(case)
    compared = comparisons_of(case, settled)
    whole = [Message(id) for id in ("missing.tricks", "missing.rest-of-play") if lacks(judgement, id)]
    if whole and (not every or any(settled(world).missing for world in one_of_each_result(every))):
        whole = []  # they would not settle all that is missing
    return (*single, *facts_of_play(case, every, compared), *whole)


def say_decisive_facts(judgement: Judgement, language: str) -> tuple[str, ...]:
    """Return the facts each of which alone would decide an undecidable deal, in the reader's language."""
    return tuple(say(fact, language, faces_of(judgement)) for fact in decisive_facts(judgement))


def lacks(judgement: Judgement | Case, id: str) -> bool:
    """Return whether the record lacks a fact, given by the id of its message."""
    case = judgement if isinstance(judgement, Case) else case_of(judgement)
    return case is not None and Message(id) in (*case.replay.missing, *case.settlement.missing)


def is_enough(judgement: Judgement, tries: list[Tried]) -> bool:
    """Return whether each of some records, which differ in one fact, is decided."""
    judged = (judge(session, deal, judgement.number, judgement.before) for session, deal in tries)
    return bool(tries) and all(each.verdict != "undecidable" or is_certain(each) for each in judged)


def is_certain(judgement: Judgement) -> bool:
    if (case := case_of(judgement)) is None:
        return False
    case = with_any_trumps(case)
    return is_decided_alike(completions(case), comparisons_of(case, remember_settlements(case)))


# --- facts that a record can be given ---------------------------------------------------------------------------------


def _dealers(case: Case, session: Session) -> Iterator[Tried]:
    if case.replay.dealer is None:
        yield from ((session, replace(case.deal, dealer=seat)) for seat in range(len(case.players)))


def _declarers(case: Case, session: Session) -> Iterator[Tried]:
    game = case.deal.game
    if game is not None and lacks(case, "missing.declarer"):
        yield from ((session, replace(case.deal, game=replace(game, declarer=seat))) for seat in seats_in_play(case))


def _suits(case: Case, session: Session) -> Iterator[Tried]:
    game = case.deal.game
    if game is not None and lacks(case, "missing.trump-suit"):
        yield from ((session, replace(case.deal, game=replace(game, suit=suit))) for suit in SUITS)


def _tariffs(case: Case, session: Session) -> Iterator[Tried]:
    if case.ruleset.house.tariff == UNKNOWN:
        house = session.house or {}
        yield from ((replace(session, house=house | {"tariff": tariff}), case.deal) for tariff in TARIFFS)


def _tries_of_carry(key: str, values: Iterable[Any], id: str) -> Callable[[Case, Session], Iterator[Tried]]:
    def tries(case: Case, session: Session) -> Iterator[Tried]:
        if lacks(case, id):
            carry = case.deal.carry or Carry()
            yield from ((session, replace(case.deal, carry=replace(carry, **{key: value}))) for value in values)

    return tries


def _rounds(case: Case, session: Session) -> Iterator[Tried]:
    if lacks(case, "missing.round"):
        names = [(), *((name,) for name in case.ruleset.rounds)]
        yield from ((session, replace(case.deal, round=name)) for name in names)


# Keyed by the id of the message that says the fact is missing.
TRIES: dict[str, Callable[[Case, Session], Iterator[Tried]]] = {
    "missing.dealer": _dealers,
    "missing.declarer": _declarers,
    "missing.trump-suit": _suits,
    "missing.tariff": _tariffs,
    "missing.round": _rounds,
} | {
    id: _tries_of_carry(key, values, id)
    for id, key, values in (
        ("missing.pot", "stock", (0, 10, 1000)),
        ("missing.hausbock", "hausbock", (0, 1)),
        ("missing.stake", "stake", (0, 1, 2)),
    )
}


# --- facts of the play ------------------------------------------------------------------------------------------------


def remember_settlements(case: Case) -> Settled:
    """Return a function that settles a world and remembers the result."""
    known: dict[tuple[Any, ...], Settlement] = {}

    def settle_once(world: Completion) -> Settlement:
        key = (world.partner, world.outcome.example, world.runners, world.silent)
        if key not in known:
            known[key] = settle_completion(case, world)
        return known[key]

    return settle_once


def comparisons_of(case: Case, settled: Settled) -> Comparisons:
    """Return two functions that compare a world with what is stated: its facts, and its amounts, which it must
    settle."""
    stated = case.deal.stated or Stated()
    facts = [key for key in FACTS if getattr(stated, key) is not None]
    amounts = [key for key in AMOUNTS if getattr(stated, key) is not None]

    def compare_facts(world: Completion) -> Agreements:
        return tuple(fact_holds(FACTS[key](case, world), getattr(stated, key)) for key in facts)

    def compare_amounts(world: Completion) -> Agreements:
        paid = settled(world) if amounts or not facts else Settlement()
        if not amounts:
            return () if facts else (paid.payments or paid.marks,)
        owed = [(key, amount_of(case, paid, key)) for key in amounts]
        return tuple(None if has is None else same(stated_amount(case, key), has) for key, has in owed)

    return compare_facts, compare_amounts


def facts_of_play(case: Case, every: list[Completion], compared: Comparisons) -> Iterator[Message]:
    """Yield the facts of the play that leave nothing open."""
    row = contract_played(case)
    if not every or row is None:
        return
    exact = [part for world in every for part in split_by_stated_points(case, world)]
    facts = (
        (message("missing.partner"), lambda world: world.partner),
        (message("missing.top-trumps"), lambda world: world.runners),
        (message("missing.points-and-tricks"), _came_to),
    )
    for fact, value in facts:
        if len({value(world) for world in exact}) > 1 and is_alike_by_value(exact, compared, value):
            yield fact
    counts = possible_silent_doublings(case, row)
    if len(counts) > 1 and not any(all(False not in compare(world) for compare in compared) for world in every):
        doubled = [world._replace(silent=count) for world in every for count in counts]
        if is_alike_by_value(doubled, compared, lambda world: world.silent):
            yield message("missing.doublings")


def split_by_stated_points(case: Case, world: Completion) -> Iterator[Completion]:
    """Yield the world with the stated card points, and with the others."""
    stated, points, whole = case.deal.stated or Stated(), world.outcome.points, in_pack(case)
    exact = {stated.points} if isinstance(stated.points, int) else set()
    row = contract_played(case)
    if stated.points_against is not None and row is not None and adds_up(case, row):
        exact.add(whole - stated.points_against)
    for part in (*({each} & points for each in exact), points - exact):
        if part:
            yield world._replace(outcome=world.outcome._replace(points=frozenset(part)))


def _came_to(world: Completion) -> tuple[Any, ...]:
    """Return the points, tricks and result of the play in a world, regardless of who took them."""
    points, tricks, _, result = world.outcome
    level = (result.won, result.undecided, result.schneider, result.schwarz, result.loser, result.virgins)
    return points, tricks, level


def one_of_each_result(every: list[Completion]) -> Iterable[Completion]:
    """Return, for each result of the play, the world with the most runners: no other can lack more for its price."""
    by_result: dict[tuple[Any, ...], Completion] = {}
    for world in every:
        result = world.outcome.result
        key = (
            result.won,
            result.undecided,
            result.schneider,
            result.schwarz,
            result.loser,
            result.march,
            result.missing,
        )
        known = by_result.get(key, world)
        by_result[key] = world if abs(world.runners) >= abs(known.runners) else known
    return by_result.values()


def is_alike_by_value(every: list[Completion], compared: Comparisons, fact: Callable[[Completion], Any]) -> bool:
    """Return whether the worlds of each value of a fact are decided alike."""
    by_value: dict[Any, list[Completion]] = {}
    for world in every:
        by_value.setdefault(fact(world), []).append(world)
    return all(is_decided_alike(each, compared) for each in by_value.values())


def is_decided_alike(every: list[Completion], compared: Comparisons) -> bool:
    """Return whether some worlds all agree or all differ on each stated fact; if none is stated, whether they pay
    alike."""
    return bool(every) and all(map(is_alike, (map(compare, every) for compare in compared)))


def is_alike(comparisons: Iterator[Agreements]) -> bool:
    """Return whether some comparisons are the same and leave nothing open."""
    first = next(comparisons)
    return None not in first and all(comparison == first for comparison in comparisons)


def fact_holds(has: Any, stated: Any) -> bool | None:
    """Return whether a stated fact is that of a world; None if the world leaves it open, or it is one of several."""
    if isinstance(has, frozenset):
        return False if stated not in has else True if len(has) == 1 else None
    return None if has is None else bool(has == stated)
