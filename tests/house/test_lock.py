"""The lock file names a version, with hashes, for whatever pyproject.toml asks for, on every Python; and no host."""

import re
import tomllib
from itertools import chain

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from support.paths import ROOT

ENTRY = re.compile(r"^([\w.-]+)==(\S+)(?: ; (.+?))? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE)
TEXT = (ROOT / "requirements.lock").read_text("utf-8")


def test_every_entry_has_a_version_and_hashes_and_names_no_host() -> None:
    assert ENTRY.sub("", TEXT) == ""
    assert "://" not in TEXT


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_what_the_project_asks_for_is_locked_once(python: str, system: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    here = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": system}
    locked: dict[str, list[str]] = {}
    for name, version, marker, _ in ENTRY.findall(TEXT):
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
