"""A run of deals judged over integers: replay, settlement, stated values, and the state passed from deal to deal.

`judge_run` does the bulk work. It stops at the first deal that is not clean, gives the reason as a code, and is called
again once that deal is judged elsewhere. It works on the rows of `archive.engine.columns`, plain and compiled.
"""

from collections.abc import MutableSequence, Sequence

from archive.engine import columns as c
from archive.engine.duties import count_cards
from archive.engine.settlement import hausbock_left, settle_alone, settle_sides
from archive.engine.tricks import (
    ALONE,
    BAD_HANDS,
    BAD_TRICK,
    CLEAN,
    DECLARED,
    DECLARER,
    DEFENCE,
    EACH,
    ENDS,
    HOLD_BROKEN,
    KIND,
    LEADS,
    LORDS,
    NOBODY,
    NONE_KNOWN,
    NOT_COVERED,
    NOT_PLAYED,
    ON_ONES_OWN,
    OPPOSITE,
    OTHER_DEALER,
    OTHER_STATED,
    PACK,
    PARTIES,
    SEATS,
    SIZE,
    TRUMPS,
    missing_requirement,
    next_seat,
    partner_of,
    play_tricks,
    wrong_hands,
)

NONE = c.NONE
PRIME, FIRST, SECOND = 2**41 - 21, 1_000_003, 999_983


def judge_run(
    plans: Sequence[Sequence[int]],
    asked: Sequence[Sequence[int]],
    hands: Sequence[Sequence[int]],
    counts: Sequence[Sequence[int]],
    cards: Sequence[Sequence[int]],
    leaders: Sequence[Sequence[int]],
    begins: Sequence[int],
    fresh: Sequence[Sequence[int]],
    facts: Sequence[MutableSequence[int]],
    state: MutableSequence[int],
    left: MutableSequence[int],
    start: int,
    stop: int,
) -> int:
    """Judge the deals from `start` up to `stop`, or up to the first that is not clean, and return where it stopped.

    One row for each deal: `asked`, hands as masks with their numbers of cards (`counts`) by seat, the `cards` in the
    order played, the stated `leaders` (-1: none), and `facts`, which is written to (and holds NONE before). `begins` is
    the row of `fresh` with the ledger at the start of a session if the deal is its first, else -1. `state` is the
    ledger before and, on return, after; `left` is room for four hands.
    """
    for at in range(start, stop):
        if begins[at] >= 0:
            state[: c.STATE_WIDTH] = fresh[begins[at]]
        row, plan = facts[at], plans[asked[at][c.A_PLAN]]
        code = judge_deal(plan, asked[at], hands[at], counts[at], cards[at], leaders[at], row, state, left)
        row[c.CODE] = code
        if code:
            return at
    return stop


def judge_deal(
    plan: Sequence[int],
    asked: Sequence[int],
    hands: Sequence[int],
    counts: Sequence[int],
    cards: Sequence[int],
    leaders: Sequence[int],
    facts: MutableSequence[int],
    state: MutableSequence[int],
    left: MutableSequence[int],
) -> int:
    """Return the code of one deal. If it is CLEAN, the row is written and the ledger updated."""
    dealer = asked[c.A_DEALER] if asked[c.A_DEALER] >= 0 else state[c.S_DEALER]
    if dealer < 0 or (plan[c.P_LIST] and state[c.S_LIST_DEALS] >= plan[c.P_LIST]):
        return NOT_COVERED * KIND
    if state[c.S_DEALER] >= 0 and state[c.S_DEALER] != dealer:
        return OTHER_DEALER * KIND
    facts[c.DEALER], facts[c.PLAN], facts[c.SEATS] = dealer, asked[c.A_PLAN], plan[SEATS]
    facts[c.TRICKS], facts[c.KNOCKS], facts[c.DOUBLES] = asked[c.A_TRICKS], asked[c.A_KNOCKS], asked[c.A_DOUBLES]
    facts[c.BEFORE : c.BEFORE + c.STATE_WIDTH] = state
    if asked[c.A_HANDS] and wrong_hands(plan, hands, counts):
        return BAD_HANDS * KIND
    code = write_play(plan, asked, hands, cards, leaders, facts, left, next_seat(dealer, plan[SEATS]))
    if code:
        return code
    code = write_settlement(plan, asked, hands, cards, facts, state)
    if code:
        return code
    differs = first_difference(plan, asked, facts, state)
    if differs:
        return NOT_COVERED * KIND if is_left_open(plan, facts, differs) else OTHER_STATED * KIND + differs
    write_next_state(plan, asked, facts, state, dealer)
    write_card_keys(plan, asked, facts, cards, left)
    return CLEAN


def write_play(
    plan: Sequence[int],
    asked: Sequence[int],
    hands: Sequence[int],
    cards: Sequence[int],
    leaders: Sequence[int],
    facts: MutableSequence[int],
    left: MutableSequence[int],
    forehand: int,
) -> int:
    """Write who plays with whom, every trick, and what each seat took; return a code."""
    seats, declarer, tricks = plan[SEATS], asked[c.A_DECLARER], asked[c.A_TRICKS]
    if (declarer >= 0) != (plan[DECLARED] != 0):
        return NOT_COVERED * KIND
    if plan[PARTIES] == NOBODY:
        for seat in range(seats):
            facts[c.SIDE + seat], left[seat] = NONE_KNOWN, hands[seat]
            if asked[c.A_HANDS]:
                facts[c.HAND + seat] = hands[seat]
        return BAD_TRICK * KIND if tricks or asked[c.A_PARTNER] >= 0 else CLEAN
    if not asked[c.A_HANDS] or (plan[ENDS] == NOT_PLAYED and tricks):
        return NOT_COVERED * KIND
    partner = partner_of(plan, hands, declarer)
    if asked[c.A_PARTNER] >= 0 and asked[c.A_PARTNER] != partner:
        return NOT_COVERED * KIND
    if declarer >= 0:
        facts[c.DECLARER] = declarer
        missing = missing_requirement(plan, hands[declarer])
        if missing:
            return HOLD_BROKEN * KIND + missing
    if partner >= 0:
        facts[c.PARTNER] = partner
    ours, alone = 0, plan[PARTIES] == EACH
    if plan[PARTIES] == OPPOSITE and declarer < 0:
        ours = 1 << forehand | 1 << (forehand + seats // 2) % seats
    elif declarer >= 0:
        ours = 1 << declarer | (1 << partner if partner >= 0 else 0)
    for seat in range(seats):
        facts[c.SIDE + seat] = ON_ONES_OWN if alone else DECLARER if ours >> seat & 1 else DEFENCE
        facts[c.HAND + seat], left[seat] = hands[seat], hands[seat]
        facts[c.TRUMPS + seat], facts[c.LORDS + seat] = (
            count_cards(hands[seat] & plan[TRUMPS]),
            count_cards(hands[seat] & plan[LORDS]),
        )
    if plan[ENDS] == NOT_PLAYED:
        return CLEAN
    code = play_tricks(plan, declarer if plan[LEADS] else forehand, ours, left, cards, leaders, tricks, facts, c.LEADER)
    if code:
        return code
    for seat in range(seats):
        facts[c.POINTS + seat] = facts[c.TRICKS_WON + seat] = 0
    for trick in range(tricks):
        winner = facts[c.TAKER + trick]
        facts[c.POINTS + winner] += facts[c.WORTH + trick]
        facts[c.TRICKS_WON + winner] += 1
    return CLEAN


def write_settlement(
    plan: Sequence[int],
    asked: Sequence[int],
    hands: Sequence[int],
    cards: Sequence[int],
    facts: MutableSequence[int],
    state: Sequence[int],
) -> int:
    """Write the settlement of what was played; return a code."""
    seats = plan[SEATS]
    facts[c.POT] = facts[c.STAKE] = facts[c.UNDECIDED] = 0
    for seat in range(seats):
        facts[c.PAYMENT + seat] = 0
    doubled = 1 << (asked[c.A_KNOCKS] + asked[c.A_DOUBLES])
    if plan[c.P_HAUSBOCK] and state[c.S_HAUSBOCK] > 0:
        doubled *= 2
    if plan[PARTIES] == NOBODY:
        for seat in range(seats):
            facts[c.PAYMENT + seat] = -plan[c.P_FEE]
        facts[c.POT], facts[c.MULTIPLIER], facts[c.PRICE] = plan[c.P_FEE] * seats, 1, 0
        return CLEAN
    if plan[PARTIES] == EACH:
        return settle_alone(plan, facts, cards, doubled)
    ours = 0
    for seat in range(seats):
        if facts[c.SIDE + seat] == DECLARER:
            ours |= hands[seat]
    settle_sides(plan, facts, ours, doubled, state)
    return CLEAN


# --- what is stated -------------------------------------------------------------------------------------------------


def differs(stated: int, computed: int) -> bool:
    """Return whether a stated and a computed value differ, if both are known."""
    return stated != computed and stated != NONE and computed != NONE


def first_difference(plan: Sequence[int], asked: Sequence[int], facts: Sequence[int], state: Sequence[int]) -> int:
    """Return the column of the first stated value that the rules do not give, 0 if there is none."""
    seats = plan[SEATS]
    if differs(asked[c.A_POINTS], facts[c.SIDE_POINTS]):
        return c.A_POINTS
    if asked[c.A_AGAINST] != NONE and facts[c.TRICKS] and plan[PARTIES] != EACH:
        against = -facts[c.SIDE_POINTS]
        for seat in range(seats):
            against += facts[c.POINTS + seat]
        if asked[c.A_AGAINST] != against:
            return c.A_AGAINST
    if differs(asked[c.A_TRICKS_WON], facts[c.SIDE_TRICKS]):
        return c.A_TRICKS_WON
    if asked[c.A_WON] != NONE and (facts[c.UNDECIDED] or differs(asked[c.A_WON], facts[c.WON])):
        return c.A_WON
    partner, alone = asked[c.A_PARTNER_STATED], plan[PARTIES] == ALONE or plan[PARTIES] == EACH
    if differs(partner, facts[c.PARTNER]) or (alone and partner != NONE):
        return c.A_PARTNER_STATED
    loser, in_pairs = asked[c.A_LOSER], plan[PARTIES] == OPPOSITE and plan[DECLARED] == 0
    if plan[PARTIES] < EACH and max(NONE if in_pairs else loser + 1, asked[c.A_VIRGINS], asked[c.A_VIRGIN_SEATS]) > 0:
        return c.A_LOSER  # nobody loses a game of two sides alone
    if in_pairs and loser != NONE and (facts[c.UNDECIDED] != 0 or facts[c.WON] == (facts[c.SIDE + loser] == DECLARER)):
        return c.A_LOSER  # one of the pair that has lost is meant
    if facts[c.LOSER] != NONE and differs(loser, facts[c.LOSER]):
        return c.A_LOSER
    if (facts[c.LOSER] != NONE or facts[c.MARCH] == 1) and (
        differs(asked[c.A_VIRGINS], count_cards(facts[c.VIRGINS])) or differs(asked[c.A_VIRGIN_SEATS], facts[c.VIRGINS])
    ):
        return c.A_VIRGINS
    if differs(asked[c.A_SCHNEIDER], facts[c.SCHNEIDER]):
        return c.A_SCHNEIDER
    if differs(asked[c.A_SCHWARZ], facts[c.SCHWARZ]):
        return c.A_SCHWARZ
    if differs(asked[c.A_RUNNERS], facts[c.RUNNERS]) or (facts[c.RUNNERS] == NONE and has_more_runners(plan, asked)):
        return c.A_RUNNERS
    if asked[c.A_PRICE] != facts[c.PRICE] and asked[c.A_PRICE] != NONE:
        return c.A_PRICE
    if asked[c.A_STOCK] != NONE and asked[c.A_STOCK] != state[c.S_STOCK] + facts[c.POT]:
        return c.A_STOCK
    if asked[c.A_WINNERS] != NONE and facts[c.TRICKS]:
        if asked[c.A_WINNERS] != facts[c.TRICKS]:
            return c.A_WINNERS
        for trick in range(facts[c.TRICKS]):
            if asked[c.A_WINNER + trick] != facts[c.TAKER + trick]:
                return c.A_WINNERS
    totals = c.S_STATED if state[c.S_STATED_KNOWN] else c.S_TOTAL
    for seat in range(seats):
        if differs(asked[c.A_PAYMENT + seat], facts[c.PAYMENT + seat]):
            return c.A_PAYMENT
        before = state[totals + seat]
        if before != NONE and differs(asked[c.A_TOTAL + seat], before + facts[c.PAYMENT + seat]):
            return c.A_TOTAL
    return 0


def has_more_runners(plan: Sequence[int], asked: Sequence[int]) -> bool:
    """Return whether more runners are stated than there are trumps, or than a player alone can hold."""
    stated, trumps = asked[c.A_RUNNERS], count_cards(plan[TRUMPS])
    if stated == NONE or plan[PARTIES] == NOBODY:
        return False
    whole = plan[SEATS] * plan[SIZE] == count_cards(plan[PACK])
    alone = plan[PARTIES] == ALONE or plan[PARTIES] == EACH
    return stated < -trumps or stated > trumps or (whole and alone and stated > plan[SIZE])


def is_left_open(plan: Sequence[int], facts: Sequence[int], column: int) -> bool:
    """Return whether a stated value other than the computed one may still be right: what was taken in a lost Tout,
    which may be played on after the last recorded trick (001 Tout: the first trick of the opponents loses it, no rule
    ends the play), or a single price although players are paid differently."""
    if column == c.A_PRICE:
        return facts[c.PRICE] == NONE
    lost = plan[c.P_TOUT] != 0 and facts[c.TRICKS] < plan[SIZE]
    return lost and (c.A_POINTS <= column <= c.A_TRICKS_WON or column == c.A_WINNERS)


# --- the ledger -----------------------------------------------------------------------------------------------------


def write_next_state(
    plan: Sequence[int], asked: Sequence[int], facts: MutableSequence[int], state: MutableSequence[int], dealer: int
) -> None:
    """Write the state of the ledger after a deal."""
    seats = plan[SEATS]
    thrown_in = int(plan[PARTIES] == NOBODY)
    state[c.S_DEALER] = next_seat(dealer, seats)
    for seat in range(seats):
        paid = facts[c.PAYMENT + seat]
        if state[c.S_TOTAL + seat] != NONE:
            state[c.S_TOTAL + seat] += paid
        if state[c.S_SETTLED_KNOWN]:
            state[c.S_SETTLED + seat] += paid
        if asked[c.A_TOTAL] != NONE:
            state[c.S_STATED + seat] = asked[c.A_TOTAL + seat]
        elif state[c.S_STATED_KNOWN]:
            state[c.S_STATED + seat] += paid
    if asked[c.A_TOTAL] != NONE:
        state[c.S_STATED_KNOWN] = 1
    state[c.S_STOCK] += facts[c.POT]
    state[c.S_STAKE] += facts[c.STAKE]
    if plan[c.P_HAUSBOCK]:
        state[c.S_HAUSBOCK] = hausbock_left(state[c.S_HAUSBOCK], thrown_in, asked[c.A_KNOCKS])
    state[c.S_LIST_DEALS] += 1
    facts[c.AFTER : c.AFTER + c.STATE_WIDTH] = state


# --- what identifies a deal -------------------------------------------------------------------------------------------


def mix_keys(first: int, second: int, value: int) -> tuple[int, int]:
    """Return two keys with one more value of at most 30 bits mixed in."""
    return (first * FIRST + value + 1) % PRIME, (second * SECOND + value + 1) % PRIME


def write_card_keys(
    plan: Sequence[int], asked: Sequence[int], facts: MutableSequence[int], cards: Sequence[int], left: Sequence[int]
) -> None:
    """Write two numbers that are the same for deals of the same cards: the cards as played, then what was left of the
    hands, if anything was, from forehand on. They match `archive.notation.play_identity`."""
    if not asked[c.A_HANDS]:
        return
    seats, tricks = plan[SEATS], facts[c.TRICKS]
    first, second, group, rest = seats * 64 + tricks, seats * 64 + tricks, 0, 0
    for at in range(tricks * seats):
        group = group * 64 + cards[at]
        if at % 4 == 3:
            first, second = mix_keys(first, second, group)
            group = 0
    first, second = mix_keys(first, second, group)
    for seat in range(seats):
        rest |= left[seat]
    seat = facts[c.LEADER] if tricks else (asked[c.A_DEALER] + 1) % seats if asked[c.A_DEALER] >= 0 else 0
    for _ in range(seats if rest else 0):
        first, second = mix_keys(first, second, left[seat] & 0x3FFFF)
        first, second = mix_keys(first, second, left[seat] >> 18)
        seat = (seat + 1) % seats
    facts[c.KEY], facts[c.OTHER_KEY] = first, second
