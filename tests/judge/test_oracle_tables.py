"""The second opinion on games with cards on the table against the engine: legal deals, and deals with one slip."""

from collections.abc import Callable
from typing import Any

import pytest
from support import oracle_tables
from support.thorough import examples
from support.two_players import compare

OPINIONS: dict[str, tuple[str, Callable[..., Any], dict[str, Any]]] = {
    "vicars": ("vicars", oracle_tables.vicars, {}),
    "officers": ("officers", oracle_tables.officers, {}),
    "officers, half in hand": (
        "officers",
        oracle_tables.officers,
        {"stacks": 4, "contracts": ["officers", "officers-hearts", "wenz"], "knock": "dealer"},
    ),
    "jass": ("bodensee-jass", oracle_tables.jass, {}),
}


@pytest.mark.parametrize("name", OPINIONS)
def test_legal_deals_agree_and_a_slip_is_found_at_its_place(name: str) -> None:
    rules, opinion, house = OPINIONS[name]
    compared, slips = compare(rules, examples(80, 2000), opinion, house)
    assert slips > compared // 2
