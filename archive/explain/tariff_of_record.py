"""The tariff that a record names, and whether the amounts of its deals come out by it."""

from collections.abc import Sequence

from msgspec import Struct

from archive.judge.types import Judgement
from archive.play.types import NOT_PLAYED
from archive.rules import UNKNOWN

MOST_DOUBLED = 5  # times
OF_TOTALS = frozenset(("stated-totals", "stated-marks", "totals-sum"))


class TariffFit(Struct, frozen=True):
    """A tariff, None where no deal has a game and amounts: of `count` such deals so many come out by it, or may with
    what nobody wrote. `named` is that of the record, None where it names none, or several."""

    tariff: str | None = None
    fits: int = 0
    count: int = 0
    named: str | None = None

    @property
    def is_settled(self) -> bool:
        """Whether one tariff is named and gives all amounts, or there are none, so no other is looked for."""
        return self.fits == self.count and self.named != UNKNOWN


def fit_of_record(judgements: Sequence[Judgement]) -> tuple[list[Judgement], TariffFit]:
    """Return the deals that have a game and amounts, and how many of them come out by the tariff that all of them
    name; it is `UNKNOWN` where they name none, or several."""
    priced = [each for each in judgements if is_priced(each)]
    if not priced:
        return priced, TariffFit()
    of_record = {each.ruleset.house.tariff for each in priced if each.ruleset}
    differ = sum(each.verdict == "differs" and not is_only_totals(each) for each in priced)
    name = of_record.pop() if len(of_record) == 1 else UNKNOWN
    return priced, TariffFit(name, len(priced) - differ, len(priced), name)


def is_only_totals(judgement: Judgement) -> bool:
    """Whether the running totals alone differ: they are of the deals before, and no tariff can give them."""
    wrong = {each.rule for each in judgement.findings if each.severity == "error"}
    return bool(wrong) and wrong <= OF_TOTALS


def is_priced(judgement: Judgement) -> bool:
    """Whether a deal has a game and amounts that a price is looked for."""
    game = judgement.deal.game
    return (
        game is not None
        and game.contract not in NOT_PLAYED
        and judgement.verdict != "unplayable"
        and least_loss(judgement) is not None
    )


def least_loss(judgement: Judgement) -> int | None:
    """The least amount that somebody pays in a deal, else its price, before the doublings that are told; None where
    none is told."""
    deal, stated = judgement.deal, judgement.deal.stated
    paid = stated.payments if stated else None
    loss = min(
        (-amount for amount in paid or () if amount is not None and amount < 0),
        default=stated.price if stated else None,
    )
    times = sum(each if isinstance(each, int) else len(each or ()) for each in (deal.doubles, deal.knocks))
    return loss if loss is None or loss % (1 << min(times, MOST_DOUBLED)) else loss >> min(times, MOST_DOUBLED)
