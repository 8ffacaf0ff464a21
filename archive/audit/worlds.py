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

from archive.audit.types import Case
from archive.cards import CODES, PACKS, is_known, mask, numbers
from archive.play.parties import sides
from archive.play.types import NOT_PLAYED
from archive.play.words import is_tout
from archive.rules import Contract, Tables, hand_size, tables
from archive.settle.facts import least_runners
from archive.settle.settle import settle
from archive.settle.types import Settlement

MOST_SILENT = 8  # doublings that nobody wrote down: more than tables play
SHARES = ((0, 0), (1, 0), (1, 25), (1, 39))  # tricks and points of one who does not lose a Ramsch

Share = tuple[int, int]


class Outcome(NamedTuple):
    """Play that comes to the same: the points and the tricks that the declarer's side (in a Ramsch the loser) may have,
    and those of each seat in play in one example of it."""

    points: frozenset[int]
    tricks: frozenset[int]
    example: tuple[tuple[int, Share], ...]  # seat, its tricks and points


class World(NamedTuple):
    """The facts tried. `runners` are signed; 0 where there are no trumps."""

    partner: int | None
    outcome: Outcome
    runners: int = 0
    silent: int = 0  # doublings


def worlds(case: Case) -> list[World]:
    """Every world, without doublings that nobody wrote down; none where they cannot all be told."""
    row = played_row(case)
    if row is None or case.replay.ending or case.deal.events or may_hide(case, row):
        return []
    return [
        World(partner, outcome, count)
        for partner in partners(case, row)
        for outcome in outcomes(case, row, partner)
        for count in runner_counts(case, row, partner)
    ]


def played_row(case: Case) -> Contract | None:
    """The contract, where one was played and it is known by whom and with which trumps."""
    game = case.deal.game
    if game is None or game.contract in NOT_PLAYED or game.contract not in case.ruleset.contracts:
        return None
    row = case.ruleset.contracts[game.contract]
    by_whom = game.declarer in in_play(case) if row.declarer else bool(case.replay.active)
    return row if by_whom and (row.takes != "trump" or game.suit is not None) else None


def in_play(case: Case) -> tuple[int, ...]:
    """The seats in play, also where nobody knows who dealt; none where nobody knows who sits out."""
    out = case.deal.sits_out or ()
    seats = tuple(seat for seat in range(len(case.players)) if seat not in out)
    return case.replay.active or (seats if len(seats) == case.ruleset.house.seats else ())


def may_hide(case: Case, row: Contract) -> bool:
    """Whether the record may be silent about something else that decides the result."""
    house, bid = case.ruleset.house, case.deal.game.bid if case.deal.game else None
    return bool((house.bids and bid is None) or house.surrender or (row.parties == "each" and house.ramsch.announce))


def silent(case: Case, row: Contract) -> range:
    """How many doublings there may have been besides those that are recorded."""
    deal, house = case.deal, case.ruleset.house
    may_double = house.stoss.until != "no" if row.parties != "each" else house.ramsch.double != "no"
    free = (deal.knocks is None and house.knock != "no") or (deal.doubles is None and may_double)
    return range(MOST_SILENT + 1 if free or (deal.cut is None and house.klopfen) else 1)


def settled_in(case: Case, world: World) -> Settlement:
    """What the rules give in a world: the settlement of a play that comes to it."""
    deal, played, row = case.deal, case.replay, played_row(case)
    assert row
    seats, active = range(len(case.players)), in_play(case)
    share = dict(world.outcome.example)
    winners = tuple(seat for seat, (tricks, _) in share.items() for _ in range(tricks))
    points = [share[seat][1] if winners.index(seat) == place else 0 for place, seat in enumerate(winners)]
    own = side(case, row, world.partner)
    first = run_of(compiled(case), world.runners)
    if world.silent:
        said = deal.doubles if isinstance(deal.doubles, int) else len(deal.doubles or ())
        deal = replace(deal, doubles=said + world.silent)
    example = replace(
        played,
        active=active,
        playing=played.playing or active,
        held=tuple(first if own and seat == own[0] else () if seat in active else None for seat in seats),
        laid=(),
        partner=world.partner,
        sides=sides(row, played.declarer, world.partner, active, len(seats)),
        winners=winners,
        leaders=winners,
        trick_points=tuple(points),
        points=tuple(share[seat][1] if seat in share else None for seat in seats),
        tricks_won=tuple(share[seat][0] if seat in share else None for seat in seats),
        steps=(),
        complete=True,
        missing=(),
    )
    return settle(deal, case.players, case.ruleset, example, case.before)


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
    others = tuple(seat for seat in in_play(case) if seat != declarer and found in (None, seat))
    called = compiled(case).called if row.parties == "called" else 0
    holders = [seat for seat in in_play(case) if shown(case, row, (seat,)) & called]
    if holders:
        return tuple(seat for seat in others if seat in holders)
    return tuple(seat for seat in others if not called or not is_whole(case, seat))


def compiled(case: Case) -> Tables:
    game = case.deal.game
    assert game
    return tables(case.ruleset, game.contract, game.suit, game.called)


def shown(case: Case, row: Contract, seats: tuple[int, ...]) -> int:
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
    own = sides(row, case.replay.declarer, partner, in_play(case), len(case.players))
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
    theirs = tuple(seat for seat in in_play(case) if seat not in ours)
    having, lacking = (ours, theirs) if count > 0 else (theirs, ours)
    trumps, known = compiled(case).trumps, shown(case, row, having)
    run, end = (sum(1 << each for each in part) for part in (trumps[: abs(count)], trumps[abs(count) :][:1]))
    if run & shown(case, row, lacking) or end & known:
        return False
    if len(in_play(case)) * hand_size(case.ruleset.house) < case.ruleset.house.deck:
        return True  # what is missing may lie on the table
    size = hand_size(case.ruleset.house)
    room = sum(0 if is_whole(case, seat) else size - shown(case, row, (seat,)).bit_count() for seat in having)
    return (run & ~known).bit_count() <= room


# --- points and tricks ------------------------------------------------------------------------------------------------


def outcomes(case: Case, row: Contract, partner: int | None) -> list[Outcome]:
    """What the play may have come to, as far as it was seen."""
    if row.parties == "each":
        return ramsches(case, row)
    ours = side(case, row, partner)
    theirs = tuple(seat for seat in in_play(case) if seat not in ours)
    if row.ends == "not-played":
        return [Outcome(frozenset((0,)), frozenset((0,)), ((ours[0], (0, 0)), (theirs[0], (0, 0))))]
    alike: dict[object, list[Share]] = {}
    rests: dict[object, Outcome] = {}
    for share, rest in shares(case, row, ours, theirs):
        example = Outcome(
            frozenset(), frozenset(), ((ours[0], share), (theirs[0], rest), *none(ours[1:]), *none(theirs[1:]))
        )
        settled = settled_in(case, World(partner, example, -1))
        key = (settled.won, settled.undecided, settled.schneider, settled.schwarz, settled.payments, settled.marks)
        alike.setdefault((key, bool(share[0]), bool(rest[0])), []).append(share)
        rests.setdefault((key, bool(share[0]), bool(rest[0])), example)
    size = hand_size(case.ruleset.house)
    found = []
    for kind, same in alike.items():
        between = frozenset(range(1, size)) if kind[1] and kind[2] else frozenset(each for each, _ in same)  # type: ignore[index]
        found.append(rests[kind]._replace(points=frozenset(each for _, each in same), tricks=between))
    return found


def none(seats: tuple[int, ...]) -> tuple[tuple[int, Share], ...]:
    return tuple((seat, (0, 0)) for seat in seats)


def shares(case: Case, row: Contract, ours: tuple[int, ...], theirs: tuple[int, ...]) -> Iterator[tuple[Share, Share]]:
    """Tricks and points of both sides: no trick, some, or all of them, with every number of points that the tricks seen
    leave open."""
    size, whole = hand_size(case.ruleset.house), in_pack(case)
    (took, made), (gave, lost) = (seen(case, seats) for seats in (ours, theirs))
    for tricks in {0, max(1, took), size} & set(range(took, size - gave + 1)):
        for points in range(made, whole - lost + 1):
            bare = (tricks == 0 and points > 0) or (tricks == size and points < whole)
            if not bare or not adds_up(case, row):
                yield (tricks, points), (size - tricks, whole - points)


def adds_up(case: Case, row: Contract) -> bool:
    """Whether every card is played in a trick, so that both sides have all points together."""
    every = len(case.replay.playing or in_play(case)) * hand_size(case.ruleset.house) == case.ruleset.house.deck
    return every and row.ends == "played-out" and not is_tout(case.deal)


def in_pack(case: Case) -> int:
    points = compiled(case).points
    return sum(points[number] for number in numbers(PACKS[case.ruleset.house.deck]))


def seen(case: Case, seats: tuple[int, ...]) -> Share:
    """The tricks that some seats are seen to take, and the points in them."""
    played = zip(case.replay.winners, case.replay.trick_points, strict=True)
    taken = [points or 0 for winner, points in played if winner in seats]
    return len(taken), sum(taken)


def ramsches(case: Case, row: Contract) -> list[Outcome]:
    """Who may have lost a Ramsch, who had no trick, who few points."""
    active, size, whole = in_play(case), hand_size(case.ruleset.house), in_pack(case)
    under = case.ruleset.house.ramsch.bonus_under
    known = {seat: seen(case, (seat,)) for seat in active}
    found: dict[object, Outcome] = {}
    for loser in active:
        others = [seat for seat in active if seat != loser]
        may = [
            [each for each in (*SHARES, (1, max(0, under - 1))) if fits(each, *known[seat], under)] for seat in others
        ]
        for given in product(*may):
            taken, lost = sum(tricks for tricks, _ in given), sum(points for _, points in given)
            if whole - lost <= max(points for _, points in given) or not may_lose(loser, known, whole):
                continue
            example = ((loser, (size - taken, whole - lost)), *zip(others, given, strict=True))
            outcome = Outcome(frozenset(range(1, whole + 1)), frozenset(range(1, size + 1)), example)
            settled = settled_in(case, World(None, outcome))
            found.setdefault((settled.loser, settled.virgins, settled.march, settled.payments), outcome)
    return list(found.values())


def fits(share: Share, tricks: int, points: int, under: int) -> bool:
    """Whether a seat that is seen to take so much may have had this share: nothing, no point, few points, or more."""
    return not ((tricks and not share[0]) or (points and not share[1]) or (points >= under > share[1] > 0))


def may_lose(seat: int, known: dict[int, Share], whole: int) -> bool:
    """Whether the points that nobody is seen to take may have made a seat the loser."""
    others = [points for other, (_, points) in known.items() if other != seat]
    return whole - sum(others) >= max(others, default=0)
