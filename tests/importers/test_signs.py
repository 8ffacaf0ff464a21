"""An importer is loaded for files with its sign alone; no file that it would claim is without."""

from pathlib import Path

import pytest
from support.paths import ROOT
from support.thorough import examples

import importers
from importers import FORMATS, HEAD, IMPORTERS, RECORDS, find, importer_named

FILES = [path for path in sorted((ROOT / "sample_games").rglob("*")) if path.is_file()]
FILES += [
    path
    for path in sorted((ROOT / "tests" / "importers").rglob("*"))
    if path.is_file() and not path.suffix.startswith(".py")
]


def claims(head: bytes) -> tuple[str, ...]:
    """The names of the importers that claim a file, each of them asked; of a record no other is."""
    records = tuple(each.NAME for each in RECORDS if each.matches("", head))
    return records or tuple(each.NAME for each in IMPORTERS[len(RECORDS) :] if each.matches("", head))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_importer_would_claim_a_file_without_its_sign(path: Path) -> None:
    head = path.read_bytes()[:HEAD]
    assert tuple(each.NAME for each in find(path.name, head)) == claims(head)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252"])
def test_a_sign_is_seen_in_every_encoding(encoding: str) -> None:
    for path in FILES[:: examples(5, 1)]:
        try:
            head = path.read_bytes().decode().encode(encoding)[:HEAD]
        except UnicodeError:
            continue
        names = tuple(each.NAME for each in find(path.name, head))
        assert names == claims(head), path
        if encoding != "cp1252" and 2 * len(path.read_bytes()) < HEAD:
            assert names == tuple(each.NAME for each in find(path.name, path.read_bytes())), path


def test_the_name_of_a_format_is_that_of_its_importer() -> None:
    assert [each.name for each in FORMATS] == [each.importer().NAME for each in FORMATS]
    assert [each.NAME for each in IMPORTERS] == list(importers.NAMES)
    assert all(importer_named(each.NAME) is each for each in IMPORTERS)


def test_every_importer_can_be_taken_from_the_package() -> None:
    for name in ("chat", "events", "game_list", "game_page", "scraper", "score_sheet", "typed_lines", "netschafkopf"):
        assert getattr(importers, name) in IMPORTERS
    with pytest.raises(AttributeError, match="no attribute 'site_words'"):
        _ = importers.site_words
