"""Questions about what players do beside their cards in games with a talon."""

from functools import partial

from archive.stats.definitions import GAME, PAID
from archive.stats.sql import HOUSE, OF_HOUSE, OUTCOME, PLAYED, integer_keys, mean
from archive.stats.types import Facts, Question

OTHERS = "(SELECT sum(o.amount) FROM seats o WHERE o.deal_id = d.id AND o.seat <> s.seat AND o.place IS NOT NULL)"

FACTS = (
    Facts(
        name="act_facts",
        says="Marriages, talons closed, turned trumps taken and calls, by what became of who did it.",
        keys=HOUSE | {"act": "TEXT"} | integer_keys("act_points", "talon_left", "won"),
        sums=("deals", "settled", "paid"),
        sql=f"""SELECT {OF_HOUSE}, a.act AS act, a.points AS act_points, a.talon_left AS talon_left, s.won AS won,
            count(*) AS deals, count({PAID} - {OTHERS}) AS settled, sum({PAID} - {OTHERS}) AS paid
            {PLAYED} JOIN talon_acts a ON a.deal_id = d.id AND a.act <> 'draws'
            JOIN seats s ON s.deal_id = d.id AND s.seat = a.seat WHERE {GAME} AND {{where}}""",
    ),
)
NET = mean("sum(paid)", "sum(settled)", "net_per_deal")

question = partial(Question, subject="results", facts=("act_facts",), needs=("game", "tricks"))

QUESTIONS = (
    question(
        name="acts_pay",
        sql=f"""SELECT rules, unit, contract, act, act_points, sum(deals) AS deals, {OUTCOME}, {NET}
            FROM act_facts WHERE {{only}} GROUP BY rules, unit, contract, act, act_points
            ORDER BY rules, unit, contract, act, coalesce(act_points, -1)""",
    ),
    question(
        name="closing_pays",
        sql=f"""SELECT rules, unit, contract, talon_left, sum(deals) AS deals, {OUTCOME}, {NET}
            FROM act_facts WHERE act = 'closes' AND {{only}} GROUP BY rules, unit, contract, talon_left
            ORDER BY rules, unit, contract, talon_left DESC""",
    ),
)
