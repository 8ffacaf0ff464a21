"""The tests of the page about chance: quiet where cards are shuffled, and awake where they are not."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from shuffled import LORDS, PACK, Bend, Hands, dealt, extra_lord, never_to, unshuffled

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


def alarms(archives: int, deals: int, seed: int, bend: Bend | None = None) -> int:
    rng = Random(seed)
    return sum(bool(run_trials(groups_of(dealt(rng, deals, bend))).standing_out) for _ in range(archives))


@pytest.mark.parametrize(("archives", "deals"), [(600, 40), (150, 240)])
def test_of_fairly_shuffled_archives_at_most_one_in_twenty_stands_out(archives: int, deals: int) -> None:
    """The rate that the page states, over all its tests at once; the seed is fixed, and some do stand out."""
    assert 0 < alarms(archives, deals, seed=20) <= LEVEL * archives


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
    text = (Path(__file__).parents[1] / "docs" / "fairness.md").read_text("utf-8")
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
