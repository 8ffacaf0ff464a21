"""The second opinion on games with cards on the table against the engine: legal deals, and deals with one slip."""

import pytest
from support import oracle_tables
from support.thorough import examples
from support.two_players import compare

OPINIONS = {"vicars": oracle_tables.vicars}


@pytest.mark.parametrize("rules", OPINIONS)
def test_legal_deals_agree_and_a_slip_is_found_at_its_place(rules: str) -> None:
    compared, slips = compare(rules, examples(200, 2000), OPINIONS[rules])
    assert slips > compared // 2
