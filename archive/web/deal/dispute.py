"""The dispute of a deal: each player's amounts, the likeliest explanation, the card that decides."""

from collections.abc import Iterable, Mapping, Sequence

from archive.explain import Explained
from archive.judge.compare_stated import comparisons
from archive.judge.judge_deal import errors_in
from archive.judge.types import Judgement
from archive.rules.tables import score_of
from archive.settle.rulings import is_left_to_table
from archive.settle.types import SettlementLine
from archive.text.numbers import format_signed
from archive.text.wording import Texts
from archive.web.deal.explanation import likely_causes
from archive.web.deal.model import Dispute, Move, SeatAmount

EXTREMES = ("schneider", "schwarz")


def seat_amounts(judgement: Judgement) -> tuple[SeatAmount, ...]:
    """Return the amount of every seat as stated, computed and ruled, marks in a game for marks; empty if none is
    known."""
    names, settled = judgement.session.players, judgement.settlement
    marks = judgement.ruleset is not None and score_of(judgement.ruleset.house) is not None
    key = "marks" if marks else "payments"
    pair = next((pair for pair in comparisons(judgement) if pair.key == key), None)
    columns = [
        None if marks or pair is None else pair.stated,  # marks are stated as running sums
        None if is_left_to_table(settled) else getattr(settled, key, None),
        pair.ruled if pair else None,
    ]
    if not any(columns) or len(names) == 1:  # a player without others pays nobody
        return ()
    rows = zip(*((*(column or ()), *[None] * len(names))[: len(names)] for column in columns), strict=True)
    return tuple(
        SeatAmount(
            seat,
            names[seat],
            _amount_text(stated),
            _amount_text(computed),
            _amount_text(ruled),
            None not in (stated, computed) and stated != computed,
        )
        for seat, (stated, computed, ruled) in enumerate(rows)
    )


def _amount_text(amount: int | None) -> str:
    return "" if amount is None else format_signed(amount)


def dispute_of(
    judgement: Judgement,
    explained: Explained,
    amounts: tuple[SeatAmount, ...],
    order: Sequence[Move],
    people: Mapping[str, int],
    t: Texts,
) -> Dispute | None:
    """Return the dispute of a deal that differs; None if nothing is explained."""
    if (why := likely_causes(explained, t, people)) is None:
        return None
    place = disputed_line(judgement, explained)
    return Dispute(
        amounts if any(amount.differs for amount in amounts) else (),
        why,
        deciding_move(judgement, place, order),
    )


def deciding_move(judgement: Judgement, place: int | None, order: Iterable[Move]) -> str:
    """Return the id of the move at which the dispute is decided: the first card against the rules, else the last that
    proves the line in dispute; empty if no card does."""
    ids = {move.id for move in order}
    broken = (f"t{finding.at}" for finding in errors_in(judgement.findings) if finding.at)
    proof = judgement.settlement.lines[place].proof if place is not None and judgement.settlement else ()
    return next((id for id in (*broken, *reversed(proof)) if id in ids), "")


def disputed_line(judgement: Judgement, explained: Explained) -> int | None:
    """Return the line of the settlement in dispute: the one that the likeliest explanation is about, else the one whose
    stated value differs; None if nothing is in dispute."""
    lines = judgement.settlement.lines if judgement.settlement else ()
    pairs = {pair.key: pair.differs for pair in comparisons(judgement)}
    off = {key for key, differs in pairs.items() if differs}
    added_up_wrong = off == {"totals"} and "payments" in pairs  # of the amounts before: no line says anything of it
    if not off or not lines or added_up_wrong:
        return None
    likely = {
        change.cite for explanation in explained.explanations[:1] for change in explanation.changes if change.cite
    }
    cites = [place for place, line in enumerate(lines) if line.cite in likely]
    if cites:
        return cites[0]
    played = [place for place, line in enumerate(lines) if tricks_proving(line)]
    if "runners" in off:
        return next((place for place in played if len(lines[place].proof) > 1), None)
    if off & set(EXTREMES):
        return next((place for place in played[1:] if len(lines[place].proof) == 1), played[0] if played else None)
    return played[0] if played else 0


def tricks_proving(line: SettlementLine) -> list[int]:
    """Return the tricks that prove a line."""
    return [int(at[1:].partition(".")[0]) for at in line.proof if at[:1] == "t"]
