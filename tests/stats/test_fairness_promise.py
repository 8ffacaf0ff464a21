"""The promise of the page about chance at every size: small runs of `benchmarks/fairness.py`, with fixed seeds."""

import pytest
from support.paths import ROOT
from support.thorough import THOROUGH

from archive.stats.fairness import LEVEL, run_trials

pytest.importorskip("numpy")

from support.fair_archives import Deals, generator, groups_of_deals, help_seat, sixty_people, table_of_four

RESULTS = ROOT / "benchmarks" / "results" / "fairness.md"


def stands_out(deals: Deals) -> bool:
    return bool(run_trials(groups_of_deals(deals)).standing_out)


FEW = [(240, 120, 11), (2_400, 60, 7), (20_000, 16, 4)]
MANY = [(240, 400, 29), (2_400, 300, 22), (20_000, 300, 22)]


@pytest.mark.parametrize(("deals", "archives", "most"), MANY if THOROUGH else FEW)
def test_of_clean_archives_few_stand_out_at_every_size(deals: int, archives: int, most: int) -> None:
    """More than `most` of so many has a probability below 0.03 where it is one in twenty."""
    assert LEVEL == 0.05
    found = sum(stands_out(sixty_people(generator(seed), deals)) for seed in range(archives))
    assert found <= most


def test_a_dealer_who_helps_himself_is_found_before_one_who_helps_a_friend() -> None:
    """As the page says: the friend's hands count among those of the places and of who writes, not by who dealt."""
    deals = table_of_four(generator(1), 2_400)
    helped = {taker: stands_out(help_seat(generator(2), deals, 1, taker, 4)) for taker in (1, 3)}
    assert helped == {1: True, 3: False}
    assert not stands_out(deals)


def test_groups_are_those_that_an_archive_has() -> None:
    groups = groups_of_deals(table_of_four(generator(3), 400))
    assert [(each.kind, each.place, each.hands) for each in groups] == [
        *(("source", place, 400) for place in range(1, 5)), *[("dealer", 0, 100)] * 4, ("recorder", 0, 400),
    ]  # fmt: skip
    assert all(sum(each.seen) == 8 * each.hands for each in groups)
