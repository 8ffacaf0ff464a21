"""Whole evenings in dispute: computed under another setting of the house, with one slip made in every deal, or with one
slip in a running total that is carried over. Nothing here is taken from `archive.explain`."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from archive.judge import Judgement, judge_session
from archive.record import Stated
from support.mistakes import Dispute, Right, dispute, paid_of
from support.mistakes.prices import Amounts, Reckoning, amounts, reckoning, tariff_of
from support.mistakes.reckonings import OTHERS, PEOPLE, POTS, RECKONING
from support.mistakes.writings import TOTALS, Sheet, added

Slip = Callable[[Reckoning], Reckoning | None]
LEAST = 2  # deals that differ: one alone is no evening


class Evening(Struct, frozen=True):
    """An evening that states the results of a kind; `answers` are the causes and settings that name it."""

    kind: str
    found: list[Judgement]
    answers: frozenset[str]


def of_kind(name: str) -> Slip:
    """Return a kind of one deal, in its first form, wherever it can happen."""
    slip = {**RECKONING, **PEOPLE, **POTS}[name][0]
    return lambda r: next((made for made, _ in slip(r)), None)


def where(test: Callable[[Reckoning], object], change: Callable[[Reckoning], Reckoning]) -> Slip:
    return lambda r: change(r) if test(r) else None


def runners(contracts: tuple[str, ...], least: int) -> Slip:
    """Return a house that pays runners of some games from another number on."""
    return where(
        lambda r: r.contract in contracts and r.bonuses is not None,
        lambda r: replace(r, runners=r.count * r.tariff[0] if r.count >= least > 0 else 0),
    )


def tariff(text: str) -> Slip:
    def slip(r: Reckoning) -> Reckoning | None:
        if r.loser is not None and r.game == r.tariff[1]:
            return replace(r, game=tariff_of(text)[1])
        found = [made for made, _ in RECKONING["another tariff"][0](r)]
        return found[OTHERS.index(text)] if len(found) == len(OTHERS) else None

    return slip


def no_knocks(r: Reckoning) -> Reckoning:
    return replace(r, factors=r.factors[len(r.knockers) + r.unnamed :])


def no_kontra(r: Reckoning) -> Reckoning:
    return replace(r, factors=r.factors[len(r.doublers) :])


def line(change: Callable[[Amounts], Amounts]) -> Slip:
    return lambda r: replace(r, shares=change(r.shares), pot=change(r.pot))


KINDS: dict[str, tuple[Slip, tuple[str, ...]]] = {
    **{f"evening: tariff {text}": (tariff(text), ("tariff",)) for text in OTHERS[:12:2]},
    "evening: runners of a Rufspiel from 2": (runners(("rufspiel",), 2), ("runners_from.rufspiel",)),
    "evening: runners of a Rufspiel from 4": (runners(("rufspiel",), 4), ("runners_from.rufspiel",)),
    "evening: runners of a Solo from 2": (runners(("solo",), 2), ("runners_from.solo",)),
    "evening: runners of a Wenz from 3": (runners(("wenz",), 3), ("runners_from.wenz",)),
    "evening: no runners of a Solo": (runners(("solo",), 0), ("runners_from.solo",)),
    "evening: runners capped at 4": (
        where(lambda r: r.runners and r.count > 4, lambda r: replace(r, runners=4 * r.tariff[0])), ("runners_most",)),
    "evening: runners capped at 3": (
        where(lambda r: r.runners and r.count > 3, lambda r: replace(r, runners=3 * r.tariff[0])), ("runners_most",)),
    "evening: no runners": (of_kind("runners forgotten"), ("runners-missed",)),
    "evening: no Kontra": (no_kontra, ("double-missed",)),
    "evening: no knock": (no_knocks, ("knock-missed",)),
    "evening: no doubling": (lambda r: replace(r, factors=()), ("doublings-missed",)),
    "evening: doublings added": (of_kind("doublings added"), ("doublings-added",)),
    "evening: once for all doublings": (of_kind("once for all doublings"), ("doublings-once",)),
    "evening: game alone doubled": (of_kind("game alone doubled"), ("doubled-first",)),
    "evening: runners not doubled": (of_kind("runners not doubled"), ("doubled-apart",)),
    "evening: schneider not doubled": (of_kind("schneider not doubled"), ("doubled-apart",)),
    "evening: no Schneider": (
        lambda r: replace(r, schneider=0, schwarz=0) if r.schneider else None, ("schneider-missed",)),
    "evening: schwarz as schneider": (of_kind("schwarz as schneider"), ("schwarz-as-schneider",)),
    "evening: tout forgotten": (of_kind("tout forgotten"), ("tout-missed",)),
    "evening: tout over the runners": (of_kind("tout over the runners"), ("tout",)),
    "evening: Rufspiel at twice its price": (
        where(lambda r: r.contract == "rufspiel", lambda r: replace(r, game=2 * r.game)), ("price.rufspiel", "tariff")),
    "evening: Wenz at half its price": (
        where(lambda r: r.contract == "wenz", lambda r: replace(r, game=r.game // 2)), ("price.wenz",)),
    "evening: Ramsch at twice its price": (
        where(lambda r: r.loser is not None, lambda r: replace(r, game=2 * r.game)), ("ramsch.price",)),
    "evening: no virgin": (of_kind("a virgin forgotten"), ("virgin-missed", "ramsch.virgin")),
    "evening: pot forgotten": (of_kind("pot forgotten"), ("stock-missed", "stock.won_by")),
    "evening: solo at the price of one opponent": (of_kind("solo at the price of one opponent"), ("paid-once",)),
    "evening: each pays each": (of_kind("each pays each"), ("paid-each",)),
    "evening: losers alone written": (of_kind("losers alone written"), ("side-written",)),
    "evening: winners alone written": (of_kind("winners alone written"), ("side-written",)),
    "evening: all signs": (line(lambda all_: tuple(-n for n in all_)), ("turned",)),
    "evening: one column further": (line(lambda all_: (*all_[-1:], *all_[:-1])), ("shifted",)),
    "evening: one column too early": (line(lambda all_: (*all_[1:], *all_[:1])), ("shifted",)),
}  # fmt: skip
CARRIED = (
    "one total: not added", "one total: added twice", "one total: carried wrongly", "one total: digits exchanged",
    "one total: amount of the player beside", "deal not added", "deal added twice", "two additions exchanged",
)  # fmt: skip
CARRIES = tuple(f"carried on: {kind}" for kind in CARRIED)
UNSEEN = frozenset(kind for kind in (*KINDS, *CARRIES) if crc32(kind.encode()) % 4 == 0)
"""A quarter of these kinds, set aside by their names: nothing is tuned by their results."""


def evenings(rng: Random, count: int, pool: Sequence[list[Judgement]], kinds: Sequence[str] = ()) -> Iterator[Evening]:
    """Yield so many evenings in which a kind makes two deals differ or more, each kind in turn."""
    wanted = list(kinds or KINDS)
    for n in range(count):
        for _ in range(4 * len(pool)):
            found = rng.choice(pool)
            made = evening(found, wanted[n % len(wanted)])
            if made is not None:
                yield made
                break


def paid_under(found: Sequence[Judgement], slip: Slip) -> list[Amounts | None]:
    """Return what a slip makes of each deal; the amounts as they are if it cannot happen."""
    made: list[Amounts | None] = []
    for each in found:
        reckoned = reckoning(each)
        other = slip(reckoned) if reckoned else None
        made.append(amounts(other) if other else paid_of(each))
    return made


def evening(found: list[Judgement], kind: str) -> Evening | None:
    """Return an evening with one slip in every deal that can have it; None if fewer than two then differ."""
    if any(each.verdict != "agrees" or (any(paid_of(each) or (1,)) and reckoning(each) is None) for each in found):
        return None
    slip, causes = KINDS[kind]
    ruleset = found[0].ruleset
    if ruleset and ruleset.house.table and any(cause.startswith(("tariff", "runners_from")) for cause in causes):
        return None  # a table of points has no prices and pays no runners
    made = paid_under(found, slip)
    if sum(paid_of(each) != now for each, now in zip(found, made, strict=True)) < LEAST:
        return None
    deals = [replace(each.deal, stated=Stated(payments=now)) for each, now in zip(found, made, strict=True)]
    alike = [name for name, (each, _) in KINDS.items() if paid_under(found, each) == made]
    answers = frozenset(cause for name in alike for cause in KINDS[name][1])
    return Evening(kind, list(judge_session(found[0].session, deals)), answers)


def place(named: Sequence[tuple[str, str]], each: Evening) -> int:
    """Return the place of the first reading, by its cause and its setting, that names an evening; 99 if none of three
    does."""
    return next((n for n, names in enumerate(named[:3], 1) if each.answers & {*names}), 99)


# --- a slip that is carried on ----------------------------------------------------------------------------------------


class Carried(Struct, frozen=True):
    """An evening in which one deal was added wrongly and all totals after it follow; and the dispute of that deal."""

    kind: str
    found: list[Judgement]
    number: int
    dispute: Dispute


def carried(rng: Random, count: int, pool: Sequence[list[Judgement]], kinds: Sequence[str] = ()) -> Iterator[Carried]:
    """Yield so many evenings of totals, each with one slip in one of them, carried over to the end."""
    wanted = list(kinds or CARRIES)
    for n in range(count):
        kind = wanted[n % len(wanted)]
        for _ in range(4 * len(pool)):
            found = rng.choice(pool)
            made = one_carried(rng, found, kind)
            if made is not None:
                yield made
                break


def one_carried(rng: Random, found: list[Judgement], kind: str) -> Carried | None:
    paid = [paid_of(each) for each in found]
    if len(found) < 4 or None in paid or any(each.verdict != "agrees" for each in found):
        return None
    at, had = rng.randrange(1, len(found) - 1), (0,) * len(found[0].session.players)
    deals, wrong = [], None
    for n, each in enumerate(found):
        now = paid[n] or ()
        totals = added(had, now)
        if n == at:
            sheet = Sheet(names=each.session.players, gained=now, had=had, totals=totals)
            slip = TOTALS[kind.removeprefix("carried on: ")][0]
            forms = [made for made, _ in slip(sheet) if made.totals != totals]
            if not forms:
                return None
            wrong, right = rng.choice(forms), Right(each, (), "totals", sheet, reckoning(each))
            totals = wrong.totals or ()
        deals.append(replace(each.deal, stated=Stated(totals=totals)))
        had = totals
    made = list(judge_session(found[0].session, deals))
    each = dispute(replace(right, found=found[at]), (kind.removeprefix("carried on: "),), wrong) if wrong else None
    return None if each is None else Carried(kind, made, found[at].number, each)
