"""Proofs of what is disputed, in sentences."""

from collections.abc import Sequence

from archive.analysis.proofs import Proof
from archive.judge import Judgement
from archive.say import Message, message
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
