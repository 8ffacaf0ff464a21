"""A fault of the core is told as one: wherever deals are judged over integers, some are judged in words as well."""

from pathlib import Path
from typing import Any

from click.testing import CliRunner
from support.bulk_samples import evening  # noqa: F401

from archive.cli import main


def check(path: Path, *words: str) -> Any:
    return CliRunner().invoke(main, ["check", str(path), *words])
