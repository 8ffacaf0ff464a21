"""The queries of the page of findings."""

import sqlite3

from archive.stats.definitions import unit_of
from archive.web.queries import Facts, dict_rows
from archive.web.search.filters import Search
from archive.web.search.queries import FINDINGS, search_condition, search_rows

# Of a file that was taken back, only the deals count that another file has too.
KEPT = "(f.deal_id IS NOT NULL OR f.source_id NOT IN (SELECT id FROM sources WHERE withdrawn))"


def rule_counts(conn: sqlite3.Connection, search: Search) -> list[Facts]:
    """Return how many findings there are by `rule` and `severity`, and in how many `deals`; the most frequent first."""
    sql = f"""SELECT f.rule, f.severity, count(*) AS count, count(DISTINCT f.deal_id) AS deals FROM findings f
        WHERE {KEPT} AND {search_condition(search, FINDINGS)} GROUP BY f.rule, f.severity ORDER BY count DESC, f.rule"""
    return search_rows(conn, sql, search)


def finding_rows(conn: sqlite3.Connection, search: Search, limit: int, offset: int) -> list[Facts]:
    """Return findings that fit, those of files that gave no deal first, then by deal, the last imported first; each
    with its deal, `number`, `session`, `event`, `unit` and `faces`, and the `path` of its file."""
    both = f"{KEPT} AND {search_condition(search, FINDINGS)}"
    sql = f"SELECT count(*) AS count FROM findings f WHERE f.deal_id IS NULL AND {both}"
    (of_files,) = (row["count"] for row in search_rows(conn, sql, search))
    parts = (
        ("f.deal_id IS NULL", "f.id DESC", max(of_files - offset, 0), offset),
        ("f.deal_id IS NOT NULL", "f.deal_id DESC, f.id", limit, max(offset - of_files, 0)),
    )
    ids: list[Facts] = []
    for part, order, most, start in parts:
        sql = f"SELECT f.id FROM findings f WHERE {part} AND {both} ORDER BY {order} LIMIT :most OFFSET :at"
        ids += search_rows(conn, sql, search, most=min(most, limit - len(ids)), at=start)
    sql = f"""SELECT f.*, s.path, d.number, d.verdict, d.session_id AS session, e.event, e.date,
        coalesce(r.faces, 'german') AS faces, {unit_of()} AS unit
        FROM findings f JOIN sources s ON s.id = f.source_id LEFT JOIN deals d ON d.id = f.deal_id
        LEFT JOIN sessions e ON e.id = d.session_id LEFT JOIN rulesets r ON r.id = d.ruleset_id WHERE f.id = ?"""
    return [row for id in ids for row in dict_rows(conn, sql, (id["id"],))]
