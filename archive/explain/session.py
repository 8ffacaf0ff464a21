"""The one setting, or the one slip made all evening, that explains most of the differing deals of a session, and makes
no agreeing one differ."""

from collections import Counter
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import msgspec
from msgspec.structs import replace

from archive.explain.account import Account, Item, Items, amounts_of
from archive.explain.house_variants import with_setting
from archive.explain.price_slips import doublings, without
from archive.explain.scene import scene_of
from archive.explain.search import explain
from archive.explain.sheet import gained_by_totals
from archive.explain.types import Change, SessionExplained, SessionReading, rows
from archive.explain.writing_slips import fits
from archive.judge.from_facts import with_plainest_play
from archive.judge.judge_deal import judge
from archive.judge.types import Judgement, case_of
from archive.say import Message, message

MOST = 20  # readings that are tried on the whole session


def explain_session(judgements: Sequence[Judgement]) -> SessionExplained:
    """The readings of the house by which deals of a session that differ would agree, the best first: what explains
    most, and of those what breaks fewest. Readings that break as many as they explain are left out."""
    differ = tuple(each.number for each in judgements if each.verdict == "differs")
    votes: Counter[bytes] = Counter()
    changes: dict[bytes, Change] = {}
    for judgement in judgements:
        for change in fitting_readings(judgement) if judgement.verdict == "differs" else ():
            key = msgspec.json.encode([change.setting, change.value])
            votes[key] += 1
            changes.setdefault(key, change)
    order = sorted(votes, key=lambda key: (-votes[key], changes[key].cost))
    good: list[SessionReading] = []
    for key in order[:MOST]:
        each = try_reading(judgements, changes[key])
        good += [each] if len(each.explains) > len(each.breaks) else []
        if each.explains == differ and not each.breaks:  # none can be better, and those that follow are less likely
            break
    for cause in HABITS:
        habit = try_habit(judgements, cause)
        good += [habit] if len(habit.explains) > max(1, len(habit.breaks)) else []
    good.sort(key=lambda each: (bool(each.breaks), -len(each.explains), len(each.breaks), each.change.cost))
    return SessionExplained(tuple(good), differ, result_of_session(good, differ))


def fitting_readings(judgement: Judgement) -> list[Change]:
    """The readings that alone give what one deal states."""
    singles = [each for each in explain(judgement).explanations if len(each.changes) == 1]
    ways = [changes[0] for each in singles for changes in (each.changes, *each.ways)]
    return [change for change in ways if change.kind == "reading" and change.setting]


def try_reading(judgements: Sequence[Judgement], change: Change) -> SessionReading:
    """A reading tried on every deal, each with what lay on the table before it; a pot runs on as the reading has it."""
    explains: list[int] = []
    breaks: list[int] = []
    stay: list[int] = []
    pot: Any = None  # how much more lies in it than was judged
    for judgement in judgements:
        before = judgement.before
        if pot and before.stock is not None:
            before = replace(before, stock=max(0, before.stock + pot))
        now = judge(
            with_setting(judgement.session, change.setting, change.value), judgement.deal, judgement.number, before
        )
        if judgement.after.stock is not None and now.after.stock is not None:
            pot = now.after.stock - judgement.after.stock
        if judgement.verdict == "differs":
            (explains if now.verdict == "agrees" else stay).append(judgement.number)
        elif judgement.verdict == "agrees" and now.verdict != "agrees":
            breaks.append(judgement.number)
    return SessionReading(change, tuple(explains), tuple(stay), tuple(breaks))


def try_habit(judgements: Sequence[Judgement], cause: str) -> SessionReading:
    """A slip in reckoning as if it had been made in every deal."""
    explains: list[int] = []
    breaks: list[int] = []
    stay: list[int] = []
    for judgement in judgements:
        case = case_of(judgement)
        if case is None or judgement.verdict not in ("agrees", "differs"):
            continue
        scene = scene_of(judgement, with_plainest_play(case) if judgement.basis == "facts" else case, ())
        stated, account = scene.stated_paid or gained_by_totals(scene), scene.account
        if stated is None or account is None:
            stay += [judgement.number] if judgement.verdict == "differs" else []
            continue
        paid = amounts_of(HABITS[cause](account))
        fit = paid is not None and fits(paid, stated)
        if judgement.verdict == "differs":
            (explains if fit else stay).append(judgement.number)
        elif not fit:
            breaks.append(judgement.number)
    of = rows().cause[cause]
    clause = Message(f"explain.habit-{cause}")
    change = Change(cause, of.kind, of.cost, message("explain.offered", clause=clause), clause=clause)
    return SessionReading(change, tuple(explains), tuple(stay), tuple(breaks))


def never(*parts: str) -> Callable[[Account], Account]:
    """An account without some parts of the price."""
    return lambda account: with_items(account, tuple(item for item in account.items if item.part not in parts))


def with_items(account: Account, items: Items) -> Account:
    return Account(items, account.shares, account.pot, account.cap, account.unit)


def reckon_doublings(times: Callable[[int], int]) -> Callable[[Account], Account]:
    """An account in which so many doublings, together, multiply by something else."""

    def reckon(account: Account) -> Account:
        items, places = account.items, doublings(account.items)
        if not places:
            return account
        count = prod(items[n].amount for n in places).bit_length() - 1
        rest = without(items, *places)
        return with_items(account, (*rest[: places[0]], Item("slip", True, times(count)), *rest[places[0] :]))

    return reckon


def double_the_game_alone(account: Account) -> Account:
    items, places = account.items, doublings(account.items)
    later = [n for n, item in enumerate(items) if places and 0 < n < places[0] and not item.times]
    end = places[-1] + 1 if places else 0
    first = [item for n, item in enumerate(items[:end]) if n not in later]
    return with_items(account, (*first, *(items[n] for n in later), *items[end:]))


def without_pot(account: Account) -> Account:
    return Account(account.items, account.shares, (0,) * len(account.pot), account.cap, account.unit)


def at_most_runners(most: int) -> Callable[[Account], Account]:
    """An account in which no more than so many runners are paid."""

    def cap(account: Account) -> Account:
        items = []
        for item in account.items:
            count = item.line.message.facts.get("n", 0) if item.part == "runners" and item.line else 0
            amount = item.amount // count * most if count > most else item.amount
            items.append(Item(item.part, item.times, amount, item.line))
        return with_items(account, tuple(items))

    return cap


HABITS: dict[str, Callable[[Account], Account]] = {
    "double-missed": never("kontra"),
    "knock-missed": never("knock"),
    "doublings-missed": never("knock", "kontra", "round", "hausbock"),
    "runners-missed": never("runners"),
    "schneider-missed": never("schneider", "schwarz"),
    "schwarz-as-schneider": never("schwarz"),
    "tout-missed": never("tout"),
    "doublings-added": reckon_doublings(lambda count: count + 1),
    "doublings-once": reckon_doublings(lambda count: 2),
    "doubled-first": double_the_game_alone,
    "stock-missed": without_pot,
    "runners-most": at_most_runners(4),
}
"""Slips that a recorder may make all evening, by their causes, each as another account of a deal."""


def result_of_session(good: list[SessionReading], differ: tuple[int, ...]) -> Message:
    """That the best reading explains so many deals, and which of them still differ."""
    if not differ:
        return message("explain.no-deal-differs")
    if not good:
        return message("explain.no-setting")
    best = good[0]
    facts = {"change": best.change.message, "n": len(best.explains), "all": len(differ)}
    if not best.stay:
        return Message("explain.setting-explains-all", facts)
    return Message("explain.setting-explains-some", facts | {"deals": best.stay, "still": len(best.stay)})
