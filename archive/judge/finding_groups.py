"""Mistakes with their consequences: the findings of deals, grouped for people by rule ids and facts, never by text; and
the number of deals that lack the same facts, with where the first of them stands."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from archive.judge.sentences import faces_of
from archive.judge.types import Judgement
from archive.record import Finding, Source
from archive.say import Message


class FindingGroup(NamedTuple):
    """A finding and its consequences, in order."""

    finding: Finding
    consequences: tuple[Finding, ...] = ()


def group_findings(findings: Iterable[Finding]) -> list[FindingGroup]:
    """Return every finding once, in the order of the first of its group; a cause moves up to the place of its earliest
    consequence. Only findings of the same deal belong together."""
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
    """Yield every finding in list order with its depth: 1 for a consequence, else 0."""
    for first, consequences in group_findings(findings):
        yield first, 0
        yield from ((each, 1) for each in consequences)


def root_of(root: list[int], n: int) -> int:
    """Return the first cause of the finding `n`."""
    while root[n] != n:
        n = root[n]
    return n


def is_consequence(finding: Finding, cause: Finding) -> bool:
    """Return whether `finding` follows from `cause`, both in one deal."""
    test = FOLLOWS.get(finding.rule, {}).get(cause.rule)
    return test is not None and test(finding, cause)


def same_trick(finding: Finding, cause: Finding) -> bool:
    return trick_of(finding) == trick_of(cause) > 0


def same_card(finding: Finding, cause: Finding) -> bool:
    """Return whether both are about one card, at one place of one trick."""
    return finding.at is not None and finding.at == cause.at and finding.facts.get("played") == cause.facts.get("card")


def have_changed_places(finding: Finding, cause: Finding) -> bool:
    """Return whether two cards of a trick were swapped: each player holds the card that the other played."""
    return (
        same_trick(finding, cause)
        and place_of(cause) < place_of(finding)
        and cause.facts.get("played") in cards_of(finding, "hand")
        and finding.facts.get("played") in cards_of(cause, "hand")
    )


def took_the_lead(finding: Finding, cause: Finding) -> bool:
    """Return whether the wrong card of the trick before was played by either of the players whose lead is in doubt."""
    after = 0 < trick_of(cause) == trick_of(finding) - 1
    return after and cause.facts.get("player") in (finding.facts.get("player"), finding.facts.get("expected"))


def same_duty(finding: Finding, cause: Finding) -> bool:
    """Return whether the player broke the same duty before, with the same card in hand."""
    return (
        0 < trick_of(cause) < trick_of(finding)
        and all(finding.facts.get(key) == cause.facts.get(key) is not None for key in ("player", "suit"))
        and bool(cards_of(finding, "allowed") & cards_of(cause, "allowed"))
    )


def trick_of(finding: Finding) -> int:
    """Return the trick of a finding; 0 if it has none."""
    trick = (finding.at or "").partition(".")[0]
    return int(trick) if trick.isdecimal() else 0


def place_of(finding: Finding) -> int:
    """Return the place of a finding in its trick; 0 if it has none."""
    place = (finding.at or "").partition(".")[2]
    return int(place) if place.isdecimal() else 0


def cards_of(finding: Finding, fact: str) -> frozenset[str]:
    """Return the cards of a fact; none if it is no list of cards."""
    cards = finding.facts.get(fact)
    return frozenset(cards.split()) if isinstance(cards, str) else frozenset()


# Which rule follows from which, and when.
FOLLOWS: Mapping[str, Mapping[str, Callable[[Finding, Finding], bool]]] = {
    "not-in-hand": {"card-twice": same_card, "wrong-leader": same_trick, "not-in-hand": have_changed_places},
    "wrong-leader": {"not-in-hand": took_the_lead},
    "must-follow": {"must-follow": same_duty},
}
CAUSES = frozenset(cause for causes in FOLLOWS.values() for cause in causes)


class Lack(Struct, frozen=True):
    """The number of deals that lack these facts, where the first of them stands, and the faces of its cards."""

    n: int
    missing: tuple[Message, ...]
    source: Source | None
    faces: str


def lacks_of(judged: Iterable[Judgement | Finding]) -> tuple[Lack, ...]:
    """Return what the incomplete deals lack, the most frequent first."""
    return add_up(
        Lack(1, each.missing, each.deal.source, faces_of(each))
        for each in judged
        if isinstance(each, Judgement) and each.verdict == "undecidable" and each.missing
    )


def add_up(lacks: Iterable[Lack]) -> tuple[Lack, ...]:
    """Return equal lacks as one, with the source of the first, the most frequent first."""
    every: dict[tuple[str, ...], Lack] = {}
    for lack in lacks:
        ids = tuple(each.id for each in lack.missing)
        before = every.get(ids)
        every[ids] = replace(before, n=before.n + lack.n) if before else lack
    return tuple(sorted(every.values(), key=lambda lack: -lack.n))
