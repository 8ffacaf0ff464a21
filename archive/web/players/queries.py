"""The queries of the pages of players: everything is added up in SQL, over one player's seats at most a few
times. Merged names are one player, by the number of the name that is shown."""

import sqlite3

from archive.web.queries import Facts, dict_rows

MINE = "s.player_id IN (SELECT id FROM players WHERE coalesce(alias_of, id) = ?)"
# As standings count: not who sat out and neither won nor paid.
AT_TABLE = "(s.place IS NOT NULL OR s.declaring IS NOT NULL OR d.players IS NULL OR s.amount <> 0)"
TALLIED = "d.ruleset_id IN (SELECT id FROM rulesets WHERE json_extract(house, '$.marks') IS NOT NULL)"
UNIT = "coalesce(e.unit, r.unit, '')"
JOINED = """FROM seats s JOIN deals d ON d.id = s.deal_id JOIN sessions e ON e.id = d.session_id
    LEFT JOIN rulesets r ON r.id = d.ruleset_id"""
ROLE = """CASE WHEN d.contract IN ('none', 'misdeal') THEN 'none' WHEN d.declarer = s.seat THEN 'declarer'
        WHEN s.declaring IS NOT NULL AND d.declarer IS NULL THEN 'pair' WHEN s.declaring = 1 THEN 'partner'
        WHEN s.declaring = 0 THEN 'against' WHEN d.declarer IS NULL AND d.contract IS NOT NULL THEN 'alone'
        ELSE 'unknown' END"""
MANY = 15_000  # deals whose marks the list of players adds up


def other_names(conn: sqlite3.Connection, player: int) -> list[str]:
    """The other names of a player."""
    return [row[0] for row in conn.execute("SELECT name FROM players WHERE alias_of = ? ORDER BY id", (player,))]


def constellation_rows(conn: sqlite3.Connection, player: int) -> list[Facts]:
    """How often a player sat in each constellation, and what came of it: one row for each `unit` (and whether marks are
    counted, `tallied`), `contract`, `role`, `seat`, `place` after forehand (1 for forehand), and result (`won`: 1, 0,
    None) that occurs, with its number of `deals`, of those with a computed amount, and the sums."""
    sql = f"""SELECT {UNIT} AS unit, {TALLIED} AS tallied, d.contract, {ROLE} AS role, s.seat, s.place, s.won,
        sum({AT_TABLE}) AS deals, count(s.amount) AS computed,
        coalesce(sum(s.amount), 0) AS balance
        {JOINED} WHERE {MINE} GROUP BY 1, 2, 3, 4, 5, 6, 7"""
    return dict_rows(conn, sql, (player,))


def running_rows(conn: sqlite3.Connection, player: int, most: int) -> list[Facts]:
    """The running result by unit, in the order of days, as far as it is known: `at` counts deals from 1, `total` is
    the sum of settled amounts; about so many rows a unit, the last among them."""
    sql = f"""WITH mine AS (SELECT {UNIT} AS unit, {TALLIED} AS tallied, e.date, coalesce(e.date, '') AS day,
            d.session_id AS session, d.id AS deal, s.amount {JOINED} WHERE {MINE}),
        summed AS (SELECT unit, tallied, date, deal, row_number() OVER w AS at, sum(amount) OVER w AS total,
            count(*) OVER (PARTITION BY unit, tallied) AS count FROM mine WHERE amount IS NOT NULL
            WINDOW w AS (PARTITION BY unit, tallied ORDER BY day, session, deal ROWS UNBOUNDED PRECEDING))
        SELECT * FROM summed WHERE at % ((count - 1) / ? + 1) = 0 OR at = count ORDER BY unit, tallied, at"""
    return dict_rows(conn, sql, (player, most))


def company_rows(conn: sqlite3.Connection, player: int) -> list[Facts]:
    """Who sat with a player where the sides are known: one row for each other player (`id`, `name`), whether they were
    on one side (`together`), and whether the player was of the declarer's (`declaring`); `known` results, `won` of
    them."""
    sql = f"""WITH met AS (SELECT o.player_id AS other, s.declaring = o.declaring AS together, s.declaring,
            count(*) AS deals, count(s.won) AS known, coalesce(sum(s.won), 0) AS won
            FROM seats s JOIN seats o ON o.deal_id = s.deal_id AND o.seat <> s.seat AND o.declaring IS NOT NULL
            WHERE {MINE} AND s.declaring IS NOT NULL GROUP BY 1, 2, 3)
        SELECT k.id, k.name, together, declaring, sum(deals) AS deals, sum(known) AS known, sum(won) AS won
        FROM met JOIN players p ON p.id = met.other JOIN players k ON k.id = coalesce(p.alias_of, p.id)
        GROUP BY k.id, together, declaring ORDER BY k.name, k.id"""
    return dict_rows(conn, sql, (player,))


def newest_deals(conn: sqlite3.Connection, player: int, limit: int) -> list[Facts]:
    """Rows of `outcomes`: the deals of a player that came in last."""
    sql = f"""SELECT * FROM outcomes WHERE deal IN (SELECT s.deal_id FROM seats s WHERE {MINE}
        ORDER BY s.deal_id DESC LIMIT ?) ORDER BY deal DESC"""
    return dict_rows(conn, sql, (player, limit))


def card_findings(conn: sqlite3.Connection, player: int, limit: int) -> tuple[list[Facts], int]:
    """Errors and warnings at cards that a player played, the last first, and how many there are in all; each with the
    `faces` of its table."""
    of = f"""FROM seats s JOIN findings f ON f.deal_id = s.deal_id AND f.severity <> 'note' AND f.moment LIKE '%.%'
        JOIN tricks t ON t.deal_id = s.deal_id AND t.trick = CAST(f.moment AS INTEGER)
        JOIN deals d ON d.id = s.deal_id JOIN seats l ON l.deal_id = s.deal_id AND l.seat = t.leader
        LEFT JOIN rulesets r ON r.id = d.ruleset_id
        WHERE {MINE} AND (l.place + CAST(substr(f.moment, instr(f.moment, '.') + 1) AS INTEGER) - 2) % d.players
            = s.place - 1"""
    (count,) = conn.execute(f"SELECT count(*) {of}", (player,)).fetchone()
    sql = f"""SELECT f.rule, f.severity, f.message, f.facts, f.moment, f.deal_id AS deal,
        coalesce(r.faces, 'german') AS faces {of} ORDER BY f.id DESC LIMIT ?"""
    return dict_rows(conn, sql, (player, limit)), int(count)


# --- the list ---------------------------------------------------------------------------------------------------------


def find_players(conn: sqlite3.Connection, word: str, by_name: bool, limit: int, start: int) -> tuple[list[Facts], int]:
    """Players whose name, or another name of them, holds a word: those with most `deals` first, or by name; and how
    many there are."""
    fits = (
        "k.id IN (SELECT coalesce(alias_of, id) FROM players WHERE instr(lower(name), lower(?)) > 0)" if word else "1"
    )
    values = (word,) if word else ()
    sql = f"SELECT count(*) FROM players k WHERE k.alias_of IS NULL AND {fits}"
    (total,) = conn.execute(sql, values).fetchone()
    order = "k.name, k.id" if by_name else "deals DESC, k.name, k.id"
    sql = f"""SELECT k.id, k.name, coalesce(sum(c.deals), 0) AS deals FROM players k
        JOIN players p ON coalesce(p.alias_of, p.id) = k.id
        LEFT JOIN (SELECT player, sum(deals) AS deals FROM role_facts GROUP BY player) c ON c.player = p.id
        WHERE {fits} GROUP BY k.id ORDER BY {order} LIMIT ? OFFSET ?"""
    return dict_rows(conn, sql, (*values, limit, start)), int(total)


def balances(conn: sqlite3.Connection, rows: list[Facts]) -> dict[int, list[Facts]]:
    """The amounts in force of players of the list, by unit, marks by themselves; none of anybody where the marks of
    too many deals had to be added up: the page of each player has them."""
    players = [row["id"] for row in rows]
    marks = ", ".join("?" * len(players))
    mine = f"SELECT id FROM players WHERE coalesce(alias_of, id) IN ({marks})"
    sql = f"""SELECT coalesce(p.alias_of, p.id) AS id, coalesce(f.unit, '') AS unit, sum(f.settled) AS known,
        sum(f.balance) AS settled FROM result_facts f JOIN players p ON p.id = f.player
        WHERE f.player IN ({mine}) GROUP BY 1, 2"""
    counted = {(row["id"], row["unit"]): row | {"tallied": 0} for row in dict_rows(conn, sql, players)}
    tallied: list[Facts] = []
    (deals,) = conn.execute(f"SELECT count(*) FROM deals d WHERE {TALLIED}").fetchone()
    if deals > MANY:
        return {}
    if deals:
        sql = f"""SELECT coalesce(p.alias_of, p.id) AS id, {UNIT} AS unit, 1 AS tallied, count(s.amount) AS known,
            coalesce(sum(s.amount), 0) AS settled {JOINED} JOIN players p ON p.id = s.player_id
            WHERE {TALLIED} AND s.player_id IN ({mine}) GROUP BY 1, 2"""
        tallied = dict_rows(conn, sql, players)
    for row in tallied:  # which the facts hold as amounts of the unit
        if both := counted.get((row["id"], row["unit"])):
            both["known"] -= row["known"]
            both["settled"] -= row["settled"]
    by_player: dict[int, list[Facts]] = {player: [] for player in players}
    for row in sorted([*counted.values(), *tallied], key=lambda each: (-each["known"], each["unit"])):
        by_player[row["id"]].append(row)
    return by_player
