"""Worlds: every way in which the facts that a record lacks may have been, as far as they matter to its result.

What is recorded holds in each of them: the cards of hands that are known, the tricks that were seen, the partner that
is named, knocks and doublings. The rest is tried: the partner, the points and tricks of the sides, the runners, so many
doublings as nobody wrote down. A world too many does no harm, one too few would accuse somebody: where a record may be
silent about something else that decides (a bid, a refused surrender, an announced march), there are none at all.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from archive.cards import CODES, PACKS, is_known, mask, numbers
from archive.judge.types import Case
from archive.play.game_words import is_tout
from archive.play.parties import sides
from archive.play.types import NOT_PLAYED, Replay
from archive.rules import Contract, Tables, hand_size, tables
from archive.settle.facts import least_runners
from archive.settle.goals import GOALS
from archive.settle.settle import settle
from archive.settle.types import Settlement

MOST_SILENT = 8  # doublings that nobody wrote down: more than tables play

Share = tuple[int, int]  # tricks and points
Example = tuple[tuple[int, Share], ...]  # of seats


class PossibleResult(NamedTuple):
    """Play that comes to the same: the points and the tricks that the declarer's side (in a Ramsch the loser) may have,
    and those of each seat in play in one example of it. `result` says who wins, and how high, not for how much."""

    points: frozenset[int]
    tricks: frozenset[int]
    example: Example
    result: Settlement


RESULTS: dict[tuple[object, ...], list[PossibleResult]] = {}  # what games of some sides may have come to
MOST_RESULTS = 5_000


class Completion(NamedTuple):
    """The facts tried. `runners` are signed; 0 where there are no trumps."""

    partner: int | None
    outcome: PossibleResult
    runners: int = 0
    silent: int = 0  # doublings


def completions(case: Case) -> list[Completion]:
    """Every world, without doublings that nobody wrote down; none where they cannot all be told."""
    row = contract_played(case)
    if row is None or case.replay.ending or case.deal.events or may_hide(case, row):
        return []
    if row.parties == "each":
        return [Completion(None, outcome) for outcome in ramsch_results(case)]
    found: list[Completion] = []
    told: dict[
        tuple[Share, Share], list[PossibleResult]
    ] = {}  # what was seen of both sides leaves the same to any partner
    for partner in partners(case, row):
        ours = side(case, row, partner)
        theirs = tuple(seat for seat in seats_in_play(case) if seat not in ours)
        known = seen_share(case, ours), seen_share(case, theirs)
        if known not in told:
            told[known] = remember_results(case, row, partner, ours, theirs)
        counts = runner_counts(case, row, partner)
        for outcome in told[known]:
            example = tuple(zip((*ours, *theirs), (share for _, share in outcome.example), strict=True))
            found += [Completion(partner, outcome._replace(example=example), count) for count in counts]
    return found


def contract_played(case: Case) -> Contract | None:
    """The contract, where one was played and it is known by whom and with which trumps."""
    game = case.deal.game
    if game is None or game.contract in NOT_PLAYED or game.contract not in case.ruleset.contracts:
        return None
    row = case.ruleset.contracts[game.contract]
    by_whom = game.declarer in seats_in_play(case) if row.declarer else bool(case.replay.active)
    return row if by_whom and (row.takes != "trump" or game.suit is not None) else None


def seats_in_play(case: Case) -> tuple[int, ...]:
    """The seats in play, also where nobody knows who dealt; none where nobody knows who sits out."""
    out = case.deal.sits_out or ()
    seats = tuple(seat for seat in range(len(case.players)) if seat not in out)
    return case.replay.active or (seats if len(seats) == case.ruleset.house.seats else ())


def may_hide(case: Case, row: Contract) -> bool:
    """Whether the record may be silent about something else that decides the result."""
    house, bid = case.ruleset.house, case.deal.game.bid if case.deal.game else None
    return bool((house.bids and bid is None) or house.surrender or (row.parties == "each" and house.ramsch.announce))


def possible_silent_doublings(case: Case, row: Contract) -> range:
    """How many doublings there may have been besides those that are recorded."""
    deal, house = case.deal, case.ruleset.house
    may_double = house.stoss.until != "no" if row.parties != "each" else house.ramsch.double != "no"
    free = (deal.knocks is None and house.knock != "no") or (deal.doubles is None and may_double)
    return range(MOST_SILENT + 1 if free or (deal.cut is None and house.klopfen) else 1)


def settle_completion(case: Case, world: Completion) -> Settlement:
    """What the rules give in a world: the settlement of a play that comes to it."""
    deal = case.deal
    if world.silent:
        said = deal.doubles if isinstance(deal.doubles, int) else len(deal.doubles or ())
        deal = replace(deal, doubles=said + world.silent)
    example = replay_of_example(case, world.outcome.example, world.partner, world.runners)
    return settle(deal, case.players, case.ruleset, example, case.before)


def replay_of_example(case: Case, example: Example, partner: int | None, runners: int = 0) -> Replay:
    """A play in which every seat has its tricks and points, and the declarer's side so many runners."""
    played, row = case.replay, contract_played(case)
    assert row
    seats, active = range(len(case.players)), seats_in_play(case)
    share = dict(example)
    winners = tuple(seat for seat, (tricks, _) in share.items() for _ in range(tricks))
    points = [share[seat][1] if winners.index(seat) == place else 0 for place, seat in enumerate(winners)]
    own = side(case, row, partner)
    first = run_of(compiled(case), runners)
    return replace(
        played,
        active=active,
        playing=played.playing or active,
        held=tuple(first if own and seat == own[0] else () if seat in active else None for seat in seats),
        laid=(),
        partner=partner,
        sides=sides(row, played.declarer, partner, active, len(seats)),
        winners=winners,
        leaders=winners,
        trick_points=tuple(points),
        points=tuple(share[seat][1] if seat in share else None for seat in seats),
        tricks_won=tuple(share[seat][0] if seat in share else None for seat in seats),
        steps=(),
        complete=True,
        missing=(),
    )


def run_of(compiled: Tables, count: int) -> tuple[str, ...]:
    """Cards of a side that has so many runners, or below 0 lacks them."""
    found = compiled.trumps[:count] if count > 0 else compiled.trumps[-count : 1 - count]
    return tuple(CODES[number] for number in found)


# --- who with whom ----------------------------------------------------------------------------------------------------


def partners(case: Case, row: Contract) -> tuple[int | None, ...]:
    """Who may have been the declarer's partner."""
    declarer, found = case.replay.declarer, case.replay.partner
    if row.parties not in ("called", "named"):
        return (found,)
    others = tuple(seat for seat in seats_in_play(case) if seat != declarer and found in (None, seat))
    called = compiled(case).called if row.parties == "called" else 0
    holders = [seat for seat in seats_in_play(case) if known_cards(case, row, (seat,)) & called]
    if holders:
        return tuple(seat for seat in others if seat in holders)
    return tuple(seat for seat in others if not called or not is_whole(case, seat))


def compiled(case: Case) -> Tables:
    game = case.deal.game
    assert game
    return tables(case.ruleset, game.contract, game.suit, game.called)


def known_cards(case: Case, row: Contract, seats: tuple[int, ...]) -> int:
    """The cards that some seats are known to have held when play began."""
    bits = mask(step.card for step in case.replay.steps if step.seat in seats)
    keeps = row.exchange == "none" and not case.deal.exchange and not case.deal.round
    for seat in seats:
        dealt = case.replay.dealt[seat] if keeps else ()
        bits |= mask(case.replay.held[seat] or ()) | mask(dealt or ())
    return bits


def is_whole(case: Case, seat: int) -> bool:
    """Whether every card of a seat is known."""
    held = case.replay.held[seat]
    return bool(held) and all(map(is_known, held or ()))


def side(case: Case, row: Contract, partner: int | None) -> tuple[int, ...]:
    """The seats of the declarer's side, none where everyone plays alone."""
    own = sides(row, case.replay.declarer, partner, seats_in_play(case), len(case.players))
    return tuple(seat for seat, each in enumerate(own) if each == "declarer")


# --- runners ----------------------------------------------------------------------------------------------------------


def runner_counts(case: Case, row: Contract, partner: int | None) -> list[int]:
    """The runners, signed, that the known cards allow; where none are stated, one of those that cost the same."""
    trumps = compiled(case).trumps
    if not trumps or row.parties == "each":
        return [0]
    ours = side(case, row, partner)
    counts = [count for count in range(-len(trumps), len(trumps) + 1) if count and may_run(case, row, ours, count)]
    if case.deal.stated is not None and case.deal.stated.runners is not None:
        return counts
    least = least_runners(case.ruleset, row)
    return list({abs(count) if 0 < least <= abs(count) else 0: count for count in counts}.values())


def may_run(case: Case, row: Contract, ours: tuple[int, ...], count: int) -> bool:
    """Whether a side may have held, or below 0 lacked, so many top trumps in a row and no more."""
    theirs = tuple(seat for seat in seats_in_play(case) if seat not in ours)
    having, lacking = (ours, theirs) if count > 0 else (theirs, ours)
    trumps, known = compiled(case).trumps, known_cards(case, row, having)
    run, end = (sum(1 << each for each in part) for part in (trumps[: abs(count)], trumps[abs(count) :][:1]))
    if run & known_cards(case, row, lacking) or end & known:
        return False
    if len(seats_in_play(case)) * hand_size(case.ruleset.house) < case.ruleset.house.deck:
        return True  # what is missing may lie on the table
    size = hand_size(case.ruleset.house)
    room = sum(0 if is_whole(case, seat) else size - known_cards(case, row, (seat,)).bit_count() for seat in having)
    return (run & ~known).bit_count() <= room


# --- points and tricks ------------------------------------------------------------------------------------------------


def remember_results(
    case: Case, row: Contract, partner: int | None, ours: tuple[int, ...], theirs: tuple[int, ...]
) -> list[PossibleResult]:
    """What the play of two sides may have come to, as far as it was seen. A long list of results settles few kinds of
    game: what each may have come to is worked out once, except for marks, which depend on the deals before."""
    seats = partner, ours, theirs, seats_in_play(case), case.replay.playing, case.replay.declarer, len(case.players)
    key = (
        case.ruleset.digest,
        case.deal.game,
        case.deal.round,
        seats,
        seen_share(case, ours),
        seen_share(case, theirs),
    )
    if case.ruleset.house.marks:
        return possible_results(case, row, partner, ours, theirs)
    if key not in RESULTS:
        if len(RESULTS) >= MOST_RESULTS:
            RESULTS.clear()
        RESULTS[key] = possible_results(case, row, partner, ours, theirs)
    return RESULTS[key]


def possible_results(
    case: Case, row: Contract, partner: int | None, ours: tuple[int, ...], theirs: tuple[int, ...]
) -> list[PossibleResult]:
    if row.ends == "not-played":
        example = tuple((seat, (0, 0)) for seat in (*ours, *theirs))
        return [PossibleResult(frozenset((0,)), frozenset((0,)), example, result_of(case, row, example, partner))]
    size, (took, _), (gave, _) = hand_size(case.ruleset.house), seen_share(case, ours), seen_share(case, theirs)
    some = frozenset(range(max(1, took), size - max(1, gave) + 1))
    alike: dict[tuple[object, ...], PossibleResult] = {}
    for share, rest in shares(case, row, ours, theirs):
        given = {ours[0]: share, theirs[0]: rest}
        example = tuple((seat, given.get(seat, (0, 0))) for seat in (*ours, *theirs))
        result = result_of(case, row, example, partner)
        tricks = some if share[0] and rest[0] else frozenset((share[0],))
        kind = (result.won, result.undecided, result.schneider, result.schwarz, result.payments, result.marks, tricks)
        same = alike.get(kind, PossibleResult(frozenset(), tricks, example, result))
        alike[kind] = same._replace(points=same.points | {share[1]})
    return list(alike.values())


def result_of(case: Case, row: Contract, example: Example, partner: int | None) -> Settlement:
    """Who wins a game of two sides, and how high; in a marks game all that it comes to."""
    played = replay_of_example(case, example, partner, -1)
    if case.ruleset.house.marks:
        return settle(case.deal, case.players, case.ruleset, played, case.before)
    return GOALS[row.goal](case.deal, case.ruleset, row, played)


def shares(case: Case, row: Contract, ours: tuple[int, ...], theirs: tuple[int, ...]) -> Iterator[tuple[Share, Share]]:
    """Tricks and points of both sides: no trick, some, or all of them, with every number of points that the tricks seen
    leave open."""
    size, whole = hand_size(case.ruleset.house), in_pack(case)
    (took, made), (gave, lost) = (seen_share(case, seats) for seats in (ours, theirs))
    for tricks in {0, max(1, took), size} & set(range(took, size - gave + 1)):
        for points in range(made, whole - lost + 1):
            bare = (tricks == 0 and points > 0) or (tricks == size and points < whole)
            if not bare or not adds_up(case, row):
                yield (tricks, points), (size - tricks, whole - points)


def adds_up(case: Case, row: Contract) -> bool:
    """Whether every card is played in a trick, so that both sides have all points together."""
    every = len(case.replay.playing or seats_in_play(case)) * hand_size(case.ruleset.house) == case.ruleset.house.deck
    return every and row.ends == "played-out" and not is_tout(case.deal)


def in_pack(case: Case) -> int:
    points = compiled(case).points
    return sum(points[number] for number in numbers(PACKS[case.ruleset.house.deck]))


def seen_share(case: Case, seats: tuple[int, ...]) -> Share:
    """The tricks that some seats are seen to take, and the points in them."""
    played = zip(case.replay.winners, case.replay.trick_points, strict=True)
    taken = [points or 0 for winner, points in played if winner in seats]
    return len(taken), sum(taken)


def ramsch_results(case: Case) -> list[PossibleResult]:
    """Who may have lost a Ramsch, who had no trick, who few points; no more is told apart."""
    active, size, whole, rule = (
        seats_in_play(case),
        hand_size(case.ruleset.house),
        in_pack(case),
        case.ruleset.house.ramsch,
    )
    known = {seat: seen_share(case, (seat,)) for seat in active}
    ways = {(0, 0), (1, 25)}
    ways |= {(1, 0)} if rule.virgin_is == "no-points" else set()
    ways |= {(1, 39)} if isinstance(rule.march, int) else set()
    ways |= {(1, 0), (1, rule.bonus_under - 1)} if rule.bonus_under else set()
    found: dict[tuple[object, ...], PossibleResult] = {}
    for loser in (seat for seat in active if may_lose(seat, known, whole)):
        others = [seat for seat in active if seat != loser]
        may = [[way for way in sorted(ways) if share_fits(way, *known[seat], rule.bonus_under)] for seat in others]
        for given in product(*may):
            taken, lost = sum(tricks for tricks, _ in given), sum(points for _, points in given)
            if whole - lost > max(points for _, points in given):
                example = ((loser, (size - taken, whole - lost)), *zip(others, given, strict=True))
                played = replay_of_example(case, example, None)
                result = settle(case.deal, case.players, case.ruleset, played, case.before)
                anything = frozenset(range(whole + 1)), frozenset(range(size + 1))
                key = (result.loser, result.virgins, result.march, result.payments)
                found.setdefault(key, PossibleResult(*anything, example, result))
    return list(found.values())


def share_fits(share: Share, tricks: int, points: int, under: int) -> bool:
    """Whether a seat that is seen to take so much may have had this share: nothing, no point, few points, or more."""
    return not ((tricks and not share[0]) or (points and not share[1]) or (points >= under > share[1] > 0))


def may_lose(seat: int, known: dict[int, Share], whole: int) -> bool:
    """Whether the points that nobody is seen to take may have made a seat the loser."""
    others = [points for other, (_, points) in known.items() if other != seat]
    return whole - sum(others) >= max(others, default=0)
