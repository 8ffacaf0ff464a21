"""A judgement in the reader's language. Every sentence of it is made and kept in English; its German is made where it
is shown, so that what is stored and compared never depends on who reads it."""

from typing import overload

from msgspec.structs import replace

from archive.audit.types import Judgement
from archive.record import Finding, in_german
from archive.record.german import german

LANGUAGES = ("en", "de")
LACKS = "The record does not say: "


@overload
def told_in(found: Judgement, language: str) -> Judgement: ...
@overload
def told_in(found: Finding, language: str) -> Finding: ...
@overload
def told_in(found: Judgement | Finding, language: str) -> Judgement | Finding: ...
def told_in(found: Judgement | Finding, language: str) -> Judgement | Finding:
    """A judgement, or a finding that belongs to none, with its sentences in `language`: findings, reason, what is
    missing, the lines of the settlement. Names and cards stay as they are."""
    if language != "de":
        return found
    return in_german(found) if isinstance(found, Finding) else _judgement(found)


def _judgement(found: Judgement) -> Judgement:
    names, settled = found.session.players, found.settlement
    lines = tuple(replace(line, text=german(line.text, names)) for line in settled.lines) if settled else ()
    return replace(
        found,
        findings=tuple(in_german(each, names) for each in found.findings),
        reason=reason_in_german(found.reason, found.findings, names),
        missing=tuple(german(each, names) for each in found.missing),
        settlement=None if settled is None else replace(settled, lines=lines),
    )


def reason_in_german(reason: str, findings: tuple[Finding, ...] = (), names: tuple[str, ...] = ()) -> str:
    """The reason of a verdict: the sentence of the finding that decided it, where the findings are at hand; else as it
    reads."""
    said = next((each for each in findings if sentence(each.message) == reason), None)
    if said is not None:
        return sentence(in_german(said, names).message)
    return german(reason, names)


def sentence(message: str) -> str:
    """A message as it stands alone."""
    return f"{message[:1].upper()}{message[1:]}."
