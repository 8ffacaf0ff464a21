"""The tests of the page about chance: quiet where cards are shuffled, and awake where they are not."""

from collections.abc import Iterable
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec import Struct
from msgspec.structs import replace
from support.paths import ROOT
from support.shuffled import PACK, Hands, dealt, never_to, unshuffled
from support.thorough import THOROUGH

from archive.stats import probability
from archive.stats.fairness import LEAST, LEVEL, OF, Group, hands_needed, run_trials, score_limit, trials_of_group
from archive.stats.fairness_counts import MOST
from archive.stats.probability import lords, sample_needed

# --- archives of any size: hands by chance, counted with numpy --------------------------------------------------------

CHAIN = [PACK.index(card) for card in ("EO", "GO", "HO", "SO", "EU", "GU", "HU", "SU")]
PLAIN = [[at for at, card in enumerate(PACK) if card[0] == suit and card[1] not in "OU"] for suit in "EGS"]
SEATS, HAND, PEOPLE, SHORTEST, LONGEST = 4, 8, 60, 24, 48


class Deals(Struct, frozen=True):
    """Deals as arrays: the cards of each seat, the dealer, the players, and the writer (-1: nobody who plays)."""

    hands: Any  # deals, seats, cards
    dealer: Any  # the seat
    people: Any  # deals, seats
    recorder: int = -1


def generator(seed: int) -> Any:
    return np.random.default_rng(seed)


def shuffled_hands(rng: Any, count: int) -> Any:
    packs = np.tile(np.arange(len(PACK)), (count, 1))
    return rng.permuted(packs, axis=1).reshape(count, SEATS, HAND)


def table_of_four(rng: Any, count: int) -> Deals:
    people = np.tile(np.arange(SEATS), (count, 1))
    return Deals(shuffled_hands(rng, count), np.arange(count) % SEATS, people, recorder=0)


def sixty_people(rng: Any, count: int) -> Deals:
    dealer, people, at = np.empty(count, int), np.empty((count, SEATS), int), 0
    while at < count:
        stop = min(count, at + int(rng.integers(SHORTEST, LONGEST + 1)))
        dealer[at:stop] = (int(rng.integers(SEATS)) + np.arange(stop - at)) % SEATS
        people[at:stop] = rng.choice(PEOPLE, SEATS, replace=False)
        at = stop
    return Deals(shuffled_hands(rng, count), dealer, people)


def deals_of(dealt: Iterable[tuple[int, Hands]]) -> Deals:
    """The deals of four players of whom the first writes, as `support.shuffled` has them."""
    every = list(dealt)
    hands = np.array([[[PACK.index(card) for card in hand] for hand in hands] for _, hands in every])
    dealer, people = np.array([dealer for dealer, _ in every]), np.tile(np.arange(SEATS), (len(every), 1))
    return Deals(hands, dealer, people, recorder=0)


def help_seat(rng: Any, deals: Deals, giver: int, taker: int, every: int) -> Deals:
    """Give one seat a lord of somebody else's for a plain card, in every n-th deal of a dealer."""
    hands = deals.hands.copy()
    for at in np.flatnonzero(deals.dealer == giver)[::every]:
        lords = [
            (seat, n) for seat in range(SEATS) if seat != taker for n in range(HAND) if hands[at, seat, n] in CHAIN
        ]
        plain = [n for n in range(HAND) if hands[at, taker, n] not in CHAIN]
        if lords and plain:
            (seat, n), mine = lords[rng.integers(len(lords))], plain[rng.integers(len(plain))]
            hands[at, seat, n], hands[at, taker, mine] = hands[at, taker, mine], hands[at, seat, n]
    return replace(deals, hands=hands)


def groups_of_deals(deals: Deals) -> list[Group]:
    """Return the groups of one file with these deals that are tested."""
    rows = np.arange(len(deals.hands))
    seen = np.zeros((len(rows), SEATS, len(PACK)), np.int8)
    np.put_along_axis(seen, deals.hands, 1, axis=2)
    chain = np.cumprod(seen[:, :, CHAIN], axis=2, dtype=np.int8).sum(axis=2, keepdims=True, dtype=np.int8)
    free = sum((~seen[:, :, suit].any(axis=2, keepdims=True)).astype(np.int8) for suit in PLAIN)
    facts = np.concatenate([np.ones_like(chain), chain, free, seen], axis=2)
    groups = []
    for place in range(1, SEATS + 1):
        groups += grouped("source", place, np.ones(len(rows), int), facts[rows, (deals.dealer + place) % SEATS])
    groups += grouped("dealer", 0, deals.people[rows, deals.dealer], facts[rows, deals.dealer])
    if deals.recorder >= 0:
        own = deals.people == deals.recorder
        groups += grouped("recorder", 0, deals.people[own], facts[own])
    return groups


def grouped(kind: str, place: int, keys: Any, facts: Any) -> list[Group]:
    order = np.argsort(keys, kind="stable")
    known, starts = np.unique(keys[order], return_index=True)
    sums = np.add.reduceat(facts[order], starts, axis=0, dtype=np.int64)
    return [
        Group(kind=kind, key=int(key), place=place, pack=len(PACK), cards=HAND, hands=int(hands),
              matadors=int(matadors), free_suits=int(free), seen=tuple(map(int, seen)))
        for key, (hands, matadors, free, *seen) in zip(known, sums, strict=True) if hands >= LEAST
    ]  # fmt: skip


# --- the tests --------------------------------------------------------------------------------------------------------


def test_each_test_alone_keeps_its_level() -> None:
    rng, below = generator(7), dict.fromkeys(OF, 0)
    for _ in range(250):
        dealers = [each for each in groups_of_deals(table_of_four(rng, 120)) if each.kind == "dealer"]
        for each in (trial for group in dealers for trial in trials_of_group(group)):
            below[each.of] += each.alone <= 0.05
    assert all(5 < count <= 70 for count in below.values()), below  # 50 are expected; 70 is three deviations more


def test_an_extra_lord_in_every_tenth_deal_is_found_with_the_hands_that_the_page_says() -> None:
    """In four of five cases at least, among 130 tests."""
    hands, found = sample_needed(lords(32, 8), 0.05, 130), 0
    assert hands_needed(32, 8, (0.05,), 130) == [hands] == [2241]
    for seed in range(12):
        deals = help_seat(generator(seed), table_of_four(generator(seed), 4 * hands), 1, 1, 10)
        (mine,) = [each for each in groups_of_deals(deals) if (each.kind, each.key) == ("dealer", 1)]
        out = run_trials([mine], besides=25).standing_out
        found += "lords" in {each.of for each in out if each.score > 0}
    assert found >= 8  # fewer of twelve has a probability of one in fifty where it is four of five


def test_a_card_that_never_comes_is_named() -> None:
    found = run_trials(groups_of_deals(deals_of(dealt(Random(3), 200, never_to(0, "HA"))))).standing_out
    assert ("recorder", "HA", 0) in {(each.group.kind, each.card, each.observed) for each in found}


def test_cards_that_were_hardly_shuffled_leave_suits_missing() -> None:
    found = run_trials(groups_of_deals(deals_of(dealt(Random(4), 1500, unshuffled(1.0))))).standing_out
    assert {each.of for each in found if each.score > 0} >= {"free_suits"}


def test_hands_that_are_too_even_stand_out_too() -> None:
    even = Group(
        kind="source", key=1, place=1, pack=32, cards=8, hands=400, matadors=128, free_suits=178, seen=(100,) * 32
    )
    found = run_trials([even]).standing_out
    assert [each.of for each in found] == ["cards"]
    assert found[0].score < 0


def test_tests_that_were_not_picked_count_as_well() -> None:
    groups = groups_of_deals(help_seat(generator(5), table_of_four(generator(5), 240), 0, 0, 1))
    alone, among = run_trials(groups), run_trials(groups, besides=1000)
    assert (alone.number, among.number) == (len(groups) * 5, len(groups) * 5 + 5000)
    assert all(one.corrected <= other.corrected for one, other in zip(alone.trials, among.trials, strict=True))
    assert min(each.corrected for each in alone.trials) < min(each.corrected for each in among.trials)
    assert score_limit(among.number) > score_limit(alone.number) > score_limit(1) == pytest.approx(1.96, abs=0.001)


def test_of_nothing_nothing_is_told() -> None:
    assert run_trials([]).trials == ()


def test_the_page_of_the_documentation_has_the_numbers_that_come_out() -> None:
    text = (ROOT / "docs" / "fairness.md").read_text("utf-8")
    shares = (0.1, 0.05, 0.02, 0.01)
    for share, among, single in zip(
        shares, hands_needed(32, 8, shares, 130), hands_needed(32, 8, shares, 1), strict=True
    ):
        assert f"| {share:.0%} | {20 * share:.1f} | {among} | {single} |".replace("%", " %") in text
    means = {
        "lords": probability.lords,
        "runners": probability.matadors,
        "missing": probability.free_suits,
        "one card": probability.one_card,
    }
    for name, pmf in means.items():
        assert f"| {probability.moments(pmf(32, 8))[0]:.3f} |" in text, name
    assert f"fewer than {LEAST} hands" in text
    assert f"at most {MOST['source']} groups of places and {MOST['dealer']} of players" in text
    assert f"cannot exceed {probability.EXACT}" in text


# --- the promise of the page, at every size ---------------------------------------------------------------------------


def stands_out(deals: Deals) -> bool:
    return bool(run_trials(groups_of_deals(deals)).standing_out)


FEW = [(240, 60, 7), (2_400, 20, 3), (20_000, 8, 2)]
MANY = [(240, 400, 29), (2_400, 300, 22), (20_000, 300, 22)]


@pytest.mark.parametrize(("deals", "archives", "most"), MANY if THOROUGH else FEW)
def test_of_clean_archives_few_stand_out_at_every_size(deals: int, archives: int, most: int) -> None:
    """More than `most` of so many has a probability below 0.03 where it is one in twenty."""
    assert LEVEL == 0.05
    found = sum(stands_out(sixty_people(generator(seed), deals)) for seed in range(archives))
    assert found <= most


def test_of_few_deals_of_four_at_most_one_archive_in_twenty_stands_out_and_some_do() -> None:
    assert 0 < sum(stands_out(table_of_four(generator(seed), 40)) for seed in range(300)) <= LEVEL * 300


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
