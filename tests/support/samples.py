"""The samples of the project: where they lie, and the deals of the valid ones, judged."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from click.testing import Result

from archive.cli.inputs import open_files
from archive.cli.unpack import is_skipped
from archive.judge import Judgement
from archive.judge.door import STEPS
from archive.judge.judge_stream import judge_stream
from archive.notation import read_toml, write_line
from archive.record import Deal, Session, Source
from support.paths import ROOT
from support.running import run

VALID, BROKEN = ROOT / "sample_games" / "valid", ROOT / "sample_games" / "broken"

ROWS = BROKEN / "rows"  # one file for each row of the rule catalogue, with deals that break it


def samples(folder: Path) -> list[Path]:
    """Return the samples of a folder; one that cannot be read lies in a folder of its own, so that its link stays a
    link."""
    return sorted(path for path in folder.iterdir() if not is_skipped(path.name) and path != ROWS)


def sample_of(rule: str) -> Path | None:
    return next((sample for sample in samples(BROKEN) if sample.stem == rule), None)


def imported(monkeypatch: pytest.MonkeyPatch, steps: list[Path], archive: Path) -> Result:
    """Import one folder after another into one archive; return what `schafkopf import` printed, which shows only
    between files."""
    for step in steps:
        monkeypatch.chdir(step)
        result = run("import", ".", "--db", archive)
    return result


@cache
def valid_deals() -> tuple[Judgement, ...]:
    files = [file for sample in samples(VALID) for file in open_files(sample, None)]
    found = [each for file in files for each in judge_stream(file.items())]
    return tuple(each for each in found if isinstance(each, Judgement))


def sample_lines() -> Iterator[bytes]:
    """Yield the records of each sample game in TOML, as lines; none with steps, which have no one order."""
    for path in sorted((ROOT / "sample_games").glob("*/*.toml")):
        head, lines = None, []
        for item in read_toml(path.read_bytes(), Source(path.name)):
            head = item if isinstance(item, Session) else head
            if isinstance(item, Deal) and head is not None:
                lines.append(write_line(head, item))
        data = b"\n".join(lines) + b"\n"
        if lines and STEPS not in data:
            yield data
