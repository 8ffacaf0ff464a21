"""Questions about what was played and how it ended."""

from archive.store.questions.sql import DECLARER, GAME, HOUSE, OF_HOUSE, PAID, PLAYED, integers, mean, rate, when
from archive.store.questions.types import Facts, Question

FACTS = (
    Facts(
        name="contract_facts",
        says="Deals by what was played and how it ended.",
        by="block",
        keys=HOUSE | dict.fromkeys(("suit",), "TEXT") | integers("tout", "won", "schneider", "schwarz"),
        sums=("deals", "settled", "paid"),
        sql=f"""SELECT {OF_HOUSE}, d.suit AS suit, d.tout AS tout, d.won AS won, d.schneider AS schneider,
            d.schwarz AS schwarz, count(*) AS deals, count({PAID}) AS settled, sum({PAID}) AS paid
            {PLAYED} {DECLARER} WHERE {GAME} AND {{where}}""",
    ),
    Facts(
        name="point_facts",
        says="Deals by the card points of the declarer's side.",
        by="block",
        keys=HOUSE | integers("points"),
        sums=("deals",),
        sql=f"""SELECT {OF_HOUSE}, d.side_points AS points, count(*) AS deals
            {PLAYED} WHERE {GAME} AND d.side_points IS NOT NULL AND {{where}}""",
    ),
)

DECIDED = when("won IS NOT NULL", "deals")
WON = when("won = 1", "deals")

QUESTIONS = (
    Question(
        name="results_by_contract",
        subject="results",
        facts=("contract_facts",),
        sql=f"""SELECT rules, unit, contract, sum(deals) AS deals, {DECIDED} AS decided, {WON} AS won,
            {rate(WON, DECIDED, "won_rate")}, {mean("sum(paid)", "sum(settled)", "declarer_per_deal")}
            FROM contract_facts WHERE {{only}} GROUP BY rules, unit, contract ORDER BY deals DESC, rules, contract""",
        size="decided",
        chart="rates",
    ),
    Question(
        name="schneider_and_schwarz",
        subject="results",
        facts=("contract_facts",),
        sql=f"""SELECT rules, contract, {when("schneider IS NOT NULL", "deals")} AS decided,
            {when("schneider = 1", "deals")} AS schneider, {when("schwarz = 1", "deals")} AS schwarz,
            {rate(when("schneider = 1", "deals"), when("schneider IS NOT NULL", "deals"), "schneider_rate")},
            {rate(when("schwarz = 1", "deals"), when("schwarz IS NOT NULL", "deals"), "schwarz_rate")}
            FROM contract_facts WHERE {{only}} GROUP BY rules, contract HAVING decided > 0
            ORDER BY decided DESC, rules, contract""",
        size="decided",
        chart="rates",
    ),
)
