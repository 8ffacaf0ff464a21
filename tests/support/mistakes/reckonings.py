"""Kinds of slips in reckoning, on people and on pots: each yields every form in which it can happen, with the names
that it concerns. Nothing here is taken from `archive.explain`."""

from collections.abc import Callable, Iterator
from functools import partial

from msgspec.structs import replace

from support.mistakes.prices import Reckoning, tariff_of

Form = tuple[Reckoning, tuple[str, ...]]
Slip = Callable[[Reckoning], Iterator[Form]]
OTHERS = (
    "5/10", "5/20", "5/25", "10/20", "10/25", "10/50", "20/50", "20/100", "50/100", "5/10/20", "5/20/50", "10/20/40",
    "10/20/50", "10/20/100", "20/50/100",
)  # fmt: skip
Table = dict[str, tuple[Slip, tuple[str, ...]]]
RECKONING: Table = {}
PEOPLE: Table = {}
POTS: Table = {}


def kind(table: Table, name: str, *causes: str) -> Callable[[Slip], Slip]:
    """Put a kind into a table, with the causes that name it."""

    def put(slip: Slip) -> Slip:
        table[name] = slip, tuple(each for text in causes for each in text.split())
        return slip

    return put


def plain(r: Reckoning) -> bool:
    """Return whether the deal is a game of two sides with a price."""
    return bool(r.ours and r.theirs)


def simple(table: Table, name: str, causes: str, test: Callable[[Reckoning], object], **changes: object) -> None:
    """Add a kind with one form: the same reckoning with other values, each a function of it or the value itself."""

    def slip(r: Reckoning) -> Iterator[Form]:
        if test(r):
            yield replace(r, **{key: each(r) if callable(each) else each for key, each in changes.items()}), ()

    table[name] = slip, tuple(causes.split())


reckoned, shared, potted = (partial(simple, table) for table in (RECKONING, PEOPLE, POTS))


# --- doublings --------------------------------------------------------------------------------------------------------


@kind(RECKONING, "knock forgotten", "knock-missed")
def knock_forgotten(r: Reckoning) -> Iterator[Form]:
    yield from ((replace(r, factors=r.factors[1:]), (r.names[seat],)) for seat in r.knockers)
    if r.unnamed:
        yield replace(r, factors=r.factors[1:]), ()


@kind(RECKONING, "kontra forgotten", "double-missed")
def kontra_forgotten(r: Reckoning) -> Iterator[Form]:
    yield from ((replace(r, factors=r.factors[1:]), (r.names[seat],)) for seat in r.doublers)


reckoned(
    "all knocks forgotten",
    "doublings-missed",
    lambda r: len(r.knockers) > 1,
    factors=lambda r: r.factors[len(r.knockers) :],
)
reckoned(
    "kontra and re forgotten",
    "doublings-missed",
    lambda r: len(r.doublers) > 1,
    factors=lambda r: r.factors[len(r.doublers) :],
)
reckoned("no doubling counted", "doublings-missed", lambda r: len(r.factors) > 1, factors=())
reckoned("special round forgotten", "factor-missed", lambda r: r.rounds, factors=lambda r: r.factors[1:])
reckoned("one doubling too many", "doubling-extra", lambda r: True, factors=lambda r: (*r.factors, 2))
reckoned(
    "two doublings too many", "doubling-extra doublings-extra", lambda r: True, factors=lambda r: (*r.factors, 2, 2)
)
reckoned("tripled for doubled", "doubled-otherwise", lambda r: r.factors, factors=lambda r: (3, *r.factors[1:]))
reckoned("doublings added", "doublings-added", lambda r: len(r.factors) > 1, rule="added")
reckoned("two for each doubling", "doublings-added", lambda r: len(r.factors) > 2, rule="two-each")
reckoned("once for all doublings", "doublings-once", lambda r: len(r.factors) > 1, rule="once")
reckoned(
    "game alone doubled", "doubled-first", lambda r: r.factors and r.runners + r.schneider + r.schwarz, rule="game"
)
reckoned(
    "all but the game doubled",
    "doubled-apart",
    lambda r: r.factors and r.runners + r.schneider + r.schwarz,
    rule="rest",
)
reckoned("runners not doubled", "doubled-apart", lambda r: r.factors and r.runners, rule="no-runners")
reckoned("schneider not doubled", "doubled-apart", lambda r: r.factors and r.schneider, rule="no-bonus")

# --- runners, Schneider, Schwarz --------------------------------------------------------------------------------------

reckoned("runners forgotten", "runners-missed", lambda r: r.runners, runners=0)


def counted(name: str, causes: str, test: Callable[[int, int], bool]) -> None:
    """Add a kind that counts the runners as another number."""

    def slip(r: Reckoning) -> Iterator[Form]:
        for n in range(1, 9) if r.runners else ():
            if test(n, r.count):
                yield replace(r, runners=n * r.tariff[0]), ()

    RECKONING[name] = slip, tuple(causes.split())


counted("a runner too few", "runner-less runners-miscounted", lambda n, count: n == count - 1)
counted("a runner too many", "runner-more runners-miscounted", lambda n, count: n == count + 1)
counted("runners far off", "runners-miscounted runners-most", lambda n, count: abs(n - count) > 1)
reckoned(
    "runners below the limit paid",
    "runners-too-few runners-from",
    lambda r: plain(r) and not r.runners and r.least > r.count > 0,
    runners=lambda r: r.count * r.tariff[0],
)
reckoned("runners paid twice", "part-twice", lambda r: r.runners, runners=lambda r: 2 * r.runners)
reckoned(
    "runners at the price of the game",
    "wrong-row",
    lambda r: r.runners and r.game != r.tariff[0],
    runners=lambda r: r.count * r.game,
)
reckoned(
    "runners paid as one", "runners-miscounted", lambda r: r.runners and r.count > 1, runners=lambda r: r.tariff[0]
)
reckoned("schneider forgotten", "schneider-missed", lambda r: r.schneider and not r.schwarz, schneider=0)
reckoned(
    "schneider counted",
    "schneider-counted",
    lambda r: (
        plain(r)
        and not r.schneider
        and r.bonuses
        and r.points is not None
        and r.contract not in ("bettel", "sie")
        and (r.points >= 80 if r.won else r.points <= 40)
    ),
    schneider=lambda r: r.tariff[0],
)
reckoned("schwarz as schneider", "schwarz-as-schneider", lambda r: r.schwarz, schwarz=0)
reckoned("schneider and schwarz forgotten", "schwarz-missed", lambda r: r.schwarz, schneider=0, schwarz=0)
reckoned("schwarz counted", "schwarz-counted", lambda r: r.schneider and not r.schwarz, schwarz=lambda r: r.tariff[0])
reckoned("schneider beside the whole schwarz", "part-twice", lambda r: r.schwarz, schwarz=lambda r: 2 * r.tariff[0])
reckoned(
    "schneider twice",
    "part-twice schwarz-counted",
    lambda r: r.schneider and not r.schwarz,
    schneider=lambda r: 2 * r.tariff[0],
)
reckoned(
    "schneider at the price of the game",
    "wrong-row",
    lambda r: r.schneider and not r.schwarz and r.game != r.tariff[0],
    schneider=lambda r: r.game,
)
reckoned(
    "nothing but the game",
    "only-game",
    lambda r: bool(r.runners) + bool(r.schneider) > 1,
    runners=0,
    schneider=0,
    schwarz=0,
)
reckoned("hearts forgotten", "part-missed", lambda r: r.suit, suit=0)

# --- the game and the house -------------------------------------------------------------------------------------------

reckoned("tout forgotten", "tout-missed", lambda r: r.tout, tout="")
reckoned("tout over the runners", "tout doubled-apart", lambda r: r.tout == "base" and r.runners, tout="base+runners")
reckoned(
    "tout over the game alone",
    "tout doubled-apart",
    lambda r: r.tout in ("base+runners", "all") and r.runners,
    tout="base",
)
reckoned(
    "schwarz beside a tout",
    "schwarz-counted tout",
    lambda r: r.tout in ("base", "base+runners") and r.won,
    schneider=lambda r: r.tariff[0],
    schwarz=lambda r: r.tariff[0],
)
reckoned("tout that nobody said", "tout-counted", lambda r: r.schwarz and not r.tout and len(r.ours) == 1, tout="base")
reckoned(
    "price of the other kind of game",
    "wrong-game",
    lambda r: plain(r) and r.tariff[1] != r.tariff[2],
    game=lambda r: r.tariff[1 if r.game >= r.tariff[2] else 2],
)
reckoned("game at half its price", "price", lambda r: plain(r) and r.game % 2 == 0, game=lambda r: r.game // 2)
reckoned("game at twice its price", "price", plain, game=lambda r: 2 * r.game)


@kind(RECKONING, "another tariff", "tariff")
def another_tariff(r: Reckoning) -> Iterator[Form]:
    for text in OTHERS if plain(r) and r.tariff != (1, 1, 1) and r.tariff[2] != 2 else ():
        unit, called, alone = tariff_of(text)
        times = 4 if r.contract == "sie" else 1
        game = times * (called if r.game == r.tariff[1] else alone)
        high = {key: unit if getattr(r, key) else 0 for key in ("schneider", "schwarz")}
        yield replace(r, tariff=(unit, called, alone), game=game, runners=r.runners // r.tariff[0] * unit, **high), ()


@kind(RECKONING, "runners of a house that caps them", "runners-most runners-miscounted")
def capped(r: Reckoning) -> Iterator[Form]:
    yield from ((replace(r, runners=n * r.tariff[0]), ()) for n in (3, 4) if r.runners and r.count > n)


@kind(RECKONING, "runners of a house that wants more", "runners-from")
def wants_more(r: Reckoning) -> Iterator[Form]:
    if r.runners and r.count < 4:
        yield replace(r, runners=0), ()


# --- people -----------------------------------------------------------------------------------------------------------


def paid_by(r: Reckoning, payers: dict[int, int]) -> Reckoning:
    return replace(r, shares=tuple(payers.get(seat, 0) for seat in range(len(r.names))))


shared("won for lost", "turned misadded level-win", lambda r: True, shares=lambda r: tuple(-n for n in r.shares))


@kind(PEOPLE, "another partner", "swapped wrong-partner partner-noted game-noted")
def another_partner(r: Reckoning) -> Iterator[Form]:
    if len(r.ours) == len(r.theirs) == 2 and r.declarer is not None:
        partner = next(seat for seat in r.ours if seat != r.declarer)
        for other in r.theirs:
            shares = list(r.shares)
            shares[partner], shares[other] = shares[other], shares[partner]
            yield replace(r, shares=tuple(shares)), (r.names[other],)


@kind(PEOPLE, "another declarer", "swapped wrong-declarer declarer-noted game-noted")
def another_declarer(r: Reckoning) -> Iterator[Form]:
    if len(r.ours) == 1 and len(r.theirs) > 1:
        for other in r.theirs:
            shares = list(r.shares)
            shares[r.ours[0]], shares[other] = shares[other], shares[r.ours[0]]
            yield replace(r, shares=tuple(shares)), (r.names[other],)


@kind(PEOPLE, "one against three for two against two", "paid-alone")
def one_against_three(r: Reckoning) -> Iterator[Form]:
    if len(r.ours) == len(r.theirs) == 2 and r.declarer is not None:
        sign = 1 if r.won else -1
        rest = {seat: -sign for seat in (*r.ours, *r.theirs) if seat != r.declarer}
        yield paid_by(r, rest | {r.declarer: 3 * sign}), (r.names[r.declarer],)


@kind(PEOPLE, "one opponent against three", "paid-alone paid-for-all")
def opponent_against_three(r: Reckoning) -> Iterator[Form]:
    for wrong in r.theirs if plain(r) and r.won and len(r.ours) == 2 else ():
        rest = {seat: 1 for seat in (*r.ours, *r.theirs) if seat != wrong}
        yield paid_by(r, rest | {wrong: -3}), (r.names[wrong],)


def for_side(sign: int) -> Slip:
    """One of a side pays, or is paid, for all of it."""

    def slip(r: Reckoning) -> Iterator[Form]:
        for side in (r.ours, r.theirs) if plain(r) else ():
            for seat in side if len(side) > 1 and sign * r.shares[side[0]] > 0 else ():
                mine = dict.fromkeys(side, 0) | {seat: sum(r.shares[each] for each in side)}
                yield paid_by(r, dict(enumerate(r.shares)) | mine), (r.names[seat],)

    return slip


PEOPLE["one pays for all of a side"] = for_side(-1), ("one-for-side",)
PEOPLE["one is paid for all of a side"] = for_side(1), ("one-for-side",)


@kind(PEOPLE, "one opponent alone pays", "one-opponent")
def one_opponent(r: Reckoning) -> Iterator[Form]:
    for seat in r.theirs if plain(r) and len(r.ours) == 1 and len(r.theirs) > 1 else ():
        yield paid_by(r, {seat: r.shares[seat], r.ours[0]: -r.shares[seat]}), (r.names[seat],)


shared(
    "solo at the price of one opponent",
    "paid-once",
    lambda r: len(r.ours) == 1 and len(r.theirs) > 1,
    shares=lambda r: tuple(max(-1, min(1, n)) for n in r.shares),
)
shared(
    "opponents at the whole price",
    "paid-whole",
    lambda r: len(r.ours) == 1 and len(r.theirs) == 3,
    shares=lambda r: tuple(3 * (n > 0) - 3 * (n < 0) for n in r.shares),
)
shared(
    "each pays each",
    "paid-each doubling-extra",
    lambda r: len(r.ours) == len(r.theirs) == 2,
    shares=lambda r: tuple(2 * n for n in r.shares),
)


@kind(PEOPLE, "another loser of a Ramsch", "wrong-loser swapped")
def another_loser(r: Reckoning) -> Iterator[Form]:
    if r.loser is not None:
        for seat in range(len(r.names)):
            if seat != r.loser and r.shares[seat]:
                shares = list(r.shares)
                shares[seat], shares[r.loser] = shares[r.loser], shares[seat]
                yield replace(r, shares=tuple(shares)), (r.names[seat],)


shared(
    "a virgin forgotten",
    "virgin-missed ramsch-virgin",
    lambda r: r.loser is not None and len(r.virgins) == 1 and len(r.factors),
    factors=lambda r: r.factors[1:],
)
shared("losers alone written", "side-written", plain, shares=lambda r: tuple(min(0, n) for n in r.shares))
shared("winners alone written", "side-written", plain, shares=lambda r: tuple(max(0, n) for n in r.shares))


# --- pots -------------------------------------------------------------------------------------------------------------


def pot(r: Reckoning, shares: dict[int, int]) -> Reckoning:
    return replace(r, pot=tuple(shares.get(seat, 0) for seat in range(len(r.names))))


potted("pot forgotten", "stock-missed stock", lambda r: any(r.pot), pot=lambda r: (0,) * len(r.names))
potted("pot counted twice", "pot-twice", lambda r: any(r.pot), pot=lambda r: tuple(2 * n for n in r.pot))
potted("pot and no price", "pot-alone", lambda r: any(r.pot), shares=lambda r: (0,) * len(r.names))
potted("pot with the other sign", "pot-turned", lambda r: any(r.pot), pot=lambda r: tuple(-n for n in r.pot))


@kind(POTS, "pot to one", "pot-to-one")
def pot_to_one(r: Reckoning) -> Iterator[Form]:
    who = [seat for seat, each in enumerate(r.pot) if each]
    yield from ((pot(r, {seat: sum(r.pot)}), (r.names[seat],)) for seat in who if len(who) > 1)


@kind(POTS, "whole pot to each", "pot-to-each pot-twice")
def pot_to_each(r: Reckoning) -> Iterator[Form]:
    who = [seat for seat, each in enumerate(r.pot) if each]
    if len(who) > 1:
        yield pot(r, dict.fromkeys(who, sum(r.pot))), ()


@kind(POTS, "pot to the other side", "pot-to-others")
def pot_to_others(r: Reckoning) -> Iterator[Form]:
    who = [seat for seat, each in enumerate(r.pot) if each]
    rest = [seat for seat in (*r.ours, *r.theirs) if seat not in who]
    if who and len(rest) == len(who):
        yield pot(r, dict.fromkeys(rest, r.pot[who[0]])), ()


@kind(POTS, "pot shared by all", "pot-to-all")
def pot_to_all(r: Reckoning) -> Iterator[Form]:
    if any(r.pot) and sum(r.pot) % len(r.names) == 0:
        yield pot(r, dict.fromkeys(range(len(r.names)), sum(r.pot) // len(r.names))), ()
