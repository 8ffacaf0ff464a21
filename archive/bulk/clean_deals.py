"""The judgement of a deal that the core found clean, made of its row: what the replay that explains would find, without
the moves that were open to each player."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import astuple

from archive.bulk.batch import Batch
from archive.bulk.ledger_row import ledger_state
from archive.bulk.line_structs import Quick, QuickStated
from archive.bulk.session_heads import CALLS, SessionHead, active
from archive.engine import columns as c
from archive.engine.tricks import DECLARER, DEFENCE, NONE_KNOWN, ON_ONES_OWN
from archive.judge.judge_deal import verdict_of
from archive.judge.types import Basis, Judgement
from archive.play.types import Replay, Side, Step
from archive.record import Call, Deal, Source, Stated
from archive.settle.settle import settle

SIDES: dict[int, Side | None] = {
    NONE_KNOWN: None, DECLARER: "declarer", DEFENCE: "defence", ON_ONES_OWN: "alone",
}  # fmt: skip
STATED_KEYS = QuickStated.__struct_fields__


def clean_judgements(batch: Batch) -> Iterator[Judgement]:
    """The judgements of all clean rows."""
    for row, facts in enumerate(batch.engine.lists(batch.facts)):
        if batch.code[row] == 0:
            yield clean_judgement(batch, row, facts)


def clean_judgement(batch: Batch, row: int, facts: Sequence[int]) -> Judgement:
    """The judgement of a clean row; `facts` are its columns."""
    head, quick, number = batch.heads[batch.head[row]], batch.quick[row], batch.number[row]
    assert quick
    assert head.ruleset
    seats, list_name = len(head.players), head.begun.table.list_name
    before, after = (ledger_state(facts[at : at + c.STATE_WIDTH], seats, list_name) for at in (c.BEFORE, c.AFTER))
    place = batch.line[row]
    where = Source(batch.source.path, place, place, batch.source.sha256, batch.position[row])
    deal = deal_of(quick, head, facts, where)
    played = replay_of(quick, facts, seats)
    verdict, reason = verdict_of(deal, (), (), ())
    return Judgement(
        session=head.under, deal=deal, recorded=deal, number=number, before=before, after=after,
        ruleset=head.ruleset, replay=played,
        settlement=settle(deal, head.players, head.ruleset, played, before), findings=(), verdict=verdict,
        reason=reason, missing=(),
        basis=basis_of_clean(quick),
    )  # fmt: skip


def basis_of_clean(quick: Quick) -> Basis:
    """On what the amounts of a clean deal rest."""
    return "cards" if quick.hands or quick.tricks else "facts"


def deal_of(quick: Quick, head: SessionHead, facts: Sequence[int], source: Source | None = None) -> Deal:
    """The record of a clean row, without its cards; `facts` are its columns."""
    seats, every, doubles = head.seats, head.plans, quick.doubles
    calls = [head.calls[text] for text in quick.auction or ()]
    return Deal(
        source=source,
        no=quick.no,
        id=quick.id,
        dealer=None if quick.dealer is None else seats[quick.dealer],
        game=every.game(facts[c.PLAN], facts[c.DECLARER]),
        auction=None if quick.auction is None else tuple(Call(n // CALLS, every.texts[n % CALLS]) for n in calls),
        knocks=None if quick.knocks is None else tuple(seats[name] for name in quick.knocks),
        doubles=None if doubles is None else tuple(every.doubles[head.doubles[each]] for each in doubles),
        stated=None if quick.stated is None else stated_of(quick.stated, seats),
        note=quick.note,
    )


def known(number: int) -> int | None:
    """A column as a value: None for NONE, and for a seat below 0."""
    return None if number < 0 else number


def flag(value: Any) -> bool | None:
    return None if value == c.NONE else value


def stated_of(stated: QuickStated, seats: dict[str, int]) -> Stated:
    """What a line states, with seats for names."""
    every = zip(STATED_KEYS, astuple(stated), strict=True)
    said: dict[str, Any] = {key: value for key, value in every if value is not None and value != c.NONE}
    for key, value in said.items():
        if isinstance(value, list):
            said[key] = tuple([seats[name] for name in value] if key in ("winners", "virgins") else value)
        elif key in ("partner", "loser"):
            said[key] = seats[value]
    return Stated(**said)


def replay_of(quick: Quick, facts: Sequence[int], seats: int) -> Replay:
    """What the core found of the play."""
    dealer, tricks = facts[c.DEALER], facts[c.TRICKS]
    around = active(dealer, seats)
    hands = tuple(tuple(hand.split(" ")) for hand in quick.hands) if quick.hands else (None,) * seats
    sides = tuple(SIDES[side] for side in facts[c.SIDE : c.SIDE + seats])
    leaders = tuple(facts[c.LEADER : c.LEADER + tricks])
    return Replay(
        active=around, playing=around, dealer=dealer, dealt=hands, held=hands,
        steps=steps_of(quick, leaders, seats) if facts[c.RUNNERS_PAID] == 1 else (),  # which show the runners alone
        leaders=leaders, winners=tuple(facts[c.TAKER : c.TAKER + tricks]),
        trick_points=tuple(facts[c.WORTH : c.WORTH + tricks]),
        declarer=known(facts[c.DECLARER]), partner=known(facts[c.PARTNER]), sides=sides,
        points=tuple(map(known, facts[c.POINTS : c.POINTS + seats])),
        tricks_won=tuple(map(known, facts[c.TRICKS_WON : c.TRICKS_WON + seats])),
        complete=True, findings=(), missing=(),
    )  # fmt: skip


def steps_of(quick: Quick, leaders: Sequence[int], seats: int) -> tuple[Step, ...]:
    """Who played which card when."""
    found = []
    for trick, (text, leader) in enumerate(zip(quick.tricks or (), leaders, strict=True), 1):
        for place, card in enumerate(text[1 - 3 * seats :].split(" ")):
            n, seat = (trick - 1) * seats + place + 1, (leader + place) % seats
            found.append(Step(n, trick, place + 1, seat, card, None, None, None, None, None, None))
    return tuple(found)
