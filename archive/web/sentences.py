"""Sentences as pages show them: cards drawn with the faces of the reader, people as links to their pages; rules and
documents as a reader knows them."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from archive.cards import rank_letter, spoken_name, suit_name
from archive.record import Finding, message_of
from archive.rules import HERE, installed_rulesets, load
from archive.say import Message, Piece, isolate, pieces, sentence_pieces
from archive.text.file_names import finding_without_folders
from archive.text.numbers import with_amounts
from archive.text.wording import Texts, rules_title, shown_faces

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


class SentencePart(Struct, frozen=True):
    """A part of a sentence: words; a `person` or a `deal` with its `number` in the archive; a `card` or `suit` by its
    `code`, with its name (`label`) and the `rank` on the faces."""

    text: str
    kind: str = ""
    number: int | None = None
    code: str = ""
    label: str = ""
    rank: str = ""


class Sentence(Struct, frozen=True):
    """A sentence in parts, and the pack with whose faces its cards are drawn. Templates show it with `macros.words`."""

    parts: tuple[SentencePart, ...]
    faces: str = "german"

    def __str__(self) -> str:
        return "".join(part.text for part in self.parts)

    @property
    def read_aloud(self) -> str:
        """Return the sentence with the names of its cards."""
        return "".join(part.label if part.kind == "card" else part.text for part in self.parts)


def to_sentence(
    what: Message | str,
    t: Texts,
    faces: str = "german",
    people: Mapping[str, int] | None = None,
    whole: bool = False,
    deals: Mapping[str, int] | None = None,
) -> Sentence:
    """Return a message in parts, on the faces that the reader chose, else on `faces`; `people` are the numbers of
    players by their names, `deals` those of deals by their titles in the message. A `whole` sentence has a capital and
    a full stop."""
    faces = shown_faces(faces, t)
    named = people or {}
    drawn = [
        replace(piece, kind="person") if piece.kind == "fact" and piece.text in named else piece
        for piece in pieces(what, t["lang"], faces)
    ]
    parts = sentence_pieces(drawn) if whole and what else drawn
    return Sentence(tuple(_part(part, faces, named, deals or {}) for part in parts), faces)


def worded_finding(
    finding: Finding, t: Texts, people: Mapping[str, int] | None = None, unit: str | None = None
) -> Sentence:
    """Return a finding as a sentence in parts, with files without their folders, and cents as euros if `unit` is
    theirs."""
    shown = finding_without_folders(finding)
    what = shown.text or with_amounts(message_of(shown), unit, t)
    return to_sentence(what, t, shown.faces, people, whole=True)


def _part(piece: Piece, faces: str, people: Mapping[str, int], deals: Mapping[str, int]) -> SentencePart:
    if piece.kind == "fact" and piece.text in deals:
        return SentencePart(piece.text, "deal", deals[piece.text])
    if piece.kind == "person":
        return SentencePart(piece.text, "person", people[piece.text])
    if piece.kind == "card" and "?" not in piece.code:
        rank = piece.text[1:] if faces != "german" else rank_letter(piece.code[1])
        return SentencePart(piece.text, "card", None, piece.code, spoken_name(piece.code, faces), rank)
    if piece.kind == "suit":
        return SentencePart(piece.text, "suit", None, piece.code, suit_name(piece.code, faces))
    return SentencePart(isolate(piece.text) if piece.kind == "fact" else piece.text)
