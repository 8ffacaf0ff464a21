"""Exact chance: against enumeration, against closed forms, and against shuffled packs."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb, exp, factorial, fsum, isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.cards import PACKS, codes
from archive.stats import probability

CHAIN = ("EO", "GO", "HO", "SO", "EU", "GU", "HU", "SU")
COUNTED = {
    "lords": lambda hand: sum(card[1] in "OU" for card in hand),
    "matadors": lambda hand: next((n for n, card in enumerate(CHAIN) if card not in hand), 8),
    "free_suits": lambda hand: sum(all(card[0] != suit or card[1] in "OU" for card in hand) for suit in "EGS"),
    "one_card": lambda hand: int("EA" in hand),
}
PMFS = {name: getattr(probability, name)(32, 8) for name in COUNTED}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", COUNTED)
@pytest.mark.parametrize(("pack", "cards"), [(20, 5), (20, 10), (24, 4)])
def test_chances_of_a_hand_are_those_of_all_hands(name: str, pack: int, cards: int) -> None:
    found = Counter(map(COUNTED[name], combinations(codes(PACKS[pack]), cards)))
    every = comb(pack, cards)
    expected = [float(Fraction(found[n], every)) for n in range(max(found) + 1)]
    assert getattr(probability, name)(pack, cards) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("name", COUNTED)
def test_chances_add_up_for_every_table(name: str, pack: int, players: int) -> None:
    assert fsum(getattr(probability, name)(pack, pack // players)) == pytest.approx(1, abs=1e-12)


def test_mean_and_variance_of_lords_are_those_of_the_book() -> None:
    mean, variance = probability.moments(probability.lords(32, 8))
    assert (mean, variance) == pytest.approx((2, 8 * 0.25 * 0.75 * 24 / 31))


def test_short_sums_are_exact() -> None:
    pmf = probability.lords(20, 5)
    every = Counter()
    for hands in product(enumerate(pmf), repeat=3):
        every[sum(n for n, _ in hands)] += hands[0][1] * hands[1][1] * hands[2][1]
    for total in range(16):
        assert probability.above(pmf, 3, total) == pytest.approx(
            sum(p for n, p in every.items() if n >= total), abs=1e-12
        )
        assert probability.below(pmf, 3, total) == pytest.approx(
            sum(p for n, p in every.items() if n <= total), abs=1e-12
        )


@pytest.mark.parametrize("name", PMFS)
@pytest.mark.parametrize("n", [33, 120])
def test_the_saddlepoint_keeps_its_relative_error_far_out(name: str, n: int) -> None:
    """Within a hundredth almost everywhere, within a tenth where next to nothing is left; where a normal curve is wrong
    by four tenths and more."""
    pmf = PMFS[name]
    exact = probability.sums(pmf, n)
    mean, variance = probability.moments(pmf)
    normal, many, near = [], 0, 0
    for total in range(len(exact)):
        truth = fsum(exact[total:])
        if 1e-9 < truth < 0.5:
            error = abs(probability.upper(pmf, n, total) / truth - 1)
            assert error < 0.1
            many, near = many + 1, near + (error < 0.01)
            normal.append(abs(probability.normal_above((total - 0.5 - n * mean) / sqrt(n * variance)) / truth - 1))
    assert near > 0.9 * many > 5
    assert max(normal) > 0.4


def test_tails_of_a_million_hands_are_found() -> None:
    pmf = probability.lords(32, 8)
    deviation = sqrt(10**6 * probability.moments(pmf)[1])
    assert probability.above(pmf, 10**6, 2 * 10**6 + round(3 * deviation)) == pytest.approx(0.00135, rel=0.01)
    assert probability.two_sided(pmf, 10**6, 2 * 10**6) == pytest.approx(1, abs=0.001)
    assert probability.above(pmf, 10**6, 8 * 10**6) == probability.below(pmf, 10**6, -1) == 0
    assert probability.below(pmf, 10**6, 8 * 10**6) == probability.above(pmf, 10**6, 0) == 1


@given(st.integers(1, 400), st.floats(0.01, 1500))
def test_chi_square_of_even_degrees_is_a_sum_of_poisson(half: int, value: float) -> None:
    terms, term = [], exp(-value / 2)
    for k in range(half):
        terms.append(term)
        term *= value / 2 / (k + 1)
    below, above = probability.chi_square_tails(value, 2 * half)
    assert above == pytest.approx(fsum(terms), abs=1e-10)
    assert below + above == pytest.approx(1)


# As printed in tables of the distribution.
@pytest.mark.parametrize(
    ("degrees", "value", "above"),
    [(1, 3.841, 0.05), (1, 10.828, 0.001), (5, 11.070, 0.05), (23, 35.172, 0.05), (31, 44.985, 0.05),
     (31, 61.098, 0.001), (31, 17.539, 0.975), (35, 49.802, 0.05)],
)  # fmt: skip
def test_chi_square_is_that_of_the_tables(degrees: int, value: float, above: float) -> None:
    assert probability.chi_square_tails(value, degrees)[1] == pytest.approx(above, rel=2e-3)


def test_far_tails_of_chi_square_do_not_vanish_in_rounding() -> None:
    terms = [exp(-500 + k * 6.214608098422191) / factorial(k) for k in range(15)]  # 500**k
    assert probability.chi_square_tails(1000, 30)[1] == pytest.approx(fsum(terms), rel=1e-9)
    assert probability.chi_square_tails(0, 31) == (0, 1)


def test_unevenness_has_its_degrees_as_mean_exactly() -> None:
    """Over all that can be dealt: three hands of two cards of six."""
    values = []
    for hands in product(combinations(range(6), 2), repeat=3):
        seen = Counter(card for hand in hands for card in hand)
        values.append(probability.unevenness([seen[card] for card in range(6)], 3, 2))
    assert fsum(values) / len(values) == pytest.approx(5)


def test_holm_corrects_step_by_step() -> None:
    assert probability.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert probability.holm([0.01, 0.04], besides=8) == pytest.approx([0.1, 0.36])
    assert probability.holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=20), st.integers(0, 50))
def test_a_corrected_probability_is_never_smaller_and_keeps_the_order(chances: list[float], besides: int) -> None:
    corrected = probability.holm(chances, besides)
    assert all(p <= c <= 1 for p, c in zip(chances, corrected, strict=True))
    assert [c for _, c in sorted(zip(chances, corrected, strict=True))] == sorted(corrected)


def test_a_score_is_that_of_a_normal_curve() -> None:
    assert probability.as_score(0.05) == pytest.approx(1.959963984540054)
    assert probability.as_score(1) == 0
    assert isclose(2 * probability.normal_above(probability.as_score(1e-12)), 1e-12, rel_tol=1e-3)
    assert probability.as_score(0) > 30


def test_hands_that_are_needed_grow_with_the_tests_and_with_the_square_of_what_is_sought() -> None:
    pmf = probability.lords(32, 8)
    assert probability.sample_needed(pmf, 0.1, 1) == 228
    assert probability.sample_needed(pmf, 0.05, 1) == pytest.approx(4 * 228, abs=4)
    assert probability.sample_needed(pmf, 0.1, 100) == 543
