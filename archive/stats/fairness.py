"""Whether cards lie as chance deals them: five tests of each group of hands, corrected for their number.

A group is hands of one pack and size, one of each deal: those dealt to a place at the table, in all files or in one; a
dealer's own; a recorder's own. Groups are chosen by their number of hands alone, before anything is known of their
cards.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from archive.cards import PACKS, codes
from archive.stats import probability

LEAST = 30  # hands of a group that is tested, at least
MOST_GROUPS = 2_000  # groups whose trials are cached: those on the pages of one archive
LEVEL = 0.05  # the highest probability that anything stands out although everything is fair


class Group(Struct, frozen=True, kw_only=True):
    """Hands that are tested together, and how often they had what. `key` is the number of the file or the player, 0 for
    all files; `place` counts from forehand (1), 0 for a person's own hand."""

    kind: str  # archive, source, dealer, recorder
    key: int = 0
    place: int = 0
    pack: int
    cards: int
    hands: int
    matadors: int
    free_suits: int
    seen: tuple[int, ...]  # how many hands have each card of the pack, in the order of its codes


class Trial(Struct, frozen=True, kw_only=True):
    """One test: what was observed and expected, in all hands of the group (`cards`: chi square and its degrees); the
    standard score that has the probability; the probability alone and corrected for all tests."""

    group: Group
    of: str  # lords, matadors, free_suits, cards, card
    observed: float
    expected: float
    score: float
    alone: float
    corrected: float = 1.0
    card: str = ""  # the one farthest from its expectation

    @property
    def stands_out(self) -> bool:
        return self.corrected <= LEVEL


class Trials(Struct, frozen=True):
    """All tests, in the order of the groups; `number` is the number of tests for which they are corrected."""

    trials: tuple[Trial, ...]
    number: int

    @property
    def standing_out(self) -> tuple[Trial, ...]:
        """Return those too far out for chance, farthest first."""
        return tuple(sorted((trial for trial in self.trials if trial.stands_out), key=lambda each: each.corrected))


OF = ("lords", "matadors", "free_suits", "cards", "card")


def run_trials(groups: Iterable[Group], besides: int = 0) -> Trials:
    """Return the tests of every group; `besides` is how many groups are tested elsewhere, from which these were
    picked."""
    trials = [trial for group in groups for trial in trials_of_group(group)]
    more = besides * len(OF)
    corrected = probability.holm([trial.alone for trial in trials], more)
    results = (replace(each, corrected=value) for each, value in zip(trials, corrected, strict=True))
    return Trials(tuple(results), len(trials) + more)


@lru_cache(MOST_GROUPS)
def trials_of_group(group: Group) -> tuple[Trial, ...]:
    """Return the five tests of a group, not corrected yet."""
    pack, cards = group.pack, group.cards
    lords = sum(count for code, count in zip(codes(PACKS[pack]), group.seen, strict=True) if code[1] in "OU")
    return (
        _sum(group, "lords", probability.lords(pack, cards), lords),
        _sum(group, "matadors", probability.matadors(pack, cards), group.matadors),
        _sum(group, "free_suits", probability.free_suits(pack, cards), group.free_suits),
        _cards(group),
        _card(group),
    )


def _sum(group: Group, of: str, pmf: probability.Pmf, total: int) -> Trial:
    expected = group.hands * probability.moments(pmf)[0]
    alone = probability.two_sided(pmf, group.hands, total)
    return Trial(group=group, of=of, observed=total, expected=expected, score=_score(alone, total - expected),
                alone=alone)  # fmt: skip


def _cards(group: Group) -> Trial:
    """Return the test of all cards together: too uneven for chance, or too even."""
    value, degrees = probability.unevenness(group.seen, group.hands, group.cards), group.pack - 1
    alone = min(1.0, 2 * min(probability.chi_square_tails(value, degrees)))
    return Trial(group=group, of="cards", observed=value, expected=degrees, score=_score(alone, value - degrees),
                alone=alone)  # fmt: skip


def _card(group: Group) -> Trial:
    """Return the test of the card farthest from its expectation, counted as one of so many."""
    pmf, expected = probability.one_card(group.pack, group.cards), group.hands * group.cards / group.pack
    ends = [(probability.two_sided(pmf, group.hands, count), count) for count in {min(group.seen), max(group.seen)}]
    alone, count = min(ends, key=lambda each: (each[0], each[1]))
    alone = min(1.0, group.pack * alone)
    card = codes(PACKS[group.pack])[group.seen.index(count)]
    return Trial(group=group, of="card", observed=count, expected=expected, score=_score(alone, count - expected),
                alone=alone, card=card)  # fmt: skip


def _score(alone: float, above: float) -> float:
    return probability.as_score(alone) * (-1 if above < 0 else 1)


def score_limit(number: int) -> float:
    """Return the standard score at which a test stands out, whatever the others say."""
    return probability.as_score(LEVEL / max(number, 1))


def hands_needed(pack: int, cards: int, shares: Sequence[float], number: int) -> list[int]:
    """Return, for each share, how many hands it takes until so many more Obers and Unters than chance deals stand out
    in four of five cases."""
    return [probability.sample_needed(probability.lords(pack, cards), share, number) for share in shares]
