"""The evenings of an archive at which the same players were paid, to find out whether a score sheet is one of them."""

import sqlite3
from collections.abc import Iterator
from itertools import groupby

from archive.store.records import name_of_file

TOGETHER = 3  # players that two evenings must have in common, at least
SQL = """
SELECT d.session_id, src.path, d.id, d.contract, p.name,
    coalesce(json_extract(st.payments, '$[' || (s.seat - 1) || ']'), s.amount)
FROM deals d
JOIN sessions ses ON ses.id = d.session_id JOIN sources src ON src.id = ses.source_id
JOIN seats s ON s.deal_id = d.id JOIN players p ON p.id = s.player_id
LEFT JOIN stated st ON st.deal_id = d.id
WHERE hex(src.sha256) <> upper(?) AND d.session_id IN (
    SELECT e.session_id FROM players q JOIN seats x ON x.player_id = q.id JOIN deals e ON e.id = x.deal_id
    WHERE q.name IN ({}) GROUP BY e.session_id HAVING count(DISTINCT q.name) >= {})
ORDER BY d.session_id, coalesce(d.position, d.id), s.seat"""


# A session of an archive: its number, the file it was read from, and for each deal the contract and who was paid what,
# as written, else by the amount in force.
StoredEvening = tuple[int, str, tuple[tuple[str | None, dict[str, int]], ...]]


def stored_evenings(
    conn: sqlite3.Connection, players: tuple[str, ...], path: str, sha256: str | None
) -> Iterator[StoredEvening]:
    """Yield the sessions with at least three of these players, except those of the file itself in any state or
    download."""
    sql = SQL.format(", ".join("?" for _ in players), TOGETHER)
    rows = conn.execute(sql, (sha256 or "", *players))
    for (session, of_path), of_session in groupby(rows, key=lambda row: (row[0], row[1])):
        if name_of_file(of_path) == name_of_file(path):
            continue
        deals = [list(of_deal) for _, of_deal in groupby(of_session, key=lambda row: row[2])]
        paid = [(deal[0][3], {row[4]: row[5] for row in deal if row[5]}) for deal in deals]
        yield session, of_path, tuple(paid)
