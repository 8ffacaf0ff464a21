"""The tests of the page about chance: quiet where cards are shuffled, and awake where they are not."""

from collections import defaultdict
from collections.abc import Iterable
from random import Random

import pytest
from support.fair_archives import Deals, generator, groups_of_deals, help_seat, sixty_people, table_of_four
from support.paths import ROOT
from support.shuffled import LORDS, PACK, Hands, dealt, extra_lord, never_to, unshuffled
from support.thorough import THOROUGH

from archive.stats import probability
from archive.stats.fairness import LEAST, LEVEL, OF, Group, hands_needed, run_trials, score_limit, trials_of_group
from archive.stats.fairness_counts import MOST
from archive.stats.probability import lords, sample_needed

CHAIN = ("EO", "GO", "HO", "SO", "EU", "GU", "HU", "SU")
SUIT = {card: "EGS".find(card[0]) if card not in LORDS and card[0] != "H" else -1 for card in PACK}
AT = {card: at for at, card in enumerate(PACK)}


def groups_of(deals: Iterable[tuple[int, Hands]]) -> list[Group]:
    """The groups of an archive of four players of whom the first writes."""
    found: dict[tuple[str, int, int], list[list[str]]] = defaultdict(list)
    for dealer, hands in deals:
        for seat, hand in enumerate(hands):
            found["source", 1, (seat - dealer - 1) % 4 + 1].append(hand)
        found["dealer", dealer, 0].append(hands[dealer])
        found["recorder", 0, 0].append(hands[0])
    return [group(*key, mine) for key, mine in found.items()]


def group(kind: str, key: int, place: int, hands: list[list[str]]) -> Group:
    seen, chain, free = [0] * 32, 0, 0
    for hand in hands:
        for card in hand:
            seen[AT[card]] += 1
        free += 3 - len({SUIT[card] for card in hand} - {-1})
        chain += next(n for n, card in enumerate((*CHAIN, "")) if card not in hand)
    return Group(kind=kind, key=key, place=place, pack=32, cards=8, hands=len(hands), matadors=chain, free_suits=free,
                 seen=tuple(seen))  # fmt: skip


def test_each_test_alone_keeps_its_level() -> None:
    rng, below = Random(7), dict.fromkeys(OF, 0)
    for _ in range(1000):
        hands = [hands[0] for _, hands in dealt(rng, 30)]
        for each in trials_of_group(group("dealer", 1, 0, hands)):
            below[each.of] += each.alone <= 0.05
    assert all(5 < count <= 70 for count in below.values()), below  # 50 are expected; 70 is three deviations more


def test_an_extra_lord_in_every_tenth_deal_is_found_with_the_hands_that_the_page_says() -> None:
    """In four of five cases at least, among 130 tests."""
    hands, found = sample_needed(lords(32, 8), 0.05, 130), 0
    assert hands_needed(32, 8, (0.05,), 130) == [hands] == [2241]
    for seed in range(12):
        mine = [hands[1] for dealer, hands in dealt(Random(seed), 4 * hands, extra_lord(1, 10)) if dealer == 1]
        out = run_trials([group("dealer", 1, 0, mine)], besides=25).standing_out
        found += "lords" in {each.of for each in out if each.score > 0}
    assert found >= 8  # fewer of twelve has a probability of one in fifty where it is four of five


def test_a_card_that_never_comes_is_named() -> None:
    found = run_trials(groups_of(dealt(Random(3), 200, never_to(0, "HA")))).standing_out
    assert ("recorder", "HA", 0) in {(each.group.kind, each.card, each.observed) for each in found}


def test_cards_that_were_hardly_shuffled_leave_suits_missing() -> None:
    found = run_trials(groups_of(dealt(Random(4), 1500, unshuffled(1.0)))).standing_out
    assert {each.of for each in found if each.score > 0} >= {"free_suits"}


def test_hands_that_are_too_even_stand_out_too() -> None:
    even = Group(
        kind="source", key=1, place=1, pack=32, cards=8, hands=400, matadors=128, free_suits=178, seen=(100,) * 32
    )
    found = run_trials([even]).standing_out
    assert [each.of for each in found] == ["cards"]
    assert found[0].score < 0


def test_tests_that_were_not_picked_count_as_well() -> None:
    groups = groups_of(dealt(Random(5), 120, extra_lord(0, 2)))
    alone, among = run_trials(groups), run_trials(groups, besides=1000)
    assert (alone.number, among.number) == (len(groups) * 5, len(groups) * 5 + 5000)
    assert all(one.corrected <= other.corrected for one, other in zip(alone.trials, among.trials, strict=True))
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
