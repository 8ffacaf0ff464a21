"""The rows of integers that the bulk judge works on, by column: what is asked, the result, and the state of the ledger.
Seats, tricks and cards count from 0; `*4` columns have one entry for each seat, `*12` one for each trick. Amounts are
in the record's unit, flags are 0 and 1, NONE stands for None."""

NONE = -(2**62)
MOST_SEATS, MOST_TRICKS, MOST_CARDS = 4, 12, 48

# --- the state of the ledger ----------------------------------------------------------------------------------------

S_DEALER = 0
S_TOTAL = 1  # *4, NONE if an earlier deal is open
S_STATED_KNOWN = 5  # whether the source has ever stated totals
S_STATED = 6  # *4
S_STOCK, S_HAUSBOCK, S_STAKE, S_LIST_DEALS = range(10, 14)
S_SETTLED_KNOWN = 14  # whether the totals in force differ from those computed
S_SETTLED = 15  # *4
STATE_WIDTH = 19

# --- what is asked ----------------------------------------------------------------------------------------------------

A_PLAN, A_DEALER, A_DECLARER, A_PARTNER, A_KNOCKS, A_DOUBLES, A_HANDS, A_TRICKS = range(8)
A_STATED = 8  # the stated values begin here
A_POINTS, A_AGAINST, A_TRICKS_WON, A_WON, A_PARTNER_STATED, A_LOSER, A_VIRGINS = range(8, 15)
A_VIRGIN_SEATS, A_SCHNEIDER, A_SCHWARZ, A_RUNNERS, A_PRICE, A_STOCK, A_WINNERS = range(15, 22)
A_PAYMENT, A_TOTAL = 22, 26  # *4
A_WINNER = 30  # *12
ASKED_WIDTH = 42

# --- the result -------------------------------------------------------------------------------------------------------

CODE, DEALER, DECLARER, PARTNER, LOSER, PLAN, SEATS, TRICKS, KNOCKS, DOUBLES = range(10)
WON, SIDE_POINTS, SIDE_TRICKS, SCHNEIDER, SCHWARZ, RUNNERS, RUNNERS_PAID, BASE, SCHNEIDER_AMOUNT, SCHWARZ_AMOUNT = (
    range(10, 20)
)
RUNNERS_AMOUNT, MULTIPLIER, PRICE, POT, UNDECIDED, STAKE, VIRGINS, MARCH, KEY, OTHER_KEY = range(20, 30)
SIDE, POINTS, TRICKS_WON, WINNER, PAYMENT, TRUMPS, LORDS, HAND = range(30, 62, 4)  # *4
LEADER, TAKER, WORTH = 62, 74, 86  # *12, in this order
BEFORE, AFTER = 98, 98 + STATE_WIDTH
FACTS_WIDTH = AFTER + STATE_WIDTH

# --- what a plan says about the settlement, after its columns for the play -------------------------------------------

P_GOAL, P_WIN, P_HIGH_WON, P_HIGH_LOST, P_TIE, P_TOUT, P_BONUSES, P_GAME, P_STAKE_UNIT, P_SCHNEIDER = range(180, 190)
P_SCHWARZ, P_RUNNER, P_LEAST, P_OVER_RUNNERS, P_OVER_ALL, P_CAP, P_STOCK_WON, P_STOCK_CAP = range(190, 198)
P_STOCK_RAKED, P_FEE, P_HAUSBOCK, P_LIST, P_VIRGIN, P_VIRGIN_IS, P_MARCH, P_MARCH_PRICE = range(198, 206)
P_BONUS_UNDER, P_TIES = 206, 207  # *8: the numbers of the tie-breaks in order, then -1
P_RUNNERS_MOST, P_STAKES_MOST, P_TIMES_SCHNEIDER, P_TIMES_SCHWARZ, P_EACH_PAYS_EACH = range(215, 220)
PLAN_WIDTH = 220

BY_POINTS, NO_TRICK, AS_DEALT, MOST_LOSES, THROWN_IN = range(5)  # goals
HALF_LOST, HALF_UNDECIDED, HALF_STAKE = range(3)  # the meaning of half of the points each
