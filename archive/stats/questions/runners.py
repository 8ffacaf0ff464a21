"""Questions about runners: how many there are, what they earn, what they tell."""

from functools import partial

from archive.stats.case_tables import GAMES, count_cases, sums
from archive.stats.sql import DECIDED, FOR_TRICKS, HOUSE, OUTCOME, integer_keys, mean, rate, share, sum_where
from archive.stats.types import Question

FACTS = (
    count_cases(
        GAMES,
        name="runner_facts",
        says="Deals by the runners of the declarer's side.",
        keys=HOUSE | integer_keys("runners", "runners_paid", "won"),
        sums=sums("deals", "priced", "runners_earned", "priced_total"),
        where=f"""(c.runners IS NOT NULL OR c.runners_paid IS NOT NULL) AND EXISTS (SELECT 1 FROM contracts k
            WHERE k.ruleset_id = c.ruleset AND k.contract = c.contract AND {FOR_TRICKS})""",
    ),
)

PAID = sum_where("runners_paid = 1", "priced")
EARNED, PRICE = (sum_where("runners_paid = 1", f"coalesce({name}, 0)") for name in ("runners_earned", "priced_total"))

question = partial(Question, subject="runners", facts=("runner_facts",))

QUESTIONS = (
    question(
        name="runners_distribution",
        needs=("runners",),
        sql=f"""SELECT rules, contract, runners, sum(deals) AS deals, {share("sum(deals)", "rules, contract")}
            FROM runner_facts WHERE runners IS NOT NULL AND {{only}}
            GROUP BY rules, contract, runners ORDER BY rules, contract, runners""",
        size="sample",
        chart="runners",
    ),
    question(
        name="runners_earnings",
        needs=("runners_paid",),
        sql=f"""SELECT rules, unit, contract, sum(priced) AS priced, {PAID} AS with_runners,
            {rate(PAID, "sum(priced)", "with_runners_rate")}, {EARNED} AS runners_earned,
            {mean(EARNED, PAID, "runners_per_deal")}, round(1.0 * {EARNED} / nullif({PRICE}, 0), 4) AS runners_share
            FROM runner_facts WHERE {{only}} GROUP BY rules, unit, contract HAVING sum(priced) > 0
            ORDER BY rules, unit, contract""",
        size="priced",
        chart="bars",
    ),
    question(
        name="runners_and_winning",
        needs=("runners", "result"),
        sql=f"""SELECT rules, contract, runners, {OUTCOME}
            FROM runner_facts WHERE runners IS NOT NULL AND {{only}}
            GROUP BY rules, contract, runners HAVING {DECIDED} > 0
            ORDER BY rules, contract, runners""",
    ),
)
