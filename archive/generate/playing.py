"""Random legal deals: any contract of any ruleset, dealt, bid for, played to its end and settled.

Hands are random, but lean to the declarer as far as `lean` says (1: the strongest cards there are, -1: the weakest),
so that rare games turn up too. Play is legal by the engine's own duties and half sensible by `choose`. Nothing here
knows a contract by its name: a new row is dealt as it stands.

    rng = random.Random(1)
    evening = session("pub", {"deck": 24})
    deal(rng, evening)                                  # any contract of the table
    deal(rng, evening, "solo", tout=True, want=lambda found: found.settlement.won)
    list(deals(rng, evening, 12))                       # an evening, with what passes from deal to deal

Where partners sit opposite and the longest suit is trump, the auction is played too: it says who declares.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from archive.cards import CODES, SUITS, mask, numbers
from archive.engine.duties import Spot, explain_choice, make_spot
from archive.generate.calls import passed_out_deal, with_calls
from archive.generate.doubling import with_surrender
from archive.generate.exchanges import callable_card, choose_bid, choose_words, muss_game, pass_cards
from archive.generate.lengths import auction_in_lengths
from archive.generate.plan import Hands, Plan, opposite, ruleset_of, seats_of_deal
from archive.judge import Judgement, LedgerState, judge
from archive.judge.compare_stated import COMPUTED
from archive.judge.types import Case
from archive.play.game_words import TOUTS
from archive.play.hand_requirements import HOLDS, Hold
from archive.play.parties import holder, sides
from archive.record import Carry, Deal, Game, Session, Stated, Trick
from archive.rules import Contract, Ruleset, Tables, tables
from archive.settle.ledger import apply_carry, empty_ledger
from archive.settle.marks_ledger import marks_after

HANDS_TRIED = 400  # until one fits the contract: further and further away from `lean`, stronger and weaker in turn
DEALS_TRIED = 4000  # until one is as wanted
SENSIBLE = 0.8  # so often a card is chosen, else it is any that is allowed


def deal(
    rng: Random,
    evening: Session,
    contract: str | None = None,
    *,
    suit: str | None = None,
    dealer: int | None = None,
    declarer: int | None = None,
    tout: bool = False,
    words: tuple[str, ...] | None = None,
    rounds: tuple[str, ...] = (),
    lean: float = 0.3,
    knocks: bool = True,
    doubles: bool = True,
    state: Sequence[str] = (),
    before: LedgerState | None = None,
    want: Callable[[Judgement], Any] = lambda found: True,
) -> Deal:
    """A legal and complete deal of `contract` (else of any the table plays), states `state` of its result (see
    `stated`). `want` looks at its judgement: deals are made until one is wanted. Whoever is not given is drawn.
    """
    ruleset = ruleset_of(evening)
    lies = before or empty_ledger(len(evening.players))
    under_way = None
    if before is None and contract and ruleset.contracts[contract].marks:  # not played in the first deal of a game
        under_way = Carry(marks=(3, 1, 3, 1), chalk=0)
    lies = apply_carry(lies, under_way, len(evening.players))
    for _ in range(DEALS_TRIED):
        row = ruleset.contracts[contract or draw_contract(rng, ruleset, rounds, lies)]
        spoken = words if words is not None else choose_words(rng, ruleset, row, bool(contract), tout)
        made = _deal(rng, evening, ruleset, row, suit, dealer, declarer, spoken, rounds, lean, knocks, doubles)
        if made is None and contract:
            raise LookupError(f"no hand fits {contract}")
        if made is None:
            continue
        made = replace(made, carry=under_way)
        found = judge(evening, made, 1, lies)
        assert found.verdict in ("agrees", "undecidable"), (found.reason, made)  # a tie in a Ramsch may stay undecided
        if found.verdict == "agrees" and want(found):
            return replace(made, stated=stated_as_computed(found, state)) if state else made
    raise LookupError(f"no such deal of {contract} in {DEALS_TRIED}")


def draw_contract(rng: Random, ruleset: Ruleset, rounds: tuple[str, ...], lies: LedgerState) -> str:
    """The name of a contract that may be played: of the round, else any of the table that belongs to no round; no Solo
    in the first deal of a game for marks, and few later."""
    wanted = [name for each in rounds for name in ruleset.rounds[each].contracts]
    own = {name for each in ruleset.rounds.values() for name in each.contracts if name not in ruleset.house.contracts}
    may = wanted or [name for name in ruleset.house.contracts if name not in own]
    if ruleset.house.marks and (lies.game_deals == 0 or rng.random() < 0.7):
        may = [name for name in may if not ruleset.contracts[name].marks]
    return rng.choice(may)


def deals(rng: Random, evening: Session, count: int, state: Sequence[str] = ()) -> Iterator[Deal]:
    """Deals one after another: the dealer passes on, special rounds are played where the deals before ask for them,
    now and then all pass."""
    ruleset = ruleset_of(evening)
    lies = empty_ledger(len(evening.players))
    for _ in range(count):
        rounds = tuple(name for name, _ in lies.rounds or ())
        dealer = lies.dealer if lies.dealer is not None else rng.randrange(len(evening.players))
        made = None
        if not any(ruleset.rounds[name].contracts for name in rounds) and rng.random() < 0.1:
            made = passed_out_deal(rng, ruleset, dealer, len(evening.players), rounds)
        if made is None:
            made = deal(rng, evening, dealer=dealer, rounds=rounds, before=lies)
        found = judge(evening, made, 1, lies)
        assert found.verdict == "agrees", (found.reason, made)
        lies = found.after
        yield replace(made, stated=stated_as_computed(found, state)) if state else made


def stated_as_computed(found: Judgement, keys: Sequence[str]) -> Stated:
    """What the engine computes for these keys of `stated`, so that it is stated; what does not apply is left out."""
    assert found.ruleset
    assert found.replay
    assert found.settlement
    bare = replace(found.deal, stated=Stated(virgins=()))
    case = Case(bare, found.session.players, found.ruleset, found.before, found.replay, found.settlement)
    running = {"totals": found.after.totals, "marks": marks_after(found.before, found.settlement)}
    if not found.ruleset.house.marks:
        running["marks"] = None
    values: dict[str, Any] = {key: running[key] if key in running else COMPUTED[key](case) for key in keys}
    return Stated(**{key: value for key, value in values.items() if value not in (None, "undecided")})


# --- before play ------------------------------------------------------------------------------------------------------


def _deal(
    rng: Random,
    evening: Session,
    ruleset: Ruleset,
    row: Contract,
    suit: str | None,
    dealer: int | None,
    declarer: int | None,
    words: tuple[str, ...],
    rounds: tuple[str, ...],
    lean: float,
    knocks: bool,
    doubles: bool,
) -> Deal | None:
    """A deal of this contract; None where no hand was found that fits."""
    players, house = len(evening.players), ruleset.house
    dealer = rng.randrange(players) if dealer is None else dealer
    active, out = seats_of_deal(dealer, players, house.seats)
    if any(ruleset.rounds[name].declarer == "forehand" for name in rounds):
        declarer = active[0]
    if not row.declarer:
        declarer = None
    elif declarer not in active:
        declarer = rng.choice(active)
    others = [seat for seat in active if seat != declarer]
    plan = Plan(
        ruleset=ruleset, row=row, dealer=dealer, active=active, players=players, rounds=rounds, words=words,
        declarer=declarer, partner=rng.choice(others) if row.parties == "named" else None,
    )  # fmt: skip
    for attempt in range(HANDS_TRIED):
        end = 1 if attempt % 2 else -1
        made = try_deal(rng, plan, suit, lean + (end - lean) * attempt / (HANDS_TRIED - 1))
        if made is not None:
            made = replace(made, sits_out=out or None, round=rounds or None)
            made = with_surrender(rng, plan, made)
            return with_calls(rng, plan, made, knocks, doubles)
    return None


def try_deal(rng: Random, plan: Plan, suit: str | None, lean: float) -> Deal | None:
    """One try: cards dealt, the game named, cards exchanged, tricks played; None where the hand does not fit."""
    row, named = plan.row, suit or rng.choice(SUITS) if plan.row.takes != "none" else None
    compiled = tables(plan.ruleset, row.id, named, f"{named}{row.called}" if row.called else None)
    hands, blind = deal_hands(rng, plan, compiled, lean)
    called = callable_card(rng, plan, hands, named) if row.called else None
    named = called[0] if called else named
    game: Game | None = Game(row.id, plan.declarer, named, called, plan.words)
    calls = None
    if plan.ruleset.house.auction == "lengths":
        calls = auction_in_lengths(rng, plan, hands, named or "")
        if calls is None:
            return None
    if "muss" in plan.words and plan.ruleset.house.muss:
        plan, game = muss_game(plan, hands, plan.ruleset.house.muss.card)
        if game is None:
            return None
    assert game
    compiled = tables(plan.ruleset, row.id, game.suit, game.called)
    passed, held = pass_cards(rng, plan, compiled, hands, blind)
    if passed is None:
        return None
    bound = hands if plan.exchange in ("wedding", "partner") else held
    bits = mask(bound[plan.declarer]) if plan.declarer is not None else 0
    hold = Hold(bits, game, row, compiled, plan.ruleset.house.call, plan.ruleset.house.lengths)
    if plan.declarer is not None and any(HOLDS[name](hold) for name in plan.holds):
        return None
    all_hands = tuple(held.get(seat) for seat in range(plan.players))
    partner = holder(all_hands, compiled.called) if row.parties == "called" else plan.partner
    side = sides(row, plan.declarer, partner, plan.active, plan.players)
    tricks = play_tricks(rng, plan, compiled, held, side)
    return Deal(
        dealer=plan.dealer,
        hands=tuple(hands.get(seat) for seat in range(plan.players)),
        blind=blind or None,
        game=replace(game, bid=choose_bid(rng, plan, calls)),
        partner=plan.partner,
        exchange=passed or None,
        auction=calls,
        tricks=tricks,
    )


def deal_hands(rng: Random, plan: Plan, compiled: Tables, lean: float) -> tuple[Hands, tuple[str, ...]]:
    """Hands by seat, each shuffled, and the blind; the declarer's is drawn first and leans to strong or weak cards."""
    pack = [card for card in numbers(compiled.pack) if CODES[card] not in (*plan.aside, *plan.given)]
    plain = len(compiled.trumps)
    strength = {
        card: compiled.trumps.index(card) if card in compiled.trumps else plain + plan.row.order.index(CODES[card][1])
        for card in pack
    }
    weakest = max(strength.values())
    drawn = {card: strength[card] / weakest * lean + rng.random() * (1 - abs(lean)) for card in pack}
    sizes = dict.fromkeys(plan.active, plan.size)
    sizes[plan.active[-1]] -= len(plan.aside)
    sizes[plan.active[0]] -= len(plan.given)
    first = plan.declarer if plan.declarer is not None else plan.active[0]
    mine = sorted(pack, key=drawn.__getitem__)[: sizes[first]]
    rest = [card for card in pack if card not in mine]
    rng.shuffle(mine)
    rng.shuffle(rest)
    hands: Hands = {}
    for seat in plan.active:
        cards = mine if seat == first else [rest.pop() for _ in range(sizes[seat])]
        hands[seat] = tuple(CODES[card] for card in cards)
    hands[plan.active[0]] = plan.given + hands[plan.active[0]]
    return hands, plan.aside or tuple(CODES[card] for card in rest)


# --- play -------------------------------------------------------------------------------------------------------------


def play_tricks(
    rng: Random, plan: Plan, compiled: Tables, hands: Hands, side: Sequence[str | None]
) -> tuple[Trick, ...]:
    """The tricks, to the end that the contract knows."""
    row, active = plan.row, plan.active
    if not row.partner_plays and plan.declarer is not None:
        active = tuple(seat for seat in active if seat != opposite(plan.declarer, active))
    ends = "first-trick-lost" if TOUTS & set(plan.words) else row.ends
    left = {seat: mask(hand) for seat, hand in hands.items()}
    leader = side.index("declarer") if row.leads == "declarer" else active[0]
    tricks: list[Trick] = []
    searched = 0
    while ends != "not-played" and left[leader]:
        led = over = 0
        cards: list[str] = []
        winner = leader
        start = active.index(leader)
        for seat in active[start:] + active[:start]:
            spot = make_spot(compiled, left[seat], led, over, searched)
            allowed = explain_choice(row.duties, spot, 0)[0]
            friendly = bool(cards) and side[winner] == side[seat] != "alone"
            avoids = row.goal == "most-loses" or (row.goal == "no-trick" and side[seat] == "declarer")
            card = choose_card(rng, compiled, allowed, spot, friendly, avoids)
            if not led:
                led = compiled.groups[compiled.group[card]]
            if not cards or over >> card & 1:
                winner, over = seat, compiled.beats[card]
            left[seat] &= ~(1 << card)
            cards.append(CODES[card])
        tricks.append(Trick(tuple(cards), leader))
        searched |= led == compiled.called_suit
        leader = winner
        if (ends, side[winner]) in (("first-trick-taken", "declarer"), ("first-trick-lost", "defence")):
            break
    return tuple(tricks)


def choose_card(rng: Random, compiled: Tables, allowed: int, spot: Spot, friendly: bool, avoids: bool) -> int:
    """A card of those allowed: mostly one that makes sense. `friendly`: the own side has the trick; `avoids`: the
    player wants none."""
    cards = list(numbers(allowed))
    if rng.random() > SENSIBLE or not spot.led:
        return rng.choice(cards)
    worth = compiled.points
    taking = [card for card in cards if spot.over >> card & 1]
    ducking = [card for card in cards if card not in taking]
    if avoids:
        return max(ducking or taking, key=lambda card: (compiled.beats[card].bit_count() == 0, worth[card]))
    if friendly:
        return max(ducking or taking, key=worth.__getitem__)
    if taking:
        return max(taking, key=lambda card: compiled.beats[card].bit_count())
    return min(ducking, key=worth.__getitem__)
