"""A deal for the front page, of the newest ones: the closest, a Tout, or the dearest."""

import sqlite3

from msgspec import Struct

from archive.cards import is_known
from archive.store import load_judgement
from archive.text.deal_row import DealRow, deal_row
from archive.text.wording import Texts
from archive.web.queries import dict_rows

NEWEST = 2_000  # deals among which one is chosen
# What makes a deal one to look at, and which is the first of its kind.
KINDS = (
    ("hm_close", "o.side_points BETWEEN 59 AND 62", "abs(2 * o.side_points - 121)"),
    ("hm_tout", "o.tout = 1 AND o.won IS NOT NULL", "o.won"),
    ("hm_dear", "o.price IS NOT NULL", "-abs(o.price)"),
)


class FeaturedDeal(Struct, frozen=True):
    """A deal with what it is shown for, and the hand of who played it, as it was dealt."""

    why: str
    row: DealRow
    faces: str
    hand: tuple[str, ...]


def featured_deal(conn: sqlite3.Connection, t: Texts) -> FeaturedDeal | None:
    """The first deal of the first kind of which one is there with a known hand; None where there is none."""
    for why, condition, order in KINDS:
        sql = f"""SELECT o.* FROM outcomes o WHERE o.deal > (SELECT max(id) FROM deals) - {NEWEST}
            AND o.verdict = 'agrees' AND o.basis = 'cards' AND {condition} ORDER BY {order}, o.deal DESC LIMIT 1"""
        for row in dict_rows(conn, sql):
            judgement = load_judgement(conn, row["deal"])
            replay = judgement.replay if judgement else None
            if judgement is None or replay is None or replay.declarer is None:
                continue
            dealt = judgement.deal.hands
            hand = tuple(dealt[replay.declarer] or ()) if dealt else ()
            if hand and all(is_known(card) for card in hand):
                return FeaturedDeal(t[why], deal_row(row, t), t["chosen"] or row["faces"], hand)
    return None
