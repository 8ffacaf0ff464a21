"""Files by their names alone, for pages that others read: in which folders they lie is nobody else's business."""

from pathlib import PurePosixPath

from msgspec.structs import replace

from archive.judge.types import Judgement
from archive.record import Finding, Source


def file_name(path: str) -> str:
    """The name of a file, whatever system its path is written for."""
    return PurePosixPath(path.replace("\\", "/")).name


def file_place(path: str, line: int | None) -> str:
    """A place in a file, as `evening.toml:12`; the file alone where the line is not known."""
    return f"{file_name(path)}:{line}" if line else file_name(path)


def without_folders(judgement: Judgement) -> Judgement:
    """A judgement that names its file, and those of its findings, without their folders."""
    return replace(
        judgement,
        deal=replace(judgement.deal, source=_without_folder(judgement.deal.source)),
        findings=tuple(_finding_without_folder(finding) for finding in judgement.findings),
    )


def _finding_without_folder(each: Finding) -> Finding:
    return replace(each, source=_without_folder(each.source))


def _without_folder(source: Source | None) -> Source | None:
    return None if source is None else replace(source, path=file_name(source.path))
