"""Questions about sessions, lists of a tournament, months, and what is in dispute."""

from functools import partial

from archive.stats.definitions import COUNTS, DECLARED, PAID, PLAYED_BY, SIDE_WON, unit_of
from archive.stats.questions.people import SHOWN
from archive.stats.sql import BASES, PLAYED, SEATS, SUM_BASES, flag, integer_keys, rate, sum_where
from archive.stats.types import Facts, Question

VERDICTS = ("agrees", "differs", "undecidable", "unplayable")
BY_VERDICT = ", ".join(f"{sum_where(f'd.verdict = {each!r}', 'd.deals')} AS {each}" for each in VERDICTS)
BY_BASIS = ", ".join(f"{sum_where(fits, 'd.deals')} AS {name}" for name, fits in BASES.items())
MONEY = f"CASE WHEN s.marks IS NULL THEN {PAID} END"
# Each deal with the sum of its seats. It counts with its first seat.
DEALS = f"""SELECT d.id, d.session_id, d.ruleset_id, d.verdict, d.basis,
        max({flag("coalesce(s.seat, 1) = 1")}) AS deals,
        max({flag(f"{MONEY} IS NOT NULL")}) AS settled,
        sum(CASE WHEN {MONEY} > 0 THEN {MONEY} WHEN {MONEY} <= 0 THEN 0 END) AS moved,
        max(abs({MONEY})) AS most
    FROM deals d LEFT JOIN seats s ON s.deal_id = d.id WHERE {COUNTS} AND {{where}}
    GROUP BY d.id, d.session_id, d.ruleset_id, d.verdict, d.basis"""

# What the seat `s` is paid by the source, and how far that is from what is computed.
STATED = """(SELECT CAST(json_extract(t.payments, '$[' || (s.seat - 1) || ']') AS INTEGER) FROM stated t
    WHERE t.deal_id = d.id)"""
APART = f"(SELECT sum(abs(s.payment - {STATED})) FROM seats s WHERE s.deal_id = d.id)"
DECLARED_IT = f"{DECLARED} AND {PLAYED_BY}"


def count_doublings(condition: str) -> str:
    """Return the SQL of how often the seat `s` doubled, with a word that fits."""
    return f"(SELECT count(*) FROM doubles k WHERE k.deal_id = d.id AND k.seat = s.seat AND k.word {condition})"


FACTS = (
    Facts(
        name="session_facts",
        says="What each session comes to.",
        by="session",
        keys=integer_keys("session") | {"rules": "TEXT", "unit": "TEXT"},
        sums=("deals", *VERDICTS, "settled", "moved", "most", *BASES),
        highest=("most",),
        sql=f"""SELECT d.session_id AS session, r.name AS rules, {unit_of()} AS unit,
            sum(d.deals) AS deals, {BY_VERDICT}, sum(d.settled) AS settled, sum(d.moved) AS moved, max(d.most) AS most,
            {BY_BASIS}
            FROM ({DEALS}) d JOIN sessions e ON e.id = d.session_id LEFT JOIN rulesets r ON r.id = d.ruleset_id""",
    ),
    Facts(
        name="occasion_facts",
        says="Deals by the month, and by the format that they were first read from.",
        keys=dict.fromkeys(("month", "rules", "format", "verdict"), "TEXT"),
        sums=("deals",),
        sql=f"""SELECT substr(e.date, 1, 7) AS month, r.name AS rules, q.format AS format, d.verdict AS verdict,
            count(*) AS deals {PLAYED} JOIN records t ON t.id = d.id JOIN sources q ON q.id = t.source_id
            WHERE {{where}}""",
    ),
    Facts(
        name="dispute_facts",
        says="Deals that do not agree or in which an error or a warning is found, by the rule of the finding.",
        keys=dict.fromkeys(("rules", "verdict", "severity", "finding"), "TEXT"),
        sums=("deals",),
        sql=f"""SELECT r.name AS rules, d.verdict AS verdict, g.severity AS severity, g.rule AS finding,
            count(DISTINCT d.id) AS deals {PLAYED}
            LEFT JOIN findings g ON g.deal_id = d.id AND g.severity <> 'note'
            WHERE (d.verdict <> 'agrees' OR g.id IS NOT NULL) AND {{where}}""",
    ),
    Facts(
        name="error_facts",
        says="The deals of each session by the file that they were first read from, and how far amounts are wrong.",
        by="session",
        keys=integer_keys("session", "source") | dict.fromkeys(("format", "rules", "unit"), "TEXT"),
        sums=("deals", "differs", "unplayable", "difference"),
        sql=f"""SELECT d.session_id AS session, source, format, rules, unit, count(*) AS deals,
            {sum_where("verdict = 'differs'", "1")} AS differs,
            {sum_where("verdict = 'unplayable'", "1")} AS unplayable, sum(apart) AS difference
            FROM (SELECT d.session_id AS session_id, t.source_id AS source, q.format AS format, r.name AS rules,
                {unit_of()} AS unit, d.verdict AS verdict, {APART} AS apart
                {PLAYED} JOIN records t ON t.id = d.id JOIN sources q ON q.id = t.source_id WHERE {{where}}) d""",
    ),
    Facts(
        name="table_facts",
        says="What each player did at the table in each session, under each of the names.",
        by="session",
        keys=integer_keys("session", "player") | {"rules": "TEXT"},
        sums=("deals", "dealt", "declared", "won", "knocks", "doublings"),
        sql=f"""SELECT d.session_id AS session, player, rules, sum(plays) AS deals, sum(dealt) AS dealt,
            sum(declared) AS declared, sum(won) AS won, sum(knocks) AS knocks, sum(doublings) AS doublings
            FROM (SELECT d.session_id AS session_id, s.player_id AS player, r.name AS rules,
                {flag(PLAYED_BY)} AS plays, {flag("s.seat = d.dealer")} AS dealt, {flag(DECLARED_IT)} AS declared,
                {flag(f"{DECLARED_IT} AND {SIDE_WON} = 1")} AS won, {count_doublings("= 'knock'")} AS knocks,
                {count_doublings("<> 'knock'")} AS doublings {PLAYED} {SEATS} WHERE {{where}}) d""",
    ),
)

SUMS = ", ".join(f"sum({each}) AS {each}" for each in VERDICTS)
VERDICT_COUNTS = ", ".join(f"{sum_where(f'verdict = {each!r}', 'deals')} AS {each}" for each in VERDICTS)

question = partial(Question, subject="archive", narrow=("rules",), needs=(), size="deals")

QUESTIONS = (
    question(
        name="sessions_overview",
        facts=("session_facts",),
        sql="""SELECT f.session AS session, e.date AS date, e.event AS event, e.list AS list,
            e.table_name AS table_name, f.rules AS rules, f.unit AS unit, deals, agrees, differs, undecidable,
            unplayable, settled, moved, most, on_cards, on_facts, on_amounts
            FROM (SELECT * FROM session_facts WHERE {only}) f JOIN sessions e ON e.id = f.session
            ORDER BY f.session, f.rules, f.unit""",
        chart="verdicts",
        adds=False,
    ),
    question(
        name="events_overview",
        facts=("session_facts",),
        needs=("event",),
        sql=f"""SELECT e.event AS event, e.list AS list, e.table_name AS table_name, f.rules AS rules, f.unit AS unit,
            count(DISTINCT f.session) AS sessions, min(e.date) AS first_date, max(e.date) AS last_date,
            sum(deals) AS deals, {SUMS}, sum(settled) AS settled, sum(moved) AS moved, max(most) AS most,
            {SUM_BASES}
            FROM (SELECT * FROM session_facts WHERE {{only}}) f JOIN sessions e ON e.id = f.session
            WHERE e.event IS NOT NULL GROUP BY e.event, e.list, e.table_name, f.rules, f.unit
            ORDER BY e.event, coalesce(e.list, ''), coalesce(e.table_name, ''), f.rules, f.unit""",
        chart="verdicts",
    ),
    question(
        name="disputes_by_kind",
        facts=("dispute_facts",),
        sql="""SELECT rules, verdict, severity, finding, sum(deals) AS deals
            FROM dispute_facts WHERE {only} GROUP BY rules, verdict, severity, finding
            ORDER BY deals DESC, rules, verdict, severity, finding""",
        chart="bars",
    ),
    question(
        name="disputes_by_source",
        facts=("occasion_facts",),
        sql=f"""SELECT rules, format, verdict, sum(deals) AS deals, every AS all_deals,
            {rate("sum(deals)", "every", "deals_rate")}
            FROM (SELECT rules, format, verdict, sum(deals) AS deals,
                sum(sum(deals)) OVER (PARTITION BY rules, format) AS every
                FROM occasion_facts WHERE {{only}} GROUP BY rules, format, verdict) f
            GROUP BY rules, format, verdict, every ORDER BY rules, format, verdict""",
        size="all_deals",
    ),
    question(
        name="deals_by_month",
        facts=("occasion_facts",),
        sql=f"""SELECT month, rules, sum(deals) AS deals, {VERDICT_COUNTS}
            FROM occasion_facts WHERE {{only}} GROUP BY month, rules ORDER BY coalesce(month, ''), rules""",
        chart="months",
    ),
    question(
        name="errors_by_source",
        facts=("error_facts",),
        sql=f"""SELECT e.recorder AS recorder, e.table_name AS table_name, f.source AS source, format, f.rules AS rules,
            f.unit AS unit, sum(deals) AS deals, sum(differs) AS differs, sum(unplayable) AS unplayable,
            {rate("(sum(differs) + sum(unplayable))", "sum(deals)", "errors_rate")}, sum(difference) AS difference
            FROM (SELECT * FROM error_facts WHERE {{only}}) f JOIN sessions e ON e.id = f.session
            GROUP BY e.recorder, e.table_name, f.source, format, f.rules, f.unit
            ORDER BY f.source, coalesce(e.table_name, ''), coalesce(e.recorder, ''), f.rules, f.unit""",
    ),
    question(
        name="session_balance",
        facts=("table_facts",),
        sql=f"""SELECT f.session AS session, p.id AS player, p.name AS name, f.rules AS rules, sum(deals) AS deals,
            sum(dealt) AS dealt, sum(declared) AS declared, sum(won) AS won, sum(knocks) AS knocks,
            sum(doublings) AS doublings FROM (SELECT * FROM table_facts WHERE {{only}}) f {SHOWN}
            GROUP BY f.session, p.name, p.id, f.rules ORDER BY f.session, p.name, p.id, f.rules""",
        chart="bars",
    ),
)
