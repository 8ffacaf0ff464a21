"""The facts that the views `standings` and `player_results` add up: the accounts of players, by session and in all.

Facts keep every name by itself; the views show the one that names were merged into.
"""

from archive.stats.case_tables import AT_TABLE, DECLARED, SAT, count_cases, sums
from archive.stats.sql import GAME, PAID, PLAYED, SEATS, integer_keys, sum_where
from archive.stats.types import Facts, Question

# Where a substitute plays for the seat, the account is that of who the session says sat there.
SUBSTITUTES = """LEFT JOIN (SELECT DISTINCT id AS ruleset, json_extract(house, '$.substitute') AS substitute
        FROM rulesets) h
    ON h.ruleset = d.ruleset_id"""
FOR_SEAT = """h.substitute = 'seat'
    AND json_array_length(e.head, '$.players') = (SELECT count(*) FROM seats WHERE deal_id = d.id)"""


def won_sql(condition: str, by: str = "s.won") -> str:
    return f"coalesce(sum(CASE WHEN {condition} THEN {by} END), 0)"


FACTS = (
    Facts(
        name="standing_facts",
        says="The account of each player in each session, under each of the names.",
        by="session",
        keys=integer_keys("session", "player", "for_seat") | {"unit": "TEXT"},
        sums=("deals", "total", "won", "solos_won", "touts_won", "best_deal", "undecided"),
        highest=("best_deal",),
        sql=f"""SELECT d.session_id AS session, s.player_id AS player, CASE WHEN {FOR_SEAT} THEN s.seat END AS for_seat,
            coalesce(e.unit, r.unit) AS unit, {sum_where(f"{PAID} IS NOT NULL AND {GAME}", "1")} AS deals,
            coalesce(sum({PAID}), 0) AS total, coalesce(sum(s.won), 0) AS won,
            {won_sql(f"{DECLARED} AND d.partner IS NULL")} AS solos_won,
            {won_sql(f"{DECLARED} AND d.tout")} AS touts_won,
            max(CASE WHEN {GAME} THEN {PAID} END) AS best_deal, {sum_where(f"{PAID} IS NULL", "1")} AS undecided
            {PLAYED} {SUBSTITUTES} {SEATS} WHERE ({AT_TABLE} OR d.players IS NULL OR {PAID} <> 0) AND {{where}}""",
    ),
    count_cases(
        SAT,
        name="result_facts",
        says="What each player won and was paid, under each of the names.",
        by="player",
        keys=integer_keys("player") | {"unit": "TEXT"},
        sums={"deals": "sum(c.at_table)", **sums("settled"), "won": "sum(c.won * c.deals)", "balance": "sum(c.paid)"}
        | sums("declared", "declared_won", "partnered", "partnered_won"),
        where="c.listed = 1",
    ),
)
QUESTIONS: tuple[Question, ...] = ()
