"""The known part of a deal settled from its facts: everything common to the completions that its stated facts and
amounts allow. An assumption made only for the price is not known, and is no fact."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from archive.judge.compare_stated import same
from archive.judge.completions import Completion, may_hide, possible_silent_doublings
from archive.judge.partial_record import AMOUNTS, amount_of, is_larger, is_unbalanced, settle_any_pot, stated_amount
from archive.judge.types import Case
from archive.record import Stated
from archive.rules import Contract
from archive.rules.tables import score_of
from archive.say import Message, message
from archive.settle.facts import contract_of, runners_due, states_runners
from archive.settle.types import Settlement, SettlementLine

T = TypeVar("T")
Priced = tuple[Completion, int]  # with the number of unwritten doublings
REACHED: dict[tuple[object, ...], list[dict[str, Any]]] = {}  # amounts of completions, at most MOST_REACHED
MOST_REACHED = 20_000
SIGNED = ("settle.runners-with", "settle.runners-without")


def known_settlement(case: Case, settled: Settlement, left: Sequence[Completion]) -> Settlement:
    """Return the settlement from the facts of a deal without what is assumed for its price: Schneider, Schwarz,
    runners, doublings and their parts of the price. Its price and amounts stay."""
    row = case.ruleset.contracts[contract_of(case.deal)]
    stated, hidden = case.deal.stated or Stated(), may_hide(case, row)
    priced = [(world, 0) for world in left] if hidden else list(priced_as_stated(case, row, left))
    worlds, is_priced = [world for world, _ in priced], not hidden and {silent for _, silent in priced} == {0}
    virgins = {each.outcome.result.virgins for each in worlds}
    is_priced = is_priced and common(map(len, virgins)) is not None
    parts: dict[str, Any] = {"multiplier": settled.multiplier if is_priced else None}
    for key in ("schneider", "schwarz"):
        several = {getattr(each.outcome.result, key) for each in worlds}  # None in each: this game does not pay it
        is_known = getattr(stated, key) is not None or (len(several) == 1 and not hidden)
        parts |= {} if is_known else {key: None, f"{key}_amount": None}
    parts |= {"side_tricks": None} if stated.tricks is None else {}
    parts |= {"side_points": None} if stated.points is None else {}
    if settled.runners is not None:
        parts |= known_runners(case, row, settled, worlds, hidden)
    is_unnamed = len(virgins) > 1 and isinstance(stated.virgins, int)
    lines = tuple(map(without_virgin, settled.lines)) if is_unnamed else settled.lines
    known = replace(settled, **parts, lines=lines)
    if known.runners is not None or settled.runners is None:
        return known
    return replace(known, lines=tuple(replace(line, message=without_sign(line.message)) for line in lines))


def known_runners(
    case: Case, row: Contract, settled: Settlement, worlds: list[Completion], hidden: bool
) -> dict[str, Any]:
    """Return what is known of the runners as fields of a settlement. If none are stated, completions tell apart only
    those that are paid, and not who had them."""
    stated = case.deal.stated or Stated()
    is_stated = states_runners(stated)
    due = common(runners_due(case.ruleset, row, each.runners) for each in worlds)
    if due is None or (hidden and not is_stated):
        return {"runners": None, "runners_paid": None, "runners_amount": None}
    signed = common(each.runners for each in worlds) if is_stated else None
    count = common(abs(each.runners) for each in worlds) if is_stated or due else None
    return {
        "runners": signed,
        "runner_count": count if signed is None else None,
        "runners_amount": None if due and count is None else settled.runners_amount,
    }


def common(values: Iterable[T]) -> T | None:
    """Return the value that all have; None if they differ or there are none."""
    several = set(values)
    return several.pop() if len(several) == 1 else None


def priced_as_stated(case: Case, row: Contract, left: Sequence[Completion]) -> Iterator[Priced]:
    """Yield the completions, with every number of unwritten doublings, that come to the stated amounts; all of them if
    no amounts are stated or none comes to them."""
    wanted = [
        key for key in AMOUNTS if getattr(case.deal.stated, key, None) is not None and not is_unbalanced(case, key)
    ]
    counts = possible_silent_doublings(case, row)
    written, fits = {key: stated_amount(case, key) for key in wanted}, False
    for count in counts if wanted else ():
        smaller = False
        for world in left:
            reached = reached_amounts(case, row, world._replace(silent=count), tuple(wanted))
            if any(all(each is None or same(written[key], each) for key, each in one.items()) for one in reached):
                fits = True
                yield world, count
            smaller = smaller or not all(is_larger(one[key], written[key]) for one in reached for key in wanted)
        if not smaller:
            break  # another doubling makes none smaller
    if not fits:
        yield from ((world, count) for count in counts[:2] for world in left)


def reached_amounts(case: Case, row: Contract, world: Completion, wanted: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the amounts that a completion may come to. A long list of results has few kinds of deals, so each kind is
    worked out once."""
    result, before, deal = world.outcome.result, case.before, case.deal
    key = (
        case.ruleset.digest, deal.game, deal.round, deal.knocks, deal.doubles, deal.cut, deal.sits_out, wanted,
        before.stock, before.hausbock, before.stake, before.rounds, case.replay.active, case.replay.declarer,
        len(case.players), deal.events, world.partner, result.won, result.undecided, result.schneider, result.schwarz,
        result.loser, result.virgins, result.march, abs(world.runners), world.silent,
        deal.stated.payments if before.stock is None and deal.stated else None,
    )  # fmt: skip
    is_plain = not (score_of(case.ruleset.house) or deal.hands or deal.held or deal.tricks or row.parties == "each")
    reached = REACHED.get(key) if is_plain else None
    if reached is None:
        reached = [{name: amount_of(case, each, name) for name in wanted} for each in settle_any_pot(case, row, world)]
        if len(REACHED) >= MOST_REACHED:
            REACHED.clear()
        if is_plain:
            REACHED[key] = reached
    return reached


def without_virgin(line: SettlementLine) -> SettlementLine:
    """Return the line of a virgin without saying who it was, since the record may tell their number alone."""
    doubles = (line.part, line.kind) == ("virgin", "times")
    return replace(line, message=message("settle.a-virgin"), who=()) if doubles else line


def without_sign(says: Message) -> Message:
    """Return the message of a line with the number of runners, but not who had them."""
    if says.id in SIGNED:
        return Message("settle.runners-counted", says.facts)
    what = says.facts.get("what")
    return message(says.id, **{**says.facts, "what": without_sign(what)}) if isinstance(what, Message) else says
