"""Options of the tests, and what several of them start from."""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from sqlite_utils import Database
from store_samples import store

from archive.store import open_archive, open_read

pytest_plugins = ("web_site",)

os.environ["LC_ALL"] = "C.UTF-8"  # the language of findings is the reader's; expectations are in English
settings.register_profile("ci", derandomize=True, database=None)
if os.environ.get("CI"):  # the same examples each time: a run judges the change, not its luck
    settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the samples' expectations and docs/findings.md anew")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expectations are written anew instead of compared."""
    return bool(request.config.getoption("--update"))


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    """An empty archive."""
    db = open_archive(tmp_path / "archive.db")
    yield db
    db.close()


@pytest.fixture
def evening(db: Database, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """An archive with one evening, opened for reading."""
    store(db)
    conn = open_read(tmp_path / "archive.db")
    yield conn
    conn.close()
