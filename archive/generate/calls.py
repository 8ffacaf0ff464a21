"""Calls before play, at random and legal: auctions, knocks, the cut, a deal that all pass. Written from the documents,
not from the engine."""

from random import Random

from msgspec.structs import replace

from archive.cards import SUITS
from archive.generate.doubling import choose_doublings
from archive.generate.plan import Plan, active_seats, sits_out
from archive.play.cut import cutter, packets_of
from archive.record import Call, Deal, Game
from archive.rules import Ruleset


def with_calls(rng: Random, plan: Plan, deal: Deal, knocks: bool = True, doubles: bool = True) -> Deal:
    """Return the deal with auction, knocks, the cutter's knock and doublings, as the house allows."""
    house = plan.ruleset.house
    may = {"no": (), "forehand": plan.active[:1], "dealer": plan.active[-1:]}.get(house.knock, plan.active)
    knocked = [seat for seat in may if rng.random() < 0.15] if knocks else []
    if house.hausbock and may and not knocked:
        knocked = [rng.choice(may)]
    if house.knock == "in-turn":
        knocked = list(plan.active[: len(knocked)])
    return replace(
        deal,
        auction=deal.auction or auction(rng, plan, deal),
        knocks=tuple(knocked) or None,
        cut=cut(rng, plan) if house.klopfen and knocks else None,
        doubles=choose_doublings(rng, plan, deal) if doubles else None,
        packet=first_packet(plan) if knocked else None,
    )


def first_packet(plan: Plan) -> int:
    """Return the number of cards in hand at a knock: the first packet of the house, or half a hand if it names none."""
    ways = packets_of(plan.ruleset.house.packets, plan.size)
    return min(next(iter(ways.values()))) if ways else plan.size // 2


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
        knocks=() if house.hausbock else None, hands=all_jacks(rng, players) if house.lengths else None,
    )  # fmt: skip


def all_jacks(rng: Random, players: int) -> tuple[tuple[str, ...], ...]:
    """Return four hands, one of them with all Jacks."""
    rest = [suit + rank for suit in SUITS for rank in "AZKO987"]
    rng.shuffle(rest)
    hands = [[suit + "U" for suit in SUITS] + rest[:4], *(rest[4 + 8 * n : 12 + 8 * n] for n in range(3))]
    rng.shuffle(hands)
    return tuple(map(tuple, hands))
