"""What happens before the first card, at random and legal: words, calls, cards passed on, knocks and doublings.

Written from the documents, not from the engine: what may be called in a Muss, who passes what to whom, who may speak,
who makes trumps by the length of a suit.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from archive.cards import BIT
from archive.play.parties import holder
from archive.record import Call, Deal, Double, Event, Exchange, Game
from archive.rules import Contract, House, Ruleset, Tables

if TYPE_CHECKING:
    from generate import Plan

Hands = dict[int, tuple[str, ...]]
SUITS = "EGHS"
WORDS = ("tout", "du", "hand", "open", "muss", "void")
RARELY = 0.06


def words(rng: Random, ruleset: Ruleset, row: Contract, wanted: bool, tout: bool) -> tuple[str, ...]:
    """The words of a game. A contract that is wanted is played plainly, or as a Tout."""
    house, muss = ruleset.house, ruleset.house.muss
    every = "du" if house.du else "tout"
    if wanted:
        return (every,) if tout else ()
    may = {
        every: row.tout_rank is not None,
        "hand": house.hand != "no" and row.exchange == "blind",
        "open": house.bettel.open != "no" and row.open_rank is not None,
        "muss": house.all_pass == "muss" and muss is not None and row.id == muss.contract,
    }
    chance = {"tout": RARELY, "du": RARELY, "hand": 0.3, "open": 0.3, "muss": 0.3}
    said = tuple(word for word in WORDS if may.get(word) and rng.random() < chance[word])
    return ("muss",) if "muss" in said else said


def seated(dealer: int, players: int, seats: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The seats in play, forehand first, and those that sit out: the dealer, then the cutter, then whoever."""
    out = tuple(sorted((dealer - step) % players for step in range(players - seats)))
    around = ((dealer + 1 + step) % players for step in range(players))
    return tuple(seat for seat in around if seat not in out), out


def opposite(seat: int, active: tuple[int, ...]) -> int:
    """Who sits opposite, of four."""
    return active[(active.index(seat) + 2) % 4]


# --- the hand and what is named ---------------------------------------------------------------------------------------


def callable_card(rng: Random, plan: Plan, hands: Hands, suit: str | None) -> str:
    """The Ace of a suit that is called; where a void suit or a Ten may be, one that the hand can call. 004 Asserufen:
    Calling an Ace."""
    usual = f"{suit}{plan.row.called}"
    if plan.declarer is None or plan.ruleset.house.call.void != "always" or "muss" in plan.words:
        return usual
    may = callable_aces(plan.row, hands[plan.declarer])
    return usual if usual in may or not may else rng.choice(may)


def callable_aces(row: Contract, mine: tuple[str, ...]) -> list[str]:
    """Aces of suits in hand; else of others; else Tens, which are called with all the Aces in hand."""
    suits = [suit for suit in SUITS if suit != row.trump]
    plain = {suit: [card for card in mine if card[0] == suit and card[1] not in row.lords] for suit in suits}
    in_hand = [suit + "A" for suit in suits if plain[suit] and suit + "A" not in mine]
    void = [suit + "A" for suit in suits if not plain[suit]]
    return in_hand or void or [suit + "Z" for suit in suits if suit + "Z" not in mine]


def must(plan: Plan, hands: Hands, card: str) -> tuple[Plan, Game | None]:
    """Who holds the card must play, and calls what 001 Muss-Spiel allows: an ace; else a suit that is void; else a
    ten; else a king."""
    declarer = next((seat for seat, hand in hands.items() if card in hand), None)
    if declarer is None:
        return plan, None
    mine = hands[declarer]
    suits = [suit for suit in SUITS if suit != plan.row.trump]
    plain = {suit: [c for c in mine if c[0] == suit and c[1] not in "OU"] for suit in suits}
    choices = (
        [(suit + "A", "muss") for suit in suits if plain[suit] and suit + "A" not in mine],
        [(suit + "A", "muss void") for suit in suits if not plain[suit]],
        [(suit + "Z", "muss") for suit in suits if suit + "Z" not in mine],
        [(suit + "K", "muss") for suit in suits if suit + "K" not in mine],
    )
    called, said = next(each for each in choices if each)[0]
    plan = replace(plan, declarer=declarer, words=tuple(said.split()))
    return plan, Game(plan.row.id, declarer, called[0], called, plan.words)


def exchanged(
    rng: Random, plan: Plan, compiled: Tables, hands: Hands, blind: tuple[str, ...]
) -> tuple[tuple[Exchange, ...] | None, Hands]:
    """What is passed on, and the hands held then; None where the hands allow no exchange."""
    held = dict(hands)
    passed: list[Exchange] = []
    trumps = compiled.groups[-1]

    def move(giver: int | None, taker: int | None, cards: tuple[str, ...]) -> None:
        passed.append(Exchange(giver, taker, cards))
        if giver is not None:
            held[giver] = tuple(card for card in held[giver] if card not in cards)
        if taker is not None:
            held[taker] += cards

    declarer = plan.declarer
    if plan.exchange == "none" or declarer is None or "hand" in plan.words:
        return (), held
    if plan.exchange == "wedding":
        mine = tuple(card for card in hands[declarer] if BIT[card] & trumps)
        if len(mine) != 1 or plan.partner is None:
            return None, held
        move(declarer, plan.partner, mine)
        move(plan.partner, declarer, (rng.choice(hands[plan.partner]),))
    elif plan.exchange == "partner":
        partner = opposite(declarer, plan.active)
        theirs = hands[partner]
        move(declarer, partner, lowest(rng, held[declarer], compiled, 1))
        best = [card for card in theirs if BIT[card] & trumps or card[1] == "A"]
        move(partner, declarer, (rng.choice(best or theirs),))
    elif plan.exchange == "blind":
        move(None, declarer, blind)
        move(declarer, None, lowest(rng, held[declarer], compiled, len(blind)))
    elif plan.exchange == "pass-left":
        seats = plan.active[plan.active.index(declarer) :]
        move(None, declarer, blind)
        for giver, taker in pairwise(seats):
            own, count = held[giver], len(blind)
            any_of_them = tuple(rng.sample(own, count)) if giver != declarer else ()
            move(giver, taker, any_of_them or lowest(rng, own, compiled, count))
    return tuple(passed), held


def lowest(rng: Random, hand: tuple[str, ...], compiled: Tables, count: int) -> tuple[str, ...]:
    """Cards that a declarer gives away: plain ones before trumps."""
    weighed = sorted(hand, key=lambda card: (bool(BIT[card] & compiled.groups[-1]), rng.random()))
    return tuple(weighed[:count])


def bid(rng: Random, plan: Plan, calls: tuple[Call, ...] | None) -> int | None:
    """The points bid, None where nobody has gone above the first; or the length, where the game tells it."""
    bids = plan.ruleset.house.bids
    if calls and not plan.row.marks:
        lengths = [int(call.call) for call in calls if call.call.isdigit()]
        return lengths[-1] if rng.random() < 0.5 else None
    if bids is None or plan.declarer is None:
        return None
    steps = rng.choice((0, 0, 0, 1, 2, 4))
    return bids.start + (steps - 1) * bids.step if steps else None


# --- the longest suit -------------------------------------------------------------------------------------------------


class Suit(NamedTuple):
    """A suit that somebody would make trump: so many trumps with the Jacks, and how high the lowest of the suit is."""

    length: int
    lowest: int
    suit: str


def suits_of(plan: Plan, hand: tuple[str, ...]) -> list[Suit]:
    """The suits that a hand could make trump, without those of which it has nothing but Jacks."""
    ranks = low_to_high(plan)
    jacks = sum(card[1] == "U" for card in hand)
    found = []
    for suit in SUITS:
        plain = [ranks.index(card[1]) for card in hand if card[0] == suit and card[1] != "U"]
        if plain and len(plain) + jacks > 1:
            found.append(Suit(len(plain) + jacks, min(plain), suit))
    return found


def low_to_high(plan: Plan) -> str:
    """The ranks of a suit but the Jack, from the Seven."""
    return "".join(rank for rank in reversed(plan.row.order) if rank not in "U6")


def by_length(rng: Random, plan: Plan, hands: Hands, suit: str) -> tuple[Call, ...] | None:
    """An auction in lengths that the declarer wins with this suit, or with a Solo; None where another does. 000 Making
    Trumps: who speaks first of those with Jacks must bid; the same length again needs a chance at the tie."""
    rule, calls = plan.ruleset.house.lengths, list[Call]()
    assert rule
    standing: list[tuple[int, Suit]] = []  # who has bid the most, in turn
    bound = [-1, -1]  # how high the lowest card of each pair is at least, as the others must think
    for place, seat in enumerate(plan.active):
        mine, jacks = plan.declarer == seat, sum(card[1] == "U" for card in hands[seat])
        if mine and plan.row.marks:
            return (*calls, Call(seat, plan.row.id))
        most = standing[0][1].length if standing else 0
        pair = place % 2
        needs = 1 + (bound[1 - pair] if rule.partners_agree else max(bound))
        may = [each for each in suits_of(plan, hands[seat]) if each.length > most or (each[:2] >= (most, needs))]
        may = [each for each in may if not mine or each.suit == suit]
        if not 1 <= jacks <= rule.most_lords or not may or (standing and not mine and rng.random() < 0.5):
            if not standing and 1 <= jacks <= rule.most_lords:
                return None
            calls.append(Call(seat, rng.choice(("pass", "good")) if standing else "pass"))
            continue
        chosen = rng.choice([each for each in may if mine or each.length == max(other.length for other in may)])
        calls.append(Call(seat, "mit" if chosen.length == most else str(chosen.length)))
        if chosen.length > most:
            standing, bound, needs = [], [-1, -1], 0
        standing.append((seat, chosen))
        bound[pair] = max(bound[pair], needs)
    named = tied(rng, plan, standing, rule.partners_agree)
    return None if named is None else (*calls, *named)


def tied(rng: Random, plan: Plan, standing: list[tuple[int, Suit]], agree: bool) -> tuple[Call, ...] | None:
    """What is said at a tie, where the declarer wins it: each in turn names the lowest card, or concedes."""
    seats = [seat for seat, _ in standing]
    if plan.declarer not in seats:
        return None
    partners = len({plan.active.index(seat) % 2 for seat in seats}) == 1
    if len(seats) == 1 or (partners and agree):
        return ()
    calls, best, winner = list[Call](), -1, -1
    for seat, each in standing:
        with_partner = agree and winner >= 0 and opposite(winner, plan.active) == seat and rng.random() < 0.5
        if each.lowest > best and not with_partner:
            best, winner = each.lowest, seat
            calls.append(Call(seat, f"lowest {low_to_high(plan)[each.lowest]}"))
        else:
            calls.append(Call(seat, "concede"))
    return tuple(calls) if winner == plan.declarer else None


# --- what is said -----------------------------------------------------------------------------------------------------


def surrendered(rng: Random, plan: Plan, made: Deal) -> Deal:
    """Now and then an opponent offers the game to the declarer, who accepts, or refuses and plays. 004 Giving Up."""
    game = made.game
    if not plan.ruleset.house.surrender or game is None or game.declarer is None or rng.random() > 0.15:
        return made
    others = against(plan, made, game)
    answer = rng.choice(("accepts", "refuses"))
    events = (Event(rng.choice(others), "offers-surrender", rng.choice((None, "1.1"))), Event(game.declarer, answer))
    return replace(made, events=events, tricks=() if answer == "accepts" else made.tricks)


def said(rng: Random, plan: Plan, made: Deal, knocks: bool, doubles: bool) -> Deal:
    """The deal with auction, knocks, the cutter's knock and doublings, as the house allows."""
    house = plan.ruleset.house
    may = {"no": (), "forehand": plan.active[:1]}.get(house.knock, plan.active)
    knocked = [seat for seat in may if rng.random() < 0.15] if knocks else []
    if house.hausbock and may and not knocked:
        knocked = [rng.choice(may)]
    if house.knock == "in-turn":
        knocked = list(plan.active[: len(knocked)])
    assert made.game
    if made.game.declarer is not None:
        plan = replace(plan, declarer=made.game.declarer, words=made.game.words)
    return replace(
        made,
        auction=made.auction or auction(rng, plan, made),
        knocks=tuple(knocked) or None,
        cut=cut(rng, plan) if house.klopfen and knocks else None,
        doubles=doublings(rng, plan, made) if doubles else None,
        packet=plan.size // 2 if knocked else None,
    )


def cut(rng: Random, plan: Plan) -> str | None:
    """The cutter's knock: packets that make up a hand."""
    if rng.random() < 0.6:
        return None
    cutter = (plan.dealer - 1) % plan.players
    packet = rng.choice([n for n in (2, 3, 4, plan.size) if plan.size % n == 0])
    return f"Seat{cutter + 1} knocks, {plan.size // packet}x{packet}, {rng.choice(('left', 'right'))}"


def auction(rng: Random, plan: Plan, made: Deal) -> tuple[Call, ...] | None:
    """Calls that lead to the game; None where it is not bid for."""
    row, house, active, game = plan.row, plan.ruleset.house, plan.active, made.game
    assert game
    if row.parties == "opposite" or any(plan.ruleset.rounds[name].contracts for name in plan.rounds):
        return None
    if row.exchange == "wedding":
        return wedding(plan)
    declarer = plan.declarer
    if declarer is None or "muss" in game.words:
        return tuple(Call(seat, "pass") for seat in active)
    if house.bids is not None:
        return in_points(plan, game.bid)
    if house.auction == "two-rounds":
        return two_rounds(rng, plan, game)
    if house.auction == "hanging":
        return hanging(rng, plan, made)
    rank = {"tout": row.tout_rank, "open": row.open_rank}
    mine = next((rank[word] for word in game.words if rank.get(word)), None) or row.rank
    ranks = [plan.ruleset.contracts[name].rank for name in house.contracts if plan.ruleset.contracts[name].declarer]
    before = active[: active.index(declarer)]
    if mine > min(ranks) and before and rng.random() < 0.4:
        return outbid(rng, plan, rng.choice(before), " ".join([row.id, *game.words]))
    return tuple(Call(seat, "play" if seat == declarer else "pass") for seat in active)


def outbid(rng: Random, plan: Plan, opener: int, named: str) -> tuple[Call, ...]:
    """Somebody before the declarer opens, is outbid, and lets it be: at once (001) or when all have spoken (002)."""
    at_once = rng.random() < 0.5
    calls: list[Call] = []
    for seat in plan.active:
        if seat == opener:
            calls.append(Call(seat, "play"))
        elif seat == plan.declarer:
            calls.append(Call(seat, named))
            calls += [Call(opener, "good")] if at_once else []
        else:
            calls.append(Call(seat, "pass"))
    return (*calls, *(() if at_once else [Call(opener, "good")]))


def two_rounds(rng: Random, plan: Plan, game: Game) -> tuple[Call, ...]:
    """004 Bidding: who wants to play a Solo says so, and now and then a second who lets it be; else the first who takes
    up the skat ends the auction."""
    active, declarer = plan.active, plan.declarer
    assert declarer is not None
    if plan.row.exchange == "blind":
        before = active[: active.index(declarer)]
        passed = (Call(seat, "pass") for seat in (*active, *before))
        return (*passed, Call(declarer, rng.choice(("play", "take", plan.row.id))))
    rival = rng.choice([seat for seat in active if seat != declarer]) if rng.random() < 0.2 else None
    calls = [Call(seat, "play" if seat in (declarer, rival) else "pass") for seat in active]
    if rival is not None:
        named = " ".join([plan.row.id, game.suit or "", *game.words])
        calls += [Call(declarer, named), Call(rival, "good")]
    return tuple(calls)


def hanging(rng: Random, plan: Plan, made: Deal) -> tuple[Call, ...] | None:
    """004 Asserufen: one hangs on, and now and then a later one asks to take over, who has a suit without its Ace; a
    Solo is named, its suit only where it is hearts."""
    game, active, declarer = made.game, plan.active, plan.declarer
    if game is None or declarer is None:
        return None
    place = active.index(declarer)
    may_ask = [seat for seat in active if without_ace((made.hands or ())[seat] or ())]
    said, answers = dict.fromkeys(active, "pass"), []
    hangers, askers = active[:place], [seat for seat in active[place + 1 :] if seat in may_ask]
    if plan.row.takes == "trump":
        said[declarer] = " ".join([plan.row.id, *(["H"] if game.suit == "H" else []), *game.words])
        if hangers and rng.random() < 0.5:
            said[rng.choice(hangers)] = "hang"
    elif hangers and declarer in may_ask and rng.random() < 0.5:
        hanger = rng.choice(hangers)
        said |= {hanger: "hang", declarer: "may-i"}
        answers = [Call(hanger, "accept")]
    else:
        said[declarer] = "hang"
        if askers and rng.random() < 0.5:
            said[rng.choice(askers)] = "may-i"
            answers = [Call(declarer, "refuse")]
    return (*(Call(seat, said[seat]) for seat in active), *answers)


def without_ace(hand: tuple[str, ...]) -> bool:
    """Whether a hand has a suit besides hearts without its Ace."""
    suits = {card[0] for card in hand if card[0] != "H" and card[1] not in "OU"}
    return any(suit + "A" not in hand for suit in suits)


def wedding(plan: Plan) -> tuple[Call, ...] | None:
    """A Hochzeit offered and, in turn from forehand, refused by those before the partner, who accepts."""
    when, offerer = plan.ruleset.house.hochzeit.when, plan.declarer
    if when == "no" or offerer is None or plan.partner is None:
        return None
    others = [seat for seat in plan.active if seat != offerer]
    asked = others[: others.index(plan.partner)]
    answers = (*(Call(seat, "no") for seat in asked), Call(plan.partner, "accept"))
    if when == "before":
        return (Call(offerer, "offer"), *answers)
    return (*(Call(seat, plan.row.id if seat == offerer else "pass") for seat in plan.active), *answers)


def in_points(plan: Plan, bid: int | None) -> tuple[Call, ...]:
    """002 06.3: forehand against middlehand in fives, then rearhand against who is left."""
    bids = plan.ruleset.house.bids
    assert bids
    assert plan.declarer is not None
    if bid is None:
        return tuple(Call(seat, "play" if seat == plan.declarer else "pass") for seat in plan.active)
    numbers = range(bids.start, bid + 1, bids.step)
    first, second, third = plan.active
    calls = [Call(first, "play")]
    if plan.declarer == first:  # who is asked says yes to every number, until the other has enough
        for number in numbers:
            calls += [Call(second, str(number)), Call(first, "hold")]
        calls += [Call(second, "pass"), Call(third, "pass")]
    elif plan.declarer == second:
        for number in numbers:
            calls += [Call(second, str(number)), Call(first, "hold" if number != bid else "pass")]
        calls.append(Call(third, "pass"))
    else:
        calls.append(Call(second, "pass"))
        for number in numbers:
            calls += [Call(third, str(number)), Call(first, "hold" if number != bid else "pass")]
    return tuple(calls)


def doublings(rng: Random, plan: Plan, made: Deal) -> tuple[Double, ...] | None:
    """Kontra by one of the defence, now and then answered by the declarer, at moments that the house allows; in a
    Ramsch that may be doubled, anyone before an own card."""
    house, game, active = plan.ruleset.house, made.game, plan.active
    assert game
    if plan.row.parties == "each":
        if house.ramsch.double == "no":
            return None
        said = [Double(seat, "double", 1, card) for card, seat in enumerate(active, 1) if rng.random() < 0.15]
        return tuple(said) or None
    stoss = house.stoss
    if game.declarer is None or stoss.until == "no" or rng.random() < 0.75:
        return None
    if "muss" in game.words and house.muss and not house.muss.stoss:
        return None
    defence = against(plan, made, game)
    first = rng.choice(defence)
    leader = made.tricks[0].leader if made.tricks else None
    own = place(active, first, active[0] if leader is None else leader)
    latest = {"first-card": (1, 1), "second-card": (1, 2)}.get(stoss.until, (1, own))
    trick, card = latest if made.tricks else (None, None)
    said = [Double(first, "kontra", trick, card)]
    if stoss.until == "own-card" and not stoss.limit:  # without limit at once, in turn
        words = ("re", "double", "double", "double")[: rng.choice((0, 0, 1, 1, 2, 3, 4))]
        return (*said, *(Double(first if n % 2 else game.declarer, word) for n, word in enumerate(words)))
    if rng.random() < 0.5 and stoss.limit != 1:
        said += chain(rng, plan, made, defence) if stoss.until == "trick-by-trick" else [Double(game.declarer, "re")]
    return tuple(said)


def against(plan: Plan, made: Deal, game: Game) -> list[int]:
    """Who plays against the declarer."""
    partner = plan.partner if plan.partner is not None else holder(after(made), BIT.get(game.called or "", 0))
    if plan.row.parties == "opposite" and game.declarer is not None:
        partner = opposite(game.declarer, plan.active)
    return [seat for seat in plan.active if seat not in (game.declarer, partner)]


def place(active: tuple[int, ...], seat: int, leader: int) -> int:
    """Which card of a trick is a player's own."""
    return (active.index(seat) - active.index(leader)) % len(active) + 1


def chain(rng: Random, plan: Plan, made: Deal, defence: list[int]) -> list[Double]:
    """The two sides in turn, each just before an own card of the next trick. 001 Langendorf Schafkopf."""
    said: list[Double] = []
    ours = [seat for seat in plan.active if seat not in defence]
    for number, trick in enumerate((made.tricks or ())[1:4], 2):
        seat = rng.choice(ours if number % 2 == 0 else defence)
        assert trick.leader is not None
        own = place(plan.active, seat, trick.leader)
        said.append(Double(seat, "re" if number == 2 else "double", number, own))
        if rng.random() < 0.6:
            break
    return said


def after(made: Deal) -> tuple[tuple[str, ...] | None, ...]:
    """The hands when play begins."""
    held = [None if hand is None else list(hand) for hand in made.hands or ()]
    for passed in made.exchange or ():
        for card in passed.cards:
            if passed.giver is not None and (giving := held[passed.giver]) is not None:
                giving.remove(card)
            if passed.taker is not None and (taking := held[passed.taker]) is not None:
                taking.append(card)
    return tuple(None if hand is None else tuple(hand) for hand in held)


def thrown_in(rng: Random, ruleset: Ruleset, dealer: int, players: int, rounds: tuple[str, ...]) -> Deal | None:
    """A deal that all pass, where the house throws it in; nobody has knocked where that decides it. Where who has a
    Jack must bid, one has them all."""
    house: House = ruleset.house
    if house.all_pass != "thrown-in" and not house.hausbock:
        return None
    active, out = seated(dealer, players, house.seats)
    around = active * 2 if house.auction == "two-rounds" else active
    calls = None if house.hausbock else tuple(Call(seat, "pass") for seat in around)
    return Deal(
        dealer=dealer, sits_out=out or None, round=rounds or None, auction=calls, game=Game("none"),
        knocks=() if house.hausbock else None, hands=all_jacks(rng, players) if house.lengths else None,
    )  # fmt: skip


def all_jacks(rng: Random, players: int) -> tuple[tuple[str, ...], ...]:
    """Four hands, all Jacks in one of them."""
    rest = [suit + rank for suit in SUITS for rank in "AZKO987"]
    rng.shuffle(rest)
    hands = [[suit + "U" for suit in SUITS] + rest[:4], *(rest[4 + 8 * n : 12 + 8 * n] for n in range(3))]
    rng.shuffle(hands)
    return tuple(map(tuple, hands))
