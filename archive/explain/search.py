"""The search: which single change, else which pair of them, gives exactly what the record states."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import log
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.explain.arithmetic_slips import arithmetic_slips
from archive.explain.house_variants import amounts, readings
from archive.explain.texts import NOTHING_TO_EXPLAIN, reason_of, result_of_search, say_once_playable
from archive.explain.types import Change, Explained, Explanation, State, Step, change
from archive.explain.writing_slips import amount_slips, fact_slips, total_slips
from archive.judge.compare_stated import COMPUTED, Comparison, comparisons_of_case, same
from archive.judge.sentences import faces_of
from archive.judge.types import Case, Judgement
from archive.record import Stated
from archive.say import Message, message
from archive.settle.goals import points_in_play
from archive.settle.marks_ledger import marks_of_sides
from archive.settle.per_seat import coalesce

TRIALS = 1000  # of pairs, more than almost any deal has; that there are more is said then
BESIDE = 2.0  # what it costs that a fact is noted as it was, and reckoned with as if it were not
Vector = tuple[int | None, ...]


class StatedValues(Struct, frozen=True):
    """What a record states of a deal: the amounts of all (paid, or told by totals, or in marks), and facts by key."""

    amounts: Vector | None
    facts: dict[str, Any]
    totals: Vector | None = None  # beside the amounts
    had: Vector | None = None  # the totals before


def explain(found: Judgement, beside: Sequence[Judgement] = (), trials: int = TRIALS) -> Explained:
    """What explains a judged deal. `beside` are the deals before and after it in its session, where they are known;
    `trials` is how many pairs of changes are tried at most."""
    case, faces = case_of(found), faces_of(found)
    if found.verdict == "agrees":
        return Explained(state="agrees", message=NOTHING_TO_EXPLAIN)
    if found.verdict == "unplayable" or case is None:
        return Explained(state="unplayable", message=say_once_playable(found), faces=faces)
    if vector(case) is None and not any(pair.differs for pair in comparisons_of_case(case)):
        state: State = "not-amounts" if found.verdict == "differs" else "undecidable"
        return Explained(state=state, message=reason_of(found), faces=faces)
    told = stated_values_of(case)
    differing = differing_values(case, told)
    if not differing:
        return Explained(state="not-amounts", message=message("explain.reason", reason=found.reason), faces=faces)
    return search_causes(found, case, told, differing, beside, trials)


def case_of(found: Judgement) -> Case | None:
    """What a check looks at; None where nothing was computed."""
    if found.ruleset is None or found.replay is None or found.settlement is None:
        return None
    return Case(found.deal, found.session.players, found.ruleset, found.before, found.replay, found.settlement)


def vector(case: Case) -> tuple[int, ...] | None:
    """The computed amounts per seat."""
    each = case.settlement.payments if case.settlement.marks is None else case.settlement.marks
    return None if each is None or None in each else tuple(own or 0 for own in each)


def stated_values_of(case: Case) -> StatedValues:
    """What the record states that a deal alone decides."""
    stated, before = case.deal.stated or Stated(), case.before
    facts = {pair.key: pair.stated for pair in comparisons_of_case(case) if pair.key != "payments"}
    if case.settlement.marks is not None:
        had = coalesce(before.stated_marks, before.marks)
        return StatedValues(differences(marks_of_sides(stated.marks), had), facts)
    had = coalesce(before.stated_totals, before.totals)
    if stated.payments is not None:
        return StatedValues(stated.payments, facts, stated.totals, had)
    return StatedValues(differences(stated.totals, had), facts, stated.totals, had)


def differences(after: Vector | None, before: Vector | None) -> Vector | None:
    if after is None or before is None or len(after) != len(before):
        return None
    both = zip(after, before, strict=True)
    return tuple(None if own is None or had is None else own - had for own, had in both)


def differing_values(case: Case, told: StatedValues) -> dict[str, Comparison]:
    """The pairs that differ, by key: `amounts`, `totals` beside right amounts, and facts."""
    found = {pair.key: pair for pair in comparisons_of_case(case) if pair.key != "payments" and pair.differs}
    own = vector(case)
    if own is not None and told.amounts is not None and not same(told.amounts, own):
        found["amounts"] = Comparison("amounts", told.amounts, own)
    elif own is not None and told.totals is not None and told.had is not None and None not in told.had:
        after = tuple((had or 0) + each for had, each in zip(told.had, own, strict=True))
        if not same(told.totals, after):
            found["totals"] = Comparison("totals", told.totals, after)
    return found


# --- singles and pairs ------------------------------------------------------------------------------------------------


class Tally(Struct):
    """How much has been tried, and how much may be. Mutable, and never leaves a search."""

    most: int
    tried: int = 0
    whole: bool = True

    def is_full(self) -> bool:
        """Whether no more may be tried."""
        self.whole = self.whole and self.tried < self.most
        return not self.whole


def search_causes(
    found: Judgement,
    case: Case,
    told: StatedValues,
    differing: dict[str, Comparison],
    beside: Sequence[Judgement],
    trials: int,
) -> Explained:
    """The explanations of what differs. Pairs are tried only where no single change fits."""
    tally = Tally(trials)
    steps = effective_steps(case, (*readings(case, found.session), *arithmetic_slips(case)))
    explanations = [*single_explanations(case, told, steps, beside, found, tally)]
    if not explanations:
        tally.most += tally.tried  # of pairs
        explanations = [*pair_explanations(case, told, steps, beside, found, tally)]
    explanations = group_by_cause(explanations)
    return Explained(
        state="explained" if explanations else "none-fits",
        message=result_of_search(explanations, tally.tried, tally.whole),
        faces=faces_of(found),
        explanations=tuple(explanations),
        stated={key: pair.stated for key, pair in differing.items()},
        computed={key: pair.computed for key, pair in differing.items()},
        tried=tally.tried,
        whole=tally.whole,
    )


def group_by_cause(explanations: list[Explanation]) -> list[Explanation]:
    """One explanation for each cause, the likeliest first; beside it the other ways in which that cause fits too."""
    groups: dict[tuple[str, ...], dict[tuple[Message, ...], Explanation]] = {}
    for each in sorted(explanations, key=lambda each: each.weight):
        group = groups.setdefault(tuple(sorted(made.cause for made in each.changes)), {})
        group.setdefault(tuple(made.message for made in each.changes), each)
    several = [list(group.values()) for group in groups.values()]
    return [replace(first, ways=tuple(each.changes for each in others)) for first, *others in several]


def effective_steps(case: Case, steps: Iterable[Step]) -> list[Step]:
    """The steps that move anything. Those of one cause share its likelihood: where it is possible in n ways, and k of
    them come to the same, each of these is as likely as k in n."""
    base, found = (amounts(case), facts_of(case)), {}
    for made, after in steps:
        effect = amounts(after), facts_of(after)
        if effect != base:
            found[made.cause, made.message] = (made, after, repr(effect))
    ways = Counter(made.cause for made, _, _ in found.values())
    same_way = Counter((made.cause, effect) for made, _, effect in found.values())
    return [
        (replace(made, cost=made.cost + log(ways[made.cause] / same_way[made.cause, effect])), after)
        for made, after, effect in found.values()
    ]


def facts_of(case: Case) -> dict[str, Any]:
    return {key: compute(case) for key, compute in COMPUTED.items() if getattr(case.deal.stated, key, None) is not None}


def single_explanations(
    case: Case, told: StatedValues, steps: list[Step], beside: Sequence[Judgement], found: Judgement, tally: Tally
) -> Iterator[Explanation]:
    """One change: of the rules, of the reckoning, or of what is written."""
    for made, after in steps:
        tally.tried += 1
        cost = cost_of_facts(case, after, told)
        if cost is not None and amounts_fit(after, told):
            yield Explanation((made,), made.cost + cost)
    written = [*writing_slips_of(case, told, beside, found)]
    for several in written:
        tally.tried += 1
        if len(several) == 1:
            yield explanation(several)


def pair_explanations(
    case: Case, told: StatedValues, steps: list[Step], beside: Sequence[Judgement], found: Judgement, tally: Tally
) -> Iterator[Explanation]:
    """Two changes, the likelier first: after each single one another slip in reckoning, then one in writing."""
    yield from (explanation(each) for each in writing_slips_of(case, told, beside, found) if len(each) == 2)
    for made, after in sorted(steps, key=lambda step: step[0].cost):
        tally.tried += 1
        if tally.is_full():
            return
        for slip in writing_slips_of(after, told, beside, found, case):
            if len(slip) == 1:
                yield explanation((made, *slip))
        for second, last in effective_steps(after, arithmetic_slips(after)):
            tally.tried += 1
            if second.cause == made.cause and second.message == made.message:
                continue
            cost = cost_of_facts(case, last, told)
            if cost is not None and amounts_fit(last, told):
                yield Explanation(tuple(sorted((made, second), key=str)), made.cost + second.cost + cost)


def explanation(changes: tuple[Change, ...]) -> Explanation:
    return Explanation(changes, sum(each.cost for each in changes))


def amounts_fit(case: Case, told: StatedValues) -> bool:
    """Whether a case has the amounts that are told, and something is told of it."""
    own = vector(case)
    if told.amounts is None:
        return "price" in told.facts and COMPUTED["price"](case) == told.facts["price"]
    paid = own is not None and same(told.amounts, own)
    if not paid or told.totals is None or told.had is None:
        return paid
    return same(told.totals, tuple(None if a is None else a + b for a, b in zip(told.had, own or (), strict=True)))


def cost_of_facts(case: Case, after: Case, told: StatedValues) -> float | None:
    """What it costs that facts are told as they were and not as after a change; None where one is told as neither."""
    cost = 0.0
    for key, fact in told.facts.items():
        if told.amounts is None and key == "price":
            continue
        now, was = COMPUTED[key](after), COMPUTED[key](case)
        if now is None or same(fact, now):
            continue
        if was is not None and not same(fact, was):
            return None
        cost += BESIDE
    return cost


# --- what is written --------------------------------------------------------------------------------------------------


def writing_slips_of(
    case: Case, told: StatedValues, beside: Sequence[Judgement], found: Judgement, first: Case | None = None
) -> Iterator[tuple[Change, ...]]:
    """The slips in writing, one for each pair that differs, two pairs at most. `first` is the case before another
    change, whose facts may be noted too."""
    differing = differing_values(case, told)
    if first is not None:
        was = facts_of(first)
        differing = {key: pair for key, pair in differing.items() if key not in was or not same(pair.stated, was[key])}
    if not 0 < len(differing) <= 2:
        return
    several = [[*slips_of(case, told, pair, beside, found)] for pair in differing.values()]
    if len(several) == 1:
        yield from ((each,) for each in several[0])
    else:
        yield from ((one, other) for one in several[0] for other in several[1])


def slips_of(
    case: Case, told: StatedValues, pair: Comparison, beside: Sequence[Judgement], found: Judgement
) -> Iterator[Change]:
    if pair.key == "amounts":
        yield from amount_slips(pair.computed, pair.stated, case.players)
        yield from neighbour_slips(pair.stated, beside, found)
        if told.totals is not None and told.had is not None and case.deal.stated and case.deal.stated.payments is None:
            yield from total_slips(*_whole(told.had, pair.computed), told.totals, case.players)
    elif pair.key == "totals":
        assert told.totals is not None
        assert told.had is not None
        own = vector(case)
        assert own is not None
        yield from total_slips(*_whole(told.had, own), told.totals, case.players)
    else:
        whole = points_in_play(case.replay)
        yield from fact_slips(pair.key, pair.computed, pair.stated, whole, case.players)


def _whole(had: Vector, paid: Vector) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(each or 0 for each in had), tuple(each or 0 for each in paid)


def neighbour_slips(told: Vector, beside: Sequence[Judgement], found: Judgement) -> Iterator[Change]:
    """The amounts of the deal before or after, as the rules give them or as they are stated."""
    for other in beside:
        if abs(other.number - found.number) != 1 or other.session.players != found.session.players:
            continue
        theirs = [other.settlement.payments if other.settlement else None]
        theirs.append(other.deal.stated.payments if other.deal.stated else None)
        if any(each is not None and any(each) and same(told, each) for each in theirs):
            low = other.number > found.number
            way = message("explain.high" if low else "explain.low")
            yield change("neighbour", number=other.number, way=way)
