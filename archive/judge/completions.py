"""Worlds: every way in which the facts that a record lacks may have been, as far as they matter to its result.

Everything recorded holds in each of them: the known cards of hands, the tricks seen, the named partner, knocks and
doublings. The rest is tried: the partner, the points and tricks of the sides, the runners, and any number of unwritten
doublings. A world too many does no harm, one too few would accuse somebody: if a record may be silent about something
else that decides (a bid, a refused surrender, an announced march), there are none at all.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from msgspec.structs import replace

from archive.cards import CODES, PACKS
from archive.judge.dealable import cut_run, is_dealable, rules_but_prices
from archive.judge.ramsch_shares import Example, Share, each_loser, examples_in_ramsch
from archive.judge.types import Case
from archive.judge.who_plays import (
    contract_played,
    has_decisive_event,
    is_whole,
    known_cards,
    known_tricks,
    seats_in_play,
    side,
    tables_of_case,
)
from archive.play.announcements import surrender_answer
from archive.play.game_words import is_tout
from archive.play.parties import sides
from archive.play.seating import opposite
from archive.play.types import Replay
from archive.rules import Contract, Tables, hand_size
from archive.rules.tables import per_object, points_of, score_of
from archive.settle.consequences import with_early_end
from archive.settle.facts import contract_of, least_runners, states_runners
from archive.settle.goals import GOALS, Terms, settle_shares, terms_of
from archive.settle.settle import settle
from archive.settle.types import Settlement

MOST_SILENT = 8  # unwritten doublings: more than tables play


class PossibleResult(NamedTuple):
    """Plays with the same result: the points and tricks that the declarer's side (in a Ramsch the loser) may have, and
    those of each seat in play in one example. `result` says who wins and how high, but not for how much."""

    points: frozenset[int]
    tricks: frozenset[int]
    example: Example
    result: Settlement


RESULTS: dict[tuple[object, ...], list[PossibleResult]] = {}  # for each kind of game and sides, at most MOST_RESULTS
MOST_RESULTS = 5_000


class Completion(NamedTuple):
    """The facts tried. `runners` are signed, 0 without trumps; `silent` counts unwritten doublings."""

    partner: int | None
    outcome: PossibleResult
    runners: int = 0
    silent: int = 0


def completions(case: Case) -> list[Completion]:
    """Return every world, without unwritten doublings; none if not all of them can be listed."""
    row = contract_played(case)
    return [] if row is None or may_hide(case, row) else usual_completions(case)


def usual_completions(case: Case) -> list[Completion]:
    """Return the worlds of a record that is silent about nothing else that decides; none if no game is known."""
    row, ending = contract_played(case), case.replay.ending
    if row is None or (ending and ending.kind != "given-up") or has_decisive_event(case):
        return []
    if row.parties == "each":
        return [Completion(None, outcome) for outcome in ramsch_results(case)]
    worlds: list[Completion] = []
    # Two partners for whom the same is seen of both sides leave the same open.
    results: dict[tuple[Share, Share], list[PossibleResult]] = {}
    for partner in partners(case, row):
        ours = side(case, row, partner)
        theirs = tuple(seat for seat in seats_in_play(case) if seat not in ours)
        if not (ours and theirs):
            continue  # a called partner at a table of two leaves nobody to play against
        known = seen_share(case, ours), seen_share(case, theirs)
        if known not in results:
            results[known] = remember_results(case, row, partner, ours, theirs)
        counts = runner_counts(case, row, partner)
        for outcome in results[known]:
            example = tuple(zip((*ours, *theirs), (share for _, share in outcome.example), strict=True))
            worlds += [Completion(partner, outcome._replace(example=example), count) for count in counts]
    return worlds


def may_hide(case: Case, row: Contract) -> bool:
    """Return whether the record may be silent about something else that decides the result."""
    house, bid = case.ruleset.house, case.deal.game.bid if case.deal.game else None
    announced = house.surrender or (row.parties == "each" and house.ramsch.announce)
    return bool((house.bids and bid is None) or (announced and case.deal.events is None))


def possible_silent_doublings(case: Case, row: Contract) -> range:
    """Return how many doublings there may have been besides the recorded ones."""
    return range(MOST_SILENT + 1 if may_have_knocked(case) or may_have_doubled(case, row) else 1)


def may_have_knocked(case: Case) -> bool:
    """Return whether the house allows knocks and the record is silent about them."""
    deal, house = case.deal, case.ruleset.house
    return (deal.knocks is None and house.knock != "no") or (deal.cut is None and house.klopfen)


def may_have_doubled(case: Case, row: Contract) -> bool:
    """Return whether the house lets this game be doubled and the record is silent about it."""
    house, words = case.ruleset.house, case.deal.game.words if case.deal.game else ()
    forced = house.muss is not None and not house.muss.stoss and "muss" in words
    by_stoss = house.stoss.until != "no" and row.declarer and not forced
    return case.deal.doubles is None and (house.ramsch.double != "no" if row.parties == "each" else by_stoss)


def settle_completion(case: Case, world: Completion) -> Settlement:
    """Return the settlement of a play that fits a world."""
    deal = case.deal
    if world.silent:
        doublings = deal.doubles if isinstance(deal.doubles, int) else len(deal.doubles or ())
        deal = replace(deal, doubles=doublings + world.silent)
    example = replay_of_example(case, world.outcome.example, world.partner, world.runners)
    return settle(deal, case.players, case.ruleset, example, case.before)


def replay_of_example(case: Case, example: Example, partner: int | None, runners: int = 0) -> Replay:
    """Return a play in which each seat has its tricks and points, and the declarer's side this many runners."""
    plays, seats, share = plays_without_tricks(case), range(len(case.players)), dict(example)
    play = plays.get((partner, runners))
    if play is None:
        play = plays[partner, runners] = play_without_tricks(case, partner, runners)
    winners = tuple(seat for seat, (tricks, _) in share.items() for _ in range(tricks))
    points = [share[seat][1] if winners.index(seat) == place else 0 for place, seat in enumerate(winners)]
    return replace(
        play,
        winners=winners,
        leaders=winners,
        trick_points=tuple(points),
        points=tuple(share[seat][1] if seat in share else None for seat in seats),
        tricks_won=tuple(share[seat][0] if seat in share else None for seat in seats),
    )


@per_object
def plays_without_tricks(case: Case) -> dict[tuple[int | None, int], Replay]:
    """Return where the plays of a case are remembered, by partner and runners: it has one for each of some hundred
    examples."""
    return {}


def play_without_tricks(case: Case, partner: int | None, runners: int) -> Replay:
    """Return a play with these sides, in which nobody has taken a trick yet."""
    played, row, active, seats = case.replay, contract_played(case), seats_in_play(case), range(len(case.players))
    assert row
    own = side(case, row, partner)
    first = run_of(tables_of_case(case), runners) if own else ()
    return replace(
        played,
        active=active,
        playing=played.playing or active,
        held=tuple(first if own and seat == own[0] else () if seat in active else None for seat in seats),
        laid=(),
        partner=partner,
        sides=sides(row, played.declarer, partner, active, len(seats)),
        steps=(),
        complete=True,
        example=True,
        missing=(),
    )


def run_of(compiled: Tables, count: int) -> tuple[str, ...]:
    """Return cards of a side with this many runners or, below 0, without them."""
    run = compiled.trumps[:count] if count > 0 else compiled.trumps[-count : 1 - count]
    return tuple(CODES[number] for number in run)


# --- who with whom ----------------------------------------------------------------------------------------------------


def partners(case: Case, row: Contract) -> tuple[int | None, ...]:
    """Return the possible partners of the declarer, None for nobody."""
    declarer, partner = case.replay.declarer, case.replay.partner
    if row.parties == "opposite" and declarer is not None:
        return (opposite(declarer, seats_in_play(case)),)
    if row.parties not in ("called", "named"):
        return (partner,)
    others = tuple(seat for seat in seats_in_play(case) if seat != declarer and partner in (None, seat))
    called = tables_of_case(case).called if row.parties == "called" else 0
    holders = [seat for seat in seats_in_play(case) if known_cards(case, row, (seat,)) & called]
    if holders:
        return tuple(seat for seat in others if seat in holders)
    return tuple(seat for seat in others if not called or not is_whole(case, seat))


# --- runners ----------------------------------------------------------------------------------------------------------


def runner_counts(case: Case, row: Contract, partner: int | None) -> list[int]:
    """Return the signed runners that the known cards allow; if none are stated, one for each price they lead to."""
    trumps = tables_of_case(case).trumps
    if not trumps or row.parties == "each" or row.goal == "no-trick":
        return [0]
    ours = side(case, row, partner)
    theirs = tuple(seat for seat in seats_in_play(case) if seat not in ours)
    both = known_cards(case, row, ours), known_cards(case, row, theirs)
    every = (count for count in range(-len(trumps), len(trumps) + 1) if count)
    fits = [count for count in every if fits_known_cards(trumps, count, both)]
    called = tables_of_case(case).called if row.parties == "called" else 0  # not a trump, and held on that side
    lacked = runs_with_room(case, row, theirs, [-count for count in fits if count < 0])
    known = [*(-length for length in lacked), *runs_with_room(case, row, ours, [n for n in fits if n > 0], called)]
    game, seats = case.deal.game, (len(ours), len(theirs))
    bound = all(case.ruleset.rounds[name].holds for name in case.deal.round or () if name in case.ruleset.rounds)
    counts = [n for n in known if game and is_dealable(case.ruleset, row, game, seats, bound, n)]
    if case.deal.stated is not None and states_runners(case.deal.stated):
        return counts
    least = least_runners(case.ruleset, row)
    return list({abs(count) if 0 < least <= abs(count) else 0: count for count in counts}.values())


def fits_known_cards(trumps: tuple[int, ...], count: int, known: tuple[int, int]) -> bool:
    """Return whether this many runners, below 0 without, fit the known cards of both sides."""
    having, lacking = known if count > 0 else known[::-1]
    run, end = cut_run(trumps, count)
    return not run & lacking and not end & having


def runs_with_room(case: Case, row: Contract, seats: tuple[int, ...], lengths: list[int], more: int = 0) -> list[int]:
    """Return those lengths of a run of top trumps that fit into the hands of some seats, beside their known cards and
    the cards `more`, a mask."""
    size, every = hand_size(case.ruleset.house), seats_in_play(case)
    if len(every) * size < case.ruleset.house.deck:
        return lengths  # what is missing may lie on the table
    trumps, known = tables_of_case(case).trumps, known_cards(case, row, seats)
    room = sum(0 if is_whole(case, seat) else size - known_cards(case, row, (seat,)).bit_count() for seat in seats)
    lacking = [sum(1 << each for each in trumps[:length]) & ~known for length in lengths]
    room -= (more & ~known).bit_count()
    return [length for length, run in zip(lengths, lacking, strict=True) if run.bit_count() <= room]


# --- points and tricks ------------------------------------------------------------------------------------------------


def remember_results(
    case: Case, row: Contract, partner: int | None, ours: tuple[int, ...], theirs: tuple[int, ...]
) -> list[PossibleResult]:
    """Return the results that two sides may have played to, given what was seen. A long list of results settles few
    kinds of game, so each kind is worked out once. Marks also depend on the score and on who held which card."""
    seats = partner, ours, theirs, seats_in_play(case), case.replay.playing, case.replay.declarer, len(case.players)
    known = seen_share(case, ours), seen_share(case, theirs)
    answer = surrender_answer(case.deal, case.ruleset.house)
    key: tuple[object, ...] = (rules_but_prices(case.ruleset), case.deal.game, case.deal.round, answer, seats, known)
    if score_of(case.ruleset.house):
        score = case.before.marks, case.before.chalk, case.before.game_deals
        cards = tuple((step.seat, step.card) for step in case.replay.steps)
        key = (*key, case.ruleset.digest, case.players, score, case.replay.dealt, cards)
    results = RESULTS.get(key)
    if results is None:
        if len(RESULTS) >= MOST_RESULTS:
            RESULTS.clear()
        results = RESULTS[key] = possible_results(case, row, partner, ours, theirs)
    return results  # another thread may have cleared them


def possible_results(
    case: Case, row: Contract, partner: int | None, ours: tuple[int, ...], theirs: tuple[int, ...]
) -> list[PossibleResult]:
    example: Example = tuple((seat, (0, 0)) for seat in (*ours, *theirs))
    if case.replay.ending:  # given up before play: 004 Giving Up
        points, every = (frozenset(range(most + 1)) for most in (in_pack(case), hand_size(case.ruleset.house)))
        return [PossibleResult(points, every, example, with_early_end(Settlement(), case.replay, bonuses=False))]
    terms = terms_of(case.deal, case.ruleset, row)
    if row.ends == "not-played":
        return [
            PossibleResult(frozenset((0,)), frozenset((0,)), example, result_of(case, row, terms, example, partner))
        ]
    size, (took, _), (gave, _) = hand_size(case.ruleset.house), seen_share(case, ours), seen_share(case, theirs)
    some = frozenset(range(max(1, took), size - max(1, gave) + 1))
    by_points = row.goal == "points" and score_of(case.ruleset.house) is None
    alike: dict[tuple[Any, ...], tuple[set[int], Share, Share, Settlement]] = {}

    def example_of(share: Share, rest: Share) -> Example:
        given = {ours[0]: share, theirs[0]: rest}
        return tuple((seat, given.get(seat, (0, 0))) for seat in (*ours, *theirs))

    for share, rest in shares(case, row, ours, theirs):
        if by_points:
            result = settle_shares(terms, share, rest)
        else:
            result = result_of(case, row, terms, example_of(share, rest), partner)
        tricks = some if share[0] and rest[0] else frozenset((share[0],))
        kind = (tricks, result.won, result.undecided, result.schneider, result.schwarz, result.payments, result.marks)
        alike.setdefault(kind, (set(), share, rest, result))[0].add(share[1])
    return [
        PossibleResult(frozenset(points), kind[0], example_of(share, rest), result)
        for kind, (points, share, rest, result) in alike.items()
    ]


def result_of(case: Case, row: Contract, terms: Terms, example: Example, partner: int | None) -> Settlement:
    """Return who wins a game of two sides, and how high; in a marks game, the whole settlement."""
    played = replay_of_example(case, example, partner, -1)
    if score_of(case.ruleset.house):
        return settle(case.deal, case.players, case.ruleset, played, case.before)
    return GOALS[row.goal](terms, played)


def shares(case: Case, row: Contract, ours: tuple[int, ...], theirs: tuple[int, ...]) -> Iterator[tuple[Share, Share]]:
    """Yield the tricks and points of both sides: no trick, some or all, with every number of points that the tricks
    seen leave open. Without a trick a side has no points, with every trick it has all, but for cards that lie aside:
    a blind is the declarer's."""
    size, whole = hand_size(case.ruleset.house), in_pack(case)
    (took, own_points), (gave, lost) = (seen_share(case, seats) for seats in (ours, theirs))
    dealt_out = is_dealt_out(case, row)
    most, least = 0 if dealt_out else whole, whole if dealt_out or row.blind or row.exchange == "blind" else 0
    for tricks in {0, max(1, took), size} & set(range(took, size - gave + 1)):
        for points in range(own_points, whole - lost + 1):
            if (tricks or points <= most) and (tricks < size or points >= least):
                yield (tricks, points), (size - tricks, whole - points)


def adds_up(case: Case, row: Contract) -> bool:
    """Return whether every card is played in a trick, so that both sides together have all the points."""
    return is_dealt_out(case, row) and row.ends == "played-out" and not is_tout(case.deal)


def is_dealt_out(case: Case, row: Contract) -> bool:
    """Return whether the whole pack is in the hands of those who play."""
    house, seats = case.ruleset.house, case.replay.playing or seats_in_play(case)
    return row.partner_plays and len(seats) * hand_size(house) == house.deck


def in_pack(case: Case) -> int:
    """Return the card points of the pack, including those for the last trick."""
    row = case.ruleset.contracts.get(contract_of(case.deal))  # the declarer need not be known
    more = row.last_trick if row else 0
    return points_of(tables_of_case(case).points, PACKS[case.ruleset.house.deck]) + more


def seen_share(case: Case, seats: tuple[int, ...]) -> Share:
    """Return the number of tricks that some seats are seen to take, and the points in them."""
    played = zip(case.replay.winners, case.replay.trick_points, strict=True)
    taken = [points or 0 for winner, points in played if winner in seats]
    return len(taken), sum(taken)


def ramsch_results(case: Case) -> list[PossibleResult]:
    """Return the possible results of a Ramsch, distinguished by who lost, who had no trick, and who had few points."""
    active, house = seats_in_play(case), case.ruleset.house
    known = {seat: seen_share(case, (seat,)) for seat in active}
    if shared := stated_shares(case, active, known):
        by_tricks = house.ramsch.tie[:1] == ("tricks",) and known_tricks(case, active) is not None
        return [ramsch_result(case, each) for example in shared for each in each_loser(example, by_tricks)]
    results: dict[tuple[object, ...], PossibleResult] = {}
    for example in examples_in_ramsch(tuple(known.items()), hand_size(house), in_pack(case), house.ramsch):
        possible = ramsch_result(case, example)
        of = possible.result
        results.setdefault((of.loser, of.virgins, of.march, of.payments), possible)
    return list(results.values())


def stated_shares(case: Case, active: tuple[int, ...], known: dict[int, Share]) -> list[Example]:
    """Return the tricks and points of each seat if a record states the points of all; none if it does not, or if they
    are not those of the pack or fewer than seen. A seat without points may have taken a trick worth none."""
    stated = case.deal.stated
    points = stated.points if stated and isinstance(stated.points, tuple) else ()
    own = {seat: points[seat] or 0 for seat in active if seat < len(points) and points[seat] is not None}
    is_whole = own and len(own) == len(active) and sum(own.values()) == in_pack(case)
    if not is_whole or any(own[seat] < known[seat][1] for seat in active):
        return []
    if tricks := known_tricks(case, active):
        fits = all(tricks[seat] >= known[seat][0] and (tricks[seat] or not own[seat]) for seat in active)
        return [tuple((seat, (tricks[seat], own[seat])) for seat in active)] if fits else []
    ways = [
        [(0, 0)] * (not own[seat] and not known[seat][0]) + [(max(1, known[seat][0]), own[seat])] for seat in active
    ]
    return [tuple(zip(active, given, strict=True)) for given in product(*ways)]


def ramsch_result(case: Case, example: Example) -> PossibleResult:
    """Return the result of a Ramsch in which every seat has these tricks and points."""
    played = replay_of_example(case, example, None)
    result = settle(case.deal, case.players, case.ruleset, played, case.before)
    points, tricks = (frozenset(range(most + 1)) for most in (in_pack(case), hand_size(case.ruleset.house)))
    return PossibleResult(points, tricks, example, result)
