"""Why deals are incomplete: the number of deals that lack the same facts, and where the first of them stands."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from archive.judge.sentences import faces_of
from archive.judge.types import Judgement
from archive.record import Finding, Source
from archive.say import Message


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
