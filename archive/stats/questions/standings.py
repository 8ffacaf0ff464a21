"""The facts that the views `standings` and `player_results` add up: the accounts of players, by session and overall.

Facts count every name by itself; the views show the main name.
"""

from archive.stats.case_tables import PER_PLAYED, SAT, count_cases, sums
from archive.stats.definitions import ALONE, DECLARED, PAID, PLAYED_BY, SOME_PAID, STANDS, plays, unit_of
from archive.stats.sql import BASES, PLAYED, SEATS, integer_keys, sum_where
from archive.stats.types import Facts, Question

# If a substitute plays for the seat, the account is that of the player the session names.
SUBSTITUTES = """LEFT JOIN (SELECT DISTINCT id AS ruleset, json_extract(house, '$.substitute') AS substitute
        FROM rulesets) h
    ON h.ruleset = d.ruleset_id"""
FOR_SEAT = """h.substitute = 'seat'
    AND json_array_length(e.head, '$.players') = (SELECT count(*) FROM seats WHERE deal_id = d.id)"""


def of_list(count: str, by_seat: bool = True) -> str:
    """Return the sum of what is stated of whole lists, for a seat if it is counted by player."""
    value = f"json_extract(t.{count}, '$[' || (s.seat - 1) || ']')" if by_seat else f"t.{count}"
    stated = f"(SELECT CAST({value} AS INTEGER) FROM stated t WHERE t.deal_id = d.id AND t.of_list = 1)"
    return f"coalesce(sum(CASE WHEN d.contract IS NULL AND {PAID} IS NOT NULL THEN {stated} END), 0)"


def won_sql(name: str, condition: str, count: str) -> str:
    """Return the SQL of deals won that fit, with those that are stated of whole lists."""
    return f"coalesce(sum(CASE WHEN {condition} AND {STANDS} THEN s.won END), 0) + {of_list(count)} AS {name}"


def rests_on(basis: str) -> str:
    counts = f"d.basis = '{basis}' AND {PAID} IS NOT NULL AND (d.contract IS NOT NULL OR {SOME_PAID})"
    return f"{sum_where(counts, '1')} AS on_{basis}"


FACTS = (
    Facts(
        name="standing_facts",
        says="The account of each player in each session, under each of the names.",
        by="session",
        keys=integer_keys("session", "player", "for_seat") | {"unit": "TEXT"},
        sums=(
            "deals", "total", "won", "solos_won", "touts_won", "best_deal", "undecided", "lists", "on_cards",
            "on_facts", "on_amounts",
        ),
        highest=("best_deal",),
        sql=f"""SELECT d.session_id AS session, s.player_id AS player, CASE WHEN {FOR_SEAT} THEN s.seat END AS for_seat,
            {unit_of()} AS unit,
            {sum_where(f"{PAID} IS NOT NULL AND {PLAYED_BY}", "1")} + {of_list("deals", by_seat=False)} AS deals,
            coalesce(sum({PAID}), 0) AS total, {won_sql("won", PLAYED_BY, "wins")},
            {won_sql("solos_won", ALONE, "solos")},
            {won_sql("touts_won", f"{DECLARED} AND d.tout", "touts")},
            max(CASE WHEN {PLAYED_BY} THEN {PAID} END) AS best_deal, {sum_where(f"{PAID} IS NULL", "1")} AS undecided,
            {of_list("of_list", by_seat=False)} AS lists,
            {rests_on("cards")}, {rests_on("facts")}, {rests_on("amounts")}
            {PLAYED} {SUBSTITUTES} {SEATS} WHERE ({plays()} OR {PAID} <> 0) AND {{where}}""",
    ),
    count_cases(
        SAT,
        name="result_facts",
        says="What each player won and was paid, under each of the names.",
        by="player",
        keys=integer_keys("player") | {"unit": "TEXT"},
        sums={"deals": "sum(c.played * c.deals)", **sums("settled"), "won": "sum(c.won * c.deals)"}
        | {"balance": "sum(c.paid)"}
        | PER_PLAYED
        | sums("declared", "declared_won", "partnered", "partnered_won", *BASES),
        where="c.listed = 1",
    ),
)  # fmt: skip
QUESTIONS: tuple[Question, ...] = ()
