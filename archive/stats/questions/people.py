"""Questions about players, alone and together.

Facts count every name by itself; a question adds up the names of one person and shows the main name. Runs of deals do
not add up, so they are counted by person from the start.
"""

from functools import partial

from archive.stats.case_tables import PER_PLAYED, SAT, count_cases, sums
from archive.stats.definitions import DECLARED, GAME, PAID, STANDS, is_partner, plays
from archive.stats.sql import (
    BASES,
    HOUSE,
    LONG,
    OF_HOUSE,
    PLAYED,
    SEATS,
    SUM_BASES,
    count_bases,
    integer_keys,
    mean,
    rate,
    sum_where,
)
from archive.stats.types import Facts, Question

# The player of the facts `f`, as `p`.
SHOWN = "JOIN players n ON n.id = f.player JOIN players p ON p.id = coalesce(n.alias_of, n.id)"
PERSON = "coalesce(n.alias_of, n.id)"
BEFORE = f"(PARTITION BY {PERSON} ORDER BY coalesce(e.date, ''), d.session_id, d.number, d.id ROWS UNBOUNDED PRECEDING)"
# The deals of a person by day, session and number; those that follow each other with the same end are a run: as many
# have been lost before each deal of a run of won ones, and the other way round.
RUNS = f"""SELECT id, won, count(*) AS length, min(spot) AS began, max(spot) AS ended, {SUM_BASES} FROM (
        SELECT id, won, {", ".join(BASES)}, {LONG} * nth + deal AS spot,
            CASE WHEN won = 1 THEN nth - victories ELSE victories END AS apart
        FROM (SELECT {PERSON} AS id, s.won AS won, d.id AS deal, count(*) OVER {BEFORE} AS nth,
                sum(s.won) OVER {BEFORE} AS victories, {count_bases()}
            FROM seats s JOIN players n ON n.id = s.player_id JOIN deals d ON d.id = s.deal_id
            JOIN sessions e ON e.id = d.session_id WHERE s.won IS NOT NULL AND {STANDS} AND {{where}}) b) w
    GROUP BY id, won, apart"""
# Of runs as long as each other the first has the lowest numbers of both ends.
LONGEST = f"""SELECT id, won, sum(length) AS deals, max(length) AS length, {SUM_BASES},
        min(CASE WHEN length = longest THEN began END) AS began, min(CASE WHEN length = longest THEN ended END) AS ended
    FROM (SELECT id, won, length, began, ended, {", ".join(BASES)},
        max(length) OVER (PARTITION BY id, won) AS longest FROM ({RUNS}) r) t
    GROUP BY id, won"""

SUMS = {
    **sums("deals"),
    "decided": sum_where("c.won IS NOT NULL", "c.deals"),
    "won": sum_where("c.won = 1", "c.deals"),
    **sums("settled", "paid", *BASES),
}

FACTS = (
    count_cases(
        SAT,
        name="role_facts",
        says="What each player did in which role, under each of the names.",
        by="player",
        keys=integer_keys("player") | {"rules": "TEXT", "unit": "TEXT", "role": "TEXT"},
        sums=SUMS | {"deals_played": "sum(c.played * c.deals)"} | PER_PLAYED,
        where="c.listed = 1",
    ),
    count_cases(
        SAT,
        name="player_facts",
        says="What each player did in which contract, under each of the names.",
        by="player",
        keys=integer_keys("player") | HOUSE | {"role": "TEXT"},
        sums=SUMS,
    ),
    Facts(
        name="pair_facts",
        says="Deals of each declarer with each partner, under each of the names.",
        by="player",
        keys=integer_keys("player", "partner") | HOUSE,
        sums=tuple(SUMS),
        sql=f"""SELECT s.player_id AS player, o.player_id AS partner, {OF_HOUSE}, count(*) AS deals,
            count(s.won) AS decided, count(nullif(s.won, 0)) AS won,
            count({PAID} + o.amount) AS settled,
            sum({PAID} + o.amount) AS paid,
            {", ".join(f"{sum_where(fits, '1')} AS {name}" for name, fits in BASES.items())}
            {PLAYED} {SEATS} AND {DECLARED} JOIN seats o ON o.deal_id = d.id AND {is_partner("o")}
            WHERE {GAME} AND {plays()} AND {plays("o")} AND {{where}}""",
    ),
    Facts(
        name="run_facts",
        says="The longest run of deals won, and of deals lost, of each player with all names.",
        by="person",
        keys=integer_keys("player", "won_run", "first_deal", "last_deal"),
        sums=("length", "decided", *BASES),
        sql=f"""SELECT k.id AS player, k.won AS won_run, k.began % {LONG} AS first_deal, k.ended % {LONG} AS last_deal,
            sum(k.length) AS length, sum(k.decided) AS decided, {SUM_BASES}
            FROM (SELECT id, won, length, began, ended, sum(deals) OVER (PARTITION BY id) AS decided,
                    {", ".join(f"sum({name}) OVER (PARTITION BY id) AS {name}" for name in BASES)}
                FROM ({LONGEST}) g) k""",
    ),
)


def decided_sql(role: str) -> tuple[str, str]:
    """Return the deals with a known outcome in a role, and those of them that were won."""
    return sum_where(role, "decided"), sum_where(role, "won")


question = partial(Question, subject="players")


def role_sql(name: str, role: str, deals: str) -> Question:
    """Return the question how players do in a role; `deals` names the column of how often they were in it."""
    mine = f"role = '{role}'"
    known, won = decided_sql(mine)
    return question(
        name=name,
        facts=("role_facts",),
        narrow=("rules",),
        needs=("game", "amounts"),
        sql=f"""SELECT p.id AS player, p.name AS name, rules, unit, sum(deals) AS played,
            {sum_where(mine, "deals")} AS {deals}, {rate(sum_where(mine, "deals"), "sum(deals)", f"{deals}_rate")},
            {known} AS decided, {won} AS won, {rate(won, known, "won_rate")},
            {mean(sum_where(mine, "paid"), sum_where(mine, "settled"), "per_deal")},
            {", ".join(f"{sum_where(mine, each)} AS {each}" for each in BASES)}
            FROM role_facts f {SHOWN} WHERE role IS NOT NULL AND {{only}} GROUP BY p.id, p.name, rules, unit
            HAVING {sum_where(mine, "deals")} > 0 ORDER BY decided DESC, name, rules, unit""",
    )


ALL, WON = decided_sql("role IS NOT NULL")
PAIRED = "sum(decided)", "sum(won)"

QUESTIONS: tuple[Question, ...] = (
    role_sql("players_declaring", "declarer", "declared"),
    role_sql("players_defending", "defence", "defended"),
    question(
        name="players_by_contract",
        facts=("player_facts",),
        needs=("game", "amounts"),
        sql=f"""SELECT p.id AS player, p.name AS name, rules, unit, contract, role, sum(deals) AS deals,
            {ALL} AS decided, {WON} AS won, {rate(WON, ALL, "won_rate")},
            {mean("sum(paid)", "sum(settled)", "per_deal")}, {SUM_BASES}
            FROM player_facts f {SHOWN} WHERE role IS NOT NULL AND {{only}}
            GROUP BY p.id, p.name, rules, unit, contract, role
            ORDER BY p.id, p.name, rules, unit, contract, role""",  # as grouped, so that the first rows come at once
    ),
    question(
        name="pairs",
        facts=("pair_facts",),
        needs=("game", "amounts"),
        sql=f"""SELECT a.id AS player, a.name AS name, b.id AS partner, b.name AS partner_name, rules, unit, contract,
            sum(deals) AS deals, {sum_where("declaring = a.id", "deals")} AS declared_by_first,
            {PAIRED[0]} AS decided, {PAIRED[1]} AS won, {rate(PAIRED[1], PAIRED[0], "won_rate")},
            {mean("sum(paid)", "2 * sum(settled)", "per_deal")}, {SUM_BASES}
            FROM (SELECT p.id AS declaring, coalesce(m.alias_of, m.id) AS helping, rules, unit, contract, deals,
                    decided, won, settled, paid, {", ".join(BASES)}
                FROM pair_facts f {SHOWN} JOIN players m ON m.id = f.partner WHERE {{only}}) f
            JOIN players a ON a.id = CASE WHEN declaring < helping THEN declaring ELSE helping END
            JOIN players b ON b.id = CASE WHEN declaring < helping THEN helping ELSE declaring END
            GROUP BY a.id, a.name, b.id, b.name, rules, unit, contract
            ORDER BY decided DESC, name, partner_name, rules, unit, contract""",
    ),
    question(
        name="balances",
        facts=("role_facts",),
        narrow=("unit",),
        needs=("amounts",),
        sql=f"""SELECT p.id AS player, p.name AS name, unit, sum(deals_played) AS played,
            sum(settled) AS settled, sum(paid) AS balance,
            {mean("sum(paid_played)", "sum(settled_played)", "per_deal")},
            {sum_where("role = 'declarer'", "paid")} AS as_declarer,
            {sum_where("role = 'partner'", "paid")} AS as_partner,
            {sum_where("role = 'defence'", "paid")} AS as_defence,
            {sum_where("coalesce(role, '') NOT IN ('declarer', 'partner', 'defence')", "paid_played")} AS without_sides,
            {sum_where("role IS NULL", "paid - coalesce(paid_played, 0)")} AS without_play, {SUM_BASES}
            FROM role_facts f {SHOWN} WHERE {{only}} GROUP BY p.id, p.name, unit
            HAVING sum(settled) > 0 ORDER BY unit, balance DESC, name""",
        size="settled",
        chart="bars",
    ),
    question(
        name="longest_runs",
        facts=("run_facts",),
        narrow=(),
        needs=("amounts",),
        sql=f"""SELECT f.player AS player, p.name AS name, f.won_run AS won_run, f.length AS length,
            f.first_deal AS first_deal, f.last_deal AS last_deal, f.decided AS decided,
            {", ".join(f"f.{name} AS {name}" for name in BASES)}
            FROM run_facts f JOIN players p ON p.id = f.player WHERE {{only}}
            ORDER BY length DESC, name, won_run DESC""",
        chart="bars",
    ),
)
