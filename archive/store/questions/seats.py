"""The cases of several subjects: the seats of all deals, by who sat where and what the player was."""

from archive.store.questions.facts import PART
from archive.store.questions.sql import GAME, HOUSED, OF_CASES, PAID, ROLE, SEATS, one
from archive.store.questions.types import Cases

AT_TABLE = "(s.place IS NOT NULL OR s.declaring IS NOT NULL)"
DECLARED, PARTNERED = "d.declarer = s.seat", "d.partner = s.seat"

# `role` is NULL where no game was played; `listed` are seats that have an account.
SAT = Cases(
    name="seat_cases",
    keys=("block", "player", "place", "won", "listed", "players", "role", "contract", "ruleset", "unit"),
    sums=("deals", "settled", "paid", "at_table", "declared", "declared_won", "partnered", "partnered_won"),
    sql=f"""SELECT {PART["block"]} AS block, {PART["player"]} AS player, s.place AS place, s.won AS won,
        {one(f"{AT_TABLE} OR s.payment <> 0")} AS listed, d.players AS players,
        CASE WHEN {GAME} AND s.place IS NOT NULL THEN {ROLE} END AS role, d.contract AS contract, {OF_CASES},
        1 AS deals, {one(f"{PAID} IS NOT NULL")} AS settled, {PAID} AS paid, {one(AT_TABLE)} AS at_table,
        {one(DECLARED)} AS declared, CASE WHEN {DECLARED} THEN d.won END AS declared_won,
        {one(PARTNERED)} AS partnered, CASE WHEN {PARTNERED} THEN d.won END AS partnered_won
        {HOUSED} {SEATS} WHERE {{where}}""",
)
