"""Chance, exactly: what shuffled packs give, and how far from it a count may lie.

Hands of different deals are independent, so a sum over one hand of each deal is a sum of `n` variables of one
distribution. Its tails are summed exactly where they are short, else computed by the saddlepoint of Lugannani and Rice,
corrected for whole numbers: it keeps its relative error far out, where a normal curve is wrong by a factor and where a
correction for many tests looks.

    pmf = lords(32, 8)                  # the probabilities of 0, 1, 2 … in one hand
    above(pmf, 400, 871)                # P(sum >= 871)
    holm([0.001, 0.2, 0.04])            # probabilities corrected for three tests
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil, comb, erfc, exp, expm1, fsum, lgamma, log, pi, sqrt
from statistics import NormalDist

LORDS = 8  # Obers and Unters
PLAIN = 3  # suits besides hearts
EXACT = 256  # largest possible sum whose tails are summed
NEAR = 0.1  # standard deviations: nearer to the mean the saddlepoint divides by nothing
CLOSE = 1e-10  # relative change at which a search ends
TOP = 40.0  # the slope of every sum but the largest lies below it
ROUNDS = 500  # of a search or a series
SMALL = 1e-15  # a smaller probability is a rounding error
TINY = 1e-300

Pmf = tuple[float, ...]  # the probabilities of 0, 1, 2 …


# --- one hand ---------------------------------------------------------------------------------------------------------


@lru_cache
def lords(pack: int, cards: int) -> Pmf:
    """Return the distribution of Obers and Unters in a hand of so many cards."""
    hands = comb(pack, cards)
    return trim(comb(LORDS, n) * comb(pack - LORDS, cards - n) / hands for n in range(min(LORDS, cards) + 1))


@lru_cache
def matadors(pack: int, cards: int) -> Pmf:
    """Return the distribution of matadors, the highest cards without a gap, in a hand."""
    hands, most = comb(pack, cards), min(LORDS, cards)
    with_top = [comb(pack - n, cards - n) for n in range(most + 1)]
    return trim((here - after) / hands for here, after in zip(with_top, [*with_top[1:], 0], strict=True))


@lru_cache
def free_suits(pack: int, cards: int) -> Pmf:
    """Return the distribution of the suits besides hearts in which a hand has no card but Ober and Unter."""
    suit, hands = pack // 4 - 2, comb(pack, cards)
    without = [comb(PLAIN, n) * comb(pack - n * suit, cards) for n in range(PLAIN + 1)]
    return trim(
        sum((-1) ** (more - n) * comb(more, n) * without[more] for more in range(n, PLAIN + 1)) / hands
        for n in range(PLAIN + 1)
    )


@lru_cache
def one_card(pack: int, cards: int) -> Pmf:
    """Return the distribution of any one card in a hand."""
    return 1 - cards / pack, cards / pack


def trim(chances: Iterable[float]) -> Pmf:
    """Return probabilities without the impossible numbers at the end."""
    kept = list(chances)
    while not kept[-1]:
        kept.pop()
    return tuple(kept)


@lru_cache
def moments(pmf: Pmf) -> tuple[float, float]:
    """Return the mean and the variance."""
    mean = fsum(n * p for n, p in enumerate(pmf))
    return mean, fsum((n - mean) ** 2 * p for n, p in enumerate(pmf))


# --- sums over hands --------------------------------------------------------------------------------------------------


def two_sided(pmf: Pmf, n: int, total: int) -> float:
    """Return the probability by chance of a sum at least as far out on either side: twice the tail on its side of the
    mean."""
    mean, _ = moments(pmf)
    return min(1.0, 2 * (above(pmf, n, total) if total > n * mean else below(pmf, n, total)))


def above(pmf: Pmf, n: int, total: int) -> float:
    """Return P(sum >= total) of `n` variables."""
    if n * (len(pmf) - 1) <= EXACT:
        return min(1.0, fsum(sums(pmf, n)[total:]))
    return upper(pmf, n, total)


def below(pmf: Pmf, n: int, total: int) -> float:
    """Return P(sum <= total) of `n` variables."""
    return above(pmf[::-1], n, n * (len(pmf) - 1) - total)


@lru_cache
def sums(pmf: Pmf, n: int) -> Pmf:
    """Return the distribution of the sum of `n` variables, by doubling."""
    if n == 1:
        return pmf
    half = sums(pmf, n // 2)
    double = convolve(half, half)
    return convolve(double, pmf) if n % 2 else double


def convolve(one: Pmf, other: Pmf) -> Pmf:
    products = [0.0] * (len(one) + len(other) - 1)
    for i, p in enumerate(one):
        for j, q in enumerate(other):
            products[i + j] += p * q
    return tuple(products)


def upper(pmf: Pmf, n: int, total: int) -> float:
    """Return P(sum >= total), by the saddlepoint."""
    most = n * (len(pmf) - 1)
    mean, variance = moments(pmf)
    out = (total - n * mean) / sqrt(n * variance)
    if total <= 0 or total > most:
        return float(total <= 0)
    if total == most:
        return pmf[-1] ** n
    if abs(out) < NEAR:
        return normal_above((total - 0.5 - n * mean) / sqrt(n * variance))
    if out < 0:
        return 1 - upper(pmf[::-1], n, most - total + 1)
    t, level, bend = saddle(pmf, total / n)
    w, u = sqrt(2 * (t * total - n * level)), -expm1(-t) * sqrt(n * bend)
    return normal_above(w) + exp(-w * w / 2) / sqrt(2 * pi) * (1 / u - 1 / w)


def saddle(pmf: Pmf, slope: float) -> tuple[float, float, float]:
    """Return the point at which the cumulant generating function has a slope, its value and its second derivative
    there. Newton steps, halved back into the interval that is known to hold the point."""
    low, high, t = -TOP, TOP, 0.0
    for _ in range(ROUNDS):
        weights = [p * exp(t * n) for n, p in enumerate(pmf)]
        whole = fsum(weights)
        mean = fsum(n * w for n, w in enumerate(weights)) / whole
        bend = fsum((n - mean) ** 2 * w for n, w in enumerate(weights)) / whole
        low, high = (t, high) if mean < slope else (low, t)
        after = t + (slope - mean) / bend if bend > SMALL else (low + high) / 2
        if not low < after < high:
            after = (low + high) / 2
        if abs(after - t) <= CLOSE * max(1.0, abs(t)):
            break
        t = after
    return t, log(whole), bend


def normal_above(z: float) -> float:
    """Return P(Z >= z)."""
    return erfc(z / sqrt(2)) / 2


# --- all cards at once ------------------------------------------------------------------------------------------------


def unevenness(counts: Sequence[int], n: int, cards: int) -> float:
    """Return how unevenly the cards of a pack lay in `n` hands: chi square with one degree less than there are cards. A
    hand never has a card twice, so that the cards of one hand depend on each other; the factor in front accounts for
    that."""
    pack = len(counts)
    p = cards / pack
    return (pack - 1) / pack * fsum((count - n * p) ** 2 for count in counts) / (n * p * (1 - p))


def chi_square_tails(value: float, degrees: int) -> tuple[float, float]:
    """Return P(X <= value) and P(X >= value): the regularized incomplete gamma functions, by a series below the mean
    and a continued fraction above it."""
    a, x = degrees / 2, value / 2
    if x <= 0:
        return 0.0, 1.0
    front = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for k in range(1, ROUNDS):
            term *= x / (a + k)
            total += term
            if term < total * SMALL:
                break
        less = min(1.0, front * total)
        return less, 1 - less
    more = min(1.0, front * _fraction(a, x))
    return 1 - more, more


def _fraction(a: float, x: float) -> float:
    """Return 1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- …))) by Lentz's method."""
    b = x + 1 - a
    c, d = 1 / TINY, 1 / b
    fraction = d
    for k in range(1, ROUNDS):
        b += 2
        numerator = k * (a - k)
        d = 1 / (numerator * d + b or TINY)
        c = b + numerator / c or TINY
        fraction *= c * d
        if abs(c * d - 1) < SMALL:
            break
    return fraction


# --- many tests -------------------------------------------------------------------------------------------------------


def holm(chances: Sequence[float], besides: int = 0) -> list[float]:
    """Return probabilities corrected for many tests (Holm), however these depend on each other: if all are fair, the
    probability that any of them is below 0.05 is at most 0.05. `besides` is how many more tests are made elsewhere."""
    many, before = len(chances) + besides, 0.0
    corrected = [0.0] * len(chances)
    for rank, at in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        before = max(before, min(1.0, (many - rank) * chances[at]))
        corrected[at] = before
    return corrected


def as_score(chance: float) -> float:
    """Return the standard score, without its sign, that has a two-sided probability."""
    return -NormalDist().inv_cdf(max(chance, TINY) / 2) if chance < 1 else 0.0


LEVEL, SEEN = 0.05, 0.8  # the probability of a false alarm, and that of detecting a real deviation


def sample_needed(pmf: Pmf, more: float, tests: int) -> int:
    """Return the number of hands in which a mean that is `more` (a share, 0.1 for a tenth) above chance stands out
    among so many tests, with the probability SEEN."""
    mean, variance = moments(pmf)
    reach = as_score(LEVEL / max(tests, 1)) + NormalDist().inv_cdf(SEEN)
    return ceil(variance * (reach / (more * mean)) ** 2)
