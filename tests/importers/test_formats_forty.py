"""Our forty deals in every format, in an ordinary run the first sixteen, among which is each contract twice: what a
format can hold comes back from it as the same deal."""

from importlib import import_module

import pytest
from msgspec.structs import replace
from support.forty import forty
from support.paths import ROOT
from support.thorough import examples

from archive.record import Deal, Finding, Session, Source
from importers import IMPORTERS, Importer, find

WRITERS = sorted(path.stem for path in (ROOT / "tests" / "support" / "writers").glob("[!_]*.py"))
HEAD, DEALS = forty()[0], forty()[1][: examples(16, 40)]
# that any format holds: an app has no Ramsch, and no line of the one-line notation is a Tout lost at once
FEWEST = len(DEALS) * 7 // 8


def name_of(importer: Importer) -> str:
    return importer.NAME.replace("-", "_")


def bare(session: Session, deal: Deal) -> tuple[Session, Deal]:
    return replace(session, source=None), replace(deal, source=None)


def read(data: bytes) -> list[tuple[Session, Deal]]:
    """The deals of a file, each with its session, in which they are counted; a finding fails."""
    (importer,) = find("x", data)
    found: list[tuple[Session, Deal]] = []
    session, count = None, 0
    for item in importer.read(data, Source("x")):
        assert not isinstance(item, Finding), item
        if isinstance(item, Session):
            session, count = item, 0
        else:
            assert session is not None
            count += 1
            assert item.source.deal == count
            found.append(bare(session, item))
    return found


def test_every_format_that_is_read_has_a_writer_and_the_other_way_round() -> None:
    assert {name_of(importer) for importer in IMPORTERS} == set(WRITERS)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", WRITERS)
def test_what_a_format_holds_of_our_forty_deals_comes_back_as_the_same_deals(name: str) -> None:
    writer = import_module(f"support.writers.{name}")
    files = writer.write(HEAD, DEALS)
    for data in files:
        assert [name_of(importer) for importer in find("any name", data)] == [name], "recognised by what is in it"
    wanted = [bare(*both) for deal in DEALS if (both := writer.held(HEAD, deal))]
    assert len(wanted) >= FEWEST
    one_a_deal = len(files) == len(wanted)  # else the first holds all; others are variants, which its own tests read
    assert [both for data in (files if one_a_deal else files[:1]) for both in read(data)] == wanted


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_holds_who_plays_what(name: str) -> None:
    writer = import_module(f"support.writers.{name}")
    for deal in DEALS:
        both = writer.held(HEAD, deal)
        if both and deal.game:
            game = both[1].game
            assert (game.contract, "tout" in game.words) == (deal.game.contract, "tout" in deal.game.words)
