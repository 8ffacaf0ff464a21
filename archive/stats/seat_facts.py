"""The facts of the page of a player. For players with very many deals they are kept (`part_facts`), for all others
counted when the page is shown; they cover the seats of one player alone, under each of the names."""

from functools import partial

from archive.stats.definitions import GAME, IN_ACCOUNT, PAID, PLAYED_BY, ROLE, SCORED, STANDS, unit_of
from archive.stats.sql import BASES, LONG, OF_SESSION, flag, integer_keys
from archive.stats.types import Facts

TALLIED = f"d.ruleset_id IN {SCORED}"
UNIT = f"coalesce({unit_of()}, '')"
JOINED = f"""FROM seats s JOIN deals d ON d.id = s.deal_id JOIN sessions e ON {OF_SESSION}
    LEFT JOIN rulesets r ON r.id = d.ruleset_id"""
ON_BASES = ", ".join(
    f"count(CASE WHEN {fits} AND {IN_ACCOUNT} THEN s.amount END) AS {name}" for name, fits in BASES.items()
)
PLAYED_ROLE = f"CASE WHEN NOT ({GAME}) THEN 'none' ELSE {ROLE} END"
OWN_CARD = "(l.place + CAST(substr(f.moment, instr(f.moment, '.') + 1) AS INTEGER) - 2) % d.players = s.place - 1"

own_facts = partial(Facts, by="player", own=True)

CONSTELLATIONS = own_facts(
    name="constellation_facts",
    says="How often a player sat in each constellation, and what came of it.",
    keys=integer_keys("player") | {"unit": "TEXT"} | integer_keys("tallied") | {"contract": "TEXT", "role": "TEXT"}
    | integer_keys("seat", "place", "won"),
    sums=("deals", "computed", "balance", "settled_played", "paid_played", *BASES),
    sql=f"""SELECT s.player_id AS player, {UNIT} AS unit, {TALLIED} AS tallied, d.contract AS contract,
        {PLAYED_ROLE} AS role, s.seat AS seat, s.place AS place, CASE WHEN {STANDS} THEN s.won END AS won,
        sum({flag(PLAYED_BY)}) AS deals, count(CASE WHEN {IN_ACCOUNT} THEN s.amount END) AS computed,
        coalesce(sum(s.amount), 0) AS balance,
        count(CASE WHEN {PLAYED_BY} THEN s.amount END) AS settled_played,
        coalesce(sum(CASE WHEN {PLAYED_BY} THEN s.amount END), 0) AS paid_played, {ON_BASES}
        {JOINED} WHERE {{where}}""",
)  # fmt: skip
MONTHS = own_facts(
    name="month_facts",
    says="How many deals a player played in each month.",
    keys=integer_keys("player") | {"month": "TEXT"},
    sums=("deals",),
    sql=f"""SELECT s.player_id AS player, substr(e.date, 1, 7) AS month, sum({flag(PLAYED_BY)}) AS deals
        {JOINED} WHERE {{where}}""",
)
COMPANY = own_facts(
    name="company_facts",
    says="Who sat with a player where the sides are known, on which side, and how often the player won.",
    keys=integer_keys("player", "other", "together", "declaring"),
    sums=("deals", "known", "won"),
    sql=f"""SELECT s.player_id AS player, o.player_id AS other, s.declaring = o.declaring AS together,
        s.declaring AS declaring, count(*) AS deals, count(s.won) AS known, coalesce(sum(s.won), 0) AS won
        FROM seats s JOIN deals d ON d.id = s.deal_id
        JOIN seats o ON o.deal_id = s.deal_id AND o.seat <> s.seat AND o.declaring IS NOT NULL
        WHERE s.declaring IS NOT NULL AND {STANDS} AND {{where}}""",
)
RESULTS = own_facts(
    name="session_result_facts",
    says="The amounts in force of a player in each session, and the last deal with one.",
    keys=integer_keys("player", "session") | {"unit": "TEXT"} | integer_keys("tallied"),
    sums=("deals", "total", "last"),
    highest=("last",),
    sql=f"""SELECT s.player_id AS player, d.session_id AS session, {UNIT} AS unit, {TALLIED} AS tallied,
        sum({flag(PLAYED_BY)}) AS deals, sum({PAID}) AS total, max(d.id) AS last
        {JOINED} WHERE s.amount IS NOT NULL AND {{where}}""",
)
EXTREMES = own_facts(
    name="extreme_facts",
    says="The most that a played deal paid a player and the most that one cost, each as the amount and the deal.",
    keys=integer_keys("player") | {"unit": "TEXT"},
    sums=("deals", "best", "worst"),
    highest=("best", "worst"),
    sql=f"""SELECT s.player_id AS player, {UNIT} AS unit, count(*) AS deals,
        max(CASE WHEN s.amount > 0 THEN s.amount * {LONG} + d.id END) AS best,
        max(CASE WHEN s.amount < 0 THEN -s.amount * {LONG} + d.id END) AS worst
        {JOINED} WHERE s.amount IS NOT NULL AND NOT {TALLIED} AND {PLAYED_BY} AND {{where}}""",
)
OFFENCES = own_facts(
    name="offence_facts",
    says="Errors and warnings at cards that a player played, a row each.",
    keys=integer_keys("player", "finding"),
    sums=("offences",),
    sql=f"""SELECT s.player_id AS player, f.id AS finding, {flag("1")} AS offences
        FROM seats s JOIN findings f ON f.deal_id = s.deal_id AND f.severity <> 'note' AND f.moment LIKE '%.%'
        JOIN tricks t ON t.deal_id = s.deal_id AND t.trick = CAST(f.moment AS INTEGER)
        JOIN deals d ON d.id = s.deal_id JOIN seats l ON l.deal_id = s.deal_id AND l.seat = t.leader
        WHERE {OWN_CARD} AND {{where}}""",
)
SEAT_FACTS = (CONSTELLATIONS, MONTHS, COMPANY, RESULTS, EXTREMES, OFFENCES)
