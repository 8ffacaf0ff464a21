"""The kinds of slips in many deals, how often each was made, and who got too much by them."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from archive.explain.report import in_all_languages
from archive.explain.texts import offer_of
from archive.explain.types import Change, Explained, Kind
from archive.judge.set_right import what_sets_right
from archive.judge.types import Judgement, unit_of_deal
from archive.say import Message


class DealSlip(Struct, frozen=True):
    """A deal that differs, by its numbers in the archive, of its session and in it. `changes` are the likeliest
    explanation, none if nothing fits, and `others` is how many others fit too; `excess` is by player the stated amount
    above what is due (negative: below), of payments, or if these are right, of totals or marks; `unit` is that of those
    amounts, empty if nobody gives it; `faces` are those of the table's pack."""

    archive: int
    session: int
    number: int
    changes: tuple[Change, ...]
    others: int
    says: Message
    excess: dict[str, int]
    unit: str
    faces: str


class SlipKind(Struct, frozen=True):
    """A cause with the deals whose likeliest explanation has it; `example` is the sentence of the first of them, and
    `is_of_all` whether all of them have that sentence."""

    cause: str
    kind: Kind
    example: Message
    is_of_all: bool
    deals: tuple[DealSlip, ...]


def deal_slip(judgement: Judgement, explained: Explained, archive: int, session: int) -> DealSlip:
    """Return the slip of an explained deal that differs; `archive` and `session` are its numbers."""
    row = next(iter(what_sets_right(judgement)), None)
    names = judgement.session.players
    excess = {name: -off for name, off in zip(names, row.off if row else (), strict=False) if off}
    first = explained.explanations[0].changes if explained.explanations else ()
    says = offer_of(first) if first else explained.message
    others, unit = max(0, len(explained.explanations) - 1), unit_of_deal(judgement) or ""
    return DealSlip(archive, session, judgement.number, first, others, says, excess, unit, explained.faces)


def slip_kinds(slips: Sequence[DealSlip]) -> tuple[SlipKind, ...]:
    """Return the causes of some deals, the most frequent first."""
    found: dict[str, list[tuple[Change, DealSlip]]] = {}
    for slip in slips:
        for change in slip.changes:
            found.setdefault(change.cause, []).append((change, slip))
    kinds = (
        SlipKind(
            cause,
            each[0][0].kind,
            offer_of((each[0][0],)),
            len({change.message for change, _ in each}) == 1,
            tuple(slip for _, slip in each),
        )
        for cause, each in found.items()
    )
    return tuple(sorted(kinds, key=lambda kind: -len(kind.deals)))


def excess_by_player(slips: Iterable[DealSlip]) -> dict[tuple[str, str], tuple[int, int]]:
    """Return by player and unit the sum of what was too much (negative: too little), and in how many deals there was
    either; of each unit, the player with the largest excess comes first."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for slip in slips:
        for name, amount in slip.excess.items():
            had, deals = found.get((name, slip.unit), (0, 0))
            found[name, slip.unit] = (had + amount, deals + 1)
    return dict(sorted(found.items(), key=lambda each: (each[0][1], -each[1][0], each[0])))


def slips_report(slips: Sequence[DealSlip], deals: int) -> dict[str, Any]:
    """Return the slips of some sessions of so many `deals` as public JSON; keys are only added."""
    return {
        "deals": deals,
        "differ": len(slips),
        "explained": sum(1 for slip in slips if slip.changes),
        "kinds": [
            {
                "cause": kind.cause,
                "kind": kind.kind,
                "example": in_all_languages(kind.example, kind.deals[0].faces),
                "deals": [slip.archive for slip in kind.deals],
            }
            for kind in slip_kinds(slips)
        ],
        "players": [
            {"player": name, "too_much": amount, "unit": unit or None, "deals": count}
            for (name, unit), (amount, count) in excess_by_player(slips).items()
        ],
        "slips": [
            {
                "archive": slip.archive,
                "session": slip.session,
                "number": slip.number,
                "causes": [change.cause for change in slip.changes],
                "words": in_all_languages(slip.says, slip.faces),
                "others": slip.others,
                "too_much": slip.excess,
            }
            for slip in slips
        ],
    }
