"""Settlement over integers: who won and how high, runners, the price, who pays whom, and what stays on the table.

It works on the rows of `archive.engine.tricks` and `archive.engine.columns`, plain and compiled. The worded settlement
uses some of its functions too; a plan (`archive.bulk.plans`) holds the parts of a price.
"""

from collections.abc import MutableSequence, Sequence

from archive.engine import columns as c
from archive.engine.duties import count_cards
from archive.engine.tricks import CLEAN, DECLARER, KIND, SEATS, TRUMP, TRUMP_COUNT, UNDECIDED_TIE

NONE = c.NONE


# --- the table ------------------------------------------------------------------------------------------------------


def hausbock_left(hausbock: int, thrown_in: int, knocked: int) -> int:
    """Return the doublings waiting after a deal: one more if nobody knocked and the cards were thrown in, one fewer
    after a deal that was played. 001 Langendorf Schafkopf."""
    if thrown_in:
        return hausbock + (0 if knocked else 1)
    return max(0, hausbock - 1)


# --- who won, and how high ------------------------------------------------------------------------------------------


def level(
    points: int, against: int, tricks: int, whole: int, win: int, high_won: int, high_lost: int, tie: int, tout: int,
    paid: int,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Return whether the declarer's side won, whether nobody did, Schneider and Schwarz; NONE if it does not apply.

    `win` card points win; more of them, or every trick, win higher. 001 Scoring; 001 Contracts: Tout. With half each,
    nobody may have won. 001 Bierkopf. `high_won` and `high_lost` make Schneider, `paid` says whether it counts.
    """
    won = tricks == whole if tout else points >= win
    if not won and points == against and tie != c.HALF_LOST and not tout:
        return NONE, 1, 0, 0
    if not paid or (tout and not won):  # a Tout ends with the trick that loses it
        return int(won), 0, NONE, NONE
    black = tricks == (whole if won else 0)
    high = points >= high_won if won else against >= high_lost
    return int(won), 0, int(black or high), int(black)


def count_runners(trumps: Sequence[int], first: int, count: int, ours: int) -> int:
    """Return the runners, signed: how many top trumps in a row a side holds (+) or lacks (-); NONE if there are no
    trumps. The trumps stand in `trumps` from `first` on, highest first. 001 Runners."""
    if not count:
        return NONE
    has, runners = ours >> trumps[first] & 1, 0
    for place in range(count):
        if ours >> trumps[first + place] & 1 != has:
            break
        runners += 1
    return runners if has else -runners


def are_runners_due(least: int, count: int) -> bool:
    """Return whether this many runners (signed) are paid if `least` are needed; 0: never. 001 Runners."""
    return count != NONE and 0 < least <= abs(count)


def runners_of_price(count: int, most: int) -> int:
    """Return how many of these runners (signed) a price counts, at most `most`; 0: all."""
    return min(abs(count), most) if most else abs(count)


def stakes_of_price(stakes: int, most: int) -> int:
    """Return how many of the stakes carried over a price counts, at most `most`; 0: all. 001 Bierkopf."""
    return min(stakes, most) if most else stakes


def bonuses_of(schneider: int, schwarz: int, paid: int, high: int, black: int, lost_tout: int) -> tuple[int, int]:
    """Return the amounts that Schneider and Schwarz add to a price, given the total worth of each. `high` and `black`
    are 1 if they were made, `paid` is 0 if the game has neither. A lost Tout costs what it would have won."""
    added = schneider if paid and (high == 1 or lost_tout) else 0
    return added, schwarz - added if paid and (black == 1 or lost_tout) else 0


def factor_bonuses(
    whole: int, high_times: int, black_times: int, paid: int, high: int, black: int, lost_tout: int
) -> tuple[int, int]:
    """Return the amounts that Schneider and Schwarz add to a price if they multiply the `whole` of a game with its
    runners; the other arguments are those of `bonuses_of`."""
    return bonuses_of(whole * (high_times - 1), whole * (black_times - 1), paid, high, black, lost_tout)


def pot_share(stock: int, cap: int, raked: int, won: int, sharers: int) -> int:
    """Return the amount that each sharer of the pot is paid from it or, below 0, pays into it; at most `cap` of it,
    unless -1, is played for. `raked`: the winners take it, whoever they are. 001 Avoiding Passed Out Hands: Stock; 002
    06.3 Three-Player Schafkopf."""
    share = (min(stock, cap) if cap >= 0 else stock) // sharers
    return share if raked or won else -share


def split_payment(each: int, paid: int, paying: int, all_pay_all: int) -> tuple[int, int]:
    """Return the amounts that each of the `paid` winners gets and each of the `paying` losers pays. Every loser owes
    `each` to every winner (`all_pay_all`), or the two sides pay each other in pairs."""
    if all_pay_all:
        return each * paying, each * paid
    return each * max(1, paying // paid), each * max(1, paid // paying)


def write_price(plan: Sequence[int], facts: MutableSequence[int], doubled: int, stake: int) -> int:
    """Write the parts of the price, and return the price."""
    lost_tout = int(plan[c.P_TOUT] != 0 and facts[c.WON] != 1)
    schneider, schwarz = bonuses_of(
        plan[c.P_SCHNEIDER], plan[c.P_SCHWARZ], plan[c.P_BONUSES], facts[c.SCHNEIDER], facts[c.SCHWARZ], lost_tout
    )
    count = runners_of_price(facts[c.RUNNERS], plan[c.P_RUNNERS_MOST]) if facts[c.RUNNERS_PAID] == 1 else 0
    base, runners = plan[c.P_GAME], count * plan[c.P_RUNNER]
    twice, over_all = plan[c.P_OVER_RUNNERS] * plan[c.P_OVER_ALL], plan[c.P_OVER_ALL]
    if plan[c.P_TIMES_SCHWARZ]:
        schneider, schwarz = factor_bonuses(
            (base + runners) * plan[c.P_OVER_RUNNERS], plan[c.P_TIMES_SCHNEIDER], plan[c.P_TIMES_SCHWARZ],
            plan[c.P_BONUSES], facts[c.SCHNEIDER], facts[c.SCHWARZ], lost_tout,
        )  # fmt: skip
    base, runners, schneider, schwarz = base * twice, runners * twice, schneider * over_all, schwarz * over_all
    extra = stakes_of_price(stake, plan[c.P_STAKES_MOST]) * plan[c.P_STAKE_UNIT] if stake else 0
    total = (base + schneider + schwarz + runners) * doubled + extra
    facts[c.BASE], facts[c.RUNNERS_AMOUNT], facts[c.MULTIPLIER] = base, runners, doubled
    facts[c.SCHNEIDER_AMOUNT], facts[c.SCHWARZ_AMOUNT] = schneider, schwarz
    return min(total, plan[c.P_CAP]) if plan[c.P_CAP] >= 0 else total


def settle_sides(
    plan: Sequence[int], facts: MutableSequence[int], ours: int, doubled: int, table: Sequence[int]
) -> None:
    """Settle a game of two sides; `ours` are the cards of the declarer's side, `table` is the ledger before it."""
    seats, points, tricks, against, others, with_us = plan[SEATS], 0, 0, 0, 0, 0
    for seat in range(seats):
        if facts[c.SIDE + seat] == DECLARER:
            with_us += 1
        if facts[c.TRICKS] and facts[c.SIDE + seat] == DECLARER:
            points, tricks = points + facts[c.POINTS + seat], tricks + facts[c.TRICKS_WON + seat]
        elif facts[c.TRICKS]:
            against, others = against + facts[c.POINTS + seat], others + facts[c.TRICKS_WON + seat]
    facts[c.SIDE_POINTS], facts[c.SIDE_TRICKS] = points, tricks
    if plan[c.P_GOAL] == c.BY_POINTS:
        won, undecided, high, black = level(
            points, against, tricks, tricks + others, plan[c.P_WIN], plan[c.P_HIGH_WON], plan[c.P_HIGH_LOST],
            plan[c.P_TIE], plan[c.P_TOUT], plan[c.P_BONUSES],
        )  # fmt: skip
    elif plan[c.P_GOAL] == c.NO_TRICK:
        won, undecided, high, black = int(tricks == 0), 0, NONE, NONE
    else:
        every = 1 if plan[c.P_BONUSES] else NONE
        won, undecided, high, black = 1, 0, every, every
        facts[c.SIDE_POINTS] = facts[c.SIDE_TRICKS] = NONE
    facts[c.WON], facts[c.UNDECIDED], facts[c.SCHNEIDER], facts[c.SCHWARZ] = won, undecided, high, black
    facts[c.RUNNERS] = NONE if plan[c.P_GOAL] == c.NO_TRICK else count_runners(plan, TRUMP, plan[TRUMP_COUNT], ours)
    facts[c.RUNNERS_PAID] = NONE
    if facts[c.RUNNERS] != NONE:
        facts[c.RUNNERS_PAID] = int(are_runners_due(plan[c.P_LEAST], facts[c.RUNNERS]))
    if undecided:
        facts[c.RUNNERS_PAID], facts[c.BASE], facts[c.MULTIPLIER], facts[c.PRICE] = 0, 0, 1, 0
        facts[c.STAKE] = int(plan[c.P_TIE] == c.HALF_STAKE)
        return
    stake = table[c.S_STAKE] if plan[c.P_TIE] == c.HALF_STAKE and table[c.S_STAKE] > 0 else 0
    facts[c.PRICE], facts[c.STAKE] = write_price(plan, facts, doubled, stake), -stake
    winners = with_us if won else seats - with_us
    paid, paying = split_payment(facts[c.PRICE], winners, seats - winners, plan[c.P_EACH_PAYS_EACH])
    for seat in range(seats):
        wins = (facts[c.SIDE + seat] == DECLARER) == (won == 1)
        facts[c.WINNER + seat] = int(wins)
        facts[c.PAYMENT + seat] = paid if wins else -paying
    if table[c.S_STOCK] > 0 and plan[c.P_STOCK_WON]:
        pay_stock(plan, facts, table[c.S_STOCK], with_us)


def pay_stock(plan: Sequence[int], facts: MutableSequence[int], stock: int, with_us: int) -> None:
    """Pay the pot to the declarer's side or let that side pay into it; or pay it to the winners."""
    raked, won, seats = plan[c.P_STOCK_RAKED], facts[c.WON], plan[SEATS]
    share = pot_share(stock, plan[c.P_STOCK_CAP], raked, won, seats - with_us if raked and not won else with_us)
    for seat in range(seats):
        ours = facts[c.SIDE + seat] == DECLARER
        if (facts[c.WINNER + seat] == 1) if raked else ours:
            facts[c.PAYMENT + seat] += share
            facts[c.POT] -= share


# --- everyone alone -------------------------------------------------------------------------------------------------


def tie_value(reading: int, tricks: int, taken: int, own: int, trumps: Sequence[int], first: int, count: int) -> int:
    """Return the standing of a seat against another with equal points: the larger loses. By the number of the
    tie-break: the tricks it took, its trumps in them, its highest trump in them, its highest own trump, and of each
    kind the highest Ober and the highest Ace in the order of the suits. `taken` and `own` are masks; the trumps stand
    in `trumps` from `first` on, highest first."""
    if reading == 0:
        return tricks
    cards, counted = own if reading in (3, 5, 7) else taken, 0
    if reading > 5:
        for suit in range(4):
            if cards >> suit * 9 & 1:
                return 4 - suit
        return 0
    for place in range(count):
        trump = trumps[first + place]
        if cards >> trump & 1 and (reading < 4 or trump % 9 == 3):
            counted += 1
            if reading > 1:
                return count - place
    return counted


def tie_value_from_play(
    plan: Sequence[int], facts: Sequence[int], cards: Sequence[int], seat: int, reading: int
) -> int:
    """Return the standing of a seat against another with equal points, from the cards as played; see `tie_value`."""
    taken, own, seats = 0, 0, plan[SEATS]
    for at in range(facts[c.TRICKS] * seats):
        trick = at // seats
        if facts[c.TAKER + trick] == seat:
            taken |= 1 << cards[at]
        if (facts[c.LEADER + trick] + at % seats) % seats == seat:
            own |= 1 << cards[at]
    return tie_value(reading, facts[c.TRICKS_WON + seat], taken, own, plan, TRUMP, plan[TRUMP_COUNT])


def for_virgins(reading: int, amount: int, virgins: int, is_virgin: bool) -> int:
    """Return what a winner is paid with this many virgins, by the number of a setting of `house.ramsch.virgin`."""
    if reading == 1 or (reading == 2 and is_virgin):
        return amount << virgins
    return amount * 2 if reading == 3 and is_virgin else amount


def is_march(asked: int, tricks: int, played: int, points: int) -> bool:
    """Return whether the player with most points in a Ramsch has marched: with `asked` card points, every trick (0), or
    never (-1)."""
    return tricks == played if asked == 0 else 0 < asked <= points


def loser_of(plan: Sequence[int], facts: Sequence[int], cards: Sequence[int]) -> int:
    """Return the seat with most points, by the house's ladder of ties; -1 if it does not decide."""
    seats, most, tied, left = plan[SEATS], 0, 0, 0
    for seat in range(seats):
        most = max(most, facts[c.POINTS + seat])
    for seat in range(seats):
        tied |= int(facts[c.POINTS + seat] == most) << seat
    for place in range(8):
        if count_cards(tied) == 1 or plan[c.P_TIES + place] < 0:
            break
        best, left = -1, 0
        for seat in range(seats):
            stands = tie_value_from_play(plan, facts, cards, seat, plan[c.P_TIES + place]) if tied >> seat & 1 else -1
            if stands > best:
                best, left = stands, 0
            if stands == best:
                left |= tied & 1 << seat
        tied = left
    if count_cards(tied) != 1:
        return -1
    loser = 0
    while not tied >> loser & 1:
        loser += 1
    return loser


def payment_alone(plan: Sequence[int], facts: Sequence[int], seat: int, running: int, factor: int, virgins: int) -> int:
    """Return what the seat with most points pays one player, or gets for a march: with bonuses, virgins and the cap."""
    march = facts[c.MARCH] == 1
    if plan[c.P_BONUS_UNDER] and not march and facts[c.POINTS + seat] < plan[c.P_BONUS_UNDER]:
        running += (plan[c.P_SCHNEIDER] if facts[c.TRICKS_WON + seat] else plan[c.P_SCHWARZ]) * factor
    if not march:
        running = for_virgins(plan[c.P_VIRGIN], running, virgins, facts[c.VIRGINS] >> seat & 1 == 1)
    return min(running, plan[c.P_CAP]) if plan[c.P_CAP] >= 0 else running


def settle_alone(plan: Sequence[int], facts: MutableSequence[int], cards: Sequence[int], doubled: int) -> int:
    """Let the seat with most points pay, or be paid for a march; return CLEAN, or UNDECIDED_TIE if there is none."""
    seats, most = plan[SEATS], loser_of(plan, facts, cards)
    if most < 0:
        return UNDECIDED_TIE * KIND
    facts[c.VIRGINS] = 0
    for seat in range(seats):
        nothing = facts[c.POINTS + seat] if plan[c.P_VIRGIN_IS] else facts[c.TRICKS_WON + seat]
        facts[c.VIRGINS] |= int(nothing == 0) << seat
    points, tricks = facts[c.POINTS + most], facts[c.TRICKS_WON + most]
    marched = is_march(plan[c.P_MARCH], tricks, facts[c.TRICKS], points)
    facts[c.MARCH], facts[c.LOSER] = int(marched), NONE if marched else most
    facts[c.SIDE_POINTS], facts[c.SIDE_TRICKS] = points, tricks
    facts[c.BASE] = plan[c.P_MARCH_PRICE] if marched else plan[c.P_GAME]
    virgins = count_cards(facts[c.VIRGINS])
    facts[c.MULTIPLIER] = doubled << (virgins if plan[c.P_VIRGIN] == 1 and not marched else 0)
    running = facts[c.BASE] * facts[c.MULTIPLIER]
    total, first, alike = 0, NONE, 1
    for seat in range(seats):
        if seat != most:
            amount = payment_alone(plan, facts, seat, facts[c.BASE] * doubled, doubled, virgins)
            alike = 0 if first not in (NONE, amount) else alike
            first, total = amount, total + amount
            facts[c.PAYMENT + seat] = -amount if marched else amount
    facts[c.PAYMENT + most] = total if marched else -total
    if alike:
        facts[c.PRICE] = min(running, plan[c.P_CAP]) if plan[c.P_CAP] >= 0 else running
    any_wins = 0
    for seat in range(seats):
        any_wins |= int(facts[c.PAYMENT + seat] > 0)
    for seat in range(seats):
        facts[c.WINNER + seat] = int(facts[c.PAYMENT + seat] > 0) if any_wins else NONE
    return CLEAN
