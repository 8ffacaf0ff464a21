"""The causes that would give a stated amount, for a page: the likeliest first, with how many others fit."""

from collections.abc import Mapping

from msgspec import Struct

from archive.explain.report import alike
from archive.explain.texts import offer_of
from archive.explain.types import Explained
from archive.say import say
from archive.text.wording import Texts
from archive.web.citations import all_documents, citation_words
from archive.web.sentences import Sentence, to_sentence

MOST_CAUSES = 5  # explanations that are shown; the page says how many more fit


class Cause(Struct, frozen=True):
    """An explanation in words, and whether the amounts can never tell it from the first."""

    text: Sentence
    cites: tuple[str, ...]
    alike: bool = False


class LikelyCauses(Struct, frozen=True):
    """The explanation of a deal: the whole in a sentence, the causes in order, how many `more` fit, and `arguments` why
    some cannot be told apart."""

    says: Sentence
    causes: tuple[Cause, ...] = ()
    more: int = 0
    arguments: tuple[str, ...] = ()


def likely_causes(explained: Explained, t: Texts, people: Mapping[str, int] | None = None) -> LikelyCauses | None:
    """Return the likely causes; None if there is nothing to explain. `people` are the numbers of the players by their
    names."""
    if explained.state in ("agrees", "undecidable", "unplayable"):
        return None
    causes, arguments, documents = [], [], all_documents()
    for place, explanation in enumerate(explained.explanations[:MOST_CAUSES]):
        argument = alike(explained.explanations[0], explanation) if place else None  # why they cannot be told apart
        arguments += [say(argument, t["lang"])] if argument else []
        cites = (citation_words(change.cite, documents, t) for change in explanation.changes if change.cite)
        text = to_sentence(offer_of(explanation.changes), t, t["faces"], people)
        causes.append(Cause(text, tuple(dict.fromkeys(cites)), argument is not None))
    more = max(0, len(explained.explanations) - MOST_CAUSES)
    says = to_sentence(explained.message, t, explained.faces, people)
    return LikelyCauses(says, tuple(causes), more, tuple(dict.fromkeys(arguments)))
