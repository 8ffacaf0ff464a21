"""The knowledge of the whole table before a card shows it: who the partner is, which passed cards were seen."""

from collections.abc import Sequence
from typing import Literal

from archive.cards import BIT, NUMBER, is_known
from archive.judge.types import Judgement
from archive.record import Exchange
from archive.web.deal.model import Move
from archive.web.deal.moves import deal_tables, passed_openly, passed_unseen

Manner = Literal["open", "unseen", ""]


def partner_known(judgement: Judgement, order: Sequence[Move]) -> str:
    """Return the move after which everybody knows the partner: the called card, the trick that shows that its holder
    has run away, or the partner's own answer to a Kontra. 001 Play; 004 Calling an Ace; 004 Play of the Cards."""
    called = judgement.deal.game.called if judgement.deal.game else None
    if not called:
        return "g"
    card = {move.id for move in order if move.card == called}
    telling = {*card, _run_away(judgement, called), _answer(judgement)}
    return next((move.id for move in order if move.id in telling), "end")


def _run_away(judgement: Judgement, called: str) -> str:
    """Return the last card of the trick in which the partner led the called suit for the first time without the called
    card; empty if nobody has."""
    replay, table = judgement.replay, deal_tables(judgement)
    if replay is None or table is None or not all(is_known(step.card) for step in replay.steps):
        return ""
    searched = (step for step in replay.steps if step.place == 1 and BIT[step.card] & table.called_suit)
    first = next(searched, None)
    if first is None or first.seat != replay.partner:
        return ""
    cards = [step.card for step in replay.steps if step.trick == first.trick]
    whole = len(cards) == len(replay.playing) and called not in cards
    return f"t{first.trick}.{len(cards)}" if whole else ""


def _answer(judgement: Judgement) -> str:
    """Return the doubling with which the partner answers an opponent, which only the declarer may do too; empty if
    there is none."""
    replay, rules, doubles = judgement.replay, judgement.ruleset, judgement.deal.doubles
    if replay is None or rules is None or not isinstance(doubles, tuple) or rules.house.stoss.by != "defence":
        return ""
    said = enumerate(doubles, 1)
    return next((f"d{n}" for n, each in said if each.seat == replay.partner and each.word != "kontra"), "")


def manner_of(judgement: Judgement, passed: Exchange, seat: int | None) -> Manner:
    """Return how a card came to a seat: face up before all, or face down and not looked at."""
    if passed_openly(judgement, passed):
        return "open"
    return "unseen" if seat is not None and passed_unseen(judgement, passed) else ""


def trumps_passed(judgement: Judgement) -> tuple[dict[str, str], set[str]]:
    """Return the cards that were passed face up, each with its move, and those that their new holder has not seen."""
    seen, unseen = dict[str, str](), set[str]()
    for n, each in enumerate(judgement.deal.exchange or (), 1):
        manner = manner_of(judgement, each, each.taker)
        cards = [card for card in each.cards if card in NUMBER]
        seen |= dict.fromkeys(cards, f"x{n}") if manner == "open" else {}
        unseen |= {*cards} if manner == "unseen" else set()
    return seen, unseen
