"""docs/developing.md names files and folders that exist, and every room of the house."""

import re

import pytest
from support.floors_examples import FLOORS
from support.paths import ROOT

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
