"""The causes that would give a stated amount, for a page: the likeliest first, with how many others fit."""

from msgspec import Struct

from archive.explain.report import alike
from archive.explain.types import Change, Explained, Explanation
from archive.say import say
from archive.text.wording import Texts, cite_words

MOST_CAUSES = 5  # explanations that are shown; how many more fit is said


class Cause(Struct, frozen=True):
    """An explanation in words, and whether the amounts can never tell it from the first."""

    text: str
    cites: tuple[str, ...]
    alike: bool = False


class LikelyCauses(Struct, frozen=True):
    """The explanation of a deal: all of it in a sentence, the causes in order, how many `more` fit, and `arguments` why
    some cannot be told apart."""

    says: str
    causes: tuple[Cause, ...] = ()
    more: int = 0
    arguments: tuple[str, ...] = ()


def likely_causes(explained: Explained, t: Texts) -> LikelyCauses | None:
    """None where there is nothing to explain."""
    if explained.state in ("agrees", "undecidable", "unplayable"):
        return None
    first, *others = explained.explanations[:MOST_CAUSES] or [None]
    arguments = tuple(_argument(first, each, t) if first and each else "" for each in others)
    causes = [_cause(first, "", t)] if first else []
    causes += [_cause(each, argument, t) for each, argument in zip(others, arguments, strict=True) if each]
    texts = tuple(dict.fromkeys(filter(None, arguments)))
    return LikelyCauses(
        say(explained.message, t["lang"], explained.faces),
        tuple(causes),
        max(0, len(explained.explanations) - MOST_CAUSES),
        texts,
    )


def _argument(first: Explanation, other: Explanation, t: Texts) -> str:
    """Why the other explanation cannot be told from the first; empty where it can."""
    argument = alike(first, other)
    return say(argument, t["lang"]) if argument else ""


def _cause(each: Explanation, argument: str, t: Texts) -> Cause:
    cites = tuple(dict.fromkeys(cite_words(made.cite, t) for made in each.changes if made.cite))
    return Cause(_changes_text(each.changes, t), cites, bool(argument))


def _changes_text(changes: tuple[Change, ...], t: Texts) -> str:
    return " ".join(say(made.message, t["lang"], t["faces"]) for made in changes)
