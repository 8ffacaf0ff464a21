"""Questions about seats: what forehand and the others have of their place."""

from archive.store.questions.sql import GAME, HOUSE, OF_HOUSE, PAID, PLAYED, ROLE, SEATS, integers
from archive.store.questions.types import Facts, Question

FACTS = (
    Facts(
        name="place_facts",
        says="Seats by their place from forehand on (1), and what the player was in the deal.",
        by="block",
        keys=HOUSE | integers("players", "place") | {"role": "TEXT"} | integers("won"),
        sums=("seats", "settled", "paid"),
        sql=f"""SELECT {OF_HOUSE}, d.players AS players, s.place AS place,
            {ROLE} AS role,
            s.won AS won, count(*) AS seats, count({PAID}) AS settled, sum({PAID}) AS paid
            {PLAYED} {SEATS} WHERE {GAME} AND s.place IS NOT NULL AND {{where}}""",
    ),
)

QUESTIONS: tuple[Question, ...] = ()
