"""Questions about knocks, Kontra and Re: how often, and whether they pay."""

from functools import partial

from archive.stats.case_tables import GAMES, count_cases, sums
from archive.stats.definitions import GAME, PAID, ROLE, plays
from archive.stats.sql import HOUSE, OF_HOUSE, PLAYED, SEATS, integer_keys, mean, rate, sum_where
from archive.stats.types import Facts, Question

KNOCKED = "(SELECT 1 FROM doubles k WHERE k.deal_id = d.id AND k.word = 'knock'{0})"

FACTS = (
    Facts(
        name="knock_facts",
        says="Seats of deals in which somebody knocked and it is recorded who: those who did, and those who did not.",
        keys=HOUSE | {"role": "TEXT"} | integer_keys("knocked", "won"),
        sums=("seats", "settled", "paid"),
        sql=f"""SELECT {OF_HOUSE}, {ROLE} AS role,
            CASE WHEN EXISTS {KNOCKED.format(" AND k.seat = s.seat")} THEN 1 ELSE 0 END AS knocked,
            s.won AS won, count(*) AS seats, count({PAID}) AS settled, sum({PAID}) AS paid
            {PLAYED} {SEATS} WHERE {GAME} AND {plays()} AND d.knocks > 0 AND EXISTS {KNOCKED.format("")}
            AND {{where}}""",
    ),
    Facts(
        name="kontra_facts",
        says="Kontra, Re and further doublings, where it is recorded who said so.",
        keys=HOUSE | {"word": "TEXT", "role": "TEXT"} | integer_keys("before_trick", "won"),
        sums=("calls", "settled", "paid"),
        sql=f"""SELECT {OF_HOUSE}, t.word AS word, {ROLE} AS role, t.trick AS before_trick, s.won AS won,
            count(*) AS calls, count({PAID}) AS settled, sum({PAID}) AS paid
            {PLAYED} JOIN doubles t ON t.deal_id = d.id AND t.word <> 'knock'
            JOIN seats s ON s.deal_id = d.id AND s.seat = t.seat WHERE {GAME} AND d.doubles > 0 AND {{where}}""",
    ),
    count_cases(
        GAMES,
        name="doubling_facts",
        says="Deals by how often they were knocked and doubled.",
        keys=HOUSE | integer_keys("knocks", "doubles", "won"),
        sums=sums("deals", "settled", "paid"),
    ),
)


def outcome_columns(cases: str) -> str:
    """Return the columns of how often deals were won, of cases that are a sum."""
    known, won = sum_where("won IS NOT NULL", cases), sum_where("won = 1", cases)
    return f"{known} AS decided, {won} AS won, {rate(won, known, 'won_rate')}"


question = partial(Question, subject="doubles")

QUESTIONS = (
    question(
        name="knocks_pay",
        facts=("knock_facts",),
        needs=("knocks",),
        sql=f"""SELECT rules, unit, contract, role, knocked, sum(seats) AS seats, {outcome_columns("seats")},
            {mean("sum(paid)", "sum(settled)", "per_deal")}
            FROM knock_facts WHERE {{only}} GROUP BY rules, unit, contract, role, knocked
            ORDER BY rules, unit, contract, role, knocked DESC""",
        chart="bars",
    ),
    question(
        name="kontra_pay",
        facts=("kontra_facts",),
        needs=("doubles",),
        sql=f"""SELECT rules, unit, contract, word, role, before_trick, sum(calls) AS calls, {outcome_columns("calls")},
            {mean("sum(paid)", "sum(settled)", "per_deal")}
            FROM kontra_facts WHERE {{only}} GROUP BY rules, unit, contract, word, role, before_trick
            ORDER BY rules, unit, contract, word, role, coalesce(before_trick, 0)""",
        chart="bars",
    ),
    question(
        name="doubled_deals",
        facts=("doubling_facts",),
        needs=("game",),
        sql=f"""SELECT rules, unit, contract, knocks, doubles, deals, {rate("deals", "every", "deals_rate")},
            decided, won, {rate("won", "decided", "won_rate")}, {mean("paid", "settled", "declarer_per_deal")}
            FROM (SELECT rules, unit, contract, knocks, doubles, sum(deals) AS deals,
                sum(sum(deals)) OVER (PARTITION BY rules, unit, contract) AS every,
                {sum_where("won IS NOT NULL", "deals")} AS decided, {sum_where("won = 1", "deals")} AS won,
                sum(paid) AS paid,
                sum(settled) AS settled
                FROM doubling_facts WHERE {{only}} GROUP BY rules, unit, contract, knocks, doubles) f
            ORDER BY rules, unit, contract, coalesce(knocks, -1), coalesce(doubles, -1)""",
        size="deals",
    ),
)
