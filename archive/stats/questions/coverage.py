"""The facts from which an answer states on what its deals rest, and how many of them lack what the question needs."""

from collections.abc import Iterable

from archive.stats.case_tables import PRICE
from archive.stats.definitions import DEAL_WON, GAME
from archive.stats.sql import BASES, PLAYED, count_bases, flag
from archive.stats.types import Facts, Question

CALLED = """NOT EXISTS (SELECT 1 FROM contracts k WHERE k.ruleset_id = d.ruleset_id AND k.contract = d.contract
    AND k.suit = coalesce(d.suit, '') AND k.parties = 'called')"""
DOUBLED = "(SELECT 1 FROM doubles x WHERE x.deal_id = d.id AND x.word {0} 'knock')"
UNPLAYED = f"(d.contract IS NOT NULL AND NOT {GAME})"
KNOWN = f"({UNPLAYED} OR d.basis = 'cards' OR d.loser IS NOT NULL)"  # as far as the rules ask for it

# Whether a deal has what a question needs, each by its name there.
NEEDS = {
    "tricks": f"({UNPLAYED} OR EXISTS (SELECT 1 FROM tricks x WHERE x.deal_id = d.id))",
    "hands": "EXISTS (SELECT 1 FROM seats x WHERE x.deal_id = d.id AND x.dealt IS NOT NULL)",
    "game": "d.contract IS NOT NULL",
    "result": f"({KNOWN} OR {DEAL_WON} IS NOT NULL)",
    "amounts": "d.basis IS NOT NULL",
    "dealer": "(d.players IS NOT NULL)",
    "points": f"({KNOWN} OR d.side_points IS NOT NULL)",
    "called": f"({UNPLAYED} OR d.called IS NOT NULL OR (d.contract IS NOT NULL AND {CALLED}))",
    "runners": f"({KNOWN} OR d.runners IS NOT NULL)",
    "runners_paid": f"({KNOWN} OR {PRICE} IS NOT NULL)",
    "height": f"({KNOWN} OR d.schneider IS NOT NULL)",
    "multiplier": f"({UNPLAYED} OR d.multiplier IS NOT NULL)",
    "knocks": f"(coalesce(d.knocks, 1) = 0 OR EXISTS {DOUBLED.format('=')})",
    "doubles": f"(coalesce(d.doubles, 1) = 0 OR EXISTS {DOUBLED.format('<>')})",
    "event": "e.event IS NOT NULL",
    "day": "e.date IS NOT NULL",
    "analysis": """EXISTS (SELECT 1 FROM analyses x
        WHERE x.deal_id = d.id AND x.stale = 0 AND x.missing IS NULL)""",
}


def facts_of_needs(needs: Iterable[str]) -> Facts:
    """Return the facts of the deals that have each of these needs, one at least: those of all needs are kept, those of
    a few are counted faster."""
    has = {f"with_{name}": flag(NEEDS[name]) for name in needs}
    return Facts(
        name="coverage_facts",
        says="Deals by what their amounts rest on, and how many of them have what the questions need.",
        of_analyses=True,
        keys=dict.fromkeys(("rules", "contract"), "TEXT"),
        sums=("deals", *BASES, *has),
        sql=f"""SELECT rules, contract, count(*) AS deals,
            {", ".join(f"sum({name}) AS {name}" for name in (*BASES, *has))}
            FROM (SELECT d.id AS id, r.name AS rules, d.contract AS contract, {count_bases()},
                {", ".join(f"{fits} AS {name}" for name, fits in has.items())} {PLAYED} WHERE {{where}}) d""",
    )


FACTS = (facts_of_needs(NEEDS),)
QUESTIONS: tuple[Question, ...] = ()
