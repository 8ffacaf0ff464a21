"""The queries of the front page."""

import sqlite3
from collections.abc import Iterator

from archive.web.queries import Facts, dict_rows

NEWEST = 2_000  # deals from which one is chosen
RULED = "EXISTS (SELECT 1 FROM rulings r WHERE r.deal_id = o.deal)"
SOUND = "o.verdict = 'agrees' AND o.basis = 'cards'"
COUNTED = "o.won IS NOT NULL AND o.tout = 0"  # won or lost by card points
# What makes a deal worth a look, and which is the first of its kind.
KINDS = (
    ("hm_dispute", f"o.verdict IN ('differs', 'unplayable') AND NOT {RULED}", "o.verdict"),
    ("hm_close", f"{SOUND} AND {COUNTED} AND o.side_points BETWEEN 59 AND 62", "abs(2 * o.side_points - 121)"),
    ("hm_tout", f"{SOUND} AND o.tout = 1 AND o.won IS NOT NULL", "o.won"),
    ("hm_dear", f"{SOUND} AND o.price IS NOT NULL", "-abs(o.price)"),
)


def featured_rows(conn: sqlite3.Connection) -> Iterator[tuple[str, Facts]]:
    """Yield rows of `outcomes` of deals worth a look, the first of each kind, with the `seat` of the declarer (from 1),
    and the key of the reason why each is shown."""
    for why, condition, order in KINDS:
        sql = f"""SELECT o.*, d.declarer AS seat FROM outcomes o JOIN deals d ON d.id = o.deal
            WHERE o.deal > (SELECT max(id) FROM deals) - {NEWEST}
            AND {condition} ORDER BY {order}, o.deal DESC LIMIT 1"""
        for row in dict_rows(conn, sql):
            yield why, row
