"""Records of every version of the format are read for ever: `versions/N.jsonl` is as it was written, and `N.txt` says
what each deal of it is. A new version brings a file of its own, and those before stay."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from archive.notation import FORMAT
from archive.notation.identities import identity
from archive.notation.jsonl import read_lines
from archive.record import Deal, Finding, Session, Source

RECORDS = Path(__file__).parent / "versions"
VERSIONS = range(1, int(FORMAT.rpartition("/")[2]) + 1)


def test_each_version_of_the_format_has_records() -> None:
    assert {int(path.stem) for path in RECORDS.glob("*.jsonl")} == set(VERSIONS)


@pytest.mark.parametrize("version", VERSIONS)
def test_records_of_every_version_are_what_they_were(version: int) -> None:
    path = RECORDS / f"{version}.jsonl"
    assert list(identities(path)) == path.with_suffix(".txt").read_text("utf-8").split()


def identities(path: Path) -> Iterator[str]:
    """The identity of each deal of a file, and the rule of each finding."""
    session: Session | None = None
    for each in read_lines(path.read_bytes(), Source(path.name)):
        match each:
            case Session():
                session = each
            case Deal():
                assert session
                yield identity(session, each, each.no or 1)
            case Finding():
                yield each.rule
