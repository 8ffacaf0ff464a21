"""Proofs of what is disputed, in sentences."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from archive.analysis.proofs import Proof
from archive.cards import faces_in
from archive.judge import Judgement
from archive.judge.sentences import faces_of
from archive.say import Message, message, say
from archive.text.analysis import paid_text, result_message


def proof_message(judgement: Judgement, proof: Proof, language: str) -> Message:
    """Return a proof in a sentence, with its line of play."""
    names = judgement.session.players
    facts = {"trick": proof.at[0], "player": names[proof.seat], "cards": " ".join(proof.order or proof.line)}
    if proof.order:
        return message("analysis.proof-claim-order", **facts)
    if proof.level is None:
        return message(f"analysis.proof-claim-{'right' if proof.holds else 'wrong'}", **facts)
    kind = "decided" if proof.is_decided else proof.kind
    paid = paid_text(judgement, proof.level.payments, language)
    return message(f"analysis.proof-{kind}", **facts, result=result_message(proof.level), amounts=paid)


def proof_messages(judgement: Judgement, found: Sequence[Proof], language: str) -> tuple[Message, ...]:
    """Return each proof in a sentence."""
    return tuple(proof_message(judgement, each, language) for each in found)


def proof_lines(judgement: Judgement, found: Sequence[Proof], width: int, language: str) -> Iterator[str]:
    """Yield each proof for the terminal, after an empty line, in lines of at most `width` characters."""
    faces = faces_in(faces_of(judgement), language)
    for sentence in proof_messages(judgement, found, language):
        yield from ("", *wrap(say(sentence, language, faces), width))
