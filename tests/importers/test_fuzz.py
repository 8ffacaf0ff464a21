"""The laws of `support.importer_laws` on two dozen inputs of each importer, the same each time; in a thorough run on
thousands, and all files that are made to be slow."""

from collections import Counter

import pytest
from support import file_damage, importer_laws
from support.paths import ROOT
from support.thorough import examples

from archive.record import Deal, Session, Source, finding
from importers import IMPORTERS, Importer

INPUTS = examples(16, 5_000)


@pytest.mark.parametrize("importer", IMPORTERS, ids=lambda importer: importer.NAME)
def test_an_importer_keeps_the_laws_on_damaged_input(importer: Importer) -> None:
    tally = importer_laws.run(importer, 40, range(INPUTS))
    assert tally.broken == []
    assert tally.claimed > INPUTS // 5, "what grows from its own files should often be its own"
    assert tally.findings


@pytest.mark.one_in(3)
@pytest.mark.parametrize("importer", IMPORTERS, ids=lambda importer: importer.NAME)
def test_an_importer_is_done_with_a_large_file_of_anything(importer: Importer) -> None:
    some = range(0, len(file_damage.NASTY) + examples(12, 100), examples(16, 1))
    assert importer_laws.large(importer, 40, some) == []


class Raising:
    NAME = "raising"

    def matches(self, name: str, head: bytes) -> bool:
        return True

    def read(self, data: bytes, source: Source) -> object:
        raise ValueError(data.decode())


class Saying(Raising):
    """Yields what it is given."""

    def __init__(self, *items: object) -> None:
        self.items = items

    def read(self, data: bytes, source: Source) -> object:
        return iter(self.items)


HERE = Source("fuzz", 1, None, "", 1)
EVENING = Session(players=("Anna", "Ben", "Cem", "Dora"), rules="bavarian", source=HERE)
BREAKING: dict[str, Raising] = {
    "ValueError: a": Raising(),
    "neither a deal nor a finding": Saying(EVENING),
    "no place": Saying(finding("syntax", None, why="why")),
    "no place within": Saying(finding("syntax", Source("fuzz", 99), why="why")),
    "no words": Saying(finding("syntax", HERE, why="")),
    "a deal before its session": Saying(Deal(source=HERE)),
    "no position": Saying(EVENING, Deal(source=HERE), Deal(source=HERE)),
    "not to be written and read back": Saying(EVENING, Deal(source=HERE, x={"a": (1,)})),
    "AttributeError": Saying(EVENING, Deal(source=HERE, stated="won")),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("law", BREAKING)
def test_a_broken_law_is_seen(law: str) -> None:
    broken = importer_laws.tried(BREAKING[law], 0, b"a", importer_laws.Tally())  # type: ignore[arg-type]
    assert law in broken[0]


def test_an_input_is_made_again_by_its_number() -> None:
    assert [importer_laws.made(IMPORTERS[0], 1, number) for number in range(50)] == [
        importer_laws.made(IMPORTERS[0], 1, number) for number in range(50)
    ]


def test_what_our_samples_and_writers_write_is_claimed_by_one_importer() -> None:
    claimed = Counter(importer_laws.everything())  # each text as often as an importer claims it
    both = {text for text, importers in claimed.items() if importers != 1}
    assert both == {(ROOT / "sample_games" / "broken" / "two-importers.toml").read_bytes()}
