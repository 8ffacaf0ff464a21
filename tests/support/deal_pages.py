"""The page of a judgement as one that has cards, whether or not any is known."""

from typing import Any

from archive.judge import Judgement
from archive.text.wording import Texts
from archive.web.deal.model import DealPage, DealPosition
from archive.web.deal.page import deal_view, whole_page


def deal_page(judgement: Judgement, place: DealPosition, t: Texts, **more: Any) -> DealPage:
    """Return all parts of the page, as `whole_page` does with `more`."""
    return whole_page(deal_view(judgement, t, place.people), place, **more)
