"""The judgement of a deal that the core found clean, made from its row: the same as the explaining replay gives,
without the moves that were open to each player."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import astuple, replace

from archive.bulk.batch import Batch
from archive.bulk.ledger_row import ledger_state
from archive.bulk.line_structs import Quick, QuickStated
from archive.bulk.session_heads import SessionHead, active
from archive.engine import columns as c
from archive.engine.tricks import DECLARER, DEFENCE, NONE_KNOWN, ON_ONES_OWN
from archive.judge.compare_answers import accuse_program, difference
from archive.judge.judge_deal import verdict_of
from archive.judge.types import Basis, Judgement
from archive.play.types import Replay, Side, Step
from archive.record import Deal, Source, Stated, Trick
from archive.settle.facts import contract_of
from archive.settle.goals import terms_of
from archive.settle.lines import Bill
from archive.settle.settle import settle
from archive.settle.two_sides import put_bill
from archive.settle.types import Settlement

SIDES: dict[int, Side | None] = {
    NONE_KNOWN: None, DECLARER: "declarer", DEFENCE: "defence", ON_ONES_OWN: "alone",
}  # fmt: skip
FLAGS: dict[int | None, bool | None] = {None: None, 0: False, 1: True}
STATED_KEYS = QuickStated.__struct_fields__
NO_RESULT, AGREES = (verdict_of(Deal(stated=stated), (), (), ()) for stated in (None, Stated()))


def clean_judgements(batch: Batch, lines: bool) -> Iterator[Judgement]:
    """Yield the judgements of all clean rows; `lines`: with those of their settlements."""
    for row, facts in enumerate(batch.engine.lists(batch.facts)):
        if batch.code[row] == 0:
            judgement = clean_judgement(batch, row, facts)
            yield with_lines(judgement) if lines else judgement


def with_lines(judgement: Judgement) -> Judgement:
    """Return the judgement of a clean row with a settlement that can be added up, if it has the core's settlement."""
    deal, played, rules, settled = judgement.deal, with_runners(judgement), judgement.ruleset, judgement.settlement
    assert rules
    assert settled
    contract = rules.contracts.get(contract_of(deal))
    if contract is not None and settled.won is not None and contract.parties != "each":
        terms, players = terms_of(deal, rules, contract), judgement.session.players
        priced, _ = put_bill(Bill(rules, []), terms, deal, players, played, judgement.before, settled)
        if replace(priced, lines=()) == settled:
            return replace(judgement, replay=played, settlement=priced)
    words = with_settlement(judgement)
    if words.settlement and replace(words.settlement, lines=()) == judgement.settlement:
        return words
    other = difference(judgement, replace(words, replay=judgement.replay))
    return accuse_program(words, other) if other else words


def with_settlement(judgement: Judgement) -> Judgement:
    """Return the judgement of a clean row, settled by the worded functions."""
    assert judgement.ruleset
    played = with_runners(judgement)
    settled = settle(judgement.deal, judgement.session.players, judgement.ruleset, played, judgement.before)
    return replace(judgement, replay=played, settlement=settled)


def with_runners(judgement: Judgement) -> Replay:
    """Return the replay of a clean row, with its steps if the cards show runners or decide ties."""
    played, settled = judgement.replay, judgement.settlement
    assert played
    assert settled
    if not settled.runners_paid and settled.loser is None:
        return played
    return replace(played, steps=tuple(steps_of(judgement.deal.tricks or (), len(played.playing))))


def clean_judgement(batch: Batch, row: int, facts: Sequence[int]) -> Judgement:
    """Return the judgement of a clean row; `facts` are its columns. Its settlement has no lines."""
    head, quick, number = batch.heads[batch.head[row]], batch.quick[row], batch.number[row]
    assert quick
    seats, list_name = len(head.players), head.begun.table.list_name
    before = ledger_state(facts[c.BEFORE : c.BEFORE + c.STATE_WIDTH], seats, list_name)
    after = ledger_state(facts[c.AFTER : c.AFTER + c.STATE_WIDTH], seats, list_name)
    place = batch.line[row]
    where = Source(batch.source.path, place, place, batch.source.sha256, batch.position[row])
    deal = deal_of(quick, head, facts, where)
    verdict, reason = NO_RESULT if deal.stated is None else AGREES
    return Judgement(
        session=head.judged_as, deal=deal, recorded=deal, number=number, before=before, after=after,
        ruleset=head.ruleset, replay=replay_of(deal, facts, seats), settlement=settlement_of(facts, seats),
        findings=(), verdict=verdict, reason=reason, missing=(),
        basis=basis_of_clean(quick),
    )  # fmt: skip


def basis_of_clean(quick: Quick) -> Basis:
    """Return the basis of the amounts of a clean row: its cards, or for a deal that nobody played the fact that there
    was none."""
    return "cards" if quick.hands or quick.tricks else "facts"


def deal_of(quick: Quick, head: SessionHead, facts: Sequence[int], source: Source) -> Deal:
    """Return the record of a clean row; `facts` are its columns. Leaders of tricks are as computed."""
    seats, every, doubles, stated = head.seats, head.plans, quick.doubles, None
    tricks = zip(quick.tricks or (), facts[c.LEADER :], strict=False)
    game = plan, declarer = facts[c.PLAN], facts[c.DECLARER]
    if game not in every.games:
        every.games[game] = replace(every.every[plan].game, declarer=None if declarer < 0 else declarer)
    if quick.stated is not None:
        values, unsaid = zip(STATED_KEYS, astuple(quick.stated), strict=True), c.NONE
        known: dict[str, Any] = {key: value for key, value in values if value is not None and value != unsaid}
        for key, value in known.items():
            if isinstance(value, list):
                known[key] = tuple([seats[name] for name in value] if key in ("winners", "virgins") else value)
            elif key in ("partner", "loser"):
                known[key] = seats[value]
        stated = Stated(**known)
    return Deal(
        source=source,
        no=quick.no,
        id=quick.id,
        dealer=None if quick.dealer is None else seats[quick.dealer],
        hands=None if quick.hands is None else tuple([tuple(hand.split(" ")) for hand in quick.hands]),
        game=every.games[game],
        auction=None if quick.auction is None else tuple([every.calls[head.calls[text]] for text in quick.auction]),
        knocks=None if quick.knocks is None else tuple([seats[name] for name in quick.knocks]),
        doubles=None if doubles is None else tuple([every.doubles[head.doubles[double]] for double in doubles]),
        tricks=tuple([Trick(tuple(text.rpartition(": ")[2].split(" ")), leader) for text, leader in tricks]) or None,
        stated=stated,
        note=quick.note,
    )


def replay_of(deal: Deal, facts: Sequence[int], seats: int) -> Replay:
    """Return the replay as the core found it, without its steps."""
    dealer, tricks = facts[c.DEALER], facts[c.TRICKS]
    declarer, partner = [None if seat == c.NONE else seat for seat in (facts[c.DECLARER], facts[c.PARTNER])]
    around, hands = active(dealer, seats), deal.hands or (None,) * seats
    return Replay(
        active=around, playing=around, dealer=dealer, dealt=hands, held=hands, steps=(),
        leaders=tuple(facts[c.LEADER : c.LEADER + tricks]), winners=tuple(facts[c.TAKER : c.TAKER + tricks]),
        trick_points=tuple(facts[c.WORTH : c.WORTH + tricks]),
        declarer=declarer, partner=partner,
        sides=tuple([SIDES[side] for side in facts[c.SIDE : c.SIDE + seats]]),
        points=tuple([None if n < 0 else n for n in facts[c.POINTS : c.POINTS + seats]]),
        tricks_won=tuple([None if n < 0 else n for n in facts[c.TRICKS_WON : c.TRICKS_WON + seats]]),
        complete=True, findings=(), missing=(),
    )  # fmt: skip


def settlement_of(facts: Sequence[int], seats: int) -> Settlement:
    """Return the settlement as the core found it, without its lines."""
    nothing, virgins, march = c.NONE, facts[c.VIRGINS], facts[c.MARCH]
    won, points, tricks, schneider, schwarz, runners, runners_paid, base, high, black, in_row, multiplier, price = [
        None if each == nothing else each for each in facts[c.WON : c.POT]
    ]
    return Settlement(
        won=FLAGS[won], undecided=facts[c.UNDECIDED] == 1, side_points=points, side_tricks=tricks,
        winners=tuple([seat for seat, wins in enumerate(facts[c.WINNER : c.WINNER + seats]) if wins == 1]),
        schneider=FLAGS[schneider], schwarz=FLAGS[schwarz], runners=runners, runners_paid=FLAGS[runners_paid],
        loser=None if facts[c.LOSER] == nothing else facts[c.LOSER], march=None if march == nothing else march == 1,
        virgins=tuple([seat for seat in range(seats) if virgins != nothing and virgins >> seat & 1]),
        base=base, schneider_amount=high, schwarz_amount=black,
        runners_amount=in_row, multiplier=multiplier, price=price,
        payments=tuple(facts[c.PAYMENT : c.PAYMENT + seats]), pot=facts[c.POT], stake=facts[c.STAKE],
    )  # fmt: skip


def steps_of(tricks: Sequence[Trick], seats: int) -> Iterator[Step]:
    """Yield who played which card when."""
    for number, trick in enumerate(tricks, 1):
        assert trick.leader is not None
        for place, card in enumerate(trick.cards):
            yield step_at((number - 1) * seats + place + 1, number, place + 1, (trick.leader + place) % seats, card)


@lru_cache(1 << 13)
def step_at(n: int, trick: int, place: int, seat: int, card: str) -> Step:
    """Return who played which card when, and nothing of what was open to the player; the latest are remembered."""
    return Step(n, trick, place, seat, card, None, None, None, None, None, None)
