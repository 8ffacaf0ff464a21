"""The top level of the project: what stands there, and nothing that a run has left."""

import subprocess

import pytest
from support.paths import ROOT

FOLDERS = {".ci", "archive", "benchmarks", "docs", "findings", "importers", "sample_games", "templates", "tests"}
FILES = {".gitattributes", ".gitignore", "CHANGELOG.md", "LICENSE", "README.md", "justfile", "pyproject.toml",
         "requirements.lock"}  # fmt: skip


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="without git nothing tells what belongs to the project")
def test_the_top_level_holds_what_a_newcomer_is_told_of_and_nothing_else() -> None:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {name.partition("/")[0] for name in done.stdout.split("\0") if name} == FOLDERS | FILES
