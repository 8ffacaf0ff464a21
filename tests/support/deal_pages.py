"""The page of a judgement as one that has cards, whether or not any is known."""

from typing import Any

from msgspec.structs import asdict

from archive.judge import Judgement
from archive.text.wording import Texts
from archive.web.deal.model import DealPage, DealPosition
from archive.web.deal.page import deal_board, deal_evidence, deal_settlement, deal_view


def deal_page(judgement: Judgement, place: DealPosition, t: Texts, **more: Any) -> DealPage:
    """Return all parts of the page; `more` goes to `deal_board` (`as_of`) and to `deal_evidence`."""
    view, as_of = deal_view(judgement, t, place.people), more.pop("as_of", None)
    board = asdict(deal_board(view, place, as_of))
    return DealPage(**board, settlement=deal_settlement(view), evidence=deal_evidence(view, **more))
