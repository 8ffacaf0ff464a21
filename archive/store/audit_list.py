"""Stored verdicts: which deals have them, with the findings that a reader asks for."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from archive.stats.definitions import COUNTS, is_partner
from archive.store.stored_messages import stored_message
from archive.store.views import player_joins

BATCH = 1000  # rows that are fetched at a time
SEATS = {
    "declarer": "s_declarer.seat = d.declarer",
    "loser": "s_loser.seat = d.loser",
    "partner": is_partner("s_partner"),
}
SEAT = "LEFT JOIN seats s_{of} ON s_{of}.deal_id = d.id AND {fits} {joined}"


CONDITIONS = {  # by which deals are chosen
    "recorder": "e.recorder = :recorder",
    "table": "e.table_name = :table",
    "event": "e.event = :event",
    "source": "r.source_id = :source",
    "session": "d.session_id = :session",
    "player": """d.id IN (SELECT s.deal_id FROM seats s JOIN players p ON p.id = s.player_id
        WHERE coalesce(p.alias_of, p.id) = (SELECT coalesce(alias_of, id) FROM players WHERE name = :player))""",
    "verdict": "d.verdict = :verdict",
    "rule": "d.id IN (SELECT deal_id FROM findings WHERE rule = :rule)",
}


def where_sql(wanted: Mapping[str, object]) -> str:
    """Return the condition of the deals that are as `wanted`; None is any."""
    return " AND ".join(CONDITIONS[key] for key, value in wanted.items() if value is not None) or "1"


def audit_rows(
    conn: sqlite3.Connection, session: int | None, player: str | None, verdict: str | None, rule: str | None
) -> Iterator[dict[str, Any]]:
    """Yield the deals of a session, of a player under any name, with a verdict and with a finding of a rule, each with
    its stored verdict, session by session: what was at stake and how it was judged, whether any finding is more than a
    note (`bad`), and the `messages`, the findings of the rule asked for. Nothing is judged."""
    wanted = {"session": session, "player": player, "verdict": verdict, "rule": rule}
    joins = "\n".join(
        SEAT.format(of=of, fits=fits, joined=player_joins(f"s_{of}", of, "LEFT JOIN")) for of, fits in SEATS.items()
    )
    sql = f"""SELECT d.id AS deal, d.session_id AS session, d.number, e.event, e.place, e.date, f.path, d.contract,
        d.verdict, d.basis, d.reason, d.reason_facts, d.suit, d.tout, coalesce(r.faces, 'german') AS faces,
        coalesce(declarer.name, loser.name) AS declarer, partner.name AS partner,
        EXISTS (SELECT 1 FROM findings WHERE deal_id = d.id AND severity <> 'note') AS bad,
        CASE WHEN :rule IS NOT NULL THEN (SELECT json_group_array(json_array(message, facts)) FROM findings
            WHERE deal_id = d.id AND rule = :rule) END AS messages
        FROM deals d JOIN sessions e ON e.id = d.session_id JOIN sources f ON f.id = e.source_id
        LEFT JOIN rulesets r ON r.id = d.ruleset_id
        {joins}
        WHERE {where_sql(wanted)} AND {COUNTS} ORDER BY d.session_id, coalesce(d.position, d.id)"""
    cursor = conn.execute(sql, wanted)
    names = [column[0] for column in cursor.description]
    while rows := cursor.fetchmany(BATCH):
        for row in (dict(zip(names, values, strict=True)) for values in rows):
            of_rule = json.loads(row["messages"] or "[]")
            yield row | {
                "reason": stored_message(row["reason"], row["reason_facts"]) if row["reason"] else None,
                "messages": [stored_message(text, facts, f"findings.{rule}") for text, facts in of_rule],
            }


def deals_of(conn: sqlite3.Connection, wanted: Mapping[str, object]) -> list[tuple[int, int, bool]]:
    """Return the deals that are as `wanted`, session by session: number, session, and whether the deal differs."""
    rows = conn.execute(
        f"""SELECT d.id, d.session_id, d.verdict = 'differs' FROM deals d JOIN sessions e ON e.id = d.session_id
        JOIN records r ON r.id = d.id WHERE {where_sql(wanted)} ORDER BY d.session_id, coalesce(d.position, d.id)""",
        wanted,
    )
    return [(deal, session, bool(differs)) for deal, session, differs in rows]


def names_of(conn: sqlite3.Connection, column: str) -> list[str]:
    """Return the values of a column of `sessions`, such as those who wrote, the tables or the events."""
    return [row[0] for row in conn.execute(f"SELECT DISTINCT {column} FROM sessions WHERE {column} IS NOT NULL")]
