"""The things that are counted, each defined once, as SQL that SQLite and DuckDB both read: who was alone, who was
partner, who played a deal, which deals were played, who won. Facts, views, pages and exports take it from here;
`archive.stats.event_standings` counts the same of judgements.

`d` is a row of `deals`, `s` one of its `seats`.
"""

# Not a deal that the last ruling on what is paid annuls, or has played again: that was dealt, and nobody has played it.
STANDS = """d.id NOT IN (SELECT deal_id FROM rulings WHERE coalesce(kind, '') NOT IN ('penalty', 'total')
    GROUP BY 1 HAVING max(id) = max(CASE WHEN kind IN ('annul', 'again') THEN id END))"""
GAME = f"(d.contract NOT IN ('none', 'misdeal') AND {STANDS})"
# A deal of an evening at the table that was taken back: it stays in the archive with its history, and counts nowhere.
# One of a file that a correction makes a misdeal was dealt again, and counts as that.
TAKEN_BACK = """(coalesce(d.contract, '') = 'misdeal'
    AND d.session_id IN (SELECT session_id FROM evenings WHERE session_id > 0)
    AND EXISTS (SELECT 1 FROM corrections c WHERE c.deal_id = d.id AND json_extract(c.after, '$.game') = 'misdeal'))"""
COUNTS = f"NOT {TAKEN_BACK}"
PAID = "s.amount"  # in force: as ruled, else as computed, else as written

# Rules by which the score of a game is kept, in marks or otherwise, and not in payments.
SCORED = "(SELECT id FROM rulesets WHERE coalesce(house ->> 'marks', house ->> 'score') IS NOT NULL)"


def unit_of(session: str = "e.unit", rules: str = "r") -> str:
    """Return the SQL of what amounts count, as `unit_of_amounts`, by the unit of a session and the row of its rules."""
    scored = f"CASE {rules}.unit WHEN 'ct' THEN 'marks' ELSE {rules}.unit END"
    return f"CASE WHEN {rules}.id IN {SCORED} THEN {scored} ELSE coalesce({session}, {rules}.unit) END"


def of_parties(parties: str) -> str:
    """Return the condition that the contract of a deal has these parties, by its rules."""
    return f"""EXISTS (SELECT 1 FROM contracts kp WHERE kp.ruleset_id = d.ruleset_id AND kp.contract = d.contract
        AND kp.parties = '{parties}')"""


def is_partner(seat: str = "s") -> str:
    """Return the condition that a seat is the declarer's partner: as recorded, or as the cards show; if neither tells,
    of the declarer's side because it was paid as the declarer was."""
    inferred = f"d.partner IS NULL AND {seat}.declaring = 1 AND {seat}.seat <> d.declarer"
    return f"({seat}.seat = d.partner OR ({inferred}))"


def plays(seat: str = "s") -> str:
    """Return the condition that a seat takes part in the deal: it has a place or a side, or, if the dealer and so the
    places are unknown, an amount, it declares or is partner, or the table has no more players than play. A player who
    sits out takes no part, whatever he pays."""
    most = "(SELECT CAST(h.house ->> 'seats' AS INTEGER) FROM rulesets h WHERE h.id = d.ruleset_id)"
    full = f"NOT EXISTS (SELECT 1 FROM seats o WHERE o.deal_id = d.id AND o.seat > coalesce({most}, 4))"
    return f"""({seat}.place IS NOT NULL OR {seat}.declaring IS NOT NULL
        OR (d.players IS NULL AND ({seat}.seat IN (coalesce(d.declarer, 0), coalesce(d.partner, 0))
            OR coalesce({seat}.amount <> 0 OR {full}, {full}))))"""


# Whether a seat declared, and whether it did so without a partner by the rules of the contract.
DECLARED = "d.declarer = s.seat"
ALONE = f"({DECLARED} AND {of_parties('alone')})"
# A deal that was played: its game is recorded, or only what it paid. In a list of sums, and in a row of noughts with
# which a sheet begins, nothing was played.
SOME_PAID = "EXISTS (SELECT 1 FROM seats o WHERE o.deal_id = d.id AND (o.amount IS NULL OR o.amount <> 0))"
IN_PLAY = f"""CASE WHEN d.contract IS NULL
    THEN NOT EXISTS (SELECT 1 FROM stated t WHERE t.deal_id = d.id AND t.of_list = 1) AND {SOME_PAID} AND {STANDS}
    ELSE {GAME} END"""
# A deal that somebody played: no player who sat out, and nobody in a deal that is thrown in, dealt again or annulled.
PLAYED_BY = f"({plays()} AND {IN_PLAY})"
# A deal in the account of somebody: played, or paid for all the same, as a fee is.
IN_ACCOUNT = f"({PLAYED_BY} OR {PAID} <> 0)"


def side_won(seat: str = "s") -> str:
    """Return the SQL of who won a deal: the declarer's side as settled, else by what the declarer, at a seat, was
    paid."""
    return f"coalesce(d.won, {seat}.won)"


SIDE_WON = side_won()
# The same where the seat of the declarer is not at hand.
DEAL_WON = "coalesce(d.won, (SELECT w.won FROM seats w WHERE w.deal_id = d.id AND w.seat = d.declarer))"
# The role of a seat in the deal. pair: of a side if nobody declares; alone: everybody plays alone.
ROLE = f"""CASE WHEN {DECLARED} THEN 'declarer' WHEN {is_partner()} THEN 'partner'
    WHEN s.declaring IS NOT NULL AND d.declarer IS NULL THEN 'pair' WHEN s.declaring = 0 THEN 'defence'
    WHEN {of_parties("each")} THEN 'alone' ELSE 'unknown' END"""
