"""Proofs of what is disputed, in sentences."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from archive.analysis.proofs import Proof
from archive.cards import faces_in
from archive.judge import Judgement
from archive.judge.sentences import faces_of
from archive.say import Message, message, say
from archive.text.analysis import result_message
from archive.text.deal import amounts_text


def proof_message(judgement: Judgement, proof: Proof) -> Message:
    """A proof in a sentence, with its line of play."""
    names = judgement.session.players
    facts = {"trick": proof.at[0], "player": names[proof.seat], "cards": " ".join(proof.line)}
    if proof.level is None:
        return message(f"analysis.proof-claim-{'right' if proof.holds else 'wrong'}", **facts)
    kind = "decided" if proof.is_decided else proof.kind
    paid = amounts_text(names, proof.level.payments)
    return message(f"analysis.proof-{kind}", **facts, result=result_message(proof.level), amounts=paid)


def proof_messages(judgement: Judgement, found: Sequence[Proof]) -> tuple[Message, ...]:
    """Each proof in a sentence."""
    return tuple(proof_message(judgement, each) for each in found)


def proof_lines(judgement: Judgement, found: Sequence[Proof], width: int, language: str) -> Iterator[str]:
    """Each proof for the terminal, after an empty line, in lines of `width` characters at most."""
    faces = faces_in(faces_of(judgement), language)
    for sentence in proof_messages(judgement, found):
        yield from ("", *wrap(say(sentence, language, faces), width))
