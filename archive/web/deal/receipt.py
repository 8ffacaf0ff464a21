"""A deal of which no card is known: who played, what each is paid, and where each stood before and after."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import asdict, replace

from archive.explain import Explained
from archive.judge.types import Judgement, declaring_seats
from archive.record import Deal
from archive.rules.tables import score_of
from archive.say import Message
from archive.settle.rulings import totals_with_rulings
from archive.text.numbers import format_signed
from archive.text.wording import Texts
from archive.web.deal import model
from archive.web.deal.moves import DealView
from archive.web.deal.page import deal_board, deal_evidence, deal_heading, deal_settlement, deal_view
from archive.web.deal.settlement import seat_amounts


class ReceiptRow(Struct, frozen=True):
    """A player on a receipt: the role, the amount, the running totals before and after; empty if not known."""

    name: str
    role: str
    side: str  # us, them, or empty
    amount: model.SeatAmount | None
    before: str
    after: str


class DealSlip(Struct, frozen=True, kw_only=True):
    """A deal of which no card is known: who played, what it cost line by line, what each is paid."""

    heading: model.DealHeading
    settlement: model.DealSettlement
    players: tuple[ReceiptRow, ...]
    said: tuple[model.Move, ...]  # knocks, calls, doublings; empty if nothing but the game is known
    sits_out: tuple[str, ...]


class DealReceipt(DealSlip, frozen=True, kw_only=True):
    """The whole page of such a deal."""

    evidence: model.DealEvidence


ShownDeal = model.DealPage | DealReceipt


def shown_deal(
    judgement: Judgement,
    place: model.DealPosition,
    t: Texts,
    history: tuple[model.HistoryEntry, ...] = (),
    as_of: str | None = None,
    decisive: tuple[Message, ...] | None = None,
    explained: Explained | None = None,
) -> ShownDeal:
    """Return the page of a deal, perhaps as it stood on a day; the receipt of one without cards. Never raises for what
    a record lacks: that is not shown."""
    view = deal_view(judgement, t, place.people)
    evidence = deal_evidence(view, history, decisive, explained)
    if has_cards(judgement.deal):
        return model.DealPage(
            **asdict(deal_board(view, place, as_of)), settlement=deal_settlement(view), evidence=evidence
        )
    slip = deal_slip(view, place, as_of)
    # no links to moves that the receipt does not show, nor the amounts that it shows itself
    ids = {move.id for move in slip.said}
    findings = tuple(
        each if each.at is None or each.at.to in ids else replace(each, at=None) for each in evidence.findings
    )
    dispute = evidence.dispute
    if dispute is not None:
        dispute = replace(dispute, amounts=(), moment=dispute.moment if dispute.moment in ids else "")
    shown = replace(evidence, findings=findings, dispute=dispute, analysed=False, provable=())
    return DealReceipt(**asdict(slip), evidence=shown)


def has_cards(deal: Deal) -> bool:
    """Return whether a card of a deal was recorded: in a hand, on the table, or passed on."""
    if any((deal.tricks, deal.turns, deal.blind, deal.talon)):
        return True
    held = (deal.hands, deal.held, deal.piles)
    return any(map(any, filter(None, held))) or any(each.cards for each in deal.exchange or ())


def deal_slip(view: DealView, place: model.DealPosition, as_of: str | None = None) -> DealSlip:
    """Return the receipt of a deal without what speaks for and against it."""
    judgement = view.judgement
    active = judgement.replay.active if judgement.replay else ()
    spoken = any(move.id not in ("start", "g", "end") for move in view.moves)
    return DealSlip(
        heading=deal_heading(view, place, as_of),
        settlement=deal_settlement(view),
        players=tuple(_rows(view)),
        said=tuple(move for move in view.moves if move.id not in ("start", "end")) if spoken else (),
        sits_out=tuple(name for seat, name in enumerate(judgement.session.players) if active and seat not in active),
    )


def _rows(view: DealView) -> Iterator[ReceiptRow]:
    """Yield each player with the role, the amount and the running totals; none of these if they are not known."""
    judgement, t = view.judgement, view.t
    amounts, sides = seat_amounts(judgement), view.sides
    before, after = (totals_with_rulings(table) for table in (judgement.before, judgement.after))
    marks = judgement.ruleset is not None and score_of(judgement.ruleset.house) is not None
    for seat, name in enumerate(judgement.session.players):
        yield ReceiptRow(
            name=name,
            role=_role(judgement, seat, t),
            side=sides.get(seat, ""),
            amount=amounts[seat] if amounts else None,
            before="" if marks or before is None else format_signed(before[seat]),
            after="" if marks or after is None else format_signed(after[seat]),
        )


def _role(judgement: Judgement, seat: int, t: Texts) -> str:
    """Return the role of a player in a word; empty for the others."""
    replay, (declarer, partner) = judgement.replay, declaring_seats(judgement)
    if replay and replay.active and seat not in replay.active:
        return t["sits_out"]
    if judgement.settlement and judgement.settlement.loser == seat:
        return t["loses"]
    return {declarer: t["role_declarer"], partner: t["role_partner"]}.get(seat, "")
