"""Calls before and during play, at random and legal: auctions, also in trump lengths, knocks, the cut, a deal that all
pass; a surrender offered, Kontra and the answers to it. Written from the documents, not from the engine."""

from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from archive.cards import SUITS
from archive.generate.plan import Hands, Plan, active_seats, sits_out
from archive.play.cut import cutter, packets_of
from archive.play.seating import opposite
from archive.record import Call, Deal, Double, Event, Game
from archive.rules import Ruleset

# --- during play ------------------------------------------------------------------------------------------------------


def with_surrender(rng: Random, plan: Plan, deal: Deal) -> Deal:
    """Return the deal; now and then an opponent offers to surrender, and the declarer accepts or refuses. 004 Giving
    Up."""
    game = deal.game
    if not plan.ruleset.house.surrender or game is None or game.declarer is None or rng.random() > 0.15:
        return deal
    answer = rng.choice(("accepts", "refuses"))
    offer = Event(rng.choice(plan.opponents), "offers-surrender", rng.choice((None, "1.1")))
    tricks = () if answer == "accepts" else deal.tricks
    return replace(deal, events=(offer, Event(game.declarer, answer)), tricks=tricks)


def choose_doublings(rng: Random, plan: Plan, deal: Deal) -> tuple[Double, ...] | None:
    """Return Kontra by one of the defence, now and then answered by the declarer, when the house allows it; in a Ramsch
    that may be doubled, by anyone before an own card. None if nobody doubles."""
    house, game, active = plan.ruleset.house, deal.game, plan.active
    assert game
    if plan.row.parties == "each":
        if house.ramsch.double == "no":
            return None
        doublings = [Double(seat, "double", 1, card) for card, seat in enumerate(active, 1) if rng.random() < 0.15]
        return tuple(doublings) or None
    stoss = house.stoss
    if game.declarer is None or stoss.until == "no" or rng.random() < 0.75:
        return None
    if "muss" in game.words and house.muss and not house.muss.stoss:
        return None
    first = rng.choice(plan.opponents)
    leader = deal.tricks[0].leader if deal.tricks else None
    own = card_place(active, first, active[0] if leader is None else leader)
    latest = {"first-card": (1, 1), "second-card": (1, 2)}.get(stoss.until, (1, own))
    trick, card = latest if deal.tricks else (None, None)
    doublings = [Double(first, "kontra", trick, card)]
    if stoss.until == "own-card" and not stoss.limit:  # without a limit: at once, in turn
        words = ("re", "double", "double", "double")[: rng.choice((0, 0, 1, 1, 2, 3, 4))]
        return (*doublings, *(Double(first if n % 2 else game.declarer, word) for n, word in enumerate(words)))
    if rng.random() < 0.5 and stoss.limit != 1:
        if stoss.until == "trick-by-trick":
            return (*doublings, *doubling_chain(rng, plan, deal))
        doublings.append(Double(game.declarer, "re"))
    return tuple(doublings)


def card_place(active: tuple[int, ...], seat: int, leader: int) -> int:
    """Return the place in a trick at which a player plays, from 1."""
    return (active.index(seat) - active.index(leader)) % len(active) + 1


def doubling_chain(rng: Random, plan: Plan, deal: Deal) -> list[Double]:
    """Return doublings of both sides in turn, each before an own card of the next trick. 001 Langendorf Schafkopf."""
    doublings: list[Double] = []
    defence = plan.opponents
    ours = [seat for seat in plan.active if seat not in defence]
    for number, trick in enumerate((deal.tricks or ())[1:4], 2):
        seat = rng.choice(ours if number % 2 == 0 else defence)
        assert trick.leader is not None
        own = card_place(plan.active, seat, trick.leader)
        doublings.append(Double(seat, "re" if number == 2 else "double", number, own))
        if rng.random() < 0.6:
            break
    return doublings


# --- before play ------------------------------------------------------------------------------------------------------


def with_calls(rng: Random, plan: Plan, deal: Deal, knocks: bool = True, doubles: bool = True) -> Deal:
    """Return the deal with auction, knocks, the cutter's knock and doublings, as the house allows."""
    house = plan.ruleset.house
    may = {"no": (), "forehand": plan.active[:1], "dealer": plan.active[-1:]}.get(house.knock, plan.active)
    knocked = [seat for seat in may if rng.random() < 0.15] if knocks else []
    if house.hausbock and may and not knocked:
        knocked = [rng.choice(may)]
    if house.knock == "in-turn":
        knocked = list(plan.active[: len(knocked)])
    ways = packets_of(house.packets, plan.size)
    packet = min(next(iter(ways.values()))) if ways else plan.size // 2  # the first of the house, or half a hand
    return replace(
        deal,
        auction=deal.auction or auction(rng, plan, deal),
        knocks=tuple(knocked) or None,
        cut=cut(rng, plan) if house.klopfen and knocks else None,
        doubles=choose_doublings(rng, plan, deal) if doubles else None,
        packet=packet if knocked else None,
    )


def cut(rng: Random, plan: Plan) -> str | None:
    """Return the cutter's knock in packets that make up a hand, or None."""
    if rng.random() < 0.6:
        return None
    seat = cutter(plan.dealer, plan.players, plan.ruleset.house)
    packet = rng.choice([n for n in (2, 3, 4, plan.size) if plan.size % n == 0])
    return f"Seat{seat + 1} knocks, {plan.size // packet}x{packet}, {rng.choice(('left', 'right'))}"


def auction(rng: Random, plan: Plan, deal: Deal) -> tuple[Call, ...] | None:
    """Return calls that lead to the game; None if it is not bid for."""
    row, house, active, game = plan.row, plan.ruleset.house, plan.active, deal.game
    assert game
    of_round = any(plan.ruleset.rounds[name].contracts for name in plan.rounds)
    if row.parties == "opposite" or row.declares == "forehand" or house.talon or of_round:
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
        return hanging(rng, plan, deal)
    rank = {"tout": row.tout_rank, "open": row.open_rank}
    mine = next((rank[word] for word in game.words if rank.get(word)), None) or row.rank
    ranks = [plan.ruleset.contracts[name].rank for name in house.contracts if plan.ruleset.contracts[name].declarer]
    before = active[: active.index(declarer)]
    if mine > min(ranks) and before and rng.random() < 0.4:
        return outbid(rng, plan, rng.choice(before), " ".join([row.id, *game.words]))
    return tuple(Call(seat, "play" if seat == declarer else "pass") for seat in active)


def outbid(rng: Random, plan: Plan, opener: int, named: str) -> tuple[Call, ...]:
    """Return calls of an opener who is outbid and yields: at once (001) or when all have spoken (002)."""
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
    """Return an auction of 004 Bidding: players who want a Solo say so, now and then a second one who yields; otherwise
    the first to take up the skat ends the auction."""
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


def hanging(rng: Random, plan: Plan, deal: Deal) -> tuple[Call, ...] | None:
    """Return an auction of 004 Asserufen: one player hangs on, and now and then a later one with a suit without its Ace
    asks to take over; a Solo is named, its suit only if it is hearts. None if there is no declarer."""
    game, active, declarer = deal.game, plan.active, plan.declarer
    if game is None or declarer is None:
        return None
    place = active.index(declarer)
    may_ask = [seat for seat in active if without_ace((deal.hands or ())[seat] or ())]
    words, answers = dict.fromkeys(active, "pass"), []
    hangers, askers = active[:place], [seat for seat in active[place + 1 :] if seat in may_ask]
    if plan.row.takes == "trump":
        words[declarer] = " ".join([plan.row.id, *(["H"] if game.suit == "H" else []), *game.words])
        if hangers and rng.random() < 0.5:
            words[rng.choice(hangers)] = "hang"
    elif hangers and declarer in may_ask and rng.random() < 0.5:
        hanger = rng.choice(hangers)
        words |= {hanger: "hang", declarer: "may-i"}
        answers = [Call(hanger, "accept")]
    else:
        words[declarer] = "hang"
        if askers and rng.random() < 0.5:
            words[rng.choice(askers)] = "may-i"
            answers = [Call(declarer, "refuse")]
    return (*(Call(seat, words[seat]) for seat in active), *answers)


def without_ace(hand: tuple[str, ...]) -> bool:
    """Return whether a hand has a suit besides hearts without its Ace."""
    suits = {card[0] for card in hand if card[0] != "H" and card[1] not in "OU"}
    return any(suit + "A" not in hand for suit in suits)


def wedding(plan: Plan) -> tuple[Call, ...] | None:
    """Return a Hochzeit offered and refused, in turn from forehand, until the partner accepts; None if there is
    none."""
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
    """Return an auction of 002 06.3: forehand against middlehand in fives, then rearhand against the winner."""
    bids = plan.ruleset.house.bids
    assert bids
    assert plan.declarer is not None
    if bids.rising:
        return rising_bids(plan, bid or bids.start)
    if bid is None:
        return tuple(Call(seat, "play" if seat == plan.declarer else "pass") for seat in plan.active)
    first, second, third = plan.active
    bidder = third if plan.declarer == third else second
    calls = [Call(first, "play"), *([Call(second, "pass")] if bidder == third else [])]
    for number in range(bids.start, bid + 1, bids.step):  # the answer is yes, until one of them has enough
        has_enough = number == bid and plan.declarer == bidder
        calls += [Call(bidder, str(number)), Call(first, "pass" if has_enough else "hold")]
    out = [second] if plan.declarer == first else []
    return (*calls, *(Call(seat, "pass") for seat in (*out, *([third] if bidder == second else []))))


def rising_bids(plan: Plan, bid: int) -> tuple[Call, ...]:
    """Return an auction of 002 06.4 Bidding: bids rise in steps from forehand on, as often as it takes for the declarer
    to make the last one; the others pass."""
    house, active = plan.ruleset.house, plan.active
    step = house.bids.step if house.bids else 1
    turns = 1 + active.index(plan.declarer) if plan.declarer in active else 1
    while bid - turns * step >= step and turns < 4:
        turns += len(active)
    first = bid - (turns - 1) * step
    said = [Call(active[n % len(active)], str(first + n * step)) for n in range(turns)]
    return (*said, *(Call(seat, "pass") for seat in active if seat != plan.declarer))


def passed_out_deal(rng: Random, ruleset: Ruleset, dealer: int, players: int, rounds: tuple[str, ...]) -> Deal | None:
    """Return a deal that all pass, or None unless the house throws it in; nobody has knocked if that decides it. If a
    player with a Jack must bid, one has them all."""
    house = ruleset.house
    if (house.all_pass != "thrown-in" and not house.hausbock) or house.talon:
        return None
    active = active_seats(dealer, players, house.seats)
    around = active * 2 if house.auction == "two-rounds" else active
    calls = None if house.hausbock else tuple(Call(seat, "pass") for seat in around)
    return Deal(
        dealer=dealer, sits_out=sits_out(active, players), round=rounds or None, auction=calls, game=Game("none"),
        knocks=() if house.hausbock else None, hands=all_jacks(rng) if house.lengths else None,
    )  # fmt: skip


def all_jacks(rng: Random) -> tuple[tuple[str, ...], ...]:
    """Return four hands, one of them with all Jacks."""
    rest = [suit + rank for suit in SUITS for rank in "AZKO987"]
    rng.shuffle(rest)
    hands = [[suit + "U" for suit in SUITS] + rest[:4], *(rest[4 + 8 * n : 12 + 8 * n] for n in range(3))]
    rng.shuffle(hands)
    return tuple(map(tuple, hands))


# --- an auction in lengths --------------------------------------------------------------------------------------------


class Suit(NamedTuple):
    """A suit that a player could make trump: its number of trumps with the Jacks, and the rank of its lowest card."""

    length: int
    lowest: int
    suit: str


def suits_of(plan: Plan, hand: tuple[str, ...]) -> list[Suit]:
    """Return the suits that a hand could make trump, without those in which it has only Jacks."""
    ranks = low_to_high(plan)
    jacks = sum(card[1] == "U" for card in hand)
    suits = []
    for suit in SUITS:
        plain = [ranks.index(card[1]) for card in hand if card[0] == suit and card[1] != "U"]
        if plain and len(plain) + jacks > 1:
            suits.append(Suit(len(plain) + jacks, min(plain), suit))
    return suits


def low_to_high(plan: Plan) -> str:
    """Return the ranks of a suit without the Jack, from the Seven up."""
    return "".join(rank for rank in reversed(plan.row.order) if rank not in "U6")


def auction_in_lengths(rng: Random, plan: Plan, hands: Hands, suit: str) -> tuple[Call, ...] | None:
    """Return an auction in lengths that the declarer wins with this suit or a Solo; None if another wins. 000 Making
    Trumps: the first speaker with Jacks must bid; the same length again needs a chance at the tie."""
    rule, calls = plan.ruleset.house.lengths, list[Call]()
    assert rule
    standing: list[tuple[int, Suit]] = []  # the highest bidders, in turn
    bound = [-1, -1]  # the least rank of each pair's lowest card, as the others must assume
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
    named = tie_calls(rng, plan, standing, rule.partners_agree)
    return None if named is None else (*calls, *named)


def tie_calls(rng: Random, plan: Plan, standing: list[tuple[int, Suit]], agree: bool) -> tuple[Call, ...] | None:
    """Return the calls at a tie that the declarer wins: each in turn names the lowest card, or concedes. Else None."""
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
