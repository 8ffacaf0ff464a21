"""Random legal deals: any contract of any ruleset, dealt, bid for, played to its end and settled.

Hands are random, but lean to the declarer as far as `lean` says (1: the strongest cards there are, -1: the weakest),
so that rare games turn up too. Play is legal by the engine's own duties and half sensible by `choose`. Nothing here
knows a contract by its name: a new row is dealt as it stands.

    rng = random.Random(1)
    evening = session("pub", {"deck": 24})
    deal(rng, evening)                                  # any contract of the table
    deal(rng, evening, "solo", tout=True, want=lambda found: found.settlement.won)
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from archive.audit import Judgement, Table, judge
from archive.audit.checks import COMPUTED
from archive.audit.types import Case
from archive.cards import BIT, CODES, SUITS, mask, numbers
from archive.play.duties import Spot, narrow
from archive.play.parties import HOLDS, holder, sides
from archive.record import Call, Deal, Double, Game, Session, Stated, Trick
from archive.rules import Contract, House, Ruleset, Tables, load, tables

PLAYERS = ("Anna", "Ben", "Cem", "Dora")
HANDS_TRIED = 400  # until one fits the contract: further and further away from `lean`, stronger and weaker in turn
DEALS_TRIED = 4000  # until one is as wanted
SENSIBLE = 0.8  # so often a card is chosen, else it is any that is allowed


def session(rules: str = "bavarian", house: dict[str, Any] | None = None, **head: Any) -> Session:
    """The head of an evening."""
    return Session(rules=rules, house=house, **{"players": PLAYERS} | head)


def ruleset_of(evening: Session) -> Ruleset:
    ruleset, findings = load(evening.rules, evening.house)
    assert ruleset, findings
    return ruleset


def deal(
    rng: Random,
    evening: Session,
    contract: str | None = None,
    *,
    suit: str | None = None,
    dealer: int | None = None,
    declarer: int | None = None,
    tout: bool = False,
    lean: float = 0.3,
    knocks: bool = True,
    doubles: bool = True,
    state: Sequence[str] = (),
    want: Callable[[Judgement], Any] = lambda found: True,
) -> Deal:
    """A legal and complete deal of `contract` (else of any the table plays), states `state` of its result (see
    `stated`). `want` looks at its judgement: deals are made until one is wanted. Whoever is not given is drawn.
    """
    ruleset = ruleset_of(evening)
    for _ in range(DEALS_TRIED):
        row = ruleset.contracts[contract or rng.choice(ruleset.house.contracts)]
        made = _deal(rng, evening, ruleset, row, suit, dealer, declarer, tout, lean)
        if made is None and contract:
            raise LookupError(f"no hand fits {contract}")
        if made is None:
            continue
        made = calls(rng, made, ruleset.house, row, seated(evening, made), knocks, doubles)
        found = judge(evening, made, 1, Table(totals=(0,) * len(evening.players)))
        assert found.verdict in ("agrees", "undecidable"), found.reason  # a tie in a Ramsch may stay undecided
        if found.verdict == "agrees" and want(found):
            return replace(made, stated=stated(found, state)) if state else made
    raise LookupError(f"no such deal of {contract} in {DEALS_TRIED}")


def stated(found: Judgement, keys: Sequence[str]) -> Stated:
    """What the engine computes for these keys of `stated`, so that it is stated; what does not apply is left out."""
    assert found.ruleset
    assert found.replay
    assert found.settlement
    bare = replace(found.deal, stated=Stated(virgins=()))
    case = Case(bare, found.session.players, found.ruleset, found.before, found.replay, found.settlement)
    values: dict[str, Any] = {key: found.after.totals if key == "totals" else COMPUTED[key](case) for key in keys}
    return Stated(**{key: value for key, value in values.items() if value is not None})


# --- before play ------------------------------------------------------------------------------------------------------


def seated(evening: Session, made: Deal) -> tuple[int, ...]:
    """The seats in play, forehand first."""
    players, first = len(evening.players), (made.dealer or 0) + 1
    around = ((first + step) % players for step in range(players))
    return tuple(seat for seat in around if seat not in (made.sits_out or ()))


def _deal(
    rng: Random,
    evening: Session,
    ruleset: Ruleset,
    row: Contract,
    suit: str | None,
    dealer: int | None,
    declarer: int | None,
    tout: bool,
    lean: float,
) -> Deal | None:
    """Dealt and played, without knocks and doublings; None where no hand was found that fits."""
    players = len(evening.players)
    dealer = rng.randrange(players) if dealer is None else dealer
    extra = players - ruleset.house.seats
    out = tuple(sorted((dealer + 3 * step) % players for step in range(extra)))  # the dealer, then whoever
    made = Deal(dealer=dealer, sits_out=out or None)
    active = seated(evening, made)
    if row.declarer and declarer not in active:
        declarer = rng.choice(active)
    for attempt in range(HANDS_TRIED):
        named = suit or rng.choice(SUITS) if row.takes != "none" else None
        called = f"{named}{row.called}" if row.called else None
        compiled = tables(ruleset, row.id, named, called)
        end = 1 if attempt % 2 else -1
        hands = dealt(rng, compiled, row, active, declarer, lean + (end - lean) * attempt / (HANDS_TRIED - 1))
        bits = mask(hands[declarer]) if declarer is not None else 0
        if row.declarer and not all(HOLDS[name][1](bits, compiled, named) for name in row.holds):
            continue
        game = Game(row.id, declarer if row.declarer else None, named, called, ("tout",) if tout else ())
        shown = tuple(hands.get(seat) for seat in range(players))
        made = replace(made, hands=shown, game=game)
        partner = holder(shown, compiled.called) if row.parties == "called" else None
        side = sides(row, game.declarer, partner, active, players)
        return replace(made, tricks=play(rng, row, compiled, hands, active, side, tout))
    return None


def dealt(
    rng: Random, compiled: Tables, row: Contract, active: tuple[int, ...], declarer: int | None, lean: float
) -> dict[int, tuple[str, ...]]:
    """Hands by seat, each shuffled; the declarer's is drawn first and leans to strong or weak cards."""
    pack = list(numbers(compiled.pack))
    size = len(pack) // len(active)
    plain = len(compiled.trumps)
    strength = {
        card: compiled.trumps.index(card) if card in compiled.trumps else plain + row.order.index(CODES[card][1])
        for card in pack
    }
    weakest = max(strength.values())
    drawn = {card: strength[card] / weakest * lean + rng.random() * (1 - abs(lean)) for card in pack}
    mine = sorted(pack, key=drawn.__getitem__)[:size]
    rest = [card for card in pack if card not in mine]
    rng.shuffle(mine)
    rng.shuffle(rest)
    hands: dict[int, tuple[str, ...]] = {}
    for seat in active:
        cards = mine if seat == declarer else [rest.pop() for _ in range(min(size, len(rest)))]
        hands[seat] = tuple(CODES[card] for card in cards or mine)
    return hands


def calls(
    rng: Random, made: Deal, house: House, row: Contract, active: tuple[int, ...], knocks: bool, doubles: bool
) -> Deal:
    """The deal with the auction, and with knocks and doublings that the house allows."""
    assert made.game
    declarer = made.game.declarer
    auction = tuple(Call(seat, "play" if seat == declarer else "pass") for seat in active)
    may = {"no": (), "forehand": active[:1]}.get(house.knock, active)
    said = [seat for seat in may if rng.random() < 0.15] if knocks else []
    if house.knock == "in-turn":
        said = list(active[: len(said)])
    return replace(
        made,
        auction=auction,
        knocks=tuple(said) or None,
        doubles=doublings(rng, made, house, row, active) if doubles and row.declarer else None,
    )


def doublings(
    rng: Random, made: Deal, house: House, row: Contract, active: tuple[int, ...]
) -> tuple[Double, ...] | None:
    """Kontra by one of the defence, now and then answered by the declarer, at a moment that the house allows."""
    stoss, game = house.stoss, made.game
    assert game
    if game.declarer is None or stoss.until == "no" or rng.random() < 0.75:
        return None
    partner = holder(made.hands or (), BIT.get(game.called or "", 0))
    defence = [seat for seat in active if seat not in (game.declarer, partner)]
    first = rng.choice(defence)
    own = active.index(first) + 1
    latest = {"first-card": (1, 1), "second-card": (1, 2), "own-card": (1, own), "any": (1, own)}[stoss.until]
    trick, card = latest if made.tricks else (None, None)
    said = [Double(first, "kontra", trick, card)]
    if rng.random() < 0.5 and stoss.limit != 1:
        said.append(Double(game.declarer, "re"))
    return tuple(said)


# --- play -------------------------------------------------------------------------------------------------------------


def play(
    rng: Random,
    row: Contract,
    compiled: Tables,
    hands: dict[int, tuple[str, ...]],
    active: tuple[int, ...],
    side: Sequence[str | None],
    tout: bool,
) -> tuple[Trick, ...]:
    """The tricks, to the end that the contract knows."""
    ends = "first-trick-lost" if tout else row.ends
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
            spot = Spot(left[seat], led, over, compiled.called, compiled.called_suit, compiled.run_away, searched)
            allowed = narrow(row.duties, spot, 0)[0]
            friendly = bool(cards) and side[winner] == side[seat] != "alone"
            avoids = row.goal == "most-loses" or (row.goal == "no-trick" and side[seat] == "declarer")
            card = choose(rng, compiled, allowed, spot, friendly, avoids)
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


def choose(rng: Random, compiled: Tables, allowed: int, spot: Spot, friendly: bool, avoids: bool) -> int:
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
