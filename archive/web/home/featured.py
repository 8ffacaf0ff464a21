"""A deal for the front page, chosen among the newest ones: the closest, a Tout, or the dearest."""

import sqlite3

from msgspec import Struct

from archive.cards import is_known
from archive.notation.corrections import apply_corrections
from archive.store import load_deal
from archive.text.deal_row import DealRow, deal_row
from archive.text.wording import Texts, shown_faces
from archive.web.home.queries import featured_rows


class FeaturedDeal(Struct, frozen=True):
    """A deal with the reason why it is shown, and the declarer's hand as it was dealt."""

    why: str
    row: DealRow
    faces: str
    hand: tuple[str, ...]


def featured_deal(conn: sqlite3.Connection, t: Texts) -> FeaturedDeal | None:
    """Return the first deal, of the first kind that has one, whose hand is known; None if there is none."""
    for why, row in featured_rows(conn):
        loaded, seat = load_deal(conn, row["deal"]), row["seat"]
        if loaded is None or seat is None:
            continue
        head, recorded, _ = loaded
        dealt = apply_corrections(head, recorded)[0].hands
        hand = tuple(dealt[seat - 1] or ()) if dealt else ()
        if hand and all(is_known(card) for card in hand):
            return FeaturedDeal(t[why], deal_row(row, t), shown_faces(row["faces"], t), hand)
    return None
