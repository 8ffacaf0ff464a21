"""Slips on people and on the pot: wrong payers or payees, the pot to others than those who are due to get it. And a
part of the price for some seats only: a line left out, or put in, in some columns and not in the others. This moves
amounts, not an account: only a slip in writing is tried after it."""

from collections.abc import Iterator

from archive.explain.account import Account, Amounts, Item, Items, amounts_of, price_of
from archive.explain.price_slips import end_of_doublings, missed_lines, missed_together
from archive.explain.scene import Scene, Slip, Trial, Vector, cost_of
from archive.explain.writing_slips import fits
from archive.say import Fact, Message
from archive.settle.lines import cite_of


def people_slips(scene: Scene, account: Account) -> Iterator[Trial]:
    """Yield every other way to share a price, and every other treatment of the pot, each with its account."""
    if account.items and any(account.shares):
        for slip, shares in (*of_sides(scene, account.shares), *of_all(scene, account.shares)):
            yield slip, Account(account.items, shares, account.pot, account.cap, account.unit)
        paid, paying = seats(account.shares)
        if len(paid) == len(paying) == 2 and not scene.marks:
            half = Account(account.items, account.shares, account.pot, account.cap, 2 * account.unit)
            yield Slip("paid-halved", {"count": 2}), half
    if scene.has_pot and any(account.pot):
        for slip, shares, pot in of_pot(scene, account):
            yield slip, Account(account.items, shares, pot, account.cap, account.unit)


Shared = tuple[Slip, Amounts]


def seats(shares: Amounts) -> tuple[list[int], list[int]]:
    """Return the seats that are paid, and those that pay."""
    return [n for n, own in enumerate(shares) if own > 0], [n for n, own in enumerate(shares) if own < 0]


def put(shares: Amounts, changes: dict[int, int]) -> Amounts:
    return tuple([changes.get(seat, own) for seat, own in enumerate(shares)])


def of_sides(scene: Scene, shares: Amounts) -> Iterator[Shared]:
    """Yield shares in which one is alone against all others, one pays or is paid for the whole side, only one opponent
    takes part, or one opponent is left out."""
    paid, paying = seats(shares)
    active = sorted((*paid, *paying))
    if scene.marks:
        most = max(shares)
        yield Slip("marks-other-side"), tuple([min(own, 0) or (0 if own else most) for own in shares])
        return
    if len(active) < 3:
        return
    unit = min(abs(shares[seat]) for seat in active)
    names = scene.players
    for seat in active:
        for sign in (1, -1):
            alone = put(shares, dict.fromkeys(active, -sign * unit) | {seat: sign * unit * (len(active) - 1)})
            if alone != shares:
                declarer = seat == scene.case.replay.declarer and (shares[seat] > 0) == (sign > 0)
                row = "paid-alone" if sign < 0 else "paid-alone-won"
                far = 2.5 if 1 in (len(paid), len(paying)) else 0 if declarer or sign < 0 else 1  # of a Solo: two slips
                yield Slip("paid-alone", {"name": names[seat]}, row, extra=far), alone
    for side, other in ((paid, paying), (paying, paid)):
        whole = sum(shares[seat] for seat in side)
        for seat in side if len(side) > 1 else ():
            row = "one-for-side" if whole < 0 else "one-for-side-paid"
            facts: dict[str, Fact] = {"name": names[seat]}
            mine = put(shares, dict.fromkeys(side, 0) | {seat: whole})
            shared = 0.5 if any(scene.account.pot if scene.account else ()) else 0  # the pot itself was shared
            yield Slip("one-for-side", facts, row, shared), mine
            if len(other) == 1:
                one = {each: 0 for each in side if each != seat} | {other[0]: -shares[seat]}
                row = "one-opponent" if whole < 0 else "one-opponent-paid"
                yield Slip("one-opponent", facts, row), put(shares, one)
                rest = {seat: 0, other[0]: shares[other[0]] + shares[seat]}
                yield Slip("one-left-out", facts), put(shares, rest)
            elif len(other) > 1:
                both = {each: 0 for each in side if each != seat}
                share = {each: -shares[seat] // len(other) for each in other if shares[seat] % len(other) == 0}
                if share:
                    yield Slip("one-opponent", facts, "one-of-side", 1), put(shares, both | share)
                for partner in other:
                    facts2: dict[str, Fact] = {"name": names[seat], "other": names[partner]}
                    only = {each: 0 for each in active if each not in (seat, partner)}
                    yield Slip("paid-between-two", facts2), put(shares, only)


def of_all(scene: Scene, shares: Amounts) -> Iterator[Shared]:
    """Yield shares in which everybody pays the price of one opponent, or that of all; or each pays each."""
    paid, paying = seats(shares)
    single = paid if len(paid) == 1 else paying if len(paying) == 1 else []
    count = len(paid) + len(paying) - 1
    if scene.marks:
        return
    if single and count > 1:
        seat = single[0]
        if shares[seat] % count == 0:
            facts: dict[str, Fact] = {"name": scene.players[seat], "count": count}
            yield Slip("paid-once", facts), put(shares, {seat: shares[seat] // count})
            if count > 2:
                fewer = put(shares, {seat: shares[seat] // count * (count - 1)})
                yield Slip("paid-once", facts | {"written": count - 1}, "paid-fewer", 0.5), fewer
            whole = {each: count * own for each, own in enumerate(shares) if each != seat}
            yield Slip("paid-whole", {"count": count}), put(shares, whole)
            for one in (each for each, own in enumerate(shares) if own and each != seat):
                facts_of_one: dict[str, Fact] = {"name": scene.players[one], "count": count}
                yield Slip("one-whole", facts_of_one), put(shares, {one: count * shares[one]})
            if count == 2:
                more = put(shares, {seat: shares[seat] // count * 3})
                yield Slip("paid-as-four", {"name": scene.players[seat]}), more
            yield Slip("paid-each", {"count": count}, "paid-for-all"), tuple([own * count for own in shares])
            thrice = {seat: shares[seat] * count}
            yield Slip("paid-once", facts, "paid-twice-over", 1.5), put(shares, thrice)
        points = scene.case.replay.points
        if scene.case.settlement.loser == single[0] and None not in points and len(points) == len(shares):
            yield from of_tied(scene, single[0], shares)
            yield from of_runner_up(scene, single[0], shares)
    elif len(paid) > 1 and len(paying) > 1:
        yield Slip("paid-each", {"count": len(paying)}), tuple([own * len(paying) for own in shares])
    if count > 1:
        yield Slip("side-written", {}, "losers-written"), tuple([min(0, own) for own in shares])
        yield Slip("side-written", {}, "winners-written"), tuple([max(0, own) for own in shares])


def of_tied(scene: Scene, loser: int, shares: Amounts) -> Iterator[Shared]:
    """Yield shares of a Ramsch in which all who tie for the most card points pay: each all the others, or as many of
    them as there are."""
    points = scene.case.replay.points
    tied = [seat for seat, own in enumerate(points) if own == points[loser] and shares[seat]]
    rest = [seat for seat, own in enumerate(shares) if own and seat not in tied]
    if len(tied) < 2 or not rest:
        return
    facts: dict[str, Fact] = {"names": tuple([scene.players[seat] for seat in tied])}
    for paying, paid in ((len(rest), len(tied)), (1, 1)):
        if paying * len(tied) == paid * len(rest):
            made = dict.fromkeys(tied, -paying) | dict.fromkeys(rest, paid)
            yield Slip("ramsch-both", facts, extra=0 if paying > 1 else 0.5), put((0,) * len(shares), made)


def of_runner_up(scene: Scene, loser: int, shares: Amounts) -> Iterator[Shared]:
    """Yield shares of a Ramsch in which whoever has the most card points but for the loser pays in his place."""
    points, names = scene.case.replay.points, scene.players
    most = points[loser] or 0
    ranked = sorted((own or 0, seat) for seat, own in enumerate(points) if shares[seat] > 0)
    if ranked and ranked[-1][0] < most and [own for own, _ in ranked].count(ranked[-1][0]) == 1:
        own, seat = ranked[-1]
        facts: dict[str, Fact] = {"name": names[seat], "points": own, "other": names[loser], "most": most}
        exchanged = put(shares, {seat: shares[loser], loser: shares[seat]})
        yield Slip("ramsch-loser", facts, extra=min(4, (most - own) / 5)), exchanged


def of_pot(scene: Scene, account: Account) -> Iterator[tuple[Slip, Amounts, Amounts]]:
    """Yield the pot forgotten, twice, with the other sign, without the price; to one, to each, to the others, to
    all."""
    pot, shares = account.pot, account.shares
    who = [seat for seat, each in enumerate(pot) if each]
    whole, none, everyone = sum(pot), (0,) * len(pot), range(len(pot))
    yield Slip("stock-missed", cite=cite_of(scene.case.ruleset, "house.stock.won_by")), shares, none
    yield Slip("pot-twice"), shares, tuple([2 * each for each in pot])
    yield Slip("pot-turned"), shares, tuple([-each for each in pot])
    if any(shares):
        yield Slip("pot-alone"), none, pot
    yield from of_rounds(scene, shares, pot)
    for seat in everyone:
        one = put(none, {seat: whole})
        if one != pot and (seat in who or seat in scene.case.replay.active):
            yield Slip("pot-to-one", {"name": scene.players[seat]}, extra=0 if seat in who else 1.5), shares, one
    others = [seat for seat in everyone if seat not in who and seat in scene.case.replay.active]
    if len(who) > 1:
        yield Slip("pot-to-each"), shares, put(none, dict.fromkeys(who, whole))
        if whole % (len(who) * len(who)) == 0:
            yield Slip("pot-to-each", {}, "pot-halved", 1), shares, tuple([each // len(who) for each in pot])
    if others and whole % len(others) == 0:
        yield Slip("pot-to-others"), shares, put(none, dict.fromkeys(others, whole // len(others)))
        if len(others) > 1:
            yield Slip("pot-to-others", {}, "pot-to-each-other", 1.5), shares, put(none, dict.fromkeys(others, whole))
    active = [*who, *others]
    for all_of in (active, list(everyone)):
        if whole % len(all_of) == 0 and len(all_of) > len(who):
            yield Slip("pot-to-all"), shares, put(none, dict.fromkeys(all_of, whole // len(all_of)))


def of_rounds(scene: Scene, shares: Amounts, pot: Amounts) -> Iterator[tuple[Slip, Amounts, Amounts]]:
    """Yield a pot with a round too few or too many in it; one that the losers pay, so that the row sums to zero."""
    who, whole = [seat for seat, each in enumerate(pot) if each], sum(pot)
    stake, price = scene.case.ruleset.house.stock.amount * len(pot), price_of(scene.account) if scene.account else 0
    for row, step in (("", -stake), ("pot-round-more", stake)) if whole > 0 else ():
        now = whole + step
        if step and now > 0 and now % len(who) == 0:
            facts: dict[str, Fact] = {"written": now, "amount": whole}
            yield Slip("pot-round", facts, row), shares, put((0,) * len(pot), dict.fromkeys(who, now // len(who)))
    losers = [seat for seat, each in enumerate(shares) if each < 0]
    if whole > 0 and price and losers and whole % len(losers) == 0:
        paid = {seat: pot[seat] - whole // len(losers) for seat in losers}
        yield Slip("pot-from-losers"), shares, put(pot, paid)


FOR_ONE = 0.5  # the cost if one column alone is wrong, and not those of a side
USUAL = 2.0  # the cost of a usual slip

Written = tuple[Slip, Amounts]


def seat_slips(scene: Scene, account: Account, stated: Vector) -> Iterator[Written]:
    """Yield the parts of the price that are missing, or too much, in the columns of some players, if that gives what is
    stated; with the amounts then."""
    right = amounts_of(account)
    if right is None or not account.items or scene.marks or not any(account.shares):
        return
    sides = [tuple(n for n, own in enumerate(account.shares) if own * sign > 0) for sign in (1, -1)]
    if not all(sides):
        return
    active = sorted(seat for side in sides for seat in side)
    groups = [*sides, *((seat,) for seat in active if (seat,) not in sides)]
    for slip, items, sayer in parts_of(scene, account.items):
        paid = amounts_of(Account(items, account.shares, account.pot, account.cap, account.unit))
        if paid is None:
            continue
        if sayer is not None and sayer in active:
            yield from between_two(scene, slip, sayer, right, paid, stated)
        others = [tuple(seat for seat in active if seat != sayer)] if sayer is not None else []
        for group in (*groups, *others):
            made = tuple([paid[n] if n in group else own for n, own in enumerate(right)])
            if fits(made, stated) and made not in (right, paid):
                extra = (cost_of(slip) - USUAL) / 2 + (0 if group in sides else FOR_ONE)
                clause = Message(f"explain.{slip.row or slip.cause}", slip.facts)
                names = tuple([scene.players[seat] for seat in group])
                yield Slip("for-some", {"names": names, "clause": clause}, extra=extra, cite=slip.cite), made


def parts_of(scene: Scene, items: Items) -> Iterator[tuple[Slip, Items, int | None]]:
    """Yield the parts of a price that may be left out, or be too much, each with the lines then, and the player of a
    knock or a Kontra."""
    for slip, made in (*missed_lines(scene, items), *missed_together(scene, items)):
        lost = [item for item in items if item not in made and item.line and item.part in ("knock", "kontra")]
        sayer = lost[0].line.who[0] if len(lost) == 1 and lost[0].line and lost[0].line.who else None
        yield slip, made, sayer
    end = end_of_doublings(items)
    yield Slip("doubling-extra"), (*items[:end], Item("slip", True, 2), *items[end:]), None


def between_two(
    scene: Scene, slip: Slip, sayer: int, right: Amounts, less: Amounts, stated: Vector
) -> Iterator[Written]:
    """Yield the slips by which a doubling counts only between its player and the declarer."""
    declarer = scene.case.replay.declarer
    if declarer is None or right[declarer] * right[sayer] >= 0:
        return
    made = list(less)
    made[sayer], made[declarer] = right[sayer], right[declarer]
    partners = [n for n, own in enumerate(right) if own * right[declarer] > 0 and n != declarer]
    if not partners:  # the declarer alone has what the others lack
        made[declarer] = less[declarer] - (right[sayer] - less[sayer])
    if not fits(tuple(made), stated):
        return
    facts: dict[str, Fact] = {"name": scene.players[sayer], "other": scene.players[declarer]}
    word = slip.facts.get("word", Message("explain.the-knock"))
    yield Slip("for-some", facts | {"word": word}, "between-two", (cost_of(slip) - USUAL) / 2, slip.cite), tuple(made)
