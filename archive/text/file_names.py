"""Files by name alone, for pages that others read: their folders are nobody else's business."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from msgspec.structs import replace

from archive.judge.types import Judgement
from archive.record import Finding, Source
from archive.say import Fact, Message

NAMED = ("other", "path")  # facts of findings that name a file


def file_name(path: str) -> str:
    """Return the name of a file, whatever system its path is written for."""
    return PurePosixPath(path.replace("\\", "/")).name


def file_place(path: str, line: int | None) -> str:
    """Return a place in a file, such as `evening.toml:12`; the file alone if the line is unknown."""
    return f"{file_name(path)}:{line}" if line else file_name(path)


def without_folders(judgement: Judgement) -> Judgement:
    """Return a judgement that names its file, and those of its findings, without their folders."""
    return replace(
        judgement,
        deal=replace(judgement.deal, source=_without_folder(judgement.deal.source)),
        findings=tuple(finding_without_folders(finding) for finding in judgement.findings),
    )


def finding_without_folders(finding: Finding) -> Finding:
    """Return a finding that names its file, and any other file in it, without their folders."""

    def facts_of(facts: Mapping[str, Fact]) -> dict[str, Fact]:
        return {key: fact_of(fact) if key in NAMED else fact for key, fact in facts.items()}

    def fact_of(fact: Fact) -> Fact:
        if isinstance(fact, Message):
            return Message(fact.id, facts_of(fact.facts))
        return file_name(fact) if isinstance(fact, str) else fact

    return replace(finding, source=_without_folder(finding.source), facts=facts_of(finding.facts))


def _without_folder(source: Source | None) -> Source | None:
    return None if source is None else replace(source, path=file_name(source.path))
