"""The deal below the table: the lines of the settlement, what is stated beside what is computed, the findings; and its
dispute: each player's amounts, the causes that would give what is stated, the likeliest first, the card that
decides."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from archive.explain.report import alike
from archive.explain.texts import offer_of
from archive.explain.types import Explained
from archive.judge.compare_stated import SEATS, Comparison, comparisons
from archive.judge.judge_deal import errors_in
from archive.judge.sentences import PER_SEAT
from archive.judge.types import Judgement
from archive.play.types import Sides
from archive.record import Finding, remedy
from archive.rules import installed_rulesets, load
from archive.rules.tables import score_of
from archive.say import say
from archive.settle.rulings import is_left_to_table
from archive.settle.types import SettlementLine
from archive.text.file_names import file_place
from archive.text.numbers import format_signed
from archive.text.wording import Texts, card_name, line_words
from archive.web.deal.model import (
    Cause,
    ComparisonRow,
    Dispute,
    FindingView,
    LikelyCauses,
    Move,
    MoveLink,
    SeatAmount,
    SettlementRow,
)
from archive.web.sentences import citation_words, document_of, to_sentence, worded_finding


def _link(to: str, order: Sequence[Move], t: Texts) -> MoveLink | None:
    """Return a link to a move, named after its card or its words."""
    move = next((move for move in order if move.id == to), None)
    return MoveLink(card_name(move.card, t) if move.card else move.say.rstrip("."), to) if move else None


def _points_link(to: str, order: Sequence[Move], sides: Sides, t: Texts) -> MoveLink | None:
    """Return a link to the card with which a side, or in a Ramsch its loser, comes to the points that decide:
    `61 with Gras-7, trick 7`."""
    link, move = _link(to, order, t), next((move for move in order if move.id == to), None)
    if link is None or move is None or move.take is None or not move.card or not sides:
        return link
    taker = move.take[0]
    together = [seat for seat in move.won if sides[seat] == sides[taker]] if len(set(sides)) > 1 else [taker]
    points = sum(move.won[seat][0] for seat in together)
    return MoveLink(t["proof_points"].format(points=points, card=link.text, trick=move.part), to)


def settlement_row(
    line: SettlementLine,
    order: Sequence[Move],
    names: Sequence[str],
    t: Texts,
    sides: Sides = (),
    sources: Mapping[str, str] | None = None,
) -> SettlementRow:
    """Return a line of the settlement, with links to the moves that prove it. `sides` are those of the seats; `sources`
    are the titles of the documents of the rules by their numbers."""
    amounts = {
        "times": f"× {line.amount}",
        "at-most": f"≤ {line.amount}",
        "pot": t["pot"].format(amount=format_signed(line.amount)),
        "per-player": format_signed(line.amount),
    }.get(line.kind, str(line.amount) if line.running == line.amount else format_signed(line.amount))
    by_points = sides if line.part in ("game", "schneider") and len(line.proof) == 1 else ()
    proof = tuple(link for to in line.proof if (link := _points_link(to, order, by_points, t)))
    who = "" if line.kind == "per-player" else ", ".join(names[seat] for seat in line.who)
    cite, document = citation_words(line.cite, sources or {}, t), document_of(line.cite)
    return SettlementRow(line_words(line, t), amounts, line.running, cite, who, proof, document)


def comparison_rows(judgement: Judgement, t: Texts) -> tuple[ComparisonRow, ...]:
    """Return everything that the source states, or that somebody has ruled, beside what the rules compute for it."""
    names = judgement.session.players
    rows: list[ComparisonRow] = []
    for pair in comparisons(judgement):
        if pair.key == "winners":
            stated, computed = (_tricks_by_taker(tricks, names) for tricks in (pair.stated, pair.computed))
            rows.append(ComparisonRow(t["a_winners"], stated, computed, pair.differs))
        elif pair.key in PER_SEAT and (isinstance(pair.stated, tuple) or pair.ruled):
            rows += _rows_per_seat(pair, pair.ruled is not None and is_left_to_table(judgement.settlement), names, t)
        else:
            rows.append(_account(t[f"a_{pair.key}"], pair, names, t))
    return tuple(rows)


def _rows_per_seat(pair: Comparison, left_to_table: bool, names: Sequence[str], t: Texts) -> Iterator[ComparisonRow]:
    """Yield a row for each seat with something stated or ruled; the rules give no value for what they leave to the
    table."""
    columns = (value or (None,) * len(names) for value in (pair.stated, pair.computed, pair.ruled))
    for name, *three in zip(names, *columns, strict=False):
        if three[0] is not None or pair.ruled:
            row = _account(t[f"a_{pair.key}_of"].format(name=name), Comparison(pair.key, *three), names, t)
            yield replace(row, computed="–") if left_to_table else row


def _tricks_by_taker(winners: Sequence[int | None] | None, names: Sequence[str]) -> str:
    """Return the tricks of each taker, as `Anna: 1, 4, 5; Ben: 2`, by the first of each; last those that nobody is
    known to have taken."""
    tricks: dict[int | None, list[str]] = {}
    for number, seat in enumerate(winners or (), 1):
        tricks.setdefault(seat, []).append(str(number))
    unknown = tricks.pop(None, [])
    words = [f"{names[seat]}: {', '.join(numbers)}" for seat, numbers in tricks.items() if seat is not None]
    return "; ".join([*words, *([f"?: {', '.join(unknown)}"] if words and unknown else [])]) or "–"


def _account(label: str, pair: Comparison, names: Sequence[str], t: Texts) -> ComparisonRow:
    def format_value(value: Any, in_list: bool = False) -> str:
        if value is None:
            return "–"
        if isinstance(value, bool):
            return t["yes"] if value else t["no"]
        if isinstance(value, tuple):
            return ", ".join(format_value(each, in_list=True) for each in value) or t["nobody"]
        if pair.key in SEATS and (in_list or pair.key != "virgins"):  # of virgins a source may state the number only
            return str(names[value])
        return format_signed(value) if pair.key in ("payments", "totals") else str(value)

    ruled = "" if pair.ruled is None else format_value(pair.ruled)
    return ComparisonRow(label, format_value(pair.stated), format_value(pair.computed), pair.differs, ruled)


def finding_view(
    finding: Finding, order: Sequence[Move], t: Texts, people: Mapping[str, int] | None = None, follows: bool = False
) -> FindingView:
    """Return a finding in words, with a link to its move; `people` are the numbers of the players by their names."""
    at = finding.at or ""
    to = at if not at[:1].isdigit() else f"t{at}" if "." in at else f"t{at}.1"
    place = file_place(finding.source.path, finding.source.line) if finding.source else ""
    message, do = worded_finding(finding, t, people), remedy(finding.rule, t["lang"])
    return FindingView(finding.rule, finding.severity, message, do, _link(to, order, t), place, follows)


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
