"""Evenings dealt in bulk: the cards by the integer core, what is said by the generator that knows everything."""

import gc
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.bulk.backend import PythonBackend, choose_backend
from archive.bulk.ledger_row import ledger_row
from archive.bulk.line_structs import ENCODER, UNSAID, Quick, QuickStated
from archive.cards import CODES, PACKS, numbers
from archive.engine import columns as c
from archive.engine import duties
from archive.engine import tricks as core
from archive.engine.compile import compile_functions
from archive.generate import calls, chance
from archive.generate.contract_mix import ContractMix, Kind
from archive.generate.plan import Plan, seats_of_deal
from archive.judge.judge_deal import initial_state
from archive.notation import write_line, write_values
from archive.record import Deal, Session, Trick
from archive.rules import Ruleset, hand_size

AGAIN = 1000  # times that a deal is dealt anew, because no hand fits or nobody knows who lost it
MODULES = (duties, core, chance)
Rows = list[list[int]]


class EveningPlan(Struct, frozen=True):
    """An evening to be dealt: its head, how many deals, and what is drawn from."""

    session: Session
    deals: int
    rng: Random


class Cards(Struct, frozen=True):
    """What was dealt, one row a deal; `asked` is what the core judges it by."""

    wanted: Any
    seeds: Any
    orders: Any
    hands: Any
    cards: Any
    asked: Any


class SpokenPart(Struct, frozen=True):
    """What was said before and during play, in words."""

    packet: int | None
    knocks: list[str] | None
    auction: list[str] | None
    doubles: list[str] | None
    game: str


def evening_lines(
    ruleset: Ruleset, menu: ContractMix, sittings: Sequence[EveningPlan], fast: bool = True
) -> list[list[bytes]]:
    """The lines of each evening, with what the rules give for every deal. Raises LookupError where no hand fits."""
    using = choose_backend(fast)
    plans = using.rows([plan.row or () for plan in menu.plans])
    cards = shuffled(ruleset, menu, sittings, using)
    deal(using, plans, cards, 0, len(cards.seeds))
    collecting = gc.isenabled()
    gc.disable()  # many small objects at once, none of which is garbage
    try:
        said = list(make_calls(ruleset, menu, sittings, to_lists(using, cards.asked), to_lists(using, cards.hands)))
        for at, each in enumerate(said):
            if each.knocks:
                cards.asked[at][c.A_KNOCKS] = len(each.knocks)
            if each.doubles:
                cards.asked[at][c.A_DOUBLES] = len(each.doubles)
        facts = settle_deals(ruleset, sittings, using, plans, cards)
        return list(write_lines(ruleset, sittings, cards, said, using, facts))
    finally:
        if collecting:
            gc.enable()


# --- cards ------------------------------------------------------------------------------------------------------------


@cache
def dealing(fast: bool) -> Any:
    """`chance.deal_run`, compiled or plain."""
    return compile_functions(MODULES)["deal_run"] if fast else chance.deal_run


def shuffled(ruleset: Ruleset, menu: ContractMix, sittings: Sequence[EveningPlan], using: PythonBackend) -> Cards:
    """What is wanted of each deal, drawn from its evening: the dealer, the contract, a seed; and a pack for each, in an
    order that is the evening's, since seeds are few enough to come twice."""
    pack = list(numbers(PACKS[ruleset.house.deck]))
    weights = [kind.weight for kind in menu.kinds]
    empty = [c.NONE] * c.ASKED_WIDTH
    empty[c.A_KNOCKS] = empty[c.A_DOUBLES] = 0
    wanted, seeds, flat, orders = Rows(), list[int](), list[int](), Rows()
    for each in sittings:
        dealer, seats = each.rng.randrange(ruleset.house.seats), ruleset.house.seats
        own = each.rng.sample(pack, len(pack))
        orders += [own[:] for _ in range(each.deals)]
        for kind in each.rng.choices(menu.kinds, weights, k=each.deals):
            wanted.append([*columns(kind), *columns(menu.sure)])
            seeds.append(each.rng.randrange(1, 2**31 - 1))
            flat += empty
            flat[c.A_DEALER - c.ASKED_WIDTH] = dealer
            dealer = (dealer + 1) % seats
    return Cards(
        wanted=using.rows(wanted), seeds=using.row(seeds), orders=using.rows(orders),
        hands=using.rows([[0] * c.MOST_SEATS for _ in seeds]),
        cards=using.rows([[0] * c.MOST_CARDS for _ in seeds]), asked=using.asked(flat, len(seeds)),
    )  # fmt: skip


def columns(kind: Kind) -> tuple[int, int, int]:
    return kind.first, kind.count, int(kind.declared)


def deal(using: PythonBackend, plans: Any, cards: Cards, start: int, stop: int) -> None:
    """Deals and plays the rows from `start` to `stop`. Raises LookupError where no hand fits whatever is dealt."""
    left = using.row([0] * c.MOST_SEATS)
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
    """Gives a deal another seed, to be dealt anew. Raises LookupError where that was done too often."""
    if tried > AGAIN:
        raise LookupError("no hand fits")
    cards.seeds[at] = int(cards.seeds[at]) % (2**31 - 3) + 1


# --- what is said -----------------------------------------------------------------------------------------------------


def to_lists(using: PythonBackend, rows: Any) -> Rows:
    """Rows as lists, which are read faster one by one."""
    found: Rows = rows.tolist() if using.fast else rows
    return found


def make_calls(
    ruleset: Ruleset, menu: ContractMix, sittings: Sequence[EveningPlan], every: Rows, hands: Rows
) -> Iterator[SpokenPart]:
    """What is said in each deal; `every` is what is asked of it."""
    first, seats = 0, ruleset.house.seats
    around = [seats_of_deal(dealer, seats, seats)[0] for dealer in range(seats)]
    for each in sittings:
        to = write_values.writer_for(each.session, None, nulls=True)
        for at in range(first, first + each.deals):
            asked = every[at]
            planned, dealer = menu.plans[asked[c.A_PLAN]], asked[c.A_DEALER]
            if planned.contract is None or planned.row is None:
                made = calls.passed_out_deal(each.rng, ruleset, dealer, seats, ())
                assert made
            else:
                declarer = asked[c.A_DECLARER]
                called = planned.row[core.CALLED]
                holders = (seat for seat in range(seats) if called and hands[at][seat] & called)
                plan = Plan(
                    ruleset=ruleset, row=planned.contract, dealer=dealer, active=around[dealer], players=seats,
                    words=planned.game.words, declarer=None if declarer < 0 else declarer, partner=next(holders, None),
                )  # fmt: skip
                leader = declarer if planned.row[core.LEADS] else around[dealer][0]
                tricks = (Trick((), leader),) if asked[c.A_TRICKS] else None
                shown = held(hands[at][:seats]) if ruleset.house.auction == "hanging" else None
                made = Deal(game=replace(planned.game, declarer=plan.declarer), hands=shown, tricks=tricks)
                made = calls.with_calls(each.rng, plan, made, knocks=True, doubles=True)
            yield worded(to, made)
        first += each.deals


def held(hands: list[int]) -> tuple[tuple[str, ...], ...]:
    """Hands in words, for an auction that looks at them."""
    return tuple(tuple(CODES[card] for card in numbers(hand)) for hand in hands)


def worded(to: write_values.Writer, made: Deal) -> SpokenPart:
    """What was said, as a line has it."""
    knocks = [to.players[seat] for seat in made.knocks] if isinstance(made.knocks, tuple) else None
    auction = None if made.auction is None else [f"{to.labels[call.seat]} {call.call}" for call in made.auction]
    said = made.doubles if isinstance(made.doubles, tuple) else None
    doubles = None if said is None else [write_values.write_double(to, each) for each in said]
    assert made.game
    return SpokenPart(made.packet, knocks, auction, doubles, write_values.write_game(to, made.game))


# --- settled and written ----------------------------------------------------------------------------------------------


def settle_deals(
    ruleset: Ruleset, sittings: Sequence[EveningPlan], using: PythonBackend, plans: Any, cards: Cards
) -> Any:
    """The facts of every deal. Of a Ramsch that nobody has lost the cards are dealt anew."""
    count = len(cards.seeds)
    begins = [-1] * count
    first = 0
    for each in sittings:
        begins[first] = 0
        first += each.deals
    seats = ruleset.house.seats
    empty = ledger_row(initial_state(sittings[0].session).table, seats)
    assert empty
    counts = [plans[0][core.SIZE]] * seats + [0] * (c.MOST_SEATS - seats)
    facts, state, left = using.facts(count), using.row(empty), using.row([0] * c.MOST_SEATS)
    rest = (
        using.rows([counts] * count), cards.cards, using.rows([[-1] * c.MOST_TRICKS] * count),
        using.row(begins), using.rows([empty]), facts, state, left,
    )  # fmt: skip
    at = tried = 0
    while (stop := using.run(plans, cards.asked, cards.hands, *rest, at, count)) < count:
        tried = tried + 1 if at == stop else 1
        at, number = stop, int(cards.asked[stop][c.A_PLAN])
        if plans[number][core.PARTIES] != core.EACH:
            raise LookupError(f"a deal was made that is not legal: {int(facts[at][c.CODE])}")
        cards.wanted[at] = using.row((number, 1, 0, number, 1, 0))
        facts[at] = using.row([c.NONE] * c.FACTS_WIDTH)
        change_seed(cards, at, tried)
        deal(using, plans, cards, at, at + 1)
    return facts


def write_lines(
    ruleset: Ruleset,
    sittings: Sequence[EveningPlan],
    cards: Cards,
    said: Sequence[SpokenPart],
    using: PythonBackend,
    facts: Any,
) -> Iterator[list[bytes]]:
    """The lines of each evening."""
    orders, played, asked = (to_lists(using, each) for each in (cards.orders, cards.cards, cards.asked))
    seats, size = ruleset.house.seats, hand_size(ruleset.house)
    found = FactsOfDeals(using, facts, seats, size)
    codes = CODES.__getitem__
    first = 0
    for each in sittings:
        to = write_values.writer_for(each.session, None, nulls=True)
        prefix = write_line(each.session, Deal())[:-1] + b","
        heads = [f"{label}: " for label in to.labels]
        made = []
        for at in range(first, first + each.deals):
            dealt, cut, own, words = list(map(codes, orders[at])), played[at], asked[at], said[at]
            leaders = [column[at] for column in found.leaders[: own[c.A_TRICKS]]]
            line = Quick(
                dealer=to.players[own[c.A_DEALER]],
                hands=[" ".join(dealt[n : n + size]) for n in range(0, seats * size, size)] if own[c.A_HANDS] else None,
                packet=words.packet,
                knocks=words.knocks,
                auction=words.auction,
                game=words.game,
                doubles=words.doubles,
                tricks=[
                    heads[leader] + " ".join(map(codes, cut[n * seats : (n + 1) * seats]))
                    for n, leader in enumerate(leaders)
                ]
                or None,
                stated=found.stated(at),
            )
            made.append(prefix + ENCODER.encode(line)[1:])
        first += each.deals
        yield made


class FactsOfDeals:
    """The columns of the facts that are told of a deal."""

    def __init__(self, using: PythonBackend, facts: Any, seats: int, size: int) -> None:
        self.won, self.points = (using.column(facts, place) for place in (c.WON, c.SIDE_POINTS))
        self.payments = [using.column(facts, c.PAYMENT + seat) for seat in range(seats)]
        self.totals = [using.column(facts, c.AFTER + c.S_TOTAL + seat) for seat in range(seats)]
        self.leaders = [using.column(facts, c.LEADER + trick) for trick in range(size)]

    def stated(self, at: int) -> QuickStated:
        """What the record of a deal states."""
        won, points = self.won[at], self.points[at]
        return QuickStated(
            points=UNSAID if points == c.NONE else points,
            won=UNSAID if won == c.NONE else won == 1,
            payments=[column[at] for column in self.payments],
            totals=[column[at] for column in self.totals],
        )
