"""The tariff that a record names, and the one that gives all stated amounts of some deals: that of the record, else one
of those that tables have or that the amounts themselves suggest."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from archive.explain.scene import TARIFFS, prices_of
from archive.judge.judge_deal import compare_by, errors_in, rules_of
from archive.judge.types import Judgement
from archive.play.types import NOT_PLAYED
from archive.rules import UNKNOWN, Ruleset, bundled
from archive.rules.load import with_tariff

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
    of_record = {
        tariff_of(each.ruleset, head.house) if (head := each.session).house else each.ruleset.house.tariff
        for each in priced
        if each.ruleset
    }
    differ = sum(each.verdict == "differs" and not is_only_totals(each) for each in priced)
    name = of_record.pop() if len(of_record) == 1 else UNKNOWN
    return priced, TariffFit(name, len(priced) - differ, len(priced), name)


def tariff_of(ruleset: Ruleset, own: Mapping[str, Any]) -> str:
    """Return the tariff that a deal is settled by; `UNKNOWN` if its own house rules name none and have other prices."""
    tariff = ruleset.house.tariff
    if tariff == UNKNOWN or "tariff" in own or not isinstance(prices := own.get("price"), dict):
        return tariff
    return tariff if all(prices.get(name, price) == price for name, price in prices_of(tariff).items()) else UNKNOWN


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


TRIED = 8  # tariffs
KINDS = 24  # different kinds of deals on which a tariff is tried
USUAL = ("10/20/50", "10/50", "20/100", "5/10/20", *TARIFFS)
OF_RULESETS = ("1/1", "5/15", "10/40")  # those of the rulesets that come with the archive, beside the usual ones


def find_tariff(judgements: Sequence[Judgement], seconds: float = 60) -> TariffFit:
    """Return the tariff that gives the amounts. If the named one does not give all of them, another is searched, and
    returned if it does. After so many seconds of processor time no more is tried."""
    end = time.thread_time() + seconds
    priced, named = fit_of_record(judgements)
    if named.is_settled:
        return named
    name = named.named
    losses = [(price_classes(each), loss) for each in priced if (loss := least_loss(each))]
    every = (*USUAL, *OF_RULESETS, *suggested_tariffs(losses))
    tariffs = [each for each in dict.fromkeys(every) if each != UNKNOWN]
    tariffs.sort(key=lambda tariff: likelihood(tariff, losses), reverse=True)
    deals = [(kind_of(each), each) for each in priced]
    best, failed = TariffFit(), set[Any]()  # kinds of deals on which a tariff failed are tried first with the next
    for tariff in tariffs[:TRIED]:
        least = best.fits + 1 if name == UNKNOWN else None
        deals.sort(key=lambda each: each[0] not in failed)
        best = max(best, try_tariff(deals, tariff, end, least, failed), key=lambda fit: fit.fits)
        if best.count and best.fits == best.count:
            break
    if name == UNKNOWN:
        return best
    return replace(best, named=name) if best.count and best.fits == best.count else named


def price_classes(judgement: Judgement) -> tuple[str, ...]:
    """Return the names under which a list of prices may have the game of a deal."""
    game, ruleset = judgement.deal.game, judgement.ruleset
    row = ruleset.contracts.get(game.contract) if ruleset and game else None
    return (row.id, row.price) if row else ()


def suggested_tariffs(losses: Sequence[tuple[tuple[str, ...], int]]) -> list[str]:
    """Return the tariffs that the least amounts suggest: the payment for a Rufspiel, and for a Solo."""
    call, others = (min((loss for names, loss in losses if name in names), default=0) for name in ("rufspiel", "solo"))
    return [f"{extra}/{call}/{others}" for extra in (max(1, call // 2), 10, 5)] if call and others else []


def likelihood(tariff: str, losses: Sequence[tuple[tuple[str, ...], int]]) -> int:
    """Return how many amounts a tariff can give, plus how many are the bare price of the game; one less, if few tables
    play it."""
    prices = prices_of(tariff)
    bare = [(next((prices[name] for name in names if name in prices), 0), loss) for names, loss in losses]
    gives = sum(gives_amount(price, prices["runner"], loss) for price, loss in bare)
    return gives + sum(price == loss for price, loss in bare) - (tariff not in USUAL)


def gives_amount(price: int, extra: int, loss: int) -> bool:
    """Return whether an amount is a price with something added to it, perhaps doubled."""
    halves = [loss >> times for times in range(MOST_DOUBLED) if loss % (1 << times) == 0]
    return any(half >= price > 0 and (half - price) % extra == 0 for half in halves)


def try_tariff(
    deals: Sequence[tuple[Any, Judgement]], tariff: str, end: float, least: int | None, failed: set[Any]
) -> TariffFit:
    """Return how many deals, each with its kind, do not differ by a tariff. One deal of a kind is judged. The trial
    stops when fewer than `least` of all can agree, or if that is None, when one does not. Kinds that differ are added
    to `failed`."""
    verdicts: dict[Any, bool] = {}
    count = fits = 0
    for place, (kind, each) in enumerate(deals):
        if fits < count if least is None else fits + len(deals) - place < least:
            break
        if kind not in verdicts and len(verdicts) < KINDS and time.thread_time() < end:
            verdicts[kind] = agrees_by(each, tariff)
            failed |= set() if verdicts[kind] else {kind}
        count += kind in verdicts
        fits += verdicts.get(kind, False)
    return TariffFit(tariff, fits, count)


def agrees_by(judgement: Judgement, tariff: str) -> bool:
    """Return whether nothing differs from what was stated by another tariff, but the running totals."""
    ruleset = rules_by(judgement, tariff)
    if ruleset is None:
        return True
    _, facts = compare_by(ruleset, judgement.session, judgement.deal, judgement.before, judgement.replay)
    return {each.rule for each in errors_in(facts.differences)} <= OF_TOTALS


def rules_by(judgement: Judgement, tariff: str) -> Ruleset | None:
    """Return the rules of a deal with another tariff. A ruleset may have prices beside it, and one that does not come
    with the archive a reading of it."""
    ruleset, session = judgement.ruleset, judgement.session
    if ruleset and not ruleset.house.price and session.rules in bundled():
        return with_tariff(ruleset, tariff)
    from archive.explain.house_variants import with_setting  # here, since few tables have such rules

    return rules_of(with_setting(session, "tariff", tariff))[0]


def kind_of(judgement: Judgement) -> Any:
    """Return everything recorded of a deal except who sat where."""
    deal = judgement.deal
    stated = to_builtins(deal.stated) | {"payments": sorted(deal.stated.payments or (), key=str)} if deal.stated else {}
    facts = (deal.game and replace(deal.game, declarer=None), deal.knocks, deal.doubles, deal.round, bool(deal.tricks))
    return repr((facts, {key: value for key, value in stated.items() if key not in ("totals", "loser")}))
