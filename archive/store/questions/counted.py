"""The facts that are counted once, as plain SQL that SQLite and DuckDB both read."""

from archive.store.questions.types import Facts

# Deals with a game that was played, with the names of their rules and unit.
PLAYED = """FROM deals d JOIN sessions e ON e.id = d.session_id LEFT JOIN rulesets r ON r.id = d.ruleset_id"""
GAME = "d.contract NOT IN ('none', 'misdeal')"
HOUSE = {"rules": "TEXT", "unit": "TEXT", "contract": "TEXT"}
OF_HOUSE = "r.name AS rules, coalesce(e.unit, r.unit) AS unit, d.contract AS contract"
PAID = "coalesce(s.payment, s.marks)"
DECLARER = "LEFT JOIN seats s ON s.deal_id = d.id AND s.seat = d.declarer"

FACTS = (
    Facts(
        name="contract_facts",
        says="Deals by what was played and how it ended.",
        by="block",
        keys=HOUSE
        | dict.fromkeys(("suit",), "TEXT")
        | dict.fromkeys(("tout", "won", "schneider", "schwarz"), "INTEGER"),
        sums=("deals", "settled", "paid"),
        sql=f"""SELECT {OF_HOUSE}, d.suit AS suit, d.tout AS tout, d.won AS won, d.schneider AS schneider,
            d.schwarz AS schwarz, count(*) AS deals, count({PAID}) AS settled, sum({PAID}) AS paid
            {PLAYED} {DECLARER} WHERE {GAME} AND {{where}}""",
    ),
    Facts(
        name="runner_facts",
        says="Deals by the runners of the declarer's side.",
        by="block",
        keys=HOUSE | dict.fromkeys(("runners", "runners_paid", "won"), "INTEGER"),
        sums=("deals", "settled", "paid", "amount"),
        sql=f"""SELECT {OF_HOUSE}, d.runners AS runners, d.runners_paid AS runners_paid, d.won AS won,
            count(*) AS deals, count({PAID}) AS settled, sum({PAID}) AS paid, sum(d.runners_amount) AS amount
            {PLAYED} {DECLARER} WHERE {GAME} AND d.runners IS NOT NULL AND {{where}}""",
    ),
    Facts(
        name="place_facts",
        says="Seats by their place from forehand on (1), and what the player was in the deal.",
        by="block",
        keys=HOUSE | dict.fromkeys(("players", "place", "role", "won"), "INTEGER") | {"role": "TEXT"},
        sums=("seats", "settled", "paid"),
        sql=f"""SELECT {OF_HOUSE}, d.players AS players, s.place AS place,
            CASE WHEN s.seat = d.declarer THEN 'declarer' WHEN s.seat = d.partner THEN 'partner'
                WHEN s.declaring = 0 THEN 'defence' ELSE 'alone' END AS role,
            s.won AS won, count(*) AS seats, count({PAID}) AS settled, sum({PAID}) AS paid
            {PLAYED} JOIN seats s ON s.deal_id = d.id WHERE {GAME} AND s.place IS NOT NULL AND {{where}}""",
    ),
    Facts(
        name="point_facts",
        says="Deals by the card points of the declarer's side.",
        by="block",
        keys=HOUSE | {"points": "INTEGER"},
        sums=("deals",),
        sql=f"""SELECT {OF_HOUSE}, d.side_points AS points, count(*) AS deals
            {PLAYED} WHERE {GAME} AND d.side_points IS NOT NULL AND {{where}}""",
    ),
    Facts(
        name="player_facts",
        says="What each player did in which contract, under each of the names.",
        by="player",
        keys=HOUSE | {"role": "TEXT", "won": "INTEGER"},
        sums=("deals", "settled", "paid"),
        sql=f"""SELECT {OF_HOUSE},
            CASE WHEN s.seat = d.declarer THEN 'declarer' WHEN s.seat = d.partner THEN 'partner'
                WHEN s.declaring = 0 THEN 'defence' ELSE 'alone' END AS role,
            s.won AS won, count(*) AS deals, count({PAID}) AS settled, sum({PAID}) AS paid
            {PLAYED} JOIN seats s ON s.deal_id = d.id WHERE {GAME} AND s.place IS NOT NULL AND {{where}}""",
    ),
)
BY_NAME = {facts.name: facts for facts in FACTS}
