"""One mistake and what follows from it: the findings of deals, grouped for people. By rule ids and facts, never by
text."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from archive.record import Finding, Source


class FindingGroup(NamedTuple):
    """A finding, and those that come of the same mistake, in their order."""

    finding: Finding
    consequences: tuple[Finding, ...] = ()


def group_findings(findings: Iterable[Finding]) -> list[FindingGroup]:
    """Every finding once, in the order of the first of its group; a consequence that comes before its cause leaves
    its place to it. Only findings of the same deal belong together."""
    every = list(findings)
    root = list(range(len(every)))
    of_deals: dict[Source | None, list[int]] = {}
    for n, each in enumerate(every):
        if each.rule in FOLLOWS or each.rule in CAUSES:
            of_deals.setdefault(each.source, []).append(n)
    for bound in of_deals.values():
        for n in bound:
            causes = (m for m in bound if root_of(root, m) != n and is_consequence(every[n], every[m]))
            root[n] = next(causes, n)
    heads = [root_of(root, n) for n in range(len(every))]
    consequences: dict[int, list[Finding]] = {}
    for n, head in enumerate(heads):
        if n != head:
            consequences.setdefault(head, []).append(every[n])
    return [FindingGroup(every[head], tuple(consequences.get(head, ()))) for head in dict.fromkeys(heads)]


def findings_with_depth(findings: Iterable[Finding]) -> Iterator[tuple[Finding, int]]:
    """Every finding as a list shows it, with its depth: 0, a consequence 1."""
    for first, consequences in group_findings(findings):
        yield first, 0
        yield from ((each, 1) for each in consequences)


def root_of(root: list[int], n: int) -> int:
    """The first cause of the finding `n`."""
    while root[n] != n:
        n = root[n]
    return n


def is_consequence(finding: Finding, cause: Finding) -> bool:
    """Whether `finding` comes of `cause`, both of one deal."""
    test = FOLLOWS.get(finding.rule, {}).get(cause.rule)
    return test is not None and test(finding, cause)


def same_trick(finding: Finding, cause: Finding) -> bool:
    """Whether both are of one trick."""
    return trick_of(finding) == trick_of(cause) > 0


def same_card(finding: Finding, cause: Finding) -> bool:
    """Whether both are of one card, at one place of one trick."""
    return finding.at is not None and finding.at == cause.at and finding.facts.get("played") == cause.facts.get("card")


def have_changed_places(finding: Finding, cause: Finding) -> bool:
    """Whether a later card of the trick lay in for the one before it: each player holds what the other played."""
    return (
        same_trick(finding, cause)
        and place_of(cause) < place_of(finding)
        and cause.facts.get("played") in cards_of(finding, "hand")
        and finding.facts.get("played") in cards_of(cause, "hand")
    )


def took_the_lead(finding: Finding, cause: Finding) -> bool:
    """Whether the wrong card, in the trick before, is of a player between whom the lead is in doubt."""
    after = 0 < trick_of(cause) == trick_of(finding) - 1
    return after and cause.facts.get("player") in (finding.facts.get("player"), finding.facts.get("expected"))


def same_duty(finding: Finding, cause: Finding) -> bool:
    """Whether the player broke the same duty before, with the same card in the hand."""
    return (
        0 < trick_of(cause) < trick_of(finding)
        and all(finding.facts.get(key) == cause.facts.get(key) is not None for key in ("player", "suit"))
        and bool(cards_of(finding, "allowed") & cards_of(cause, "allowed"))
    )


def trick_of(finding: Finding) -> int:
    """The trick of a finding; 0 where it is of none."""
    trick = (finding.at or "").partition(".")[0]
    return int(trick) if trick.isdecimal() else 0


def place_of(finding: Finding) -> int:
    """The place in its trick; 0 where it is of none."""
    place = (finding.at or "").partition(".")[2]
    return int(place) if place.isdecimal() else 0


def cards_of(finding: Finding, fact: str) -> frozenset[str]:
    """The cards of a fact; none where it is no list of cards."""
    cards = finding.facts.get(fact)
    return frozenset(cards.split()) if isinstance(cards, str) else frozenset()


# which rule follows from which, and when
FOLLOWS: Mapping[str, Mapping[str, Callable[[Finding, Finding], bool]]] = {
    "not-in-hand": {"card-twice": same_card, "wrong-leader": same_trick, "not-in-hand": have_changed_places},
    "wrong-leader": {"not-in-hand": took_the_lead},
    "must-follow": {"must-follow": same_duty},
}
CAUSES = frozenset(cause for causes in FOLLOWS.values() for cause in causes)
