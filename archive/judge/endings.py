"""The last tricks of a play whose cards are all known: each legal way in which they may have been played."""

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from archive.cards import is_known
from archive.judge.compare_stated import COMPUTED, same
from archive.judge.completions import adds_up, may_hide, possible_silent_doublings
from archive.judge.partial_record import AMOUNTS, contradiction
from archive.judge.stated_play import has_decisive_event
from archive.judge.types import Case
from archive.judge.who_plays import contract_played, is_whole
from archive.play.replay import replay
from archive.record import Finding, Trick
from archive.rules import hand_size
from archive.settle.settle import settle

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
    """Return the case with the settlement of its play."""
    return replace(case, settlement=settle(case.deal, case.players, case.ruleset, case.replay, case.before))


def contradicted_by_all(case: Case, ends: list[Case]) -> Iterator[Finding]:
    """Yield a finding for each stated value that comes out differently in every one of the ends."""
    for key, compute in COMPUTED.items():
        stated = getattr(ends[0].deal.stated, key, None)
        values = [compute(each) for each in ends] if stated is not None else []
        if values and not any(value is None or same(stated, value) for value in values):
            yield contradiction(case, key, stated, values)
