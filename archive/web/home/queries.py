"""The queries of the front page."""

import sqlite3
from collections.abc import Iterator

from archive.web.queries import Facts, dict_rows

NEWEST = 2_000  # deals among which one is chosen
RULED = "EXISTS (SELECT 1 FROM rulings r WHERE r.deal_id = o.deal)"
SOUND = "o.verdict = 'agrees' AND o.basis = 'cards'"
# What makes a deal one to look at, and which is the first of its kind.
KINDS = (
    ("hm_dispute", f"o.verdict IN ('differs', 'unplayable') AND NOT {RULED}", "o.verdict"),
    ("hm_close", f"{SOUND} AND o.side_points BETWEEN 59 AND 62", "abs(2 * o.side_points - 121)"),
    ("hm_tout", f"{SOUND} AND o.tout = 1 AND o.won IS NOT NULL", "o.won"),
    ("hm_dear", f"{SOUND} AND o.price IS NOT NULL", "-abs(o.price)"),
)


def featured_rows(conn: sqlite3.Connection) -> Iterator[tuple[str, Facts]]:
    """Yield rows of `outcomes` of deals to look at, the first of each kind, with the `seat` of who declared (from 1),
    and the key of what each is shown for."""
    for why, condition, order in KINDS:
        sql = f"""SELECT o.*, d.declarer AS seat FROM outcomes o JOIN deals d ON d.id = o.deal
            WHERE o.deal > (SELECT max(id) FROM deals) - {NEWEST}
            AND {condition} ORDER BY {order}, o.deal DESC LIMIT 1"""
        for row in dict_rows(conn, sql):
            yield why, row
