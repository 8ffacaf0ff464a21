"""The dispute of a deal: each player's amounts, the causes that would give what is stated, the likeliest first, the
card that decides."""

from collections.abc import Mapping, Sequence

from archive.explain.report import alike
from archive.explain.texts import offer_of
from archive.explain.types import Explained
from archive.judge.compare_stated import comparisons
from archive.judge.judge_deal import errors_in
from archive.judge.types import Judgement
from archive.rules import installed_rulesets, load
from archive.rules.tables import score_of
from archive.say import say
from archive.settle.rulings import is_left_to_table
from archive.settle.types import SettlementLine
from archive.text.numbers import format_signed
from archive.text.wording import Texts
from archive.web.deal.model import Cause, Dispute, LikelyCauses, Move, SeatAmount
from archive.web.sentences import citation_words, to_sentence

MOST_CAUSES = 5  # explanations that are shown; the page says how many more fit


def likely_causes(explained: Explained, t: Texts, people: Mapping[str, int] | None = None) -> LikelyCauses | None:
    """Return the likely causes; None if there is nothing to explain. `people` are the numbers of the players by their
    names."""
    if explained.state in ("agrees", "undecidable", "unplayable"):
        return None
    books = (load(name)[0] for name in installed_rulesets())
    documents = {number: title for book in books if book for number, title in book.sources.items()}
    causes, arguments = [], []
    for place, explanation in enumerate(explained.explanations[:MOST_CAUSES]):
        argument = alike(explained.explanations[0], explanation) if place else None  # why they cannot be told apart
        arguments += [say(argument, t["lang"])] if argument else []
        cites = (citation_words(change.cite, documents, t) for change in explanation.changes if change.cite)
        text = to_sentence(offer_of(explanation.changes), t, t["faces"], people)
        causes.append(Cause(text, tuple(dict.fromkeys(cites)), argument is not None))
    more = max(0, len(explained.explanations) - MOST_CAUSES)
    says = to_sentence(explained.message, t, explained.faces, people)
    return LikelyCauses(says, tuple(causes), more, tuple(dict.fromkeys(arguments)))


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
    # the first card against the rules, else the last that proves the line in dispute
    ids = {move.id for move in order}
    broken = (f"t{finding.at}" for finding in errors_in(judgement.findings) if finding.at)
    proof = judgement.settlement.lines[place].proof if place is not None and judgement.settlement else ()
    return Dispute(
        amounts if any(amount.differs for amount in amounts) else (),
        why,
        next((id for id in (*broken, *reversed(proof)) if id in ids), ""),
    )


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
