"""Evenings dealt in bulk: cards, play and settlement by the integer core, calls as in any deal."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.bulk.backend import PythonBackend, choose_backend
from archive.bulk.ledger_row import ledger_row
from archive.cards import CODES, PACKS, codes, numbers
from archive.engine import columns as c
from archive.engine import duties
from archive.engine import tricks as core
from archive.engine.compile import compile_functions
from archive.generate import chance
from archive.generate.calls import passed_out_deal, with_calls
from archive.generate.contract_mix import ContractMix
from archive.generate.plan import Evening, Plan, active_seats
from archive.judge.judge_deal import initial_state
from archive.judge.judge_stream import gc_paused
from archive.record import Deal, Stated, Trick
from archive.rules import Ruleset, hand_size

AGAIN = 1000  # times that a deal is dealt again, because no hand fits or nobody knows who lost it
MODULES = (duties, core, chance)
Rows = list[list[int]]


class Cards(Struct, frozen=True):
    """The cards of some deals, one row for each, as `chance.deal_run` takes and writes them; `asked` are the rows that
    the core judges."""

    wanted: Any
    seeds: Any
    orders: Any
    hands: Any
    cards: Any
    asked: Any


def bulk_deals(ruleset: Ruleset, mix: ContractMix, evenings: Sequence[Evening], fast: bool) -> list[Deal]:
    """Return the deals of some evenings, one after another, with the results that the rules give. Raise LookupError if
    no hand fits."""
    using = choose_backend(fast)
    plans = using.array([plan.row or () for plan in mix.plans])
    cards = shuffle_packs(ruleset, mix, evenings, using)
    deal(using, plans, cards, 0, len(cards.seeds))
    with gc_paused():
        called = list(make_calls(ruleset, mix, evenings, using.lists(cards.asked), using.lists(cards.hands)))
        for at, announced in enumerate(called):
            if isinstance(announced.knocks, tuple):
                cards.asked[at][c.A_KNOCKS] = len(announced.knocks)
            if isinstance(announced.doubles, tuple):
                cards.asked[at][c.A_DOUBLES] = len(announced.doubles)
        facts = settle_deals(ruleset, evenings, using, plans, cards)
        return list(with_results(ruleset, called, cards, using, facts))


# --- cards ------------------------------------------------------------------------------------------------------------


@cache
def dealing(fast: bool) -> Any:
    """Return `chance.deal_run`, compiled or plain."""
    return compile_functions(MODULES)["deal_run"] if fast else chance.deal_run


def shuffle_packs(ruleset: Ruleset, mix: ContractMix, evenings: Sequence[Evening], using: PythonBackend) -> Cards:
    """Return the rows to deal, drawn from each evening: dealer, contracts and a seed for each deal; and a pack in the
    evening's own order, since seeds are few enough to repeat."""
    pack, seats = list(numbers(PACKS[ruleset.house.deck])), ruleset.house.seats
    weights = [kind.weight for kind in mix.kinds]
    wanted, seeds, flat, orders = Rows(), list[int](), list[int](), Rows()
    for evening in evenings:
        dealer, own = evening.rng.randrange(seats), evening.rng.sample(pack, len(pack))
        for kind in evening.rng.choices(mix.kinds, weights, k=evening.deals):
            wanted.append([*kind.columns, *mix.sure.columns])
            seeds.append(evening.rng.randrange(1, 2**31 - 1))
            orders.append(own[:])
            flat += [c.NONE, dealer, c.NONE, c.NONE, 0, 0] + [c.NONE] * (c.ASKED_WIDTH - c.A_HANDS)
            dealer = (dealer + 1) % seats
    return Cards(
        wanted=using.array(wanted), seeds=using.array(seeds), orders=using.array(orders),
        hands=using.array([[0] * c.MOST_SEATS for _ in seeds]),
        cards=using.array([[0] * c.MOST_CARDS for _ in seeds]), asked=using.input_rows(flat, len(seeds)),
    )  # fmt: skip


def deal(using: PythonBackend, plans: Any, cards: Cards, start: int, stop: int) -> None:
    """Deal and play the rows from `start` to `stop`. Raise LookupError if no hand fits, whatever is dealt."""
    left = using.array([0] * c.MOST_SEATS)
    tried = 0
    while start < stop:
        at = int(dealing(using.fast)(
            plans, cards.wanted, cards.seeds, cards.orders, cards.hands, cards.cards, cards.asked, left, start, stop
        ))  # fmt: skip
        if at < stop:
            tried = tried + 1 if at == start else 1
            change_seed(cards, at, tried)
        start = at


def change_seed(cards: Cards, at: int, tried: int) -> None:
    """Give a deal another seed, to be dealt again. Raise LookupError if that was done too often."""
    if tried > AGAIN:
        raise LookupError("no hand fits")
    cards.seeds[at] = int(cards.seeds[at]) % (2**31 - 3) + 1


# --- calls ------------------------------------------------------------------------------------------------------------


def make_calls(
    ruleset: Ruleset, mix: ContractMix, evenings: Sequence[Evening], every: Rows, hands: Rows
) -> Iterator[Deal]:
    """Yield each deal with its calls, without its cards; `every` are the rows that the core judges."""
    seats = ruleset.house.seats
    around = [active_seats(dealer, seats, seats) for dealer in range(seats)]
    draws = (evening.rng for evening in evenings for _ in range(evening.deals))
    for rng, asked, held in zip(draws, every, hands, strict=True):
        planned, dealer = mix.plans[asked[c.A_PLAN]], asked[c.A_DEALER]
        if planned.contract is None or planned.row is None:
            announced = passed_out_deal(rng, ruleset, dealer, seats, ())
            assert announced
            yield announced
            continue
        declarer = asked[c.A_DECLARER]
        partner = core.partner_of(planned.row, held, declarer)
        plan = Plan(
            ruleset=ruleset, row=planned.contract, dealer=dealer, active=around[dealer], players=seats,
            words=planned.game.words, declarer=None if declarer < 0 else declarer,
            partner=None if partner < 0 else partner,
        )  # fmt: skip
        leader = declarer if planned.row[core.LEADS] else around[dealer][0]
        announced = Deal(
            dealer=dealer,
            game=replace(planned.game, declarer=plan.declarer),
            hands=tuple(map(codes, held[:seats])) if ruleset.house.auction == "hanging" else None,
            tricks=(Trick((), leader),) if asked[c.A_TRICKS] else None,
        )
        yield with_calls(rng, plan, announced)


# --- settled ----------------------------------------------------------------------------------------------------------


def settle_deals(ruleset: Ruleset, evenings: Sequence[Evening], using: PythonBackend, plans: Any, cards: Cards) -> Any:
    """Return the facts of every deal. A Ramsch that nobody has lost is dealt again."""
    count, seats = len(cards.seeds), ruleset.house.seats
    begins = [-1 if number else 0 for evening in evenings for number in range(evening.deals)]
    empty = ledger_row(initial_state(evenings[0].session).table, seats)
    assert empty
    counts = [plans[0][core.SIZE]] * seats + [0] * (c.MOST_SEATS - seats)
    facts, state, left = using.facts(count), using.array(empty), using.array([0] * c.MOST_SEATS)
    rest = (
        using.array([counts] * count), cards.cards, using.array([[-1] * c.MOST_TRICKS] * count),
        using.array(begins), using.array([empty]), facts, state, left,
    )  # fmt: skip
    at = tried = 0
    while (stop := using.run(plans, cards.asked, cards.hands, *rest, at, count)) < count:
        tried = tried + 1 if at == stop else 1
        at, number = stop, int(cards.asked[stop][c.A_PLAN])
        if plans[number][core.PARTIES] != core.EACH:
            raise LookupError(f"a deal was made that is not legal: {int(facts[at][c.CODE])}")
        cards.wanted[at] = using.array((number, 1, 0, number, 1, 0))
        facts[at] = using.array([c.NONE] * c.FACTS_WIDTH)
        change_seed(cards, at, tried)
        deal(using, plans, cards, at, at + 1)
    return facts


def with_results(
    ruleset: Ruleset, called: Sequence[Deal], cards: Cards, using: PythonBackend, facts: Any
) -> Iterator[Deal]:
    """Yield the deals with their cards and stated results."""
    seats, size = ruleset.house.seats, hand_size(ruleset.house)
    rows = (using.lists(each) for each in (cards.orders, cards.cards, cards.asked, facts))
    for announced, order, played, asked, row in zip(called, *rows, strict=True):
        dealt, laid = [CODES[card] for card in order], [CODES[card] for card in played]
        leaders = enumerate(row[c.LEADER : c.LEADER + asked[c.A_TRICKS]])
        hands = tuple(tuple(dealt[at : at + size]) for at in range(0, seats * size, size))
        tricks = tuple(Trick(tuple(laid[at * seats : (at + 1) * seats]), leader) for at, leader in leaders)
        yield replace(
            announced,
            hands=hands if asked[c.A_HANDS] else None,
            tricks=tricks or None,
            stated=Stated(
                points=None if row[c.SIDE_POINTS] == c.NONE else row[c.SIDE_POINTS],
                won=None if row[c.WON] == c.NONE else row[c.WON] == 1,
                payments=tuple(row[c.PAYMENT : c.PAYMENT + seats]),
                totals=tuple(row[c.AFTER + c.S_TOTAL : c.AFTER + c.S_TOTAL + seats]),
            ),
        )
