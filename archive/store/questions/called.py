"""Questions about the called card: who leads its suit and when, what becomes of it, who runs away."""

from archive.cards import RANKS
from archive.store.questions.sql import GAME, OUTCOME, PER_DEAL, PLAYED, RULES, has, integers, lacks, rate, share, when
from archive.store.questions.types import Facts, Question


def group(card: str) -> str:
    """The suit of a card by the rules `k`, T for all trumps."""
    return f"CASE WHEN {has('k.trumps', card)} THEN 'T' ELSE substr({card}, 1, 1) END"


def of_suit(hand: str) -> str:
    """How many cards of the suit of the called card are in a hand."""
    cards = [f"substr(d.called, 1, 1) || '{rank}'" for rank in RANKS]
    there = [f"{has(hand, card)} AND {lacks('k.trumps', card)}" for card in cards]
    return " + ".join(f"CASE WHEN {each} THEN 1 ELSE 0 END" for each in there)


# The deals with a called card, as `d`: the trick in which it fell, and the first that was led with its suit until
# then, or with an unknown card.
HAND, LED = "coalesce(p.held, p.dealt)", "substr(x.cards, 1, 2)"
DEALS = f"""(SELECT d.id, d.session_id, d.declarer, d.partner, d.contract, d.won, r.name AS rules,
        CASE WHEN {lacks(HAND, "'?'")} THEN {of_suit(HAND)} END AS called_cards,
        (SELECT min(x.trick) FROM tricks x WHERE x.deal_id = d.id AND {has("x.cards", "d.called")}) AS fell_in,
        (SELECT min(x.trick) FROM tricks x WHERE x.deal_id = d.id AND ({has(LED, "'?'")}
            OR {group(LED)} = {group("d.called")})) AS led_in
        {PLAYED} {RULES} JOIN seats p ON p.deal_id = d.id AND p.seat = d.partner
        WHERE {GAME} AND d.called IS NOT NULL AND {{where}}) d
    JOIN tricks c ON c.deal_id = d.id AND c.trick = d.fell_in
    LEFT JOIN seats w ON w.deal_id = d.id AND w.seat = c.winner
    LEFT JOIN tricks l ON l.deal_id = d.id AND l.trick = d.led_in AND d.led_in <= d.fell_in
    WHERE (l.trick IS NULL OR (l.leader IS NOT NULL AND {lacks("substr(l.cards, 1, 2)", "'?'")}))"""
LED_BY = """CASE WHEN l.trick IS NULL THEN 'nobody' WHEN l.leader = d.declarer THEN 'declarer'
    WHEN l.leader = d.partner THEN 'partner' ELSE 'defence' END"""

FACTS = (
    Facts(
        name="called_facts",
        says="Deals with a called card by who first led its suit, and in which trick.",
        by="block",
        keys={"rules": "TEXT", "contract": "TEXT", "led_by": "TEXT"} | integers("trick", "found", "stabbed", "won"),
        sums=("deals",),
        sql=f"""SELECT d.rules AS rules, d.contract AS contract, {LED_BY} AS led_by, l.trick AS trick,
            CASE WHEN l.trick = c.trick THEN 1 ELSE 0 END AS found,
            CASE WHEN w.declaring = 0 THEN 1 WHEN w.declaring = 1 THEN 0 END AS stabbed, d.won AS won, count(*) AS deals
            FROM {DEALS}""",
    ),
    Facts(
        name="away_facts",
        says="Deals with a called card by how many cards of its suit its holder had, and whether the holder ran away.",
        by="block",
        keys={"rules": "TEXT", "contract": "TEXT"} | integers("called_cards", "ran_away", "won"),
        sums=("deals",),
        sql=f"""SELECT d.rules AS rules, d.contract AS contract, d.called_cards AS called_cards,
            CASE WHEN l.leader = d.partner AND l.trick < c.trick THEN 1 ELSE 0 END AS ran_away, d.won AS won,
            count(*) AS deals FROM {DEALS} AND d.called_cards IS NOT NULL""",
    ),
)

FOUND, STABBED = (when(f"{name} = 1", "deals") for name in ("found", "stabbed"))
TAKEN = when("stabbed IS NOT NULL", "deals")
SEARCHED_IN = "CASE WHEN led_by = 'defence' THEN trick END"
AWAY = when("ran_away = 1", "deals")


def outcome_of(ran_away: int, name: str) -> str:
    """How often deals are won in which the holder ran away, or did not."""
    fits = f"ran_away = {ran_away} AND won"
    return rate(when(f"{fits} = 1", "deals"), when(f"{fits} IS NOT NULL", "deals"), name)


QUESTIONS = (
    Question(
        name="called_ace",
        subject="called",
        facts=("called_facts",),
        sql=f"""SELECT rules, contract, led_by, sum(deals) AS deals, {share("sum(deals)", "rules, contract")},
            {FOUND} AS found, {rate(FOUND, "sum(deals)", "found_rate")},
            {STABBED} AS stabbed, {rate(STABBED, TAKEN, "stabbed_rate")},
            {OUTCOME}
            FROM called_facts WHERE {{only}} GROUP BY rules, contract, led_by ORDER BY rules, contract, led_by""",
        size="sample",
        chart="shares",
    ),
    Question(
        name="called_ace_by_trick",
        subject="called",
        facts=("called_facts",),
        sql=f"""SELECT rules, contract, {SEARCHED_IN} AS searched_in, sum(deals) AS deals,
            {share("sum(deals)", "rules, contract")}, {FOUND} AS found, {STABBED} AS stabbed,
            {rate(STABBED, TAKEN, "stabbed_rate")}, {OUTCOME}
            FROM called_facts WHERE {{only}} GROUP BY rules, contract, {SEARCHED_IN}
            ORDER BY rules, contract, searched_in""",
        size="sample",
        chart="shares",
    ),
    Question(
        name="run_away",
        subject="called",
        facts=("away_facts",),
        sql=f"""SELECT rules, contract, called_cards, sum(deals) AS deals, {AWAY} AS ran_away,
            {rate(AWAY, "sum(deals)", "ran_away_rate")}, {outcome_of(1, "away_won_rate")},
            {outcome_of(0, "stayed_won_rate")}
            FROM away_facts WHERE {{only}} GROUP BY rules, contract, called_cards
            ORDER BY rules, contract, called_cards""",
        size="deals",
        chart="shares",
    ),
    Question(
        name="results_by_called_card",
        subject="called",
        facts=("contract_facts",),
        sql=f"""SELECT rules, unit, contract, called, sum(deals) AS deals, {OUTCOME}, {PER_DEAL}
            FROM contract_facts WHERE called IS NOT NULL AND {{only}}
            GROUP BY rules, unit, contract, called ORDER BY rules, unit, contract, called""",
        size="decided",
        chart="shares",
    ),
)
