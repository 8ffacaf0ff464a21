"""Why deals are incomplete: those that lack the same facts counted together, with where the first of them stands."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from archive.judge.sentences import faces_of
from archive.judge.types import Judgement
from archive.record import Finding, Source
from archive.say import Message


class Lack(Struct, frozen=True):
    """So many deals lack these facts; where the first of them stands, and in which faces of cards it is told."""

    n: int
    missing: tuple[Message, ...]
    source: Source | None
    faces: str


def lacks_of(judged: Iterable[Judgement | Finding]) -> tuple[Lack, ...]:
    """The facts that the incomplete ones of some deals lack, the most frequent first."""
    return add_up(
        Lack(1, each.missing, each.deal.source, faces_of(each))
        for each in judged
        if isinstance(each, Judgement) and each.verdict == "undecidable" and each.missing
    )


def add_up(lacks: Iterable[Lack]) -> tuple[Lack, ...]:
    """Equal lacks as one, the most frequent first; the first of each stays."""
    every: dict[tuple[str, ...], Lack] = {}
    for lack in lacks:
        ids = tuple(each.id for each in lack.missing)
        before = every.get(ids)
        every[ids] = replace(before, n=before.n + lack.n) if before else lack
    return tuple(sorted(every.values(), key=lambda lack: -lack.n))
