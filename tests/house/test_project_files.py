"""Files beside the rooms: the lock file has whatever pyproject.toml asks for, on every Python; the page for developers
names what there is; benchmarks can begin; the top level holds nothing that a run has left."""

import ast
import re
import subprocess
import tomllib
from itertools import chain

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from support.floors_examples import FLOORS
from support.paths import ROOT

ENTRY = re.compile(r"^([\w.-]+)==(\S+)(?: ; (.+?))? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE)
LOCK = (ROOT / "requirements.lock").read_text("utf-8")


def test_every_entry_has_a_version_and_hashes_and_names_no_host() -> None:
    assert ENTRY.sub("", LOCK) == ""
    assert "://" not in LOCK


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_what_the_project_asks_for_is_locked_once(python: str, system: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    here = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": system}
    locked: dict[str, list[str]] = {}
    for name, version, marker, _ in ENTRY.findall(LOCK):
        if not marker or (Requirement(f"{name} ; {marker}").marker or pytest.fail(name)).evaluate(here):
            locked.setdefault(canonicalize_name(name), []).append(version)
    assert [name for name, versions in locked.items() if len(versions) != 1] == []
    for requirement in map(Requirement, asked):
        if requirement.name != project["name"]:
            (version,) = locked[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version), requirement


def test_the_citation_is_of_this_version_and_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    cited = dict(re.findall(r"^([\w-]+): (.+)$", (ROOT / "docs" / "CITATION.cff").read_text("utf-8"), re.MULTILINE))
    assert [cited[key] for key in ("title", "version", "license")] == [
        project[key] for key in ("name", "version", "license")
    ]


# --- docs/developing.md -----------------------------------------------------------------------------------------------


TEXT = (ROOT / "docs" / "developing.md").read_text("utf-8")
PATHS = sorted(set(re.findall(r"`((?:archive|importers|templates|tests|sample_games|docs)/[\w./*-]+)`", TEXT)))


@pytest.mark.parametrize("path", PATHS)
def test_every_path_on_the_page_exists(path: str) -> None:
    fixed = re.split(r"\b[A-Z]{2,}\b", path)[0]  # up to a word that stands for any
    found = list(ROOT.glob(fixed.rstrip("/") or ".")) if "*" in fixed else [ROOT / fixed]
    assert found
    assert all((each if fixed.endswith("/") or fixed == path else each.parent).exists() for each in found), path


@pytest.mark.parametrize("room", FLOORS)
def test_every_room_is_in_the_picture(room: str) -> None:
    picture = TEXT.partition("```\n")[2].partition("```")[0]
    if room in ("own_files", "resources"):  # files
        return
    assert re.search(rf"(^|\s){room}\s", picture), room


# --- benchmarks -------------------------------------------------------------------------------------------------------


def test_every_benchmark_imports_what_is_there() -> None:
    """Of ours; the names of another benchmark are those that begin a line of it."""
    benchmarks = {path.stem: path.read_text("utf-8") for path in (ROOT / "benchmarks").glob("*.py")}
    for name, text in benchmarks.items():
        for node in (each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.ImportFrom)):
            for each in node.names:
                if node.module in benchmarks:
                    begins = rf"^(\w+, )*(def |class )?{each.name}\b"
                    assert re.search(begins, benchmarks[node.module], re.MULTILINE), (name, each.name)
                elif str(node.module).split(".")[0] in ("archive", "importers", "support"):
                    exec(f"from {node.module} import {each.name}", {})
    assert len(benchmarks) >= 25


# --- the top level ----------------------------------------------------------------------------------------------------


FOLDERS = {".ci", "archive", "benchmarks", "docs", "findings", "importers", "sample_games", "templates", "tests"}
FILES = {".gitattributes", ".gitignore", "CHANGELOG.md", "LICENSE", "README.md", "justfile", "pyproject.toml",
         "requirements.lock"}  # fmt: skip


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="without git nothing tells what belongs to the project")
def test_the_top_level_holds_what_a_newcomer_is_told_of_and_nothing_else() -> None:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {name.partition("/")[0] for name in done.stdout.split("\0") if name} == FOLDERS | FILES
