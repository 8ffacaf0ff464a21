"""Questions about what was played and how it ended."""

from functools import partial

from archive.play.types import DEALT_AGAIN, THROWN_IN
from archive.stats.case_tables import GAMES, count_cases, sums
from archive.stats.definitions import GAME, PAID, SIDE_WON, STANDS
from archive.stats.sql import (
    BASES,
    DECIDED,
    DECLARER,
    FOR_TRICKS,
    HOUSE,
    OF_HOUSE,
    OUTCOME,
    PER_DEAL,
    PLAYED,
    RULES,
    SUM_BASES,
    WON,
    flag,
    has_part,
    integer_keys,
    mean,
    rate,
    share,
    sum_where,
)
from archive.stats.types import Facts, Question

# The sides of a game that is won by card points: two with partners, one alone, everyone for himself.
PARTIES = "CASE WHEN k.parties IN ('called', 'named', 'opposite') THEN 'partners' ELSE k.parties END"
MUSS = flag(has_part("' ' || coalesce(d.words, '') || ' '", "' muss '"))
KNOCK = " OR ".join(has_part("lower(d.cut)", f"' {word}'") for word in ("knocks", "klopft"))
CUT_KNOCK = f"CASE WHEN d.cut IS NOT NULL THEN {flag(KNOCK)} END"
WEDDINGS = "FROM contracts w WHERE w.exchange = 'wedding'"
HOCHZEIT = f"""CASE WHEN (d.ruleset_id, d.contract) IN (SELECT w.ruleset_id, w.contract {WEDDINGS}) THEN 'played'
    WHEN d.ruleset_id IN (SELECT w.ruleset_id {WEDDINGS})
        AND d.id IN (SELECT deal_id FROM calls WHERE deal_id = d.id AND call = 'offer') THEN 'offered' END"""
BAND = "CASE WHEN points < 31 THEN '0-30' WHEN points < 61 THEN '31-60' WHEN points < 91 THEN '61-90' ELSE '91-120' END"

FACTS = (
    count_cases(
        GAMES,
        name="contract_facts",
        says="Deals by what was played and how it ended.",
        keys=HOUSE | dict.fromkeys(("suit", "called"), "TEXT") | integer_keys("tout", "won", "schneider", "schwarz"),
        sums=sums("deals", "settled", "paid", *BASES),
    ),
    Facts(
        name="point_facts",
        says="Deals by the card points of the declarer's side.",
        keys={"rules": "TEXT", "parties": "TEXT"} | integer_keys("points", "won"),
        sums=("deals",),
        sql=f"""SELECT r.name AS rules, {PARTIES} AS parties, d.side_points AS points, {SIDE_WON} AS won,
            count(*) AS deals {PLAYED} {RULES} {DECLARER}
            WHERE k.goal IN ('points', 'most-loses') AND d.tout = 0 AND d.side_points IS NOT NULL AND {STANDS}
            AND {{where}}""",
    ),
    Facts(
        name="dealt_facts",
        says="Deals by what became of them, with those that were not played.",
        keys={"rules": "TEXT", "contract": "TEXT"},
        sums=("deals",),
        sql=f"""SELECT r.name AS rules, d.contract AS contract, count(*) AS deals
            {PLAYED} WHERE d.contract IS NOT NULL AND {{where}}""",
    ),
    count_cases(
        GAMES,
        name="multiplier_facts",
        says="Deals by what their price was multiplied with.",
        keys=HOUSE | integer_keys("multiplier", "won"),
        sums=sums("deals", "settled", "paid"),
        where="c.multiplier IS NOT NULL",
    ),
    Facts(
        name="solo_facts",
        says="Games of one against all by the trumps and lords in the declarer's hand.",
        keys={"rules": "TEXT", "contract": "TEXT"} | integer_keys("trumps", "lords", "won"),
        sums=("deals",),
        sql=f"""SELECT r.name AS rules, d.contract AS contract, s.trumps AS trumps, s.lords AS lords, {SIDE_WON} AS won,
            count(*) AS deals {PLAYED} {RULES} {DECLARER}
            WHERE k.parties = 'alone' AND k.trumps <> '' AND s.trumps IS NOT NULL AND {FOR_TRICKS} AND {STANDS}
                AND {{where}}""",
    ),
    Facts(
        name="kind_facts",
        says="Deals by the special rounds in force, by what was bid, by whether the declarer had to play, by whether a "
        "Hochzeit was played or offered, and by whether the cutter knocked.",
        keys=HOUSE | dict.fromkeys(("rounds", "hochzeit"), "TEXT") | integer_keys("bid", "muss", "cut_knock", "won"),
        sums=("deals", "settled", "paid"),
        sql=f"""SELECT {OF_HOUSE}, coalesce(d.rounds, d.round) AS rounds, {HOCHZEIT} AS hochzeit, d.bid AS bid,
            {MUSS} AS muss, {CUT_KNOCK} AS cut_knock, {SIDE_WON} AS won,
            count(*) AS deals, count({PAID}) AS settled, sum({PAID}) AS paid
            {PLAYED} {DECLARER} WHERE {GAME} AND {{where}}""",
    ),
)

TOUTS, WITH_TOUT = sum_where("tout = 1", "deals"), sum_where("tout IS NOT NULL", "deals")
TOUTS_DECIDED = sum_where("tout = 1 AND won IS NOT NULL", "deals")
TOUTS_WON = sum_where("tout = 1 AND won = 1", "deals")
PER_TOUT = mean(sum_where("tout = 1", "coalesce(paid, 0)"), sum_where("tout = 1", "settled"), "declarer_per_deal")
THROWN, AGAIN = (sum_where(f"contract = '{word}'", "deals") for word in (THROWN_IN, DEALT_AGAIN))

question = partial(Question, subject="results", needs=("game", "result"))


def by_kind(name: str, kind: str, where: str) -> Question:
    """Return results by a column of `kind_facts`, of the deals that have it."""
    return question(
        name=name,
        facts=("kind_facts",),
        sql=f"""SELECT rules, unit, contract, {kind}, sum(deals) AS deals, {OUTCOME}, {PER_DEAL}
            FROM kind_facts WHERE {where} AND {{only}} GROUP BY rules, unit, contract, {kind}
            ORDER BY rules, unit, contract, {kind}""",
    )


QUESTIONS = (
    by_kind("results_by_round", "rounds", "rounds <> ''"),
    by_kind("results_by_bid", "bid", "bid IS NOT NULL"),
    by_kind("results_of_muss", "muss", "(rules, contract) IN (SELECT rules, contract FROM kind_facts WHERE muss = 1)"),
    by_kind("results_of_hochzeit", "hochzeit", "hochzeit IS NOT NULL"),
    by_kind("results_by_cut", "cut_knock", "cut_knock IS NOT NULL"),
    question(
        name="results_by_contract",
        facts=("contract_facts",),
        sql=f"""SELECT rules, unit, contract, sum(deals) AS deals, {OUTCOME}, {PER_DEAL}, {SUM_BASES}
            FROM contract_facts WHERE {{only}} GROUP BY rules, unit, contract
            ORDER BY deals DESC, rules, contract, unit""",
    ),
    question(
        name="results_by_trump_suit",
        facts=("contract_facts",),
        sql=f"""SELECT rules, unit, contract, suit, sum(deals) AS deals, {OUTCOME}, {PER_DEAL},
            {SUM_BASES} FROM contract_facts WHERE suit IS NOT NULL AND called IS NULL AND {{only}}
            GROUP BY rules, unit, contract, suit ORDER BY rules, unit, contract, suit""",
    ),
    question(
        name="schneider_and_schwarz",
        facts=("contract_facts",),
        sql=f"""SELECT rules, contract, {sum_where("schneider IS NOT NULL", "deals")} AS decided,
            {sum_where("schneider = 1", "deals")} AS schneider, {sum_where("schwarz = 1", "deals")} AS schwarz,
            {rate(sum_where("schneider = 1", "deals"), sum_where("schneider IS NOT NULL", "deals"), "schneider_rate")},
            {rate(sum_where("schwarz = 1", "deals"), sum_where("schwarz IS NOT NULL", "deals"), "schwarz_rate")}
            FROM contract_facts WHERE {{only}} GROUP BY rules, contract HAVING decided > 0
            ORDER BY decided DESC, rules, contract""",
    ),
    question(
        name="points_histogram",
        facts=("point_facts",),
        narrow=("rules", "parties"),
        needs=("points",),
        sql=f"""SELECT rules, parties, points, {BAND} AS band, sum(deals) AS deals,
            {share("sum(deals)", "rules, parties")}, {DECIDED} AS decided, {WON} AS won
            FROM point_facts WHERE {{only}} GROUP BY rules, parties, points ORDER BY rules, parties, points""",
        size="sample",
        chart="points",
    ),
    question(
        name="touts",
        facts=("contract_facts",),
        needs=("game",),
        sql=f"""SELECT rules, unit, contract, {WITH_TOUT} AS deals, {TOUTS} AS touts,
            {rate(TOUTS, WITH_TOUT, "touts_rate")}, {TOUTS_DECIDED} AS decided, {TOUTS_WON} AS won,
            {rate(TOUTS_WON, TOUTS_DECIDED, "won_rate")}, {PER_TOUT}
            FROM contract_facts WHERE {{only}} GROUP BY rules, unit, contract HAVING {TOUTS} > 0
            ORDER BY touts DESC, rules, contract, unit""",
    ),
    question(
        name="solo_success",
        facts=("solo_facts",),
        needs=("hands",),
        sql=f"""SELECT rules, contract, trumps, lords, sum(deals) AS deals, {OUTCOME}
            FROM solo_facts WHERE {{only}} GROUP BY rules, contract, trumps, lords
            ORDER BY rules, contract, trumps, lords""",
        chart="grid",
    ),
    question(
        name="results_by_multiplier",
        facts=("multiplier_facts",),
        sql=f"""SELECT rules, unit, contract, multiplier, sum(deals) AS deals,
            {share("sum(deals)", "rules, unit, contract")}, {OUTCOME}, {PER_DEAL}
            FROM multiplier_facts WHERE {{only}} GROUP BY rules, unit, contract, multiplier
            ORDER BY rules, unit, contract, multiplier""",
        size="sample",
    ),
    question(
        name="thrown_in",
        facts=("dealt_facts",),
        narrow=("rules",),
        needs=("game",),
        sql=f"""SELECT rules, sum(deals) AS deals, {THROWN} AS thrown_in,
            {rate(THROWN, "sum(deals)", "thrown_in_rate")},
            {AGAIN} AS misdealt, {rate(AGAIN, "sum(deals)", "misdealt_rate")}
            FROM dealt_facts WHERE {{only}} GROUP BY rules ORDER BY deals DESC, rules""",
        size="deals",
    ),
)
