"""The objects of clean deals in `schafkopf check --json`, written from their rows: the bytes that
`archive.judge.report` gives.

The first deal of a kind is judged and reported in words, with signs for whatever other deals of the kind have
otherwise: who plays, points, totals, the moments of the play that show a part of the price. The others fill them in.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from archive.bulk.batch import Batch
from archive.bulk.clean_deals import SIDES, basis_of_clean, clean_judgement, step_at, with_lines
from archive.bulk.line_structs import Quick
from archive.bulk.session_heads import PlanRegistry, SessionHead, active
from archive.bulk.struct_reader import SIGNS
from archive.cards import CODES
from archive.engine import columns as c
from archive.judge.report import report
from archive.judge.types import Judgement, unit_of_deal
from archive.play.types import Replay, Step
from archive.rules import Ruleset
from archive.rules.tables import per_object
from archive.say import isolate
from archive.settle.goals import Terms, terms_of
from archive.settle.price import PROOFS, deciding_points
from archive.settle.types import Settlement, SettlementLine

MOST = 1 << 12  # texts that are remembered of a ruleset
NAMES = tuple(f"\0{seat}\0" for seat in range(c.MOST_SEATS))  # signs for the players
SIGN = re.compile(r'(?:"\\u0000=|\\u0000)(\w+)\\u0000(?:=")?')  # of a value, or within a text
VALUES = (
    "line deal id declarer partner seats sides won dealer points tricks_won side_points runners payments state stated"
).split()
LEDGER = "dealer totals stock hausbock stake sum".split()
UNKNOWN: Any = object()
JSON = msgspec.json.Encoder()


class Form(NamedTuple):
    """A text in pieces, each second of them to be replaced by the value of a field."""

    pieces: list[str]
    fields: list[str]


class LineText(Struct, frozen=True):
    """The objects of some deals, and of their ledgers."""

    line: Form
    state: Form
    proofs: tuple[str, ...]  # the parts of the price whose moments are filled in
    names: bool  # whether players are, in the settlement
    run: tuple[str, ...]  # the runners that are paid
    terms: Terms | None


class Known(Struct):
    """The texts under a ruleset by what else they are alike in, and the plans whose numbers that has."""

    plans: PlanRegistry | None = None
    texts: dict[Any, LineText | None] = {}


@per_object
def known_of(_: Ruleset) -> Known:
    return Known()


def clean_reports(batch: Batch, language: str) -> Iterator[tuple[int, Raw | Judgement]]:
    """Yield each clean row with its line: written, or a judgement that has to be reported in words."""
    now: SessionHead | None = None
    before: tuple[Sequence[int], str] = [], ""
    for row, facts in enumerate(batch.engine.lists(batch.facts)):
        if batch.code[row]:
            continue
        head, quick = batch.heads[batch.head[row]], batch.quick[row]
        assert head.ruleset
        assert quick
        if head is not now:
            known, now, names = known_of(head.ruleset), head, [write(name) for name in head.players]
            of_head = batch.source.path, head.session.unit, head.begun.table.list_name, language
            before, isolated = ([], ""), any(isolate(name) != name for name in head.players)
            if known.plans is not batch.plans or len(known.texts) > MOST:
                known.plans, known.texts = batch.plans, {}
        order, kind = kind_of(batch, head, quick, facts)
        line = known.texts.get((of_head, kind), UNKNOWN)
        if line is UNKNOWN:
            line = known.texts[of_head, kind] = new_text(batch, row, facts, order, language)
        if line is None or (line.names and isolated):
            yield batch.line[row], with_lines(clean_judgement(batch, row, facts))
            continue
        values = values_of(facts, names)
        lies, state = before
        if lies != facts[c.BEFORE : c.AFTER]:
            state = write_state(line.state, facts[c.BEFORE : c.AFTER], names)
        after = write_state(line.state, facts[c.AFTER :], names)
        before = facts[c.AFTER :], after
        values["line"], values["deal"], values["id"] = str(batch.line[row]), str(batch.number[row]), write(quick.id)
        values["state"], values["stated"] = f'{state[:-1]},"after":{after}}}', write(quick.stated)
        if line.terms:
            values |= settled_values(head, quick, facts, line)
        if line.names:
            values |= {str(place): names[seat][1:-1] for place, seat in enumerate(order)}
        yield batch.line[row], Raw(fill(line.line, values).encode())


def kind_of(
    batch: Batch, head: SessionHead, quick: Quick, facts: Sequence[int]
) -> tuple[Sequence[int], tuple[Any, ...]]:
    """Return in which order seats are named by the signs of a text, and all on which it depends besides what is filled
    in."""
    contract, order = batch.plans.every[facts[c.PLAN]].contract, list(range(len(head.players)))
    table = facts[c.BEFORE + c.S_STOCK : c.BEFORE + c.S_LIST_DEALS]
    kind = (
        quick.stated is None, basis_of_clean(quick), facts[c.PLAN], facts[c.WON], facts[c.SIDE_POINTS] == c.NONE,
        facts[c.RUNNERS] if facts[c.RUNNERS_PAID] == 1 else 0, *facts[c.SCHNEIDER : c.RUNNERS],
        *facts[c.RUNNERS_PAID : c.VIRGINS], *table, facts[c.PARTNER] < 0,
        facts[c.UNDECIDED] == 1 and (facts[c.SIDE_POINTS], facts[c.TRICKS]),
    )  # fmt: skip
    if contract is None:  # thrown in
        return order, (*kind, len(quick.auction or ()), *facts[c.PAYMENT : c.PAYMENT + len(order)])
    if not quick.knocks and not quick.doubles and contract.declarer and not table[0]:
        return order, kind
    knocks = [head.seats[each] for each in quick.knocks or ()]
    doubles = [batch.plans.doubles[head.doubles[each]] for each in quick.doubles or ()]
    if table[0] or not contract.declarer:  # the text tells who is on which side
        kind = (*kind, *facts[c.SIDE : c.SIDE + len(order)])
    else:
        order = list(dict.fromkeys((*knocks, *[each.seat for each in doubles], *order)))
    said = [(order.index(each.seat), each.word, each.trick, each.card) for each in doubles]
    return order, (*kind, tuple([order.index(each) for each in knocks]), *said)


def values_of(facts: Sequence[int], names: list[str]) -> dict[str, str]:
    """Return who played what and what came of it, as JSON; as `game_report` and `result_report` have it."""
    seats = len(names)
    declarer, partner = facts[c.DECLARER], facts[c.PARTNER]
    return {
        "declarer": "null" if declarer < 0 else names[declarer],
        "partner": "null" if partner < 0 else names[partner],
        "seats": f"[{','.join(names)}]",
        "sides": write_sides(*facts[c.SIDE : c.SIDE + seats]),
        "won": write_won(*facts[c.WINNER : c.WINNER + seats]),
        "dealer": names[facts[c.DEALER]],
        "points": write([None if each < 0 else each for each in facts[c.POINTS : c.POINTS + seats]]),
        "tricks_won": write([None if each < 0 else each for each in facts[c.TRICKS_WON : c.TRICKS_WON + seats]]),
        "side_points": "null" if facts[c.SIDE_POINTS] == c.NONE else str(facts[c.SIDE_POINTS]),
        "runners": "null" if facts[c.RUNNERS] == c.NONE else str(facts[c.RUNNERS]),
        "payments": write(facts[c.PAYMENT : c.PAYMENT + seats]),
    }


def write(value: Any) -> str:
    return JSON.encode(value).decode()


def fill(form: Form, values: dict[str, str]) -> str:
    pieces = form.pieces.copy()
    pieces[1::2] = [values[field] for field in form.fields]
    return "".join(pieces)


@lru_cache(1 << 10)
def write_sides(*sides: int) -> str:
    return write([SIDES[side] for side in sides])


@lru_cache(1 << 10)
def write_won(*wins: int) -> str:
    return write([each == 1 for each in wins] if 1 in wins else None)


def write_state(form: Form, lies: Sequence[int], names: Sequence[str]) -> str:
    """Return what lies on the table as JSON, in the form of `state_report`."""
    totals, dealer, stock = lies[c.S_TOTAL : c.S_TOTAL + len(names)], lies[c.S_DEALER], lies[c.S_STOCK]
    known = totals[0] != c.NONE
    return fill(form, {
        "dealer": "null" if dealer < 0 else names[dealer],
        "totals": write(totals) if known else "null",
        "stock": str(stock), "hausbock": str(lies[c.S_HAUSBOCK]), "stake": str(lies[c.S_STAKE]),
        "deals": str(lies[c.S_LIST_DEALS]), "sum": str(sum(totals) + stock) if known else "null",
    })  # fmt: skip


def settled_values(head: SessionHead, quick: Quick, facts: Sequence[int], line: LineText) -> dict[str, str]:
    """Return the points and the moments of the play that the lines of a settlement have."""
    seats, tricks, terms, ruleset = len(head.players), facts[c.TRICKS], line.terms, head.ruleset
    assert ruleset
    assert terms
    around = active(facts[c.DEALER], seats)
    played = Replay(
        active=around, playing=around, dealer=None, dealt=(), held=(), leaders=(),
        steps=tuple(steps_of_run(quick, line.run, seats)), winners=tuple(facts[c.TAKER : c.TAKER + tricks]),
        trick_points=tuple(facts[c.WORTH : c.WORTH + tricks]), declarer=None, partner=None,
        sides=tuple([SIDES[side] for side in facts[c.SIDE : c.SIDE + seats]]),
        points=tuple([None if each < 0 else each for each in facts[c.POINTS : c.POINTS + seats]]),
        tricks_won=(), complete=True, findings=(), missing=(),
    )  # fmt: skip
    points = None if facts[c.SIDE_POINTS] == c.NONE else facts[c.SIDE_POINTS]
    result = Settlement(won=facts[c.WON] == 1, side_points=points, runners=facts[c.RUNNERS])
    own, others = deciding_points(terms, played, result) or (0, 0)
    values = {"own": str(own), "others": str(others)}
    for part in line.proofs:
        values[f"of_{part}"] = write(PROOFS[part](ruleset, terms, played, result))
    return values


def steps_of_run(quick: Quick, run: tuple[str, ...], seats: int) -> Iterator[Step]:
    """Yield when each of some cards was played."""
    for number, text in enumerate(quick.tricks or () if run else (), 1):
        cards = text[1 - SIGNS * seats :]
        for card in run:
            if card in cards:
                yield step_at(0, number, cards.index(card) // SIGNS + 1, 0, card)


# --- the first deal of a kind -----------------------------------------------------------------------------------------


def new_text(batch: Batch, row: int, facts: Sequence[int], order: Sequence[int], language: str) -> LineText | None:
    """Return the text of a row; None if its settlement does not tell the same of all deals that are alike otherwise, if
    words do not give what the core gives, or if its session has what could be taken for a sign."""
    judgement = clean_judgement(batch, row, facts)
    rules, session, contract = judgement.ruleset, judgement.session, batch.plans.every[facts[c.PLAN]].contract
    assert rules
    if "\0" in f"{unit_of_deal(judgement)} {judgement.after.list_name}" or (contract and contract.parties == "each"):
        return None
    players = tuple([NAMES[order.index(seat)] for seat in range(len(session.players))])
    words = with_lines(replace(judgement, session=replace(session, players=players)))
    if words.verdict != "agrees" or words.settlement is None:
        return None
    lines = tuple(map(with_signs, words.settlement.lines))
    fields = report(replace(words, settlement=replace(words.settlement, lines=lines)), language)
    for line in fields["settlement"]:
        line["proof"] = f"\0=of_{line['part']}\0=" if line["part"] in PROOFS else line["proof"]
    state = fields["state"]["after"]
    state |= {key: f"\0={key}\0=" for key in LEDGER} | {"list": state["list"] | {"deals": "\0=deals\0="}}
    form, plan = form_of(fields | {key: f"\0={key}\0=" for key in VALUES}), batch.plans.every[facts[c.PLAN]]
    proofs = tuple([part for part in PROOFS if f"of_{part}" in form.fields])
    run = plan.tables.trumps[: abs(facts[c.RUNNERS])] if plan.tables and "runners" in proofs else ()
    terms = terms_of(judgement.deal, rules, contract) if contract else None
    named = any(map(str.isdigit, form.fields))
    return LineText(form, form_of(state), proofs, named, tuple([CODES[number] for number in run]), terms)


def with_signs(line: SettlementLine) -> SettlementLine:
    """Return a line with signs for its card points."""
    facts = line.message.facts
    if line.part != "game" or "others" not in facts:
        return line
    return replace(line, message=replace(line.message, facts={**facts, "points": "\0own\0", "others": "\0others\0"}))


def form_of(value: dict[str, Any]) -> Form:
    """Return an object with signs as JSON with fields."""
    pieces = SIGN.split(write(value))
    return Form(pieces, pieces[1::2])
