"""The comparison of two answers on one deal: the fast one, and that of the replay that explains. If they differ, the
program is at fault, whatever the record states, and the deal says so."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from archive.judge.types import Judgement
from archive.record import Finding, finding
from archive.say import message
from archive.settle.types import Settlement

PROGRAM_FAULT = "program-fault"
AMOUNTS = ("payments", "price", "pot", "stake")  # named before all else
Difference = tuple[str, Any, Any]  # what differs, the core's value, the value of the replay that explains


def difference(fast: Judgement, words: Judgement) -> Difference | None:
    """Return the first difference between two judgements of a deal, or None if they are the same. Lines and steps are
    not compared, since the fast judgement has none."""
    return next(differences(fast, words), None)


def differences(fast: Judgement, words: Judgement) -> Iterator[Difference]:
    """Yield every difference: amounts first, then the outcome of the deal, the play, the ledger and the verdict."""
    one, other = fast.settlement, words.settlement
    if one is not None and other is not None:
        other = replace(other, lines=(), virgins=tuple(sorted(other.virgins)))
        one = replace(one, lines=(), virgins=tuple(sorted(one.virgins)))
    yield from differing_fields("settlement", one, other)
    if fast.replay is not words.replay:
        without = (each and replace(each, steps=()) for each in (fast.replay, words.replay))
        yield from differing_fields("replay", *without)
    yield from differing_fields("ledger", fast.after, words.after)
    if (fast.verdict, fast.findings) != (words.verdict, words.findings):
        yield "verdict", fast.verdict, words.verdict


def differing_fields(name: str, one: Any, other: Any) -> Iterator[Difference]:
    """Yield the fields in which two structs of a kind differ; the whole by its name if one of them is None."""
    if one == other:
        return
    if one is None or other is None:
        yield name, one is not None, other is not None
        return
    names = (*AMOUNTS, *one.__struct_fields__) if isinstance(one, Settlement) else one.__struct_fields__
    for field in dict.fromkeys(names):
        if getattr(one, field) != getattr(other, field):
            yield field, getattr(one, field), getattr(other, field)


def accuse_program(words: Judgement, other: Difference) -> Judgement:
    """Return the judgement of a deal on which the program contradicts itself: undecidable, with that finding first."""
    name, core, explained = other
    where, facts = words.deal.source, {"core": plain_text(core), "words": plain_text(explained)}
    return blame_program(words, finding(PROGRAM_FAULT, where, what=name, **facts))


def blame_program(words: Judgement, fault: Finding) -> Judgement:
    """Return the judgement of a deal with the finding that the program is at fault."""
    reason = message("judge.program-fault")
    return replace(words, verdict="undecidable", reason=reason, findings=(fault, *words.findings))


def plain_text(value: Any) -> str:
    """Return a value as readers see it: several with commas between them, a dash for None."""
    if isinstance(value, tuple | list):
        return ", ".join(map(plain_text, value))
    return "–" if value is None else str(value)
