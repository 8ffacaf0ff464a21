"""The findings of a judgement in the reader's language, until each is said by `say_finding` where it is shown."""

from typing import overload

from msgspec.structs import replace

from archive.audit.types import Judgement
from archive.record import Finding
from archive.record.german import german
from archive.say import LANGUAGES

__all__ = ["LANGUAGES", "reason_in_german", "told_in"]


@overload
def told_in(found: Judgement, language: str) -> Judgement: ...
@overload
def told_in(found: Finding, language: str) -> Finding: ...
@overload
def told_in(found: Judgement | Finding, language: str) -> Judgement | Finding: ...
def told_in(found: Judgement | Finding, language: str) -> Judgement | Finding:
    """A judgement with its findings, or a finding that belongs to none, in `language`."""
    if isinstance(found, Finding):
        return replace(found, language=language)
    return replace(found, findings=tuple(replace(finding, language=language) for finding in found.findings))


def reason_in_german(reason: str, findings: tuple[Finding, ...] = (), names: tuple[str, ...] = ()) -> str:
    """The reason of a verdict as an archive keeps it in English: German where it is one of the usual phrases."""
    return german(reason, names)
