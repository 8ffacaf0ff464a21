"""The tariff that a record names, and whether it gives the amounts of its deals."""

from collections.abc import Sequence

from msgspec import Struct

from archive.judge.types import Judgement
from archive.play.types import NOT_PLAYED
from archive.rules import UNKNOWN

MOST_DOUBLED = 5  # times
OF_TOTALS = frozenset(("stated-totals", "stated-marks", "totals-sum"))


class TariffFit(Struct, frozen=True):
    """A tariff, None if no deal has a game and amounts. It gives the amounts of so many (`fits`) of `count` such deals,
    or may do so with facts that nobody wrote. `named` is the tariff of the record, None if it names none, or
    several."""

    tariff: str | None = None
    fits: int = 0
    count: int = 0
    named: str | None = None

    @property
    def is_settled(self) -> bool:
        """Return whether one tariff is named and gives all amounts, or there are none, so that no other is searched."""
        return self.fits == self.count and self.named != UNKNOWN


def fit_of_record(judgements: Sequence[Judgement]) -> tuple[list[Judgement], TariffFit]:
    """Return the deals that have a game and amounts whose price can be searched, and the fit of the tariff that all of
    them name; it is `UNKNOWN` if they name none, or several."""
    priced = [
        each
        for each in judgements
        if each.verdict != "unplayable"
        and (game := each.deal.game) is not None
        and game.contract not in NOT_PLAYED
        and least_loss(each) is not None
    ]
    if not priced:
        return priced, TariffFit()
    of_record = {each.ruleset.house.tariff for each in priced if each.ruleset}
    differ = sum(each.verdict == "differs" and not is_only_totals(each) for each in priced)
    name = of_record.pop() if len(of_record) == 1 else UNKNOWN
    return priced, TariffFit(name, len(priced) - differ, len(priced), name)


def is_only_totals(judgement: Judgement) -> bool:
    """Return whether only the running totals differ: they rest on the deals before, and no tariff can give them."""
    wrong = {each.rule for each in judgement.findings if each.severity == "error"}
    return bool(wrong) and wrong <= OF_TOTALS


def least_loss(judgement: Judgement) -> int | None:
    """Return the least amount that somebody pays in a deal, else its price, before the recorded doublings; None if
    neither is stated."""
    deal, stated = judgement.deal, judgement.deal.stated
    paid = stated.payments if stated else None
    loss = min(
        (-amount for amount in paid or () if amount is not None and amount < 0),
        default=stated.price if stated else None,
    )
    times = sum(each if isinstance(each, int) else len(each or ()) for each in (deal.doubles, deal.knocks))
    return loss if loss is None or loss % (1 << min(times, MOST_DOUBLED)) else loss >> min(times, MOST_DOUBLED)
