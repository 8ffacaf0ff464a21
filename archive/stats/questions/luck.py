"""Questions about luck: the highest cards that were dealt, beside how many of them chance deals, exactly.

The eight Obers and Unters are the highest cards of a Rufspiel or Solo in every pack. A hand counts if it is recorded
whole as it was dealt (`seats.dealt`), and has a size that a pack gives when it is dealt out; not in a deal that was
dealt again, nor in a round in which cards are given or lie aside, since chance alone did not deal them.
"""

import json
from functools import cache, partial
from math import comb

from msgspec import Struct

from archive.cards import PACKS
from archive.stats.case_tables import count_cases, sums
from archive.stats.definitions import DECLARED, GAME, PAID, STANDS, plays
from archive.stats.fact_tables import PART
from archive.stats.sql import (
    HOUSED,
    OF_CASES,
    OF_HOUSE,
    PLAYED,
    SEATS,
    flag,
    integer_keys,
    lacks_part,
    mean,
    rate,
    round_sql,
    sum_where,
)
from archive.stats.types import Cases, Facts, Question

# --- chance -----------------------------------------------------------------------------------------------------------

CHAIN = ("EO", "GO", "HO", "SO", "EU", "GU", "HU", "SU")  # the lords, highest first
LORDS = len(CHAIN)
PLAYERS = range(2, 8)


class Chance(Struct, frozen=True):
    """How many of the equally probable hands of so many cards have a `number` of lords, or matadors: `ways` of `hands`.
    For two hands of one deal, both have it in `both` of `pairs`."""

    pack: int
    cards: int
    number: int
    ways: int
    hands: int
    both: int
    pairs: int


@cache
def chances(of: str) -> tuple[Chance, ...]:
    """Return the chances `of` lords or matadors, in every pack that is dealt out to two to seven players."""
    ways = {"lords": ways_of_lords, "matadors": ways_of_matadors}[of]
    columns = []
    for pack in PACKS:
        for cards in sorted({pack // players for players in PLAYERS}):
            hands, others = comb(pack, cards), comb(pack - cards, cards)
            for number in range(min(LORDS, cards) + 1):
                one, both = ways(pack, cards, number)
                columns.append(Chance(pack, cards, number, one, hands, both, hands * others))
    return tuple(columns)


def ways_of_lords(pack: int, cards: int, number: int) -> tuple[int, int]:
    """Return how many hands have so many lords, and in how many pairs of hands both have."""
    low = cards - number  # of the other cards
    one = comb(LORDS, number) * comb(pack - LORDS, low)
    left, others = max(LORDS - number, 0), max(pack - LORDS - low, 0)
    return one, one * comb(left, number) * comb(others, low)


def ways_of_matadors(pack: int, cards: int, number: int) -> tuple[int, int]:
    """Return how many hands have such a chain from the highest card down, and in how many pairs of hands both have: two
    hands of a deal can only both lack it."""
    broken = number < LORDS  # by the next card, which another hand has
    one = comb(pack - number - broken, cards - number)
    return one, one * comb(pack - cards - 1, cards) if number == 0 else 0


def chances_sql(of: str) -> str:
    """Return the chances as a table for FROM, with the probabilities of one hand and of two; as one text, since SQLite
    reads every word of every view whenever an archive is opened."""
    rows = [
        [each.pack, each.cards, each.number, each.ways / each.hands, each.both / each.pairs] for each in chances(of)
    ]
    whole = ", ".join(f"CAST(value ->> {n} AS INTEGER) AS {name}" for n, name in enumerate(("pack", "cards", "number")))
    return f"""(SELECT {whole}, CAST(value ->> 3 AS DOUBLE) AS p, CAST(value ->> 4 AS DOUBLE) AS p_both
        FROM json_each('{json.dumps(rows)}'))"""


def score_sql(chance: str, cases: str, pairs: str) -> str:
    """Return by how many standard deviations a count lies above its expectation, for probabilities `p` and `p_both`:
    hands of one deal depend on each other, and `pairs` is how many such pairs there are."""
    variance = f"{cases} * p * (1 - p) + 2.0 * {pairs} * (p_both - p * p)"
    return round_sql(f"({chance} - {cases} * p) / sqrt(CASE WHEN {variance} > 0.000001 THEN {variance} END)", "score")


# --- facts ------------------------------------------------------------------------------------------------------------

# The cards of the pack, looked up once for each house: distinct, so that SQLite keeps them instead of reading each
# house for each hand.
OF_PACK = """JOIN (SELECT DISTINCT id AS ruleset,
        CAST(substr(house, instr(house, '"deck":') + 7, 2) AS INTEGER) AS pack FROM rulesets) h
    ON h.ruleset = d.ruleset_id"""
UNKNOWN = "'?'"  # a card that is not known
CARDS = "CAST((length({0}.dealt) + 1) / 3 AS INTEGER)"
SIZES = "(" + ", ".join(str(each) for each in sorted({p * 100 + p // n for p in PACKS for n in PLAYERS})) + ")"


# The hand dealt to the seat `s` is known with every card, and has a size that its pack gives.
WHOLE_HAND = f"{lacks_part('s.dealt', UNKNOWN)} AND h.pack * 100 + {CARDS.format('s')} IN {SIZES}"
# Not those of rounds in which cards are given or lie aside.
ROUNDS = "coalesce(d.rounds, d.round, '')"
DEALT = f"""coalesce(d.contract, '') <> 'misdeal' AND d.verdict <> 'unplayable'
    AND {lacks_part(ROUNDS, "'schieber'")} AND {lacks_part(ROUNDS, "'teufel'")} AND {WHOLE_HAND}"""
# Each pair of hands of a deal once: with the one that has the higher seat.
PAIRS = f"""(SELECT count(*) FROM seats o WHERE o.deal_id = d.id AND o.seat < s.seat
    AND length(o.dealt) = length(s.dealt) AND {lacks_part("o.dealt", UNKNOWN)})"""
HAD_LORDS = "length(s.dealt) - length(replace(replace(s.dealt, 'O', ''), 'U', ''))"
BREAKS = " ".join(f"WHEN {lacks_part('s.dealt', repr(card))} THEN {n}" for n, card in enumerate(CHAIN))
HAD_CHAIN = f"CASE {BREAKS} ELSE {LORDS} END"
HAND = f"h.pack AS pack, {CARDS.format('s')} AS cards, {HAD_LORDS} AS lords_dealt"
SETTLED = f"count({PAID}) AS settled, sum({PAID}) AS paid"
HANDS = Cases(
    name="hand_cases",
    keys=("block", "player", "pack", "cards", "lords_dealt", "matadors_dealt", "ruleset", "unit"),
    sums=("hands", "pairs", "settled", "paid"),
    sql=f"""SELECT {PART["block"]} AS block, {PART["player"]} AS player, {HAND}, {HAD_CHAIN} AS matadors_dealt,
        {OF_CASES}, 1 AS hands, {PAIRS} AS pairs, {flag(f"{PAID} IS NOT NULL AND {STANDS}")} AS settled,
        CASE WHEN {STANDS} THEN {PAID} END AS paid {HOUSED} {OF_PACK} {SEATS} WHERE {DEALT} AND {{where}}""",
)

FACTS = (
    count_cases(
        HANDS,
        name="hand_facts",
        says="Hands as they were dealt, by their Obers and Unters.",
        keys={"rules": "TEXT", "unit": "TEXT"} | integer_keys("pack", "cards", "lords_dealt", "matadors_dealt"),
        sums=sums("hands", "pairs", "settled", "paid"),
    ),
    count_cases(
        HANDS,
        name="luck_facts",
        says="Hands as they were dealt to each player, under each of the names.",
        by="player",
        keys=integer_keys("player") | {"rules": "TEXT", "unit": "TEXT"} | integer_keys("pack", "cards", "lords_dealt"),
        sums=sums("hands", "settled", "paid"),
    ),
    Facts(
        name="declarer_hand_facts",
        says="Hands as they were dealt to declarers.",
        keys={"rules": "TEXT", "unit": "TEXT", "contract": "TEXT"}
        | integer_keys("pack", "cards", "lords_dealt", "won"),
        sums=("hands", "settled", "paid"),
        sql=f"""SELECT {OF_HOUSE}, {HAND}, s.won AS won, count(*) AS hands, {SETTLED} {PLAYED} {OF_PACK} {SEATS}
            AND {DECLARED} WHERE {GAME} AND {plays()} AND {DEALT} AND {{where}}""",
    ),
)


# --- questions --------------------------------------------------------------------------------------------------------

question = partial(Question, subject="luck", needs=("hands",))


def distribution(of: str) -> Question:
    """Return the question about the distribution of `lords` or `matadors`, with a row for each possible number."""
    name = f"{of}_dealt"
    return question(
        name=name,
        facts=("hand_facts",),
        narrow=("rules",),
        sql=f"""SELECT t.rules AS rules, t.pack AS pack, t.cards AS cards, c.number AS {name},
            coalesce(f.hands, 0) AS hands, t.hands AS all_hands,
            {rate("coalesce(f.hands, 0)", "t.hands", "hands_rate")}, round(p, 8) AS chance,
            round(t.hands * p, 2) AS expected, {score_sql("coalesce(f.hands, 0)", "t.hands", "t.pairs")}
            FROM (SELECT rules, pack, cards, sum(hands) AS hands, sum(pairs) AS pairs FROM hand_facts
                WHERE {{only}} GROUP BY rules, pack, cards) t
            JOIN {chances_sql(of)} c ON c.pack = t.pack AND c.cards = t.cards
            LEFT JOIN (SELECT rules, pack, cards, {name}, sum(hands) AS hands FROM hand_facts
                GROUP BY rules, pack, cards, {name}) f
            ON f.rules = t.rules AND f.pack = t.pack AND f.cards = t.cards AND f.{name} = c.number
            ORDER BY t.rules, t.pack, t.cards, c.number""",
        size="all_hands",
        chart="dealt",
    )


SHARE = "1.0 * cards / pack"  # of the pack in one hand
EXPECTED = f"sum(hands * {LORDS} * {SHARE})"
VARIANCE = f"sum(hands * {LORDS} * {SHARE} * (1 - {SHARE}) * (pack - {LORDS}) / (pack - 1))"
# What hands with so many lords are paid, which the players' facts hold too.
USUAL = """SELECT rules, unit, pack, cards, lords_dealt, sum(settled) AS settled, sum(paid) AS paid
    FROM luck_facts GROUP BY rules, unit, pack, cards, lords_dealt"""

QUESTIONS = (
    distribution("lords"),
    distribution("matadors"),
    question(
        name="luck_and_results",
        facts=("luck_facts", "hand_facts"),
        derived=(("hand_facts", USUAL),),
        narrow=("rules",),
        sql=f"""SELECT p.id AS player, p.name AS name, f.rules AS rules, f.unit AS unit, sum(hands) AS hands,
            round(1.0 * sum(hands * lords_dealt) / sum(hands), 3) AS lords_per_hand,
            round({EXPECTED} / sum(hands), 3) AS lords_expected,
            {round_sql(f"(sum(hands * lords_dealt) - {EXPECTED}) / sqrt({VARIANCE})", "score")},
            sum(f.settled) AS settled, {mean("sum(f.paid)", "sum(f.settled)", "per_deal")},
            {mean("sum(f.settled * usual)", "sum(f.settled)", "cards_worth")},
            {mean("sum(f.paid) - sum(f.settled * usual)", "sum(f.settled)", "beyond_cards")}
            FROM (SELECT * FROM luck_facts WHERE {{only}}) f
            JOIN players n ON n.id = f.player JOIN players p ON p.id = coalesce(n.alias_of, n.id)
            JOIN (SELECT rules AS of_rules, unit AS of_unit, pack AS of_pack, cards AS of_cards,
                    lords_dealt AS with_lords, 1.0 * sum(paid) / nullif(sum(settled), 0) AS usual
                FROM hand_facts GROUP BY rules, unit, pack, cards, lords_dealt) u
            ON of_rules = f.rules AND of_unit = f.unit AND of_pack = pack AND of_cards = cards
                AND with_lords = lords_dealt
            GROUP BY p.id, p.name, f.rules, f.unit ORDER BY hands DESC, name, f.rules, f.unit""",
        size="hands",
        adds=False,  # rows of facts are read twice, which is faster if they are added up before
        chart="scatter",
    ),
    question(
        name="declaring_hands",
        facts=("declarer_hand_facts",),
        sql=f"""SELECT rules, unit, contract, pack, cards, lords_dealt, sum(hands) AS hands,
            {sum_where("won IS NOT NULL", "hands")} AS decided, {sum_where("won = 1", "hands")} AS won,
            {rate(sum_where("won = 1", "hands"), sum_where("won IS NOT NULL", "hands"), "won_rate")},
            {mean("sum(paid)", "sum(settled)", "declarer_per_deal")}
            FROM declarer_hand_facts WHERE {{only}} GROUP BY rules, unit, contract, pack, cards, lords_dealt
            ORDER BY rules, unit, contract, pack, cards, lords_dealt""",
    ),
)
