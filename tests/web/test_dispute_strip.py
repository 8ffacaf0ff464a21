"""A disputed deal says its cause where it is looked at, and the end of a deal shows what came of it."""

import re

import pytest
from playwright.sync_api import Page, expect
from support import deal_pages
from support.cardless_club import SHEET
from support.store_samples import read
from support.web_archive import evening
from support.web_site import expect_at, press

from archive.explain import explain
from archive.judge import Judgement
from archive.web.deal import model as deal_model
from archive.web.deal.dispute import disputed_line
from archive.web.deal.timeline import owner_initials
from archive.web.texts import TEXTS

PLACE = deal_model.DealPosition(id=1, session=1, event="Stammtisch")


def shown(judgement: Judgement, language: str = "en") -> deal_model.DealPage:
    explained = explain(judgement) if judgement.verdict == "differs" else None
    return deal_pages.deal_page(judgement, PLACE, TEXTS[language], explained=explained)


@pytest.mark.parametrize("language", TEXTS)
def test_a_deal_that_differs_names_its_likeliest_cause(language: str) -> None:
    judgement = evening()[0]
    page = shown(judgement, language)
    assert page.evidence.dispute.why.says
    assert judgement.settlement.payments
    stated = judgement.deal.stated
    assert [each.differs for each in page.table.amounts] == [
        own != other for own, other in zip(judgement.settlement.payments, stated.payments or (), strict=True)
    ]


def test_a_deal_that_agrees_has_no_strip_and_no_moment() -> None:
    page = shown(evening()[1])
    assert page.evidence.dispute is None
    assert not any(segment.flag for segment in page.course.segments)


@pytest.mark.parametrize(("payments", "named"), [("40, -40, 40, -40", False), ("20, -20, 20, -20", True)])
def test_a_total_that_was_added_up_wrong_is_in_no_line_of_the_price(payments: str, named: bool) -> None:
    stated = f"stated.payments = [{payments}]\nstated.totals = [900, 0, 0, -900]"
    (_, judgement), _ = read(SHEET.replace("stated.payments = [20, -20, 20, -20]", stated), "sheet.toml")[0]
    assert judgement.verdict == "differs"
    assert (disputed_line(judgement, explain(judgement)) is not None) == named


def test_every_deal_that_needs_a_look_has_a_moment_for_it() -> None:
    for judgement in evening():
        page = shown(judgement)
        assert any(segment.flag for segment in page.course.segments) == (judgement.verdict != "agrees")


def test_the_result_is_one_sentence() -> None:
    results = [shown(judgement).heading.result for judgement in evening()[:4]]
    assert results == [
        "Ben with Dora wins 75 : 45, with 6, × 4: 320 ct",
        "Cem loses 38 : 82, with 2: 70 ct",
        "",
        "Dora loses: 20 ct",
    ]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Anna", "Ben", "Cem", "Dora"), ("A", "B", "C", "D")),
        (("Kathi", "Karin", "Max", "Moni"), ("Kat", "Kar", "Ma", "Mo")),
        (("PcLinks", "PcRechts", "PcOben", "Ich"), ("PcL", "PcR", "PcO", "I")),
        (("Ex-Sauspieler 1", "Ex-Sauspieler 2", "Rita", "🦊 Fuchs"), ("1", "2", "R", "4")),
    ],
)
def test_owners_of_trumps_are_told_apart(names: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert owner_initials(names) == expected


def test_the_end_shows_amounts_and_every_hand_as_dealt(page: Page, site: str) -> None:
    page.goto(f"{site}/deals/1")
    expect(page.locator(".amount >> visible=true")).to_have_count(0)
    press(page, "End")
    expect(page.locator(".amount >> visible=true")).to_have_count(4)
    expect(page.locator(".finish >> visible=true")).to_have_count(1)
    expect(page.locator(".felt.js .seat .card:not(.gone) >> visible=true")).to_have_count(32)


def test_played_cards_are_gone_for_screen_readers(page: Page, site: str) -> None:
    page.goto(f"{site}/deals/1#t4.4")
    for gone in (".card.gone[aria-hidden=true]", ".card.gone"):
        expect(page.locator(f".felt.js .seat {gone}")).to_have_count(16)


def test_finding_leads_to_the_end_where_no_card_is_at_fault(page: Page, site: str) -> None:
    page.goto(f"{site}/deals/1")
    page.click("[data-do=finding]")
    expect_at(page, "end")


def test_the_moment_of_a_dispute_is_a_tap_away(page: Page, site: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site}/deals/1")
    assert page.locator(".strip p").first.bounding_box()["y"] < 300  # type: ignore[index]
    to = page.locator(".strip .acts a").first
    name = to.get_attribute("href") or ""
    to.click()
    expect(page).to_have_url(re.compile(f"{re.escape(name)}$"))
