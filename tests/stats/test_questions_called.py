"""What no sample shows of a called card: one that is gone before its suit is led, and a lead that nobody could read."""

import pytest
from support.store_samples import DEALS, HEAD, store

from archive.store import Database

FIRST, SECOND = '    "SU EO H7 HA",\n', '    "S9 S8 S7 SA",\n'


def row(db: Database) -> tuple[object, ...] | None:
    return db.execute("SELECT led_by, deals, found, stabbed FROM called_ace").fetchone()


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        (FIRST, SECOND, ("declarer", 1, 1, 1)),  # in the last trick
        ('    "SU EO H7 GA",\n', '    "G9 GK HA G8",\n', ("nobody", 1, 0, 0)),
        ('    "G8 G9 GZ GA",\n', SECOND, ("defence", 1, 1, 0)),
        ('    "G8 G9 GZ HA",\n', '    "GA SU EO H7",\n', ("defence", 1, 0, 0)),
        ('    "?? EO GZ HA",\n', SECOND, None),
    ],
)
def test_who_leads_the_suit_of_a_called_card(
    db: Database, first: str, second: str, found: tuple[object, ...] | None
) -> None:
    assert FIRST in DEALS[0]
    assert SECOND in DEALS[0]
    store(db, HEAD + DEALS[0].replace(FIRST, first).replace(SECOND, second))
    assert row(db) == found
