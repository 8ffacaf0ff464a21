"""Rules and documents as a reader knows them: the title of a ruleset, the document that has a rule."""

from collections.abc import Mapping

from archive.rules import HERE, installed_rulesets, load
from archive.text.wording import Texts, rules_title

RULING = f"{HERE}: ruling"


def ruleset_name(name: str, t: Texts) -> str:
    """Return the title of a ruleset in the reader's language; its id if it is none that can be loaded."""
    ruleset = load(name)[0] if name in installed_rulesets() else None
    return rules_title(ruleset, t) if ruleset else name


def citation_words(cite: str, sources: Mapping[str, str], t: Texts) -> str:
    """Return in words where a rule stands: an agreement of the table, or the title of its document, of the `sources` by
    their numbers, and the heading in it."""
    if cite.startswith(HERE):
        return t["cite_ruled" if cite == RULING else "cite_agreed"]
    title = sources.get(document_of(cite))
    return f"{title}: {cite.partition(' ')[2]}".removesuffix(": ") if title else cite


def document_of(cite: str) -> str:
    """Return the number of the document that a citation begins with."""
    return cite.partition(" ")[0].rstrip(":")
