"""Random legal deals, one by one: any contract of any ruleset, dealt, bid for, played to its end and settled.

Hands are random, but lean to the declarer as far as `lean` says (1: the strongest possible cards, -1: the weakest), so
that rare games occur too. Play is legal by the engine's own duties and half sensible by `choose_card`. Nothing here
knows a contract by its name: a new row is dealt as it stands.

    rng = random.Random(1)
    evening = session("pub", {"deck": 24})
    deal(rng, evening)                                  # any contract of the table
    deal(rng, evening, "solo", tout=True, want=lambda found: found.settlement.won)
    list(deals(rng, evening, 12))                       # an evening, with the state passed from deal to deal

If partners sit opposite each other and the longest suit is trump, the auction is played too and decides who declares.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.cards import CODES, SUITS, mask, numbers
from archive.engine.duties import Spot, allowed_cards, terms_of
from archive.engine.tricks import add_to_trick
from archive.generate.calls import auction_in_lengths, passed_out_deal, with_calls, with_surrender
from archive.generate.exchanges import callable_card, choose_bid, choose_words, muss_game, pass_cards
from archive.generate.plan import Hands, Plan, active_seats, ruleset_of, sits_out, tout_word
from archive.generate.talon import choose_card, play_with_talon
from archive.generate.turns import DEALERS
from archive.judge import Judgement, LedgerState, judge
from archive.judge.compare_stated import COMPUTED
from archive.judge.types import case_of
from archive.play.hand_requirements import HOLDS, Hold
from archive.play.hands import OVER, cover_of, open_cards, split_stacks, take_card, turn_cards
from archive.play.parties import holder, sides
from archive.play.seating import opposite, seats_with_cards
from archive.play.tricks import deal_tables
from archive.record import TOUTS, Carry, Deal, Game, Session, Stated, Trick
from archive.rules import Ruleset, Tables, tables
from archive.rules.tables import as_dealt, score_of
from archive.settle.ledger import apply_carry, empty_ledger
from archive.settle.marks_ledger import begin_score, marks_after, seats_out

HANDS_TRIED = 400  # until one fits the contract: further and further from `lean`, stronger and weaker in turn
DEALS_TRIED = 4000  # until one is as wished


class Wish(Struct, frozen=True, kw_only=True):
    """The wishes for a deal. Anything not given is drawn."""

    contract: str | None = None
    suit: str | None = None
    dealer: int | None = None
    declarer: int | None = None
    tout: bool = False
    words: tuple[str, ...] | None = None
    rounds: tuple[str, ...] = ()
    lean: float = 0.3
    knocks: bool = True
    doubles: bool = True
    before: LedgerState | None = None
    want: Callable[[Judgement], Any] = lambda found: True


def deal(rng: Random, evening: Session, contract: str | None = None, state: Sequence[str] = (), **wish: Any) -> Deal:
    """Return a legal and complete deal of `contract`, or of any that the table plays; `state` names the results it
    states (see `stated_as_computed`). `wish` are the fields of a `Wish`; deals are made until `want` accepts the
    judgement of one. Raise LookupError if none is found."""
    judgement = judged_deal(rng, evening, Wish(contract=contract, **wish))
    return replace(judgement.deal, stated=stated_as_computed(judgement, state)) if state else judgement.deal


def deals(rng: Random, evening: Session, count: int, state: Sequence[str] = ()) -> Iterator[Deal]:
    """Yield one deal after another: the dealer passes on, special rounds are played when earlier deals require them,
    and now and then all pass."""
    ruleset, players = ruleset_of(evening), len(evening.players)
    ledger = empty_ledger(players)
    for _ in range(count):
        rounds = tuple(name for name, _ in ledger.rounds or ())
        dealer = ledger.dealer if ledger.dealer is not None else rng.randrange(players)
        may_pass = ruleset.house.play == "tricks" and not any(ruleset.rounds[name].contracts for name in rounds)
        passed = passed_out_deal(rng, ruleset, dealer, players, rounds) if may_pass and rng.random() < 0.1 else None
        if passed is None:
            judgement = judged_deal(rng, evening, Wish(dealer=dealer, rounds=rounds, before=ledger))
        else:
            judgement = judge(evening, passed, 1, ledger)
        assert judgement.verdict == "agrees", (judgement.reason, judgement.deal)
        ledger = judgement.after
        yield replace(judgement.deal, stated=stated_as_computed(judgement, state)) if state else judgement.deal


def judged_deal(rng: Random, evening: Session, wish: Wish) -> Judgement:
    """Return the judgement of a deal as wished, which agrees. Raise LookupError if none is found."""
    ruleset, contract, seats = ruleset_of(evening), wish.contract, len(evening.players)
    under_way = None
    if wish.before is None and contract and ruleset.contracts[contract].marks:  # not played in the first deal of a game
        under_way = Carry(marks=(3, 1, 3, 1), chalk=0)
    ledger = begin_score(apply_carry(wish.before or empty_ledger(seats), under_way, seats), ruleset)
    for _ in range(DEALS_TRIED):
        candidate = fitting_deal(rng, draw_plan(rng, ruleset, seats, wish, ledger), wish)
        if candidate is None and contract:
            raise LookupError(f"no hand fits {contract}")
        if candidate is None:
            continue
        judgement = judge(evening, replace(candidate, carry=under_way), 1, ledger)
        # a tie in a Ramsch may stay undecided
        assert judgement.verdict in ("agrees", "undecidable"), (judgement.reason, candidate)
        if judgement.verdict == "agrees" and wish.want(judgement):
            return judgement
    raise LookupError(f"no such deal of {contract} in {DEALS_TRIED}")


def stated_as_computed(judgement: Judgement, keys: Sequence[str]) -> Stated:
    """Return the values that the engine computes for these keys of `stated`, to be stated; inapplicable ones are left
    out."""
    case = case_of(replace(judgement, deal=replace(judgement.deal, stated=Stated(virgins=()))))
    assert case
    running = {"totals": judgement.after.totals, "marks": marks_after(judgement.before, judgement.settlement)}
    if not score_of(case.ruleset.house):
        running["marks"] = None
    values: dict[str, Any] = {key: running[key] if key in running else COMPUTED[key](case) for key in keys}
    return Stated(**{key: value for key, value in values.items() if value not in (None, "undecided", "nobody")})


# --- before play ------------------------------------------------------------------------------------------------------


def draw_plan(rng: Random, ruleset: Ruleset, players: int, wish: Wish, ledger: LedgerState) -> Plan:
    """Return who deals and plays what, as wished, else by chance. A wished contract is played plainly, or as a Tout."""
    house, rounds = ruleset.house, wish.rounds
    row = ruleset.contracts[wish.contract or draw_contract(rng, ruleset, rounds, ledger)]
    words = wish.words
    if words is None and wish.contract:
        words = (tout_word(house),) if wish.tout else ()
    words = choose_words(rng, ruleset, row) if words is None else words
    dealer = rng.randrange(players) if wish.dealer is None else wish.dealer
    out = seats_out(ledger.marks, score_of(house))
    active = active_seats(dealer, players, min(players, house.seats), out)
    forehand = any(ruleset.rounds[name].declarer == "forehand" for name in rounds)
    declarer = active[0] if forehand or row.declares == "forehand" else wish.declarer
    if not row.declarer:
        declarer = None
    elif declarer not in active:
        declarer = rng.choice(active)
    partner = None
    if row.parties == "named":
        partner = rng.choice([seat for seat in active if seat != declarer])
    elif row.parties == "opposite" and declarer is not None:
        partner = opposite(declarer, active)
    return Plan(
        ruleset=ruleset, row=row, dealer=dealer, active=active, players=players, rounds=rounds, words=words,
        suit=wish.suit, declarer=declarer, partner=partner,
    )  # fmt: skip


def draw_contract(rng: Random, ruleset: Ruleset, rounds: tuple[str, ...], ledger: LedgerState) -> str:
    """Return the name of a contract that may be played: of the round, else any of the table that belongs to no round;
    no Solo in the first deal of a game for marks, and few later."""
    wanted = [name for special in rounds for name in ruleset.rounds[special].contracts]
    own = {name for each in ruleset.rounds.values() for name in each.contracts if name not in ruleset.house.contracts}
    may = wanted or [name for name in ruleset.house.contracts if name not in own]
    if ruleset.house.marks and (ledger.game_deals == 0 or rng.random() < 0.7):
        may = [name for name in may if not ruleset.contracts[name].marks]
    return rng.choice(may)


def fitting_deal(rng: Random, plan: Plan, wish: Wish) -> Deal | None:
    """Return a deal of a plan, with its calls; None if no hand was found that fits."""
    if plan.ruleset.house.play != "tricks":
        return DEALERS[plan.ruleset.house.play](rng, plan)
    for attempt in range(HANDS_TRIED):
        end = 1 if attempt % 2 else -1
        dealt = try_deal(rng, plan, wish.lean + (end - wish.lean) * attempt / (HANDS_TRIED - 1))
        if dealt is not None:
            plan, deal = dealt
            return with_calls(rng, plan, with_surrender(rng, plan, deal), wish.knocks, wish.doubles)
    return None


def try_deal(rng: Random, plan: Plan, lean: float) -> tuple[Plan, Deal] | None:
    """Return one try: the plan with its sides, and the deal with cards dealt, game named, cards exchanged and tricks
    played; None if the hand does not fit."""
    row, house = plan.row, plan.ruleset.house
    named = plan.suit or rng.choice(SUITS) if row.takes != "none" else None
    compiled = tables(plan.ruleset, row.id, named, f"{named}{row.called}" if row.called else None)
    hands, blind = deal_hands(rng, plan, compiled, lean)
    piles, blind = deal_piles(plan, blind)
    talon, blind = (blind, ()) if house.talon else (None, blind)
    called = callable_card(rng, plan, compiled, hands, named) if row.called else None
    named = called[0] if called else named
    game = Game(row.id, plan.declarer, named, called, plan.words)
    calls = None
    if house.auction == "lengths":
        calls = auction_in_lengths(rng, plan, hands, named or "")
        if calls is None:
            return None
    if "muss" in plan.words and house.muss:
        must_play = muss_game(plan, compiled, hands, house.muss.card)
        if must_play is None:
            return None
        plan, game = must_play
    compiled = deal_tables(plan.ruleset, Deal(game=game, talon=talon), row)
    passed, held = pass_cards(rng, plan, compiled, hands, blind)
    if passed is None:
        return None
    if plan.declarer is not None:
        bound = hands if plan.exchange in ("wedding", "partner") else held
        hold = Hold(mask(bound[plan.declarer]), game, row, compiled, house.call, house.lengths)
        if any(HOLDS[name](hold) for name in plan.holds):
            return None
    both = [held.get(seat, ()) for seat in (plan.declarer, plan.partner) if seat is not None]
    if row.partners_hold and not all(any(code[1] == row.partners_hold for code in hand) for hand in both):
        return None
    if row.parties == "called":
        plan = replace(plan, partner=holder([held.get(seat) for seat in range(plan.players)], compiled.called))
    held = lay_stacks(house.stacks, held)
    events = None
    if talon is not None:
        tricks, events = play_with_talon(rng, plan, compiled, held, talon)
    else:
        tricks = play_tricks(rng, plan, compiled, held)
    return plan, Deal(
        dealer=plan.dealer,
        sits_out=sits_out(plan.active, plan.players),
        round=plan.rounds or None,
        hands=tuple((held if house.stacks else hands).get(seat) for seat in range(plan.players)),
        piles=piles,
        blind=blind or None,
        talon=talon,
        game=replace(game, bid=choose_bid(rng, plan, calls)),
        partner=plan.partner if row.parties == "named" else None,
        exchange=passed or None,
        auction=calls,
        tricks=tricks,
        events=events,
    )


def deal_hands(rng: Random, plan: Plan, compiled: Tables, lean: float) -> tuple[Hands, tuple[str, ...]]:
    """Return shuffled hands by seat, and the blind; the declarer's is drawn first and leans to strong or weak cards."""
    aside, given = plan.aside, plan.given_cards
    pack = list(numbers(compiled.pack & ~mask(aside + given)))
    strength = card_strengths(compiled, plan.row.order)
    weakest = max(strength[card] for card in pack)
    drawn = {card: strength[card] / weakest * lean + rng.random() * (1 - abs(lean)) for card in pack}
    sizes = dict.fromkeys(plan.active, plan.size)
    sizes[plan.active[-1]] -= len(aside)
    sizes[plan.active[0]] -= len(given)
    first = plan.declarer if plan.declarer is not None else plan.active[0]
    mine = sorted(pack, key=drawn.__getitem__)[: sizes[first]]
    rest = [card for card in pack if card not in mine]
    rng.shuffle(mine)
    rng.shuffle(rest)
    hands: Hands = {}
    for seat in plan.active:
        cards = mine if seat == first else [rest.pop() for _ in range(sizes[seat])]
        hands[seat] = tuple(CODES[card] for card in cards)
    hands[plan.active[0]] = given + hands[plan.active[0]]
    return hands, aside or tuple(CODES[card] for card in rest)


def deal_piles(plan: Plan, left: tuple[str, ...]) -> tuple[tuple[tuple[str, ...] | None, ...] | None, tuple[str, ...]]:
    """Return the piles of all players from the rest of the pack (None if none are set aside), and the blind."""
    size = plan.ruleset.house.pile
    if not size:
        return None, left
    own = {seat: left[size * n : size * (n + 1)] for n, seat in enumerate(plan.active)}
    return tuple(own.get(seat) for seat in range(plan.players)), left[size * len(own) :]


def lay_stacks(count: int, hands: Hands) -> Hands:
    """Return the hands with `count` stacks of two on the table, after the cards that stay in the hand."""
    if not count:
        return hands
    own = {seat: len(cards) - 2 * count for seat, cards in hands.items()}
    return {
        seat: (*cards[: own[seat]], *map(OVER.join, zip(cards[own[seat] :: 2], cards[own[seat] + 1 :: 2], strict=True)))
        for seat, cards in hands.items()
    }


@lru_cache(maxsize=256)
def card_strengths(compiled: Tables, order: str) -> dict[int, int]:
    """Return the strength of each card of the pack, the strongest 0: a trump by its place, another by its rank."""
    plain = {card: len(compiled.trumps) + order.index(CODES[card][1]) for card in numbers(compiled.pack)}
    return plain | {card: place for place, card in enumerate(compiled.trumps)}


# --- play -------------------------------------------------------------------------------------------------------------


def play_tricks(rng: Random, plan: Plan, compiled: Tables, hands: Hands) -> tuple[Trick, ...]:
    """Return the tricks, to the end that the contract sets."""
    row, terms = plan.row, terms_of(as_dealt(compiled, plan.ruleset.house, map(mask, hands.values())))
    side = sides(row, plan.declarer, plan.partner, plan.active, plan.players)
    active = seats_with_cards(plan.active, row, plan.declarer)
    ends = "first-trick-lost" if TOUTS & set(plan.words) else row.ends
    left = {seat: mask(split_stacks(hand)[0]) for seat, hand in hands.items()}
    covers = {seat: cover_of(hand, left[seat]) for seat, hand in hands.items()}
    leader = side.index("declarer") if row.leads == "declarer" else active[0]
    tricks: list[Trick] = []
    searched = 0
    while ends != "not-played" and left[leader]:
        led = over = 0
        cards: list[str] = []
        winner = leader
        start = active.index(leader)
        for turn, seat in enumerate(active[start:] + active[:start]):
            spot = Spot(terms, open_cards(covers[seat], left[seat]) or 0, led, over, searched)
            allowed = allowed_cards(row.duties, spot)
            friendly = turn > 0 and side[winner] == side[seat] != "alone"
            avoids = row.goal == "most-loses" or (row.goal == "no-trick" and side[seat] == "declarer")
            card = choose_card(rng, compiled, allowed, spot, friendly, avoids)
            suit = compiled.groups[compiled.group[card]]
            led, over, best = add_to_trick(turn, card, suit, compiled.beats[card], led, over)
            winner = seat if best else winner
            left[seat] &= ~(1 << card)
            take_card(covers[seat], card)
            cards.append(CODES[card])
        tricks.append(Trick(tuple(cards), leader))
        for cover in covers.values():
            turn_cards(cover)
        searched |= led == compiled.called_suit
        leader = winner
        if (ends, side[winner]) in (("first-trick-taken", "declarer"), ("first-trick-lost", "defence")):
            break
    return tuple(tricks)
