"""Game pages of sauspiel.de: nothing of a page is lost, nothing is guessed, and damage costs itself and a finding."""

import pytest
from forty import forty
from msgspec.structs import replace
from writers import sauspiel_page as writer

from archive.record import Deal, Finding, Session, Source
from importers import find, sauspiel_page


def read(data: bytes) -> tuple[list[Session], list[Deal], list[Finding]]:
    items = list(sauspiel_page.read(data, Source("page.html", sha256="abc")))
    return tuple([each for each in items if isinstance(each, kind)] for kind in (Session, Deal, Finding))  # type: ignore[return-value]


@pytest.mark.parametrize("number", range(40))
def test_each_of_our_forty_deals_comes_back_from_its_page(number: int) -> None:
    head, deals = forty()
    for old in (False, True):
        (data,) = writer.write(head, (deals[number],), old=old)
        sessions, found, findings = read(data)
        session, deal = writer.held(head, deals[number])
        if old:
            deal = replace(deal, auction=None)
        assert findings == []
        assert [replace(each, source=None) for each in sessions] == [session]
        assert [replace(each, source=None) for each in found] == [deal]
        assert find("x", data) == (sauspiel_page,)
