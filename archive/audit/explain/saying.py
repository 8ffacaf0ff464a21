"""What an explanation says as a whole, in both languages."""

from collections.abc import Sequence

from archive.audit.explain.types import Explanation, Words
from archive.audit.german import reason_in_german
from archive.audit.types import Judgement
from archive.record.german import german

NOTHING_TO_EXPLAIN = Words(
    "Nothing has to be explained: what the record states is what the rules give.",
    "Nichts ist zu erklären: Was angeschrieben ist, stimmt mit den Regeln überein.",
)


def reason(found: Judgement) -> Words:
    """Why the verdict is what it is."""
    return Words(found.reason, reason_in_german(found.reason, found.findings, found.session.players))


def once_playable(why: Words) -> Words:
    """Why there is nothing yet to explain, and what helps."""
    return Words(
        f"{why.en} It is explained once the record can be played: `audit repair` looks for what mends it.",
        f"{why.de} Erklärt wird es, sobald es spielbar ist: `audit repair` sucht, was es heilt.",
    )


def lacking(found: Judgement) -> Words:
    """What the record does not say, so that there is nothing to hold the amounts against."""
    told = [german(each, found.session.players) for each in found.missing]
    en, de = ("; ".join(each) for each in (found.missing, told))
    return Words(f"The record does not say: {en}.", f"Der Anschrieb sagt nicht: {de}.")


def both(one: Words, other: Words) -> Words:
    """One after the other: of half a record what is surely wrong, then what it lacks."""
    return Words(f"{one.en} {other.en}", f"{one.de} {other.de}")


def found_out(explanations: Sequence[Explanation], tried: int, whole: bool) -> Words:
    """The likeliest, and how many others fit; or that none does, of how many that were tried."""
    if not explanations and whole:
        return Words(
            f"None fits: none of {tried} changes and pairs of changes gives what is stated.",
            f"Keine passt: Keine von {tried} Änderungen und Paaren ergibt, was da steht.",
        )
    if not explanations:
        return Words(
            f"None fits of the {tried} changes and pairs of changes that there was time for.",
            f"Keine passt von {tried} Änderungen und Paaren, für die Zeit war.",
        )
    en, de = (" ".join(getattr(made.words, key) for made in explanations[0].changes) for key in ("en", "de"))
    others = len(explanations) - 1
    if not others:
        return Words(f"{en} Nothing else that was tried fits.", f"{de} Sonst passt nichts, was versucht wurde.")
    return Words(
        f"{en} {others} other {'cause fits' if others == 1 else 'causes fit'} as well.",
        f"{de} {others} {'andere Ursache passt' if others == 1 else 'andere Ursachen passen'} auch.",
    )
