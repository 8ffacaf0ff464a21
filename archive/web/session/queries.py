"""The queries of the pages of sessions: the list, the neighbours of a session, its seats, its totals."""

import sqlite3
from collections.abc import Mapping, Sequence

from archive.settle.types import sum_if_known
from archive.stats.definitions import COUNTS, DECLARED, PLAYED_BY, SCORED, STANDS, unit_of
from archive.store.load import first_break, session_verdicts
from archive.store.stored_messages import StoredVerdict, stored_verdict
from archive.store.views import TOTAL_OPEN
from archive.web.queries import Facts, dict_rows, rows_by
from archive.web.search.filters import holds_words

HAS_DEALS = "EXISTS (SELECT 1 FROM deals WHERE session_id = e.id)"  # of a file taken back there are none

LAST = "(SELECT id FROM deals WHERE session_id = :session ORDER BY coalesce(position, id) DESC LIMIT 1)"
LEFT = f"""UNION ALL SELECT {{}}, d.id, p.id, NULL, a.value ->> 1 FROM deals d, json_each(d.state_after, '$.{{}}') a
    JOIN players p ON p.name = a.value ->> 0 WHERE d.id = {LAST}"""


# What the list is asked for: words of the event and the place; the first and the last day, or the beginning of one.
ASKED = {
    "event": "holds(:event, coalesce(e.event, '') || ' ' || coalesce(e.place, ''))",
    "since": "e.date >= :since",
    "until": "substr(e.date, 1, length(:until)) <= :until",
}


def find_sessions(
    conn: sqlite3.Connection, asked: Mapping[str, str], limit: int, start: int
) -> tuple[list[Facts], int]:
    """Return sessions with deals that fit what is `asked`, empty texts matching all, the newest first, and how many
    there are; each with its number of `deals`, their `verdicts`, the `house` that judged them, the first deal where the
    books `break`, and how it `ends`."""
    conn.create_function("holds", -1, holds_words, deterministic=True)
    where = " AND ".join((HAS_DEALS, *(sql for key, sql in ASKED.items() if asked[key])))
    values = {**asked, "limit": limit, "start": start}
    (total,) = conn.execute(f"SELECT count(*) FROM sessions e WHERE {where}", values).fetchone()
    sql = f"""SELECT e.id, e.event, e.date, e.place, e.table_name, e.list, e.rules FROM sessions e WHERE {where}
        ORDER BY e.date IS NULL, e.date DESC, e.id DESC LIMIT :limit OFFSET :start"""
    return [row | _session_facts(conn, row["id"]) for row in dict_rows(conn, sql, values)], int(total)


def _session_facts(conn: sqlite3.Connection, session: int) -> Facts:
    verdicts, broken = session_verdicts(conn, session), first_break(conn, session)
    sql = """SELECT r.name, r.title FROM deals d JOIN rulesets r ON r.id = d.ruleset_id WHERE d.session_id = ?
        ORDER BY d.id LIMIT 1"""
    house = conn.execute(sql, (session,)).fetchone()
    return {
        "ends": final_totals(conn, session),
        "deals": sum(verdicts.values()),
        "verdicts": verdicts,
        "break": (broken["deal"], broken["number"]) if broken else None,
        "house": tuple(house) if house else None,
    }


def tariffs_of_session(conn: sqlite3.Connection, session: int) -> list[str | None]:
    """Return the tariffs by which the deals of a session were judged, None among them for rules without one."""
    sql = """SELECT DISTINCT r.house ->> 'tariff' FROM deals d LEFT JOIN rulesets r ON r.id = d.ruleset_id
        WHERE d.session_id = ?"""
    return [tariff for (tariff,) in conn.execute(sql, (session,))]


def final_totals(conn: sqlite3.Connection, session: int) -> list[Facts]:
    """Return the players at the last deal of a session and those who had left, with the `total` in force after it and
    its `unit`, those with most first; marks have none."""
    sql = f"""SELECT k.name, k.id, {unit_of()} AS unit, z.player,
            CASE WHEN coalesce(r.id, 0) NOT IN {SCORED} THEN z.total END AS total
        FROM (SELECT 0 AS part, id AS deal, player_id AS player, seat,
                coalesce(json_extract(state_after, '$.settled[' || (seat - 1) || ']'), total) AS total
            FROM deals JOIN seats ON deal_id = id WHERE id = {LAST}
            {LEFT.format(1, "away")} {LEFT.format(2, "settled_away")}) z
        JOIN players p ON p.id = z.player JOIN players k ON k.id = coalesce(p.alias_of, p.id)
        JOIN deals d ON d.id = z.deal JOIN sessions e ON e.id = d.session_id LEFT JOIN rulesets r ON r.id = d.ruleset_id
        ORDER BY z.part, z.seat"""
    known = {row.pop("player"): row for row in dict_rows(conn, sql, {"session": session})}
    of_people = rows_by(lambda row: int(row["id"]), list(known.values())).values()
    summed = [rows[0] | {"total": sum_if_known(tuple([row["total"] for row in rows]))} for rows in of_people]
    return sorted(summed, key=lambda row: (row["total"] is None, -(row["total"] or 0)))


def neighbour_sessions(conn: sqlite3.Connection, head: Facts) -> tuple[Facts | None, Facts | None]:
    """Return the sessions before and after one: of the same event, else of the same day; by day, then in the order in
    which they came in."""
    key = "event" if head["event"] is not None else "date"
    if head[key] is None:
        return None, None
    neighbours = []
    for sign, way in (("<", "DESC"), (">", "ASC")):
        sql = f"""SELECT e.id, e.event, e.date, e.table_name, e.list FROM sessions e WHERE e.{key} = ? AND {HAS_DEALS}
            AND (coalesce(e.date, ''), e.id) {sign} (?, ?) ORDER BY coalesce(e.date, '') {way}, e.id {way} LIMIT 1"""
        rows = dict_rows(conn, sql, (head[key], head["date"] or "", head["id"]))
        neighbours.append(next(iter(rows), None))
    return neighbours[0], neighbours[1]


def players_by_seat(conn: sqlite3.Connection, session: int) -> dict[int, dict[str, int]]:
    """Return the players of each seat, in order: names that are shown, with the number of the player."""
    sql = """SELECT s.seat, k.name, k.id FROM deals d JOIN seats s ON s.deal_id = d.id JOIN players p ON
        p.id = s.player_id JOIN players k ON k.id = coalesce(p.alias_of, p.id) WHERE d.session_id = ?
        GROUP BY s.seat, k.id ORDER BY s.seat, min(coalesce(d.position, d.id))"""
    by_seat: dict[int, dict[str, int]] = {}
    for seat, name, player in conn.execute(sql, (session,)):
        by_seat.setdefault(seat, {})[name] = player
    return by_seat


def total_rows(conn: sqlite3.Connection, session: int) -> list[Facts]:
    """Return the running totals of a session, a row a deal and seat in order: settled ones, else computed ones, else
    those that rest on an open deal or are stated (`said` then); marks, if the ruleset counts marks (`tallied`), with
    whether the deal `begins` a game; and the last ruling, if there is one. `known`: the deal has an amount."""
    sql = f"""SELECT d.id AS deal, d.number, s.seat, s.player_id AS own,
        coalesce(json_extract(d.state_after, '$.settled[' || (s.seat - 1) || ']'), s.total,
            json_extract(st.totals, '$[' || (s.seat - 1) || ']')) AS total,
        coalesce({TOTAL_OPEN}, 1) AS said, coalesce(s.amount, st.totals) IS NOT NULL AS known,
        s.marks_total AS marks, {unit_of()} AS unit,
        d.ruleset_id IN {SCORED} AS tallied,
        d.ruleset_id IN {SCORED} OR d.ruleset_id IN (SELECT id FROM rulesets WHERE house ->> 'substitute' = 'seat')
            AS by_seat,
        (SELECT coalesce(alias_of, id) FROM players WHERE id = s.player_id) AS player,
        coalesce(json_extract(d.state, '$.game_deals'), 0) = 0 AS begins,
        EXISTS (SELECT 1 FROM rulings WHERE deal_id = d.id) AS ruled
        FROM deals d JOIN seats s ON s.deal_id = d.id LEFT JOIN stated st ON st.deal_id = d.id
        JOIN sessions e ON e.id = d.session_id LEFT JOIN rulesets r ON r.id = d.ruleset_id
        WHERE d.session_id = ? AND {COUNTS} ORDER BY coalesce(d.position, d.id), s.seat"""
    return dict_rows(conn, sql, (session,))


def session_lines(conn: sqlite3.Connection, session: int) -> tuple[dict[int, dict[str, int]], list[Facts]]:
    """Return the players of each line of a session's totals, and the rows of `total_rows` by these lines: a line is a
    seat, or a person where players moved who keep their totals; who is not at the table has the last one, before
    coming none of it."""
    seats, rows = players_by_seat(conn, session), total_rows(conn, session)
    people = {player: name for sitting in seats.values() for name, player in sitting.items()}
    own = {row["own"] for row in rows}
    if len(own) == len(people) == sum(map(len, seats.values())) == len(seats) or any(row["by_seat"] for row in rows):
        return seats, rows
    ends: dict[int, dict[int, int | None]] = {key: {} for key in people}  # of a person under each of the names
    said, by_line = dict.fromkeys(people, 0), list[Facts]()
    for deal in rows_by(lambda row: int(row["deal"]), rows).values():
        away, here = {**deal[0], "known": 0, "marks": None}, {row["player"]: row for row in deal}
        for row in deal:
            ends[row["player"]][row["own"]], said[row["player"]] = row["total"], row["said"]
        for line, player in enumerate(people, 1):
            total = sum_if_known(tuple(ends[player].values()))
            by_line.append(away | here.get(player, {}) | {"seat": line, "total": total, "said": said[player]})
    return {line: {name: player} for line, (player, name) in enumerate(people.items(), 1)}, by_line


def deals_of_session(conn: sqlite3.Connection, session: int) -> list[int]:
    """Return the numbers in the archive of the deals of a session, in order, without those that were taken back."""
    sql = f"""SELECT d.id FROM deals d WHERE d.session_id = ? AND {COUNTS}
        ORDER BY coalesce(d.position, d.id)"""
    return [row[0] for row in conn.execute(sql, (session,))]


def uneven_deals(conn: sqlite3.Connection, session: int) -> list[int]:
    """Return the numbers of the deals whose amounts do not sum to zero with what went into a pot."""
    sql = f"""SELECT d.number FROM deals d JOIN seats s ON s.deal_id = d.id WHERE d.session_id = ? AND {COUNTS}
        GROUP BY d.id HAVING sum(s.amount) + coalesce(d.pot, 0) <> 0 ORDER BY coalesce(d.position, d.id)"""
    return [row[0] for row in conn.execute(sql, (session,))]


def has_unpaid_deal(conn: sqlite3.Connection, session: int) -> bool:
    """Return whether amounts and totals of a deal of a session are not known at all."""
    sql = f"""SELECT 1 FROM deals d JOIN seats s ON s.deal_id = d.id LEFT JOIN stated st ON st.deal_id = d.id
        WHERE d.session_id = ? AND {COUNTS} AND s.amount IS NULL AND st.totals IS NULL LIMIT 1"""
    return conn.execute(sql, (session,)).fetchone() is not None


def dearest_deal(conn: sqlite3.Connection, session: int) -> Facts | None:
    """Return the row of `outcomes` of the deal that cost most, none that is annulled, the first of several; None if no
    price is known."""
    sql = f"""SELECT * FROM outcomes WHERE deal IN (SELECT d.id FROM deals d WHERE d.session_id = ? AND {STANDS})
        AND coalesce(price, 0) <> 0 ORDER BY abs(price) DESC, deal LIMIT 1"""
    return next(iter(dict_rows(conn, sql, (session,))), None)


def stored_reasons(conn: sqlite3.Connection, deals: Sequence[int]) -> dict[int, StoredVerdict]:
    """Return the stored verdict of each of some deals."""
    stored = ((deal, stored_verdict(conn, deal)) for deal in deals)
    return {deal: verdict for deal, verdict in stored if verdict}


def seat_rows(conn: sqlite3.Connection, session: int) -> list[Facts]:
    """Return the seats of a session that took part in a deal, in order: the player, whether they declared and won."""
    sql = f"""SELECT d.id AS deal, d.number, k.name, {DECLARED} AS declared, s.won, d.schneider
        FROM deals d JOIN seats s ON s.deal_id = d.id JOIN players p ON p.id = s.player_id
        JOIN players k ON k.id = coalesce(p.alias_of, p.id)
        WHERE d.session_id = ? AND {COUNTS} AND {PLAYED_BY} ORDER BY coalesce(d.position, d.id), s.seat"""
    return dict_rows(conn, sql, (session,))


def hand_of_declarer(conn: sqlite3.Connection, deal: int) -> tuple[str, tuple[str, ...]] | None:
    """Return the declarer of a deal and the cards dealt to them; None if these are not known."""
    sql = """SELECT k.name, s.dealt FROM deals d JOIN seats s ON s.deal_id = d.id AND s.seat = d.declarer
        JOIN players p ON p.id = s.player_id JOIN players k ON k.id = coalesce(p.alias_of, p.id) WHERE d.id = ?"""
    row = conn.execute(sql, (deal,)).fetchone()
    return (row[0], tuple(row[1].split())) if row and row[1] else None


def hidden_players(conn: sqlite3.Connection) -> dict[str, int]:
    """Return the players whose names are hidden from strangers, by the names that are shown, with their numbers."""
    sql = """SELECT DISTINCT k.name, k.id FROM privacy r JOIN players p ON p.id = r.player_id
        JOIN players k ON k.id = coalesce(p.alias_of, p.id)"""
    return dict(conn.execute(sql).fetchall())
