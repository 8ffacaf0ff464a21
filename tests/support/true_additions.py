"""True additions: something true written beside a half record, which does not change its verdict."""

from collections.abc import Callable
from random import Random

from msgspec.structs import replace

from archive.generate import stated_as_computed
from archive.judge import Judgement, judge
from archive.record import Deal, Event, Stated
from support.partial_records import KEYS

Addition = Callable[[Random, Judgement, Deal], Deal]


def event(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """Return the deal with a remark or a look, which has no consequences."""
    seats = right.replay.active if right.replay else ()
    noted = Event(rng.choice(seats or (0,)), rng.choice(("remarks", "looks")), None, "a word")
    return deal if deal.events is None else replace(deal, events=(*deal.events, noted))


def note(rng: Random, right: Judgement, deal: Deal) -> Deal:
    return replace(deal, note="late")


def what_happened(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """Return the deal with its events, an offered surrender with its answer among them, or the statement that there
    were none."""
    return deal if deal.events is not None else replace(deal, events=right.deal.events or ())


def one_value(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """Return the deal with one more value as the rules compute it."""
    return with_value(right, deal, rng.choice(KEYS))


def won(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """Return the deal with the statement whether the declarer has won."""
    return with_value(right, deal, "won")


def with_value(right: Judgement, deal: Deal, key: str) -> Deal:
    """Return the deal with one more value as the rules compute it, if it states none."""
    value, stated = getattr(stated_as_computed(right, (key,)), key), deal.stated or Stated()
    return replace(deal, stated=replace(stated, **{key: value})) if getattr(stated, key) is None else deal


def by_player(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """Return the deal with the tricks or the card points of each player."""
    played, stated = right.replay, deal.stated or Stated()
    key, own = rng.choice((("tricks", "tricks_won"), ("points", "points")))
    if played is None or played.ending or not played.complete or not played.winners or played.talon:
        return deal
    value = getattr(played, own)
    return replace(deal, stated=replace(stated, **{key: value})) if getattr(stated, key) is None else deal


def knocks(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """Return the deal with the players who knocked and doubled, if nothing or only the number is recorded."""
    names = {key: getattr(right.deal, key) or () for key in ("knocks", "doubles")}
    away = {key: value for key, value in names.items() if not isinstance(getattr(deal, key), tuple)}
    return replace(deal, **away)


def trick(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """Return the deal with its first tricks, if the record has none."""
    return deal if deal.tricks else replace(deal, tricks=(right.deal.tricks or ())[: rng.choice((1, 3))] or None)


ADDITIONS: tuple[Addition, ...] = (event, note, what_happened, one_value, won, by_player, knocks, trick)
AMOUNTS = ("price", "payments", "marks", "totals")


def is_amount_that_was_not_taken_so(half: Judgement, right: Judgement, longer: Deal) -> bool:
    """Return whether an addition is an amount, and the half record was decided by another amount than the true one,
    since it lacks something that happened: that leaves a deal open, and says what may have happened."""
    before, after = half.deal.stated or Stated(), longer.stated or Stated()
    is_amount = any(getattr(before, key) != getattr(after, key) for key in AMOUNTS)
    computed, true = half.settlement, right.settlement
    amounts = [None if each is None else (each.payments, each.marks) for each in (computed, true)]
    return is_amount and (None in amounts or amounts[0] != amounts[1])


def with_wrong_price(rng: Random, found: Judgement, half: Deal) -> tuple[Judgement, Deal]:
    """Return the half with an amount that no deal can have, and its judgement."""
    wrong = replace(half, stated=replace(half.stated or Stated(), price=9_999))
    return judge(found.session, wrong, 1, found.before), wrong
