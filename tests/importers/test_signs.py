"""An importer is loaded for files with its sign alone; no file that it would claim is without."""

from pathlib import Path

import pytest
from support.items import bare, by_kind
from support.paths import ROOT
from support.thorough import examples

import importers
from archive.notation import drop_unwritable
from archive.record import Source
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


@pytest.mark.one_in(12)
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_importer_would_claim_a_file_without_its_sign(path: Path) -> None:
    head = path.read_bytes()[:HEAD]
    assert tuple(each.NAME for each in find(path.name, head)) == claims(head)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252"])
def test_a_sign_is_seen_in_every_encoding(encoding: str) -> None:
    for path in FILES[:: examples(23, 1)]:
        try:
            head = path.read_bytes().decode().encode(encoding)[:HEAD]
        except UnicodeError:
            continue
        names = tuple(each.NAME for each in find(path.name, head))
        assert names == claims(head), path
        if encoding != "cp1252" and 2 * len(path.read_bytes()) < HEAD:
            assert names == tuple(each.NAME for each in find(path.name, path.read_bytes())), path


CODECS, ENDS = ("utf-8", "utf-8-sig", "utf-16", "cp1252"), ("\n", "\r\n", "\r")
ENCODED = {  # of the samples of a format: the encodings and ends of lines that its files may have
    "one-line.txt": (CODECS, ENDS), "sauspiel-chat.txt": (CODECS, ENDS[:2]), "netschafkopf.txt": (CODECS, ENDS[:2]),
    "sauspiel-scraper.jsonl": (CODECS[:3], ENDS), "sauspiel-events.json": (CODECS[:3], ENDS[:1]),
    "sauspiel-*.html": (CODECS, ENDS[:1]),
}  # fmt: skip


@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("names", "codec", "end"),
    [(names, codec, end) for names, (codecs, ends) in ENCODED.items() for codec in codecs for end in ends],
)
def test_a_sample_is_the_same_in_any_encoding(names: str, codec: str, end: str) -> None:
    for path in (ROOT / "sample_games" / "valid").glob(names):
        data = path.read_bytes()
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = data.decode("cp1252")
        again = text.replace("\r\n", "\n").replace("\n", end).encode(codec)
        (importer,) = find("x", again)
        assert (importer,) == find("x", data)
        assert list(importer.read(again, Source("x"))) == list(importer.read(data, Source("x")))


@pytest.mark.parametrize(
    ("name", "codec", "old", "new"),
    [
        ("sauspiel-events.json", "utf-8", "sepp vom berg", "sepp\u00a0 vom\u00a0 berg"),
        ("sauspiel-chat.txt", "utf-8", " sagt weiter", "\u00a0 sagt\u2009weiter"),
        ("netschafkopf.txt", "cp1252", " hat:", "\u00a0 hat:"),
    ],
)
def test_a_blank_of_another_kind_is_a_blank(name: str, codec: str, old: str, new: str) -> None:
    data = (ROOT / "sample_games" / "valid" / name).read_bytes()
    odd = data.decode(codec).replace(old, new).encode(codec)
    assert odd != data
    (importer,) = find(name, data)
    same, other = (by_kind(drop_unwritable(importer.read(each, Source("a")))) for each in (data, odd))
    assert [each.players for each in other[0]] == [each.players for each in same[0]]
    assert (bare(other[1]), other[2]) == (bare(same[1]), same[2])


def test_the_name_of_a_format_is_that_of_its_importer() -> None:
    assert [each.name for each in FORMATS] == [each.importer().NAME for each in FORMATS]
    assert [each.NAME for each in IMPORTERS] == list(importers.NAMES)
    assert all(importer_named(each.NAME) is each for each in IMPORTERS)


def test_every_importer_can_be_taken_from_the_package() -> None:
    for name in ("chat", "events", "game_list", "game_page", "scraper", "score_sheet", "typed_lines", "netschafkopf"):
        assert getattr(importers, name) in IMPORTERS
    with pytest.raises(AttributeError, match="no attribute 'site_words'"):
        _ = importers.site_words
