"""The deal below the table: the lines of the settlement, what is stated beside what is computed, the findings."""

from collections.abc import Sequence
from typing import Any

from archive.audit.stated import SEATS, Pair, compared
from archive.audit.types import Judgement
from archive.record import Finding, remedy
from archive.settle.types import Line
from archive.web.parts import Account, Found, Link, Sum
from archive.web.steps import Move
from archive.web.wording import Texts, card_name, cite_words, line_words, sentence


def signed(amount: int | None) -> str:
    """An amount with its sign, as a score sheet has it."""
    if amount is None:
        return "–"
    return f"{amount:+d}".replace("-", "−") if amount else "0"


def _link(to: str, order: Sequence[Move], t: Texts) -> Link | None:
    """A link to a move, named after its card or its words."""
    move = next((move for move in order if move.id == to), None)
    return Link(card_name(move.card, t) if move.card else move.say.rstrip("."), to) if move else None


def line_of(line: Line, order: Sequence[Move], names: Sequence[str], t: Texts) -> Sum:
    shown = {
        "times": f"× {line.amount}",
        "at-most": f"≤ {line.amount}",
        "pot": t["pot"].format(amount=signed(line.amount)),
        "per-player": signed(line.amount),
    }.get(line.kind, str(line.amount) if line.running == line.amount else signed(line.amount))
    proof = tuple(link for to in line.proof if (link := _link(to, order, t)))
    who = "" if line.kind == "per-player" else ", ".join(names[seat] for seat in line.who)
    return Sum(line_words(line, t), shown, line.running, cite_words(line.cite, t), who, proof)


def accounts(judgement: Judgement, t: Texts) -> tuple[Account, ...]:
    """Everything that the source states, or a person has ruled, beside what the rules compute for it."""
    names = judgement.session.players
    rows = []
    for pair in compared(judgement):
        if pair.key in PER_SEAT and (isinstance(pair.stated, tuple) or pair.ruled):
            each = (value or (None,) * len(names) for value in (pair.stated, pair.computed, pair.ruled))
            rows += [
                _account(t[f"a_{pair.key}_of"].format(name=name), Pair(pair.key, *three), names, t)
                for name, *three in zip(names, *each, strict=False)
                if three[0] is not None or pair.ruled
            ]
        else:
            rows.append(_account(t[f"a_{pair.key}"], pair, names, t))
    return tuple(rows)


PER_SEAT = ("points", "tricks", "payments", "totals", "marks")


def _account(label: str, pair: Pair, names: Sequence[str], t: Texts) -> Account:
    def shown(value: Any, listed: bool = False) -> str:
        if value is None:
            return "–"
        if isinstance(value, bool):
            return t["yes"] if value else t["no"]
        if isinstance(value, tuple):
            return ", ".join(shown(each, listed=True) for each in value) or t["nobody"]
        if pair.key in SEATS and (listed or pair.key != "virgins"):  # of virgins a source may state the number only
            return str(names[value])
        return signed(value) if pair.key in ("payments", "totals") else str(value)

    ruled = "" if pair.ruled is None else shown(pair.ruled)
    return Account(label, shown(pair.stated), shown(pair.computed), pair.differs, ruled)


def found_of(finding: Finding, order: Sequence[Move], t: Texts) -> Found:
    at = finding.at or ""
    to = at if not at[:1].isdigit() else f"t{at}" if "." in at else f"t{at}.1"
    place = f"{finding.source.path}:{finding.source.line}" if finding.source else ""
    message, do = sentence(finding.message), remedy(finding.rule, t["lang"])
    return Found(finding.rule, finding.severity, message, do, _link(to, order, t), place)
