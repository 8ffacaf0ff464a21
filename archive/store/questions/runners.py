"""Questions about runners: how many there are, what they earn, what they tell."""

from archive.store.questions.sql import DECLARER, GAME, HOUSE, OF_HOUSE, PAID, PLAYED, integers
from archive.store.questions.types import Facts, Question

FACTS = (
    Facts(
        name="runner_facts",
        says="Deals by the runners of the declarer's side.",
        by="block",
        keys=HOUSE | integers("runners", "runners_paid", "won"),
        sums=("deals", "settled", "paid", "amount"),
        sql=f"""SELECT {OF_HOUSE}, d.runners AS runners, d.runners_paid AS runners_paid, d.won AS won,
            count(*) AS deals, count({PAID}) AS settled, sum({PAID}) AS paid, sum(d.runners_amount) AS amount
            {PLAYED} {DECLARER} WHERE {GAME} AND d.runners IS NOT NULL AND {{where}}""",
    ),
)

QUESTIONS: tuple[Question, ...] = ()
