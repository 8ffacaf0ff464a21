"""Questions about the called card: who leads its suit and when, what becomes of it, who runs away."""

from functools import partial

from archive.cards import RANKS
from archive.stats.case_tables import count_cases, sums
from archive.stats.definitions import DEAL_WON, GAME
from archive.stats.fact_tables import PART
from archive.stats.sql import OUTCOME, PER_DEAL, RULES, flag, has_part, integer_keys, lacks_part, rate, share, sum_where
from archive.stats.types import Cases, Question


def suit_group_sql(card: str) -> str:
    """Return the SQL of the suit of a card by the rules `k`, T for all trumps."""
    return f"CASE WHEN {has_part('k.trumps', card)} THEN 'T' ELSE substr({card}, 1, 1) END"


# The deals with a called card, as `d`: the trick in which it fell, and the first that was led with its suit until
# then, or with an unknown card. Cards of one suit begin alike or are trumps, which is quickly seen. Each is looked for
# once, since the table is made before it is joined.
HAND, LED = "coalesce(p.held, p.dealt)", "substr(x.cards, 1, 2)"
OF_SUIT = [f"substr(d.called, 1, 1) || '{rank}'" for rank in RANKS]
IN_HAND = " + ".join(flag(f"{has_part(HAND, card)} AND {lacks_part('k.trumps', card)}") for card in OF_SUIT)
ALIKE = f"(substr(x.cards, 1, 1) = substr(d.called, 1, 1) OR {has_part('k.trumps', 'd.called')})"
DEALS = f"""(WITH f AS MATERIALIZED (SELECT d.id, d.ruleset_id, d.declarer, d.partner, d.contract, {DEAL_WON} AS won,
            CASE WHEN {lacks_part(HAND, "'?'")} THEN {IN_HAND} END AS called_cards,
            (SELECT min(x.trick) FROM tricks x WHERE x.deal_id = d.id AND {has_part("x.cards", "d.called")}) AS fell_in,
            (SELECT min(x.trick) FROM tricks x WHERE x.deal_id = d.id AND ({has_part(LED, "'?'")}
                OR {ALIKE} AND {suit_group_sql(LED)} = {suit_group_sql("d.called")})) AS led_in
            FROM deals d {RULES} JOIN seats p ON p.deal_id = d.id AND p.seat = d.partner
            WHERE {GAME} AND d.called IS NOT NULL AND {{where}})
        SELECT * FROM f) d
    JOIN tricks c ON c.deal_id = d.id AND c.trick = d.fell_in
    LEFT JOIN seats w ON w.deal_id = d.id AND w.seat = c.winner
    LEFT JOIN tricks l ON l.deal_id = d.id AND l.trick = d.led_in AND d.led_in <= d.fell_in
    WHERE (l.trick IS NULL OR (l.leader IS NOT NULL AND {lacks_part("substr(l.cards, 1, 2)", "'?'")}))"""
LED_BY = """CASE WHEN l.trick IS NULL THEN 'nobody' WHEN l.leader = d.declarer THEN 'declarer'
    WHEN l.leader = d.partner THEN 'partner' ELSE 'defence' END"""

CALLED = Cases(
    name="called_cases",
    keys=("block", "trick", "found", "stabbed", "won", "called_cards", "ran_away", "ruleset", "contract", "led_by"),
    sums=("deals",),
    sql=f"""SELECT {PART["block"]} AS block, l.trick AS trick, {flag("l.trick = c.trick")} AS found,
        CASE WHEN w.declaring = 0 THEN 1 WHEN w.declaring = 1 THEN 0 END AS stabbed, d.won AS won,
        d.called_cards AS called_cards, {flag("l.leader = d.partner AND l.trick < c.trick")} AS ran_away,
        d.ruleset_id AS ruleset, d.contract AS contract, {LED_BY} AS led_by, 1 AS deals FROM {DEALS}""",
)

FACTS = (
    count_cases(
        CALLED,
        name="called_facts",
        says="Deals with a called card by who first led its suit, and in which trick.",
        keys={"rules": "TEXT", "contract": "TEXT", "led_by": "TEXT"} | integer_keys("trick", "found", "stabbed", "won"),
        sums=sums("deals"),
    ),
    count_cases(
        CALLED,
        name="away_facts",
        says="Deals with a called card by how many cards of its suit its holder had, and whether the holder ran away.",
        keys={"rules": "TEXT", "contract": "TEXT"} | integer_keys("called_cards", "ran_away", "won"),
        sums=sums("deals"),
        where="c.called_cards IS NOT NULL",
    ),
)

FOUND, STABBED = (sum_where(f"{name} = 1", "deals") for name in ("found", "stabbed"))
TAKEN = sum_where("stabbed IS NOT NULL", "deals")
SEARCHED_IN = "CASE WHEN led_by = 'defence' THEN trick END"
AWAY = sum_where("ran_away = 1", "deals")


def outcome_columns(ran_away: int, name: str) -> str:
    """Return the columns of how often deals are won in which the holder ran away, or did not."""
    fits = f"ran_away = {ran_away} AND won"
    return rate(sum_where(f"{fits} = 1", "deals"), sum_where(f"{fits} IS NOT NULL", "deals"), name)


question = partial(Question, subject="called")

QUESTIONS = (
    question(
        name="called_ace",
        facts=("called_facts",),
        needs=("tricks",),
        sql=f"""SELECT rules, contract, led_by, sum(deals) AS deals, {share("sum(deals)", "rules, contract")},
            {FOUND} AS found, {rate(FOUND, "sum(deals)", "found_rate")},
            {STABBED} AS stabbed, {rate(STABBED, TAKEN, "stabbed_rate")},
            {OUTCOME}
            FROM called_facts WHERE {{only}} GROUP BY rules, contract, led_by ORDER BY rules, contract, led_by""",
        size="sample",
    ),
    question(
        name="called_ace_by_trick",
        facts=("called_facts",),
        needs=("tricks",),
        sql=f"""SELECT rules, contract, {SEARCHED_IN} AS searched_in, sum(deals) AS deals,
            {share("sum(deals)", "rules, contract")}, {FOUND} AS found, {STABBED} AS stabbed,
            {rate(STABBED, TAKEN, "stabbed_rate")}, {OUTCOME}
            FROM called_facts WHERE {{only}} GROUP BY rules, contract, {SEARCHED_IN}
            ORDER BY rules, contract, searched_in""",
        size="sample",
    ),
    question(
        name="run_away",
        facts=("away_facts",),
        needs=("tricks", "hands"),
        sql=f"""SELECT rules, contract, called_cards, sum(deals) AS deals, {AWAY} AS ran_away,
            {rate(AWAY, "sum(deals)", "ran_away_rate")}, {outcome_columns(1, "away_won_rate")},
            {outcome_columns(0, "stayed_won_rate")}
            FROM away_facts WHERE {{only}} GROUP BY rules, contract, called_cards
            ORDER BY rules, contract, called_cards""",
        size="deals",
    ),
    question(
        name="results_by_called_card",
        facts=("contract_facts",),
        needs=("called", "result"),
        sql=f"""SELECT rules, unit, contract, called, sum(deals) AS deals, {OUTCOME}, {PER_DEAL}
            FROM contract_facts WHERE called IS NOT NULL AND {{only}}
            GROUP BY rules, unit, contract, called ORDER BY rules, unit, contract, called""",
    ),
)
