"""Settling from stated facts: what was played by whom, who won and how high, although no cards show it.

Among the completions that the stated facts allow, the plainest is settled: what a sheet notes only when it happens
(Schneider, Schwarz, runners, virgins, knocks, doublings) did not happen if nobody wrote it down. Who played with whom
and who won is never taken for granted. Where only the last tricks are missing and all cards are known, each legal way
in which they may have been played is tried.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from msgspec.structs import replace

from archive.cards import is_known
from archive.judge.checks import CHECKS
from archive.judge.compare_stated import COMPUTED, same
from archive.judge.completions import (
    Completion,
    adds_up,
    completions,
    in_pack,
    may_have_doubled,
    may_have_knocked,
    may_hide,
    possible_silent_doublings,
    replay_of_example,
    settle_completion,
    usual_completions,
)
from archive.judge.dealable import rules_but_prices
from archive.judge.known_facts import priced_as_stated
from archive.judge.partial_record import AMOUNTS, contradicted_amounts, contradiction, hold_facts_against
from archive.judge.types import Case
from archive.judge.who_plays import (
    contract_played,
    has_decisive_event,
    is_whole,
    seats_in_play,
    side,
    with_any_trumps,
)
from archive.play.replay import replay
from archive.record import Deal, Finding, Stated, Trick
from archive.rules import UNKNOWN, Contract, hand_size
from archive.rules.tables import per_object, score_of
from archive.say import Message
from archive.settle.facts import least_runners, states_runners, sum_of_seats
from archive.settle.settle import settle
from archive.settle.types import Settlement

# --- the last tricks, if they alone are missing -----------------------------------------------------------------------

MOST_LEFT = 2  # tricks: more can be played in too many ways
OF_DOUBLINGS = (*AMOUNTS, "steps", "totals", "stock")  # what unwritten doublings change


def endings(case: Case) -> list[Case]:
    """Return the deal with each legal end of its play, replayed and settled; none if some card is unknown, too many
    tricks are left, or the record may be silent about something else that decides."""
    row, deal, tricks = contract_played(case), case.deal, case.deal.tricks or ()
    left = hand_size(case.ruleset.house) - len(tricks)
    if row is None or may_hide(case, row) or has_decisive_event(case) or not adds_up(case, row):
        return []
    if not 0 < left <= MOST_LEFT:
        return []
    seen = all(is_known(card) for trick in tricks for card in trick.cards)
    played = case.replay
    if not tricks or not seen or played.ending or len(played.winners) < len(tricks) or not played.playing:
        return []
    if not {*played.winners} <= {*played.playing} or not all(is_whole(case, seat) for seat in played.playing):
        return []
    if deal.stated is not None and len(possible_silent_doublings(case, row)) > 1:
        deal = replace(deal, stated=replace(deal.stated, **dict.fromkeys(OF_DOUBLINGS)))
    ends = [replace(case, deal=deal)]
    for _ in range(left):
        ends = [more for each in ends for more in next_tricks(each)]
    return [with_settlement(each) for each in ends]


def next_tricks(case: Case) -> Iterator[Case]:
    """Yield the deal with each legal next trick."""
    played, deal = case.replay, case.deal
    gone = {(step.seat, step.card) for step in played.steps}
    at = played.playing.index(played.winners[-1])
    order = (*played.playing[at:], *played.playing[:at])
    hands = ([card for card in played.held[seat] or () if (seat, card) not in gone] for seat in order)
    for cards in product(*hands):
        longer = replace(deal, tricks=(*(deal.tricks or ()), Trick(cards, order[0])))
        again = replay(longer, case.players, case.ruleset, case.before.dealer)
        if not any(finding.severity == "error" for finding in again.findings):
            yield replace(case, deal=longer, replay=again)


def with_settlement(case: Case) -> Case:
    return replace(case, settlement=settle(case.deal, case.players, case.ruleset, case.replay, case.before))


def contradicted_by_all(case: Case, ends: list[Case]) -> Iterator[Finding]:
    """Yield a finding for each stated value that comes out differently in every one of the ends."""
    for key, compute in COMPUTED.items():
        stated = getattr(ends[0].deal.stated, key, None)
        values = [compute(each) for each in ends] if stated is not None else []
        if values and not any(value is None or same(stated, value) for value in values):
            yield contradiction(case, key, stated, values)


# --- the whole deal ---------------------------------------------------------------------------------------------------

PARTS_OF_PRICE = ("base", "schneider_amount", "schwarz_amount", "runners_amount")
Worlds = tuple[list[Completion], list[Finding]]
CheckedEnd = tuple[Case, tuple[Finding, ...]]


class PartialResult(NamedTuple):
    """The result of a record that does not show its play. `settlement` is None if its facts do not settle it, `missing`
    says what would have to be known, `unwritten` what was taken as not having happened; `left` are the completions that
    the stated facts allow."""

    settlement: Settlement | None
    differences: tuple[Finding, ...]
    missing: tuple[Message, ...] = ()
    unwritten: tuple[Message, ...] = ()
    left: Sequence[Completion] = ()


def judge_from_facts(case: Case) -> PartialResult:
    """Return the result of comparing everything stated with the completions of a record, which its known tricks and
    events limit. The plainest that its facts allow is settled if nothing stated contradicts it, or if something stated
    contradicts every other too; a play that breaks off with nothing stated is not settled."""
    left, wrong = worlds_left(case)
    unpriced = wrong and case.ruleset.house.tariff == UNKNOWN  # who won is in doubt, and there is no price to go by
    amounts = () if unpriced else tuple(contradicted_amounts(case, left))
    known = {each.rule for each in wrong}
    bare = tuple(each for each in check_all(case) if each.rule not in known)
    ends = [(each, check_all(each)) for each in endings(case)] if case.deal.stated and not wrong else []
    if not amounts and not has_errors(bare) and (ended := contradicted_ends(case, ends)):
        return PartialResult(None, (*bare, *ended))
    is_bare_play = case.deal.tricks and case.deal.stated is None  # nobody was there to note what happened
    if wrong or is_bare_play or (row := contract_played(case)) is None:
        return PartialResult(None, (*bare, *wrong, *amounts))
    # those with the result of a legal end that allows everything stated, else all
    levels = {level_of(end.settlement) for end, findings in ends if not has_errors(findings)}
    left = [world for world in left if level_of(world.outcome.result) in levels] or left
    left = left or hold_facts_against(case, usual_completions(case))[0]  # if it is silent about nothing else
    plainest, missing = plainest_completion(case, row, left)
    if plainest is None:
        return PartialResult(None, (*bare, *amounts), missing)
    settled = settle_completion(case, plainest)
    if settled.payments is None and settled.marks is None:
        return PartialResult(None, (*bare, *amounts), settled.missing)
    silent = unwritten(case, row, left)
    differences = check_all(replace(case, settlement=settled))
    if amounts or has_errors(bare) or not has_errors(differences):
        return PartialResult(settled, differences, unwritten=silent, left=left)
    return PartialResult(None, (*bare, *refuted_by_every_bid(case)), (*hidden_facts(case), *silent))


def worlds_left(case: Case) -> Worlds:
    """Return the completions that every stated fact allows, and the findings against those that none allows. No price
    decides which these are, so they are worked out once for a deal that is judged by one tariff after another."""
    row, settled = contract_played(case), case.settlement
    if row is None or row.parties == "each" or score_of(case.ruleset.house):
        return hold_facts_against(case, completions(case))
    unpriced = replace(settled, lines=(), price=None, payments=None, **dict.fromkeys(PARTS_OF_PRICE))
    asked, known = (
        (rules_but_prices(case.ruleset), case.players, case.before, case.replay, unpriced),
        worlds_of(case.deal),
    )
    for worlds, of in known:
        if of == asked:
            return worlds
    worlds = hold_facts_against(case, completions(case))
    known[:] = [(worlds, asked)]
    return worlds


@per_object
def worlds_of(_: Deal) -> list[tuple[Worlds, Any]]:
    """Return where the latest `worlds_left` of a deal are remembered, with what they depend on."""
    return []


def hidden_facts(case: Case) -> tuple[Message, ...]:
    """Return what a record is silent about and what was stated may follow from: a surrender before play (004 Giving Up:
    the game is won then, without Schneider and Schwarz), a bid (002 06.3 Bidding with Three: it must be made)."""
    surrender = case.ruleset.house.surrender and case.deal.events is None
    asked = (("missing.surrender", surrender), ("missing.bid", lacks_bid(case)))
    return tuple(Message(id) for id, is_hidden in asked if is_hidden)


def lacks_bid(case: Case) -> bool:
    game = case.deal.game
    return case.ruleset.house.bids is not None and game is not None and game.bid is None


def refuted_by_every_bid(case: Case) -> list[Finding]:
    """Return the findings against the facts of a record without its bid, if no bid that there is allows them."""
    game, bids = case.deal.game, case.ruleset.house.bids
    if not lacks_bid(case) or game is None or bids is None:
        return []
    wrong = hold_facts_against(case, usual_completions(case))[1]
    higher = range(bids.start, in_pack(case) + 1, bids.step)
    others = (replace(case, deal=replace(case.deal, game=replace(game, bid=bid))) for bid in higher)
    return wrong if all(hold_facts_against(each, completions(each))[1] for each in others) else []


def check_all(case: Case) -> tuple[Finding, ...]:
    """Return the findings of every check of what there is."""
    parts: dict[str, Any] = {name: getattr(case, name) for name in ("deal", "before", "replay")}
    parts |= {"case": case, "stated": case.deal.stated, "house": case.ruleset.house}
    given = [(check, getattr(parts[part], key, None)) for check, part, key in CHECKS]
    return tuple([finding for check, of in given if of is not None for finding in check(case, of)])


def contradicted_ends(case: Case, ends: list[CheckedEnd]) -> tuple[Finding, ...]:
    """Return the findings against every legal end; none if one end allows everything that is stated."""
    if not ends or not all(has_errors(findings) for _, findings in ends):
        return ()
    return tuple(contradicted_by_all(case, [end for end, _ in ends])) or ends[0][1]


def level_of(settled: Settlement) -> tuple[Any, ...]:
    """Return who has won or lost, and how high."""
    high = settled.schneider, settled.schwarz, settled.march, tuple(sorted(settled.virgins))
    return settled.won, settled.undecided, settled.loser, *high, settled.marks


def has_errors(findings: tuple[Finding, ...]) -> bool:
    return any(finding.severity == "error" for finding in findings)


def plainest_completion(
    case: Case, row: Contract, left: list[Completion]
) -> tuple[Completion | None, tuple[Message, ...]]:
    """Return the plainest completion, or None, and what is missing: the result or the partner."""
    stated = case.deal.stated or Stated()
    counts_points = bool(score_of(case.ruleset.house)) and row.goal != "every-trick"
    if counts_points and not any(stated_points_of(case, row, world) for world in left):
        return None, (Message("missing.points-and-tricks"),)
    plain = plainest_completions(case, row, stated, left)
    missing = tuple(Message(id) for id, fact in WHO.items() if len({fact(world) for world in plain}) > 1)
    if not missing and find_open_amounts(plain):  # the amounts of a sheet may tell
        plain = [world for world, silent in priced_as_stated(case, row, plain) if not silent] or plain
        missing = find_open_amounts(plain)
    if missing or not plain:
        return None, missing
    return with_exact_points(case, row, plain[0]), ()


def with_plainest_play(case: Case) -> Case:
    """Return a case that was settled from its facts with an example of the play it was settled by, which can be settled
    again under other rules and facts."""
    known = with_any_trumps(case)
    row = contract_played(known)
    if row is None or case.replay.complete:
        return case
    left = hold_facts_against(known, completions(known))[0] or hold_facts_against(known, usual_completions(known))[0]
    plainest, _ = plainest_completion(known, row, left)
    if plainest is None:
        return case
    played = replay_of_example(known, plainest.outcome.example, plainest.partner, plainest.runners)
    return replace(case, replay=played, settlement=settle_completion(known, plainest))


# What is never taken for granted, by the id of the message that it is missing.
WHO: dict[str, Callable[[Completion], Any]] = {
    "missing.partner": lambda world: world.partner,
    "missing.won": lambda world: (world.outcome.result.won, world.outcome.result.undecided),
    "missing.who-lost": lambda world: (world.outcome.result.loser, world.outcome.result.march),
}


def find_open_amounts(plain: list[Completion]) -> tuple[Message, ...]:
    """Return what is missing if the loser of a game without sides may owe the others different amounts: who of them had
    no trick, or what each took."""
    results = [world.outcome.result for world in plain if world.outcome.result.loser is not None]
    if len({result.payments for result in results}) < 2:
        return ()
    is_open = len({result.virgins for result in results}) > 1
    return (Message("missing.virgins" if is_open else "missing.points-of-each"),)


def plainest_completions(case: Case, row: Contract, stated: Stated, left: list[Completion]) -> list[Completion]:
    """Return the completions in which nothing has happened that is not stated, or as little as possible."""
    counts = unstated_extras(case, row, stated)
    extras = [tuple(count(world) for count in counts) for world in left]
    return [world for world, extra in zip(left, extras, strict=True) if extra == min(extras)]


def unstated_extras(case: Case, row: Contract, stated: Stated) -> list[Callable[[Completion], int]]:
    """Return a function for each fact that sheets note only when it happens and that this one omits, which gives its
    number in a completion. A seat with no stated points is taken to have had no trick."""
    least = least_runners(case.ruleset, row)
    counts: dict[str, Callable[[Completion], int]] = {
        "schneider": lambda world: bool(world.outcome.result.schneider),
        "schwarz": lambda world: bool(world.outcome.result.schwarz),
        "virgins": lambda world: len(world.outcome.result.virgins) * (-1 if isinstance(stated.points, tuple) else 1),
        "march": lambda world: bool(world.outcome.result.march),
        "runners": lambda world: abs(world.runners) if 0 < least <= abs(world.runners) else 0,
    }
    if states_runners(stated):
        del counts["runners"]
    return [count for key, count in counts.items() if getattr(stated, key, None) is None]


def with_exact_points(case: Case, row: Contract, world: Completion) -> Completion:
    """Return the completion with the stated card points of both sides."""
    ours, exact = side(case, row, world.partner), stated_points_of(case, row, world)
    if exact is None:
        return world
    points = dict(zip((True, False), exact, strict=True))
    first = {next((seat for seat, _ in world.outcome.example if (seat in ours) == own), None): own for own in points}
    example = tuple(
        (seat, (tricks, points[first[seat]] if seat in first else 0)) for seat, (tricks, _) in world.outcome.example
    )
    return world._replace(outcome=world.outcome._replace(example=example))


def stated_points_of(case: Case, row: Contract, world: Completion) -> tuple[int, int] | None:
    """Return the stated card points of the declarer's side and of the other: if one side or each of its seats is
    stated, the other's follow. None if neither is, or if everyone plays alone."""
    stated, whole, ours = case.deal.stated or Stated(), in_pack(case), side(case, row, world.partner)
    own, theirs = (stated.points if isinstance(stated.points, int) else None), stated.points_against
    if isinstance(stated.points, tuple) and len(stated.points) == len(case.players):
        others = tuple(seat for seat in seats_in_play(case) if seat not in ours)
        own = sum_of_seats(stated.points, ours)
        theirs = sum_of_seats(stated.points, others) if theirs is None else theirs
    if not ours or own is theirs is None:
        return None
    return whole - (theirs or 0) if own is None else own, whole - (own or 0) if theirs is None else theirs


def unwritten(case: Case, row: Contract, left: list[Completion]) -> tuple[Message, ...]:
    """Return a message for each fact that may hold though nobody wrote it down, and would change the price."""
    results, stated = [world.outcome.result for world in left], case.deal.stated or Stated()
    knocks, doubles = may_have_knocked(case), may_have_doubled(case, row)
    virgins = "trick-without-points" if isinstance(stated.points, tuple) else "virgins"
    has_levels = row.bonuses or bool(score_of(case.ruleset.house) and row.goal == "points")
    level = {
        key: has_levels and getattr(stated, key) is None and len({bool(getattr(each, key)) for each in results}) > 1
        for key in ("schneider", "schwarz")
    }
    several = level | {
        "runners": not states_runners(stated) and len({world.runners for world in left}) > 1,
        virgins: stated.virgins is None and len({result.virgins for result in results}) > 1,
        "doublings": knocks and doubles,
        "knocks": knocks and not doubles,
        "kontra": doubles and not knocks,
    }
    return tuple(Message(f"missing.{key}") for key, is_open in several.items() if is_open)
