"""Two answers of one deal held against each other: the fast one, and that of the replay that explains. Where they are
not the same the program is at fault, whatever the record states, and the deal says so."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from archive.judge.types import Judgement
from archive.record import Finding, finding
from archive.say import message
from archive.settle.types import Settlement

PROGRAM_FAULT = "program-fault"
AMOUNTS = ("payments", "price", "pot", "stake")  # named before all else
Difference = tuple[str, Any, Any]  # what differs, as the core has it, as the replay that explains has it


def difference(fast: Judgement, words: Judgement) -> Difference | None:
    """The first thing of which two judgements of a deal say something else, None where they are the same. Lines and
    steps are not compared: the fast one has none."""
    return next(differences(fast, words), None)


def differences(fast: Judgement, words: Judgement) -> Iterator[Difference]:
    """Every such thing: amounts first, then how the deal came out, then the play, the ledger and the verdict."""
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
    """The fields of two structs of a kind that are not the same; the whole by its name where one of them is None."""
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
    """The judgement of a deal of which the program says two things: nothing of it is said to agree, and the finding
    stands first."""
    name, core, explained = other
    where, facts = words.deal.source, {"core": plain_text(core), "words": plain_text(explained)}
    return blame_program(words, finding(PROGRAM_FAULT, where, what=name, **facts))


def blame_program(words: Judgement, fault: Finding) -> Judgement:
    """The judgement of a deal with the finding that the program is at fault."""
    reason = message("judge.program-fault")
    return replace(words, verdict="undecidable", reason=reason, findings=(fault, *words.findings))


def plain_text(value: Any) -> str:
    """A value as it is told: several with commas between them, a dash where there is none."""
    if isinstance(value, tuple | list):
        return ", ".join(map(plain_text, value))
    return "–" if value is None else str(value)
