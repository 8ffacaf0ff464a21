"""Questions about seats: what forehand and the others gain from their place."""

from functools import partial

from archive.stats.case_tables import SAT, count_cases, sums
from archive.stats.sql import BASES, DECIDED, HOUSE, OUTCOME, SUM_BASES, WON, integer_keys, mean, rate, share, sum_where
from archive.stats.types import Question

FACTS = (
    count_cases(
        SAT,
        name="place_facts",
        says="Seats by their place from forehand on (1), and what the player was in the deal.",
        keys=HOUSE | integer_keys("players", "place") | {"role": "TEXT"} | integer_keys("won"),
        sums=sums("deals", "settled", "paid", *BASES),
        where="c.role IS NOT NULL AND c.place IS NOT NULL",
    ),
)

DECLARED = sum_where("role = 'declarer'", "deals")
DECLARED_DECIDED = sum_where("role = 'declarer' AND won IS NOT NULL", "deals")
DECLARED_WON = sum_where("role = 'declarer' AND won = 1", "deals")

question = partial(Question, subject="seats", facts=("place_facts",))

QUESTIONS = (
    question(
        name="seat_advantage",
        narrow=("rules",),
        needs=("dealer", "amounts"),
        sql=f"""SELECT rules, unit, players, place, sum(deals) AS deals, sum(settled) AS settled,
            {mean("sum(paid)", "sum(settled)", "per_deal")}, {WON} AS seat_won, {rate(WON, DECIDED, "seat_won_rate")},
            {DECLARED} AS declared, {rate(DECLARED, "sum(deals)", "declared_rate")},
            {DECLARED_WON} AS declared_won, {rate(DECLARED_WON, DECLARED_DECIDED, "declared_won_rate")},
            {SUM_BASES}
            FROM place_facts WHERE {{only}} GROUP BY rules, unit, players, place
            ORDER BY rules, unit, players, place""",
        size="deals",
        chart="bars",
    ),
    question(
        name="forehand_play",
        needs=("dealer", "result"),
        sql=f"""SELECT rules, contract, players, place, sum(deals) AS deals,
            {share("sum(deals)", "rules, contract, players")}, {OUTCOME}
            FROM place_facts WHERE role = 'declarer' AND {{only}} GROUP BY rules, contract, players, place
            ORDER BY rules, contract, players, place""",
        size="sample",
    ),
)
