"""Questions about players, alone and together."""

from archive.store.questions.sql import GAME, HOUSE, OF_HOUSE, PAID, PLAYED, ROLE, SEATS, integers
from archive.store.questions.types import Facts, Question

FACTS = (
    Facts(
        name="player_facts",
        says="What each player did in which contract, under each of the names.",
        by="player",
        keys=HOUSE | {"role": "TEXT"} | integers("won"),
        sums=("deals", "settled", "paid"),
        sql=f"""SELECT {OF_HOUSE},
            {ROLE} AS role,
            s.won AS won, count(*) AS deals, count({PAID}) AS settled, sum({PAID}) AS paid
            {PLAYED} {SEATS} WHERE {GAME} AND s.place IS NOT NULL AND {{where}}""",
    ),
)

QUESTIONS: tuple[Question, ...] = ()
