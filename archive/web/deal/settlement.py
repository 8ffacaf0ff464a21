"""The deal below the table: the lines of the settlement, what is stated beside what is computed, the findings."""

from collections.abc import Sequence
from typing import Any

from archive.judge.compare_stated import SEATS, Comparison, comparisons
from archive.judge.types import Judgement
from archive.record import Finding, remedy
from archive.settle.types import SettlementLine
from archive.text.numbers import format_signed
from archive.text.wording import Texts, card_name, cite_words, finding_words, line_words, sentence
from archive.web.deal.model import ComparisonRow, FindingView, MoveLink, SettlementRow
from archive.web.deal.moves import Move


def _link(to: str, order: Sequence[Move], t: Texts) -> MoveLink | None:
    """A link to a move, named after its card or its words."""
    move = next((move for move in order if move.id == to), None)
    return MoveLink(card_name(move.card, t) if move.card else move.say.rstrip("."), to) if move else None


def settlement_row(line: SettlementLine, order: Sequence[Move], names: Sequence[str], t: Texts) -> SettlementRow:
    amounts = {
        "times": f"× {line.amount}",
        "at-most": f"≤ {line.amount}",
        "pot": t["pot"].format(amount=format_signed(line.amount)),
        "per-player": format_signed(line.amount),
    }.get(line.kind, str(line.amount) if line.running == line.amount else format_signed(line.amount))
    proof = tuple(link for to in line.proof if (link := _link(to, order, t)))
    who = "" if line.kind == "per-player" else ", ".join(names[seat] for seat in line.who)
    return SettlementRow(line_words(line, t), amounts, line.running, cite_words(line.cite, t), who, proof)


def comparison_rows(judgement: Judgement, t: Texts) -> tuple[ComparisonRow, ...]:
    """Everything that the source states, or a person has ruled, beside what the rules compute for it."""
    names = judgement.session.players
    rows = []
    for pair in comparisons(judgement):
        if pair.key in PER_SEAT and (isinstance(pair.stated, tuple) or pair.ruled):
            columns = (value or (None,) * len(names) for value in (pair.stated, pair.computed, pair.ruled))
            rows += [
                _account(t[f"a_{pair.key}_of"].format(name=name), Comparison(pair.key, *three), names, t)
                for name, *three in zip(names, *columns, strict=False)
                if three[0] is not None or pair.ruled
            ]
        else:
            rows.append(_account(t[f"a_{pair.key}"], pair, names, t))
    return tuple(rows)


PER_SEAT = ("points", "tricks", "payments", "totals", "marks")


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


def finding_view(finding: Finding, order: Sequence[Move], t: Texts) -> FindingView:
    at = finding.at or ""
    to = at if not at[:1].isdigit() else f"t{at}" if "." in at else f"t{at}.1"
    place = f"{finding.source.path}:{finding.source.line}" if finding.source else ""
    message, do = sentence(finding_words(finding, t["lang"])), remedy(finding.rule, t["lang"])
    return FindingView(finding.rule, finding.severity, message, do, _link(to, order, t), place)
