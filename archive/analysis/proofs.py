"""Proofs of what people dispute: a claim to the rest, whether a revoke changed the game, a surrender.

Each is found by the search over open cards after the cards played before it, so all hands must be known.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from archive.analysis.levels import Level, Levels, levels_of_game
from archive.analysis.lines import Line, level_of, line_of
from archive.analysis.open_cards import Place
from archive.analysis.positions import OpenDeal, dealt_open, is_covered
from archive.analysis.solver import Solver, Standing
from archive.cards import CODES, NUMBER, is_known
from archive.engine import search_rows as r
from archive.engine.duties import NUMBERS
from archive.judge.types import Case
from archive.play.announcements import ACCEPTS
from archive.play.types import NOT_PLAYED, Step
from archive.record import Event
from archive.rules import tables

Kind = Literal["claim", "revoke", "surrender"]


class Proof(NamedTuple):
    """The answer of the search to a dispute at a place of the play: for a claim, whether it `holds`; otherwise the
    level that perfect play reaches, and whether no play at all could have changed it (`is_decided`). `line` are the
    cards from there on: a defence against a claim that holds, how a claim fails, or best play by all. `order` are the
    claimer's cards in an order to lead them that no defence can break, if there is one."""

    kind: Kind
    at: Place
    seat: int
    holds: bool
    level: Level | None
    is_decided: bool
    line: tuple[str, ...]
    order: tuple[str, ...] = ()


def proofs(case: Case, solver: Solver) -> tuple[Proof, ...]:
    """Return the proofs of a deal, as far as its hands are known."""
    deal = deal_in_dispute(case)
    if deal is None:
        return ()
    proved = list[Proof]()
    for kind, at, seat in disputes(case):
        if kind == "claim":
            proved += claim_proof(case, deal, at, seat, solver)
        else:
            proved += value_proof(case, deal, kind, at, seat, solver)
    return tuple(proved)


def disputes(case: Case) -> Iterator[tuple[Kind, Place, int]]:
    """Yield the disputes that a deal may leave behind: each one's kind, the card it precedes, and its seat."""
    for event in case.deal.events or ():
        at = place_of(case, event)
        if event.verb == "shows" and event.arg != "none" and at is not None:
            yield "claim", at, event.seat
        if event.verb == ACCEPTS:
            yield "surrender", (1, 1), event.seat
    broken = next((step for step in case.replay.steps if step.broken), None)
    if broken is not None:
        yield "revoke", (broken.trick, broken.place), broken.seat


def deal_in_dispute(case: Case) -> OpenDeal | None:
    """Return the deal before its first card; None if it has no two sides, or hands that are unknown or are no part of
    the pack."""
    replay, game, ruleset = case.replay, case.deal.game, case.ruleset
    if game is None or game.contract in NOT_PLAYED or not replay.playing:
        return None
    row = ruleset.contracts[game.contract]
    held = [replay.held[seat] for seat in replay.playing]
    known = all(hand is not None and all(map(is_known, hand)) for hand in held)
    if row.parties == "each" or not is_covered(ruleset.house, row) or not known or replay.laid is None:
        return None
    if {replay.sides[seat] for seat in replay.playing} != {"declarer", "defence"}:
        return None
    if len({len(hand or ()) for hand in held}) != 1 or not all(map(is_known, replay.laid)):
        return None
    leader = replay.declarer if row.leads == "declarer" else replay.playing[0]
    if leader is None:
        return None
    compiled = tables(ruleset, row.id, game.suit, game.called)
    dealt = [NUMBER[card] for hand in held for card in hand or ()]
    if len({*dealt}) < len(dealt) or any(not compiled.pack >> card & 1 for card in dealt):
        return None
    return dealt_open(case, leader, (), sum(compiled.points[NUMBER[card]] for card in replay.laid))


def place_of(case: Case, event: Event) -> Place | None:
    """Return the place of the card before which something was said; None if it is unknown."""
    if event.moment == "deal":
        return 1, 1
    if event.moment in (None, "end"):
        steps = case.replay.steps
        width = len(case.replay.playing)
        return (len(steps) // width + 1, len(steps) % width + 1) if width else None
    trick, _, card = (event.moment or "").partition(".")
    return (int(trick), int(card)) if card else None


def cards_before(case: Case, at: Place) -> list[Step]:
    return [step for step in case.replay.steps if (step.trick, step.place) < at]


def claim_proof(case: Case, deal: OpenDeal, at: Place, seat: int, solver: Solver) -> Iterator[Proof]:
    """Yield the proof whether a player takes every trick that is left, whatever the others play; nothing if the cards
    before were not legal play."""
    if seat not in deal.seats:
        return
    mine = deal.seats.index(seat)
    number = {CODES[card]: position for position, card in enumerate(deal.layout.cards)}
    played = [number[step.card] for step in cards_before(case, at)]
    alone = deal._replace(counted=1 << mine)
    solver.take_up(alone, True)
    standings = solver.follow(played)
    if not standings or not standings[-1].legal:
        return
    need = standings[-1].tricks + deal.tricks - len(played) // len(deal.seats)
    holds = solver.takes(len(played), need)
    line = defence_line(alone, played, standings[-1], need, solver)
    order = order_to_lead(alone, standings[-1]) if standings[-1].seat == mine else ()
    codes = (tuple(CODES[deal.layout.cards[card]] for card in cards) for cards in (line, order))
    yield Proof("claim", at, seat, holds, None, False, *codes)


def order_to_lead(deal: OpenDeal, standing: Standing) -> list[int]:
    """Return the cards of the one counted seat, which is to lead, in an order in which none can be beaten whatever the
    others play, trumps first; empty if there is none, or if more than following suit is needed to see it."""
    row, mine = deal.layout.tricks, standing.seat
    hand, others = deal.hands[mine] & standing.left, [each & standing.left for each in deal.hands]
    del others[mine]
    duties = row[r.DUTY : r.DUTY + row[r.DUTY_COUNT]]
    if hand & row[r.CALLED] or NUMBERS["follow"] not in duties:
        return []
    leads, order = Counter[int](), list[int]()
    while hand:
        cards = (card for card in range(hand.bit_length() - 1, -1, -1) if hand >> card & 1)
        sure = next((card for card in cards if not any(may_beat(row, card, each, leads) for each in others)), None)
        if sure is None:
            return []
        order.append(sure)
        leads[row[r.LED + sure]] += 1
        hand ^= 1 << sure
    return order


def may_beat(row: Sequence[int], card: int, hand: int, leads: Counter[int]) -> bool:
    """Return whether a hand may still beat a card that is led, after these numbers of `leads` of each suit, which it
    had to follow while it could."""
    suit, beating = row[r.LED + card], row[r.BEATS + card] & hand
    follows = (hand & suit).bit_count() - leads[suit]
    if beating & suit and follows > 0:
        return True
    has_thrown_off = any((hand & other).bit_count() < count for other, count in leads.items())
    trumps = (hand & row[r.TRUMPS]).bit_count() - leads[row[r.TRUMPS]]
    return bool(beating & ~suit) and trumps > 0 and (follows <= 0 or has_thrown_off)


def defence_line(deal: OpenDeal, played: list[int], standing: Standing, need: int, solver: Solver) -> list[int]:
    """Return the cards from a position to the end, or to the first trick of the others: the counted seat plays
    perfectly, the others what beats it, if anything does."""
    line: list[int] = []
    while standing.legal:
        tricks_left = -(-standing.left.bit_count() // len(deal.seats))
        if standing.tricks + tricks_left < need:
            break
        place = len(played) + len(line)
        choices = [card for card in range(len(deal.layout.cards)) if standing.legal >> card & 1]
        ours = bool(deal.counted >> standing.seat & 1)
        chosen = choices[-1] if ours else choices[0]
        for card in choices[::-1] if ours else choices:
            solver.step(place, card)
            if solver.takes(place + 1, need) == ours:
                chosen = card
                break
        standing = solver.step(place, chosen)
        line.append(chosen)
    return line


def value_proof(case: Case, deal: OpenDeal, kind: Kind, at: Place, seat: int, solver: Solver) -> Iterator[Proof]:
    """Yield the proof with the level that perfect play by all sides reaches from a place on, priced without what was
    disputed; nothing if the results of the game are unknown."""
    plain = replace(case, deal=replace(case.deal, events=None, tricks=None, stated=None))
    levels = levels_of_game(plain, deal)
    if isinstance(levels, str):
        return
    cards = [step.card for step in cards_before(case, at)]
    line = line_of(deal, levels, cards, solver, best=True)
    before = line_of(deal, levels, cards, solver)
    if line is None or before is None:
        return
    rest = tuple(card for _, card in line.played[len(cards) :])
    yield Proof(kind, at, seat, False, levels.levels[before.moment.level], is_settled(levels, before), rest)


def is_settled(levels: Levels, line: Line) -> bool:
    """Return whether the level is the same if the declarer's side gets everything left, and if it gets nothing."""
    moment = line.moment
    left = max(len(hand) for hand in moment.hands.values())
    low = level_of(levels, moment.points, moment.tricks)
    high = level_of(levels, moment.points + moment.points_left, moment.tricks + left)
    return low == high
